"""The laboratory of the shuffles: its own numbers are right, so what it says of shuffles counts."""

from __future__ import annotations

import doctest
from itertools import islice, permutations

import bench_shuffle
import numpy as np
import pytest
import shuffle_chances
import shuffle_lab
from bench_shuffle import Found, is_sound
from shuffle_chances import Tally, pair_moments, uniformity
from shuffle_lab import DECK, SHOE, SOURCES, lehmer, live_orders, ranked, simulator_orders

from upcard.table.shoe import secret_from, shoe_seed, shuffled


@pytest.mark.parametrize("module", [shuffle_lab, shuffle_chances])
def test_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


@pytest.mark.parametrize("cards", [DECK, SHOE])
def test_many_live_shuffles_are_the_real_ones(cards: int) -> None:
    orders = next(live_orders("lab", cards))
    secret = secret_from("lab")
    for row in (0, 7, 511):
        real = shuffled([str(card) for card in range(cards)], shoe_seed(secret, row + 1))
        assert [str(card) for card in orders[row]] == list(real)


def test_ranks_number_all_permutations() -> None:
    """Lehmer digits as one number are a permutation's place among all, in the usual order."""
    orders = np.array(list(permutations(range(5))), np.uint16)
    digits = lehmer(orders)
    ranks = [0] * len(orders)
    for place in range(5):
        ranks = [
            rank * (5 - place) + int(d) for rank, d in zip(ranks, digits[:, place], strict=True)
        ]
    assert ranks == list(range(120))


@pytest.mark.parametrize("cards", [DECK, SHOE])
def test_bytes_of_ranks_are_even(cards: int) -> None:
    data = b"".join(islice(ranked(simulator_orders("even", cards), cards), 20))
    counts = np.bincount(np.frombuffer(data, np.uint8), minlength=256)
    expected = len(data) / 256
    found = float(((counts - expected) ** 2 / expected).sum())
    assert 1e-4 < shuffle_chances.chi_square(found, 255) < 1 - 1e-4
    high = np.frombuffer(data, np.uint32).max()
    assert high > 2**32 * 0.999, "every word can come"


@pytest.mark.parametrize("cards", [DECK, SHOE])
def test_moments_of_adjacent_pairs_are_those_of_shuffles(cards: int) -> None:
    """The mean and the variance that the test of pairs goes by, against 20,000 real shuffles."""
    copies = cards // DECK
    own = []
    for orders in islice(simulator_orders("moments", cards), 40):
        for row in orders:
            tally = Tally(cards)
            tally.add(row[None])
            expected = np.full((DECK, DECK), copies**2 / cards)
            np.fill_diagonal(expected, copies * (copies - 1) / cards)
            own.append(float(((tally.pairs - expected) ** 2).sum()))
        if cards == SHOE and len(own) > 2000:
            break
    mean, _ = pair_moments(cards, copies)
    error = np.std(own) / np.sqrt(len(own))
    assert abs(np.mean(own) - mean) < 5 * error + 1e-9


def test_p_values_of_sound_shuffles_are_even() -> None:
    """400 tests of 512 shuffles each: not one kind of test leans to a side."""
    by_test: dict[str, list[float]] = {}
    for orders in islice(simulator_orders("calibration", DECK), 100):
        tally = Tally(DECK)
        tally.add(orders)
        for name, p in tally.tests():
            by_test.setdefault(name, []).append(p)
    del by_test["first two cards"]  # a fifth of a shuffle in a cell is too few for a chi-square
    assert [name for name, values in by_test.items() if uniformity(values) < 1e-3] == []


@pytest.mark.parametrize("name", ["any-place", "remainder"])
def test_planted_faults_are_found(name: str) -> None:
    assert SOURCES[name].planted
    found = bench_shuffle.counted(name, 100_000, "planted")
    assert not is_sound(found)


def test_sound_shuffles_pass() -> None:
    assert is_sound(bench_shuffle.counted("simulator-deck", 100_000, "sound"))


def test_the_judgement_sees_one_bad_value_and_many_dull_ones() -> None:
    even = [Found("t", ((n + 0.5) / 40,)) for n in range(40)]
    assert is_sound(even)
    assert not is_sound([*even, Found("bad", (1e-6,))])
    assert not is_sound([*even, Found("too good", (1 - 1e-7,))])
    assert not is_sound([Found("dull", (0.5 + n / 1000,)) for n in range(40)])
