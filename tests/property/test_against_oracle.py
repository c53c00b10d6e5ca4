"""Random hands of every game, under random settings, through the tables and by the oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracle
from chance import DEEPER, FUZZ, dice, examples
from conftest import compiled
from depth import FIRST_GAMES
from lines import DRAWING, ENDING, FastHand, SlowHand
from oracle import VARIANTS, free_bet
from oracle.common import OPTION_VALUES
from upcard import GAME_IDS, GameTables
from upcard.cards import DECK, Card
from upcard.compile.bonuses import suit_bit
from upcard.compile.context import Action, Phase
from upcard.compile.ends import NO_BONUS, EndKind
from upcard.compile.hands import total_name
from upcard.compile.observers import MatchObserver, PokerObserver, ShowdownObserver
from upcard.errors import UpcardError

pytestmark = pytest.mark.chance

NUMBER, MORE = 60, 400
"""Examples of a test of all games: more of further games, which `make proofs` looks at."""
MANY = examples(NUMBER)
TOGETHER, TURNS = 4, 2
"""How many settings are changed at once, and how often each value has its turn."""

NO_TENS = [str(card) for card in DECK if card.rank != "T"]
ALL_CARDS = [str(card) for card in DECK]
NOT_ABOUT_HANDS = {
    "decks",
    "penetration",
    "positions",
    "prize",
    "players_card",
    "lights_owner",
    "light_surplus",
    "fee_schedule",
    "fee_resolution",
    "fee_basis",
    "fee_per",
    "bank_cover",
    "backline",
    "chip",
    "rounding",
    "table_minimum",
    "table_maximum",
    "match",
    "stud_poker",
    "burn",
    "insurance_amount",
    "added_wagers",
}
"""Settings that no single hand can show; the oracle does not know all of them."""


def tried(game: str, says: Callable[[st.DataObject], object]) -> None:
    """Try what is said of a game."""

    @given(data=st.data())
    @examples(NUMBER if game in FIRST_GAMES else MORE)
    def check(data: st.DataObject) -> None:
        says(data)

    check()


def cards_of(game: str) -> list[str]:
    return NO_TENS if game in ("pure-spanish-21.5", "spanish-21", "pontoon") else ALL_CARDS


@st.composite
def pools(draw: st.DrawFn, game: str) -> st.SearchStrategy[str]:
    """Cards to deal from: all, or just a few ranks, so that pairs and rare hands come up."""
    few = ["8", "A8", "ATK", "T", "A23", "A59", "2678"]
    if game in VARIANTS:  # what bonuses name
        few += ["678", "7"]
    ranks = draw(st.sampled_from(["A23456789TJQK", *few]))
    pool = [card for card in cards_of(game) if card[0] in ranks]
    return st.sampled_from(pool or cards_of(game))


@cache
def some_settings(game: str) -> tuple[dict[str, object], ...]:
    """Options and readings, a few at a time, so that every value has its turns; first none.

    Tests share them, since it takes longer to compile a game than to play some hands of it.
    """
    book = compiled(game).rulebook
    values = [(one.name, value) for one in book.options for value in one.allowed]
    values += [(one.name, value) for one in book.readings for value in one.answers]
    about_hands = [value for value in values if value[0] not in NOT_ABOUT_HANDS]
    found: list[dict[str, object]] = [{}]
    for turn in range(TURNS * DEEPER if FUZZ else TURNS):
        dice(f"settings of {game}, {turn}").shuffle(about_hands)
        found.append({})
        for name, value in about_hands:
            if len(found[-1]) == TOGETHER or name in found[-1]:
                found.append({})
            found[-1][name] = value
    apart = [{name: value} for one in found if not fits(game, one) for name, value in one.items()]
    return tuple(one for one in (*found, *apart) if fits(game, one))


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_oracle_knows_every_setting_about_hands(game: str) -> None:
    book = compiled(game).rulebook
    values = [(one.name, value) for one in book.options for value in one.allowed]
    values += [(one.name, value) for one in book.readings for value in one.answers]
    for name, value in values:
        if name not in NOT_ABOUT_HANDS:
            oracle.GAMES[game].rules_of(for_oracle({name: value}))


def fits(game: str, chosen: Mapping[str, object]) -> bool:
    """Whether settings do not contradict each other."""
    try:
        compiled(game, **chosen)
    except UpcardError:
        return False
    return True


@st.composite
def games(draw: st.DrawFn, game: str) -> tuple[GameTables, dict[str, object]]:
    """A game with a few options and readings."""
    chosen = draw(st.sampled_from(some_settings(game)))
    return compiled(game, **chosen), for_oracle(chosen)


def for_oracle(chosen: Mapping[str, object]) -> dict[str, object]:
    """Settings as the oracle takes them."""
    return {
        name: value == "true" if value in ("true", "false") and name in OPTION_VALUES else value
        for name, value in chosen.items()
    }


def play(
    data: st.DataObject, game: str, tables: GameTables, chosen: dict[str, object], up: str
) -> tuple[SlowHand, FastHand]:
    """Play a hand to its end, comparing at every decision; after a split, one of both."""
    card = data.draw(pools(game))
    slow, fast = SlowHand(game, chosen), FastHand.fresh(tables)
    for _ in range(2):
        dealt = data.draw(card)
        slow, fast = slow.dealt(dealt), fast.dealt(dealt)
    while True:
        compare(slow, fast, up)
        actions = slow.legal(up)
        if not actions:
            return slow, fast
        action = data.draw(st.sampled_from(sorted(actions)))
        new = action == "split" and data.draw(st.booleans())
        slow, fast = slow.act(action, new=new), fast.act(action, new=new)
        if action in ENDING:
            return slow, fast
        if action in DRAWING:
            for _ in range(2 if action == "replace" else 1):
                dealt = data.draw(card)
                slow, fast = slow.dealt(dealt), fast.dealt(dealt)


def compare(slow: SlowHand, fast: FastHand, up: str) -> None:
    tables, hands, state = fast.tables, fast.tables.hands, fast.state
    facts = slow.facts
    assert hands.bust[state] == facts.bust
    assert hands.pending[state] == slow.waiting
    if not (slow.waiting and facts.natural):
        assert Fraction(int(hands.total[state]), 2) == facts.total
        assert hands.natural[state] == facts.natural
    if not facts.bust:
        assert hands.soft[state] == facts.soft
    can_split = slow.settings.get("max_hands") != 1 and not slow.waiting
    if can_split:
        assert (hands.pair_symbol[state] >= 0) == facts.pair
    if unknown_to_oracle(slow):
        return
    assert fast.legal(up) == slow.legal(up)
    symbol = tables.alphabet.symbol(Card.parse(up))
    legal = tables.legal.actions(state, fast.context, symbol)
    for action in Action:
        reason = tables.legal.why(state, fast.context, symbol, action)
        assert reason.action is action
        assert reason.legal == (action in legal)
        assert reason.words.endswith(".")
    if slow.game == "free-bet":
        compare_who_stakes(slow, legal)


def compare_who_stakes(slow: SlowHand, legal: tuple[Action, ...]) -> None:
    """FB-FD, FB-FS: what the house may stake, no player is asked to."""
    settings, cards = slow.settings, slow.cards
    for own, free in ((Action.DOUBLE, Action.FREE_DOUBLE), (Action.SPLIT, Action.FREE_SPLIT)):
        if own in legal or free in legal:
            by_house = free_bet.double_is_free(settings, cards)
            if own is Action.SPLIT:
                by_house = free_bet.split_is_free(settings, cards, slow.hands)
            assert (free in legal) == by_house
            assert not (own in legal and free in legal)


def unknown_to_oracle(slow: SlowHand) -> bool:
    """An ace and a ten by a trade under the reading that this is no natural."""
    return (
        slow.traded
        and slow.settings.get("traded_natural") == "twenty-one"
        and len(slow.cards) == 2
        and slow.facts.total == 21
    )


@pytest.mark.parametrize("game", GAME_IDS)
def test_hands_and_legal_actions(game: str) -> None:
    def says(data: st.DataObject) -> None:
        tables, chosen = data.draw(games(game))
        play(data, game, tables, chosen, data.draw(st.sampled_from(cards_of(game))))

    tried(game, says)


@pytest.mark.parametrize("again", ["yes", "no"])
@pytest.mark.parametrize("two", ["each", "one"])
def test_two_bonus_cards_in_every_line_of_play(two: str, again: str) -> None:
    """TS-4 and its readings: a deal too rare to leave to chance."""
    chosen: dict[str, object] = {"two_bonus_cards": two, "trade_again": again}

    def follow(slow: SlowHand, fast: FastHand, decisions: int) -> None:
        compare(slow, fast, "6h")
        for action in sorted(slow.legal("6h") if decisions else ()):
            after = slow.act(action), fast.act(action)
            if action in DRAWING:
                for card in ("Tc", "Ts", "5s", "As"):
                    follow(after[0].dealt(card), after[1].dealt(card), decisions - 1)
            elif action not in ENDING:
                follow(*after, decisions - 1)

    slow = SlowHand("ten-sticks-21", chosen).dealt("Tc").dealt("Tc")
    fast = FastHand.fresh(compiled("ten-sticks-21", **chosen)).dealt("Tc").dealt("Tc")
    assert slow.waiting == 2
    follow(slow, fast, 4)


@pytest.mark.parametrize("game", GAME_IDS)
def test_insurance_and_early_surrender_are_offered_as_written(game: str) -> None:
    tried(game, lambda data: offers(data, game))


def offers(data: st.DataObject, game: str) -> None:
    """What is offered before the turn, by the tables and by the oracle."""
    tables, chosen = data.draw(games(game))
    card = data.draw(pools(game))
    slow, fast = SlowHand(game, chosen), FastHand.fresh(tables)
    for _ in range(2):
        dealt = data.draw(card)
        slow, fast = slow.dealt(dealt), fast.dealt(dealt)
    assume(not slow.waiting)
    up = data.draw(card)
    for phase in (Phase.INSURANCE, Phase.EARLY_SURRENDER):
        has_phase = phase in {context.phase for context in tables.contexts.contexts}
        context = tables.contexts.index(phase) if has_phase else -1
        offered = FastHand(tables, fast.state, context).legal(up) if has_phase else set()
        assert offered == slow.legal(up, phase)


def test_the_offers_before_the_turn_follow_each_other() -> None:
    contexts = compiled("blackjack", surrender="early").contexts
    insurance, early, turn = (
        contexts.index(phase) for phase in (Phase.INSURANCE, Phase.EARLY_SURRENDER, Phase.TURNS)
    )
    assert contexts.next[insurance, Action.DECLINE] == early
    assert contexts.next[insurance, Action.INSURE] == early
    assert contexts.next[early, Action.DECLINE] == turn
    late = compiled("blackjack").contexts
    assert late.next[late.index(Phase.INSURANCE), Action.DECLINE] == late.index()


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_dealers_decisions_and_final_classes(game: str) -> None:
    tried(game, lambda data: dealer_hand(data, game, *data.draw(games(game))))


def dealer_hand(
    data: st.DataObject, game: str, tables: GameTables, chosen: dict[str, object]
) -> tuple[list[str], int]:
    """A dealer's hand of cards by chance."""
    card = data.draw(pools(game))
    return played_out(game, tables, chosen, lambda: data.draw(card))


