"""The library as a programmer meets it: `upcard.game(...)` and what hangs on it."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import upcard
from chance import dice
from shell import upcard as command_line
from upcard import GAME_IDS, Action, Card, Game, Hand, IllegalActionError, UpcardError
from upcard.compile.context import meant
from upcard.compile.shows import DealerShows, told_names
from upcard.library.box_play import BoxHand
from upcard.pages.page import Shown
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim
from upcard.solve.split import Mode
from upcard.table import commands as cm
from upcard.table import state as live

ROOT = Path(__file__).parents[2]
ROUNDS = 200
ADVISED_HANDS = 40
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in GAME_IDS if game != "blackjack-switch"),  # a hand is of one box
    ("blackjack", {"surrender": "early", "split_aces": "draw", "resplit_aces": True, "decks": 1}),
    ("blackjack", {"peek": "none", "double": "any-count", "charlie": 5, "hand_of_21": "asks"}),
    ("ten-sticks-21", {"decks": 1, "trade_time": "own-turn", "traded_natural": "twenty-one"}),
    ("ten-sticks-21", {"decks": 1, "trade_on_double": "no", "two_bonus_cards": "one"}),
    ("pure-spanish-21.5", {"double_double": False, "surrender": "early", "split_natural": "21.5"}),
]


# ------------------------------------------------------------------------- against the live table


class Follower:
    """Plays a hand of the library along with a round of the live table."""

    def __init__(self, game: Game, seed: str) -> None:
        banked = game.tables.money.bank != "house"
        self.game = game
        self.table = game.table(("Bank", "Ann") if banked else "Ann", chips=10**8, seed=seed)
        self.player = "Ann"
        self.banked = banked
        self.dice = dice(f"library {game.id} {seed}")
        self.taken: Counter[Action] = Counter()

    @property
    def box(self) -> live.Box:
        here = self.table.session.state.round
        assert here is not None
        return here.boxes[0]

    def round(self) -> None:
        if self.banked:
            while (offer := self.table.session.state.offer) and offer.player == "Ann":
                self.table.do(cm.DeclineBank(player="Ann"))
            self.table.take_bank(10**7)
        self.table.wager(player=self.player).deal()
        here = self.table.session.state.round
        assert here is not None
        if here.dealer.natural and len(here.dealer.cards) > 1:  # all see it, and nobody plays
            return
        up = here.dealer.cards if self.game.tables.dealer.shown.face_up else here.dealer.cards[:1]
        shows = DealerShows(tuple(map(Card.parse, up)), here.dealer.told)
        hand = self.game.hand(self.box.hands[0].cards[:2], up=shows)
        while (question := self.table.question) is not None:
            assert hand.legal == question.actions
            assert (hand.phase, hand.current) == (question.phase, question.hand)
            self.check_refusals(hand, question.actions)
            rarest = min(hand.legal, key=lambda action: self.taken[action])
            action = self.dice.choice([rarest, self.dice.choice(hand.legal)])
            self.taken[action] += 1
            self.table.push(action)
            hand.push(action)
            while hand.needs_card:
                hand.deal(self.card_for(hand))
        now = self.table.session.state.round
        assert now is not None
        if not now.dealer.natural:
            assert hand.is_over
            assert [self.known(one) for one in hand.hands] == [
                self.seen(one) for one in self.box.hands
            ]

    def card_for(self, hand: Hand) -> str:
        """The card that the live table gave where the library's hand waits for one."""
        mine = hand.hands[hand.current]
        place = len(mine.cards) if mine.gap is None else mine.gap
        return self.box.hands[hand.current].cards[place]

    def known(self, hand: BoxHand) -> tuple[Any, ...]:
        return tuple(map(str, hand.cards)), hand.state, hand.doubles

    def seen(self, hand: live.TableHand) -> tuple[Any, ...]:
        stake = hand.stakes[0]
        free = len(stake.markers) - (0 if stake.start else 1)
        return hand.cards, hand.state, len(stake.added) + free

    def check_refusals(self, hand: Hand, legal: tuple[Action, ...]) -> None:
        """The library refuses what the table refuses, in the same words."""
        before = repr(hand), hand.history
        for action in Action:
            assert (action in hand.legal) == (action in legal) == hand.why(action).legal
            if meant(action, legal) in legal:
                continue
            with pytest.raises(IllegalActionError) as mine:
                hand.push(action)
            with pytest.raises(UpcardError) as theirs:
                self.table.push(action)
            assert str(mine.value) == str(theirs.value)
            assert mine.value.reason == hand.why(action)
        assert before == (repr(hand), hand.history)


