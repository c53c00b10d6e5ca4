"""`upcard replay` and `upcard verify`: a record is shown as it was seen, and every lie is found."""

from __future__ import annotations

import io
import os
import re
import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from bot_sessions import bot_log
from conftest import compiled
from depth import NOTHING_DOWN, deep
from shell import refusal, upcard
from upcard import GAME_IDS
from upcard.cli.play.keys import ScriptedKeyboard
from upcard.cli.replay import Film
from upcard.cli.replay_felt import walk
from upcard.table import events as ev
from upcard.table.engine import Engine
from upcard.table.keys import TableKey
from upcard.table.notation import read_log, save_log, write_log
from upcard.table.session import Entry, Log, cut
from upcard.table.view import AUDITOR, HIDDEN, PUBLIC, Viewer

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples/session.jsonl")
CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
SITUATION = str(ROOT / "examples/eight-eight-eight.toml")
Data = dict[str, Any]
CHECKS = ["chain", "fingerprint", "shuffle", "legality", "money", "conduct"]


def example() -> str:
    return Path(EXAMPLE).read_text("utf-8")


def data_of(log: Log) -> Data:
    """A record as plain data that a test may change."""
    entries = [
        {
            "command": msgspec.to_builtins(entry.command),
            "events": msgspec.to_builtins(entry.events),
            "at": entry.at,
        }
        for entry in log.entries
    ]
    plain: Data = msgspec.json.decode(msgspec.json.encode(entries))
    return {
        "game": log.game,
        "fingerprint": log.fingerprint,
        "settings": dict(log.settings),
        "entries": plain,
    }


def text_of(data: Data) -> str:
    """The record as a forger with a key would write it: chained and signed anew."""
    entries = msgspec.convert(data["entries"], tuple[Entry, ...])
    log = Log(data["game"], data["fingerprint"], data["settings"], entries)
    return write_log(log, TableKey("77" * 32))


def failures(tmp_path: Path, change: Callable[[Data], None]) -> dict[str, str]:
    """The failing checks of the example after a change, by name, as `verify` prints them."""
    data = data_of(read_log(Path(EXAMPLE)))
    change(data)
    file = tmp_path / "changed.jsonl"
    file.write_text(text_of(data), "utf-8")
    done = upcard("verify", str(file), "--json")
    checks = done.data["checks"]
    assert done.status == (0 if done.data["holds"] else 1)
    assert [check["name"] for check in checks] == CHECKS
    return {check["name"]: check["found"] for check in checks if not check["holds"]}


def entry_of(data: Data, command: str) -> Data:
    """The first entry with a command of this kind."""
    found: Data = next(e for e in data["entries"] if e["command"]["command"] == command)
    return found


def event_of(data: Data, kind: str, which: int = 0) -> Data:
    found = [e for entry in data["entries"] for e in entry["events"] if e["event"] == kind]
    event: Data = found[which]
    return event


# ------------------------------------------------------------------ verify


def test_a_true_record_holds() -> None:
    done = upcard("verify", EXAMPLE)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    marks = ["✓", "✓", "~", "✓", "✓", "✓"]
    assert [line.split()[:2] for line in lines] == [
        list(one) for one in zip(marks, CHECKS, strict=True)
    ]
    data = upcard("verify", EXAMPLE, "--json").data
    assert data["holds"] is True
    assert data["game"] == "blackjack@1"
    assert all(check["found"] for check in data["checks"])


def test_marks_are_words_where_there_are_no_signs(tmp_path: Path) -> None:
    assert upcard("verify", EXAMPLE, encoding="ascii").out.startswith("ok     chain")
    file = tmp_path / "changed.jsonl"
    file.write_text(example().replace('"amount":20000', '"amount":20100'), "utf-8")
    assert "FAILS  chain" in upcard("verify", str(file), encoding="ascii").out
    assert "✗  chain" in upcard("verify", str(file)).out


def test_the_example_is_what_its_commands_give() -> None:
    script = ROOT / "scripts/example_session.py"
    names = runpy.run_path(str(script))
    written = write_log(names["example"]().log(), names["KEY"])
    assert written == example(), "run `python scripts/example_session.py`"