def played_out(
    game: str, tables: GameTables, chosen: dict[str, object], card: Callable[[], str]
) -> tuple[list[str], int]:
    """The dealer's hand played out, compared at every card; cards and final class."""
    dealer = tables.dealer
    cards = [card(), card()]
    state = dealer.after(*(tables.alphabet.symbol(Card.parse(c)) for c in cards))
    while True:
        assert dealer.draws[state] == oracle.dealer_draws(game, chosen, cards)
        if not dealer.draws[state]:
            break
        cards.append(card())
        state = int(dealer.next[state, tables.alphabet.symbol(Card.parse(cards[-1]))])
    number = int(dealer.final_class[state])
    assert dealer.classes[number].name == oracle.dealer_class(game, chosen, cards)
    return cards, number


@pytest.mark.parametrize("game", GAME_IDS)
def test_payoffs_agree_with_settlement_by_hand(game: str) -> None:
    tried(game, lambda data: payoffs(data, game))


def payoffs(data: st.DataObject, game: str) -> None:
    """What a hand and all wagers on it come to, by the tables and by the oracle."""
    tables, chosen = data.draw(games(game))
    up = data.draw(st.sampled_from(cards_of(game)))
    slow, fast = play(data, game, tables, chosen, up)
    dealt = dealer_hand(data, game, tables, chosen)
    settled_alike(slow, fast, *dealt, data.draw(st.sampled_from([200, 400, 1000, 2500])))