@pytest.mark.parametrize(("game", "settings"), SETTINGS, ids=str)
@pytest.mark.chance
def test_a_hand_is_asked_what_the_live_table_asks(game: str, settings: dict[str, Any]) -> None:
    follower = Follower(upcard.game(game, **settings), "legal")
    for _ in range(ROUNDS):
        follower.round()
    assert follower.taken.total() > ROUNDS / 2
    assert follower.taken.keys() == set(follower.game.tables.actions)


ADVISED = [
    ("blackjack", {"decks": 1}, "Ts 6d", "9h", {}),
    ("blackjack", {}, "8s 8h", "Ac", {"checked": True}),
    ("blackjack", {"surrender": "early"}, "Ts 6d", "Ah", {}),
    ("blackjack", {"surrender": "both"}, "Ts 6d", "Ah", {}),
    ("blackjack", {"surrender": "both", "peek": "ace"}, "Ts 6d", "Th", {}),
    ("blackjack", {"surrender": "both"}, "Ts 6d", "Th", {"checked": True}),
    ("blackjack", {"surrender": "early"}, "Ts 6d", "Th", {"checked": True}),
    ("ten-sticks-21", {}, "Tc 6d", "Ah", {"checked": True}),
    ("ten-sticks-21", {}, "Tc 6d", "9h", {}),
    ("pure-spanish-21.5", {}, "5s 6d 2c", "9h", {"doubles": 1}),
    ("games-of-chance-blackjack", {}, "9s 9h", "7d", {}),
    ("twisted-21", {}, "9s 4h", "Td", {}),
    ("blackjack-tie", {}, "As 7h", "9d", {}),
]


@pytest.mark.parametrize(("game", "settings", "cards", "up", "how"), ADVISED)
def test_advice_is_what_the_command_line_prints(
    game: str, settings: dict[str, Any], cards: str, up: str, how: dict[str, Any]
) -> None:
    found = upcard.game(game, **settings).hand(cards, up, seen="2s 3h", **how).advise()
    texts = [f"--set={name}={value}" for name, value in settings.items()]
    texts += [f"--doubles={how['doubles']}"] if "doubles" in how else []
    texts += ["--checked"] if "checked" in how else []
    asked = ("hand", game, "--cards", cards, "--up", up, "--removed", "2s 3h", *texts)
    printed = command_line(*asked, "--json").data
    assert printed["actions"] == {action.text: value for action, value in found.actions.items()}
    assert command_line(*asked).out.rstrip("\n") == str(found)


def test_advice_prices_what_the_rules_let_a_hand_do() -> None:
    hand = upcard.game("blackjack").hand("8s 8h", up="9d")
    assert set(hand.advise().actions) == set(hand.legal)
    assert hand.advise().best is Action.SPLIT


