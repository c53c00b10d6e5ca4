"""`upcard compare`: two games side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import Json, chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.solving import Bet, SplitMode, Splits, identity, plain, progress

if TYPE_CHECKING:
    from upcard.compile.explain import Sentence
    from upcard.papers.comparison import Comparison

_GAME = "A game's id or name, or the path of a game file."
_SET = "Set an option or a reading of the {} game; as often as needed."


def compare(
    one: Annotated[str, typer.Argument(metavar="A", help=_GAME)],
    other: Annotated[str, typer.Argument(metavar="B", help=_GAME)],
    set_a: Annotated[
        list[str] | None,
        typer.Option("--set-a", metavar="NAME=VALUE", help=_SET.format("first")),
    ] = None,
    set_b: Annotated[
        list[str] | None,
        typer.Option("--set-b", metavar="NAME=VALUE", help=_SET.format("second")),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help=_SET.format("one and of the other")),
    ] = None,
    bet: Bet = None,
    split_mode: Splits = SplitMode.cdp,
    json: Json = False,
) -> None:
    """Compare two games: the edge of every wager, and every rule in which they differ.

    Example: upcard compare blackjack blackjack --set-b soft17=hit
    """
    from upcard.compile.tables import tables_for
    from upcard.papers.comparison import compare as compare_games

    both = list(settings or ())
    first = tables_for(one, chosen_settings(one, [*both, *(set_a or ())]))
    second = tables_for(other, chosen_settings(other, [*both, *(set_b or ())]))
    with progress() as told:
        found = compare_games(first, second, bet=bet, mode=split_mode.value, progress=told)
    if json:
        print_json(plain(_data(found)))
    else:
        found.show(console())


def _data(found: Comparison) -> dict[str, Any]:
    one, other = found.evs
    return {
        "one": identity(found.one),
        "other": identity(found.other),
        "bets": found.bets,
        "split_mode": found.mode,
        "wagers": {
            wager: {
                "one": _edge(one.get(wager)),
                "other": _edge(other.get(wager)),
            }
            for wager in found.wagers
        },
        "differences": [
            {
                "section": difference.section,
                "one": _said(difference.one),
                "other": _said(difference.other),
            }
            for difference in found.differences
        ],
        "same": found.same,
    }


def _edge(ev: float | None) -> dict[str, Any] | None:
    return None if ev is None else {"ev": ev, "edge": -ev, "favours_player": ev > 0}


def _said(sentences: Iterable[Sentence]) -> list[dict[str, Any]]:
    return [
        {"words": said.words, "clauses": said.clauses, "keys": said.keys, "rows": said.rows}
        for said in sentences
    ]
