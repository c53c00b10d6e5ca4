"""Side wagers of one's own in folders of games: found by id, the same wherever they lie, and told
of by their own file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shell import refusal, upcard
from upcard import tables_for
from upcard.errors import ProblemsError, UpcardError
from upcard.rules import folders
from upcard.rules.check import check_game
from upcard.rules.load import load_game
from upcard.table import commands as cm
from upcard.table.notation import save_log
from upcard.table.session import Session

MIRROR = """id = "{id}"
name = "Mirror"
source = "ours"
cards = "first-two-and-up-card"
settled = "initial"

[tables.usual]
rows = [
  {{ event = "three alike", pays = {pays}, when = {{ alike = "rank" }} }},
  {{ event = "twenty", pays = 12, when = {{ total = 20 }} }},
]
"""
GAME = """id = "own"
version = 1
name = "Own"
source = "ours"
extends = "blackjack"
[wagers.mirror]
use = "{use}"
"""


def side(
    folder: Path, name: str = "mirror.toml", *, pays: int = 30, more: str = "", **given: str
) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    file = folder / name
    file.write_text(MIRROR.format(id=given.get("id", "mirror"), pays=pays) + more)
    return file


def game(folder: Path, use: str, more: str = "") -> Path:
    file = folder / "own.toml"
    file.write_text(GAME.format(use=use) + more)
    return file


@pytest.fixture(autouse=True)
def _nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(folders.VARIABLE, raising=False)


# ------------------------------------------------------------------ where it lies


def test_a_fingerprint_does_not_go_by_the_place_of_the_file(tmp_path: Path) -> None:
    """By path, from another folder, by id: the same game; other rows are another one."""
    found = set()
    for use, place in (
        ("mirror.toml", tmp_path / "a"),
        ("sides/other-name.toml", tmp_path / "b" / "sides"),
        ("mirror", tmp_path / "c"),
    ):
        side(place, Path(use).name if use.endswith("toml") else "m.toml")
        folder = place.parent if place.name == "sides" else place
        found.add(tables_for(str(game(folder, use))).fingerprint)
    assert len(found) == 1
    side(tmp_path / "d", pays=31)
    assert tables_for(str(game(tmp_path / "d", "mirror.toml"))).fingerprint not in found
    # Asked for by a setting, likewise.
    asked = {tables_for("blackjack", sides=[str(side(tmp_path / f))]).fingerprint for f in "xy"}
    assert len(asked) == 1


def test_the_id_in_a_file_is_what_it_is_known_by(tmp_path: Path) -> None:
    one = tables_for("blackjack", sides=[str(side(tmp_path / "a"))]).fingerprint
    renamed = side(tmp_path / "b", id="mirror-2")
    assert tables_for("blackjack", sides=[str(renamed)]).fingerprint != one


# ------------------------------------------------------------------ by its id


def test_a_side_wager_of_a_games_folder_is_found_by_its_id(tmp_path: Path) -> None:
    side(tmp_path, "any-name.toml")
    tables = tables_for(str(game(tmp_path, "mirror")))
    assert list(tables.observers) == ["mirror"]
    assert upcard("check", str(tmp_path / "own.toml")).status == 0


def test_a_side_wager_of_a_folder_of_games_is_found_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    side(tmp_path / "games")
    (tmp_path / "other").mkdir()
    own = game(tmp_path / "other", "mirror")
    assert 'no side wager "mirror"' in refusal("odds", str(own))
    done = upcard("check", "blackjack", "--games", str(tmp_path / "games"), "--side", "mirror")
    assert (done.status, done.err) == (0, "")
    monkeypatch.setenv(folders.VARIABLE, str(tmp_path / "games"))
    assert list(tables_for(str(own)).observers) == ["mirror"]
    assert list(tables_for("blackjack", sides=["mirror"]).observers) == ["mirror"]
    words = refusal("odds", "blackjack", "--side", "miror")
    assert 'no side wager "miror"; did you mean "mirror"?' in words


def test_a_game_that_extends_one_of_another_folder_has_its_side_wager(tmp_path: Path) -> None:
    side(tmp_path / "a")
    game(tmp_path / "a", "mirror")
    (tmp_path / "b").mkdir()
    child = tmp_path / "b" / "child.toml"
    child.write_text(
        'id = "child"\nversion = 1\nname = "Child"\nsource = "ours"\nextends = "../a/own.toml"\n'
    )
    assert list(tables_for(str(child)).observers) == ["mirror"]


def test_two_files_with_one_id_are_refused(tmp_path: Path) -> None:
    one, other = side(tmp_path), side(tmp_path, "second.toml", pays=40)
    words = f'the side wager "mirror" is claimed by {one} and {other}: give each its own id'
    with pytest.raises(UpcardError, match="claimed by") as refused:
        load_game(str(game(tmp_path, "mirror")))
    assert words in str(refused.value)
    # By its file each can still be had.
    assert list(tables_for(str(game(tmp_path, "second.toml"))).observers) == ["mirror"]
    tested = upcard("test", str(tmp_path))
    assert tested.status == 1
    assert f"fails   {one}  side wager mirror" in tested.out
    assert tested.err.count("is claimed by") == 2


def test_an_id_of_a_packaged_one_stays_that_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = side(tmp_path, id="buster")
    monkeypatch.setenv(folders.VARIABLE, str(tmp_path))
    assert tables_for("blackjack", sides=["buster"]).money.wagers["buster"].name != "Mirror"
    tested = upcard("test", str(tmp_path))
    assert tested.status == 1
    assert tested.err == (
        f'upcard: {file}: id: "buster" is the id of a packaged side wager: give it another\n'
    )


def test_a_broken_side_wager_harms_no_other(tmp_path: Path) -> None:
    side(tmp_path)
    (tmp_path / "broken.toml").write_text("id = ")
    assert list(tables_for(str(game(tmp_path, "mirror"))).observers) == ["mirror"]


# ------------------------------------------------------------------ records


def played(name: str, settings: dict[str, str], path: Path) -> None:
    session = Session(tables_for(name, settings))
    wagers = {"base": 1000, "mirror": 500}
    for command in (
        cm.OpenTable(table="t", secret="ab" * 32),
        cm.BuyIn(player="Ann", amount=100_000),
        cm.Sit(player="Ann", seat=1),
        cm.PlaceWagers(player="Ann", position=1, wagers=wagers),
        cm.Deal(),
    ):
        session.do(command)
    while question := session.question:
        text = question.actions[-1].text
        session.do(cm.parse_decision(text, player="Ann", position=question.position))
    session.do(cm.CloseTable())
    save_log(session.log(), path)


def test_records_find_the_file_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the path or the id in their settings; a file with other rows is another table."""
    file, record = side(tmp_path / "games"), tmp_path / "session.jsonl"
    played("blackjack", {"sides": str(file)}, record)
    assert upcard("verify", str(record)).status == 0
    assert upcard("replay", str(record)).status == 0
    by_id = tmp_path / "by-id.jsonl"
    monkeypatch.setenv(folders.VARIABLE, str(tmp_path / "games"))
    played("blackjack", {"sides": "mirror"}, by_id)
    assert '"mirror"' in by_id.read_text()
    assert str(tmp_path) not in by_id.read_text()
    assert upcard("verify", str(by_id)).status == 0
    # In another folder the same file serves, and another one does not.
    game(tmp_path / "games", "mirror")
    played("own", {}, by_id)
    assert str(tmp_path) not in by_id.read_text()
    for pays, status in ((30, 0), (31, 1)):
        moved = tmp_path / f"pays-{pays}"
        side(moved, "other-name.toml", pays=pays)
        game(moved, "mirror")
        monkeypatch.setenv(folders.VARIABLE, str(moved))
        assert upcard("verify", str(by_id)).status == status