class Asked:
    """Hands dealt and played at random, with advice wherever something is asked."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.dice = dice(f"advised {game!r}")
        self.phases: Counter[str] = Counter()

    def hand(self) -> None:
        alphabet = self.game.tables.alphabet
        deck = [card for card in alphabet.cards for _ in range(alphabet.decks)]
        self.dice.shuffle(deck)
        ups = [card for card in deck if card.rank in "AT"]
        up = self.dice.choice([deck[-1], *ups[:1]])
        deck.remove(up)
        left = iter(deck)
        shows = [up]
        if self.game.tables.dealer.shown.face_up:
            shows.append(next(card for card in left if card.rank not in "ATJQK"))
        names = told_names(self.game.tables)
        told = self.dice.choice(names) if names else ""
        hand = self.game.hand([next(left), next(left)], up=DealerShows(tuple(shows), told))
        while not hand.is_over:
            if hand.needs_card:
                hand.deal(next(left))
                continue
            self.check(hand)
            hand.push(self.dice.choice(hand.legal))

    def check(self, hand: Hand) -> None:
        wanted, follows = set[Action](), hand.copy()
        while Action.DECLINE in follows.legal:
            wanted |= set(follows.legal) - {Action.INSURE, Action.DECLINE}
            follows.push("decline")
        # A natural that was insured or not stands by itself.
        wanted |= set(follows.legal) or {Action.STAND}
        try:
            found = hand.advise()
        except UpcardError as refused:
            bonus_cards = any(one.marked for one in self.game.tables.alphabet.symbols)
            if not bonus_cards or "in the middle of a split" not in str(refused):
                raise
            return
        self.phases[hand.phase] += 1
        checked = hand.phase == "turns"
        assert set(found.actions) == wanted, hand
        assert not (checked and found.before_check), hand
        asked = hand.phase == "insurance"
        assert (found.insurance is not None) >= asked, hand
        if checked or hand.phase == "early-surrender":
            assert found.insurance is None, hand


@pytest.mark.parametrize(("game", "settings"), SETTINGS, ids=str)
@pytest.mark.chance
def test_advice_is_about_what_is_asked(game: str, settings: dict[str, Any]) -> None:
    asked = Asked(upcard.game(game, **settings))
    for _ in range(ADVISED_HANDS):
        asked.hand()
    steps = asked.game.tables.round_plan.steps
    assert asked.phases.keys() >= {step.kind.value for step in steps if step.offers}


def test_declined_offers_are_not_priced() -> None:
    game = upcard.game("blackjack", surrender="early")
    hand = game.hand("Ts 6d", up="Ah")
    seen = []
    for _ in range(3):
        advice = hand.advise()
        seen.append((hand.phase, advice.before_check, advice.insurance is not None))
        if "decline" in hand.legal:
            hand.push("decline")
    assert seen == [
        ("insurance", True, True),
        ("early-surrender", True, False),
        ("turns", False, False),
    ]
    assert Action.SURRENDER not in hand.advise().actions
    late = game.replace(surrender="late").hand("Ts 6d", up="Ah", checked=True).advise()
    after = {action: late.actions[action] for action in hand.legal}
    assert hand.advise().actions == pytest.approx(after, abs=1e-12)


def test_a_kept_bonus_card_is_not_decided_again() -> None:
    hand = upcard.game("ten-sticks-21").hand("Tc 6d", up="9h")
    assert hand.legal.texts == ("keep", "trade")
    kept = hand.copy().push("keep")
    assert set(kept.advise().actions) == set(kept.legal)
    assert kept.advise().actions[Action.STAND] == pytest.approx(
        upcard.game("ten-sticks-21")
        .hand("Tc 6d", up="9h", checked=True)
        .advise()
        .actions[Action.STAND]
    )
    traded = hand.push("trade", card="5h")
    assert [*map(str, traded.cards)] == ["5h", "6d"]
    assert traded.seen == (Card("Tc"),)
    same = upcard.game("ten-sticks-21").hand("5h 6d", up="9h", seen="Tc")
    assert traded.advise().actions == same.advise().actions


@pytest.mark.parametrize("mode", ["CDP", "CDZ-"])
@pytest.mark.parametrize(("dealt", "card"), [("Tc As", "Kh"), ("Tc Tc", "8h"), ("Tc 5s", "6h")])
def test_a_hand_that_came_by_a_trade_is_priced_as_it_is(dealt: str, card: str, mode: Mode) -> None:
    """Also where a card that came by a trade counts otherwise than one that was dealt."""
    game = upcard.game("ten-sticks-21", decks=2, traded_natural="twenty-one", trade_time="own-turn")
    game = game.replace(hand_of_21="asks")
    hand = game.hand(dealt, up="9h").push("trade", card=card)
    advice = hand.advise(split_mode=mode)
    whole, symbol = BaseGame(game.tables), game.tables.alphabet.symbol
    first = whole.graph.find(*(symbol(Card(one)) for one in dealt.split()))
    node = int(whole.graph.child[whole.graph.moved[Action.TRADE, first], symbol(Card(card))])
    aim = Aim(advice.bet, {}, (advice.light,))
    worth = whole.solve_up(symbol(Card("9h")), aim, mode).worth[0, node]
    assert set(advice.actions) == set(hand.legal)
    for action, value in advice.actions.items():
        assert value == pytest.approx(worth[action], abs=1e-12), action


# ------------------------------------------------------------------------------------ one hand


@pytest.fixture
def game() -> Game:
    return upcard.game("blackjack", decks=2)


def test_pushes_can_be_taken_back(game: Game) -> None:
    hand = game.hand("8s 8h", up="9d")
    shown = [repr(hand)]
    for action, card in (("split", "8d"), ("split", "3c"), ("double", "Ts")):
        hand.push(action, card=card)
        shown.append(repr(hand))
    hand.deal("Td")
    assert hand.history == ("split 8d", "split 3c", "double Ts", "deal Td")
    assert [one.at_stake for one in hand.hands] == [2, 1, 1]
    assert (len(hand.hands), hand.current, hand.total) == (3, 1, 18)
    hand.pop()
    for before in reversed(shown):
        assert repr(hand) == before
        if hand.history:
            hand.pop()
    assert hand == game.hand("8s 8h", up="9d")
    with pytest.raises(UpcardError, match="nothing to take back"):
        hand.pop()


def test_a_copy_goes_its_own_way(game: Game) -> None:
    hand = game.hand("8s 8h", up="9d").push("split", card="2c")
    for twin in (
        hand.copy(),
        copy.copy(hand),
        copy.deepcopy(hand),
        pickle.loads(pickle.dumps(hand)),
    ):
        assert twin == hand
        twin.push("hit", card="2d")
        assert twin != hand
        assert twin.pop() == hand
        assert twin.pop().cards == (Card("8s"), Card("8h"))
    assert hand.history == ("split 2c",)


def test_results_of_hands(game: Game) -> None:
    assert game.hand("As Kd", up="9d").hands[0].result == "natural"
    over = game.hand("Ts 6d Kc", up="9d")
    assert (over.is_over, over.total, over.hands[0].bust, over.legal) == (True, 26, True, ())
    assert game.hand("Ts 6d", up="9d").push("surrender").hands[0].result == "surrendered"
    assert game.hand("Ts 6d", up="9d").push(Action.STAND).hands[0].result == "16"
    doubled = upcard.game("pure-spanish-21.5").hand("5s 6d 2c", up="9h", doubles=1)
    assert doubled.push("rescue").hands[0].at_stake == 1
    soft = game.hand("As 6d", up="9d")
    assert (soft.soft, soft.total) == (True, 17)
    assert upcard.game("pure-spanish-21.5").hand("As Kd", up="9d").total == 21.5


def test_offers_before_the_check(game: Game) -> None:
    hand = game.hand("8s 8h", up="Ad")
    assert (hand.phase, hand.legal.texts) == ("insurance", ("insure", "decline"))
    assert "split" not in hand.legal
    insured = hand.copy().push("insure")
    assert (insured.insured, insured.phase) == (True, "turns")
    assert not hand.push("decline").insured
    assert hand.legal == game.hand("8s 8h", up="Ad", checked=True).legal
    assert hand.advise().insurance is None
    assert hand.pop().advise().insurance is not None


REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    ("8x 8h", "9d", {}, '"8x" is not a card'),
    ("8s 8h", "", {}, "the up card is one card, not 0"),
    ("8s 8h", "9d 9h", {}, "the up card is one card, not 2"),
    ("8s", "9d", {}, "a hand has at least 2 cards, not 1"),
    ("", "9d", {}, "a hand has at least 2 cards, not 0"),
    ("8s 8s", "8s", {}, "8s comes 3 times, and the shoe of 2 decks has 2 of it"),
    ("8s 8h", "9d", {"seen": "8s 8s"}, "8s comes 3 times"),
    ("Ts 6d Kc 2c", "9d", {}, "the hand is over: there is nothing to hit"),
    ("As Kd 2c", "9d", {}, "the hand is over: there is nothing to hit"),
    ("8s 8h", "9d", {"doubles": 1}, "a hand of 2 cards has at most 0 doubles, not 1"),
    ("5s 6h 2d 3c", "9d", {"doubles": 2}, "the hand is over: there is nothing to redouble"),
    ("8s 8h", "9d", {"doubles": 0.5}, "doubles=0.5: this is not a whole number"),
    ("8s 8h", "9d", {"seen": [8]}, "8 is no card: give text such as Ts, or a Card"),
]


@pytest.mark.parametrize(("cards", "up", "how", "why"), REFUSED)
def test_hands_that_cannot_be(
    game: Game, cards: str, up: str, how: dict[str, Any], why: str
) -> None:
    with pytest.raises(UpcardError) as error:
        game.hand(cards, up, **how)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_a_game_without_tens_has_none_in_hand() -> None:
    with pytest.raises(UpcardError, match="is dealt without tens"):
        upcard.game("pure-spanish-21.5").hand("Ts 6d", up="9h")
    with pytest.raises(UpcardError, match="does not play every T alike: say its suit"):
        upcard.game("ten-sticks-21").hand("T 6", up="9h")


def test_pushes_that_cannot_be(game: Game) -> None:
    hand = game.hand("8s 5h", up="9d")
    with pytest.raises(
        IllegalActionError, match=r"^only two cards of equal value may split \[HB-SPLIT\]$"
    ) as error:
        hand.push("split")
    assert error.value.reason == hand.why("split")
    assert pickle.loads(pickle.dumps(error.value)).reason == error.value.reason
    for action, why in (
        ("spilt", 'did you mean "split"'),
        (3, "3 is not an action"),
        ("HIT", "not an action"),
    ):
        with pytest.raises(UpcardError, match=why):
            hand.push(action)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match="stand brings no card here, so 5c has no place"):
        hand.push("stand", card="5c")
    with pytest.raises(UpcardError, match="no card is due: the hand is asked: hit, stand"):
        hand.deal("5c")
    with pytest.raises(UpcardError, match="8s comes 3 times"):
        game.hand("8s 5h", up="8s").push("hit", card="8s")
    assert hand.history == ()
    hand.push("hit")
    with pytest.raises(UpcardError, match="waits for a card: deal it before you stand"):
        hand.push("stand")
    with pytest.raises(UpcardError, match="nothing to decide: the hand waits for a card"):
        hand.advise()
    hand.deal("Kc")
    for ask in (hand.push, hand.why):
        with pytest.raises(UpcardError, match="the hand is over: there is nothing to stand"):
            ask("stand")
    with pytest.raises(UpcardError, match="no card is due: the hand is over"):
        hand.deal("2c")


@pytest.mark.parametrize("after_split", [True, False])
@pytest.mark.parametrize(("second", "third"), [("3c", ""), ("Td", ""), ("2c", "5d"), ("Ac", "")])
def test_a_hand_of_a_split_is_worth_what_its_cards_are(
    second: str, third: str, *, after_split: bool
) -> None:
    """Where split hands may do what others may, other hands are cards that are gone."""
    game = upcard.game("blackjack", decks=1, double_after_split=after_split, surrender="none")
    hand = game.hand("8s 8h", up="9d").push("split", card=second)
    plain = game.hand(f"8s {second}", up="9d", seen="8h")
    for box in (hand, plain):
        if third:
            box.push("hit", card=third)
    found, same = hand.advise().actions, plain.advise().actions
    assert set(found) == set(hand.legal) == set(same) - ({Action.DOUBLE} - set(hand.legal))
    assert found == pytest.approx({action: same[action] for action in found}, abs=1e-12)
    # The second hand knows what the first has drawn.
    if not third:
        later = hand.push("stand").deal("4d").advise().actions
        known = game.hand("8h 4d", up="9d", seen=f"8s {second}").advise().actions
        assert later == pytest.approx({action: known[action] for action in later}, abs=1e-12)


def test_wagers_on_the_first_hand_count_for_it_alone() -> None:
    game = upcard.game("blackjack-tie")
    hand = game.hand("8s 8h", up="9d").push("split", card="Td")
    apart, together = hand.advise(bet=1000), hand.advise(bet=1000, wagers={"tie-18": 1})
    assert together.actions[Action.STAND] > apart.actions[Action.STAND] + 0.1
    hand.push("stand").deal("Ts")
    assert hand.advise(bet=1000, wagers={"tie-18": 1}).actions == hand.advise(bet=1000).actions


def test_one_more_split_is_priced_for_the_box(game: Game) -> None:
    hand = game.hand("8s 8h", up="6d").push("split", card="8c")
    first = hand.advise()
    assert set(first.actions) == set(hand.legal)
    assert (first.best, first.mode) == (Action.SPLIT, "CDP")
    last = hand.push("stand").deal("8d").advise()
    assert set(last.actions) == set(hand.legal)
    # With hands that wait, a split also takes a place from them; the last hand takes none.
    whole = game.replace(max_hands=3).hand("8h 8d", up="6d", seen="8s 8c").advise()
    assert last.actions[Action.SPLIT] == pytest.approx(whole.actions[Action.SPLIT], abs=1e-12)
    with pytest.raises(UpcardError, match="is not priced in CDZ-"):
        hand.advise(split_mode="CDZ-")


def test_what_cannot_be_priced_in_the_middle_of_a_split_is_refused() -> None:
    sticks = upcard.game("ten-sticks-21").hand("8s 8h", up="9d")
    for second in ("8c", "Tc"):
        with pytest.raises(UpcardError, match="not counted in the middle of a split"):
            sticks.copy().push("split", card=second).advise()


@pytest.mark.parametrize("third", ["2d", "Tc"])
def test_bonus_cards_in_a_hand_of_a_split(third: str) -> None:
    game = upcard.game("ten-sticks-21", decks=2)
    hand = game.hand("8s 8h", up="9d").push("split", card="3c").push("hit", card=third)
    plain = game.hand("8s 3c", up="9d", seen="8h").push("hit", card=third)
    assert hand.legal == plain.legal
    assert hand.advise().actions == pytest.approx(plain.advise().actions, abs=1e-12)


# ------------------------------------------------------------------------------ cards in all forms


@pytest.mark.parametrize(
    "cards",
    [
        "Ts 6d",
        "10s6d",
        "T♠, 6♦",
        "t♠\ufe0f 6♢",
        ["Ts", "6d"],
        (Card("Ts"), "6♦"),
        iter(["10S", "6D"]),
    ],
)
def test_cards_are_text_or_objects(game: Game, cards: Any) -> None:
    hand = game.hand(cards, up=Card("9h"))
    assert hand.cards == (Card("Ts"), Card("6d"))
    assert upcard.advise(game.tables, hand.cards, "9h").actions == hand.advise().actions


def test_cards_parse_back() -> None:
    for text in ("Ts", "10s", "t♠", "T♤"):
        card = Card(text)
        assert card == Card("T", "s") == Card.parse("Ts")
        assert eval(repr(card)) == card
        assert pickle.loads(pickle.dumps(card)) == card
    for wrong in ("", "T", "Tx", "Ts6d", "1s"):
        with pytest.raises(UpcardError, match="is not a card"):
            Card(wrong)
    with pytest.raises(UpcardError, match="is not a card"):
        Card("T", "x")
    with pytest.raises(UpcardError, match="is not a card"):
        Card(7)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match="is not a card"):
        Card.parse("10s")


def test_commands_take_cards_as_text_or_objects() -> None:
    plain = cm.StackShoe(cards=("Ts", "6d"), discards=("9h",))
    objects: Any = (Card("Ts"), Card("6d"))
    text: Any = "10♠ 6d"
    assert cm.StackShoe(cards=objects, discards=("9h",)) == plain
    assert cm.StackShoe(cards=text, discards=("9h",)) == plain


# ------------------------------------------------------------------------------------ the game


def test_settings_are_keywords() -> None:
    same = [
        upcard.game("blackjack", decks=decks, double_after_split=after)
        for decks, after in ((2, False), ("2", "false"), (2.0, np.False_), (np.int64(2), False))
    ]
    assert len(set(same)) == 1
    assert repr(same[0]) == "upcard.game('blackjack', decks=2, double_after_split=False)"
    assert eval(repr(same[0])) == same[0]
    assert same[0].replace(decks=6, double_after_split=True) == upcard.game("blackjack")
    assert upcard.game(same[0].tables) == same[0]
    assert upcard.game(upcard.tables_for("blackjack"), decks=2).settings == {"decks": "2"}
    assert upcard.game("blackjack", penetration=0.5).settings == {"penetration": "0.5"}


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"deks": 8}, 'has no option or reading "deks"; did you mean "decks"?'),
        ({"decks": 8.5}, "does not allow decks=8.5: decks may be 1 to 8"),
        ({"decks": 9}, "does not allow decks=9"),
        ({"decks": None}, "decks=None: a setting is a text, a number, or True or False"),
        ({"decks": float("nan")}, "decks=nan: a setting is"),
        ({"decks": True}, "does not allow decks=true"),
        ({"soft17": ["hit"]}, "soft17=['hit']: a setting is"),
    ],
)
def test_wrong_settings_are_one_sentence(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(UpcardError) as error:
        upcard.game("blackjack", **settings)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_names_with_dashes_take_underscores(tmp_path: Path) -> None:
    text = (ROOT / "examples/club-blackjack.toml").read_text()
    path = tmp_path / "club.toml"
    path.write_text(text.replace("busted_tie", "busted-tie"))
    club = upcard.game(path, busted_tie="push")
    assert dict(club.settings) == {"busted-tie": "push"}
    assert eval(repr(club)) == club
    assert club.sizes({"lucky_tie": "1/2"}) == {"lucky-tie": 0.5}


def test_games_are_found_as_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert upcard.game("Twisted 21").id == "twisted-21"
    club = upcard.game(Path("examples/club-blackjack.toml"))
    assert repr(club) == "upcard.game('examples/club-blackjack.toml')"
    with pytest.raises(UpcardError, match="is no game: give an id, a path, or compiled tables"):
        upcard.game(21)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match="did you mean"):
        upcard.game("blackjak")


def test_a_game_never_changes(game: Game) -> None:
    with pytest.raises(TypeError):
        game.settings["decks"] = "8"  # type: ignore[index]
    with pytest.raises(TypeError):
        game.choices["decks"] = ()  # type: ignore[index]
    with pytest.raises(AttributeError):
        game.id = "mine"  # type: ignore[misc]
    cards = ["8s", "8h"]
    hand = game.hand(cards, up="9d", seen=cards)
    cards.append("Kd")
    assert hand.cards == (Card("8s"), Card("8h")) == hand.seen
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert hash(again) == hash(game)
    assert copy.copy(game) is copy.deepcopy(game) is game
    assert again.hand("8s 8h", up="9d") == game.hand("8s 8h", up="9d")
    assert game != upcard.game("blackjack")
    assert game != "blackjack"


@pytest.mark.chance
def test_a_game_can_be_shared_between_threads(game: Game) -> None:
    rolls = dice("threads")
    starts = [("8s 8h", "9d"), ("Ts 6d", "Th"), ("As 7d", "6c"), ("5h 6c", "2s")] * 6
    rolls.shuffle(starts)

    def advice(start: tuple[str, str]) -> tuple[float, ...]:
        hand = game.hand(*start)
        for _ in range(50):
            hand.push("stand").pop()
        return tuple(hand.advise().actions.values())

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(advice, starts))
    alone = {start: advice(start) for start in set(starts)}
    assert together == [alone[start] for start in starts]


# ------------------------------------------------------------------------------------ its results


class Tags(HTMLParser):
    """The text and the tags of a page, refusing what is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert {name for name, _ in attrs} <= {"class", "style"}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_every_result_prints_itself_and_shows_in_a_notebook(game: Game) -> None:
    tie = upcard.game("blackjack-tie")
    shown: list[tuple[Shown, tuple[str, ...]]] = [
        (game, ()),
        (game.rules(), ("rules", "blackjack", "--set=decks=2")),
        (game.odds(bet=1000), ("odds", "blackjack", "--set=decks=2", "--bet=10")),
        (
            tie.odds(wagers={"tie-17": "1/2"}, strategy="basic"),
            ("odds", "blackjack-tie", "--with=tie-17=1/2", "--strategy=basic"),
        ),
        (game.strategy(), ("strategy", "blackjack", "--set=decks=2")),
        (
            upcard.game("games-of-chance-blackjack").readings(),
            ("readings", "games-of-chance-blackjack"),
        ),
        (game.hand("8s 8h", up="9d"), ()),
        (game.table(seed="shown").wager().deal(), ()),
    ]
    for result, command in shown:
        text, line = str(result), repr(result)
        assert "\x1b" not in text
        assert "\n" not in line
        assert len(line) < 200
        if command:
            assert command_line(*command).out.rstrip("\n") == text
        page = Tags(result._repr_html_())
        assert page.seen >= {"div"}
        words = page.text.split()
        missing = [word for word in text.split() if word not in page.text and word not in words]
        assert not missing, (line, missing)


