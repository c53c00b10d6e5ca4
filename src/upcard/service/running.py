"""A table in memory: the fold of its entries, what its viewers are told, and its clock.

Nothing here waits or writes. `prepared` says what a command would lead to and which row that would
be; when the row is in the store, `accept` makes it so.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from upcard import __version__
from upcard.coach import Seen
from upcard.compile.context import meant
from upcard.errors import UpcardError
from upcard.players.company import Company, least
from upcard.service.command_ids import made_after
from upcard.service.messages import PROTOCOL, ClockSeen, You
from upcard.service.records import (
    Along,
    Movement,
    Punched,
    Snapshot,
    TableRow,
    broken,
    entry_of,
)
from upcard.service.results import results_of
from upcard.service.specs import EntryRow, SeatInfo, TableInfo, TableSpec
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.acting import price
from upcard.table.chain import Links, digest
from upcard.table.clerk import Question
from upcard.table.engine import IMPOSSIBLE, NEW_TABLE, Engine, Outcome
from upcard.table.judge import Refusal
from upcard.table.keys import TableKey
from upcard.table.plain_tables import BASE
from upcard.table.sentences import sentence
from upcard.table.session import Entry, stamp
from upcard.table.state import TableState
from upcard.table.view import PUBLIC, redacted, view

SNAPSHOT_EVERY = 64
"""Entries from one snapshot to the next."""
TOLD = 80
"""Strokes that are kept for those who come back to a table, at most."""
RECENT = 256
"""Commands whose ids are remembered, so that the store need not be asked."""

_encoder = msgspec.json.Encoder()


class Kept(msgspec.Struct, frozen=True):
    """What a snapshot holds: the state, and the cards that were seen of this shoe."""

    state: TableState
    seen: Seen


_kept_encoder = msgspec.msgpack.Encoder()
_kept_decoder = msgspec.msgpack.Decoder(Kept)


def _state_code() -> str:
    """By what snapshots of this version are known: the fields of everything in them.

    States of the games' automata are numbers, which another version may count otherwise.
    """
    info = (__version__, msgspec.json.schema(Kept))
    return hashlib.sha256(msgspec.json.encode(info, order="deterministic")).hexdigest()


STATE_CODE = _state_code()


class Prepared(NamedTuple):
    """What a command would lead to, and how it would be written."""

    outcome: Outcome
    row: EntryRow
    along: Along
    links: Links


class RunningTable:
    """One table; `seq` is the number of entries that its state has in it."""

    def __init__(
        self, row: TableRow, engine: Engine, key: TableKey, people: dict[str, str] | None = None
    ) -> None:
        self.row = row
        self.id = row.id
        self.spec = msgspec.json.decode(row.spec, type=TableSpec)
        self.engine = engine
        self.tables = engine.tables
        self.key = key
        self.bots: tuple[str, ...] = tuple(msgspec.json.decode(row.bots, type=list[str]))
        self.people = dict(people or {})
        self.status = row.status
        self.state: TableState = NEW_TABLE
        self.seen = Seen()
        self.seq = 0
        self.at = row.opened
        self.links = Links(key, digest(row.title))
        self.round_began: tuple[int, str] = (0, "")
        self.moment: tuple[object, ...] = ()
        self.moment_since = 0
        self.told: deque[tuple[int, bytes]] = deque(maxlen=TOLD)
        self.recent: OrderedDict[tuple[str, str], int] = OrderedDict()
        self.recent_after = 0
        """The entry behind which the ids of all commands are in `recent`."""
        self.company = Company(engine, self.bots)
        self.clock = ClockSeen()
        self.ready: set[str] = set()
        self.lock = asyncio.Lock()
        self.stale = False

    # ------------------------------------------------------------------ rebuilding

    def restore(self, snapshot: Snapshot | None, rows: Sequence[EntryRow]) -> None:
        """Fold a snapshot, if there is one, and the entries after it."""
        if snapshot is not None:
            kept = _kept_decoder.decode(snapshot.state)
            self.state, self.seen = kept.state, kept.seen
            self.seq = self.recent_after = snapshot.seq
            self.links = Links(self.key, snapshot.head, snapshot.round)
            self._note_moment()
        for row in rows:
            try:
                self.follow(row)
            except IMPOSSIBLE as error:
                raise broken(row, f"it cannot happen there ({error})") from error

    def follow(self, row: EntryRow) -> Entry:
        """Take in an entry that is in the store already."""
        entry, head = entry_of(row, self.links.head)
        state = self.state
        for event in entry.events:
            state = self.engine.evolve(state, event)
        self._advance(row, entry.events, state, Links(self.key, head, row.round))
        return entry

    def accept(self, done: Prepared) -> None:
        """Make true what was prepared, now that it is in the store."""
        self._advance(done.row, done.outcome.events, done.outcome.state, done.links)

    def _advance(
        self, row: EntryRow, events: Iterable[ev.Event], state: TableState, links: Links
    ) -> None:
        self.state = state
        self.seq = row.seq
        self.at = row.at
        self.links = links
        self.recent[row.account, row.command_id] = row.seq
        if len(self.recent) > RECENT:
            _, self.recent_after = self.recent.popitem(last=False)
        happened = tuple(events)
        self.seen = self.seen.after(*happened)
        if any(isinstance(event, ev.RoundStarted) for event in happened):
            self.round_began = (row.seq, row.at)
            self.ready.clear()
            self._forget_rounds_before(row.seq)
        for event in happened:
            if isinstance(event, ev.TableClosed):
                self.status = "closed"
            elif isinstance(event, ev.WagersPlaced | ev.PlayerLeft):
                self.ready.discard(event.player)  # who changes the wagers asks for cards again
            elif isinstance(event, ev.ChipsBought) and event.player not in self.bots:
                self.people.setdefault(event.player, row.account)
        self._note_moment()
        self.told.append((row.seq, self._told(row.seq, row.at, happened)))

    def _note_moment(self) -> None:
        """Note since when the table waits for what it waits for."""
        state = self.state
        moment = (state.rounds, state.stage, *self.asked(), state.offer)
        if moment != self.moment:
            self.moment, self.moment_since = moment, self.seq

    def asked(self) -> tuple[Question | None, tuple[str, ...]]:
        """The question of now, and the cards of the hand that it is about."""
        here = self.state.round
        question = self.engine.question(self.state) if self.state.in_round else None
        box = here.box(question.position) if here is not None and question is not None else None
        if question is None or box is None:
            return question, ()
        return question, box.hands[question.hand].cards

    def _forget_rounds_before(self, seq: int) -> None:
        """Who comes anew is told of this round and what came right before it."""
        while len(self.told) > TOLD // 2 and self.told[0][0] < seq:
            self.told.popleft()

    # ------------------------------------------------------------------ deciding

    def is_new(self, account: str, command_id: str) -> bool:
        """Whether it is known, without the store, that a command with this id never acted."""
        after = made_after(command_id)
        if after is None or not self.recent_after <= after <= self.seq:
            return False
        return (account, command_id) not in self.recent

    def prepared(self, command: cm.Command, account: str, command_id: str) -> Prepared | Refusal:
        """What a command leads to, ready to be written."""
        outcome = self.engine.act(self.state, command)
        if isinstance(outcome, Refusal):
            return outcome
        links = Links(self.key, self.links.head, self.links.round)
        at = self._now()
        data = links.entry(Entry(outcome.command, outcome.events, at))
        seq = self.seq + 1
        row = EntryRow(self.id, seq, at, links.round, account, command_id, links.head, data)
        return Prepared(outcome, row, self._along(outcome, row, account, links), links)

    def _now(self) -> str:
        """The time, never before that of the last entry."""
        return max(stamp(datetime.now(UTC)), self.at)

    def _along(self, outcome: Outcome, row: EntryRow, account: str, links: Links) -> Along:
        movements: list[Movement] = []
        people: list[tuple[str, str]] = []
        punched: list[Punched] = []
        spent: list[str] = []
        began, ended = self.round_began, 0
        status = ""
        for event in outcome.events:
            match event:
                case ev.ChipsBought() if event.player not in self.bots:
                    people.append((event.player, account))
                    movements.append(Movement(account, -event.amount, "chips bought"))
                case ev.ChipsCashed() if event.player not in self.bots and event.amount:
                    owner = self.people[event.player]
                    movements.append(Movement(owner, event.amount, "chips cashed"))
                case ev.CardPunched() if event.player in self.people:
                    punched.append(self._punched(event))
                case ev.CardSurrendered():
                    spent.append(event.serial)
                case ev.RoundStarted():
                    began = (row.seq, row.at)
                case ev.RoundEnded():
                    ended = event.round
                case ev.TableClosed():
                    status = "closed"
        results: list[Any] = []
        if ended and outcome.state.round is not None:
            in_kind = self.tables.carry is not None and bool(self.tables.carry.prize_name)
            found = results_of(outcome.state.round, outcome.events, prize_in_kind=in_kind)
            results = [(one, self.people.get(one.player, "")) for one in found]
        snapshot = None
        if row.seq % SNAPSHOT_EVERY == 0:
            data = _kept_encoder.encode(Kept(outcome.state, self.seen.after(*outcome.events)))
            snapshot = Snapshot(row.seq, links.round, links.head, STATE_CODE, data)
        return Along(
            tuple(movements),
            tuple(people),
            tuple(punched),
            tuple(spent),
            began,
            ended,
            tuple(results),
            snapshot,
            status,
        )

    def _punched(self, event: ev.CardPunched) -> Punched:
        token = self.engine.players_card(event)
        owner = self.people[event.player]
        return Punched(event.serial, owner, event.player, self.tables.id, event.lights, token)

    def card_for(self, card: Punched, name: str) -> str:
        """A player's card as its owner can give it up here: under the name of now."""
        if card.player == name:
            return card.token
        return self.engine.players_card(
            ev.CardPunched(player=name, position=0, lights=card.lights, serial=card.serial)
        )

    # ------------------------------------------------------------------ who is there

    def name_of(self, account: str, name: str = "") -> str:
        """The name that an account has at this table: the one it sat down with."""
        for player, owner in self.people.items():
            if owner == account and self.state.player(player) is not None:
                return player
        return name

    def is_own(self, account: str, name: str) -> bool:
        """Whether a name is free for an account here: neither a bot's nor somebody else's."""
        return name not in self.bots and self.people.get(name, account) == account

    @property
    def is_at_rest(self) -> bool:
        """Whether the table is paused: a round in play comes to its end all the same."""
        return self.status == "paused" and not self.state.in_round

    @property
    def persons(self) -> tuple[str, ...]:
        """Who sits here and is no bot."""
        return tuple(
            player.name
            for player in self.state.players
            if player.seat and player.name not in self.bots
        )

    @property
    def standing(self) -> tuple[str, ...]:
        """Who has come to the table, with chips or not, and has no seat."""
        return tuple(player.name for player in self.state.players if not player.seat)

    @property
    def info(self) -> TableInfo:
        plan = self.tables.money.wagers[BASE]
        low = least(plan, self.tables.money)
        return TableInfo(
            id=self.id,
            name=self.row.name,
            game=self.tables.id,
            game_name=self.tables.title,
            fingerprint=self.tables.fingerprint,
            settings=dict(self.tables.settings),
            status=self.status,  # type: ignore[arg-type]
            demo=bool(self.row.demo),
            owner=self.row.owner,
            opened=self.row.opened,
            positions=len(self.state.positions),
            seats=tuple(
                SeatInfo(player.seat, player.name, player.name in self.bots)
                for player in self.state.players
                if player.seat
            ),
            minimum=low,
            maximum=max(plan.amounts, default=0) or plan.maximum,
            seconds=self.spec.seconds,
            wager_seconds=self.spec.wager_seconds,
            speed=self.spec.speed,
            bots=len(self.bots),
            rounds=self.state.rounds,
            listed=self.spec.listed,
        )

    # ------------------------------------------------------------------ money

    def at_risk_of(self, account: str) -> int:
        """What an account has at risk here, under any name."""
        names = [player for player, owner in self.people.items() if owner == account]
        return sum(self.at_risk(name) for name in names)

    def at_risk(self, name: str) -> int:
        """What somebody has on the layout or in the bank, not yet settled."""
        here = self.state.round
        bank = self.state.bank
        banked = bank.amount if bank and bank.player == name and not bank.returned else 0
        if here is None or here.over:
            bets = (bet for bet in self.state.bets if bet.player == name)
            return banked + sum(bet.total + self.fee_on(bet.wagers, bet.position) for bet in bets)
        stakes = (
            stake.total
            for box in here.boxes
            for hand in box.hands
            for stake in hand.stakes
            if stake.player == name and stake.settled is None
        )
        sides = (
            side.amount
            for box in here.boxes
            for side in box.sides
            if side.player == name and side.settled is None
        )
        fees = (fee.amount for fee in here.paid_fees if fee.player == name)
        return banked + sum(stakes) + sum(sides) + sum(fees)

    def fee_on(self, wagers: Mapping[str, int], position: int) -> int:
        """What the table takes for wagers at a position, whatever becomes of them."""
        plan = self.tables.money.fees
        if plan is None or not wagers:
            return 0
        try:
            return plan.quote([dict(wagers)], numbers=[position]).seats[0].fee
        except UpcardError:
            return 0  # there is no such wager: the table says so

    def price_of(self, decision: cm.AnyDecision) -> int:
        """What a decision adds to what is at risk; nothing where it is not asked."""
        question = self.engine.question(self.state) if self.state.in_round else None
        here = self.state.round
        if question is None or here is None or question.position != decision.position:
            return 0
        box = here.box(question.position)
        assert box is not None
        hand = box.hands[question.hand]
        action = meant(cm.action_of(decision), question.actions)
        full = price(self.engine.look, box, hand, action)
        amount = min(full, cm.amount_of(decision) or full)
        if not amount:
            return 0
        plan = self.tables.money.fees
        if plan is None or not plan.on_added_wagers or isinstance(decision, cm.Insure):
            return amount
        return amount + self.fee_on({BASE: amount}, decision.position)

    # ------------------------------------------------------------------ telling

    def _told(self, seq: int, at: str, events: Iterable[ev.Event]) -> bytes:
        parts = [_told_event(self.engine, event) for event in events]
        return b'{"seq":%d,"at":"%b","events":[%b]}' % (seq, at.encode(), b",".join(parts))

    def view_bytes(self) -> bytes:
        """The table as the public sees it; the sign, which never changes, is told once."""
        seen = msgspec.structs.asdict(view(self.engine, self.state, PUBLIC))
        del seen["sign"]
        seen["viewer"] = None
        return _encoder.encode({name: value for name, value in seen.items() if value is not None})

    def you(self, account: str, name: str, wallet: int, cards: tuple[str, ...]) -> You:
        own = self.name_of(account, name)
        player = self.state.player(own)
        there = player is not None and self.people.get(own) == account
        return You(
            name=own,
            seat=player.seat if player is not None and there else 0,
            chips=self.state.chips(own) if there else 0,
            wallet=wallet,
            cards=cards,
        )

    def update(self, shared_clock: ClockSeen) -> bytes:
        """The last stroke as a message without `you`, open at its end."""
        _, told = self.told[-1]
        return b'{"type":"update",%b,"view":%b%b' % (
            told[1:-1],
            self.view_bytes(),
            self._tail(shared_clock),
        )

    def status_message(self) -> bytes:
        return b'{"type":"status","seq":%d%b' % (self.seq, self._tail(self.clock))

    def _tail(self, clock: ClockSeen) -> bytes:
        return b',"clock":%b,"status":%b,"ready":%b' % (
            _encoder.encode(clock),
            _encoder.encode(self.status),
            _encoder.encode(sorted(self.ready)),
        )

    def welcome(self, table: bytes, told: Iterable[bytes], *, whole: bool) -> bytes:
        """The first message of a line, without `you`, open at its end."""
        return b'{"type":"welcome","protocol":%d,"seq":%d,"table":%b,"view":%b,"told":[%b]%b%b' % (
            PROTOCOL,
            self.seq,
            table,
            self.view_bytes(),
            b",".join(told),
            b',"whole":true' if whole else b',"whole":false',
            self._tail(self.clock),
        )

    def told_after(self, seq: int) -> list[bytes] | None:
        """What happened after an entry, if all of it is remembered."""
        if seq >= self.seq:
            return []
        if not self.told or self.told[0][0] > seq + 1:
            return None
        return [told for number, told in self.told if number > seq]

    def told_of_round(self) -> list[bytes]:
        """What happened in the last round and since."""
        first = self.round_began[0]
        return [told for number, told in self.told if number >= first]


def _told_event(engine: Engine, event: ev.Event) -> bytes:
    seen = redacted(event, PUBLIC)
    words = sentence(engine, seen)
    return _encoder.encode(seen)[:-1] + b',"words":' + _encoder.encode(words) + b"}"


def told_row(engine: Engine, row: EntryRow) -> bytes:
    """An entry of the store as it is told to the public."""
    parts = b",".join(_told_event(engine, event) for event in events_of(row))
    return b'{"seq":%d,"at":"%b","events":[%b]}' % (row.seq, row.at.encode(), parts)


def events_of(row: EntryRow) -> list[ev.Event]:
    """The events of an entry of the store, with all that is hidden."""
    return [
        value
        for line in row.data.splitlines()
        if not isinstance(value := _read_line(line).event, msgspec.UnsetType)
    ]


class _Line(msgspec.Struct):
    event: ev.Event | msgspec.UnsetType = msgspec.UNSET


_read_line = msgspec.json.Decoder(_Line).decode