def settled_alike(
    slow: SlowHand, fast: FastHand, dealer_cards: list[str], dealer_class: int, stake: int
) -> Fraction | None:
    """What the hand's own wager comes to, compared; None where no round could end so."""
    game, chosen, tables = slow.game, dict(slow.settings), fast.tables
    split = slow.split_from is not None
    given_up = {"surrender": "surrendered", "rescue": "rescued"}.get(slow.ended or "")
    if given_up:
        number = tables.class_index[given_up]
    else:
        number = final_class(fast, slow)
        expected = oracle.player_class(
            game,
            chosen,
            slow.cards,
            split=split,
            traded=slow.traded,
            doubled=slow.doubles > 0,
        )
        assert named(tables, number) == expected

    if game in ALWAYS_KNOWN and was_played(slow) and ends_the_round(game, chosen, dealer_cards):
        return None
    result = oracle.settle_base(
        game,
        chosen,
        cards=slow.cards,
        dealer=dealer_cards,
        stake=stake * slow.stake,
        added=stake * slow.added,
        split=split,
        traded=slow.traded,
        ended=slow.ended if given_up else None,
        last_double=stake * slow.last_double,
        first_hand=not slow.further,
        marker=stake * slow.marker,
    )
    found = settled(fast, number, dealer_class, stake, is_first=not slow.further)
    if not split and not slow.doubles:
        shown = tables.alphabet.symbol(Card.parse(dealer_cards[0]))
        found += sum(prize.pays(stake) for prize in tables.prizes if prize.won[shown, number])
    assert found == result

    side = ["insurance", *(wager for wager in tables.payoffs if "tie" in wager or "side" in wager)]
    for wager in side:
        if wager in tables.payoffs:
            odds = tables.payoffs[wager].odds[number][dealer_class]
            assert odds == oracle.settle_side(
                game,
                chosen,
                wager,
                cards=slow.cards,
                dealer=dealer_cards,
                split=split,
                ended=slow.ended if slow.ended == "surrender" else None,
            )
    return result


