"""The command line: one module per verb."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from upcard.cli.game_folders import let_name_folders
from upcard.cli.output import complain, leave_output, open_streams
from upcard.errors import UpcardError
from upcard.rules import folders

WRONG_USAGE, INTERRUPTED = 2, 130

VERBS = (
    "games",
    "rules",
    "check",
    "new",
    "schema",
    "test",
    "round",
    "replay",
    "verify",
    "fees",
    "bank",
    "play",
    "serve",
    "house",
    "odds",
    "target",
    "compare",
    "finding",
    "hand",
    "strategy",
    "readings",
    "report",
    "simulate",
    "prepare",
)
"""In the order of the help; each is a module with a function of its name, or with an app."""


class Verbs(TyperGroup):
    """The verbs; Ctrl-C ends any without a word, and folders that it named are forgotten."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with folders.as_before():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None


def command_line(verbs: Iterable[str] = VERBS) -> typer.Typer:
    """The command line with some of the verbs; only their modules are loaded."""
    app = typer.Typer(
        name="upcard",
        cls=Verbs,
        help="The games of the 21 family, each written once as data.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_version)
    for verb in verbs:
        module = import_module(f"upcard.cli.{verb}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=verb)
        else:
            # A name that Python has itself is written with an underscore.
            app.command(verb)(getattr(module, verb, None) or getattr(module, f"{verb}_"))
    return let_name_folders(app)


def _version(
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    if version:
        from upcard import __version__

        typer.echo(f"upcard {__version__}")
        raise typer.Exit


def main() -> None:
    """Run a command; a refusal is one sentence on standard error and exit status 1."""
    open_streams()
    try:
        asked = sys.argv[1:2]
        app = command_line(asked if asked and asked[0] in VERBS else VERBS)
        try:
            app()
        finally:
            sys.stdout.flush()
    except UpcardError as error:
        complain(*error.sentences)
        sys.exit(1)
    except KeyboardInterrupt:  # before a verb has begun
        sys.exit(INTERRUPTED)
    except SystemExit as leaving:
        if not any(isinstance(error, BrokenPipeError) for error in _behind(leaving)):
            raise
        _leave_for_the_reader()
    except BrokenPipeError:
        _leave_for_the_reader()
    except OSError as error:
        leave_output()
        if any(getattr(other, "exit_code", 0) == WRONG_USAGE for other in _behind(error)):
            sys.exit(WRONG_USAGE)
        complain(f"the output could not be written: {error.strerror or error}")
        sys.exit(1)


def _leave_for_the_reader() -> NoReturn:
    """The reader of a pipe (head, less) went away: nothing is wrong, and nothing is left to say."""
    leave_output()
    sys.exit(0)


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those in whose handling it arose."""
    while error is not None:
        yield error
        error = error.__context__
