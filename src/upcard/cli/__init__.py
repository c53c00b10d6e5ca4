"""The command line: one module per verb."""

from __future__ import annotations

import os
import sys

import typer

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
from upcard.cli.output import complain
from upcard.cli.round import round_
from upcard.errors import UpcardError

app = typer.Typer(
    name="upcard",
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
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except UpcardError as error:
        complain(str(error))
        sys.exit(1)
    except BrokenPipeError:
        # The reader of a pipe (head, less) went away: nothing is wrong, and nothing is left to say.
        _leave_output()
        sys.exit(0)
    except OSError as error:
        _leave_output()
        complain(f"the output could not be written: {error.strerror or error}")
        sys.exit(1)


def _leave_output() -> None:
    """Let nothing more be written where writing has failed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