RARE = [
    ("free-bet", {"free_double_cards": "any"}, "2s 3d hit 4c double Kd", "Tc 8c", 1000),
    ("free-bet", {"free_double_cards": "any"}, "2s 3d hit 4c double 2d", "Tc 8c", -500),
    ("free-bet", {"fours": "own"}, "4s 4d split-new Kd stand", "Tc 8c", -500),
    ("free-bet", {"fours": "free"}, "4s 4d split-new Kd stand", "Tc 8c", 0),
    ("super-fun-21", {}, "Ad Kd stand", "Kc Ac", 1000),
    ("super-fun-21", {}, "2s 2d split 3c hit 4c hit 5s hit 7h", "Tc Kc", 1000),
    (
        "super-fun-21",
        {"bonus_after_split": "false"},
        "2s 2d split 3c hit 4c hit 5s hit 7h",
        "Tc Kc",
        500,
    ),
    (
        "super-fun-21",
        {"bonus_after_split": "false"},
        "2s 2d split-new 2c hit 3c hit 3d hit 4s hit 4d stand",
        "Tc 9c",
        -500,
    ),
    ("super-fun-21", {}, "2s 2d split-new 2c hit 3c hit 3d hit 4s hit 4d", "Tc 9c", 500),
    ("super-fun-21", {}, "2s 3d hit 4c double 5d surrender", "Tc 9c", -500),
    ("double-exposure", {"double": "9-11-soft"}, "As 8d double 2d", "Tc 8c", 1000),
    (
        "double-exposure",
        {"double": "9-11-soft", "doubled_ace": "one"},
        "As 8d double 2d",
        "Tc 8c",
        -1000,
    ),
    ("blackjack-switch", {}, "As Kd stand", "Ac Kc", 0),
    ("blackjack-switch", {"both_natural": "win"}, "As Kd stand", "Ac Kc", 500),
    ("spanish-21", {"super_bonus": "true"}, "7h 7h hit 7h", "7s Kc", 1000 + 100_000),
    ("spanish-21", {"super_bonus": "true"}, "7h 7h split 7h hit 7h", "7s Kc", 1000),
    ("spanish-21", {}, "6s 7s hit 8s", "7s Kc", 1500),
    ("spanish-21", {}, "6s 7s double 8s", "7s Kc", 1000),
    ("spanish-21", {"redouble": "true"}, "2s 3s double 4s redouble 5s rescue", "7s Kc", -1000),
    ("pontoon", {"super_bonus": "true"}, "7h 7h hit 7h", "7s Kc", 1000 + 100_000),
    ("pontoon", {}, "9s Ad double Kd", "Ac Kc", -500),
    ("pontoon", {}, "9s 9d split-new 2d double 8c", "Ac Kc", -500),
    ("pontoon", {}, "As 8d double 2d", "Kc 8c", -1000),
    ("european-blackjack", {}, "9s 9d split-new 2d double 8c", "Ac Kc", -1000),
]
"""Lines too rare to leave to chance: game, settings, cards and actions, the dealer's cards, and
what a hand of $5 comes to, worked out from the clauses. `split-new` goes on with the new hand.
"""


