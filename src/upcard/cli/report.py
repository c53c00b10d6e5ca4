"""`upcard report`: all figures of a game in one document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from upcard.cli.arguments import Game, Settings, Sides, asked_settings, chosen_settings
from upcard.cli.output import console
from upcard.cli.simulate import parse_rounds
from upcard.cli.solving import Bet, progress
from upcard.cli.writing import check_output, write_output
from upcard.money import format_cents

ENDINGS = (".pdf", ".html")


def report(
    game: Game,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The file: .pdf or .html."),
    ],
    settings: Settings = None,
    side: Sides = None,
    bet: Bet = None,
    rounds: Annotated[
        str | None,
        typer.Option("--rounds", metavar="N", help="Rounds of the simulation; 1e7 if left out."),
    ] = None,
) -> None:
    """Write the mathematical report of a game: rules by clause, prices, play, proof.

    Every figure in it is one that a command prints; the report names the commands.

    Example: upcard report blackjack -o blackjack.pdf
    """
    from upcard.papers.report.gathering import ROUNDS, Asked, check_rounds, gather
    from upcard.papers.report.writing import report_paper
    from upcard.papers.typesetting import typeset
    from upcard.papers.web_page import web_page

    check_output(output, *ENDINGS)
    number = ROUNDS if rounds is None else parse_rounds(rounds)
    check_rounds(number)
    typed = [word for text in settings or () for word in ("--set", text)]
    typed += [word for text in side or () for word in ("--side", text)]
    asked = Asked(
        game=game,
        settings=chosen_settings(game, asked_settings(settings, side)),
        typed=tuple(typed),
        bet=bet,
        typed_bet=() if bet is None else ("--bet", format_cents(bet)),
        rounds=number,
    )
    with progress() as told:
        paper = report_paper(gather(asked, told))
    if output.suffix == ".html":
        write_output(output, web_page(paper))
    else:
        write_output(output, typeset(paper, output.suffix)[0])
    console().print(f"{output}: the report of {paper.title}", soft_wrap=True)
