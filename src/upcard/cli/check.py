"""`upcard check`: everything that is wrong with a game."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import typer

from upcard.cli.arguments import Game, Json, Settings, Sides, asked_settings, settings_in_cents
from upcard.cli.output import complain, print_json
from upcard.errors import ProblemsError
from upcard.rules.settings import parse_settings


def check(game: Game, settings: Settings = None, side: Sides = None, json: Json = False) -> None:
    """Check a game or a game file: all problems at once, exit status 1 if there are any.

    Example: upcard check pure-spanish-21.5 --set soft17=stand
    """
    from upcard.rules.check import check_game

    chosen = parse_settings(asked_settings(settings, side))
    with suppress(ProblemsError):  # which are told below, all of them
        chosen = settings_in_cents(game, chosen)
    rules, problems = check_game(game, chosen)
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
