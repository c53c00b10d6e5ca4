"""Advice keeps the shape of splits from hand to hand; here it is held against what keeps none."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest

from chance import numbers
from depth import deep
from upcard import GAME_IDS, GameTables, tables_for
from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.solve import split_shape
from upcard.solve.one_hand import OneHand
from upcard.solve.shaped_shoes import ShapedShoes
from upcard.solve.shoeless import shoeless
from upcard.solve.solution import Aim
from upcard.solve.split import Mode, removable
from upcard.solve.split_shape import SplitShapes

CLOSE = 1e-12
GAME = "ten-sticks-21"
SETTINGS: tuple[dict[str, str], ...] = (
    {},
    {"decks": "1"},
    {"decks": "2"},
    {"decks": "8", "max_hands": "2"},
    {"max_hands": "3", "two_bonus_cards": "one"},
    {"trade_on_double": "no", "trade_again": "no"},
    {"trade_time": "own-turn", "traded_natural": "twenty-one"},
)
"""Games with trades."""


class Asked(NamedTuple):
    """A hand, an up card, and cards that are gone."""

    held: tuple[int, ...]
    up: int
    gone: tuple[int, ...]
    aim: Aim
    mode: Mode


def asked(tables: GameTables, dice: np.random.Generator, left: int | None = None) -> Asked:
    """A random hand, most often with bonus cards or a pair, from a shoe with so many cards left."""
    alphabet = tables.alphabet
    shoe = np.repeat(np.arange(len(alphabet)), alphabet.counts)
    order = dice.permutation(shoe).tolist()
    marked = [symbol for symbol in order if alphabet.symbols[symbol].marked]
    kind = dice.integers(4)
    first = marked[: 2 if kind < 2 else 1]
    if kind == 3:
        first = order[:1] * min(2, int(alphabet.counts[order[0]]))
    for symbol in first:
        order.remove(symbol)
    held = tuple((*first, *order)[:2])
    for symbol in held[len(first) :]:
        order.remove(symbol)
    size = int(dice.integers(30, len(order))) if left is None else left
    aim = Aim(int(dice.choice([500, 2500])), lights=(float(dice.random()) / 2,))
    mode: Mode = "CDP+" if dice.random() < 0.3 else "CDP"
    return Asked(held, order[0], tuple(order[1 : max(1, len(order) - size)]), aim, mode)


def hand_of(tables: GameTables, one: Asked) -> OneHand:
    state = tables.hands.after(*one.held)
    return OneHand(tables, one.held, state, one.up, mode=one.mode, removed=one.gone)


def values(tables: GameTables, one: Asked) -> dict[Action, float] | str:
    """What the actions are worth, or why they are not priced."""
    try:
        return hand_of(tables, one).values(one.aim).actions
    except UpcardError as refused:
        return str(refused)


@pytest.fixture
def unkept(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Has hands keep no shapes inside of its context."""
    with monkeypatch.context() as patched:
        yield patched


def check(tables: GameTables, all_asked: list[Asked], patched: pytest.MonkeyPatch) -> None:
    kept = [values(tables, one) for one in all_asked]
    patched.setattr(OneHand, "_keeps_shapes", False)
    for one, found in zip(all_asked, kept, strict=True):
        plain = values(tables, one)
        if isinstance(plain, str):
            assert found == plain
        else:
            assert found == pytest.approx(plain, abs=CLOSE, rel=0), one


@pytest.mark.chance
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_kept_shapes_give_the_values_of_graphs_made_for_the_shoe(
    settings: dict[str, str], unkept: pytest.MonkeyPatch
) -> None:
    tables = tables_for(GAME, settings)
    dice = numbers(21)
    check(tables, [asked(tables, dice) for _ in range(4)], unkept)


@deep
@pytest.mark.chance
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_many_hands_and_shoes(settings: dict[str, str], unkept: pytest.MonkeyPatch) -> None:
    tables = tables_for(GAME, settings)
    dice = numbers(22)
    check(tables, [asked(tables, dice) for _ in range(60)], unkept)


@pytest.mark.chance
def test_shoes_that_nearly_run_out(unkept: pytest.MonkeyPatch) -> None:
    """Around the size from which on no shape is used."""
    tables = tables_for(GAME, {"decks": "2"})
    dice = numbers(23)
    check(tables, [asked(tables, dice, left) for left in range(28, 60, 3)], unkept)


