"""`upcard finding`: what a rule sheet gives away, and the pay that would mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import Game, Json, Settings, Sides, asked_settings, chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.solving import Bet, SplitMode, Splits, identity, plain, progress
from upcard.cli.target import target_data
from upcard.cli.writing import PAPERS, Output, check_output, say_written, write_paper

if TYPE_CHECKING:
    from upcard.papers.finding import Case, Finding, LightsCase, Remedy


def finding(
    game: Game,
    settings: Settings = None,
    side: Sides = None,
    edge: Annotated[
        str,
        typer.Option("--edge", metavar="PERCENT", help="The edge that side wagers should have."),
    ] = "5%",
    main_edge: Annotated[
        str,
        typer.Option("--main-edge", metavar="PERCENT", help="The same for the main wager."),
    ] = "0.5%",
    bet: Bet = None,
    split_mode: Splits = SplitMode.cdp,
    json: Json = False,
    output: Output = None,
) -> None:
    """Find the wagers that favour the player, by how much, and the pay that would be needed.

    Every wager is priced as it is printed, with every pay table that the house may choose, played
    for where it goes by how the hand ends, and under every reading that turns it.

    Example: upcard finding twisted-21 -o finding.pdf
    """
    from upcard.papers.finding import find
    from upcard.papers.target import parse_edge

    check_output(output, *PAPERS)
    wanted = parse_edge(edge), parse_edge(main_edge)
    chosen = chosen_settings(game, asked_settings(settings, side))
    with progress() as told:
        found = find(
            game,
            chosen,
            side_edge=wanted[0],
            main_edge=wanted[1],
            bet=bet,
            mode=split_mode.value,
            progress=told,
        )
    if output is not None:
        from upcard.papers.finding_sheet import finding_sheet

        written = write_paper(output, finding_sheet(found))
        if not json:
            say_written(written)
    if json:
        print_json(plain(_data(found)))
    elif output is None:
        found.show(console())


def _data(found: Finding) -> dict[str, Any]:
    return {
        **identity(found.tables),
        "bet": found.bet,
        "split_mode": found.mode,
        "method": found.method,
        "cases": [_case(case) for case in found.cases],
        "remedies": [_remedy(remedy) for remedy in found.remedies],
        "room": [target_data(target) for target in found.room],
        "by_bet": found.by_bet,
        "lights": [_lights(case) for case in found.lights],
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "wager": case.wager,
        "name": case.name,
        "case": case.kind.value,
        "settings": case.settings,
        "ratio": case.ratio or None,
        "edge": case.edge,
        "favours_player": case.favours_player,
        "fingerprint": case.fingerprint,
    }


def _remedy(remedy: Remedy) -> dict[str, Any]:
    table = remedy.table
    return {
        **_case(remedy.case),
        "wanted": remedy.wanted,
        "targets": [target_data(target) for target in remedy.targets],
        "cannot": dict(remedy.cannot),
        "table": table
        and {
            "share": float(table.share),
            "rows": dict(table.rows),
            "edge": table.edge,
            "fingerprint": table.fingerprint,
        },
    }


def _lights(case: LightsCase) -> dict[str, Any]:
    run = case.run
    return {
        "settings": case.settings,
        "ev": run.ev,
        "per_round": run.per_round,
        "rounds_to_prize": run.rounds_to_prize,
        "prize": run.prize,
        "break_even_prize": run.break_even_prize,
        "alone_ev": run.alone_ev,
    }
