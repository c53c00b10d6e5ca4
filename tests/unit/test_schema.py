"""The JSON Schema of game files: editors know every key, and mark what `check` would refuse."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from shell import refusal, upcard
from upcard import GAME_IDS
from upcard.rules.json_schema import game_schema
from upcard.rules.vocabulary import tables

jsonschema_rs = pytest.importorskip("jsonschema_rs")

EXAMPLES = ("club-blackjack", "friday-21")
CHILD: dict[str, Any] = {
    "id": "mine",
    "version": 1,
    "name": "Mine",
    "source": "me",
    "extends": "blackjack",
}


def plain(text: str) -> Any:
    """A file as an editor gives it to a validator: dates are texts."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))


def packaged(game: str) -> Any:
    return plain(resources.files("upcard").joinpath("games", f"{game}.toml").read_text("utf-8"))


def mistakes(data: Any) -> list[str]:
    validator = jsonschema_rs.Draft202012Validator(game_schema())
    return [error.message for error in validator.iter_errors(data)]


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_packaged_games_fit(game: str) -> None:
    assert mistakes(packaged(game)) == []


@pytest.mark.parametrize("game", EXAMPLES)
def test_the_examples_fit(game: str) -> None:
    assert mistakes(plain(Path(f"examples/{game}.toml").read_text())) == []


@pytest.mark.parametrize("how", [[], ["--extends"]])
def test_a_new_game_fits(how: list[str]) -> None:
    assert mistakes(plain(upcard("new", "mine", *how, "-o", "-").out)) == []


@pytest.mark.parametrize(
    "more",
    [
        {"dealer": {"soft71": "hit"}},
        {"dealer": {"soft17": "draw"}},
        {"shoes": {}},
        {"shoe": {"decks": 9}},
        {"wagers": {"x": {"settles": "luck", "name": "X"}}},
        {"wagers": {"x": {"settles": "tie", "payss": "2:1"}}},
        {"natural": {"pays": "3/2"}},
        {"felt": "red"},
        {"draft": "yes"},
        {"effective": 5},
        {"clauses": {"X-1": {"says": "x", "set": []}}},
        {"options": {"decks": {"allowed": {"form": 1}}}},
    ],
)
def test_a_mistake_is_marked(more: dict[str, Any]) -> None:
    assert mistakes(CHILD) == []
    assert mistakes(CHILD | more)


@pytest.mark.parametrize("key", ["id", "name", "source", "version", "shoe", "wagers", "bank"])
def test_what_is_missing_is_marked(key: str) -> None:
    game = packaged("blackjack")
    del game[key]
    assert mistakes(game)


@pytest.mark.parametrize("path", ["shoe.decks", "wagers.base.name", "wagers.base.settles"])
def test_what_is_missing_below_is_marked_unless_it_is_inherited(path: str) -> None:
    game = packaged("blackjack")
    *above, key = path.split(".")
    table = game
    for name in above:
        table = table[name]
    del table[key]
    assert mistakes(game)
    assert mistakes(game | {"extends": "blackjack"}) == []


def test_every_key_has_its_meaning() -> None:
    text = json.dumps(game_schema())
    for table in tables():
        for key in table.keys:
            assert not key.meaning or json.dumps(key.meaning)[1:-1] in text, key.path


def test_the_command_prints_it_and_writes_it(tmp_path: Path) -> None:
    plainly = json.loads(json.dumps(game_schema()))
    assert upcard("schema").data == plainly
    file = tmp_path / "schema.json"
    assert upcard("schema", "-o", str(file)).status == 0
    assert json.loads(file.read_text()) == plainly
    assert "is there already" in refusal("schema", "-o", str(file))
