"""`upcard round`: what it prints, what it refuses, and in which words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shell import refusal, upcard
from upcard.table.events import EVENT_TYPES

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples/eight-eight-eight.toml")
SITUATIONS = ROOT / "tests/rulebook/situations"

PLAIN = """
title = "A pair of eights"
game = "blackjack"
clauses = ["HB-SPLIT"]
shoe = "8s 6d 8h Td 3c Ts 2c Tc"

[[seats]]
seat = 1
wagers = { base = 1000 }
actions = ["split", "double", "stand"]
"""
EXPECT = """
[expect.seats.1]
net = 3000
[expect.seats.1.wagers.base]
staked = 3000
returned = 6000
"""
REFUSED = PLAIN.replace('"split", "double", "stand"', '"insure"')


def file_with(folder: Path, text: str, name: str = "round.toml") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


# ------------------------------------------------------------------ one round


def test_a_round_is_pictured() -> None:
    done = upcard("round", EXAMPLE)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith("[PS-W6]")
    assert lines[1] == "Pure Spanish 21.5  pure-spanish-21.5@2"
    assert "Seat 1 Ann  Ks 6h Qc  26     push     base $10 → $10        $0" in done.out
    assert "match $5 → $0" in done.out
    assert "Dealer      8d 8h 8s  24" in done.out
    assert "Player-dealer at seat 7: net -$5, fees $0.50" in done.out
    assert lines[-1] == "As expected."
    assert all(line == line.rstrip() for line in lines)
    assert "\x1b" not in done.out


PRIZE = """
id = "weekend"
version = 1
name = "Weekend"
source = "our own"
extends = "ten-sticks-21"
[lights]
count = 1
prize = 30000
prize_name = "a weekend [for two]"
[clauses.X-1]
kind = "money"
says = "Ours."
sets = ["lights.count", "lights.prize", "lights.prize_name"]
"""


@pytest.mark.parametrize(("seats", "times"), [(1, ""), (2, ", 2 times")])
def test_a_prize_in_kind_is_named(tmp_path: Path, seats: int, times: str) -> None:
    game = file_with(tmp_path, PRIZE, "weekend.toml")
    cards = "Tc 9h 5s Td 6h" if seats == 1 else "Tc Tc 9h 5s 5s Td 6h 6h"
    text = f'title = "A prize"\ngame = "{game}"\nclauses = ["TS-5"]\nshoe = "{cards}"\n'
    for seat in range(1, seats + 1):
        text += f"[[seats]]\nseat = {seat}\nwagers = {{ base = 1000 }}\n"
        text += 'actions = ["trade", "stand"]\n'
    done = upcard("round", file_with(tmp_path, text))
    assert f"Prizes: a weekend [for two], worth $300{times}\n" in done.out, done


def test_split_hands_stand_below_each_other(tmp_path: Path) -> None:
    done = upcard("round", file_with(tmp_path, PLAIN + EXPECT))
    assert (done.status, done.err) == (0, "")
    first, second = (line for line in done.out.splitlines() if "8s 3c" in line or "8h 2c" in line)
    assert " ".join(first.split()) == "Seat 1 8s 3c Ts 21 won base $30 → $60 $30"
    assert " ".join(second.split()) == "8h 2c 10 won"
    assert "House: net -$30" in done.out


def test_the_picture_is_plain_where_there_are_no_signs() -> None:
    done = upcard("round", EXAMPLE, encoding="ascii")
    assert "base $10 -> $10" in done.out


def test_names_may_hold_what_the_encoding_does_not_have(tmp_path: Path) -> None:
    file = file_with(tmp_path, PLAIN.replace("A pair", "Zoë's pair"))
    assert upcard("round", file, encoding="ascii").out.startswith("Zo?'s pair of eights")
    assert "Zo?'s pair" in upcard("round", file, file, encoding="ascii").out
    assert "Zoë's pair" in upcard("round", file, file).out


def test_events_are_told_on_request(tmp_path: Path) -> None:
    file = file_with(tmp_path, PLAIN)
    assert "Seat 1 splits." not in upcard("round", file).out
    done = upcard("round", file, "--events")
    assert "Seat 1 splits.\n" in done.out
    assert "Seat 1 doubles for $10.\n" in done.out


def test_a_round_without_expectations_is_just_played(tmp_path: Path) -> None:
    done = upcard("round", file_with(tmp_path, PLAIN))
    assert done.status == 0
    assert "As expected" not in done.out


def test_a_round_as_data() -> None:
    data = upcard("round", EXAMPLE, "--json").data
    assert data["clauses"] == ["PS-W6"]
    assert data["seats"]["1"]["net"] == 0
    assert data["seats"]["1"]["fees"] == 0
    assert data["seats"]["1"]["lights"] == 0
    assert data["seats"]["2"]["wagers"] == {
        "base": {"staked": 1000, "returned": 2000},
        "match": {"staked": 500, "returned": 0},
    }
    hand = data["seats"]["1"]["hands"][0]
    assert (hand["cards"], hand["total"], hand["outcome"]) == (["Ks", "6h", "Qc"], 26, "push")
    assert data["dealer"]["cards"] == ["8d", "8h", "8s"]
    assert data["dealer"]["total"] == 24
    assert data["bank"] == {"seat": 7, "net": -500, "fees": 50}
    assert data["events"][0]["event"] == "TableOpened"
    assert (data["expected"], data["differences"]) == (True, [])


def test_data_without_expectations_has_no_verdict(tmp_path: Path) -> None:
    data = upcard("round", file_with(tmp_path, PLAIN), "--json").data
    assert data["house"] == {"net": -3000}
    assert not {"expected", "differences", "refused"} & set(data)


@pytest.mark.parametrize(
    "name",
    [
        "pure-spanish-21.5/PS-M4.toml",
        "twisted-21/TW-1.toml",
        "ten-sticks-21/TS-7.toml",
        "blackjack/HB-INSURANCE.toml",
        "pure-spanish-21.5/PS-T1.toml",
    ],
)
def test_all_kinds_of_rounds_have_a_picture(name: str) -> None:
    done = upcard("round", str(SITUATIONS / name), "--events")
    assert (done.status, done.err) == (0, "")
    assert "As expected." in done.out


def test_backers_lights_prizes_and_down_cards_are_shown() -> None:
    backed = next(
        file
        for file in sorted((SITUATIONS / "pure-spanish-21.5").glob("PS-M4*.toml"))
        if "backline" in file.read_text() and "refused" not in file.read_text()
    )
    assert "\n  Bo " in upcard("round", str(backed)).out
    assert "(2c 6c Qs)" in upcard("round", str(SITUATIONS / "twisted-21/TW-1.toml")).out
    prize = upcard("round", str(SITUATIONS / "ten-sticks-21/TS-7.toml")).out
    assert "Prizes: $" in prize


# ------------------------------------------------------------------ expectations


def test_differences_are_named_one_by_one(tmp_path: Path) -> None:
    wrong = EXPECT.replace("net = 3000", "net = 2000\nhands = [{ total = 20 }]\nnett = 1")
    file = file_with(tmp_path, PLAIN + wrong + "[expect.dealer]\ncards = '6d Td 2c'\n")
    done = upcard("round", file)
    assert done.status == 1
    assert done.err.splitlines() == [
        f"upcard: {file}: seats.1.net: expected 2000 ($20), found 3000 ($30)",
        f"upcard: {file}: seats.1.hands: expected 1, found 2: 8s 3c Ts, 8h 2c",
        f"upcard: {file}: seats.1.hands.1.total: expected 20, found 21",
        f'upcard: {file}: seats.1.nett: expected 1, there is none; did you mean "net"?',
        f"upcard: {file}: dealer.cards: expected 6d Td 2c, found 6d Td Tc",
    ]
    assert "As expected" not in done.out
    assert "Seat 1" in done.out
    data = upcard("round", file, "--json").data
    assert data["expected"] is False
    assert len(data["differences"]) == 5
    assert upcard("round", file, "--json").status == 1


def test_a_seat_that_is_not_there_is_a_difference(tmp_path: Path) -> None:
    done = upcard("round", file_with(tmp_path, PLAIN + "[expect.seats.2]\nnet = 0\n"))
    assert "seats.2: there is none; there is 1\n" in done.err


def test_events_must_come_in_their_order(tmp_path: Path) -> None:
    told = 'expect.events = ["HandSplit", "HandDoubled", "HandStood"]\n'
    assert upcard("round", file_with(tmp_path, told + PLAIN)).status == 0
    swapped = 'expect.events = ["HandDoubled", "HandSplit"]\n'
    done = upcard("round", file_with(tmp_path, swapped + PLAIN))
    assert "events: expected HandSplit, which does not come after the events before it" in done.err


def test_a_refusal_may_be_expected(tmp_path: Path) -> None:
    file = file_with(tmp_path, REFUSED + '[expect]\nrefused = "seat 1, turns, action 1"\n')
    done = upcard("round", file)
    assert (done.status, done.err) == (0, "")
    assert 'Refused: seat 1, turns, action 1 "insure": ' in done.out
    assert done.out.endswith("As expected.\n")
    data = upcard("round", file, "--json").data
    assert data["refused"].startswith('seat 1, turns, action 1 "insure": ')
    assert (data["expected"], data["differences"]) == (True, [])


def test_another_refusal_than_expected_is_a_difference(tmp_path: Path) -> None:
    done = upcard("round", file_with(tmp_path, REFUSED + '[expect]\nrefused = "PS-M3"\n'))
    assert done.status == 1
    assert 'refused: expected a refusal with "PS-M3", it says: seat 1' in done.err


def test_no_refusal_where_one_is_expected_is_a_difference(tmp_path: Path) -> None:
    file = file_with(tmp_path, PLAIN + '[expect]\nrefused = "PS-M3"\n')
    done = upcard("round", file)
    assert done.status == 1
    assert "but the round was played" in done.err
    assert upcard("round", file, "--json").data["expected"] is False


# ------------------------------------------------------------------ settings, input, many files


def test_settings_of_the_command_line_win(tmp_path: Path) -> None:
    text = PLAIN.replace("[[seats]]", 'set = { double_after_split = "true" }\n[[seats]]')
    file = file_with(tmp_path, text)
    assert upcard("round", file).status == 0
    assert "[HB-" in refusal("round", file, "--set", "double_after_split=false")
    assert "with double_after_split=true, decks=8" in upcard("round", file, "--set", "decks=8").out
    assert "does not allow decks=9" in refusal("round", file, "--set", "decks=9")


def test_standard_input() -> None:
    assert upcard("round", "-", stdin=PLAIN + EXPECT).status == 0
    assert refusal("round", "-", stdin="game = ").startswith("standard input is not valid TOML")
    assert refusal("round", "-", stdin=b"\xff") == "standard input is not text in UTF-8"


def test_a_game_file_may_stand_beside_the_situation(tmp_path: Path) -> None:
    file_with(tmp_path, (ROOT / "examples/club-blackjack.toml").read_text(), "club.toml")
    file = file_with(tmp_path, PLAIN.replace('"blackjack"', '"club.toml"'))
    assert upcard("round", file, "--json").data["game"] == "club-blackjack@1"


def test_several_files_give_a_line_each(tmp_path: Path) -> None:
    good = file_with(tmp_path, PLAIN + EXPECT, "a.toml")
    plain = file_with(tmp_path, PLAIN, "b.toml")
    refused = file_with(tmp_path, REFUSED + '[expect]\nrefused = "action 1"\n', "c.toml")
    done = upcard("round", good, plain, refused)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"ok      {good}  A pair of eights",
        f"played  {plain}  A pair of eights",
        f"refused {refused}  A pair of eights",
        "3 situations: 1 ok, 1 played, 1 refused",
    ]


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    differs = file_with(tmp_path, PLAIN + EXPECT.replace("net = 3000", "net = 1"), "a.toml")
    fails = file_with(tmp_path, REFUSED, "b.toml")
    broken = file_with(tmp_path, "seats = 5", "c.toml")
    good = file_with(inner, PLAIN + EXPECT, "d.toml")
    done = upcard("round", str(tmp_path))
    assert done.status == 1
    assert [line.split()[:2] for line in done.out.splitlines()] == [
        ["differs", differs],
        ["fails", fails],
        ["fails", broken],
        ["ok", good],
        ["4", "situations:"],
    ]
    assert f"upcard: {differs}: seats.1.net: expected 1 ($0.01)" in done.err
    assert f'upcard: {fails}: seat 1, turns, action 1 "insure": ' in done.err
    assert f"upcard: {broken}: seats: 5 is not allowed here" in done.err
    data = upcard("round", str(tmp_path), "--json").data
    assert [found["file"] for found in data] == [differs, fails, broken, good]
    assert ["error" in found for found in data] == [False, True, True, False]
    assert [found.get("expected") for found in data] == [False, None, None, True]


def test_a_folder_without_situations(tmp_path: Path) -> None:
    assert "there is no situation in this folder" in refusal("round", str(tmp_path))


# ------------------------------------------------------------------ mistakes in the file


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("wagers =", "wager =", 'seats[1].wager: unknown key "wager"; did you mean "wagers"?'),
        ("base = 1000", "base = 10.5", "seats[1].wagers.base: 10.5 is not allowed here: a whole"),
        ("seat = 1", "", "seats[1].seat: missing: a whole number"),
        ("seat = 1", 'seat = 1\nkind = "pro"', 'kind: "pro" is not allowed here: one of "player"'),
        ('"split", ', '"split", 7, ', "seats[1].actions[2]: 7 is not allowed here: a text"),
        ("shoe =", "show =", 'show: unknown key "show"; did you mean "shoe"?'),
        ("game =", "shoe2 = 1\ngame =", "shoe2: unknown key"),
        ("[[seats]]", "[seats]", "seats: {"),
        ("8h Td", "8h Tx", 'shoe, card 4: "Tx" is not a card: write rank then suit'),
        ("seat = 1", "seat = 1\nwagers = {}\n[[seats]]\nseat = 1", "seat 1 is named twice"),
        ("game =", "game", "is not valid TOML: Expected '=' after a key"),
        ("[[seats]]", "[expect]\nseat = 1\n[[seats]]", 'expect.seat: unknown key "seat"'),
        (
            "[[seats]]",
            'expect.events = ["HandSplitted"]\n[[seats]]',
            'expect.events: there is no event "HandSplitted"; did you mean "HandSplit"? (docs/s',
        ),
        (
            "[[seats]]",
            'expect.events = ["told"]\n[[seats]]',
            'expect.events: there is no event "told"; did you mean "DownCardTold"?',
        ),
        (
            "[[seats]]",
            'expect.events = ["HandHit", "insurance"]\n[[seats]]',
            'no event "insurance"; did you mean "InsuranceTaken" or "InsuranceDeclined"?',
        ),
        (
            "[[seats]]",
            'expect.events = ["xyzzy"]\n[[seats]]',
            'expect.events: there is no event "xyzzy" (docs/situations.md has them all)',
        ),
        (
            "[[seats]]",
            'expect = { refused = "x", dealer = { total = 5 } }\n[[seats]]',
            "expect.refused: a refused round has no result",
        ),
    ],
)
def test_a_file_that_is_wrong(tmp_path: Path, old: str, new: str, expected: str) -> None:
    file = file_with(tmp_path, PLAIN.replace(old, new, 1))
    text = refusal("round", file)
    assert text.startswith(file)
    assert expected in text


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            '"split", "double", "stand"',
            '"stand", "hit"',
            'seat 1, action 2 "hit": too many actions',
        ),
        (
            '"split", "double", "stand"',
            '"split", "double"',
            "seat 1, turns, action 3: too few actions: 8h 2c (10) against 6d, asked for hit, ",
        ),
        ('"split", ', '"surrender", "split", ', 'seat 1, action 2 "split": too many actions'),
        ('"double", "stand"', '"surrender"', 'seat 1, turns, action 2 "surrender": '),
        ('"split", ', '"splitt", ', 'seat 1, turns, action 1: "splitt" is not an action'),
        ('"split", "double"', '"split", "double 3000"', 'action 2 "double 3000": '),
        ("8s 6d 8h Td 3c Ts 2c Tc", "8s 6d 8h", "the deal: the stacked shoe has no card left for"),
        (
            "8s 6d 8h Td 3c Ts 2c Tc",
            "8s 6d 8h Td 3c",
            'seat 1, turns, action 2 "double": the stacked shoe has no card left for',
        ),
        ("base = 1000", "base = 0", "seat 1, wagers: "),
        ("base = 1000", "base = 99900", "above the maximum of $500"),
        ("base = 1000", "bass = 1000", 'seat 1, wagers: there is no wager "bass"'),
        ("seat = 1", "seat = 1\nlights = 3", "there are no lights in this game"),
        ("seat = 1", "seat = 1\nmissed = 5", "seat 1, missed: "),
        ("seat = 1", "seat = -1", "there is no position -1"),
        ("seat = 1", "seat = 99", "positions may be 1 to 9"),
        ('"blackjack"', '"blakjack"', 'no game "blakjack"; did you mean "blackjack"?'),
        ('"blackjack"', '"pure-spanish-21.5"', "bank: a player banks this game"),
        ("[[seats]]", "bank = { seat = 2, amount = 5 }\n[[seats]]", "bank: the house banks"),
        ("[[seats]]", "set = { decks = 9 }\n[[seats]]", "does not allow decks=9"),
        ("[[seats]]", "set = { dekcs = 8 }\n[[seats]]", "dekcs"),
    ],
)
def test_a_round_that_cannot_be_played(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in PLAIN
    file = file_with(tmp_path, PLAIN.replace(old, new, 1))
    text = refusal("round", file)
    assert text.startswith(f"{file}: ")
    assert expected in text


def test_an_illegal_action_names_the_clause(tmp_path: Path) -> None:
    text = refusal("round", file_with(tmp_path, PLAIN.replace("8h", "9h")))
    assert text.endswith('action 1 "split": only two cards of equal value may split [HB-SPLIT]')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert refusal("round", str(tmp_path / "none.toml")).startswith("there is no file ")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    assert "is not a text file in UTF-8" in refusal("round", str(tmp_path / "bytes.toml"))
    nested = file_with(tmp_path, "a = " + "[" * 5000)
    assert "is not valid TOML" in refusal("round", nested)
    assert upcard("round").status == 2


def test_the_page_names_every_event() -> None:
    """And none that there is not, each once."""
    page = (ROOT / "docs/situations.md").read_text("utf-8")
    section = page.partition("### Events\n")[2].partition("\n## ")[0]
    named = re.findall(r"`([A-Z]\w+)`", section)
    assert sorted(named) == sorted(kind.__name__ for kind in EVENT_TYPES)
