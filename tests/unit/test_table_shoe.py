"""The shoe in use: promised, cut, burned, opened, run out; and no card is lost or doubled."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from conftest import compiled
from unit.test_table_play import (
    ALL_GAMES,
    CHANCE,
    PURE,
    STICKS,
    TWISTED,
    Table,
    busy,
    greedy,
    names_of,
    steps_of,
)
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE
from upcard.table.session import Session
from upcard.table.shoe import secret_from, shoe_seed
from upcard.table.state import Round, TableState


def full(
    boxes: int,
    game: str = "blackjack",
    *,
    secret: str = "demo",
    **settings: Any,
) -> Table:
    """Ann on many boxes."""
    table = Table(game, secret=secret, **settings)
    table.sit("Ann", 1, 10**9)
    wager(table, boxes)
    return table


def wager(table: Table, boxes: int) -> None:
    for position in range(1, boxes + 1):
        table.bet("Ann", position, 400 if table.session.game == CHANCE else 500)


def play(table: Table, boxes: int) -> list[ev.Event]:
    if not table.state.bets:
        wager(table, boxes)
    return table.deal() + table.finish(greedy)


# ------------------------------------------------------------------ the promise


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_shoe_is_promised_before_its_first_card_and_opened_at_its_end(game: str) -> None:
    promised: dict[int, str] = {}
    shuffled: set[int] = set()
    opened: set[int] = set()
    for event in busy(game).session.events:
        match event:
            case ev.ShoeCommitted():
                assert event.shoe == len(promised) + 1
                assert len(opened) == len(promised)
                promised[event.shoe] = event.commitment
            case ev.ShoeShuffled():
                assert event.shoe in promised
                assert event.shoe not in shuffled
                shuffled.add(event.shoe)
            case ev.CardDealt() | ev.CardBurned():
                assert max(promised) in shuffled
                assert max(promised) not in opened
            case ev.ShoeOpened():
                seed = bytes.fromhex(event.seed)
                assert hashlib.sha256(seed).hexdigest() == promised[event.shoe]
                opened.add(event.shoe)
    assert opened == set(promised)


def test_a_shoe_is_promised_when_the_table_opens() -> None:
    table = Table()
    assert names_of(table.events) == ["TableOpened", "ShoeCommitted"]
    assert table.view().shoe.commitment == table.state.shoe.commitment != ""


def test_seeds_are_mixed_in_between_promise_and_shuffle_and_named_when_it_opens() -> None:
    table = Table(TWISTED)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.do(cm.MixSeed(player="Bob", seed="b"), cm.MixSeed(player="Ann", seed="ä€"))
    assert table.view().shoe.clients == ("b", "ä€")
    table.bet("Ann", 1)
    events = table.deal() + table.finish()
    opened = next(e for e in events if isinstance(e, ev.ShoeOpened))
    assert opened.clients == ("b", "ä€")
    assert table.state.shoe.clients == ()


def order_with(*seeds: str, secret: str = "demo") -> tuple[str, ...]:
    table = full(1, secret=secret)
    table.do(cm.BuyIn(player="Bob", amount=500))
    for player, seed in zip(("Ann", "Bob"), seeds, strict=False):
        table.do(cm.MixSeed(player=player, seed=seed))
    return next(e.order for e in table.deal() if isinstance(e, ev.ShoeShuffled))


def test_everybody_mixes_in_one_word() -> None:
    table = full(1)
    table.do(cm.MixSeed(player="Ann", seed="one"))
    table.refused(cm.MixSeed(player="Ann", seed="two"), "HB-CUT", says="already")


def test_a_shoe_is_stacked_only_at_a_scripted_table() -> None:
    session = Session(compiled("blackjack"))
    session.do(cm.OpenTable(table="one", secret=secret_from("one")))
    assert "opened as scripted" in str(session.do(cm.StackShoe(cards=("As",))))


def test_seeds_change_the_order_and_so_does_their_own_order() -> None:
    orders = [order_with(*seeds) for seeds in ((), ("a",), ("b",), ("a", "b"), ("b", "a"), ("ab",))]
    assert len(set(orders)) == len(orders)
    assert len({tuple(sorted(order)) for order in orders}) == 1


def test_tables_with_different_secrets_are_dealt_differently_and_equal_ones_alike() -> None:
    assert order_with(secret="x") != order_with(secret="y")
    assert order_with(secret="x") == order_with(secret="x")


def test_the_next_shoe_has_another_seed_and_another_order() -> None:
    orders = [e.order for e in busy(TWISTED).events if isinstance(e, ev.ShoeShuffled)]
    assert len(orders) == len(set(orders)) > 20


# ------------------------------------------------------------------ burn and cut card


@pytest.mark.parametrize("burn", [0, 1, 2, 10])
def test_cards_are_burned_after_the_shuffle_and_only_then(burn: int) -> None:
    """HB-BURN."""
    table = full(1, burn=burn)
    names = names_of(table.deal())
    start = names.index("ShoeShuffled") + 1
    assert names[start : start + burn + 1] == ["CardBurned"] * burn + ["CardDealt"]
    table.finish()
    assert "CardBurned" not in names_of(play(table, 1))


def test_burned_cards_come_off_the_top() -> None:
    table = full(1, burn=3)
    events = table.deal()
    order = next(e.order for e in events if isinstance(e, ev.ShoeShuffled))
    burned = tuple(e.card for e in events if isinstance(e, ev.CardBurned))
    dealt = tuple(e.card for e in events if isinstance(e, ev.CardDealt))
    assert order[:3] == burned
    assert order[3 : 3 + len(dealt)] == dealt


@pytest.mark.parametrize(
    ("game", "decks", "penetration", "expected"),
    [
        ("blackjack", 6, 0.75, 234),
        ("blackjack", 8, 0.5, 208),
        ("blackjack", 1, 0.75, 39),
        ("blackjack", 2, 0.1, 10),
        ("blackjack", 1, 0.1, 5),
        ("blackjack", 6, 1.0, 307),
        ("blackjack", 1, 1.0, 47),
        (STICKS, 6, 0.5, 156),
        (STICKS, 6, 1.0, 307),
        (CHANCE, 1, 0.5, 26),
        (CHANCE, 6, 1.0, 312),
    ],
)
def test_the_cut_card_stands_where_the_penetration_says(
    game: str, decks: int, penetration: float, expected: int
) -> None:
    """HB-CUT: never within five cards of an end where the house rules say so."""
    table = full(1, game, decks=decks, penetration=penetration)
    shuffled = next(e for e in table.deal() if isinstance(e, ev.ShoeShuffled))
    assert shuffled.cut == expected
    assert len(shuffled.order) == 52 * decks


def test_a_spanish_shoe_has_48_cards_a_deck() -> None:
    """PS-DECK."""
    table = Table(PURE, decks=4)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.bank("Ann")
    table.bet("Bob", 2)
    order = next(e.order for e in table.deal() if isinstance(e, ev.ShoeShuffled))
    assert len(order) == 192
    assert not any(card.startswith("T") for card in order)


@pytest.mark.parametrize("penetration", [0.1, 0.3, 0.75, 1.0])
def test_the_cut_card_comes_in_its_place_and_the_shoe_ends_with_that_round(
    penetration: float,
) -> None:
    """HB-CUT."""
    table = full(3, decks=2, penetration=penetration)
    cut = dealt = 0
    for _ in range(60):
        events = play(table, 3)
        names = names_of(events)
        for event in events:
            match event:
                case ev.ShoeShuffled():
                    cut, dealt = event.cut, 0
                case ev.CutCardReached():
                    assert dealt == cut
                case ev.CardBurned() | ev.CardDealt():
                    dealt += 1
        if "CutCardReached" in names:
            ended = names.index("RoundEnded")
            assert names.index("CutCardReached") < ended
            assert names[ended + 1 :] == ["ShoeOpened", "ShoeCommitted"]
            assert table.view().shoe.left == 0
        else:
            assert names[-1] == "RoundEnded"
    assert table.state.shoe.number > 2


def test_every_round_has_its_own_shuffle_where_the_rules_say_so() -> None:
    """TW-1."""
    table = Table(TWISTED)
    table.sit("Ann", 1)
    for number in (1, 2, 3):
        table.bet("Ann", 1)
        events = table.deal() + table.finish()
        names = names_of(events)
        assert names.count("ShoeShuffled") == 1
        assert "CutCardReached" not in names
        assert names[-2:] == ["ShoeOpened", "ShoeCommitted"]
        assert next(e.shoe for e in events if isinstance(e, ev.ShoeShuffled)) == number


# ------------------------------------------------------------------ no card lost or doubled


def on_table(here: Round | None) -> list[str]:
    """Counted anew from what lies there: hands, down cards, dealer, middle, cards put aside."""
    if here is None:
        return []
    cards = [*here.dealer.cards, *here.dealer.down, *here.community, *here.gone]
    for box in here.boxes:
        cards += box.down
        for hand in box.hands:
            cards += () if hand.put_away else hand.cards
    return [card for card in cards if card]


def everywhere(state: TableState) -> Counter[str]:
    left = state.shoe.order[state.shoe.dealt :]
    return Counter((*left, *state.discards, *on_table(state.round)))


def check_cards(table: Table) -> int:
    """Shoe, discards and table are the full shoe after every event while a shoe is in use."""
    whole = Counter(table.engine.look.full_shoe)
    checked = 0
    for event, state in steps_of(table):
        if state.shoe.order and not state.shoe.stacked:
            extra = everywhere(state) - whole
            assert everywhere(state) == whole, f"after {event}: {sum(extra.values())} too many"
            checked += 1
    return checked


@pytest.mark.parametrize("game", ALL_GAMES)
def test_no_card_is_lost_or_doubled_in_the_first_shoe(game: str) -> None:
    table = busy(game, 1)
    assert check_cards(table) > 5


@pytest.mark.parametrize("game", ALL_GAMES)
def test_no_card_is_lost_or_doubled_over_many_shoes(game: str) -> None:
    table = busy(game, 60, 5)
    assert check_cards(table) > 500


def crowded(rounds: int, secret: str) -> Table:
    table = full(7, CHANCE, decks=1, penetration=1.0, secret=secret)
    for _ in range(rounds):
        play(table, 7)
    return table


def test_a_shoe_that_runs_out_is_filled_with_the_discards_and_the_round_is_finished() -> None:
    """HB-OUT."""
    seen = 0
    for number in range(4):
        table = crowded(6, f"secret {number}")
        names = names_of(table.events)
        seen += names.count("DiscardsShuffled")
        assert names.count("RoundEnded") == 6
        assert table.state.on_layout == 0
    assert seen > 4


def test_after_the_discards_were_used_the_shoe_ends_with_the_round() -> None:
    """HB-OUT, HB-CUT."""
    table = crowded(6, "secret 1")
    events = table.events
    place = names_of(events).index("DiscardsShuffled")
    rest = names_of(events)[place:]
    assert rest.index("ShoeOpened") == rest.index("RoundEnded") + 1


@pytest.mark.parametrize("number", range(4))
def test_no_card_is_lost_or_doubled_when_discards_come_back(number: int) -> None:
    """HB-OUT."""
    check_cards(crowded(8, f"secret {number}"))


@pytest.mark.parametrize("number", range(4))
def test_only_cards_that_are_not_in_live_hands_come_back(number: int) -> None:
    """HB-OUT: cards of settled hands have been put away, all others stay where they are."""
    table = crowded(8, f"secret {number}")
    whole = Counter(table.engine.look.full_shoe)
    before = NEW_TABLE
    for event, state in steps_of(table):
        if isinstance(event, ev.DiscardsShuffled):
            assert before.round is not None
            live = Counter((*before.round.dealer.cards, *before.round.dealer.down))
            for box in before.round.boxes:
                for hand in box.hands:
                    if not hand.ended or any(stake.settled is None for stake in hand.stakes):
                        live.update(hand.cards)
            assert Counter(event.order) == whole - live
        before = state


def voided() -> Table:
    """A round in which the next card is nowhere: neither in the shoe nor in the discards."""
    table = full(3, "blackjack", decks=1, secret="void")
    for position in (1, 2, 3):
        table.bet("Ann", position, 500)
    table.stack("9s 9h 9d 6c 5s 5h 5d Tc")
    table.deal()
    state = table.session.state
    shoe = replace(state.shoe, stacked=False, order=state.shoe.order[: state.shoe.dealt])
    table.session.state = replace(state, shoe=shoe)
    table.do(cm.Hit(player="Ann", position=1))
    return table


def test_with_no_card_left_anywhere_the_round_is_void_and_what_is_open_goes_back() -> None:
    table = voided()
    events = table.events
    place = names_of(events).index("RoundVoided")
    after = [e for e in events[place:] if isinstance(e, ev.WagerSettled)]
    assert after
    assert all((e.result, e.won, e.collected) == ("returned", 0, 0) for e in after)
    assert "CardDealt" not in names_of(events[place:])
    assert table.state.on_layout == 0
    assert names_of(events).count("RoundEnded") == 1


def test_play_goes_on_after_a_void_round() -> None:
    table = voided()
    for _ in range(3):
        wager(table, 2)
        table.deal()
        table.finish()
    assert table.state.rounds == 4
    assert check_cards(table)


def test_the_seed_of_a_shoe_in_use_is_not_known_from_those_opened() -> None:
    table = busy(TWISTED, 3)
    secret = table.state.secret
    opened = [e.seed for e in table.events if isinstance(e, ev.ShoeOpened)]
    assert opened == [shoe_seed(secret, number) for number in range(1, len(opened) + 1)]
    assert len(set(opened)) == len(opened)