def test_a_notebook_cannot_be_tricked_by_a_game_file(tmp_path: Path) -> None:
    text = (ROOT / "examples/club-blackjack.toml").read_text()
    evil = text.replace('name = "', 'name = "<script>alert(1)</script> [red]', 1)
    assert evil != text
    path = tmp_path / "evil.toml"
    path.write_text(evil)
    html = upcard.game(path)._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_odds_take_wagers_in_any_form(game: Game) -> None:
    assert game.odds(bet="$10").bet == game.odds(bet=np.int64(1000)).bet == 1000
    for wrong, why in (
        (10.0, "give whole cents"),
        (True, "give whole cents"),
        ("ten", "not an amount"),
    ):
        with pytest.raises(UpcardError, match=why):
            game.odds(bet=wrong)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match='has no side wager "tie-17"'):
        game.odds(wagers={"tie_17": 1})
    with pytest.raises(UpcardError, match="strategy='best': it is optimal or basic"):
        game.odds(strategy="best")  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match="has no lights"):
        game.strategy(stay=10)
    for ask in (game.odds, game.strategy, game.hand("8s 8h", up="9d").advise):
        with pytest.raises(UpcardError, match="split_mode='CDX': it is CDZ-"):
            ask(split_mode="CDX")  # type: ignore[arg-type]


