"""The audit of a house: all of it in one chain, and purses and tables agree to the cent."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import chance
from bot_sessions import bot_log
from conftest import compiled
from records import EDITS, KEY, OTHER_KEY, joined, lines, record_of
from shell import upcard
from upcard import GAME_IDS
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.service.audit import (
    AccountRow,
    AuditLine,
    AuditWriter,
    PurseRow,
    RoleRow,
    audit_lines,
    is_audit,
)
from upcard.service.audit_proof import Audited, verify_audit
from upcard.service.public_record import entries_of
from upcard.table import events as ev
from upcard.table.chain import digest
from upcard.table.session import Log

AT = "2026-02-01T00:00:00.000Z"
ACCOUNTS = (AccountRow("a1", "Ann", "player"), AccountRow("b2", "Bo", "operator"))
"""Cy has no account: a bot of the house."""
BY_NAME = {account.name: account.id for account in ACCOUNTS}


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
    return Table(f"t-{game}", f"Table of {game}", data[: data.index(b"\n") + 1], rows)


def movements(game: str, *, closed: bool = True) -> list[PurseRow]:
    log: Log = bot_log(game, 3, closed=closed)
    found = []
    for seq, entry in enumerate(log.entries, 1):
        for event in entry.events:
            if isinstance(event, ev.ChipsBought | ev.ChipsCashed) and event.player in BY_NAME:
                sign = -1 if isinstance(event, ev.ChipsBought) else 1
                who, amount = event.player, sign * event.amount
                found.append(PurseRow(BY_NAME[who], amount, entry.at, who, f"t-{game}", seq))
    return found


def written(**changes: Any) -> bytes:
    """The audit of a house with a closed table of two games and one that is open."""
    rows: dict[str, Any] = {
        "accounts": ACCOUNTS,
        "roles": [RoleRow("b2", "operator", AT, "a1")],
        "tables": [kept("twisted-21"), kept("blackjack", closed=False), kept("ten-sticks-21")],
        "purses": [
            PurseRow("a1", 1_000_000, AT, why="play money"),
            *movements("twisted-21"),
            *movements("blackjack", closed=False),
            *movements("ten-sticks-21"),
        ],
        "results": [{"table": "t-twisted-21", "round": 1, "account": "a1", "net": -500}],
        "key": KEY,
    }
    return b"".join(audit_lines("the house", AT, **(rows | changes)))


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
    assert (found.counts.tables, found.counts.accounts, found.counts.results) == (3, 2, 1)
    assert found.head == digest(lines(written())[-1])


def test_all_games_hold() -> None:
    tables = [kept(game) for game in GAME_IDS]
    purses = [row for game in GAME_IDS for row in movements(game)]
    found = audited(written(tables=tables, purses=purses))
    assert [check for check in found.checks if not (check.holds and check.proven)] == []


def test_an_open_table_tells_no_secret() -> None:
    """Nobody may know the cards to come, an auditor neither."""
    opening = next(iter(bot_log("blackjack", 3, closed=False).events))
    assert isinstance(opening, ev.TableOpened)
    data = written()
    table = next(line for line in lines(data) if b'"id":"t-blackjack"' in line)
    assert opening.secret.encode() not in data
    assert json.loads(table)["table"]["withheld"] > 0
    own = [json.loads(line).get("entry", {}) for line in lines(data)]
    shown = [entry for entry in own if entry.get("table") == "t-blackjack"]
    assert set(shown[0]["lines"][0]) == {"hidden"}
    assert not [line for entry in shown for line in entry["lines"] if "ShoeShuffled" in str(line)]


def test_lines_of_tables_are_kept_byte_for_byte() -> None:
    rest = lines(written())[1:]
    found = [msgspec.json.decode(line, type=AuditLine).entry for line in rest]
    own = [bytes(raw) for one in found if one and one.table == "t-twisted-21" for raw in one.lines]
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
    other = PurseRow("a1", 500, AT, "Ann", "t-twisted-21", 999)
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

    assert "t-twisted-21: chain" in with_rows(forged)["tables"]
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