def test_a_changed_card_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        event_of(data, "CardDealt", 6)["card"] = "As"

    found = failures(tmp_path, change)
    assert "entry 10 (Hit by Ann), event 2: the record says " in found["legality"]
    assert '"card":"As"' in found["legality"]
    assert 'the rules give {"event":"CardDealt","card":"8d"' in found["legality"]


def test_a_changed_amount_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        event_of(data, "WagerSettled")["won"] = 250000

    found = failures(tmp_path, change)
    assert '"won":250000' in found["legality"]
    assert '"won":2500}' in found["legality"]


def test_a_changed_payment_at_the_end_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        event_of(data, "ChipsCashed")["amount"] = 22600

    assert failures(tmp_path, change)["legality"].startswith("entry 12 (Leave by Ann), event 2: ")


def test_another_secret_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        for part in (entry_of(data, "OpenTable")["command"], event_of(data, "TableOpened")):
            part["secret"] = "ab" * 32
            del part["dealt_from"]

    found = failures(tmp_path, change)
    assert found["shuffle"] == ("entry 9 (Deal): the seed of shoe 1 does not fit its commitment")
    assert found["legality"].startswith("entry 1 (OpenTable), event 2: ")


def test_another_seed_at_the_opening_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        event_of(data, "ShoeOpened")["seed"] = "cd" * 32

    found = failures(tmp_path, change)
    assert found["shuffle"].startswith("entry 14 (CloseTable): the seed of shoe 1 does not fit")


def test_a_stacked_deck_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        order = event_of(data, "ShoeShuffled")["order"]
        order[3], order[4] = order[4], order[3]

    found = failures(tmp_path, change)
    assert found["shuffle"].endswith("they differ first at card 4")


def test_a_word_of_a_player_that_was_dropped_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["entries"].remove(entry_of(data, "MixSeed"))

    assert "is not the shuffle of its seed" in failures(tmp_path, change)["shuffle"]


def test_another_order_of_events_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        events = entry_of(data, "Deal")["events"]
        events[3], events[4] = events[4], events[3]

    assert failures(tmp_path, change)["legality"].startswith("entry 9 (Deal), event 4: ")


def test_a_missing_event_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        entry_of(data, "Leave")["events"].pop()

    found = failures(tmp_path, change)["legality"]
    assert found.startswith("entry 12 (Leave by Ann), event 2: the record says nothing, the rules")


def test_an_event_too_many_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        entry = entry_of(data, "BuyIn")
        entry["events"].append(entry["events"][0])

    found = failures(tmp_path, change)["legality"]
    assert found.startswith("entry 2 (BuyIn by Ann), event 2: ")
    assert found.endswith("the rules give nothing")


def test_a_missing_command_is_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["entries"].remove(entry_of(data, "Hit"))

    assert failures(tmp_path, change)["legality"].startswith("entry 10 (Double by Bo): ")


def test_an_illegal_command_is_found_with_its_clause(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        split = {"command": "Split", "player": "Ann", "position": 1}
        stood = {"event": "HandStood", "position": 1, "hand": 0}
        data["entries"].insert(9, {"command": split, "events": [stood]})

    assert failures(tmp_path, change)["legality"] == (
        "entry 10 (Split by Ann): the rules refuse it: "
        "only two cards of equal value may split [HB-SPLIT]"
    )


def test_other_settings_are_found(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["settings"] = {"decks": "8"}

    found = failures(tmp_path, change)
    assert found["fingerprint"].startswith("the head of the file has the fingerprint ")
    assert found["fingerprint"].endswith("it is not the same game")


def test_another_fingerprint_is_found(tmp_path: Path) -> None:
    def head(data: Data) -> None:
        data["fingerprint"] = "0" * 64

    def event(data: Data) -> None:
        event_of(data, "TableOpened")["fingerprint"] = "0" * 64

    assert "the head of the file" in failures(tmp_path, head)["fingerprint"]
    assert "entry 1 (OpenTable)" in failures(tmp_path, event)["fingerprint"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            '"game":"blackjack"',
            '"game":"blakjack"',
            'no game "blakjack"; did you mean "blackjack"?',
        ),
        ('"game":"blackjack"', '"game":"club.toml"', "there is no file club.toml"),
        ('"settings":{}', '"settings":{"decks":"9"}', "does not allow decks=9"),
        ('"settings":{}', '"settings":{"colour":"9"}', "colour"),
    ],
)
def test_a_game_that_cannot_be_loaded(tmp_path: Path, old: str, new: str, expected: str) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(example().replace(old, new, 1), "utf-8")
    for verb in ("verify", "replay"):
        text = refusal(verb, str(file))
        assert text.startswith(f"{file}: its game cannot be loaded: ")
        assert expected in text


