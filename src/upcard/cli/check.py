"""`upcard check`: everything that is wrong with a game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import Game, Json, Settings, Sides, asked_settings, settings_in_cents
from upcard.cli.output import complain, print_json
from upcard.errors import Problem, ProblemsError, UpcardError
from upcard.rules.settings import parse_settings
from upcard.text import counted, shortened

if TYPE_CHECKING:
    from upcard.rules.load import RuleSet

_WORDS = {
    "ruled": "ruled by clauses",
    "option": "set by options",
    "reading": "by readings",
    "assumed": "assumed",
}
_LONGEST_VALUE = 60


def check(
    game: Game,
    settings: Settings = None,
    side: Sides = None,
    draft: Annotated[
        bool,
        typer.Option(
            "--draft", help="List the values that have no source yet; none of them is a problem."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Check a game or a game file: all problems at once, exit status 1 if there are any.

    Warnings do not change the exit status.

    Example: upcard check pure-spanish-21.5 --set soft17=stand
    """
    from upcard.rules.check import check_game
    from upcard.rules.warn import warnings

    chosen, refused = _chosen(game, parse_settings(asked_settings(settings, side)))
    rules, problems = check_game(game, chosen, draft=draft)
    problems = [*refused, *problems]
    warned = list(warnings(rules)) if rules is not None else []
    if json:
        print_json(_data(game, rules, problems, warned))
    else:
        for warning in warned:
            complain(f"warning: {warning}")
        for problem in problems:
            complain(str(problem))
        if problems:
            complain(f"{counted(len(problems), 'problem')} in {game}")
        elif rules is not None:
            _show(rules, draft=draft)
    if problems:
        raise typer.Exit(1)


def _chosen(game: str, typed: dict[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """The settings as the game takes them, without those that are no amounts of money."""
    chosen: dict[str, str] = {}
    refused: list[Problem] = []
    for name, text in typed.items():
        try:
            chosen |= settings_in_cents(game, {name: text})
        except ProblemsError:  # of the file, which are told all together
            chosen[name] = text
        except UpcardError as error:
            refused += [Problem(game, "", sentence) for sentence in error.sentences]
    return chosen, refused


def _data(
    game: str, rules: RuleSet | None, problems: list[Problem], warned: list[Problem]
) -> dict[str, Any]:
    return {
        "game": rules.game.id if rules else game,
        "draft": bool(rules and rules.game.draft),
        "problems": [_plain(problem) for problem in problems],
        "warnings": [_plain(warning) for warning in warned],
        "unsourced": list(rules.unsourced) if rules else [],
    }


def _plain(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "path": problem.path,
        "message": problem.message,
        "clauses": problem.clauses,
    }


def _show(rules: RuleSet, *, draft: bool) -> None:
    from upcard.rules.draft import draft_words
    from upcard.rules.written import toml

    missing = rules.unsourced
    sourced = (origin for path, origin in rules.provenance.items() if path not in missing)
    kinds = Counter[str](origin.kind for origin in sourced)
    counts = ", ".join(f"{kinds[kind]} {word}" for kind, word in _WORDS.items())
    if draft:
        counts += f", {len(missing)} without a source yet"
        for path in missing:
            value = rules.values[path]
            value = shortened(value if isinstance(value, str) else toml(value), _LONGEST_VALUE)
            typer.echo(f"no source yet: {path} = {value}")
    typer.echo(
        f"{rules.game.ref}: no problems. "
        f"{len(rules.game.clauses)} clauses; {len(rules.values)} values: {counts}."
    )
    typer.echo(f"fingerprint {rules.fingerprint}")
    if rules.game.draft:
        typer.echo(draft_words(missing))
    elif missing:
        typer.echo("To play and price it as it is, write draft = true at the top of the file.")
