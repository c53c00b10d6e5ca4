"""`upcard verify` with many files, with what a player noted, and with a certificate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot_sessions import bot_log
from records import KEY, OTHER_KEY, joined, lines, record_of
from shell import refusal, upcard
from upcard.table import events as ev
from upcard.table.notation import parse_record, write_log
from upcard.table.session import Entry, Log

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
    assert "1 other file passed over" in done.out
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
    assert "are of the same table, bots, and tell different stories from event" in done.out
    assert whole.exists()


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
        {"player": "Ann", "bought": 20000, "cashed": 22500},
        {"player": "Bo", "bought": 10000, "cashed": 12000},
    ]
    for part in ("sha256", "fingerprint", "head", "key"):
        assert len(data[part]) == 64
        assert data[part] in text
    assert data["shoes"][0]["promise"] in text
    assert data["shoes"][0]["seed"] in text
    assert "whether entries are missing at the end" in " ".join(text.split())


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
