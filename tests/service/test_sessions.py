"""Random sessions of all games: money, results, snapshots, and that nothing hidden is told."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
import sqlalchemy as sa

from chance import dice
from service.hidden import Hidden
from service.houses import Person, a_house, guests, in_loop, need_whole, play, quick_table, settled
from upcard import GAME_IDS
from upcard.service import records, schema
from upcard.service.house import House
from upcard.service.running import SNAPSHOT_EVERY, STATE_CODE, RunningTable
from upcard.service.specs import EntryRow
from upcard.table import events as ev
from upcard.table.chain import RecordLine
from upcard.table.ledger import account
from upcard.table.state import TableState

SETTINGS = {"ten-sticks-21": {"players_card": "true"}}
ROUNDS = 6


async def _session(house: House, game: str) -> tuple[RunningTable, list[Person]]:
    """Two people and two bots play until there is a snapshot; one of them leaves and comes back."""
    table = await quick_table(house, game, bots=2, settings=SETTINGS.get(game, {}))
    throws = dice(game)
    people = [
        Person(house, table.id, who, random.Random(throws.random()))
        for who in await guests(house, 2)
    ]
    for one in people:
        await one.come()
    await play(house, people, ROUNDS // 2)
    await people[0].do({"command": "Leave"})
    await settled(house)
    people[0].go()
    await people[0].come(people[0].brain.seq)
    await play(house, people, ROUNDS // 2)
    while table.seq < SNAPSHOT_EVERY:
        await play(house, people, 1)
    return table, people


@pytest.mark.chance
@pytest.mark.parametrize("game", GAME_IDS)
@in_loop
async def test_every_session(sqlite_url: str, game: str) -> None:
    async with a_house(sqlite_url) as house:
        table, people = await _session(house, game)
        public = await house.subscribe(table.id, None, 0)
        public.close()
        told = [await house.round_told(table.id, n + 1) for n in range(table.state.rounds)]
        await need_whole(house)
        await _need_results(house, table)
        await _need_same_fold(house, table)
        hidden = Hidden(house, table)
        _, rows = await house.record_rows(table.id)
        for row in rows:
            hidden.take(row)
        assert hidden.changed > ROUNDS
        assert hidden.try_everything() > 20 * ROUNDS
        for one in people:
            assert len(one.said) > 4 * ROUNDS
            for message in one.said:
                hidden.look_at(message, one.account.id)
        async for message in public:
            hidden.look_at(message)
        for stroke in (stroke for strokes in told for stroke in strokes):
            hidden.look_at(msgspec.json.encode(stroke))


async def _need_results(house: House, table: RunningTable) -> None:
    """What the results say of a round is what it did to everybody's chips."""
    _, rows = await house.record_rows(table.id)
    state = table.engine.fold(())
    told: Counter[str] = Counter()
    for info in await house.rounds(table.id, limit=1000):
        for result in info.results:
            told[result.player] += result.net
            owner = table.people.get(result.player, "")
            assert result.account == owner
    rounds = {info.round: info for info in await house.rounds(table.id, limit=1000)}
    assert sorted(rounds) == list(range(1, table.state.rounds + 1))
    held: dict[str, int] = {}
    number = 0
    for row in rows:
        for line in row.data.splitlines():
            event = msgspec.json.decode(line, type=RecordLine).event
            if isinstance(event, msgspec.UnsetType):
                continue
            if isinstance(event, ev.RoundStarted):
                number = event.round
                held = _worth(state)
            state = table.engine.evolve(state, event)
            if isinstance(event, ev.RoundEnded):
                after = _worth(state)
                own = rounds[number].results
                for player in after:
                    net = sum(result.net for result in own if result.player == player)
                    assert after[player] - held.get(player, 0) == net, (number, player)
    worth = _worth(state)
    for name in worth:
        if name in table.people:
            mine = await house.store.read(records.purse_of, table.people[name])
            assert mine + worth[name] == records.FIRST_PURSE + told[name]


def _worth(state: TableState) -> dict[str, int]:
    """Everybody's chips, with what lies on the layout and in the bank."""
    found = {player.name: state.ledger.balance(account(player.name)) for player in state.players}
    for bet in state.bets:
        found[bet.player] += bet.total
    if state.bank is not None and not state.bank.returned and not state.in_round:
        found[state.bank.player] += state.bank.amount
    return found


async def _need_same_fold(house: House, table: RunningTable) -> None:
    """From the last snapshot on, or from the beginning: it is the same table."""
    row, rows, snapshot = await house.store.read(_stored, table.id)
    assert snapshot is not None
    assert snapshot.seq >= SNAPSHOT_EVERY
    whole = RunningTable(row, table.engine, house.key)
    whole.restore(None, rows)
    short = RunningTable(row, table.engine, house.key)
    short.restore(snapshot, rows[snapshot.seq :])
    for one in (whole, short):
        assert (one.seq, one.state, one.seen) == (table.seq, table.state, table.seen)
        assert (one.links.head, one.links.round) == (table.links.head, table.links.round)
    assert whole.people == {
        player: owner for player, owner in table.people.items() if player not in table.bots
    }


def _stored(
    connection: sa.Connection, table: str
) -> tuple[records.TableRow, list[EntryRow], records.Snapshot | None]:
    row = records.find_table(connection, table)
    assert row is not None
    count = sa.select(sa.func.count()).select_from(schema.snapshots)
    assert connection.execute(count).scalar_one() == 1
    snapshot = records.last_snapshot(connection, table, STATE_CODE)
    return row, records.entries_after(connection, table, 0), snapshot
