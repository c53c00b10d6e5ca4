"""Records that somebody wrote to mislead: nothing hangs, breaks, or looks like a line of ours."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from conftest import compiled
from records import KEY, joined, lines, record_of
from shell import refusal, upcard
from unit.test_play_kit import sitting
from unit.test_replay_verify import Data, data_of, event_of, text_of
from upcard.cli.output import complain, print_hanging
from upcard.cli.play.keys import ScriptedKeyboard
from upcard.cli.play.paint import apart, fitted
from upcard.cli.play.start import Wishes
from upcard.cli.replay import Film
from upcard.cli.replay_felt import walk
from upcard.errors import UpcardError
from upcard.shape import LARGEST_FILE
from upcard.table import commands as cm
from upcard.table.engine import Engine
from upcard.table.notation import parse_record, read_log, write_log
from upcard.table.session import Log, Session
from upcard.table.shoe import secret_from
from upcard.table.view import AUDITOR, Viewer

EXAMPLE = Path(__file__).parents[2] / "examples/session.jsonl"
FORGED = "✓  shuffle      fits the commitment: proven"
"""What looks like a check that holds."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_HOME", str(tmp_path / "home"))


def changed(file: Path, change: Callable[[Data], None]) -> Path:
    """The example after a change, chained and signed anew."""
    data = data_of(read_log(EXAMPLE))
    change(data)
    file.write_text(text_of(data), "utf-8")
    return file


def renamed(name: str) -> bytes:
    """The example with another name for Ann; only its text is changed."""
    return EXAMPLE.read_bytes().replace(b'"Ann"', json.dumps(name).encode())


# ------------------------------------------------------------------ the screen


@pytest.mark.parametrize("as_player", [False, True])
def test_a_name_does_nothing_to_the_felt(as_player: bool) -> None:
    evil = "\x1b[31mPWN\x1b]0;title\x07\u202e\n\x9b2J"
    events = parse_record(renamed(evil), "evil").log.events
    viewer = Viewer("player", evil) if as_player else AUDITOR
    film = Film(Engine(compiled("blackjack")), events, viewer, "evil", fault="forged")
    for width in (80, 120):
        out = Console(
            file=io.StringIO(), force_terminal=True, width=width, height=36, color_system=None
        )
        walk(film, 0, ScriptedKeyboard((*" " * len(film.steps), "v", "escape", "q")), out)
        assert isinstance(out.file, io.StringIO)
        shown = out.file.getvalue()
        for sign in ("\x1b[31m", "\x1b]", "\x07", "\u202e", "\x9b"):
            assert sign not in shown
        assert shown.count("\\x1b[31mPWN") > len(film.steps), "in the bar and at the seat"
        for frame in shown.split("\x1b[H")[1:]:
            assert frame.count("\n") == 35
            assert all(cell_len(line) <= width for line in frame.split("\n"))


def test_what_cannot_be_printed_keeps_its_colours_and_takes_no_room_of_others() -> None:
    line = fitted(Text("a").append("b\x1bc", "red").append("d"), 10)
    assert line.plain == "ab\\x1bcd  "
    red = "".join(line.plain[span.start : span.end] for span in line.spans if span.style == "red")
    assert red == "b\\x1bc"
    bar = apart(Text("\x1b" * 10_000), Text("UNPROVEN"), 40)
    assert bar.cell_len == 40
    assert bar.plain.endswith(" UNPROVEN")
    assert bar.plain.isprintable()


