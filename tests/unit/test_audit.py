"""The audit of a house: all of it in one chain, and purses and tables agree to the cent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import Raw

import chance
from bot_sessions import bot_log, do, seconds
from conftest import compiled
from records import EDITS, KEY, OTHER_KEY, joined, lines, record_of
from shell import upcard
from upcard import GAME_IDS, tables_for
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.service.audit import (
    AccountRow,
    AuditedEntry,
    AuditLine,
    AuditWriter,
    PurseRow,
    RoleRow,
    TableRow,
    audit_lines,
    is_audit,
)
from upcard.service.audit_proof import Audited, verify_audit
from upcard.service.public_record import entries_of
from upcard.service.results import results_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.chain import digest
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.keys import TableKey
from upcard.table.notation import write_log
from upcard.table.players_cards import Casino, PlayersCard
from upcard.table.session import Log, Session
from upcard.table.shoe import secret_from

AT = "2026-02-01T00:00:00.000Z"
ACCOUNTS = (AccountRow("a1", "Ann", "player"), AccountRow("b2", "Bo", "operator"))
"""Cy has no account: a bot of the house."""
BY_NAME = {account.name: account.id for account in ACCOUNTS}
TOP_UPS = tuple(PurseRow(account.id, 100_000_000, AT, why="play money") for account in ACCOUNTS)
"""Without them a purse would fall below nothing."""


class Row(NamedTuple):
    """An entry as the store has it."""

    seq: int
    account: str
    command_id: str
    data: bytes


class Table(NamedTuple):
    id: str
    name: str
    title: bytes
    entries: list[Row]


def table_id(game: str) -> str:
    """The name under which the bots opened their table."""
    return f"bots {game}"


@cache
def kept(game: str, *, closed: bool = True) -> Table:
    """A table of the house, from a session of bots."""
    data = record_of(game, 3, closed=closed)
    rows = []
    for seq, entry in enumerate(entries_of(data), 1):
        told = json.loads(lines(entry)[0])["command"]
        account = BY_NAME.get(told.get("player", ""), "")
        command = f"c{seq}" if account else ""
        rows.append(Row(seq, account, command, entry))
    return Table(table_id(game), f"Table of {game}", data[: data.index(b"\n") + 1], rows)


def movements(game: str, *, closed: bool = True) -> list[PurseRow]:
    log: Log = bot_log(game, 3, closed=closed)
    found = []
    for seq, entry in enumerate(log.entries, 1):
        for event in entry.events:
            if isinstance(event, ev.ChipsBought | ev.ChipsCashed) and event.player in BY_NAME:
                sign = -1 if isinstance(event, ev.ChipsBought) else 1
                who, amount = event.player, sign * event.amount
                found.append(PurseRow(BY_NAME[who], amount, entry.at, who, table_id(game), seq))
    return found


def results(game: str) -> list[dict[str, Any]]:
    """The results of a closed table, as its house keeps them round by round."""
    tables = compiled(game)
    in_kind = tables.carry is not None and bool(tables.carry.prize_name)
    engine, state = Engine(tables), NEW_TABLE
    found = []
    for entry in bot_log(game, 3).entries:
        for event in entry.events:
            state = engine.evolve(state, event)
        for event in entry.events:
            if not isinstance(event, ev.RoundEnded):
                continue
            assert state.round is not None
            for one in results_of(state.round, entry.events, prize_in_kind=in_kind):
                more = {"table_id": table_id(game), "round": event.round, "ended": entry.at}
                found.append(one._asdict() | more | {"account": BY_NAME.get(one.player, "")})
    return found


def written(**changes: Any) -> bytes:
    """The audit of a house with a closed table of two games and one that is open."""
    rows: dict[str, Any] = {
        "accounts": ACCOUNTS,
        "roles": [RoleRow("b2", "operator", AT, "a1")],
        "tables": [kept("twisted-21"), kept("blackjack", closed=False), kept("ten-sticks-21")],
        "key": KEY,
    } | changes
    games = [
        (table.id.removeprefix("bots "), b"TableClosed" in table.entries[-1].data)
        for table in rows["tables"]
    ]
    if "purses" not in rows:
        rows["purses"] = [row for game, closed in games for row in movements(game, closed=closed)]
    if "results" not in rows:
        rows["results"] = [row for game, closed in games if closed for row in results(game)]
    rows["purses"] = [*TOP_UPS, *rows["purses"]]
    return b"".join(audit_lines("the house", AT, **rows))


def load(log: Log) -> GameTables:
    return compiled(log.game, **log.settings)


def audited(data: bytes, **more: Any) -> Audited:
    return verify_audit(data.splitlines(keepends=True), load, **more)


def broken(data: bytes) -> dict[str, str]:
    """What does not hold, by the name of the check."""
    try:
        found = audited(data)
    except UpcardError as error:
        return {"audit": str(error)}
    return {check.name: check.found for check in found.checks if not check.holds}


def test_an_audit_of_a_house_holds() -> None:
    found = audited(written())
    assert broken(written()) == {}
    by_name = {check.name: check for check in found.checks}
    assert "2 closed tables with whole records that hold" in by_name["tables"].found
    assert "1 open table with public records" in by_name["tables"].found
    assert not by_name["tables"].proven
    assert "players without a purse cashed" in by_name["purses"].found
    assert f"sealed by the key {KEY.public[:32]}" in by_name["chain"].found
    assert (found.counts.tables, found.counts.accounts) == (3, 2)
    assert f"{found.counts.results} results of rounds" in by_name["results"].found
    assert found.counts.results == len(results("twisted-21") + results("ten-sticks-21")) > 9
    assert found.head == digest(lines(written())[-1])


def test_all_games_hold() -> None:
    tables = [kept(game) for game in GAME_IDS]
    purses = [row for game in GAME_IDS for row in movements(game)]
    found = audited(written(tables=tables, purses=purses))
    assert [check for check in found.checks if not check.holds] == []
    (unproven,) = [check for check in found.checks if not check.proven]
    assert unproven.found.endswith("1 of them not proven in all: bots twisted-21 (shuffle)")
    whole = [table for table in tables if table.id != "bots twisted-21"]
    assert all(check.proven for check in audited(written(tables=whole)).checks)


def test_an_open_table_tells_no_secret() -> None:
    """Nobody may know the cards to come, an auditor neither."""
    opening = next(iter(bot_log("blackjack", 3, closed=False).events))
    assert isinstance(opening, ev.TableOpened)
    data = written()
    table = next(line for line in lines(data) if b'"id":"bots blackjack"' in line)
    assert opening.secret.encode() not in data
    assert json.loads(table)["table"]["withheld"] > 0
    own = [json.loads(line).get("entry", {}) for line in lines(data)]
    shown = [entry for entry in own if entry.get("table") == "bots blackjack"]
    assert set(shown[0]["lines"][0]) == {"hidden"}
    assert not [line for entry in shown for line in entry["lines"] if "ShoeShuffled" in str(line)]


def test_lines_of_tables_are_kept_byte_for_byte() -> None:
    rest = lines(written())[1:]
    found = [msgspec.json.decode(line, type=AuditLine).entry for line in rest]
    of_table = [one for one in found if one and one.table == "bots twisted-21"]
    own = [bytes(raw) for one in of_table for raw in one.lines]
    assert own == lines(record_of("twisted-21", 3))[1:]


@pytest.mark.chance
def test_every_edit_of_an_audit_is_found() -> None:
    rng = chance.dice("audits")
    data = written(tables=[kept("twisted-21")], purses=movements("twisted-21"))
    edits = [edit for edit in EDITS if edit.__name__ not in ("drop_an_entry", "splice")]
    for number in range(5 * len(edits)):
        edit = edits[number % len(edits)]
        assert broken(edit(data, rng)), f"{edit.__name__} {number} was not found"


def test_a_cut_at_the_end_is_found() -> None:
    parts = lines(written())
    assert "the last line is missing" in broken(joined(parts[:-1]))["chain"]
    assert "cut" in broken(joined(parts)[:-1])["chain"]
    assert broken(b"") == {"chain": "there is no line"}


# ------------------------------------------------------------------ houses that lie


def changed(change: Callable[[list[PurseRow]], list[PurseRow]]) -> dict[str, str]:
    purses = change(movements("twisted-21"))
    return broken(written(tables=[kept("twisted-21")], purses=purses))


def test_a_cent_too_much_is_found() -> None:
    def more(rows: list[PurseRow]) -> list[PurseRow]:
        return [msgspec.structs.replace(rows[-1], amount=rows[-1].amount + 1), *rows[:-1]]

    assert "and the purse" in changed(more)["purses"]


def test_a_movement_that_is_missing_or_made_up_is_found() -> None:
    assert "and the purse $0" in changed(lambda rows: rows[1:])["purses"]
    other = PurseRow("a1", 500, AT, "Ann", "bots twisted-21", 999)
    assert "entry 999" in changed(lambda rows: [*rows, other])["purses"]
    assert "and the purse" in changed(lambda rows: [*rows, rows[0]])["purses"]


def test_the_purse_of_another_is_found() -> None:
    def swapped(rows: list[PurseRow]) -> list[PurseRow]:
        return [msgspec.structs.replace(rows[0], account="b2"), *rows[1:]]

    assert "Bo's purse moves for Ann's chips" in changed(swapped)["purses"]
    nobody = PurseRow("x9", 500, AT)
    assert "has no account" in changed(lambda rows: [*rows, nobody])["purses"]


def test_every_entry_of_an_open_table_has_its_own_lines() -> None:
    table = kept("twisted-21", closed=False)
    data = written(tables=[table], purses=movements("twisted-21", closed=False))
    rows = [json.loads(line) for line in data.splitlines()]
    entries = [row["entry"] for row in rows if "entry" in row]
    assert len(entries) == len(table.entries), "nothing is withheld: every shoe is opened"
    assert list(entries[0]["lines"][0]) == ["hidden"]
    for entry, row in zip(entries[1:], table.entries[1:], strict=True):
        assert entry["lines"] == [json.loads(line) for line in row.data.splitlines()]
    assert broken(data) == {}


@pytest.mark.parametrize("closed", [True, False])
def test_a_guest_who_registered_still_has_the_old_name_at_tables(closed: bool) -> None:
    renamed = (AccountRow("a1", "Clara", "player"), ACCOUNTS[1])
    tables = [kept("twisted-21", closed=closed)]
    purses = movements("twisted-21", closed=closed)
    assert broken(written(accounts=renamed, tables=tables, purses=purses)) == {}
    theirs = [row for row in purses if row.account == "b2"]
    assert theirs != purses, "and a missing movement is found under the old name too"
    assert "for Ann" in broken(written(accounts=renamed, tables=tables, purses=theirs))["purses"]
    swapped = [msgspec.structs.replace(purses[0], account="b2"), *purses[1:]]
    found = broken(written(accounts=renamed, tables=tables, purses=swapped))
    assert "Bo's purse moves for Ann's chips" in found["purses"]


def with_rows(change: Callable[[list[Row]], list[Row]]) -> dict[str, str]:
    table = kept("twisted-21")
    table = table._replace(entries=change(list(table.entries)))
    return broken(written(tables=[table], purses=movements("twisted-21")))


def test_a_command_that_acts_twice_is_found() -> None:
    def twice(rows: list[Row]) -> list[Row]:
        own = [n for n, row in enumerate(rows) if row.account == "a1"]
        rows[own[1]] = rows[own[1]]._replace(command_id=rows[own[0]].command_id)
        return rows

    def nameless(rows: list[Row]) -> list[Row]:
        return [row._replace(command_id="") for row in rows]

    assert "acts twice" in with_rows(twice)["commands"]
    assert "has no command id" in with_rows(nameless)["commands"]


def test_an_entry_that_is_missing_is_found() -> None:
    found = with_rows(lambda rows: [*rows[:3], *rows[4:]])
    assert "is entry 5 where entry 4 belongs" in found["chain"]
    assert "does not follow from the line before" in found["tables"]


def test_a_table_with_another_story_is_found() -> None:
    def forged(rows: list[Row]) -> list[Row]:
        return [
            row._replace(data=row.data.replace(b'"face":"up"', b'"face":"down"')) for row in rows
        ]

    assert "bots twisted-21: chain" in with_rows(forged)["tables"]
    twice = [kept("twisted-21"), kept("twisted-21")]
    assert "is there twice" in broken(written(tables=twice))["tables"]


def test_counts_and_seal_are_checked() -> None:
    parts = [json.loads(line) for line in lines(written())]
    parts[-1]["end"]["purses"] += 1
    data = joined([*lines(written())[:-1], msgspec.json.encode(parts[-1])])
    assert "counts other lines" in broken(data)["chain"]
    writer = AuditWriter("the house", AT, KEY)
    head = writer.begin()
    writer.key = OTHER_KEY
    assert "the seal is not the signature" in broken(head + writer.end())["chain"]
    unsealed = audited(b"".join(audit_lines("the house", AT)))
    assert unsealed.holds
    assert not unsealed.checks[0].proven


def as_it_is(
    table: Table,
    purses: Iterable[PurseRow] = (),
    *,
    withheld: int = 0,
    purses_first: bool = False,
    accounts: Iterable[AccountRow] = ACCOUNTS,
) -> bytes:
    """An audit by a house that writes tables just as it likes."""
    writer = AuditWriter("the house", AT, KEY)
    told = [writer.begin(), *map(writer.account, accounts)]
    rows = [*TOP_UPS, *purses]
    told += map(writer.purse, rows if purses_first else ())
    row = TableRow(table.id, Raw(table.title[:-1]), table.name, withheld)
    told.append(writer.row("tables", AuditLine(writer.head, table=row)))
    for entry in table.entries:
        raw = tuple(map(Raw, lines(entry.data)))
        audited_ = AuditedEntry(table.id, entry.seq, raw, entry.account, entry.command_id)
        told.append(writer.row("entries", AuditLine(writer.head, entry=audited_)))
    told += map(writer.purse, () if purses_first else rows)
    told += map(writer.result, results("twisted-21"))
    return b"".join([*told, writer.end()])


def table_of(log: Log, id_: str, key: TableKey | None = KEY) -> Table:
    """A table of the house with this record."""
    data = write_log(log, key).encode()
    rows = []
    for seq, entry in enumerate(entries_of(data), 1):
        account = BY_NAME.get(json.loads(lines(entry)[0])["command"].get("player", ""), "")
        rows.append(Row(seq, account, f"c{seq}" if account else "", entry))
    return Table(id_, id_, data[: data.index(b"\n") + 1], rows)


def moved(log: Log, id_: str) -> list[PurseRow]:
    """What Ann bought and cashed at a table."""
    found = []
    for seq, entry in enumerate(log.entries, 1):
        for event in entry.events:
            if isinstance(event, ev.ChipsBought | ev.ChipsCashed):
                sign = -1 if isinstance(event, ev.ChipsBought) else 1
                found.append(PurseRow("a1", sign * event.amount, entry.at, "Ann", id_, seq))
    return found


def test_an_honest_house_may_write_so() -> None:
    assert broken(as_it_is(kept("twisted-21"), movements("twisted-21"))) == {}


def test_what_is_no_list_of_lines_is_told_in_a_sentence() -> None:
    parts = [json.loads(line) for line in lines(written())]
    place = next(number for number, part in enumerate(parts) if "entry" in part)
    for change, words in (
        ({"lines": ""}, 'entry.lines: "" is not allowed here: a list'),
        ({"seq": "x"}, 'entry.seq: "x" is not allowed here: a whole number'),
    ):
        part = parts[place] | {"entry": parts[place]["entry"] | change}
        told = lines(written())
        told[place] = msgspec.json.encode(part)
        assert words in broken(joined(told))["audit"]


def test_a_closed_table_without_its_end_is_found() -> None:
    table = kept("twisted-21")
    end = next(n for n, row in enumerate(table.entries) if b'"RoundStarted","round":2' in row.data)
    cut = table._replace(entries=table.entries[:end])
    purses = [row for row in movements("twisted-21") if row.seq <= end]
    assert "its end is missing" in broken(as_it_is(cut, purses))["tables"]


def test_what_is_not_proven_of_a_table_is_said() -> None:
    session = Session(compiled("blackjack"), clock=seconds())
    do(session, cm.OpenTable(table="t1", secret=secret_from("t1"), scripted=True))
    do(session, cm.BuyIn(player="Ann", amount=100_000))
    do(session, cm.Sit(player="Ann", seat=1))
    do(session, cm.StackShoe(cards=("Ts", "9h", "8s", "Td")))
    do(session, cm.CloseTable())
    log = session.log()
    found = audited(
        written(tables=[table_of(log, "t1", None)], purses=moved(log, "t1"), results=[])
    )
    tables = found.checks[1]
    assert tables.holds
    assert not tables.proven
    assert "1 of them not proven in all: t1 (chain, shuffle" in tables.found


def test_nothing_is_withheld_of_a_whole_record() -> None:
    table, purses = kept("twisted-21"), movements("twisted-21")
    extra = PurseRow("a1", -500, AT, "Ann", table.id, len(table.entries) + 1)
    found = broken(as_it_is(table, [*purses, extra], withheld=50))
    assert "50 entries cannot be withheld" in found["tables"]
    assert f"entry {extra.seq}" in found["purses"]
    assert "cannot be withheld" in broken(as_it_is(table, purses, withheld=-5))["tables"]


def test_a_purse_below_nothing_is_found() -> None:
    fee = PurseRow("a1", -(10**12), AT, why="fee of the house")
    assert "Ann's purse falls to -$9,999," in changed(lambda rows: [*rows, fee])["purses"]
    poor = written(tables=[], results=[], purses=[PurseRow("a1", -100_000_001, AT, why="a fee")])
    assert broken(poor) == {"purses": "Ann's purse falls to -$0.01"}


def test_lines_come_in_the_order_of_their_kinds() -> None:
    """A purse before the tables would be held against nothing."""
    accounts = (AccountRow("a1", "Clara", "player"), AccountRow("x9", "Ann", "player"), ACCOUNTS[1])
    purses = [
        msgspec.structs.replace(row, account="x9") if row.account == "a1" else row
        for row in [*TOP_UPS, *movements("twisted-21")]
    ]
    early = as_it_is(kept("twisted-21"), purses, purses_first=True, accounts=accounts)
    assert "is a line of the kind table behind kinds" in broken(early)["chain"]
    late = as_it_is(kept("twisted-21"), purses, accounts=accounts)
    assert "Ann's purse moves for Ann's chips" in broken(late)["purses"]


def test_results_that_the_tables_do_not_give_are_found() -> None:
    own = results("twisted-21")
    lie = own[0] | {"net": 99_999_999}
    nowhere = own[0] | {"table_id": "nowhere"}
    for told, words in {
        "another": ([lie, *own[1:]], "is not what the record"),
        "another account": ([own[0] | {"account": "b2x"}, *own[1:]], "is not what the record"),
        "twice": ([*own, own[0]], "is not what the record"),
        "missing": (own[1:], "are missing"),
        "no table": ([*own, nowhere], "of a table that is not there"),
        "no name": ([*own, own[0] | {"table_id": ["x"]}], "of a table that is not there"),
    }.values():
        assert words in broken(written(tables=[kept("twisted-21")], results=told))["results"]


def test_results_of_open_tables_are_not_checked_and_it_says_so() -> None:
    told = [results("twisted-21")[0]]
    data = written(tables=[kept("twisted-21", closed=False)], results=told)
    (check,) = [check for check in audited(data).checks if check.name == "results"]
    assert (check.holds, check.proven) == (True, False)
    assert "1 of tables without a whole record that holds: not checked" in check.found


def test_who_asked_is_the_holder_of_the_player() -> None:
    def asked_by(account: str) -> Callable[[list[Row]], list[Row]]:
        def change(rows: list[Row]) -> list[Row]:
            return [
                row._replace(account=account, command_id=f"x{row.seq}")
                if row.account == "a1" and b'"PlaceWagers"' in row.data
                else row
                for row in rows
            ]

        return change

    def closed_by(account: str) -> Callable[[list[Row]], list[Row]]:
        return lambda rows: [
            row._replace(account=account, command_id=f"x{row.seq}")
            if b'"command":"Leave"' in row.data or b'"command":"CloseTable"' in row.data
            else row
            for row in rows
        ]

    assert "Bo commands for Ann by entry" in with_rows(asked_by("b2"))["commands"]
    assert "an account that is not there" in with_rows(asked_by("ghost"))["commands"]
    assert with_rows(closed_by("b2")) == {}, "an operator closes a table"
    assert "Ann commands for" in with_rows(closed_by("a1"))["commands"]


def test_one_record_is_one_table() -> None:
    table, purses = kept("twisted-21"), movements("twisted-21")
    copy = table._replace(id="copy")
    more = [msgspec.structs.replace(row, table="copy") for row in purses]
    found = broken(written(tables=[table, copy], purses=[*purses, *more], results=[]))
    assert "copy: is the record of another table" in found["tables"]
    still_open = kept("twisted-21", closed=False)._replace(id="copy")
    more = [row for row in more if row.seq <= len(still_open.entries)]
    tables = [table, still_open]
    found = broken(written(tables=tables, purses=[*purses, *more], results=results("twisted-21")))
    assert list(found) == ["tables"]
    assert "copy: has the same secret as bots twisted-21" in found["tables"]


def test_one_secret_is_of_one_table() -> None:
    def opened(id_: str) -> Log:
        session = Session(compiled("blackjack"), clock=seconds())
        do(session, cm.OpenTable(table=id_, secret=secret_from("one")))
        do(session, cm.CloseTable())
        return session.log()

    tables = [table_of(opened(id_), id_) for id_ in ("t1", "t2")]
    assert broken(written(tables=tables[:1], purses=[], results=[])) == {}
    found = broken(written(tables=tables, purses=[], results=[]))
    assert found == {"tables": "t2: has the same secret as t1, so their shoes are alike"}


def test_two_entries_in_one_are_found() -> None:
    """One account would have asked for both."""
    table = kept("twisted-21")
    first, second, *rest = table.entries
    both = [first._replace(data=first.data + second.data)]
    both += [row._replace(seq=row.seq - 1) for row in rest]
    found = broken(as_it_is(table._replace(entries=both), movements("twisted-21")))
    assert "is not one entry of the record" in found["tables"]


def test_a_players_card_is_given_up_once() -> None:
    casino = Casino("Club", "k")
    token = casino.punch(PlayersCard("Club", "ten-sticks-21", "Ann", "a" * 24, 9))

    def played(id_: str) -> Log:
        session = Session(
            tables_for("ten-sticks-21", {"players_card": "true"}), clock=seconds(), casino=casino
        )
        do(session, cm.OpenTable(table=id_, secret=secret_from(id_)))
        do(session, cm.BuyIn(player="Ann", amount=100_000))
        do(session, cm.Sit(player="Ann", seat=1))
        do(session, cm.PresentCard(player="Ann", position=1, token=token))
        do(session, cm.Leave(player="Ann"))
        do(session, cm.CloseTable())
        return session.log()

    logs = {id_: played(id_) for id_ in ("t1", "t2")}
    tables = [table_of(log, id_) for id_, log in logs.items()]
    purses = [row for id_, log in logs.items() for row in moved(log, id_)]
    once = written(tables=tables[:1], purses=moved(logs["t1"], "t1"), results=[])
    assert broken(once) == {}
    found = broken(written(tables=tables, purses=purses, results=[]))
    assert "t2: takes a player's card that was given up at t1 already" in found["tables"]


def test_an_account_is_there_once() -> None:
    accounts = (*ACCOUNTS, AccountRow("a1", "Mallory", "operator"))
    assert "is the account a1 a second time" in broken(written(accounts=accounts))["chain"]


def test_tables_have_the_key_of_the_audit() -> None:
    table = table_of(bot_log("twisted-21", 3), "bots twisted-21", OTHER_KEY)
    found = broken(written(tables=[table]))
    assert "is signed by another key than the audit" in found["tables"]


# ------------------------------------------------------------------ the command


def test_verify_takes_an_audit(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(written())
    assert is_audit(path.read_bytes())
    head = digest(lines(written())[-1])
    done = upcard("verify", str(path), "--head", head, "--key", KEY.public)
    assert done.status == 0, done.out
    assert "purses" in done.out
    assert head in done.out
    told = upcard("verify", str(path), "--json").data
    assert (told["audit"], told["holds"], told["counts"]["tables"]) == (True, True, 3)
    assert upcard("verify", str(path), "--head", "ab" * 32).status == 1
    assert upcard("verify", str(path), "--promise", "ab" * 32).status != 0
    path.write_bytes(written().replace(b'"role":"operator"', b'"role":"auditor"', 1))
    assert upcard("verify", str(path)).status == 1


def test_an_audit_among_records_is_named(tmp_path: Path) -> None:
    (tmp_path / "audit.jsonl").write_bytes(written())
    (tmp_path / "record.jsonl").write_bytes(record_of("twisted-21", 3))
    done = upcard("verify", str(tmp_path))
    assert done.status == 1
    assert "is an audit of a house" in " ".join(done.out.split())
