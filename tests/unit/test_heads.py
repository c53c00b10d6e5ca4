"""The heads of game files: words and looks, and no part of a fingerprint."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from shell import upcard
from upcard import GAME_IDS, load_game, tables_for
from upcard.rules.check import check_game
from upcard.rules.head import contrast
from upcard.rules.registry import head_of
from upcard.rules.warn import warnings
from upcard.service.felt import table_info
from upcard.table.cloth import OTHER_FELT

FINGERPRINTS = {
    "blackjack@1": "b6c7f0fc1a0edd9c909b3dc7e786884dc730f76b6e7456287baa555a5f01630c",
    "ten-sticks-21@3": "1d125c57bd80d4188f67ebd0058efa58fdd926ad02896d0a4d648ef7365c9004",
    "pure-spanish-21.5@2": "f9b7b88f9b51e144a8354bee2cc0d7560496e13da09ddf596f5380582582ec4c",
    "games-of-chance-blackjack@2": (
        "c4d46a19fff8981263b2e88ea6624fe7063f1021d5cbcd5d03993866055347b5"
    ),
    "twisted-21@2": "d147fd3f2355cd60541f50d212f0a5df06e278872b8b6f40e727d25b4c3a84f0",
    "blackjack-tie@2": "0996088951c7475cc54e5a5aafddff476781e67c9264398240c2c76074dbe8f6",
}
"""What the games were before their heads had words and looks."""

CHILD = 'id = "mine"\nversion = 1\nname = "Mine"\nsource = "me"\nextends = "blackjack"\n'


def write(folder: Path, text: str) -> str:
    file = folder / "mine.toml"
    file.write_text(text)
    return str(file)


def messages(file: str) -> list[str]:
    return [problem.message for problem in check_game(file, {})[1]]


@pytest.mark.parametrize(("ref", "fingerprint"), FINGERPRINTS.items())
def test_heads_change_no_fingerprint_and_no_version(ref: str, fingerprint: str) -> None:
    rules = load_game(ref.partition("@")[0])
    assert (rules.game.ref, rules.fingerprint) == (ref, fingerprint)


def test_the_packaged_games_are_the_files_in_their_order() -> None:
    folder = resources.files("upcard").joinpath("games")
    files = {file.name.removesuffix(".toml") for file in folder.iterdir() if ".toml" in file.name}
    assert set(GAME_IDS) == files
    assert GAME_IDS[:2] == ("blackjack", "ten-sticks-21")
    assert [head_of(game).order for game in GAME_IDS] == sorted(  # type: ignore[union-attr]
        head_of(game).order  # type: ignore[union-attr]
        for game in GAME_IDS
    )


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_packaged_game_says_how_it_is_shown(game: str) -> None:
    head = head_of(game)
    assert head is not None
    assert head.id == game
    assert head.short
    assert head.summary.endswith(".")
    assert contrast(head.felt, "#e6dfcb") >= 4.5
    assert not head.draft


def test_no_two_packaged_games_look_alike() -> None:
    heads = [head_of(game) for game in GAME_IDS]
    for key in ("short", "felt", "order", "summary"):
        assert len({getattr(head, key) for head in heads}) == len(GAME_IDS), key


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_packaged_games_give_no_warning(game: str) -> None:
    assert list(warnings(load_game(game))) == []


def test_looks_and_places_are_not_inherited(tmp_path: Path) -> None:
    rules = load_game(write(tmp_path, CHILD.replace("blackjack", "ten-sticks-21")))
    assert (rules.game.felt, rules.game.jurisdiction, rules.game.short) == ("", "", "")


def test_words_of_the_head_change_no_fingerprint(tmp_path: Path) -> None:
    plain = load_game(write(tmp_path, CHILD)).fingerprint
    more = 'summary = "New."\nfelt = "#102030"\norder = 7\nshort = "MY"\njurisdiction = "Here"\n'
    found = load_game(write(tmp_path, CHILD + more + "effective = 2026-01-01\n"))
    assert found.fingerprint == plain
    assert found.game.felt == "#102030"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('effective = "tomorrow"', '"tomorrow" is not allowed here: a date such as 2026-01-31'),
        ("effective = 2026-01-01T10:00:00", "is not allowed here: a date such as 2026-01-31"),
        ("effective = 2026-02-01\nuntil = 2026-01-31", "the rules would end before they hold"),
        ('felt = "red"', '"red" is not allowed here: a colour such as "#0d5b45"'),
        ('felt = "#ffffff"', "light lettering could not be read on #ffffff"),
        ('short = "toolong"', "up to four capital letters"),
        ('summary = "Two\\nlines."', "it stands in one line"),
        ('jurisdiction = " Here"', "it stands in one line"),
    ],
)
def test_heads_that_are_wrong(tmp_path: Path, line: str, expected: str) -> None:
    (found,) = messages(write(tmp_path, f"{CHILD}{line}\n"))
    assert expected in found


@pytest.mark.parametrize("day", ["2026-01-01", '"2026-01-01"'])
def test_dates_and_places_are_shown(tmp_path: Path, day: str) -> None:
    line = f'effective = {day}\nuntil = 2026-12-31\njurisdiction = "South Dakota"\n'
    file = write(tmp_path, CHILD + line)
    words = "South Dakota, from 2026-01-01 to 2026-12-31"
    assert words in upcard("rules", file).out
    data = upcard("rules", file, "--json").data
    assert (data["effective"], data["until"]) == ("2026-01-01", "2026-12-31")
    assert words in upcard("games", "--games", str(tmp_path)).out
    *_, listed = upcard("games", "--games", str(tmp_path), "--json").data
    assert listed["jurisdiction"] == "South Dakota"
    assert listed["effective"] == "2026-01-01"


def test_only_what_a_source_states_is_filled_in() -> None:
    stated = {game["id"]: game for game in upcard("games", "--json").data}
    places = {game: data["jurisdiction"] for game, data in stated.items() if data["jurisdiction"]}
    assert places == {"ten-sticks-21": "South Dakota", "pure-spanish-21.5": "California"}
    assert all(data["effective"] is None is data["until"] for data in stated.values())


def test_a_felt_without_a_colour_is_the_houses_own(tmp_path: Path) -> None:
    assert table_info(tables_for(write(tmp_path, CHILD)))["felt"] == OTHER_FELT
    assert table_info(tables_for("twisted-21"))["felt"] == "#2f3b45"
