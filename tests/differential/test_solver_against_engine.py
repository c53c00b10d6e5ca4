"""Exact values against slow rounds through the live table's engine.

Nothing is shared but the rules: the solver works with chances, the engine deals cards and pays
chips. Seeds are fixed, so a change passes or fails by itself, not by luck.
"""

from dataclasses import replace
from functools import cache

import pytest

from depth import deep
from differential.engine_rounds import (
    CASES,
    LIGHTS,
    MEAN,
    VARIANTS,
    Case,
    Expected,
    Line,
    Sample,
    Tally,
    by_up,
    compare,
    exact,
    hits_z,
    share,
    simulate,
    tables_of,
)
from upcard import GAME_IDS
from upcard.table.plain_tables import BASE, INSURANCE

ROUNDS, MANY = 2_000, 6_000
"""For every game, shared by its cases, and for the one whose figures are made wrong below.

bench/bench_proof.py plays as many as one likes; here it is enough to see that the engine plays the
game that was solved. With the same settings the kernel plays what the engine plays, card by card
(`test_simulator_against_engine`), and millions of its rounds come to the exact values (`test_trial`
and `test_envs`).
"""
SEED = "proof"
FAR = 4.5
"""Standard errors that chance does not explain: of 150,000 numbers one is so far off."""

BLACKJACK = next(case for case in CASES if case.game == "blackjack")
CHANCE = next(case for case in CASES if case.game == "games-of-chance-blackjack")


@cache
def played(case: Case) -> Tally:
    if case == BLACKJACK:
        return simulate(case, MANY, SEED)
    return simulate(case, share(case, ROUNDS if case in CASES else ROUNDS // 2), SEED)


def far_off(case: Case, wagers: dict[str, Expected] | None = None) -> list[Line]:
    """What differs by more than chance."""
    lines = compare(case, wagers or exact(case).wagers, played(case))
    return [line for line in lines if abs(line.z) >= FAR]


@pytest.mark.parametrize(
    "case",
    [*CASES, *(pytest.param(case, marks=deep) for case in VARIANTS)],
    ids=lambda case: case.name.replace(" ", "-"),
)
def test_exact_is_what_the_table_pays(case: Case) -> None:
    bad = far_off(case)
    assert not bad, "\n".join(["exact, simulated, error, z:", *map(str, bad)])
    tables, tally = tables_of(case), played(case)
    if tables.carry is not None:
        lit = round(tally.samples[LIGHTS].total)
        assert tally.prizes == lit // len(tables.carry.next) > 0
    if INSURANCE in tables.payoffs:
        ace = by_up(tables, tables.alphabet.index("A"))
        assert tally.samples[INSURANCE].count == tally.samples[ace].count


def test_every_wager_of_every_game_is_compared() -> None:
    # Two boxes that exchange cards are compared in `test_two_boxes_at_the_table` and `test_trial`.
    assert {case.game for case in CASES} == set(GAME_IDS) - {"blackjack-switch"}
    for case in CASES:
        tables = tables_of(case)
        offered = {*tables.payoffs, *tables.observers}
        assert offered == {*case.wagers} | ({INSURANCE} & {*tables.payoffs})
        assert offered <= {*exact(case).wagers}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_a_wrong_mean_is_noticed(case: Case) -> None:
    """Every wager's value may be wrong by a few standard errors of so many rounds, not by more."""
    wagers = exact(case).wagers
    lines = compare(case, wagers, played(case))
    errors = {line.wager: line.error for line in lines if line.what == MEAN}
    for wager, expected in wagers.items():
        if wager not in errors:  # shown too rarely for an error of its own
            assert tables_of(case).dealer.shown.face_up
            continue
        for side in (-1, 1):
            wrong = replace(expected, mean=expected.mean + side * 10 * errors[wager])
            assert [line.wager for line in far_off(case, {wager: wrong})] == [wager]


def test_a_wrong_chance_is_noticed() -> None:
    rows = dict(exact(BLACKJACK).wagers[BASE].rows)
    rows["+1.5"] += 0.04
    rows["-1"] -= 0.04
    wrong = replace(exact(BLACKJACK).wagers[BASE], rows=rows)
    assert {line.what for line in far_off(BLACKJACK, {BASE: wrong})} == {"+1.5", "-1"}


def test_other_rules_are_noticed() -> None:
    short = Case("blackjack", BLACKJACK.bet, settings=(("natural", "6:5"),))
    found = far_off(BLACKJACK, {BASE: exact(short).wagers[BASE]})
    assert {"+1.2", "all others"} <= {line.what for line in found}
    dearer = next(case for case in CASES if case.game == CHANCE.game and case != CHANCE)
    assert MEAN not in {line.what for line in far_off(CHANCE)}
    assert far_off(CHANCE, {BASE: exact(dearer).wagers[BASE]})


def test_a_wager_that_is_never_played_is_noticed() -> None:
    assert [line.wager for line in far_off(BLACKJACK, {"none": Expected(0.0, 1.0)})] == ["none"]


@pytest.mark.parametrize(
    ("chance", "count", "hits", "z"),
    [
        (0.5, 10_000, 5_100, 2.0),
        (0.01, 10_000, 100, 0.0),
        (0.0, 100, 0, 0.0),
        (0.0, 100, 1, float("inf")),
        (1.0, 100, 99, -float("inf")),
        (0.001, 1_000, 1, 0.13),
        (0.001, 1_000, 9, 4.8),
        (0.999, 1_000, 991, -4.8),
    ],
)
def test_how_far_a_number_of_hits_is_off(chance: float, count: int, hits: int, z: float) -> None:
    assert hits_z(chance, count, hits) == pytest.approx(z, abs=0.15)


def test_samples_add_up() -> None:
    one, two = Tally(), Tally(prizes=2)
    one.add(BASE, 1.0, "+1")
    two.add(BASE, -1.0, "-1")
    two.add(INSURANCE, 2.0, "+2")
    both = one + two
    assert both.prizes == 2
    assert both.samples[BASE].rows == {"+1": 1, "-1": 1}
    assert (both.samples[BASE].mean, both.samples[BASE].sd) == (0.0, 1.0)
    assert both.samples[INSURANCE] == Sample(1, 2.0, 4.0, both.samples[INSURANCE].rows)
