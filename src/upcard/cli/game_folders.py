"""`--games DIR`, which every verb takes: the games of a folder by their ids."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from upcard.rules import folders

NAME = "games_folders"
Folders = Annotated[
    list[str] | None,
    typer.Option(
        "--games",
        metavar="DIR",
        help="Have the game files of this folder by their ids; as often as needed. "
        f"{folders.VARIABLE} names folders for good.",
    ),
]


def with_folders(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb that takes `--games` besides its own options."""
    if hasattr(verb, "__wrapped__"):
        return verb  # a command line that is made twice

    @functools.wraps(verb)
    def run(**given: Any) -> Any:
        folders.add(given.pop(NAME) or ())
        return verb(**given)

    hints = get_type_hints(verb, include_extras=True)
    own = inspect.signature(verb).parameters.values()
    added = inspect.Parameter(NAME, inspect.Parameter.KEYWORD_ONLY, default=None)
    run.__annotations__ = hints | {NAME: Folders}
    parameters = [one.replace(annotation=run.__annotations__[one.name]) for one in (*own, added)]
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return run


def let_name_folders(app: typer.Typer) -> typer.Typer:
    """A group of verbs, each of which takes `--games`."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = with_folders(command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            let_name_folders(group.typer_instance)
    return app