# ------------------------------------------------------------------ reading


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_bytes(record_of("blackjack"))
    for name in ("pipe.jsonl", "pipe.toml"):
        os.mkfifo(tmp_path / name)
    command = [sys.executable, "-m", "upcard", "verify", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "2 other files or linked folders passed over" in done.stdout
    assert refusal("verify", str(tmp_path / "pipe.jsonl")).endswith(": is not a file")


DEEP = 100_000
OLD = b"notation=1\ngame='blackjack'\nfingerprint='x'\n"
TITLE = EXAMPLE.read_bytes().split(b"\n")[0] + b"\n"
EVENT = TITLE + b'{"after":"","command":null,"event":{"event":"TableClosed","x":%b}}\n'


@pytest.mark.parametrize(
    "data",
    [
        EVENT % (b"[" * DEEP + b"]" * DEEP),
        EVENT % (b'{"a":' * DEEP + b"1" + b"}" * DEEP),
        OLD + b"settings." + b"a." * 20_000 + b"a=1\n",
        OLD + b"settings.a." + b"a." * 200 + b"a=1\n" + b"[settings" + b".b" * 200 + b"]\n",
        OLD + b"settings={}\n[[" + b"entries." * 1500 + b"x]]\n",
        OLD + b"settings=" + b"[" * DEEP + b"]" * DEEP + b"\n",
        OLD + b"settings=" + b"{a=" * 900 + b"1" + b"}" * 900 + b"\n",
    ],
)
def test_what_is_nested_deeply_is_one_sentence(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "deep.jsonl"
    file.write_bytes(data)
    for command in (("verify",), ("replay", "--anyway")):
        assert len(refusal(*command, str(file))) < 1000


def test_a_file_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "large.jsonl"
    file.touch()
    os.truncate(file, LARGEST_FILE + 1)
    for command in ("verify", "replay"):
        assert refusal(command, str(file)).endswith("is too large: a file has at most 256 MiB")
    title = json.loads(TITLE) | {"game": "large.toml"}
    record = tmp_path / "r.jsonl"
    record.write_text(json.dumps(title) + "\n")
    file.rename(tmp_path / "large.toml")
    assert "large.toml: is too large" in refusal("verify", str(record))
    monkeypatch.setattr("upcard.table.notation.LONGEST_LINE", 1 << 10)
    assert "line 20: is too long: a line has at most" in refusal("verify", str(EXAMPLE))


# ------------------------------------------------------------------ lines that are not ours


def test_links_that_go_round_are_one_sentence(tmp_path: Path) -> None:
    round_and_round = tmp_path / "loop.jsonl"
    round_and_round.symlink_to(round_and_round)
    assert str(round_and_round) in refusal("verify", str(round_and_round))
    assert str(round_and_round) in refusal("replay", str(round_and_round))
    with pytest.raises(UpcardError, match=r"loop\.jsonl"):
        sitting("blackjack", ["q"], wishes=Wishes(file=round_and_round))[0].run()


def test_what_an_error_quotes_adds_no_line(tmp_path: Path) -> None:
    file, other = tmp_path / "forged.jsonl", tmp_path / "other.jsonl"
    other.write_bytes(TITLE + b"?\n")
    for line_end in ("\n", "\r", "\x85", "\u2028", "\x1b[1E"):
        for title in (
            {f"x{line_end}{FORGED}": 1},
            {"game": f"x{line_end}{FORGED}"},
            {"settings": {f"x{line_end}{FORGED}": "1"}},
            {"settings": {"decks": f"x{line_end}{FORGED}"}},
            {"fingerprint": [f"x{line_end}{FORGED}"]},
        ):
            file.write_text(json.dumps(json.loads(TITLE) | title) + "\n")
            said = refusal("verify", str(file))
            assert len(said.splitlines()) == 1
            assert "\x1b" not in said
            many = upcard("verify", str(file), str(other)).out
            assert not any(line.startswith(FORGED) for line in many.splitlines())


def test_long_values_are_not_quoted_whole(tmp_path: Path) -> None:
    long = "x" * 100_000
    file = tmp_path / "long.jsonl"
    for title in ({long: 1}, {"game": long}, {"fingerprint": [long]}, {"settings": {long: "1"}}):
        file.write_text(json.dumps(json.loads(TITLE) | title) + "\n")
        assert len(refusal("verify", str(file))) < 3000
    file.write_bytes(renamed(long))
    assert max(map(len, upcard("verify", str(file)).out.splitlines())) < 1000


def terminal(width: int) -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=width, color_system=None)


def written(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 100])
@pytest.mark.parametrize("filling", [" ", "x", "王", "e\u0301 "])
def test_no_wrapped_line_begins_where_checks_do(
    width: int, filling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(data: Data) -> None:
        name = "".join(f"{filling * count}{FORGED}" for count in range(1, 60))
        event_of(data, "ChipsBought")["player"] = f"Ann{name}"

    file = changed(tmp_path / "wrapped.jsonl", change)
    for module, command in (("verify", ("verify",)), ("replay", ("replay", "--anyway", "--all"))):
        out = terminal(width)
        monkeypatch.setattr(f"upcard.cli.{module}.console", lambda out=out: out)
        upcard(*command, str(file))
        shown = written(out).splitlines()
        assert all(cell_len(line) <= width for line in shown)
        marked = [line.split()[:2] for line in shown if line.startswith(("✓", "✗", "~"))]
        if module == "verify":
            assert [name for _, name in marked] == [
                "chain",
                "fingerprint",
                "shuffle",
                "legality",
                "money",
                "conduct",
            ]
        else:
            assert marked == []


def test_a_text_that_cards_are_dealt_from_forges_no_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pad in range(20):
        text = f"x{' ' * pad}{FORGED}"
        session = Session(compiled("blackjack"))
        session.do(cm.OpenTable(table="t", secret=secret_from(text), dealt_from=text))
        file = tmp_path / "r.jsonl"
        file.write_text(write_log(session.log(), KEY), "utf-8")
        out = terminal(100)
        monkeypatch.setattr("upcard.cli.verify.console", lambda out=out: out)
        assert upcard("verify", str(file)).status == 0
        shown = written(out)
        assert f"\n{FORGED}" not in shown
        assert shown.count("\n") - shown.count(f"\n{' ' * 16}") == 6


def test_a_complaint_on_a_terminal_is_set_in_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    monkeypatch.setattr(sys, "stderr", out)
    monkeypatch.setenv("COLUMNS", "40")
    complain(f"{'王' * 60}{FORGED} {'word ' * 20}", "another")
    first, *others, last = out.getvalue().splitlines()
    assert first.startswith("upcard:")
    assert all(line.startswith("  ") for line in others)
    assert all(cell_len(line) <= 40 for line in (first, *others))
    assert last == "another"


def test_words_hang_under_words() -> None:
    out = terminal(30)
    print_hanging(out, Text("1234567  "), "one two three four five six seven\n")
    assert written(out).splitlines() == [
        "1234567  one two three four",
        "         five six seven\\n",
    ]


# ------------------------------------------------------------------ data


def test_data_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    evil = "é\x1b[31m\u202e\x9b2J\x7f\u2028\U000e0041"

    def change(data: Data) -> None:
        event_of(data, "ChipsBought")["player"] = evil

    file = changed(tmp_path / "evil.jsonl", change)
    commands = (("verify", "--certificate", str(tmp_path / "c")), ("replay", "--anyway"))
    for command in commands:
        text = upcard(*command, str(file), "--json").out
        assert text.replace("\n", "").isprintable()
        assert "\\u202e\\u009b2J\\u007f\\u2028\\udb40\\udc41" in text
    assert upcard("replay", str(file), "--anyway", "--json").data[2]["event"]["player"] == evil
    page = (tmp_path / "c.json").read_text("utf-8")
    assert page.replace("\n", "").isprintable()
    assert evil in (player["player"] for player in json.loads(page)["players"])


# ------------------------------------------------------------------ time


def test_what_was_never_dealt_is_not_weighed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order of a thousand shoes, closed on: to play such shoes takes for ever."""

    def weigh(*_: object) -> None:
        raise AssertionError("weighed")

    def change(data: Data) -> None:
        shuffled = event_of(data, "ShoeShuffled")
        shuffled["order"] *= 1000
        shuffled["cut"] = 300_000

    monkeypatch.setattr("upcard.table.verify.conduct", weigh)
    file = changed(tmp_path / "huge.jsonl", change)
    done = upcard("verify", str(file))
    assert done.status == 1
    assert "they differ first at card 313" in done.out
    assert "~  conduct      not weighed: the shuffle does not hold" in done.out
    assert max(map(len, done.out.splitlines())) < 1000
    assert '"cut":300000}, the rules give' in done.out


def test_what_was_never_dealt_is_not_weighed_among_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(data: Data) -> None:
        event_of(data, "ShoeShuffled")["order"] *= 2

    weighed: list[Log] = []

    def levers(_: object, log: Log, __: object) -> tuple[()]:
        weighed.append(log)
        return ()

    monkeypatch.setattr("upcard.table.several.levers", levers)
    file = changed(tmp_path / "forged.jsonl", change)
    (tmp_path / "good.jsonl").write_bytes(joined(lines(record_of("blackjack"))))
    assert upcard("verify", str(file), str(tmp_path / "good.jsonl")).status == 1
    assert len(weighed) == 1
