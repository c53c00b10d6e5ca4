"""Backups: of a house that is in use, to either database, and nothing that is broken passes."""

from __future__ import annotations

import io
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from depth import FIRST_GAMES
from service.doors import Doors, Person, do, hear, open_doors
from service.houses import a_house, in_loop, play, quick_table
from service.test_house import CARDS, _seated
from shell import refusal, upcard
from upcard import tables_for
from upcard.cli.house_place import Place
from upcard.errors import UpcardError
from upcard.service import schema
from upcard.service.audit_export import write_audit
from upcard.service.audit_proof import verify_audit
from upcard.service.backup import backup, check, restore
from upcard.service.messages import Ack
from upcard.service.store import Store
from upcard.text import counted


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("house")) as found:
        played(found, found.person("Ann"), rounds=3)
        yield found


def played(doors: Doors, person: Person, rounds: int) -> str:
    table = doors.table(person, bots=0)
    person.post(f"/tables/{table}/sit", {"seat": 4})
    with person.line(table) as line:
        hear(line, "welcome")
        for number in range(rounds):
            do(line, f"w{number}", "PlaceWagers", position=4, wagers={"base": 500})
            do(line, f"d{number}", "Deal")
            for turn in range(6):
                do(line, f"n{number}-{turn}", "Decline", position=4)
                do(line, f"s{number}-{turn}", "Stand", position=4)
    return table