def test_simulations_are_those_of_the_command_line(game: Game) -> None:
    found = game.simulate(2e5, seed=7, policy="mimic")
    assert (found.outcome.rounds, found.trial.request.seed) == (200_000, 7)
    again = game.simulate("2e5", seed=np.int64(7), policy="mimic", threads=1)
    assert found.outcome.totals == again.outcome.totals
    printed = command_line(
        "simulate",
        "blackjack",
        "--set=decks=2",
        "--rounds=2e5",
        "--seed=7",
        "--policy=mimic",
        "--json",
    ).data
    base = found.wagers["base"]
    assert printed["wagers"]["base"]["ev"] == base.figures.ev
    assert base.z is not None
    assert abs(base.z) < 5
    assert repr(found).startswith("<Result of blackjack@1: 200,000 rounds, EV ")
    assert "200,000 rounds in " in str(found)
    assert "<table>" in found._repr_html_()


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"rounds": 1.5}, "rounds=1.5: this is not a whole number"),
        ({"rounds": "many"}, "this is not a whole number"),
        ({"rounds": 0}, "at least 1 round"),
        ({"rounds": 1e16}, "at most 1e\\+15 rounds"),
        ({"rounds": float("inf")}, "not a whole number"),
        ({"policy": "lucky"}, 'no policy "lucky"'),
        ({"count": "hi-lo"}, 'say shoe="cut"'),
        ({"threads": 0}, "at least 1 thread"),
        ({"bankroll": 1000}, "a bankroll needs a session"),
    ],
)
def test_simulations_that_cannot_be(game: Game, how: dict[str, Any], why: str) -> None:
    with pytest.raises(UpcardError, match=why):
        game.simulate(**{"rounds": 1000, **how})