def test_shapes_are_used_where_trades_make_pairs_and_nowhere_else() -> None:
    tables = tables_for(GAME)
    bonus = tables.alphabet.index("T*")
    up = tables.alphabet.index("9")
    all_pairs = hand_of(tables, Asked((bonus, bonus), up, (), Aim(500), "CDP"))
    assert len(all_pairs.shapes) == 10
    assert not hand_of(tables, Asked((bonus, bonus), up, (), Aim(500), "CDZ-")).shapes
    assert not hand_of(tables, Asked((up, up), up, (), Aim(500), "CDP")).shapes
    few = np.repeat(np.arange(len(tables.alphabet)), tables.alphabet.counts).tolist()
    for symbol in (bonus, bonus, up):
        few.remove(symbol)
    gone = tuple(numbers(1).permutation(few)[55:].tolist())
    assert not hand_of(tables, Asked((bonus, bonus), up, gone, Aim(500), "CDP")).shapes
    for game in GAME_IDS:
        other = tables_for(game)
        if other.carry is None or not other.carry.by_trade:
            two = other.alphabet.index("8")
            pair = hand_of(other, Asked((two, two), two, (), Aim(500), "CDP"))
            assert not pair.shapes, game


@pytest.mark.chance
def test_a_shape_from_one_hand_is_right_for_another() -> None:
    """Whatever was asked before, bit for bit, and by however many threads at once."""
    tables = tables_for(GAME, {"decks": "4"})
    dice = numbers(24)
    several = [asked(tables, dice) for _ in range(10)]
    alone = []
    for one in several:
        shoeless(tables).split_shapes = SplitShapes()
        alone.append(values(tables, one))
    shoeless(tables).split_shapes = SplitShapes()
    with ThreadPoolExecutor(max_workers=4) as pool:
        for numbers_of in (range(10), range(9, -1, -1)):
            found = pool.map(lambda n: (n, values(tables, several[n])), numbers_of)
            for number, got in found:
                assert got == alone[number], several[number]


def test_a_shape_is_given_up_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tables_for(GAME, {"decks": "2"})
    bonus = tables.alphabet.index("T*")
    one = Asked((bonus, bonus), 5, (), Aim(500), "CDP")
    before = values(tables, one)
    monkeypatch.setattr(split_shape, "MOST_NODES", 9000)
    shapes = shoeless(tables).split_shapes = SplitShapes()
    assert values(tables, one) == before
    assert 0 < shapes.nodes <= 9000


@pytest.mark.chance
@pytest.mark.parametrize("up", ["A", "2", "7", "T"])
def test_chances_are_those_of_the_dealer_with_each_shoe(up: str) -> None:
    tables = tables_for(GAME)
    index = tables.alphabet.index
    dice = numbers(25)
    rest = np.repeat(np.arange(len(tables.alphabet)), tables.alphabet.counts).tolist()
    for symbol in (index("T*"), index("T*"), index(up)):
        rest.remove(symbol)
    gone = tuple(dice.permutation(rest)[:150].tolist())
    hand = hand_of(tables, Asked((index("T*"),) * 2, index(up), gone, Aim(500), "CDP"))
    for plan in hand.pairs:
        met = hand.met_with(plan)
        assert isinstance(met, ShapedShoes)
        most = removable(plan.most_hands[hand.above])
        for cards in ((0, 0), (most, 0), (most, plan.most_marked)):
            away = hand.gone(plan, *cards)
            nodes = dice.choice(len(plan.graph), 20)
            left = (hand.counts - away - plan.graph.taken[nodes]).astype(np.float64)
            left[:, hand.above] -= 1
            nodes, left = nodes[(left >= 0).all(axis=1)], left[(left >= 0).all(axis=1)]
            left[:, hand.above] += 1
            group = hand.dealer.group_of[hand.above]
            exact = hand.dealer.chances(left, step=1.0, ups=(group,))[0]
            (own,) = met.beside(plan.graph, nodes, away[None])
            assert met.chances(hand.above)[own] == pytest.approx(exact, abs=CLOSE, rel=0)
