"""Exact values and worked-out rounds from the rules alone, against the live table.

Nothing here comes from compiled tables but what is compared: see `oracle/exact_play.py`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from conftest import compiled
from depth import deep
from oracle.engine_search import SPLITS, SuitedTable, best_play, search
from oracle.exact_play import optimum
from oracle.exact_values import Case, load
from oracle.plain_round import TWO_BOXES
from oracle.test_exact_play import named as case_name
from oracle.test_tricky_rounds import ROUNDS, named, situation
from upcard import GAME_IDS
from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.table.situation import Situation, play_situation

BET = 1000
UNSPLIT = ("split",)
NO_HOLE_CARD = {"peek": "none", "late_natural_takes": "all", "surrender": "none"}


def kings(words: str, number: int) -> list[str]:
    return [*words.split(), *["Ks"] * number]


def test_the_house_game_with_a_hole_card() -> None:
    cards = kings("5s 6s As 7s", 5)
    exact = optimum("blackjack", {}, cards, UNSPLIT)
    assert exact == search(compiled("blackjack"), cards, BET)


def test_european_blackjack_is_the_house_game_without_a_hole_card() -> None:
    cards = kings("5s 6s As 7s", 5)
    exact = optimum("european-blackjack", {}, cards, UNSPLIT)
    assert exact == search(compiled("blackjack", **NO_HOLE_CARD), cards, BET)


SHIPPED = [
    pytest.param(case, id=case_name(case), marks=deep if case.deep else ())
    for case in load()
    if case.game in GAME_IDS and case.never == UNSPLIT and case.game not in TWO_BOXES
    if not (case.game == "pontoon" and "late_natural_takes" in case.set)  # PO-OBBO is no option
]


@pytest.mark.parametrize("case", SHIPPED)
def test_the_live_table_played_best(case: Case) -> None:
    """By a player who sees suits too, which bonuses go by: so does the oracle's."""
    tables = compiled(case.game, **case.set)
    table = SuitedTable(tables, case.cards(), BET, drops=(*SPLITS, Action.INSURE))
    table.sees = True
    assert best_play(table) == case.worth


@pytest.mark.parametrize("row", [row for row in ROUNDS if row["game"] in GAME_IDS], ids=named)
def test_the_live_table_settles_rounds_as_worked_out(row: dict[str, Any]) -> None:
    if row["game"] in TWO_BOXES:
        assert set(_two_boxes(row)) == {row["net"]}
        return
    played = play_situation(msgspec.convert(situation(row), Situation)).report()
    assert played["seats"]["1"]["net"] == row["net"]


def _two_boxes(row: dict[str, Any]) -> Iterator[int]:
    """What both boxes come to, however the actions can be those of one and then of the other."""
    actions = ["decline" if action == "keep" else action for action in row["actions"]]
    for cut in range(len(actions) + 1):
        script = situation(row)
        (one,) = script["seats"]
        script["seats"] = [
            {**one, "seat": seat, "player": "Ann", "actions": own}
            for seat, own in ((1, actions[:cut]), (2, actions[cut:]))
        ]
        with contextlib.suppress(UpcardError):
            seats = play_situation(msgspec.convert(script, Situation)).report()["seats"]
            yield seats["1"]["net"] + seats["2"]["net"]
