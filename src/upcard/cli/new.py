"""`upcard new`: a game file to begin with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from upcard.cli.writing import write_new
from upcard.errors import UpcardError
from upcard.rules.registry import known_ids

_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")
STANDARD_OUTPUT = "-"


def new(
    game: Annotated[str, typer.Argument(metavar="GAME_ID", help="The id of the new game.")],
    like: Annotated[
        str, typer.Option("--like", metavar="GAME", help="The game to begin with.")
    ] = "blackjack",
    extends: Annotated[
        bool,
        typer.Option(
            "--extends", help="State only what differs from that game, instead of copying it."
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file; GAME_ID.toml if left out, - prints."
        ),
    ] = None,
) -> None:
    """Write a game file with every key, what it means and what it may be: a draft that plays.

    A file that is there is never written over.

    Example: upcard new my-game --like twisted-21
    """
    from upcard.rules.new_game import new_game

    if not _ID.fullmatch(game):
        raise UpcardError(f'"{game}" is no id: write a lower-case id such as "my-game"')
    if game in known_ids():
        raise UpcardError(f'there is a game "{game}" already: give the new one another id')
    path = None if output == STANDARD_OUTPUT else Path(output or f"{game}.toml")
    folder = path.parent if path else Path()
    text = new_game(game, like, extends=extends, folder=folder)
    if path is None:
        typer.echo(text, nl=False)
        return
    write_new(path, text)
    typer.echo(f"Next: upcard check {path} --draft; upcard odds {path}; upcard play {path}")
