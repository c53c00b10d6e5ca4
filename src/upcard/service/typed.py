"""What is read from texts in several threads, made known before any thread reads it.

What msgspec knows of a struct is worked out when the first of them is read. Two threads that do so
at the same time find each other's unfinished work, and the process ends there. So whatever threads
of the house read is worked out here, when the house is loaded.
"""

from __future__ import annotations

import msgspec

from upcard.coach import CoachAdvice
from upcard.rules.schema import GameRules
from upcard.service.messages import ClientMessage, ServerMessage, Told
from upcard.service.own_limits import Pending
from upcard.service.specs import TableSpec
from upcard.table.chain import RecordLine, Title
from upcard.table.commands import Command
from upcard.table.events import Event
from upcard.table.players_cards import PlayersCard

READ = (
    GameRules,
    Title,
    RecordLine,
    Command,
    Event,
    PlayersCard,
    TableSpec,
    Told,
    Pending,
    ClientMessage,
    ServerMessage,
    CoachAdvice,
)
KNOWN = tuple(msgspec.json.Decoder(kind) for kind in READ)
