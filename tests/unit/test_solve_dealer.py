"""The dealer's chances against plain recursion in fractions."""

from fractions import Fraction

import numpy as np
import pytest

from chance import numbers
from upcard import GAME_IDS, GameTables, tables_for
from upcard.solve.dealer import DealerChances
from upcard.solve.parted_shoes import PartedShoes
from upcard.solve.shoe_keys import ShoeKeys


def slowly(tables: GameTables, shoe: list[int], shown: int) -> dict[int, Fraction]:
    """The dealer's final classes given what is shown and, where it is made, an empty check."""
    dealer = tables.dealer
    up, down = int(dealer.shown.up[shown]), dealer.shown.down[shown]
    out = ~down | (dealer.natural[up] & dealer.checks[up])
    found: dict[int, Fraction] = {}

    def draw(state: int, left: list[int], chance: Fraction, hole: bool) -> None:
        if not dealer.draws[state]:
            final = int(dealer.final_class[state])
            found[final] = found.get(final, Fraction(0)) + chance
            return
        for symbol, count in enumerate(left):
            if count and not (hole and out[symbol]):
                rest = [n - (s == symbol) for s, n in enumerate(left)]
                likely = chance * Fraction(count, sum(left))
                draw(int(dealer.next[state, symbol]), rest, likely, hole=False)

    left = [n - (s == up) for s, n in enumerate(shoe)]
    draw(int(dealer.next[dealer.start, up]), left, Fraction(1), hole=True)
    whole = sum(Fraction(n, sum(left)) for s, n in enumerate(left) if not out[s])
    return {final: chance / whole for final, chance in found.items()}


@pytest.mark.chance
@pytest.mark.parametrize("game", GAME_IDS)
def test_random_shoes(game: str) -> None:
    tables = tables_for(game)
    drawn = numbers(21)
    dealer = DealerChances(tables.dealer)
    for _ in range(3):
        shoe = drawn.integers(0, 4, len(tables.alphabet))
        shoe[-1] += 8
        fast = dealer.chances(shoe[None].astype(np.float64), step=1.0)
        for up in (2, 6, len(shoe) - 1, len(tables.dealer.shown) - 2):
            if tables.dealer.shown.chances(shoe)[up] == 0:
                continue
            slow = slowly(tables, shoe.tolist(), up)
            row = fast[dealer.kind_of[up], 0]
            assert row.tolist() == pytest.approx(
                [float(slow.get(final, 0)) for final in range(len(row))], abs=1e-13
            )


def test_shoe_that_runs_out() -> None:
    """Where the dealer may need a card that is not there, the chances add up to less than one."""
    tables = tables_for("blackjack")
    dealer = DealerChances(tables.dealer)
    shoe = np.zeros((1, 10))
    shoe[0, [1, 9]] = 3, 1
    assert dealer.chances(shoe, step=1.0)[1, 0].sum() < 0.5


def test_bonus_cards_are_tens_to_the_dealer() -> None:
    tables = tables_for("ten-sticks-21")
    dealer = DealerChances(tables.dealer)
    index = tables.alphabet.index
    assert dealer.group_of[index("T*")] == dealer.group_of[index("T")]
    assert dealer.size == 10


@pytest.mark.chance
@pytest.mark.parametrize("game", GAME_IDS)
def test_parts_of_shoes_give_what_whole_shoes_do(game: str) -> None:
    tables = tables_for(game)
    drawn = numbers(22)
    dealer = DealerChances(tables.dealer)
    full = np.array(tables.alphabet.counts, dtype=np.int64)
    most = np.minimum(full, 5)
    for up in range(len(tables.dealer.shown)):
        keys = ShoeKeys(dealer, full, np.zeros_like(full), most, step=1.0, up=up)
        group = dealer.kind_of[up]
        if not dealer.takes_apart(group):
            continue
        gone = drawn.integers(0, most + 1, size=(300, len(full)))
        packed = gone @ keys.by_symbol - keys.least
        parted = PartedShoes(keys)
        found = np.zeros((len(gone), dealer.classes))
        for part in np.array_split(np.arange(len(gone)), 3):
            own = np.zeros((len(part), dealer.classes))
            assert parted.fill_chances(packed[part], own)
            found[part] = own
            again = np.zeros_like(own)
            assert parted.fill_chances(packed[part], again)
            assert (again == own).all()
            parted.forget_small_cards()
        parted.give_room_back()
        (whole,) = dealer.chances((full - gone).astype(np.float64), step=1.0, ups=(group,))
        assert np.abs(found - whole).max() < 1e-14


def test_parts_of_shoes_are_not_for_shoes_that_may_run_out() -> None:
    tables = tables_for("blackjack")
    dealer = DealerChances(tables.dealer)
    few = np.ones(len(tables.alphabet.counts), dtype=np.int64)
    keys = ShoeKeys(dealer, few, np.zeros_like(few), few, step=1.0, up=5)
    found = np.zeros((1, dealer.classes))
    assert not PartedShoes(keys).fill_chances(np.zeros(1, dtype=np.int64), found)
    assert not found.any()
