"""`upcard schema`: the vocabulary of game files for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from upcard.cli.output import json_text, print_json
from upcard.cli.writing import write_new


def schema(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it to this file instead."),
    ] = None,
) -> None:
    """Print a JSON Schema of game files, with which editors complete keys and mark mistakes.

    Example: upcard schema -o upcard-game.schema.json
    """
    from upcard.rules.json_schema import game_schema

    if output is None:
        print_json(game_schema())
    else:
        write_new(output, json_text(game_schema()))
