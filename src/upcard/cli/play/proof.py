"""What a player can note from the screen, to hold the house to it afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play.paint import Block, apart
from upcard.table.chain import SHORT
from upcard.table.events import ShoeCommitted, ShoeOpened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.cli.play.paint import Paint
    from upcard.table.events import Event

LABEL = " promise "
SEEDED = "dealt from --seed"
"""The mark of a table whose cards somebody can know beforehand."""


@dataclass(frozen=True)
class Proof:
    """What the table shows besides the promise of its shoe.

    `head` is the hash of the record so far, `key` the public key that signs it; `seeded`: the cards
    come from a text somebody knows.
    """

    head: str = ""
    seeded: bool = False
    key: str = ""


NOTHING_NOTED = Proof()


def opened_shoes(paint: Paint, events: Iterable[Event], width: int) -> Block:
    """Every shoe that was opened: all digits of what was promised, and of the seed beside it."""
    promised: dict[int, str] = {}
    lines: Block = []
    for event in events:
        if isinstance(event, ShoeCommitted):
            promised[event.shoe] = event.commitment
        elif isinstance(event, ShoeOpened):
            lines.append(Text(f"  Shoe {event.shoe}", paint.colours.strong))
            lines += digits(paint, "promise", promised.get(event.shoe, ""), width)
            lines += digits(paint, "seed", event.seed, width)
    return lines


def digits(paint: Paint, label: str, value: str, width: int) -> Block:
    """All digits of a value behind its label, or below it where the line is too short."""
    shown = Text(value, paint.colours.even)
    start = Text(f"  {label:8}", paint.colours.quiet)
    if start.cell_len + shown.cell_len <= width:
        return [start.append_text(shown)]
    return [start, Text("  ").append_text(shown)]


def head_line(paint: Paint, width: int, *, round_number: int, head: str) -> Text:
    """The round and the record's head, or just the head where there is no room for both."""
    place = f"round {round_number}" if round_number else "before the first round"
    if not head:
        return Text(f"{place} ")
    short = f"head {head[:SHORT]} "
    both = f"{place} {paint.glyphs.dot} {short}"
    return Text(both if len(both) <= width else short)


def proof_line(paint: Paint, width: int, *, promise: str, round_number: int, seeded: bool) -> Text:
    """The promise of the shoe in as many digits as there is room for."""
    quiet, more = paint.colours.quiet, paint.glyphs.more
    right = Text(f"round {round_number} " if round_number else "no round yet ", quiet)
    if seeded:
        right = Text(f" {SEEDED} ", paint.colours.turn)
    if not promise:
        return apart(Text(f"{LABEL}of no shoe: none is ready", quiet), right, width)
    room = width - len(LABEL) - right.cell_len - 1
    if len(promise) > room:
        promise = promise[: room - 1] + more if room > SHORT else promise[:room]
    return apart(Text(LABEL, quiet).append(promise, paint.colours.even), right, width)
