"""What goes over the wire of a table: JSON messages, the same for the page, bots and anybody.

docs/protocol.md describes them for a stranger. Every message has a `type`. What only one viewer may
see stands in `you`; everything else is the same for all, so that it is encoded once.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

PROTOCOL = 1
LONGEST_MESSAGE = 16_384
"""Bytes that a client may send at once."""
LONGEST_ID = 64

ClockFor = Literal["wagers", "bank", "turn", ""]


class FromClient(
    msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """The base of what a client says. `id` is the client's own and comes back with the answer."""

    id: str


class Do(FromClient, frozen=True, tag="do"):
    """A command of `upcard.table.commands` without `player`, who is whoever has signed in.

    The `id` names the command: sent again, for want of an answer, it acts once. `seq` is the last
    that the client had seen when it chose: a decision, a wager or a deal that comes when the table
    has gone on to something else is refused, not taken for an answer to that.
    """

    command: dict[str, Any]
    seq: int | None = None


class Why(FromClient, frozen=True, tag="why"):
    """Why an action is, or is not, among the answers now; `action` is its name, such as double."""

    action: str


class Coach(FromClient, frozen=True, tag="coach"):
    """What every legal action is worth, for the question that is asked of me.

    Before a deal: what the next round is worth for what lies there by now, or was wagered last.
    """


class Ping(FromClient, frozen=True, tag="ping"):
    """An answer shows that the line holds."""


ClientMessage = Do | Why | Coach | Ping


class ToClient(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """The base of what a table says."""


class ClockSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the table waits for and until when (milliseconds since 1970); 0: as long as it takes."""

    for_: ClockFor = msgspec.field(default="", name="for")
    ends: int = 0
    seconds: int = 0


class You(msgspec.Struct, frozen=True, omit_defaults=True):
    """What only the viewer sees: chips at this table, play money beside it, players' cards."""

    name: str
    seat: int = 0
    chips: int = 0
    wallet: int = 0
    cards: tuple[str, ...] = ()


class Told(msgspec.Struct, frozen=True):
    """What happened at one stroke: redacted events, each with its `words` in it."""

    seq: int
    at: str
    events: tuple[dict[str, Any], ...]


class Welcome(ToClient, frozen=True, tag="welcome"):
    """The first message on a line: everything that a client needs to draw the table.

    `told` is what happened since the sequence that the client named, or in the last round if it
    named none; `whole` says that nothing is missing between that and now.
    """

    protocol: int
    seq: int
    table: dict[str, Any]
    view: dict[str, Any]
    clock: ClockSeen
    told: tuple[Told, ...]
    whole: bool
    status: str
    ready: tuple[str, ...] = ()
    you: You | None = None


class Update(ToClient, frozen=True, tag="update"):
    """A command led to events. `view` is the table after them.

    `ready` are those who have asked for the cards and wait for others.
    """

    seq: int
    at: str
    events: tuple[dict[str, Any], ...]
    view: dict[str, Any]
    clock: ClockSeen
    status: str
    ready: tuple[str, ...] = ()
    you: You | None = None


class Status(ToClient, frozen=True, tag="status"):
    """Nothing happened at the table, but its clock, its status or one's own purse changed."""

    seq: int
    clock: ClockSeen
    status: str
    ready: tuple[str, ...] = ()
    you: You | None = None


class Ack(ToClient, frozen=True, tag="ack"):
    """A command was carried out, by the entry `seq`; `again`: it had been before.

    `waiting` is for whom the table waits before it deals: to have asked for the cards is all that
    can be done by then, and it is no entry of the record.
    """

    id: str
    seq: int
    again: bool = False
    waiting: str = ""


class Refused(ToClient, frozen=True, tag="refused"):
    """A command changed nothing, and why: in words, with the clauses of the rulebook behind it."""

    id: str
    reason: str
    clauses: tuple[str, ...] = ()


class Reason(ToClient, frozen=True, tag="reason"):
    """The answer to `why`."""

    id: str
    action: str
    legal: bool
    words: str
    clauses: tuple[str, ...] = ()


class Advice(ToClient, frozen=True, tag="advice"):
    """The answer to `coach`: see `upcard.coach`."""

    id: str
    advice: dict[str, Any]


class Judged(ToClient, frozen=True, tag="judged"):
    """What the coach says to a decision that it had given advice on; no mistake is null."""

    seq: int
    action: str
    mistake: dict[str, Any] | None


class Pong(ToClient, frozen=True, tag="pong"):
    """The answer to `ping`, with the server's time in milliseconds since 1970."""

    id: str
    now: int


class Fault(ToClient, frozen=True, tag="error"):
    """What was sent cannot be understood, or came too fast; the line stays open where it can.

    With `again` it may be sent once more with the same id, after a moment: it came too fast, or the
    store gave no answer.
    """

    words: str
    id: str = ""
    again: bool = False


ServerMessage = Welcome | Update | Status | Ack | Refused | Reason | Advice | Judged | Pong | Fault
