"""The command line from outside: output, JSON, exit status, one clear sentence on failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from shell import Done, upcard
from upcard import GAME_IDS, __version__, tables_for


def process(*arguments: str) -> Done:
    """A command in a process of its own; what it prints is the same without."""
    words = [sys.executable, "-m", "upcard", *arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def answer(*arguments: str) -> Any:
    done = upcard(*arguments)
    assert done.status == 0, done.err
    return done.data


def refusal(*arguments: str) -> str:
    done = upcard(*arguments)
    assert done.status == 1
    assert done.out == ""
    assert "Traceback" not in done.err
    return done.err


def test_games_as_json() -> None:
    games = answer("games", "--json")
    assert [game["id"] for game in games] == list(GAME_IDS)
    for game in games:
        assert {"id", "version", "name", "fingerprint", "wagers", "source"} < set(game)
        assert len(game["fingerprint"]) == 64
        assert game["wagers"][0] == "base"
    wagers = {game["id"]: game["wagers"] for game in games}
    assert wagers["pure-spanish-21.5"] == ["base", "match"]
    assert wagers["twisted-21"] == ["base", "stud-poker", "stud-bonus"]
    assert "tie-blackjack" in wagers["blackjack-tie"]
    assert "insurance" in wagers["blackjack"]


def test_games_tell_what_to_do_next() -> None:
    done = process("games")
    assert (done.status, done.err) == (0, "")
    assert all(game in done.out for game in GAME_IDS)
    assert "What to do next" in done.out
    assert "\x1b" not in done.out, "no colours in a pipe"
    assert upcard("games") == done


@pytest.mark.parametrize("game", GAME_IDS)
def test_rules_as_json(game: str) -> None:
    sheet = answer("rules", game, "--json")
    assert sheet["game"] == game
    for clause in sheet["clauses"]:
        assert clause["id"]
        assert clause["summary"]
        assert clause["sets"]
        assert set(clause["kind"].split(", ")) <= {"play", "money", "option", "floor"}
    for option in sheet["options"]:
        in_list = option["default"] in option["allowed"]
        low, high = option["allowed"][0], option["allowed"][-1]
        assert in_list or (option["range"] and low <= option["default"] <= high)
    for reading in sheet["readings"]:
        assert reading["default"] in reading["answers"]
        assert reading["question"].endswith("?")
    for item in sheet["assumed"]:
        assert item["path"]
        assert item["reason"]


@pytest.mark.parametrize("game", GAME_IDS)
def test_rules_in_words(game: str) -> None:
    done = upcard("rules", game)
    assert done.status == 0
    assert "\x1b" not in done.out
    assert all(line == line.rstrip() for line in done.out.splitlines())
    for title in ("Cards", "Deal", "Player", "Dealer", "Who wins"):
        assert f"\n{title}" in done.out
    assert ("\nReadings" in done.out) is bool(tables_for(game).rulebook.readings)


def test_settings_show_on_the_sheet() -> None:
    shown = upcard("rules", "blackjack", "--set", "decks=2", "--set", "soft17=hit").out
    assert "with decks=2, soft17=hit" in shown
    assert "Two decks of 52 cards." in shown
    assert "hits soft 17" in shown


def test_trace_names_effects_and_tests() -> None:
    found = {
        c["id"]: c for c in answer("rules", "pure-spanish-21.5", "--trace", "--json")["clauses"]
    }
    assert found["PS-W6"]["sets"] == ["outcomes.special"]
    assert any("test_ps_w6" in test for test in found["PS-W6"]["tests"])
    text = upcard("rules", "pure-spanish-21.5", "--trace").out
    assert "PS-W6" in text
    assert "no test names it" not in text


def test_check_prints_all_problems_and_exits_1(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('extends = "blackjack"\nid = "bad"\n[shoe]\ndecks = 0\n[dealer]\nsoft71 = 1\n')
    text = refusal("check", str(file))
    assert "shoe.decks: 0 is not allowed here: a whole number from 1 to 8" in text
    assert 'dealer.soft71: unknown key "soft71"; did you mean "soft17"?' in text
    assert "2 problems" in text
    done = upcard("check", str(file), "--json")
    assert done.status == 1
    assert len(done.data["problems"]) == 2


def test_check_says_what_it_found_in_a_good_game() -> None:
    done = upcard("check", "twisted-21")
    assert done.status == 0
    assert done.out.startswith("twisted-21@2: no problems. 19 clauses; ")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("rules", "blakjack"), 'no game "blakjack"; did you mean "blackjack"?'),
        (("rules", "nowhere.toml"), "there is no file nowhere.toml"),
        (("rules", "blackjack", "--set", "decks"), "write it as name=value"),
        (("rules", "twisted-21", "--set", "decks=2"), "[TW-1]"),
        (("rules", "pure-spanish-21.5", "--set", "soft17=stand"), "PS-O3a"),
        (("check", "blakjack"), 'no game "blakjack"'),
        (("fees", "show", "99"), "1 to 52"),
    ],
)
def test_refusals_are_one_sentence(arguments: tuple[str, ...], expected: str) -> None:
    text = refusal(*arguments)
    assert expected in text
    assert text.startswith("upcard: ")


@pytest.mark.parametrize("arguments", [("rule",), ("rules",), ("games", "--jsn")])
def test_wrong_usage_exits_2(arguments: tuple[str, ...]) -> None:
    assert upcard(*arguments).status == 2


@pytest.mark.parametrize(
    ("arguments", "status"), [(("rules", "blakjack"), 1), (("rule",), 2), (("rules", "--help"), 0)]
)
def test_a_process_ends_as_the_command_does(arguments: tuple[str, ...], status: int) -> None:
    done = process(*arguments)
    assert done.status == upcard(*arguments).status == status
    assert bool(done.out) == (status == 0)
    assert bool(done.err) == (status != 0)
    assert "Traceback" not in done.err


def test_help_and_version() -> None:
    assert process("--version").out == f"upcard {__version__}\n"
    shown = upcard("--help").out
    for verb in ("games", "rules", "check", "fees"):
        assert verb in shown
        assert upcard(verb, "--help").status == 0


def test_a_closed_pipe_is_no_error() -> None:
    script = f"{sys.executable} -m upcard rules pure-spanish-21.5 | head -n 1"
    done = subprocess.run(script, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("Pure Spanish 21.5")
    assert done.stderr == ""