def test_a_game_file_may_stand_beside_the_record(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_bytes((ROOT / "examples/club-blackjack.toml").read_bytes())
    file = tmp_path / "session.jsonl"
    file.write_text(example().replace('"game":"blackjack"', '"game":"club.toml"', 1), "utf-8")
    data = upcard("verify", str(file), "--json").data
    assert data["game"] == "club-blackjack@1"
    assert data["checks"][1]["holds"] is False


# ------------------------------------------------------------------ replay


def test_without_a_terminal_everything_is_told() -> None:
    done = upcard("replay", EXAMPLE)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line for line in lines if not line.startswith("  ") and line] == [
        "Before round 1",
        "Round 1",
        "After round 1",
    ]
    numbers = [int(line.split()[0]) for line in lines if line.startswith("  ")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "   24  Seat 1 gets the eight of diamonds." in lines
    assert "   18  The dealer gets a card face down." in lines
    assert upcard("replay", EXAMPLE, "--all").out == done.out


def test_a_replay_may_begin_with_a_round(tmp_path: Path) -> None:
    file = tmp_path / "three.jsonl"
    save_log(bot_log("blackjack"), file)
    lines = upcard("replay", str(file), "--from", "2").out.splitlines()
    assert lines[0] == "Round 2"
    assert lines[1].endswith("Round 2 begins.")
    assert "Round 1" not in lines
    assert "Round 3" in lines
    text = refusal("replay", str(file), "--from", "9")
    assert text == "--from 9: there is no such round: the record has rounds 1 to 3"
    assert "round 1 only" in refusal("replay", EXAMPLE, "--from", "2")


def test_a_replay_as_data() -> None:
    steps = upcard("replay", EXAMPLE, "--json").data
    assert all(set(step) == {"number", "round", "event", "words"} for step in steps)
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    assert [step["round"] for step in steps[:9]] == [0] * 9
    assert {step["round"] for step in steps[9:]} == {1}
    assert all(step["words"] for step in steps)
    assert upcard("replay", EXAMPLE, "--json", "--from", "1").data == steps[9:]


@pytest.mark.parametrize("viewer", ["public", "dealer", "auditor", "player:Bo"])
@pytest.mark.parametrize("game", GAME_IDS)
def test_what_is_hidden_stays_hidden(game: str, viewer: str, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    save_log(bot_log(game), file)
    steps = upcard("replay", str(file), "--json", "--as", viewer).data
    for step, event in zip(steps, bot_log(game).events, strict=True):
        told = step["event"]
        assert told["event"] == type(event).__name__
        if isinstance(event, ev.TableOpened):
            assert event.secret not in str(step)
        if isinstance(event, ev.CardDealt) and event.face == "down":
            assert told["card"] == HIDDEN
            assert "face down" in step["words"] or "discarded" in step["words"]
        if isinstance(event, ev.ShoeShuffled):
            assert set(told["order"]) == {HIDDEN}


def test_viewers_must_be_somebody() -> None:
    assert "write public, dealer, auditor or player:NAME" in refusal(
        "replay", EXAMPLE, "--as", "everybody"
    )
    assert "player:NAME" in refusal("replay", EXAMPLE, "--as", "player:")
    text = refusal("replay", EXAMPLE, "--as", "player:Anne")
    assert "no player Anne is in this record (the players are Ann and Bo)" in text
    assert 'did you mean "Ann"?' in text


def test_a_situation_can_be_replayed(tmp_path: Path) -> None:
    done = upcard("replay", SITUATION)
    assert done.status == 0
    assert "The dealer gets the eight of diamonds." in done.out
    file = tmp_path / "short.toml"
    file.write_text(Path(SITUATION).read_text().replace('actions = ["hit"]', ""), "utf-8")
    assert refusal("replay", str(file)).startswith(f"{file}: seat 1, turns, action 1: too few")


def test_a_record_that_cannot_have_happened(tmp_path: Path) -> None:
    data = data_of(read_log(Path(EXAMPLE)))
    event_of(data, "HandHit")["position"] = 6
    file = tmp_path / "changed.jsonl"
    file.write_text(text_of(data), "utf-8")
    assert "the legality of this record does not hold: `upcard verify` says where" in (
        refusal("replay", str(file))
    )
    text = refusal("replay", str(file), "--anyway")
    assert f"{file}: event 23, HandHit, cannot happen there" in text
    assert "upcard verify" in text


def test_an_empty_record(tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text(write_log(cut(bot_log("blackjack"), 0)), "utf-8")
    done = upcard("verify", str(file))
    assert done.status == 1
    assert "it has no entry: a title alone proves nothing" in done.out
    assert "the chain of this record does not hold" in refusal("replay", str(file))
    said = refusal("replay", str(file), "--anyway")
    assert "nothing has happened in this session yet" in said


# ------------------------------------------------------------------ step by step


def film(game: str, viewer: Viewer = AUDITOR) -> Film:
    return Film(Engine(compiled(game)), bot_log(game).events, viewer, game)


def pages(shown: Film, *keys: str, first: int = 0, size: tuple[int, int] = (80, 24)) -> list[str]:
    """The screens that a row of keys leads through."""
    out = Console(file=io.StringIO(), force_terminal=True, width=size[0], height=size[1])
    found = []

    def look(_: str) -> None:
        assert isinstance(out.file, io.StringIO)
        found.append(CODES.sub("", out.file.getvalue().rpartition("\x1b[H")[2]))
        out.file.truncate(0)
        out.file.seek(0)

    walk(shown, first, ScriptedKeyboard((*keys, "q"), look), out)
    return found


def numbers(screens: list[str]) -> list[int]:
    return [int(re.findall(r"event (\d+) of", screen)[0]) for screen in screens]


def test_keys_go_on_back_and_to_the_next_round() -> None:
    shown = film("blackjack")
    starts = [place + 1 for place in shown.starts.values()]
    last = len(shown.steps)
    assert numbers(pages(shown, "enter", " ", "b", "left")) == [1, 2, 3, 2, 1]
    assert numbers(pages(shown, "b", *"rrrr")) == [1, 1, *starts, last]
    assert numbers(pages(shown, "x", "down", first=last - 1)) == [last, last, last]
    assert numbers(pages(shown, "end", *["page up"] * 4)) == [1, last, *reversed(starts), 1]
    assert numbers(pages(shown, "page down", "right", "R", "end", "home")) == [
        1,
        starts[0],
        starts[0] + 1,
        starts[0],
        last,
        1,
    ]


def test_a_round_or_an_event_is_jumped_to() -> None:
    shown = film("blackjack")
    second, last = shown.starts[2] + 1, len(shown.steps)
    assert numbers(pages(shown, "g", "2", "enter"))[-1] == second
    assert numbers(pages(shown, "e", "3", "9", "backspace", "1", "enter"))[-1] == 31
    assert numbers(pages(shown, "g", "2", "escape", "e", "x", "enter"))[-1] == 1
    asked = pages(shown, "g", "2")[-1]
    assert "Go to round: 2_" in asked
    wrong = pages(shown, "g", "9", "enter")[-1]
    assert "There is no round 9: the record has rounds 1 to 3." in " ".join(wrong.split())
    wrong = pages(shown, "e", "9", "9", "9", "9", "enter")[-1]
    assert f"There is no event 9999: the record has {last}." in " ".join(wrong.split())


def test_an_event_is_chosen_from_the_list_of_all() -> None:
    shown = film("blackjack")
    listed = pages(shown, "v", "down", "down", "enter")
    assert "Before round 1" in listed[1]
    assert shown.steps[0].words in listed[1]
    assert numbers(listed[-1:]) == [3]
    assert numbers(pages(shown, "v", "end", "escape")[-1:]) == [1]


def test_the_keys_are_explained_and_a_stray_one_keeps_the_event() -> None:
    shown = film("blackjack")
    assert "type the number of a round" in pages(shown, "?", "escape")[1]
    assert "pays 1:1, blackjack 3:2" in pages(shown, "?", "2", "escape")[2]
    stray = " ".join(pages(shown, " ", "Z")[-1].split())
    assert "Z means nothing here" in stray
    assert shown.steps[1].words in stray


def test_no_key_moves_while_the_table_is_hidden() -> None:
    shown = film("blackjack")
    for screen in pages(shown, " ", "r", "g", "2", "enter", size=(60, 20)):
        assert "The table needs 70 by 22 characters" in " ".join(screen.split())
        assert "only q (quit) does anything" in " ".join(screen.split())


def test_a_warning_stands_in_every_picture() -> None:
    shown = film("blackjack")
    shown.warning = "NOT VERIFIED"
    assert all("NOT VERIFIED" in screen for screen in pages(shown, " ", "r", "end"))


@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 36), marks=deep)])
@pytest.mark.parametrize("viewer", [Viewer("player", "Bo"), AUDITOR])
@pytest.mark.parametrize("game", GAME_IDS)
def test_every_page_fits_and_hides_what_is_hidden(
    game: str, viewer: Viewer, size: tuple[int, int]
) -> None:
    shown = film(game, viewer)
    screens = pages(shown, *" " * (len(shown.steps) - 1), size=size)
    assert len(screens) == len(shown.steps)
    for step, screen in zip(shown.steps, screens, strict=True):
        lines = screen.split("\n")
        assert len(lines) == size[1]
        assert all(cell_len(line) <= size[0] for line in lines)
        assert "q quit" in screen
        assert f"event {step.number} of {len(screens)}" in screen
        assert step.words.replace(" ", "") in "".join(screen.split()), screen
    hides = any(getattr(step.event, "card", "") == HIDDEN for step in shown.steps)
    assert hides or game == "double-exposure"  # DX-UP
    assert any("▒" in screen for screen in screens) == (game not in NOTHING_DOWN)
    for step, screen in zip(shown.steps, screens, strict=True):
        if step.round and isinstance(step.event, ev.CardDealt) and step.event.card == HIDDEN:
            assert "▒" in screen or step.event.to == "empty"


