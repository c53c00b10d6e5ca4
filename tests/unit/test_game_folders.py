"""Folders of games: a file in one is a game like a packaged one; a broken one harms no other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import upcard as library
from shell import refusal, upcard
from upcard import GAME_IDS, tables_for
from upcard.errors import UpcardError
from upcard.rules import folders, registry

HEAD = 'id = "{id}"\nversion = 1\nname = "{name}"\nsource = "a test"\n'
SITUATION = """
title = "Twenty wins"
game = "{game}"
shoe = "Ts 9d Ks 9h"
[[seats]]
seat = 1
wagers = {{ base = 1000 }}
actions = ["stand"]
[expect.seats.1]
net = {net}
"""


def game(
    folder: Path, game_id: str, body: str = "", *, file: str = "", parent: str = "blackjack"
) -> Path:
    path = folder / (file or f"{game_id}.toml")
    head = HEAD.format(id=game_id, name=game_id.title())
    path.write_text(f'{head}extends = "{parent}"\n{body}')
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "games"
    place.mkdir()
    monkeypatch.setenv(folders.VARIABLE, str(place))
    return place


@pytest.fixture(autouse=True)
def _nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(folders.VARIABLE, raising=False)


def problems() -> list[str]:
    return [own.problem for own in registry.own_games() if own.problem]


# ------------------------------------------------------------------ by id


def test_a_game_of_a_folder_is_found_by_its_id(tmp_path: Path) -> None:
    game(tmp_path, "my-game", "[shoe]\ndecks = 2\n")
    place = ["--games", str(tmp_path)]
    assert "My-Game  my-game@1" in upcard("games", *place).out
    assert upcard("hand", "my-game", "--cards", "5 6", "--up", "9", "--json", *place).data[
        "game"
    ] == ("my-game")
    assert upcard("rules", "MY-GAME@1", "--json", *place).data["game"] == "my-game"
    assert "no problems" in upcard("check", "my game", *place).out
    assert "is at version 1 here, not 2" in refusal("rules", "my-game@2", *place)
    # The command line leaves nothing behind.
    assert folders.VARIABLE not in os.environ
    assert 'no game "my-game"' in refusal("rules", "my-game")


def test_every_verb_takes_folders() -> None:
    from upcard.cli import VERBS

    for verb in VERBS:
        if verb in ("fees", "house"):
            continue
        assert "--games" in upcard(verb, "--help").out, verb
    assert "--games" in upcard("fees", "lint", "--help").out


def test_several_folders_by_option_and_environment(folder: Path, tmp_path: Path) -> None:
    game(folder, "one")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        game(tmp_path / name, f"in-{name}")
    found = upcard(
        "games", "--json", "--games", str(tmp_path / "a"), "--games", str(tmp_path / "b")
    )
    assert [one["id"] for one in found.data] == [*GAME_IDS, "in-a", "in-b", "one"]


def test_games_stand_in_the_order_of_their_heads(folder: Path) -> None:
    game(folder, "aaa")
    game(folder, "zzz", file="other.toml").write_text(
        HEAD.format(id="zzz", name="Z") + 'order = 3\nextends = "blackjack"\n'
    )
    assert registry.known_ids() == (*GAME_IDS, "zzz", "aaa")


def test_the_library_knows_them_too(folder: Path) -> None:
    game(folder, "mine", "[shoe]\ndecks = 1\n")
    assert library.game("mine").name == "Mine"
    assert registry.without_version("Mine@1") == "mine"


def test_a_game_extends_another_by_id_and_by_file(folder: Path) -> None:
    game(folder, "base", "[shoe]\ndecks = 2\n")
    game(folder, "by-id", parent="base")
    game(folder, "by-file", parent="base.toml")
    assert tables_for("by-id").alphabet.decks == tables_for("by-file").alphabet.decks == 2


def test_the_menu_lists_them(folder: Path) -> None:
    from upcard.cli.play.menu import _games

    game(folder, "mine")
    game(folder, "bad", "[shoe]\ndeck = 1\n")
    assert [rules.game.id for rules in _games()] == [*GAME_IDS, "mine"]


# ------------------------------------------------------------------ broken and hostile


def test_a_broken_file_is_listed_and_harms_no_other(folder: Path) -> None:
    game(folder, "good")
    game(folder, "bad", "[shoe]\ndeck = 1\n[dealer]\nsoft17 = 3\n")
    (folder / "syntax.toml").write_text("a = [")
    done = upcard("games")
    assert done.status == 0
    assert "Good  good@1" in done.out
    text = " ".join(done.out.split())
    assert 'unknown key "deck"' in text
    assert "dealer.soft17: 3 is not allowed here" in text
    assert "is not valid TOML" in text
    broken = [one for one in upcard("games", "--json").data if "problems" in one]
    assert {Path(one["file"]).name for one in broken} == {"bad.toml", "syntax.toml"}
    assert upcard("check", "good").status == 0
    assert 'unknown key "deck"' in upcard("rules", "bad").err


def test_two_files_with_one_id_are_refused_in_one_sentence(folder: Path) -> None:
    game(folder, "twin", file="a.toml")
    game(folder, "twin", file="b.toml")
    game(folder, "other")
    said = refusal("odds", "twin")
    assert said == (
        f'the id "twin" is claimed by {folder}/a.toml and {folder}/b.toml: give each game its own'
    )
    assert upcard("check", "other").status == 0


def test_an_id_of_a_packaged_game_stays_that_games(folder: Path) -> None:
    game(folder, "blackjack", "[shoe]\ndecks = 1\n")
    assert tables_for("blackjack").alphabet.decks == 6
    assert problems() == [
        f'{folder}/blackjack.toml: the id "blackjack" is that of a packaged game: give it another'
    ]


def test_one_file_of_two_folders_is_one_game(folder: Path, tmp_path: Path) -> None:
    game(folder, "mine")
    (tmp_path / "link").symlink_to(folder)
    assert upcard("check", "mine", "--games", str(tmp_path / "link")).status == 0


@pytest.mark.parametrize("game_id", ["../x", "", "A B", "a/b", ".hidden", "x\\n"])
def test_ids_that_are_none(folder: Path, game_id: str) -> None:
    (folder / "x.toml").write_text(HEAD.format(id=game_id, name="X"))
    assert problems() == [f'{folder}/x.toml: id: a game has a lower-case id such as "twisted-21"']


def test_a_game_without_an_id_is_told(folder: Path) -> None:
    (folder / "x.toml").write_text('extends = "blackjack"\n')
    assert "id: a game has a lower-case id" in problems()[0]


def test_other_files_of_a_folder_are_no_games(folder: Path) -> None:
    (folder / "fees.toml").write_text('name = "fees"\nsource = "x"\nmost_rates = 5\n')
    (folder / "round.toml").write_text(SITUATION.format(game="blackjack", net=1000))
    (folder / "x.situation.toml").write_text("not even TOML [")
    (folder / ".hidden.toml").write_text("nor this [")
    (folder / "README.md").write_text("hello")
    assert registry.own_games() == ()


def test_what_is_no_ordinary_file_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.toml")
    (folder / "zero.toml").symlink_to("/dev/zero")
    (folder / "loop.toml").symlink_to(folder / "loop.toml")
    (folder / "gone.toml").symlink_to(folder / "nowhere.toml")
    (folder / "dir.toml").mkdir()
    (folder / "binary.toml").write_bytes(bytes(range(256)))
    with (folder / "huge.toml").open("wb") as file:
        file.truncate(1 << 30)
    game(folder, "good")
    found = {Path(own.file).name: own.problem for own in registry.own_games() if own.problem}
    assert "no ordinary file" in found["pipe.toml"]
    assert "no ordinary file" in found["zero.toml"]
    assert "cannot read" in found["loop.toml"]
    assert "there is no file" in found["gone.toml"]
    assert "no ordinary file" in found["dir.toml"]
    assert "UTF-8" in found["binary.toml"]
    assert "too large: a game file has at most 1 MiB" in found["huge.toml"]
    assert upcard("check", "good").status == 0


def test_a_file_that_may_not_be_read(folder: Path) -> None:
    file = game(folder, "secret")
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("whoever runs the tests may read everything")
    assert "cannot read" in problems()[0]


@pytest.mark.parametrize("outside", ["../outside.toml", "{tmp}/outside.toml", "link/outside.toml"])
def test_no_file_leads_out_of_its_folder(folder: Path, tmp_path: Path, outside: str) -> None:
    game(tmp_path, "outside", "[shoe]\ndecks = 2\n")
    (folder / "link").symlink_to(tmp_path)
    path = outside.format(tmp=tmp_path)
    file = game(folder, "curious", parent=path)
    assert "lies outside of the folder of games" in refusal("rules", "curious")
    # By its path a file is somebody's own, and may stand beside others.
    assert upcard("check", str(file)).status == 0


@pytest.mark.parametrize("book", ["../fees.toml", "/dev/zero", "{tmp}/fees.toml"])
def test_no_fee_book_leads_out_either(folder: Path, tmp_path: Path, book: str) -> None:
    (tmp_path / "fees.toml").write_text('secret = "hunter2"\n')
    body = f'[fees]\nbook = "{book.format(tmp=tmp_path)}"\n'
    clause = '[clauses]\nX-1 = { kind = "money", says = "x", sets = ["fees.book"] }\n'
    game(folder, "curious", body + clause, parent="pure-spanish-21.5")
    said = upcard("rules", "curious").err
    assert "fees.book" in said
    assert "hunter2" not in said
    assert "secret" not in said


def test_files_that_extend_each_other(folder: Path) -> None:
    game(folder, "a", parent="b")
    game(folder, "b", parent="a")
    game(folder, "self", parent="self.toml")
    assert "a game cannot extend itself" in refusal("rules", "a")
    assert "a game cannot extend itself" in refusal("rules", "self")
    assert upcard("games").status == 0


def test_folders_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    assert refusal("games", "--games", str(gone)) == (
        f"there is no folder {gone}: --games names folders of game files"
    )
    monkeypatch.setenv(folders.VARIABLE, str(gone))
    assert upcard("check", "blackjack").status == 0
    done = upcard("games")
    assert done.status == 0
    assert f"cannot read the folder {gone} of UPCARD_GAMES" in " ".join(done.out.split())
    assert "cannot be used: see upcard games" in refusal("rules", "my-gme")


def test_the_environment_may_name_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.VARIABLE, os.pathsep)
    assert folders.folders() == ()


# ------------------------------------------------------------------ files that change


def test_a_changed_file_is_read_again(folder: Path) -> None:
    game(folder, "mine", "[shoe]\ndecks = 2\n")
    assert tables_for("mine").alphabet.decks == 2
    game(folder, "mine", "[shoe]\ndecks = 4\n")
    assert tables_for("mine").alphabet.decks == 4


def test_a_table_goes_on_by_the_rules_it_was_opened_with(folder: Path) -> None:
    from upcard.table.session import Session

    game(folder, "mine", "[shoe]\ndecks = 2\n")
    session = Session(tables_for("mine"))
    before = session.engine.tables.fingerprint
    game(folder, "mine", "[shoe]\ndecks = 4\n")
    assert session.engine.tables.fingerprint == before
    assert tables_for("mine").fingerprint != before


def test_a_house_reads_its_folders_once(folder: Path) -> None:
    from upcard.service import house_games
    from upcard.service.opening import tables_of
    from upcard.service.specs import HouseError

    game(folder, "mine", 'felt = "#102030"\n'.join(("", "[shoe]\ndecks = 2\n")))
    game(folder, "bad", "[shoe]\ndeck = 1\n")
    assert house_games.game_ids() == (*GAME_IDS, "mine")
    assert "unknown key" in house_games.own_games().broken[0]
    before = tables_of("mine", {}).fingerprint
    game(folder, "mine", "[shoe]\ndecks = 4\n")
    game(folder, "late")
    assert tables_of("mine", {}).fingerprint == before
    assert tables_of("mine", {"soft17": "hit"}).alphabet.decks == 2
    assert house_games.game_ids() == (*GAME_IDS, "mine")
    with pytest.raises(HouseError, match="there is no game 'late'"):
        tables_of("late", {})


def test_the_catalog_has_them(folder: Path) -> None:
    from upcard.service import catalog

    game(folder, "mine", "[shoe]\ndecks = 2\n").write_text(
        HEAD.format(id="mine", name="Mine")
        + 'summary = "Two decks."\nextends = "blackjack"\n[shoe]\ndecks = 2\n'
    )
    found = {info.id: info for info in catalog.games()}
    assert list(found) == [*GAME_IDS, "mine"]
    assert found["mine"].sentence == "Two decks."


def test_prices_are_not_those_of_a_changed_file(folder: Path) -> None:
    import asyncio

    from upcard.service import house_games, pricing

    game(folder, "mine", "[shoe]\ndecks = 2\n")
    assert "mine" in house_games.game_ids()
    game(folder, "mine", "[shoe]\ndecks = 4\n")
    with pytest.raises(UpcardError, match="the process that prices mine ended with 1"):
        asyncio.run(pricing.in_process("mine", {}))


# ------------------------------------------------------------------ upcard test


def test_situations_beside_games(tmp_path: Path) -> None:
    game(tmp_path, "mine")
    game(tmp_path, "other")
    rounds = tmp_path / "situations" / "mine"
    rounds.mkdir(parents=True)
    (rounds / "one.toml").write_text(SITUATION.format(game="mine", net=1000))
    (tmp_path / "two.situation.toml").write_text(SITUATION.format(game="other.toml", net=1000))
    done = upcard("test", str(tmp_path))
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["sound", "sound", "ok", "ok"]
    assert lines[-1] == "2 situations: 2 ok"
    data = upcard("test", str(tmp_path), "--json").data
    assert [one["result"] for one in data["situations"]] == ["ok", "ok"]
    assert [one["game"] for one in data["games"]] == ["mine@1", "other@1"]


def test_of_a_game_file_its_own_situations(tmp_path: Path) -> None:
    file = game(tmp_path, "mine")
    game(tmp_path, "other")
    (tmp_path / "a.situation.toml").write_text(SITUATION.format(game="mine", net=1000))
    (tmp_path / "b.situation.toml").write_text(SITUATION.format(game="other", net=1000))
    assert upcard("test", str(file)).out.endswith("1 situations: 1 ok\n")
    assert upcard("test", str(tmp_path / "b.situation.toml")).out.endswith("1 situations: 1 ok\n")


def test_a_round_that_ends_otherwise_fails(tmp_path: Path) -> None:
    game(tmp_path, "mine")
    (tmp_path / "a.situation.toml").write_text(SITUATION.format(game="mine", net=5))
    done = upcard("test", str(tmp_path))
    assert done.status == 1
    assert "differs" in done.out
    assert "seats.1.net: expected 5 ($0.05), found 1000 ($10)" in done.err


def test_a_broken_game_fails_and_the_others_are_tested(tmp_path: Path) -> None:
    game(tmp_path, "mine")
    game(tmp_path, "bad", "[shoe]\ndeck = 1\n")
    (tmp_path / "a.situation.toml").write_text(SITUATION.format(game="mine", net=1000))
    done = upcard("test", str(tmp_path))
    assert done.status == 1
    assert "1 situations: 1 ok" in done.out
    assert 'unknown key "deck"' in done.err


def test_a_draft_may_be_tested(tmp_path: Path) -> None:
    file = game(tmp_path, "mine")
    file.write_text(file.read_text() + 'draft = true\n[floor]\nlayout = "Green."\n')
    done = upcard("test", str(tmp_path))
    assert done.status == 0
    assert done.out.startswith("draft ")


def test_nothing_to_test(tmp_path: Path) -> None:
    assert "there is neither a game nor a situation" in refusal("test", str(tmp_path))
    assert "there is no file" in refusal("test", str(tmp_path / "x.toml"))


def test_the_examples_are_tested() -> None:
    done = upcard("test", "examples")
    assert done.status == 0, done.err
    assert done.out.endswith("2 situations: 2 ok\n")


@pytest.mark.parametrize("height", [16, 24, 40])
@pytest.mark.parametrize("chosen", [0, 8, 17])
def test_a_long_menu_shows_what_is_chosen(chosen: int, height: int) -> None:
    from rich.console import Console

    from upcard.cli.play.menu import _games, _lines
    from upcard.cli.play.paint import Paint

    games = list(_games()) * 3
    lines = _lines(Paint(Console(width=80, height=height)), games, chosen, (80, height))
    text = "\n".join(line.plain for line in lines)
    assert len(lines) <= height
    assert f"{chosen + 1}  {games[chosen].game.name}" in text
    assert "1-9" in text


def test_a_folder_of_folders_is_no_dead_end(tmp_path: Path) -> None:
    (tmp_path / "rounds").mkdir()
    (tmp_path / "rounds" / "one.toml").write_text("")
    (tmp_path / "pictures").mkdir()
    assert refusal("test", str(tmp_path)).endswith(
        "there is neither a game nor a situation in this folder, but in rounds below it: name one"
    )