# ---------------------------------------------------------------------------------- the live table


def test_a_table_is_played_in_short_commands() -> None:
    table = upcard.game("games-of-chance-blackjack").table("Ann", cards="Ts 9h 6d Kd 3c")
    with pytest.raises(UpcardError, match=r"a base wager is \$2 or \$4, not \$3 \[GC-AMT\]"):
        table.wager(300)
    table.wager("$4").deal()
    assert table.question is not None
    assert table.question.player == "Ann"
    assert "double" in table.legal
    table.push("hit")
    with pytest.raises(UpcardError, match="only two cards may double"):
        table.push("double")
    table.push(Action.STAND)
    assert (table.legal, table.in_round, table.chips("Ann")) == ((), False, 99_900)
    assert table.story()[-1]
    assert len(table.log().entries) == 8
    with pytest.raises(UpcardError, match="nobody is asked"):
        table.push("hit")
    with pytest.raises(UpcardError, match="Bo is not at this table"):
        table.wager(player="Bo")
    table.stack("Ts 9h 6d Kd 3c").wager().deal()
    for wrong in (3, "fold"):
        with pytest.raises(UpcardError, match="is not an action"):
            table.push(wrong)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match="a table needs at least one player"):
        upcard.game("blackjack").table(())


def test_wagers_follow_a_player_who_changes_chairs() -> None:
    """PS-D2, SR-11, SR-23: without a position they are made at the own seat."""
    table = upcard.game("pure-spanish-21.5").table(("Ann", "Bo")).take_bank(50_000)
    table.do(cm.Move(player="Bo", seat=5))
    with pytest.raises(UpcardError, match=r"place a wager at seat 5 first \[PS-D2\]"):
        table.wager(1000, player="Bo", position=2)
    table.wager(1000, player="Bo").wager(1000, player="Bo", position=2)
    assert [bet.position for bet in table.view().bets] == [5, 2]


