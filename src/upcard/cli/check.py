"""`upcard check`: everything that is wrong with a game."""

from __future__ import annotations

from collections import Counter

import typer

from upcard.cli.arguments import Game, Json, Settings
from upcard.cli.output import complain, print_json
from upcard.rules.settings import parse_settings


def check(game: Game, settings: Settings = None, json: Json = False) -> None:
    """Check a game or a game file: all problems at once, exit status 1 if there are any.

    Example: upcard check pure-spanish-21.5 --set soft17=stand
    """
    from upcard.rules.check import check_game

    rules, problems = check_game(game, parse_settings(settings or ()))
    if json:
        print_json(
            {
                "game": rules.game.id if rules else game,
                "problems": [
                    {"file": p.file, "path": p.path, "message": p.message, "clauses": p.clauses}
                    for p in problems
                ],
            }
        )
    elif problems:
        for problem in problems:
            complain(str(problem))
        complain(f"{len(problems)} problem{'s' if len(problems) > 1 else ''} in {game}")
    elif rules is not None:
        kinds = Counter[str](origin.kind for origin in rules.provenance.values())
        counts = ", ".join(
            f"{kinds[kind]} {word}"
            for kind, word in (
                ("ruled", "ruled by clauses"),
                ("option", "set by options"),
                ("reading", "by readings"),
                ("assumed", "assumed"),
            )
        )
        typer.echo(
            f"{rules.game.id}@{rules.game.version}: no problems. "
            f"{len(rules.game.clauses)} clauses; {len(rules.values)} values: {counts}."
        )
        typer.echo(f"fingerprint {rules.fingerprint}")
    if problems:
        raise typer.Exit(1)
