"""Wagers on how both hands have ended: solver, simulator, live table and plain reckoning.

What a row asks is reckoned here once more, from the cards alone and without the program's classes.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

import chance
import upcard
from conftest import compiled
from depth import deep
from differential.test_side_wagers_alike import BOTH, played_live
from oracle import engine_search
from upcard.cards import DECK
from upcard.compile.tables import GameTables
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim

WAGER = "both-hands"
CLOSE = 1e-12
BET = 1000


# ------------------------------------------------------------------ the rows, once more


class Final(NamedTuple):
    cards: int
    total: int
    natural: bool
    bust: bool

    @property
    def rank(self) -> tuple[bool, int]:
        return self.natural, self.total


def final(cards: list[str], *, split: bool = False) -> Final:
    values = [1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in cards]
    total = sum(values)
    if 1 in values and total <= 11:
        total += 10
    natural = len(cards) == 2 and total == 21 and not split
    return Final(len(cards), total, natural, total > 21)


def net(table: str, own: Final, dealer: Final) -> Fraction:
    """What a unit wins by the rows of `both_hands.toml`."""
    stand = not own.bust and not dealer.bust
    higher, equal = stand and own.rank > dealer.rank, stand and own.rank == dealer.rank
    lower = stand and own.rank < dealer.rank
    if own.bust and dealer.bust:
        return Fraction(20)
    if table == "usual":
        drawn = not own.natural and not dealer.natural
        if stand and drawn and own.cards >= 5 and own.total == dealer.total == 21:
            return Fraction(100)
        if equal and own.total == 20:
            return Fraction(8)
        if own.natural and higher:
            return Fraction(2)
        if higher and own.cards == dealer.cards == 3:
            return Fraction(3, 2)
        if not dealer.bust and dealer.total == 17 and dealer.cards == 4:
            return Fraction(3)
    else:
        if own.total >= 20 and lower:
            return Fraction(10)
        if own.total in (18, 19) and higher:
            return Fraction(4)
        if own.bust and not dealer.bust and 17 <= dealer.total <= 19:
            return Fraction(1, 2)
    return Fraction(0) if equal else Fraction(-1)


# ------------------------------------------------------------------ live table


@pytest.mark.chance
@pytest.mark.parametrize("settings", [{}, {"peek": "none"}, {"charlie": "5"}], ids=str)
@pytest.mark.parametrize("table", ["usual", "plain"])
def test_the_live_table_pays_the_rows(table: str, settings: dict[str, str]) -> None:
    """SW-2, SW-3, SW-8: decisions at random, of split hands the first one counts."""
    dice = chance.dice(f"{table} {settings}")
    tables = upcard.tables_for("blackjack", settings, sides=[f"{BOTH}={table}"])
    paid: Counter[Fraction] = Counter()
    for _ in range(300):
        cards = [str(card) for card in DECK] * 2
        dice.shuffle(cards)
        state = played_live(tables, WAGER, cards[:60], dice)
        here = state.round
        assert here is not None
        box = here.boxes[0]
        (bet,) = box.sides[-1:]
        assert bet.settled is not None
        got = Fraction(bet.settled.won - bet.settled.collected, bet.amount)
        hand = box.hands[0]
        if hand.ended == "surrendered":
            assert got == -1
            continue
        dealer = final([*here.dealer.cards, *filter(None, here.dealer.down)])
        own = final(list(hand.cards), split=len(box.hands) > 1)
        if here.dealer.result != "not needed" or not own.bust:
            assert got == net(table, own, dealer), (box, here.dealer)
        paid[got] += 1
    assert len(paid) > 3


# ------------------------------------------------------------------ solver


def side_tables(table: str, **settings: str) -> GameTables:
    return upcard.tables_for("blackjack", settings, sides=[f"{BOTH}={table}"])


@pytest.mark.parametrize(
    ("table", "settings", "deck"),
    [
        ("plain", {}, "As Ts Td Th 9s 8s 5s 5d"),
        ("usual", {"surrender": "none"}, "As Ad 6s 6d Ts Td 5s 9s"),
        ("usual", {"charlie": "5", "peek": "none"}, "As Ts Td 9s 9d 6s 6d 5s 5d"),
        pytest.param("plain", {"peek": "none"}, "As Ts Td 9s 9d 6s 6d 5s", marks=deep),
        pytest.param("usual", {"dealer_22": "push"}, "Ts Td 6s 6d 7s 7d As 9s", marks=deep),
    ],
    ids=str,
)
def test_best_play_of_every_order(table: str, settings: dict[str, str], deck: str) -> None:
    """A stake of main wager and side wager: the engine itself, in fractions, never splitting."""
    tables = side_tables(table, **settings)
    exact = engine_search.search(tables, deck.split(), BET, {WAGER: 200})
    counts = [0] * len(tables.alphabet)
    for card in deck.split():
        counts[next(s for s in range(len(counts)) if card[0] in _ranks(tables, s))] += 1
    aim = Aim(bet=BET, extra={WAGER: 0.2})
    found = BaseGame(tables, counts=counts).solve(aim, mode="none")
    assert found.ev == pytest.approx(float(exact), abs=CLOSE)


def _ranks(tables: GameTables, symbol: int) -> str:
    return "".join(tables.alphabet.symbols[symbol].ranks)


@pytest.mark.parametrize("table", ["usual", "plain"])
def test_the_price_is_what_rounds_come_to(table: str) -> None:
    game = upcard.game("blackjack", sides=[f"{BOTH}={table}"])
    found = game.simulate(rounds=3_000_000, seed=5).wagers[WAGER]
    assert found.z is not None
    assert abs(found.z) < 4.5
    priced = game.odds().wagers[WAGER]
    assert sum(row.probability for row in priced.returns) == pytest.approx(1)
    assert {row.event for row in priced.returns} >= {"both over", "tie", "loses"}


def test_other_wagers_are_worth_what_they_were() -> None:
    """Classes are told apart for such a wager: nothing else may change by it."""
    alone = upcard.game("blackjack-tie", charlie=5).odds()
    beside = upcard.game("blackjack-tie", charlie=5, sides=[f"{BOTH}=usual"]).odds()
    for wager, odds in alone.wagers.items():
        assert beside.wagers[wager].ev == pytest.approx(odds.ev, abs=1e-13)
        # The main wager's deviation is partly that of random rounds, and says so.
        assert beside.wagers[wager].sd == pytest.approx(odds.sd, abs=1e-9 + 4 * odds.error)


def test_a_charlie_has_a_total_for_a_row_and_still_ties_nothing() -> None:
    """SR-50: where a charlie ties nothing, that another wager asks for totals changes nothing."""
    settings = {"charlie": "5", "charlie_tie": "none"}
    alone = compiled("blackjack-tie", **settings).payoffs["tie-20"]
    assert max(max(row) for row in alone.odds) > 0
    tables = upcard.tables_for("blackjack-tie", settings, sides=[f"{BOTH}=plain"])
    charlies = [n for n, one in enumerate(tables.player_classes) if one.kind == "charlie"]
    assert len(charlies) > 1
    assert all(odds < 0 for n in charlies for odds in tables.payoffs["tie-20"].odds[n])
    assert any(odds > 0 for n in charlies for odds in tables.payoffs[WAGER].odds[n])


def test_a_natural_has_two_cards_on_both_sides(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(
        'id = "two"\nname = "Two"\nsource = "Ours"\ncards = "final-hands"\nsettled = "dealer"\n'
        '[tables.usual]\nrows = [{ event = "two and two", pays = 5, when = { cards = 2, '
        "total = 21, dealers_final = { cards = 2, total = 21 } } }]\n"
    )
    tables = upcard.tables_for("blackjack", sides=[str(file)])
    payoff = tables.payoffs["two"]
    paid = {
        (player.name, tables.dealer.classes[column].name)
        for row, player in enumerate(tables.player_classes)
        for column in range(len(tables.dealer.classes))
        if payoff.odds[row][column] > 0
    }
    # An ace and a ten on a split hand are 21 of two cards, and no natural.
    assert paid == {("natural", "natural"), ("21, 2 cards", "natural")}