@pytest.mark.parametrize(("game", "chosen", "line", "dealer", "comes_to"), RARE)
def test_rare_lines(
    game: str, chosen: dict[str, object], line: str, dealer: str, comes_to: int
) -> None:
    up = dealer.split()[0]
    slow = SlowHand(game, for_oracle(chosen))
    fast = FastHand.fresh(compiled(game, **chosen))
    for word in line.split():
        action, _, which = word.partition("-")
        if action in (*DRAWING, *ENDING):
            compare(slow, fast, up)
            assert action in slow.legal(up)
            new = which == "new"
            slow, fast = slow.act(action, new=new), fast.act(action, new=new)
        else:
            slow, fast = slow.dealt(word), fast.dealt(word)
    if slow.ended is None:
        compare(slow, fast, up)
        assert slow.legal(up) <= {"stand", "surrender", "rescue"}
    cards = iter(dealer.split())
    dealt = played_out(game, fast.tables, for_oracle(chosen), lambda: next(cards))
    assert settled_alike(slow, fast, *dealt, 500) == comes_to


ALWAYS_KNOWN = (
    "spanish-21",
    "double-exposure",
    "blackjack-switch",
    "free-bet",
    "super-fun-21",
)
"""CV-4, DX-DN: a dealer's natural ends the round before anybody acts, by no house's choice. What
it would take of a hand that was played no clause says."""


def was_played(slow: SlowHand) -> bool:
    """Whether anything was decided about a hand but to stand."""
    as_dealt = len(slow.cards) == 2 and slow.split_from is None and not slow.doubles
    return not as_dealt or slow.ended not in (None, "stand")


def ends_the_round(game: str, chosen: dict[str, object], dealer: list[str]) -> bool:
    return oracle.dealer_class(game, chosen, dealer) == "natural"


def final_class(fast: FastHand, slow: SlowHand) -> int:
    """What a hand ends as by its ranks, by the suits of its cards, and by having been doubled."""
    suits = 0
    for card in slow.cards:
        suits |= suit_bit(Card.parse(card))
    by_ranks = int(fast.tables.hands.player_class[fast.state])
    return fast.tables.final_class(by_ranks, suits, slow.doubles)


def named(tables: GameTables, number: int) -> str:
    """A final class as the oracle calls it: with what it is paid, if that is a bonus."""
    found = tables.player_classes[number]
    if found.kind is EndKind.CHARLIE:
        return found.kind.value  # the tables tell them apart by their totals where a wager does
    if found.row == NO_BONUS:
        return found.name
    pays = tables.payoffs["base"].odds[number][0]
    hand = "natural" if found.is_natural else total_name(found.total)
    return f"{hand} paid {pays.numerator}:{pays.denominator}"