def test_a_table_shows_no_card_that_is_hidden() -> None:
    table = upcard.game("blackjack").table(cards="Ts 9h 6d Kd 3c").wager().deal()
    for shown in (str(table), table._repr_html_(), repr(table)):
        assert "Kd" not in shown
        assert "3c" not in shown
    assert "9h ??" in str(table)


def test_a_player_takes_the_bank() -> None:
    table = upcard.game("pure-spanish-21.5").table(("Ann", "Bo"), seed="bank")
    table.take_bank("$500").wager(2000, player="Bo", match=500).deal()
    bank, here = table.session.state.bank, table.session.state.round
    assert bank is not None
    assert here is not None
    assert (bank.player, bank.amount) == ("Ann", 50_000)
    assert [(box.player, [bet.wager for bet in box.sides]) for box in here.boxes] == [
        ("Bo", ["match"])
    ]


def test_a_seed_deals_the_same_again(game: Game) -> None:
    tables = [
        game.table(("Ann", "Bo"), seed="again").wager().wager(player="Bo").deal() for _ in "12"
    ]
    assert tables[0].events == tables[1].events
    assert game.table().log().entries[0].command != game.table().log().entries[0].command


def test_a_game_is_an_environment(game: Game) -> None:
    env = game.env(bet=1000)
    observation, info = env.reset(seed=3)
    assert info["action_mask"].any()
    assert env.observation_space.contains(observation)


@pytest.mark.chance
def test_random_play_ends(game: Game) -> None:
    rolls: random.Random = dice("ends")
    deck = [card for card in game.tables.alphabet.cards if card != Card("9d")]
    for _ in range(50):
        rolls.shuffle(deck)
        left = iter(deck)
        hand = game.hand([next(left), next(left)], up="9d")
        while not hand.is_over:
            if hand.needs_card:
                hand.deal(next(left))
            else:
                hand.push(rolls.choice(hand.legal))
        assert all(one.result for one in hand.hands)
