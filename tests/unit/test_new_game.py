"""`upcard new`: a file that says all there is, and plays at once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from shell import refusal, upcard
from upcard import GAME_IDS, load_game
from upcard.rules.head import HEADER
from upcard.rules.json_schema import ADDRESS
from upcard.rules.schema import INDEX
from upcard.rules.vocabulary import tables


def rules_of(reference: str) -> dict[str, object]:
    data = load_game(reference).data
    words = (*HEADER, *INDEX, "floor", "wagers")
    return {key: value for key, value in data.items() if key not in words and value}


@pytest.mark.parametrize("how", [[], ["--extends"]], ids=["copied", "extended"])
@pytest.mark.parametrize("like", GAME_IDS)
def test_a_new_game_is_sound_and_the_game_it_is_like(
    tmp_path: Path, like: str, how: list[str]
) -> None:
    file = tmp_path / "new.toml"
    done = upcard("new", "new-game", "--like", like, *how, "-o", str(file))
    assert done.status == 0, done.err
    assert f"{file} is written." in done.out
    checked = upcard("check", str(file), "--draft")
    assert checked.status == 0, checked.err
    assert rules_of(str(file)) == rules_of(like)
    assert load_game(str(file)).game.draft
    names = [wager.name for wager in load_game(str(file)).game.wagers.values()]
    assert load_game(like).game.name not in names or how


def test_it_plays_and_is_priced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert upcard("new", "my-game").status == 0
    assert "My Game (DRAFT)" in upcard("rules", "my-game.toml").out
    priced = upcard("odds", "my-game.toml", "--json", "--set", "decks=8").data
    assert priced["wagers"]["base"]["edge"] == pytest.approx(
        upcard("odds", "blackjack", "--json", "--set", "decks=8").data["wagers"]["base"]["edge"]
    )


def test_every_key_of_the_vocabulary_is_in_it() -> None:
    text = upcard("new", "my-game", "-o", "-").out
    for table in tables():
        for key in table.keys:
            name = key.path.rpartition(".")[2].removesuffix("[]")
            told = (f" {name}: ", f" {name} (may be left out): ")
            ways = (f"{name} =", f"#   {name}", f"# [{name}]", f"# [[{name}]]", *told)
            assert any(way in text for way in ways), key.path
            assert key.meaning in text, key.path


def test_every_key_of_a_section_says_what_it_may_be() -> None:
    text = upcard("new", "my-game", "--extends", "-o", "-").out
    assert '# soft17 = "stand"' in text
    assert 'One of "hit" or "stand".' in text
    assert tomllib.loads(text) == {
        "id": "my-game",
        "version": 1,
        "name": "My Game",
        "source": tomllib.loads(text)["source"],
        "extends": "blackjack",
        "draft": True,
    }


def test_lines_of_an_extending_file_can_be_uncommented(tmp_path: Path) -> None:
    text = upcard("new", "my-game", "--extends", "-o", "-").out
    changed = text.replace("# [dealer]", "[dealer]").replace('# soft17 = "stand"', 'soft17 = "hit"')
    file = tmp_path / "game.toml"
    file.write_text(changed)
    assert load_game(str(file)).game.dealer.soft17 == "hit"


def test_nothing_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious")
    assert "is there already: it is not written over" in refusal("new", "mine", "-o", str(file))
    assert file.read_text() == "precious"
    (tmp_path / "link.toml").symlink_to(tmp_path / "elsewhere.toml")
    assert "is there already" in refusal("new", "mine", "-o", str(tmp_path / "link.toml"))
    assert "cannot write" in refusal("new", "mine", "-o", str(tmp_path / "no" / "mine.toml"))


@pytest.mark.parametrize("game", ["../x", "A", "", "a b", "x/y"])
def test_ids_that_are_none(game: str) -> None:
    assert "is no id" in refusal("new", game)


def test_ids_that_are_taken() -> None:
    assert 'there is a game "blackjack" already' in refusal("new", "blackjack")
    assert 'no game "blackjak"; did you mean' in refusal("new", "mine", "--like", "blackjak")


def test_a_file_of_ones_own_is_extended_by_its_path(tmp_path: Path) -> None:
    parent, child = tmp_path / "parent.toml", tmp_path / "sub" / "child.toml"
    child.parent.mkdir()
    upcard("new", "parent", "-o", str(parent))
    done = upcard("new", "child", "--like", str(parent), "--extends", "-o", str(child))
    assert done.status == 0, done.err
    assert tomllib.loads(child.read_text())["extends"] == "../parent.toml"
    assert upcard("check", str(child), "--draft").status == 0


def test_the_schema_is_named_where_it_lies_beside(tmp_path: Path) -> None:
    upcard("new", "one", "-o", str(tmp_path / "one.toml"))
    assert upcard("schema", "-o", str(tmp_path / ADDRESS)).status == 0
    upcard("new", "two", "-o", str(tmp_path / "two.toml"))
    line = f"#:schema ./{ADDRESS}\n"
    assert line not in (tmp_path / "one.toml").read_text()
    assert (tmp_path / "two.toml").read_text().startswith(line)