def settled(fast: FastHand, player: int, dealer: int, stake: int, *, is_first: bool) -> Fraction:
    """The net result of a hand's base wager by the payoff tables, in cents."""
    payoff, effects = fast.tables.payoffs["base"], fast.tables.effects
    context, level = fast.tables.contexts.contexts[fast.context], effects.stake_level(fast.context)
    began = int(not context.marker)
    added = int(effects.at_stake[player, level]) - began
    of_start, of_added = payoff.rates(
        player, dealer, first=is_first, doubles=context.doubles + context.free_doubles
    )
    by_house = int(effects.house[level]) * payoff.marker(player, dealer)
    net = stake * (began * of_start + added * of_added + by_house)
    return net + payoff.flat[player][dealer]


@pytest.mark.parametrize("reading", ["up-card", "both-cards"])
@MANY
@given(data=st.data())
def test_match_the_dealer(reading: str, data: st.DataObject) -> None:
    tables = compiled("pure-spanish-21.5", match_by=reading)
    observer = tables.observers["match"]
    assert isinstance(observer, MatchObserver)
    few = [card for card in NO_TENS if card[0] in "K8A"]
    player, dealer = (
        data.draw(st.lists(st.sampled_from(few), min_size=2, max_size=2)) for _ in "pd"
    )
    row = observer.row_of([Card.parse(c) for c in player], [Card.parse(c) for c in dealer])
    odds = observer.rows[row].odds if row >= 0 else Fraction(-1)
    chosen = {"match_by": reading}
    assert odds == oracle.settle_side(
        "pure-spanish-21.5", chosen, "match", cards=player, dealer=dealer
    )


STUD_VERSIONS = ["five-card", "five-card-low", "seven-card", "seven-card-low"]


@pytest.mark.parametrize("version", STUD_VERSIONS)
@MANY
@given(data=st.data())
def test_stud_bonus(version: str, data: st.DataObject) -> None:
    chosen: dict[str, object] = {
        "stud_bonus": version,
        "twisted_stud": data.draw(st.sampled_from(["higher", "last", "both"])),
        "low_ball": data.draw(st.sampled_from(["deuce-to-seven", "ace-to-five"])),
    }
    tables = compiled("twisted-21", **chosen)
    observer = tables.observers["stud-bonus"]
    assert isinstance(observer, PokerObserver)
    cards = data.draw(poker_cards(7))
    row = observer.row_of([Card.parse(c) for c in cards[:5]], [Card.parse(c) for c in cards[5:]])
    odds = observer.rows[row].odds if row >= 0 else Fraction(-1)
    assert odds == oracle.settle_side(
        "twisted-21",
        chosen,
        "stud-bonus",
        cards=cards[:5],
        dealer=ALL_CARDS[:5],
        community=cards[5:] if version.startswith("seven") else (),
    )


@st.composite
def poker_cards(draw: st.DrawFn, number: int) -> list[str]:
    """Distinct cards, often few ranks or one suit, so that good hands come up."""
    ranks = draw(st.sampled_from(["A23456789TJQK", "A2345", "TJQKA", "2345678", "KA2", "89TJQK"]))
    suits = draw(st.sampled_from(["shdc", "s", "sh"]))
    pool = [card for card in ALL_CARDS if card[0] in ranks and card[1] in suits]
    pool = pool if len(pool) >= number else ALL_CARDS
    return draw(st.lists(st.sampled_from(pool), min_size=number, max_size=number, unique=True))


@MANY
@given(data=st.data())
def test_stud_poker(data: st.DataObject) -> None:
    qualifier = data.draw(st.sampled_from(["king-high", "pair-of-kings"]))
    observer = compiled("twisted-21", qualifier=qualifier).observers["stud-poker"]
    assert isinstance(observer, ShowdownObserver)
    cards = data.draw(poker_cards(10))
    player, dealer = cards[:5], cards[5:]
    odds = observer.odds([Card.parse(c) for c in player], [Card.parse(c) for c in dealer])
    assert odds == oracle.settle_side(
        "twisted-21", {"qualifier": qualifier}, "stud-poker", cards=player, dealer=dealer
    )