# ------------------------------------------------------------------ whose mistake it is


def problems_of(own: Path) -> list[tuple[str, str, str]]:
    _, found = check_game(str(own), {})
    return [(Path(one.file).name, one.path, one.message) for one in found]


def test_a_mistake_is_told_of_the_side_wagers_file_and_its_own_keys(tmp_path: Path) -> None:
    file = side(tmp_path)
    text = file.read_text().replace("total = 20", "dealers_two = { total = 20 }")
    file.write_text(text.replace('"twenty"', '"three alike"'))
    found = {(file, path) for file, path, _ in problems_of(game(tmp_path, "mirror.toml"))}
    assert found == {("mirror.toml", "settled"), ("mirror.toml", "tables.usual.rows")}
    asked = upcard("odds", "blackjack", "--side", str(file)).err
    assert f"{file}: settled: a row asks for the dealer's second card" in asked


def test_what_the_game_states_itself_is_told_of_the_game(tmp_path: Path) -> None:
    side(tmp_path)
    own = game(tmp_path, "mirror.toml", 'settled = "dealer"\nmaximum = -5\n')
    found = {(file, path) for file, path, _ in problems_of(own)}
    assert ("own.toml", "wagers.mirror.maximum") in found
    assert all(file == "own.toml" for file, _ in found)


def test_only_what_a_side_wager_states_needs_a_source(tmp_path: Path) -> None:
    """`settles`, `name`, `quoted` and the like are what it means to use it."""
    clauses = '[clauses]\nM-1 = { kind = "money", says = "What it pays.", sets = ["rows"] }\n'
    side(tmp_path, more=clauses)
    own = game(tmp_path, "mirror.toml")
    assert problems_of(own) == []
    assumed = {one.path: one.reason for one in tables_for(str(own)).rulebook.assumed}
    assert assumed["wagers.mirror.settles"].startswith("What it means to use mirror")
    assert "wagers.mirror.quoted" in assumed
    # What it does state and no clause speaks of is told with its own key.
    stated = (tmp_path / "mirror.toml").read_text().replace("cards =", 'quoted = "to-1"\ncards =')
    (tmp_path / "mirror.toml").write_text(stated)
    assert problems_of(own) == [
        (
            "mirror.toml",
            "quoted",
            'no clause of this side wager sets it: let one do so (sets = ["quoted"])',
        )
    ]


def test_every_mistake_in_its_clauses_is_told_at_once(tmp_path: Path) -> None:
    clauses = (
        '[clauses]\nM-1 = { kind = "money", says = "x", sets = ["rowz"], when = { tabel = "a" } }\n'
        'M-2 = { kind = "money", says = "y", sets = [] }\n'
    )
    file = side(tmp_path, more=clauses)
    with pytest.raises(ProblemsError) as refused:
        load_game("blackjack", {"sides": str(file)})
    places = [(problem.file, problem.path) for problem in refused.value.problems]
    assert places == [
        (str(file), "clauses.M-1.sets"),
        (str(file), "clauses.M-1.when"),
        (str(file), "clauses.M-2.sets"),
    ]
