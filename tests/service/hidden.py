"""What nobody may be told, and whether a byte of it was.

The record has everything. From it each message is made again, but with other cards wherever one
lies face down, is burned or still to come, and with other secrets and other people's chips: what
was sent must be the very same, so nothing of it can have depended on them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from upcard.service.house import House
from upcard.service.running import RunningTable, told_row
from upcard.service.specs import EntryRow
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.chain import RecordLine
from upcard.table.judge import Refusal
from upcard.table.ledger import Ledger
from upcard.table.shoe import shoe_seed
from upcard.table.state import Box, Dealer, Round, TableState

NEVER = 1 << 60


class Hidden:
    """All entries of a table; `look_at` is for anything that was sent at any time."""

    def __init__(self, house: House, table: RunningTable) -> None:
        self.table = table
        self.never = {house.key.private, str(house.casino.key)}
        self.opened_at: dict[str, int] = {}
        self.told: dict[int, Any] = {}
        self.views: dict[int, Any] = {}
        self.states: dict[int, TableState] = {}
        self.changed = 0
        """How many things were replaced by others."""
        self._state = TableState()
        self._secret = ""

    def take(self, row: EntryRow) -> None:
        """The next entry of the record."""
        lines = []
        for line in row.data.splitlines():
            value = msgspec.json.decode(line, type=RecordLine)
            if isinstance(value.event, msgspec.UnsetType):
                continue
            event = value.event
            self._state = self.table.engine.evolve(self._state, event)
            match event:
                case ev.TableOpened():
                    self._secret = event.secret
                    self.never.add(event.secret)
                case ev.ShoeCommitted():
                    self.opened_at[shoe_seed(self._secret, event.shoe)] = NEVER
                case ev.ShoeOpened():
                    self.opened_at[event.seed] = row.seq
            lines.append(msgspec.json.encode({"event": self._other_event(event)}))
        other = replace(row, data=b"\n".join(lines))
        self.states[row.seq] = self._state
        self.told[row.seq] = msgspec.json.decode(told_row(self.table.engine, other))
        self.views[row.seq] = self._other_view()

    def _other_view(self) -> Any:
        real = self.table.state
        self.table.state = self._other_state(self._state)
        try:
            return msgspec.json.decode(self.table.view_bytes())
        finally:
            self.table.state = real

    # ------------------------------------------------------------------ the same, but otherwise

    def _other_event(self, event: ev.Event) -> ev.Event:
        match event:
            case ev.TableOpened():
                other: ev.Event = replace(event, secret="0" * 64)
            case ev.ShoeShuffled() | ev.DiscardsShuffled():
                other = replace(event, order=tuple(map(_other, event.order)))
            case ev.CardBurned() | ev.CardDealt(face="down"):
                other = replace(event, card=_other(event.card))
            case ev.ChipsBought() | ev.ChipsCashed():
                other = replace(event, amount=event.amount + 12_300)
            case _:
                return event
        self.changed += 1
        return other

    def _other_state(self, state: TableState) -> TableState:
        balances = tuple(
            (name, amount + 100_000 if name.startswith("player ") else amount)
            for name, amount in state.ledger.balances
        )
        return replace(self._other_cards(state), ledger=Ledger(balances))

    def _other_cards(self, state: TableState) -> TableState:
        return replace(
            state,
            secret="0" * 64,
            shoe=replace(state.shoe, order=tuple(map(_other, state.shoe.order))),
            discards=tuple(map(_other, state.discards)),
            round=self._other_round(state.round) if state.round is not None else None,
        )

    def _other_round(self, here: Round) -> Round:
        seen = self.table.engine.look.plan.community_seen or here.community_shown
        community = here.community if seen else tuple(map(_other, here.community))
        return replace(
            here,
            boxes=tuple(map(self._other_box, here.boxes)),
            dealer=self._other_dealer(here.dealer),
            community=community,
            gone=tuple(map(_other, here.gone)),
        )

    def _other_box(self, box: Box) -> Box:
        if box.shown:
            return box
        self.changed += any(box.down)
        return replace(box, down=tuple(map(_other, box.down)))

    def _other_dealer(self, dealer: Dealer) -> Dealer:
        if dealer.shown:
            return dealer
        self.changed += any(dealer.down)
        return replace(dealer, down=tuple(map(_other, dealer.down)))

    # ------------------------------------------------------------------ looking

    def try_everything(self) -> int:
        """Ask for all kinds of things at all times: what is refused, and why, tells nothing."""
        refused = 0
        engine = self.table.engine
        for state in self.states.values():
            other = self._other_cards(state)
            for command in _commands(state):
                answers = [engine.act(one, command) for one in (state, other)]
                reasons = [a if isinstance(a, Refusal) else None for a in answers]
                assert reasons[0] == reasons[1], command
                refused += reasons[0] is not None
        return refused

    def look_at(self, message: bytes, account: str = "") -> None:
        """Find anything in a message that its reader, an account or the public, may not know."""
        value = msgspec.json.decode(message)
        seq = value["seq"]
        for secret in self.never:
            assert secret.encode() not in message
        for seed, opened in self.opened_at.items():
            assert opened <= seq or seed.encode() not in message, "the seed of a shoe"
        for stroke in value.get("told", ()):
            assert stroke["events"] == self.told[stroke["seq"]]["events"]
        if "events" in value:
            assert value["events"] == self.told[seq]["events"]
        if "view" in value:
            assert value["view"] == self.views[seq]
        known = {
            *("type", "seq", "at", "events", "view", "clock", "status", "ready", "you"),
            *("protocol", "table", "told", "whole"),
        }
        assert set(value) <= known
        if "you" in value:
            assert account
            mine = self.table.people.get(value["you"]["name"], account)
            assert mine == account


def _commands(state: TableState) -> Iterator[cm.Command]:
    for player in state.players[:2]:
        name, seat = player.name, player.seat
        for kind in cm.DECISION_TYPES:
            yield kind(player=name, position=seat)
        yield cm.Hit(player=name, position=seat, pick=2)
        yield cm.Double(player=name, position=seat, amount=100)
        yield cm.MixSeed(player=name, seed="word")
        yield cm.Leave(player=name)
        yield cm.TakeBank(player=name, amount=10_000)
    yield cm.Deal()


def _other(card: str) -> str:
    """Another card; nothing stays nothing."""
    if not card:
        return card
    return "2c" if card != "2c" else "Kd"


def with_other_cards(state: TableState, throws: random.Random) -> TableState:
    """The same table, with all cards that nobody has seen in other places."""
    here, shoe = state.round, state.shoe
    assert here is not None
    places = [
        *((None, at) for at, card in enumerate(here.dealer.down) if card and not here.dealer.shown),
        *(
            (number, at)
            for number, box in enumerate(here.boxes)
            for at, card in enumerate(box.down)
            if card and not box.shown
        ),
    ]
    dealers = list(here.dealer.down)
    boxes = [list(box.down) for box in here.boxes]
    pool = [*shoe.order[shoe.dealt :]]
    pool += [(dealers if number is None else boxes[number])[at] for number, at in places]
    throws.shuffle(pool)
    for number, at in places:
        (dealers if number is None else boxes[number])[at] = pool.pop()
    down = zip(here.boxes, boxes, strict=True)
    return replace(
        state,
        secret="0" * 64,
        shoe=replace(shoe, order=(*shoe.order[: shoe.dealt], *pool)),
        round=replace(
            here,
            dealer=replace(here.dealer, down=tuple(dealers)),
            boxes=tuple(replace(box, down=tuple(cards)) for box, cards in down),
        ),
    )
