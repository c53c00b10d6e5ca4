"""`upcard play`: a table in the terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from upcard.cli.arguments import (
    Settings,
    Sides,
    amount_option,
    asked_settings,
    settings_in_cents,
)
from upcard.errors import UpcardError
from upcard.rules.load import assemble
from upcard.rules.registry import without_version
from upcard.rules.settings import parse_settings

OptionalGame = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]",
        help="A game's id or name, or the path of a game file; a menu if left out.",
    ),
]


def play(
    game: OptionalGame = None,
    settings: Settings = None,
    side: Sides = None,
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Deal the same cards again for this text.")
    ] = None,
    bots: Annotated[int | None, typer.Option(help="How many bots sit with you.")] = None,
    chips: Annotated[int | None, amount_option("--chips", "What you buy in for.")] = None,
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat.")] = None,
    file: Annotated[
        Path | None, typer.Option(help="Keep the session in this file, not in the data folder.")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin anew; the old is kept aside.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the saved session.")] = False,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses between cards.")] = False,
) -> None:
    """Play a game at a table in the terminal, with bots on other seats.

    ? at the table shows the rule behind anything. The session is saved after every command.

    Example: upcard play pure-spanish-21.5 --seed demo
    """
    if new and resume:
        raise UpcardError("--new and --resume exclude each other")
    chosen = parse_settings(asked_settings(settings, side))
    if game:
        chosen = settings_in_cents(game, chosen)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        typer.echo(_without_terminal(assemble(game, chosen).game.name if game else None))
        return
    if not can_draw():
        name = os.environ.get("TERM", "")
        raise UpcardError(
            f"this terminal (TERM={name}) cannot draw a table: run `upcard play` in "
            "one that can, or set TERM to what yours is, such as xterm-256color"
        )
    from upcard.cli.play.start import Wishes, visit

    wishes = Wishes(
        seed=seed,
        bots=bots,
        chips=chips,
        name=name,
        seat=seat,
        file=file,
        new=new,
        resume=resume,
        fast=fast,
        game=without_version(game or ""),
    )
    visit(wishes, chosen)


def can_draw() -> bool:
    """Whether the terminal can put characters at a place of their own."""
    return sys.platform == "win32" or os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def _without_terminal(name: str | None) -> str:
    what = f"a table of {name}" if name else "a menu of the games"
    return (
        f"`upcard play` would open {what} here, but it needs a terminal to draw on and keys to "
        "read.\nRun it in one, or play in the browser (`upcard serve`); `upcard games` lists the "
        "games and `upcard rules GAME` prints their rules."
    )