def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Everything that is in a database."""
    with store.engine.connect() as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in schema.metadata.sorted_tables
        }


def test_a_house_in_use_is_backed_up_and_restored(doors: Doors, tmp_path: Path) -> None:
    there = check(doors.house.store)
    found = backup(doors.house.store, tmp_path / "friday.db")
    assert found == there
    assert found.rounds >= 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["friday.db"], "nothing is left over"
    assert (tmp_path / "friday.db").stat().st_mode & 0o77 == 0
    kept = rows(doors.house.store)
    played(doors, doors.guest(), rounds=1)
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    try:
        assert restore(tmp_path / "friday.db", store) == found
        assert rows(store) == kept
    finally:
        store.close()


def test_to_postgresql_and_back(doors: Doors, tmp_path: Path, postgres_url: str) -> None:
    backup(doors.house.store, tmp_path / "one.db")
    server = Store(postgres_url)
    again = Store(f"sqlite:///{tmp_path / 'again.db'}")
    try:
        restore(tmp_path / "one.db", server)
        assert rows(server) == rows(doors.house.store)
        with pytest.raises(UpcardError, match="has a house in it already"):
            restore(tmp_path / "one.db", server)
        backup(server, tmp_path / "two.db")
        restore(tmp_path / "two.db", again)
        assert rows(again) == rows(doors.house.store)
    finally:
        server.close()
        again.close()


def test_a_restored_house_goes_on(doors: Doors, tmp_path: Path) -> None:
    backup(doors.house.store, tmp_path / "friday.db")
    (tmp_path / "new").mkdir()
    store = Store(f"sqlite:///{tmp_path / 'new' / 'house.db'}")
    restore(tmp_path / "friday.db", store)
    store.close()
    with open_doors(tmp_path / "new") as again:
        tables = again.client.get("/api/tables").json()
        assert tables
        verdict = again.client.get(f"/api/tables/{tables[0]['id']}/verify").json()
        assert verdict["holds"] is True
        played(again, again.person("Newcomer"), rounds=1)


@pytest.mark.parametrize("left", ["house.db-wal", "house.db-journal"])
def test_nothing_is_restored_beside_the_journal_of_another_database(
    doors: Doors, tmp_path: Path, left: str
) -> None:
    """SQLite would play it into the restored one, and bring back what had gone wrong."""
    backup(doors.house.store, tmp_path / "friday.db")
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / left).write_bytes(b"what a killed server left")
    store = Store(f"sqlite:///{folder / 'house.db'}")
    with pytest.raises(UpcardError, match=f"{left}: belongs to a database that was here before"):
        restore(tmp_path / "friday.db", store)
    assert [path.name for path in folder.iterdir()] == [left]


def test_nobody_else_reads_a_house_wherever_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "open to all"
    folder.mkdir(mode=0o755)
    before = os.umask(0o022)
    try:
        for _ in range(2):  # a new one, and one that was made by other means
            place = Place.of("", folder)
            place.make_private()
            store = place.store()
            store.migrate()
            modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
            store.close()
            assert "house.db" in modes
            assert set(modes.values()) == {0o600}
            (folder / "house.db").chmod(0o644)
    finally:
        os.umask(before)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "UPDATE entries SET data = CAST(replace(data, 'Ann', 'Bob') AS BLOB) WHERE seq = 2",
            "is broken",
        ),
        ("DELETE FROM entries WHERE seq = 3", "lacks its entry 3"),
        (
            "UPDATE tables SET title = CAST(replace(title, 'blackjack', 'blackjacj') AS BLOB)",
            "is broken",
        ),
        ("UPDATE purse SET amount = -5000000 WHERE number = 1", "less than nothing"),
    ],
)
def test_what_is_broken_does_not_pass(
    doors: Doors, tmp_path: Path, change: str, words: str
) -> None:
    path = tmp_path / "friday.db"
    backup(doors.house.store, path)
    with closing(sqlite3.connect(path)) as file:
        for (name,) in file.execute(
            "SELECT name FROM sqlite_master WHERE type='trigger'"
        ).fetchall():
            file.execute(f"DROP TRIGGER {name}")
        file.execute(change)
        file.commit()
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    try:
        with pytest.raises(UpcardError, match=words):
            restore(path, store)
    finally:
        store.close()
    assert not (tmp_path / "house.db").exists(), "nothing half done"


def test_files_that_are_no_backups_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_bytes(b"notes" * 1000)
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    try:
        for name, words in {
            "notes.db": "is not a house that can be copied",
            "nothing.db": "no such file",
        }.items():
            with pytest.raises(UpcardError, match=words):
                restore(tmp_path / name, store)
    finally:
        store.close()


# ------------------------------------------------------------------ the command line


@pytest.fixture
def folder(doors: Doors) -> str:
    return str(Path(doors.house.store.url.database or "").parent)


def test_backup_restore_and_audit_by_command(doors: Doors, folder: str, tmp_path: Path) -> None:
    copy, audit = str(tmp_path / "friday.db"), str(tmp_path / "friday.jsonl")
    done = upcard("house", "backup", copy, "--data", folder)
    assert (done.status, done.err) == (0, "")
    there = check(doors.house.store)
    accounts, tables = counted(there.accounts, "account"), counted(there.tables, "table")
    assert f"with {accounts}, {tables}" in done.out
    assert "not written over" in refusal("house", "backup", copy, "--data", folder)
    done = upcard("house", "restore", copy, "--data", str(tmp_path / "new"))
    assert "every chain holds" in done.out
    assert "is there already" in refusal("house", "restore", copy, "--data", str(tmp_path / "new"))
    assert upcard("house", "audit", audit, "--data", folder).status == 0
    assert "not written over" in refusal("house", "audit", audit, "--data", folder)
    found = upcard("verify", "--json", audit)
    assert found.data["holds"] is True
    assert found.data["counts"]["tables"] >= 1


def test_the_audit_by_rest_is_the_same_file(doors: Doors, tmp_path: Path) -> None:
    auditor = doors.person("Checker", "auditor")
    found = auditor.ask("GET", "/operator/audit")
    assert found.status_code == 200
    assert "attachment" in found.headers["content-disposition"]
    (tmp_path / "audit.jsonl").write_bytes(found.content)
    assert upcard("verify", "--json", str(tmp_path / "audit.jsonl")).data["holds"] is True
    assert b"argon2" not in found.content
    (opened,) = [line for line in found.content.splitlines() if b'"hidden"' in line][:1]
    assert b'"secret"' not in found.content
    assert opened


def test_the_audit_of_closed_tables_holds_with_their_results(tmp_path: Path) -> None:
    """Bots, people, a guest who registers, and an operator who closes the table over wagers."""
    with open_doors(tmp_path) as doors:
        ann, guest = doors.person("Ann"), doors.guest()
        boss = doors.person("Boss", "operator")
        played(doors, guest, rounds=2)
        body = {"name": "Clara", "password": "a long password", "by": "token"}
        clara = Person(doors, guest.post("/register", body))
        assert clara.id == guest.id
        played(doors, clara, rounds=1)
        table = played(doors, ann, rounds=3)
        with ann.line(table) as line:
            hear(line, "welcome")
            do(line, "left lying", "PlaceWagers", position=4, wagers={"base": 500})
        for info in boss.get("/operator/tables"):
            boss.post(f"/operator/tables/{info['id']}/close")
        found = boss.ask("GET", "/operator/audit").content
    (tmp_path / "audit.jsonl").write_bytes(found)
    told = upcard("verify", "--json", str(tmp_path / "audit.jsonl")).data
    checks = {check["name"]: check for check in told["checks"]}
    assert [name for name, check in checks.items() if not check["holds"]] == []
    assert told["counts"]["results"] >= 6
    assert f"{told['counts']['results']} results of rounds" in checks["results"]["found"]
    assert checks["results"]["proven"]
    assert "3 closed tables" in checks["tables"]["found"]
    assert "for its own player" in checks["commands"]["found"]


@in_loop
async def test_the_audit_of_many_games_with_bots_holds(sqlite_url: str) -> None:
    chosen: list[tuple[str, dict[str, str]]] = [
        (game, {}) for game in (*FIRST_GAMES, "blackjack-switch", "free-bet")
    ]
    chosen += [("ten-sticks-21", CARDS), ("pure-spanish-21.5", {"fee_schedule": "42"})]
    async with a_house(sqlite_url) as house:
        for game, settings in chosen:
            table = await quick_table(house, game, bots=1, settings=settings)
            await play(house, await _seated(house, table, 2), 2)
            assert isinstance(await house.wind_up(table), Ack)
        file = io.BytesIO()
        write_audit(house.store, house.key, house="a house", at="2026-02-01T00:00Z", to=file)
    file.seek(0)
    found = verify_audit(file, lambda log: tables_for(log.game, log.settings))
    by_name = {one.name: one for one in found.checks}
    assert [one for one in found.checks if not one.holds] == []
    assert found.counts.tables == len(chosen)
    results = by_name["results"]
    assert results.proven
    assert f"{found.counts.results} results of rounds" in results.found


def test_accounts_by_command(doors: Doors, folder: str) -> None:
    done = upcard("house", "account", "add", "Clara", "auditor", "--data", folder)
    code = done.out.strip().rpartition("/")[2]
    entered = doors.client.get(f"/api/enter/{code}", follow_redirects=False)
    assert entered.status_code == 303
    doors.client.cookies.clear()
    assert upcard("house", "account", "role", "Clara", "operator", "--data", folder).status == 0
    listed = upcard("house", "account", "list", "--json", "--data", folder).data
    assert {"name": "Clara", "role": "operator", "money": 1_000_000} in listed
    assert "Clara" in upcard("house", "account", "list", "--data", folder).out
    link = upcard("house", "account", "link", "clara", "--data", folder).out
    assert "/api/enter/" in link
    assert "upcard house account password clara" in link, "what helps who forgot a password"
    for arguments, words in {
        ("role", "Nobody", "player"): "nobody is called",
        ("role", "Clara", "king"): "no role",
        ("add", "<b>"): "a name has",
        ("add", "clara"): "is taken",
        ("link", "Nobody"): "nobody is called",
    }.items():
        assert words in refusal("house", "account", *arguments, "--data", folder)
    assert "no house here" in refusal("house", "account", "list", "--data", f"{folder}/nothing")


def test_a_whole_house_is_whole(doors: Doors) -> None:
    assert check(doors.house.store).accounts >= 1
