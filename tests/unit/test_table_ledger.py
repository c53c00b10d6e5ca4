"""The ledger: every cent is somewhere after every event, and nowhere it should not be."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from unit.test_table_play import ALL_GAMES, PURE, STICKS, Table, busy, steps_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.ledger import (
    BANK,
    CASHIER,
    FEES,
    HOUSE,
    LAYOUT,
    PRIZES,
    Ledger,
    Posting,
    account,
)
from upcard.table.postings import postings

ANN = account("Ann")


@pytest.mark.chance
@pytest.mark.parametrize("game", ALL_GAMES)
def test_the_sum_is_zero_after_every_event(game: str) -> None:
    for event, state in steps_of(busy(game, 60, 2)):
        assert state.ledger.total == 0, event


@pytest.mark.parametrize("game", ALL_GAMES)
def test_layout_and_bank_are_empty_between_rounds(game: str) -> None:
    for event, state in steps_of(busy(game, 60, 2)):
        if isinstance(event, ev.RoundEnded):
            assert state.ledger.balance(LAYOUT) == 0
            assert state.ledger.balance(BANK) == 0


@pytest.mark.parametrize("game", ALL_GAMES)
def test_nobody_has_less_than_nothing(game: str) -> None:
    for event, state in steps_of(busy(game, 60, 2)):
        for owner, amount in state.ledger.balances:
            if owner.startswith("player ") or owner in (LAYOUT, BANK, FEES):
                assert amount >= 0, f"{owner} has {amount} after {event}"


@pytest.mark.parametrize("game", ALL_GAMES)
def test_at_the_end_all_chips_are_cashed_and_the_house_has_what_the_players_lost(game: str) -> None:
    table = busy(game, 60, 2)
    ledger = table.state.ledger
    for name in ("Ann", "Bob", "Cy", "Dee"):
        assert ledger.balance(account(name)) == 0
    kept = sum(ledger.balance(owner) for owner in (HOUSE, FEES, PRIZES))
    assert ledger.balance(CASHIER) == -kept
    bought = sum(e.amount for e in table.events if isinstance(e, ev.ChipsBought))
    cashed = sum(e.amount for e in table.events if isinstance(e, ev.ChipsCashed))
    assert bought - cashed == kept


def test_the_house_has_no_interest_in_a_game_that_players_bank() -> None:
    """PS-T3, PS-D8: nothing but the fees."""
    for _, state in steps_of(busy(PURE, 60, 2)):
        assert state.ledger.balance(HOUSE) == 0
        assert state.ledger.balance(PRIZES) == 0


@pytest.mark.parametrize("game", ALL_GAMES)
def test_only_events_with_postings_move_money(game: str) -> None:
    before = Ledger()
    for event, state in steps_of(busy(game)):
        moved = postings(event)
        assert state.ledger == before.after(moved)
        assert all(part.amount >= 0 for part in moved)
        before = state.ledger


def wagers(moved: int) -> ev.WagersPlaced:
    return ev.WagersPlaced(player="Ann", position=1, wagers=(("base", 500),), moved=moved)


def settled(**changes: object) -> ev.WagerSettled:
    known = ev.WagerSettled(position=1, player="Ann", wager="base", staked=1000, result="push")
    return replace(known, **changes)


MOVES: list[tuple[ev.Event, list[tuple[str, str, int]]]] = [
    (ev.ChipsBought(player="Ann", amount=500), [(CASHIER, ANN, 500)]),
    (ev.ChipsCashed(player="Ann", amount=500), [(ANN, CASHIER, 500)]),
    (ev.BankTaken(player="Ann", seat=1, amount=500, turn=1), [(ANN, BANK, 500)]),
    (ev.BankReturned(player="Ann", amount=400, net=-100), [(BANK, ANN, 400)]),
    (wagers(500), [(ANN, LAYOUT, 500)]),
    (wagers(-300), [(LAYOUT, ANN, 300)]),
    (ev.FeeCollected(player="Ann", position=0, amount=50), [(ANN, FEES, 50)]),
    (ev.InsuranceTaken(player="Ann", position=1, amount=250), [(ANN, LAYOUT, 250)]),
    (ev.PrizeWon(player="Ann", position=1, amount=5000), [(PRIZES, ANN, 5000)]),
    (
        ev.HandDoubled(
            position=1, hand=0, added=(ev.Added("Ann", 500), ev.Added("Dee", 300)), times=1
        ),
        [(ANN, LAYOUT, 500), (account("Dee"), LAYOUT, 300)],
    ),
    (ev.HandSplit(position=1, hand=0, added=(ev.Added("Ann", 500),)), [(ANN, LAYOUT, 500)]),
    (settled(result="won", won=1500), [(LAYOUT, ANN, 1000), (HOUSE, ANN, 1500)]),
    (settled(result="lost", collected=1000), [(LAYOUT, HOUSE, 1000)]),
    (settled(result="push"), [(LAYOUT, ANN, 1000)]),
    (
        settled(result="surrendered", collected=500),
        [(LAYOUT, HOUSE, 500), (LAYOUT, ANN, 500)],
    ),
    (settled(result="tied", collected=100), [(LAYOUT, HOUSE, 100), (LAYOUT, ANN, 900)]),
    (
        settled(result="won", won=700, uncovered=300, banked=True),
        [(LAYOUT, ANN, 1000), (BANK, ANN, 700)],
    ),
    (
        settled(result="lost", collected=600, uncovered=400, banked=True),
        [(LAYOUT, BANK, 600), (LAYOUT, ANN, 400)],
    ),
]


@pytest.mark.parametrize(("event", "moves"), MOVES, ids=lambda part: type(part).__name__)
def test_every_money_event_has_its_postings(
    event: ev.Event, moves: list[tuple[str, str, int]]
) -> None:
    assert [tuple(part) for part in postings(event) if part.amount] == moves


def test_all_money_events_are_listed() -> None:
    moving = {type(event) for event, _ in MOVES}
    seen = {
        type(event)
        for game in (PURE, STICKS, "blackjack")
        for event in busy(game).events
        if postings(event)
    }
    assert seen <= moving


def test_a_posting_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="-5 cents"):
        Ledger().after([Posting(CASHIER, ANN, -5)])


def test_taking_wagers_back_moves_exactly_what_was_there() -> None:
    table = Table()
    table.sit("Ann", 1, 10_000)
    for base in (5000, 500, 10_000, 700):
        table.bet("Ann", 1, base)
        assert table.state.ledger.balance(LAYOUT) == base
        assert table.state.chips("Ann") == 10_000 - base
    table.do(cm.PlaceWagers(player="Ann", position=1, wagers={}))
    assert table.state.chips("Ann") == 10_000


def test_a_prize_comes_out_of_the_prize_fund_and_not_out_of_the_bank_of_the_house() -> None:
    table = Table(STICKS, lights=(ev.Lights("Ann", 1, 9),), prize=12_300)
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Tc 9h 5s Td 6h")
    table.deal()
    table.answer("trade")
    assert table.state.ledger.balance(PRIZES) == -12_300
    assert table.state.ledger.balance(HOUSE) == 0
