"""Arguments that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

Game = Annotated[
    str, typer.Argument(help="A game's id (see `upcard games`) or the path of a game file.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set an option or a reading of the game; as often as needed.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
