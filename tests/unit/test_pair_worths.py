"""Splits that advice prices together, and shoes side by side: each is what it is by itself."""

import subprocess
import sys

import numpy as np
import pytest

from chance import numbers
from upcard import GameTables, tables_for
from upcard.solve.advice import warm_up
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import lights_aim
from upcard.solve.one_hand import OneHand
from upcard.solve.side_by_side import LANES
from upcard.solve.solution import Aim
from upcard.solve.split import Mode

CLOSE = 1e-12


def one_by_one(hand: OneHand, aim: Aim, mode: Mode) -> dict[int, float]:
    """Every split by itself, with how its hands end."""
    up, roles = hand.above, hand.pay(aim)
    plans = {plan.node: plan for plan in hand.pairs if up in plan.most_hands}
    scores = hand.play(up, aim, roles, {}).worth if mode == "CDZ-" else None
    return {
        node: hand.price_split(
            plan, up, aim, roles, mode, scores, {}, like=plans.get(plan.like, plan)
        ).worth
        for node, plan in plans.items()
        if node >= 0 and hand.is_possible(plan, up)
    }


def priced_both_ways(tables: GameTables, names: str, up: str, mode: Mode, gone: list[int]) -> None:
    index = tables.alphabet.index
    held = [index(name) for name in names.split()]
    state = tables.hands.after(*held)
    hand = OneHand(tables, held, state, index(up), mode=mode, removed=gone)
    aim = lights_aim(hand, 500)
    together = hand.split_worths(aim, hand.pay(aim))
    assert together
    assert together == pytest.approx(one_by_one(hand, aim, mode), abs=CLOSE, rel=0)


@pytest.mark.parametrize("mode", ["CDP", "CDP+", "CDZ-"])
@pytest.mark.parametrize("up", ["A", "6"])
@pytest.mark.parametrize("names", ["T* T*", "T* T", "8 T*", "8 8"])
def test_splits_together_are_worth_what_each_is_by_itself(names: str, up: str, mode: Mode) -> None:
    priced_both_ways(tables_for("ten-sticks-21", {"decks": "2"}), names, up, mode, [])


@pytest.mark.chance
def test_splits_from_any_shoe() -> None:
    tables = tables_for("ten-sticks-21")
    dice = numbers(5)
    shoe = np.repeat(np.arange(len(tables.alphabet)), tables.alphabet.counts)
    for names in ("T* T*", "T* 2", "2 2"):
        held = [tables.alphabet.index(name) for name in (*names.split(), "9")]
        rest = dice.permutation(shoe).tolist()
        for symbol in held:
            rest.remove(symbol)
        priced_both_ways(tables, names, "9", "CDP", rest[: int(dice.integers(200))])


def test_wagers_that_ride_on_the_first_hand_alone() -> None:
    tables = tables_for("blackjack-tie")
    held = [tables.alphabet.index("9")] * 2
    hand = OneHand(tables, held, tables.hands.after(*held), tables.alphabet.index("6"))
    aim = Aim(500, {"tie-18": 1.0})
    assert not hand.alike(hand.pay(aim), hand.above)
    together = hand.split_worths(aim, hand.pay(aim))
    assert together == pytest.approx(one_by_one(hand, aim, "CDP"), abs=CLOSE, rel=0)


def test_shoes_side_by_side_are_played_like_each_by_itself() -> None:
    game = BaseGame(tables_for("pure-spanish-21.5", {"decks": "6"}))
    (plan, *_) = game.pairs
    up, aim = game.tables.alphabet.index("9"), Aim(500)
    pay = game.pay(aim).first[: len(plan.contexts)]
    some = game.whole_shoes(plan, range(5))
    shoes = [some[number % len(some)] for number in range(LANES + 2)]

    def choices(*own: int) -> list[bytes]:
        found = game.choices(
            plan.graph,
            [shoes[number] for number in own],
            plan.contexts,
            up,
            pay,
            aim,
            scores=None,
            twin=plan.twin,
        )
        return [choice.tobytes() for choice in found]

    each = [choices(number)[0] for number in range(len(shoes))]
    assert choices(*range(len(shoes))) == each
    assert choices(0, 1) == each[:2]


@pytest.mark.parametrize("game", ["blackjack", "ten-sticks-21"])
def test_shoes_with_one_card_after_the_other_gone(game: str) -> None:
    tables = tables_for(game)
    held = [tables.alphabet.index("6")] * 2
    hand = OneHand(tables, held, tables.hands.after(*held), tables.alphabet.index("9"))
    plan = next(plan for plan in hand.pairs if plan.pair == held[0])
    met = hand.met_with(plan)
    everyone = np.arange(len(plan.graph))
    found = np.array(met.one_by_one(plan.graph, plan.taken, plan.pair, 4))
    gone = np.array([hand.gone(plan, number, 0) for number in range(4)])
    known = len(met)
    assert (met.beside(plan.graph, everyone, gone) == found).all()
    assert len(met) == known


FIRST_USE = """
import numba.core.dispatcher
from upcard import tables_for
from upcard.solve.advice import advise, warm_up

compiled = []
compile_one = numba.core.dispatcher.Dispatcher.compile
def watched(kernel, signature):
    compiled.append(kernel.py_func.__name__)
    return compile_one(kernel, signature)
numba.core.dispatcher.Dispatcher.compile = watched
tables = tables_for("{game}")
warm_up(tables)
assert "follow" in compiled
compiled.clear()
for hand, up in {hands}:
    advise(tables, hand, up)
assert not compiled, compiled
"""


@pytest.mark.parametrize(
    ("game", "hands"),
    [
        ("blackjack", [("Ts 6d", "9h"), ("As 2d", "Ah"), ("2s 2d", "2h"), ("Ts Td", "6s")]),
        ("ten-sticks-21", [("Ts 6d", "9h"), ("As 2d", "Ah"), ("3s 3d", "2h"), ("Tc Ts", "6s")]),
    ],
)
def test_nothing_is_used_for_the_first_time_after_the_warm_up(
    game: str, hands: list[tuple[str, str]]
) -> None:
    code = FIRST_USE.format(game=game, hands=hands)
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_warm_up_can_be_stopped() -> None:
    asked = []

    def stopped() -> bool:
        asked.append(True)
        return len(asked) > 2

    tables = tables_for("examples/friday-21.toml")  # nobody else has warmed these
    warm_up(tables, stopped)
    assert len(asked) == 3
    warm_up(tables)
    warm_up(tables, stopped)
    assert len(asked) == 3, "once is enough"
