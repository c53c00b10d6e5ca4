"""Writes examples/session.jsonl: one round of blackjack, always the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from upcard import tables_for
from upcard.errors import UpcardError
from upcard.table import commands as cm
from upcard.table.judge import Refusal
from upcard.table.keys import TableKey
from upcard.table.notation import save_log
from upcard.table.session import Session
from upcard.table.shoe import secret_from

FILE = Path(__file__).parents[1] / "examples" / "session.jsonl"

COMMANDS: tuple[cm.Command, ...] = (
    cm.OpenTable(table="example", secret=secret_from("example"), dealt_from="example"),
    cm.BuyIn(player="Ann", amount=20000),
    cm.Sit(player="Ann", seat=1),
    cm.BuyIn(player="Bo", amount=10000),
    cm.Sit(player="Bo", seat=2),
    cm.MixSeed(player="Ann", seed="seven magpies"),
    cm.PlaceWagers(player="Ann", position=1, wagers={"base": 2500}),
    cm.PlaceWagers(player="Bo", position=2, wagers={"base": 1000}),
    cm.Deal(),
    cm.Hit(player="Ann", position=1),
    cm.Double(player="Bo", position=2),
    cm.Leave(player="Ann"),
    cm.Leave(player="Bo"),
    cm.CloseTable(),
)


KEY = TableKey(secret_from("the key of the example"))
OPENED = datetime(2026, 1, 31, 20, tzinfo=UTC)


def example() -> Session:
    """The session, at five seconds a command."""
    ticks = count()
    session = Session(
        tables_for("blackjack"), clock=lambda: OPENED + timedelta(seconds=5 * next(ticks))
    )
    for command in COMMANDS:
        outcome = session.do(command)
        if isinstance(outcome, Refusal):
            raise UpcardError(f"{command}: {outcome}")
    return session


def main() -> None:
    save_log(example().log(), FILE, KEY)


if __name__ == "__main__":
    main()
