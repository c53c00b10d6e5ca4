"""The command line: one module per verb."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from upcard.cli import (
    bank,
    check,
    fees,
    games,
    hand,
    odds,
    play,
    readings,
    replay,
    rules,
    simulate,
    strategy,
    verify,
)
from upcard.cli.output import complain, leave_output, open_streams
from upcard.cli.round import round_
from upcard.errors import UpcardError

WRONG_USAGE, INTERRUPTED = 2, 130


class Verbs(TyperGroup):
    """The verbs; Ctrl-C in any of them ends it without a word."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    name="upcard",
    cls=Verbs,
    help="The games of the 21 family, each written once as data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(games.games)
app.command("rules")(rules.rules)
app.command("check")(check.check)
app.command("round")(round_)
app.command("replay")(replay.replay)
app.command("verify")(verify.verify)
app.add_typer(fees.app, name="fees")
app.command("bank")(bank.bank)
app.command("play")(play.play)
app.command("odds")(odds.odds)
app.command("hand")(hand.hand)
app.command("strategy")(strategy.strategy)
app.command("readings")(readings.readings)
app.command("simulate")(simulate.simulate)


@app.callback(invoke_without_command=True)
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