def test_the_page_shows_bank_and_lights_and_chips() -> None:
    bank = pages(film("pure-spanish-21.5"), "r")[1]
    assert "turn 1/2" in bank
    seen = pages(film("blackjack"), "r")[1]
    assert re.search(r"Ann \$[\d,]+ · Bo \$[\d,]+ · Cy \$[\d,]+ +seen by the auditor", seen)
    own = pages(film("blackjack", Viewer("player", "Bo")), "r", "end")
    assert "Bo (you)" in own[1]
    assert re.search(r"Bo +●* *\$[\d,]+ chips", own[1])
    assert not re.search(r"Ann \$[\d,]+ ·", own[1]), "others' chips are their own business"
    assert "session" in own[2]
    assert "seen by the public" in pages(film("blackjack", PUBLIC), "r")[1]


def test_a_keyboard_that_is_gone_ends_the_walk() -> None:
    out = Console(file=io.StringIO(), force_terminal=True)
    walk(film("blackjack"), 0, ScriptedKeyboard([]), out)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_real_terminal() -> None:
    import pty
    import select

    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-m", "upcard", "replay", EXAMPLE])
    shown = ""
    deadline = time.monotonic() + 30

    def read_until(wanted: str) -> None:
        nonlocal shown
        while wanted not in shown and wanted not in CODES.sub("", shown):
            assert time.monotonic() < deadline, shown
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 65536).decode(errors="replace")

    for wanted, key in (("event 1 of", " "), ("event 2 of", "r"), ("event 10 of", "q")):
        read_until(wanted)
        os.write(terminal, key.encode())
    try:
        read_until("\x1b[?1049l")
        assert os.waitpid(child, 0)[1] == 0
    finally:
        os.close(terminal)
