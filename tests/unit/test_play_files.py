"""Sessions in files: where they are, what is wrong with them, and that none is ever lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conftest import compiled
from unit.test_play_kit import own_folder, saved_session, sitting
from upcard.cli.play import home, saved, wallet
from upcard.cli.play.keys import ENTER
from upcard.cli.play.start import Wishes
from upcard.errors import UpcardError

__all__ = ["own_folder"]

ROOT = Path(__file__).parents[2]


def play_a_little(file: Path | None = None) -> Path:
    sat, _ = sitting("blackjack", [ENTER, "q"], wishes=Wishes(seed="demo", file=file))
    sat.run()
    return sat.file


def test_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("UPCARD_HOME", str(tmp_path))
    assert home.data_folder() == tmp_path
    monkeypatch.delenv("UPCARD_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    place = "local" if sys.platform == "win32" else "data"
    assert home.data_folder() == tmp_path / place / "upcard"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.delenv("LOCALAPPDATA")
    assert home.data_folder().is_relative_to(Path.home())


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "evening.toml"
    assert play_a_little(own) == own
    sat, _ = sitting("blackjack", ["q"], wishes=Wishes(file=own, resume=True))
    assert f"--file {own}" in sat.run()
    assert saved_session(sat).state.rounds == 1


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda text: text[:100], "first line is not complete"),
        (lambda text: text.replace("{", "", 5), "TOML"),
        (lambda _: "game = 1", "session"),
        (lambda text: text.replace('"amount":50000', '"amount":60000', 1), "chain .* is broken"),
    ],
)
def test_a_damaged_file_is_one_sentence_and_stays(damage: object, says: str) -> None:
    file = play_a_little()
    assert callable(damage)
    file.write_text(damage(file.read_text("utf-8")), "utf-8")
    before = file.read_bytes()
    with pytest.raises(UpcardError, match=says) as caught:
        sitting("blackjack", ["q"])[0].run()
    assert "\n" not in str(caught.value)
    assert "--new" in str(caught.value)
    assert file.read_bytes() == before
    new, _ = sitting("blackjack", ["q"], wishes=Wishes(new=True))
    new.run()
    assert before in [path.read_bytes() for path in file.parent.glob("blackjack*.jsonl")]


@pytest.mark.parametrize("new", [True, False])
@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("kept", "the session .*kept is a folder, not a file"),
        (".", "the session .* is a folder, not a file"),
        ("none/evening.toml", "cannot be kept: there is no folder .*none"),
        ("kept/notes.toml", "notes.toml: "),
        ("kept/page.md", "page.md"),
        ("kept/picture.png", "picture.png"),
    ],
)
def test_only_a_session_is_ever_moved_aside(
    place: str, says: str, new: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "notes.toml").write_text('mine = "yes"\n')
    (folder / "page.md").write_bytes((ROOT / "docs/notation.md").read_bytes())
    (folder / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    home.table_key()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UpcardError, match=says) as caught:
        sitting("blackjack", ["q"], wishes=Wishes(file=Path(place), new=new))[0].run()
    assert "\n" not in str(caught.value)
    assert "--new, which keeps it aside" not in str(caught.value)
    assert sorted(tmp_path.rglob("*")) == before
    assert (folder / "notes.toml").read_text() == 'mine = "yes"\n'


def test_new_moves_a_session_of_ones_own_aside(tmp_path: Path) -> None:
    own = tmp_path / "evening.toml"
    play_a_little(own)
    own.write_text(own.read_text("utf-8").replace('"round":1', '"round":2', 1), "utf-8")
    with pytest.raises(UpcardError, match="--new, which keeps it aside"):
        sitting("blackjack", ["q"], wishes=Wishes(file=own))[0].run()
    sitting("blackjack", ["q"], wishes=Wishes(file=own, new=True))[0].run()
    assert len(list(tmp_path.glob("evening*.toml"))) == 2


def test_other_settings_keep_the_session_aside() -> None:
    file = play_a_little()
    before = file.read_bytes()
    tables = compiled("blackjack", decks=2)
    with pytest.raises(UpcardError, match="other settings"):
        sitting("blackjack", ["q"], tables=tables, wishes=Wishes(resume=True))[0].run()
    sat, scene = sitting("blackjack", ["q"], tables=tables)
    sat.run()
    assert scene.told("An earlier session under other settings (the usual ones) is kept as")
    assert saved_session(sat).state.rounds == 0
    assert before in [path.read_bytes() for path in file.parent.glob("blackjack*.jsonl")]


def test_other_rules_are_named() -> None:
    file = play_a_little()
    text = file.read_text("utf-8")
    fingerprint = compiled("blackjack").fingerprint
    file.write_text(text.replace(fingerprint, "0" * 64), "utf-8")
    sat, scene = sitting("blackjack", ["q"])
    sat.run()
    assert scene.told("under other rules (blackjack, fingerprint 0000000000)")


def test_nothing_to_resume() -> None:
    with pytest.raises(UpcardError, match="there is no session to resume"):
        sitting("blackjack", ["q"], wishes=Wishes(resume=True))[0].run()


def test_files_kept_aside_never_overwrite_each_other() -> None:
    names = set()
    for _ in range(4):
        names.add(saved.put_aside(play_a_little()).name)
    assert len(names) == 4


def test_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    monkeypatch.setenv("UPCARD_HOME", str(blocked))
    with pytest.raises(UpcardError, match="cannot be written"):
        sitting("blackjack", ["q"])[0].run()
    with pytest.raises(UpcardError, match="cannot be written"):
        wallet.open_wallet()


def test_a_file_that_cannot_be_renamed(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="cannot be renamed"):
        saved.put_aside(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        (Wishes(seat=9), "there is no seat 9"),
        (Wishes(bots=7), "there is room for 0 to 6 bots"),
        (Wishes(chips=0), "a buy-in of \\$0 is not a positive"),
        (Wishes(name=" "), "name"),
    ],
)
def test_wishes_that_cannot_be(wishes: Wishes, says: str) -> None:
    with pytest.raises(UpcardError, match=says):
        sitting("blackjack", ["q"], wishes=wishes)[0].run()


def test_a_game_that_players_bank_needs_a_bot() -> None:
    with pytest.raises(UpcardError, match="at least one bot"):
        sitting("pure-spanish-21.5", ["q"], wishes=Wishes(bots=0))[0].run()


def test_alone_at_the_table() -> None:
    sat, scene = sitting("blackjack", ["o", ENTER, "q"], wishes=Wishes(bots=0, name="Ada", seat=1))
    sat.run()
    assert scene.told("There is no wager on the layout")
    assert saved_session(sat).state.rounds == 1
