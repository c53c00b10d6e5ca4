"""`upcard target`: which pay gives a wager the edge that somebody wants."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import Game, Json, Settings, Sides, asked_settings, chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.solving import Bet, SplitMode, Splits, identity, plain, progress

if TYPE_CHECKING:
    from upcard.papers.target import Paid, Target


def target(
    game: Game,
    wager: Annotated[
        str, typer.Option("--wager", help="The wager whose edge is wanted, by its id.")
    ],
    edge: Annotated[str, typer.Option("--edge", metavar="PERCENT", help="The edge, such as 5%.")],
    solve: Annotated[
        str,
        typer.Option(
            "--solve",
            metavar="FIGURE",
            help="What is to be found: an event of the wager's pay table, a bonus, natural, win, "
            "or prize.",
        ),
    ],
    settings: Settings = None,
    side: Sides = None,
    bet: Bet = None,
    split_mode: Splits = SplitMode.cdp,
    json: Json = False,
) -> None:
    """Find the pay, the prize or the odds that give a wager an edge, all else as it is.

    The nearest figures that can be paid are priced as `upcard odds` would, one on each side.

    Example: upcard target twisted-21 --wager stud-bonus --edge 5% --solve "Twisted Stud"
    """
    from upcard.papers.target import find_target, parse_edge

    wanted = parse_edge(edge)
    chosen = chosen_settings(game, asked_settings(settings, side))
    with progress() as told:
        found = find_target(
            game, chosen, wager, solve, wanted, bet=bet, mode=split_mode.value, progress=told
        )
    if json:
        print_json(plain(target_data(found)))
    else:
        found.show(console())


def target_data(found: Target) -> dict[str, Any]:
    """A target as plain data."""
    payable = found.payable
    return {
        **identity(found.tables),
        "bet": found.bet,
        "split_mode": found.mode,
        "wager": payable.wager,
        "edge": found.wanted,
        "solved": {
            "name": payable.name,
            "key": payable.path,
            "row": None if payable.row < 0 else payable.row + 1,
            "shoe": None if payable.shoe < 0 else payable.shoe + 1,
            "unit": payable.unit.value,
        },
        "now": _paid(found, found.now),
        "above": _paid(found, found.above),
        "below": _paid(found, found.below),
        "exact": _figure(found.exact),
    }


def _paid(found: Target, paid: Paid) -> dict[str, Any]:
    return {
        "figure": _figure(paid.figure),
        "printed": found.words(paid.figure),
        "edge": paid.edge,
        "fingerprint": paid.fingerprint,
    }


def _figure(figure: Fraction) -> int | float:
    return int(figure) if figure.denominator == 1 else float(figure)
