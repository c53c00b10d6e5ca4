"""`upcard verify` with many files, with what a player noted, and with a certificate."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot_sessions import bot_log, do
from conftest import compiled
from records import KEY, OTHER_KEY, joined, lines, plain, record_of, relinked
from shell import refusal, upcard
from upcard import tables_for
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table import proof
from upcard.table.notation import parse_record, write_log
from upcard.table.players_cards import Casino
from upcard.table.session import Entry, Log, Session
from upcard.table.shoe import secret_from

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/session.jsonl"
UNCHAINED = ROOT / "tests/data/unchained.toml"
PAGE = 72
"""Lines of a page."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_HOME", str(tmp_path / "home"))


def kept(folder: Path, name: str, data: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_bytes(data)
    return file


def verdict(*arguments: object) -> dict[str, str]:
    """What `verify` says of one record, by the name of the check, with a mark before it."""
    data = upcard("verify", *map(str, arguments), "--json").data
    return {
        check["name"]: ("+" if check["holds"] else "-") + ("" if check["proven"] else "?")
        for check in data["checks"]
    }


# ------------------------------------------------------------------ what was noted


def promises(data: bytes) -> list[str]:
    events = parse_record(data, "record").log.events
    return [event.commitment for event in events if isinstance(event, ev.ShoeCommitted)]


def test_a_promise_that_was_noted() -> None:
    promise = promises(EXAMPLE.read_bytes())[0]
    assert verdict(EXAMPLE, "--promise", promise)["promise"] == "+"
    assert verdict(EXAMPLE, "--promise", promise[:32].upper())["promise"] == "+"
    spaced = " ".join(promise[i : i + 8] for i in range(0, 64, 8))
    assert verdict(EXAMPLE, "--promise", spaced)["promise"] == "+"
    done = upcard("verify", str(EXAMPLE), "--promise", promise[:12] + "...")
    assert done.status == 0
    assert "12 digits are too few to prove it: note 32" in done.out
    other = ("0" if promise[31] != "0" else "1").join((promise[:31], ""))
    done = upcard("verify", str(EXAMPLE), "--promise", other)
    assert done.status == 1
    assert "no shoe of this record was promised by that" in done.out


@pytest.mark.parametrize("noted", ["", "12", "seven magpies", "g" * 32, "0" * 65])
@pytest.mark.parametrize("option", ["--promise", "--head", "--key"])
def test_what_cannot_have_been_noted(option: str, noted: str) -> None:
    if noted or option == "--promise":
        said = refusal("verify", str(EXAMPLE), option, noted)
        assert "is not what a table shows: give 8 to 64 hexadecimal digits" in said


def test_a_head_that_was_noted(tmp_path: Path) -> None:
    data = record_of("blackjack", 2, closed=False)
    chain = parse_record(data, "record").chain
    assert chain is not None
    file = kept(tmp_path, "open.jsonl", data)
    assert verdict(file)["chain"] == "+?", "its end may be missing"
    last, early = chain.seals[-1], chain.seals[4]
    done = upcard("verify", str(file), "--head", last.head)
    assert "nothing came later" in done.out
    done = upcard("verify", str(file), "--head", early.head[:32])
    assert f"the head after entry 5, in round {early.round}; " in done.out
    parts = lines(data)
    sealed = [n for n, line in enumerate(parts, 1) if b'"seal"' in line]
    cut = kept(tmp_path, "cut.jsonl", joined(parts[: sealed[-2]]))
    done = upcard("verify", str(cut), "--head", last.head)
    assert done.status == 1
    assert "this was never the head: the record is another one, or was cut before it" in done.out
    assert (
        "an unchained record has no head"
        in upcard("verify", str(UNCHAINED), "--head", last.head).out
    )


def test_a_key_that_was_noted(tmp_path: Path) -> None:
    file = kept(tmp_path, "one.jsonl", record_of("blackjack"))
    assert verdict(file, "--key", KEY.public)["key"] == "+"
    done = upcard("verify", str(file), "--key", OTHER_KEY.public)
    assert done.status == 1
    assert f"the record is signed by {KEY.public[:32]}" in done.out
    loose = kept(tmp_path, "loose.jsonl", write_log(bot_log("blackjack")).encode())
    assert verdict(loose)["chain"] == "+?"
    assert "not signed" in upcard("verify", str(loose), "--key", KEY.public).out


def test_the_key_of_tables_here_is_known(tmp_path: Path) -> None:
    from upcard.cli.play.home import table_key

    log = write_log(bot_log("blackjack"), table_key())
    file = kept(tmp_path, "own.jsonl", log.encode())
    assert "signed by the key of the tables here" in upcard("verify", str(file)).out


def test_a_record_of_old_is_said_to_be_unchained() -> None:
    done = upcard("verify", str(UNCHAINED))
    assert done.status == 0
    assert done.out.startswith("~  chain        unchained: a record of old")
    assert upcard("verify", str(UNCHAINED), "--json").data["chained"] is False


# ------------------------------------------------------------------ many files


def test_many_files_and_folders(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    kept(folder, "bj.jsonl", record_of("blackjack"))
    (folder / "deep").mkdir()
    kept(folder / "deep", "tie.jsonl", record_of("blackjack-tie"))
    kept(folder, "club.toml", (ROOT / "examples/club-blackjack.toml").read_bytes())
    kept(folder, "notes.txt", b"hello")
    done = upcard("verify", str(folder), str(EXAMPLE))
    assert done.status == 0
    assert "all 3 records together" in done.out
    assert "2 other files or linked folders passed over" in done.out
    data = upcard("verify", str(folder), str(EXAMPLE), "--json").data
    assert [Path(one["file"]).name for one in data["records"]] == [
        "bj.jsonl",
        "tie.jsonl",
        "session.jsonl",
    ]
    assert data["holds"] is True
    assert [check["name"] for check in data["together"]] == ["tables", "secrets", "together"]


def test_one_bad_record_does_not_hide_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    good = kept(folder, "good.jsonl", record_of("blackjack"))
    kept(folder, "bad.jsonl", record_of("twisted-21").replace(b'"card":"', b'"card":"x', 1))
    kept(
        folder, "worse.jsonl", record_of("twisted-21").replace(b'"position":1', b'"position":2', 1)
    )
    done = upcard("verify", str(folder), "--json")
    assert done.status == 1
    by_name = {Path(one["file"]).name: one for one in done.data["records"]}
    assert by_name[good.name]["holds"] is True
    assert by_name["bad.jsonl"]["checks"][0]["name"] == "record"
    assert by_name["worse.jsonl"]["checks"][0]["holds"] is False


def test_what_was_noted_must_be_in_one_of_them(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    kept(folder, "bj.jsonl", record_of("blackjack"))
    kept(folder, "tie.jsonl", record_of("blackjack-tie"))
    promise = promises(record_of("blackjack-tie"))[0]
    done = upcard("verify", str(folder), "--promise", promise)
    assert done.status == 0
    assert f"tie.jsonl: {promise[:32]} is the promise of shoe 1" in done.out
    done = upcard("verify", str(folder), "--promise", "ab" * 32, "--head", "cd" * 32)
    assert done.status == 1
    assert done.out.count("none of the records has it") == 2


def test_two_stories_of_one_table_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    whole = kept(folder, "whole.jsonl", record_of("blackjack", 3))
    kept(folder, "early.jsonl", record_of("blackjack", 2, closed=False))
    done = upcard("verify", str(folder))
    assert done.status == 0
    assert "early.jsonl is the beginning of whole.jsonl" in done.out
    kept(folder, "other.jsonl", record_of("blackjack", 2))
    done = upcard("verify", str(folder))
    assert done.status == 1
    assert (
        "are of the same table, bots blackjack, and tell different stories from event" in done.out
    )
    assert whole.exists()


def test_copies_of_a_record_accuse_nobody(tmp_path: Path) -> None:
    """What a house did once counts once, in however many backups it stands."""
    folder = tmp_path / "records"
    data = write_log(given_up(), KEY).encode()
    for number in range(9):
        kept(folder, f"backup-{number}.jsonl", data)
    done = upcard("verify", str(folder))
    assert "together     1 shoe closed before its end" in done.out
    assert done.out.count("is the beginning of") == 5
    assert "; 3 more are copies or beginnings of others" in done.out
    alone = upcard("verify", str(folder / "backup-0.jsonl"), f"{folder}/../records/backup-0.jsonl")
    assert "together" not in alone.out, "one file, however it is named"


def given_up() -> Log:
    """A live table whose players left after a round of its first shoe."""
    from unit.test_table_conduct import play_out, seated

    session = seated("blackjack", "given up", scripted=False)
    do(session, cm.MixSeed(player="Ann", seed="word"))
    play_out(session)
    for name in ("Ann", "Bo"):
        do(session, cm.Leave(player=name))
    do(session, cm.CloseTable())
    return session.log()


def test_one_secret_at_two_tables_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    log = bot_log("blackjack")
    kept(folder, "one.jsonl", write_log(log, KEY).encode())
    kept(folder, "two.jsonl", write_log(renamed(log, "other"), KEY).encode())
    done = upcard("verify", str(folder))
    assert done.status == 1
    assert "one.jsonl and two.jsonl have the same secret, so their shoes are alike" in done.out


def renamed(log: Log, table: str) -> Log:
    """The same evening at a table of another name."""
    from msgspec.structs import replace

    first = log.entries[0]
    opened, *rest = first.events
    assert isinstance(opened, ev.TableOpened)
    assert first.command is not None
    command = replace(first.command, table=table)
    entry = Entry(command, (replace(opened, table=table), *rest), first.at)
    return replace(log, entries=(entry, *log.entries[1:]))


def test_a_folder_without_records(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "there is no record of a session in this folder" in refusal(
        "verify", str(tmp_path / "empty")
    )


# ------------------------------------------------------------------ certificates


def test_a_certificate_is_one_page(tmp_path: Path) -> None:
    file = tmp_path / "evening"
    assert upcard("verify", str(EXAMPLE), "--certificate", str(file)).status == 0
    text = (tmp_path / "evening.txt").read_text("utf-8")
    rows = text.splitlines()
    assert len(rows) <= PAGE
    assert max(map(len, rows)) <= 80
    assert "THE RECORD HOLDS" in text
    data = json.loads((tmp_path / "evening.json").read_bytes())
    assert data["holds"] is True
    assert data["players"] == [
        {"player": "Ann", "bought": 20000, "cashed": 22500, "there": False},
        {"player": "Bo", "bought": 10000, "cashed": 12000, "there": False},
    ]
    for part in ("sha256", "fingerprint", "head", "key"):
        assert len(data[part]) == 64
        assert data[part] in text
    assert data["shoes"][0]["promise"] in text
    assert data["shoes"][0]["seed"] in text
    assert "whether entries are missing at the end" in " ".join(text.split())


def test_a_certificate_is_of_the_bytes_that_were_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may be another one when the page is written."""
    data = record_of("blackjack")
    file = kept(tmp_path, "r.jsonl", data)
    real = proof.verify_record

    def swapping(*words: Any, **more: Any) -> Any:
        file.write_bytes(data.replace(b'"position":1', b'"position":2', 1))
        return real(*words, **more)

    monkeypatch.setattr(proof, "verify_record", swapping)
    assert upcard("verify", str(file), "--certificate", str(tmp_path / "c")).status == 0
    named = json.loads((tmp_path / "c.json").read_bytes())["sha256"]
    assert named == hashlib.sha256(data).hexdigest()


def test_a_certificate_knows_who_came_back(tmp_path: Path) -> None:
    session = Session(compiled("blackjack"))
    do(session, cm.OpenTable(table="t", secret=secret_from("t")))
    do(session, cm.BuyIn(player="Ann", amount=10000))
    do(session, cm.Leave(player="Ann"))
    do(session, cm.BuyIn(player="Ann", amount=50000))
    file = kept(tmp_path, "r.jsonl", write_log(session.log(), KEY).encode())
    upcard("verify", str(file), "--certificate", str(tmp_path / "c"))
    page = (tmp_path / "c.txt").read_text("utf-8")
    assert "Ann: bought $600, cashed $100, still at the table" in page


def test_a_certificate_of_nothing_proves_nothing(tmp_path: Path) -> None:
    file = kept(tmp_path, "r.jsonl", joined(lines(record_of("blackjack"))[:1]))
    upcard("verify", str(file), "--certificate", str(tmp_path / "c"))
    page = tmp_path / "c.json"
    assert not page.exists() or json.loads(page.read_bytes())["proves"] == []


@pytest.mark.parametrize("name", ["paper.txt", "paper.json", "paper"])
def test_nothing_is_written_over(tmp_path: Path, name: str) -> None:
    file = str(tmp_path / name)
    assert upcard("verify", str(EXAMPLE), "--certificate", file).status == 0
    before = {path.name: path.read_bytes() for path in tmp_path.glob("paper*")}
    assert set(before) == {"paper.txt", "paper.json"}
    assert "is there already, and is not written over" in refusal(
        "verify", str(EXAMPLE), "--certificate", file
    )
    assert before == {path.name: path.read_bytes() for path in tmp_path.glob("paper*")}


def test_a_certificate_says_where_it_is_and_makes_no_folder(tmp_path: Path) -> None:
    done = upcard("verify", str(EXAMPLE), "--certificate", str(tmp_path / "c"))
    assert f"written: {tmp_path / 'c.txt'}" in done.out
    said = refusal("verify", str(EXAMPLE), "--certificate", str(tmp_path / "none" / "c"))
    assert said.endswith(f"there is no folder {tmp_path / 'none'}")
    assert not (tmp_path / "none").exists()


def test_a_certificate_of_a_record_that_does_not_hold(tmp_path: Path) -> None:
    bad = record_of("twisted-21").replace(b'"position":1', b'"position":2', 1)
    file = kept(tmp_path, "bad.jsonl", bad)
    assert upcard("verify", str(file), "--certificate", str(tmp_path / "c")).status == 1
    text = (tmp_path / "c.txt").read_text("utf-8")
    assert "THE RECORD DOES NOT HOLD" in text
    assert "This proves that" not in text
    assert "FAILS chain" in text


def test_a_long_evening_fits_on_the_page(tmp_path: Path) -> None:
    file = kept(tmp_path, "long.jsonl", record_of("twisted-21", 12, closed=False))
    upcard("verify", str(file), "--certificate", str(tmp_path / "c"))
    text = (tmp_path / "c.txt").read_text("utf-8")
    assert len(text.splitlines()) <= PAGE
    assert "shoes more" in text
    assert "still at the table" in text
    assert len(json.loads((tmp_path / "c.json").read_bytes())["shoes"]) == 13


def test_an_unchained_record_proves_less(tmp_path: Path) -> None:
    upcard("verify", str(UNCHAINED), "--certificate", str(tmp_path / "c"))
    data = json.loads((tmp_path / "c.json").read_bytes())
    assert len(data["proves"]) == 1
    assert any("it has no chain" in words for words in data["cannot_know"])


def test_a_certificate_is_for_one_record(tmp_path: Path) -> None:
    said = refusal("verify", str(EXAMPLE), str(UNCHAINED), "--certificate", str(tmp_path / "c"))
    assert said == "--certificate is for one record, and these are 2"
    assert list(tmp_path.glob("c*")) == []


# ------------------------------------------------------------------ what would mislead


def test_nothing_in_a_folder_is_passed_over_in_silence(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    kept(folder, "good.jsonl", record_of("blackjack"))
    bad = record_of("twisted-21").replace(b'"position":1', b'"position":2', 1)
    kept(folder, "FORGED.JSONL", bad)
    kept(folder, "forged.bak", bad)
    elsewhere = kept(tmp_path / "elsewhere", "forged.jsonl", bad).parent
    (folder / "linked").symlink_to(elsewhere, target_is_directory=True)
    done = upcard("verify", str(folder))
    assert done.status == 1
    assert "FORGED.JSONL" in done.out
    assert "2 other files or linked folders passed over" in done.out
    (folder / "FORGED.JSONL").unlink()
    (folder / "gone.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    done = upcard("verify", str(folder))
    assert done.status == 1
    assert "there is no file" in done.out


def test_a_record_does_nothing_to_the_terminal(tmp_path: Path) -> None:
    """Names in a forged record may hold anything; no sign of it reaches the screen."""
    from msgspec.structs import replace

    log = bot_log("blackjack")
    evil = "\x1b[2K\r✓  legality all is well\x1b[8m"
    entries = list(log.entries)
    place = next(n for n, entry in enumerate(entries) if hasattr(entry.command, "seat"))
    command = entries[place].command
    assert command is not None
    entries[place] = replace(entries[place], command=replace(command, player=evil))
    text = write_log(replace(log, entries=tuple(entries)), KEY)
    file = kept(tmp_path, "evil.jsonl", text.encode())
    for done in (
        upcard("verify", str(file), "--certificate", str(tmp_path / "c")),
        upcard("replay", str(file)),
        upcard("replay", str(file), "--anyway"),
    ):
        assert "\x1b" not in done.out + done.err
    assert "\\x1b[2K" in upcard("verify", str(file)).out
    assert "\x1b" not in (tmp_path / "c.txt").read_text("utf-8")


def test_a_table_is_not_dealt_from_what_cannot_be_printed() -> None:
    from upcard.table import commands as cm
    from upcard.table.session import Session
    from upcard.table.shoe import secret_from

    for text in ("\x1b[8m", "x" * 65, "two\nlines"):
        session = Session(compiled("blackjack"))
        opened = session.do(cm.OpenTable(table="t", secret=secret_from(text), dealt_from=text))
        assert "is 1 to 64 printable characters" in str(opened)


def test_replay_tells_no_secret(tmp_path: Path) -> None:
    data = record_of("blackjack").replace(b'"table":"bots', b'"table":"boots"', 1)
    secret = data.split(b'"secret":"')[1][:64].decode()
    file = kept(tmp_path, "forged.jsonl", data)
    for viewer in ("public", "auditor"):
        done = upcard("replay", str(file), "--as", viewer)
        assert done.status == 1
        assert secret not in done.err
        shown = upcard("replay", str(file), "--as", viewer, "--anyway", "--json")
        assert secret not in shown.out


@pytest.mark.parametrize("at", ["9999-99-99T99:99:99.999Z", "٢٠٢٦-01-31T20:00:00.000Z", "soon"])
def test_a_time_is_a_time(at: str, tmp_path: Path) -> None:
    from msgspec.structs import replace

    log = bot_log("blackjack")
    entries = tuple(replace(entry, at=at) for entry in log.entries)
    file = kept(tmp_path, "late.jsonl", write_log(replace(log, entries=entries), KEY).encode())
    done = upcard("verify", str(file))
    assert done.status == 1
    assert "is no time" in done.out


def test_a_key_that_signs_everything_signs_nothing(tmp_path: Path) -> None:
    """For some points one signature fits every text: whoever has such a key can deny it all."""
    weak, fits = "01" + "00" * 31, "01" + "00" * 63
    forged = relinked(plain(record_of("blackjack")), weak, lambda _: fits)
    done = upcard("verify", str(kept(tmp_path, "weak.jsonl", forged)))
    assert done.status == 1
    assert "line 1: its key proves nothing: anybody could have signed for it" in done.out


def test_a_game_file_is_named(tmp_path: Path) -> None:
    own = tmp_path / "blackjack.toml"
    own.write_bytes((ROOT / "examples/club-blackjack.toml").read_bytes())
    session = Session(tables_for(str(own)), game=own.name)
    session.do(cm.OpenTable(table="t", secret=secret_from("t")))
    file = kept(tmp_path, "r.jsonl", write_log(session.log(), KEY).encode())
    done = upcard("verify", str(file), "--certificate", str(tmp_path / "c"))
    assert done.status == 0
    assert "from the game file blackjack.toml" in done.out
    assert "not as it comes with Upcard" in " ".join((tmp_path / "c.txt").read_text().split())


def test_no_file_passes_for_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name alone is that of a game that comes with Upcard, whatever lies in the folder."""
    monkeypatch.chdir(tmp_path)
    other = (ROOT / "examples/club-blackjack.toml").read_text("utf-8")
    (tmp_path / "Blackjack").write_text(other)
    assert tables_for("Blackjack").fingerprint == compiled("blackjack").fingerprint
    own = tables_for("./Blackjack")
    assert own.fingerprint != compiled("blackjack").fingerprint
    for game in ("Blackjack", "./Blackjack"):
        session = Session(own, game=game)
        do(session, cm.OpenTable(table="t", secret=secret_from("t")))
        kept(tmp_path, "r.jsonl", write_log(session.log(), KEY).encode())
        done = upcard("verify", "r.jsonl")
        if game == "Blackjack":
            assert done.status == 1
        else:
            assert "from the game file Blackjack" in done.out


def test_what_the_house_says_of_other_tables_is_not_proven(tmp_path: Path) -> None:
    casino = Casino("House", "5a" * 32)
    session = Session(compiled("ten-sticks-21", players_card=True), casino=casino)
    lights = (ev.Lights("Ann", 1, 9),)
    do(session, cm.OpenTable(table="t", secret=secret_from("t"), lights=lights))
    do(session, cm.BuyIn(player="Ann", amount=10000))
    do(session, cm.Sit(player="Ann", seat=1))
    file = kept(tmp_path, "r.jsonl", write_log(session.log(), KEY).encode())
    assert verdict(file)["legality"] == "+?"
    assert (
        "9 lights lit when the table opened, on the house's word" in upcard("verify", str(file)).out
    )
    do(session, cm.Leave(player="Ann"))
    (punched,) = (event for event in session.events if isinstance(event, ev.CardPunched))
    do(session, cm.VoidCards(serials=(punched.serial,)))
    kept(tmp_path, "r.jsonl", write_log(session.log(), KEY).encode())
    said = upcard("verify", str(file)).out
    assert "1 player's card of this table void on the house's word" in said


def test_no_head_is_found_behind_a_broken_place(tmp_path: Path) -> None:
    data = record_of("blackjack")
    last = parse_record(data, "r").chain
    assert last is not None
    file = kept(tmp_path, "r.jsonl", data.replace(b'"position":1', b'"position":2', 1))
    found = verdict(file, "--head", last.head)
    assert (found["chain"], found["head"]) == ("-", "-")
    assert verdict(file, "--head", last.seals[0].head)["head"] == "+"


def test_a_shoe_without_a_word_is_not_proven(tmp_path: Path) -> None:
    from unit.test_table_conduct import play_out, seated

    session = seated("blackjack", "no word", scripted=False)
    play_out(session)
    file = kept(tmp_path, "r.jsonl", write_log(session.log(), KEY).encode())
    done = upcard("verify", str(file), "--certificate", str(tmp_path / "c"))
    assert done.status == 0
    assert "~  shuffle" in done.out
    assert "1 without a player's word, so the house could have chosen" in done.out
    assert "every card came in the order" not in " ".join((tmp_path / "c.txt").read_text().split())


def test_the_verdict_stays_when_the_reader_goes(tmp_path: Path) -> None:
    bad = record_of("twisted-21").replace(b'"position":1', b'"position":2', 1)
    file = kept(tmp_path, "bad.jsonl", bad)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "upcard", "verify", str(file)],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


STRANGE: dict[str, tuple[bytes, bytes]] = {
    "tag.jsonl": (b'"event":"ShoeCommitted"', b'"event":[1]'),
    "nul.jsonl": (b'"game":"', b'"game":"a\\u0000.toml'),
    "long.jsonl": (b'"game":"', b'"game":"' + b"a" * 5000),
    "file.jsonl": (b"blackjack", b"x" * 5000 + b".toml"),
}


def strange_file(name: str) -> bytes:
    if name == "digits.toml":
        return b"notation = " + b"9" * 5000
    if name in STRANGE:
        return record_of("blackjack").replace(*STRANGE[name], 1)
    return b"\0" * 100 if name == "zeros.jsonl" else b""


@pytest.mark.parametrize("name", [*STRANGE, "digits.toml", "zeros.jsonl", "empty.jsonl"])
def test_strange_files_are_one_sentence(name: str, tmp_path: Path) -> None:
    file = kept(tmp_path, name, strange_file(name))
    for verb in ("verify", "replay"):
        refusal(verb, str(file))
    kept(tmp_path, "good.jsonl", record_of("blackjack"))
    assert upcard("verify", str(file), str(tmp_path / "good.jsonl")).status == 1


def test_an_impossible_record_among_others(tmp_path: Path) -> None:
    from msgspec.structs import replace

    log = bot_log("blackjack")
    entries = [
        replace(
            entry,
            events=tuple(
                replace(event, hand=12) if isinstance(event, ev.HandStood) else event
                for event in entry.events
            ),
        )
        for entry in log.entries
    ]
    text = write_log(replace(log, entries=tuple(entries)), KEY)
    kept(tmp_path, "impossible.jsonl", text.encode())
    kept(tmp_path, "good.jsonl", record_of("blackjack-tie"))
    assert upcard("verify", str(tmp_path)).status == 1


@pytest.mark.parametrize("name", [".", "/", ""])
def test_a_certificate_needs_a_name(name: str) -> None:
    assert "is not the name of a file" in refusal("verify", str(EXAMPLE), "--certificate", name)


def test_a_file_needs_a_name() -> None:
    assert "a file has no name" in refusal("verify", "")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert "is not a file" in refusal("verify", str(tmp_path / "pipe.jsonl"))
