"""How an event changes the state. Nothing here decides anything or can refuse."""

from __future__ import annotations

from msgspec.structs import replace

from upcard.table import evolve_round, evolve_table
from upcard.table.events import Event
from upcard.table.plain_tables import PlainTables
from upcard.table.postings import postings
from upcard.table.state import TableState

_HANDLERS = evolve_table.HANDLERS | evolve_round.HANDLERS


def evolve(look: PlainTables, state: TableState, event: Event) -> TableState:
    """The state after an event; what it moves is posted to the ledger in the same breath."""
    after = _HANDLERS[type(event)](look, state, event)
    moved = postings(event)
    return replace(after, ledger=after.ledger.after(moved)) if moved else after
