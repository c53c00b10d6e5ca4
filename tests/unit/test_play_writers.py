"""A session has one writer, and nothing that was seen is ever lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import chance
from conftest import compiled
from unit.test_play_kit import Player, head_on, own_folder, saved_session, sitting
from upcard.cli.play import home, wallet
from upcard.cli.play.keys import ENTER
from upcard.cli.play.start import Wishes
from upcard.errors import UpcardError
from upcard.table import events as ev
from upcard.table.files import HeldError, Lock
from upcard.table.notation import read_record
from upcard.table.proof import Noted, verify_record

__all__ = ["own_folder"]

TESTS = Path(__file__).parents[1]


class Meanwhile:
    """A keyboard at which something else happens before its second key."""

    def __init__(self, keys: list[str], happens: Callable[[], None]) -> None:
        self.keys = keys
        self.happens = happens
        self.pressed = 0

    def read(self) -> str:
        self.pressed += 1
        if self.pressed == 2:
            self.happens()
        return self.keys.pop(0)

    def wait(self, seconds: float) -> str:
        del seconds
        return " "


# ------------------------------------------------------------------ two writers


def test_a_second_terminal_is_told_who_holds_the_session() -> None:
    said = []

    def second() -> None:
        with pytest.raises(HeldError) as caught:
            sitting("blackjack", ["q"])[0].run()
        said.append(str(caught.value))

    sat, _ = sitting("blackjack", lambda _: Meanwhile([ENTER, "s", "q"], second))
    sat.run()
    (words,) = said
    assert words.startswith(f"{sat.file}: this session is in use by process {os.getpid()} on ")
    assert "since 20" in words
    assert words.endswith("go on there, or play in another file with --file")
    assert saved_session(sat).state.rounds == 1
    sitting("blackjack", ["q"], wishes=Wishes(resume=True))[0].run()


@pytest.mark.parametrize("new", [True, False])
def test_neither_new_nor_another_name_gets_around_the_lock(tmp_path: Path, new: bool) -> None:
    folder = tmp_path / "evenings"
    folder.mkdir()
    file, link = folder / "evening.jsonl", tmp_path / "link"
    link.symlink_to(folder, target_is_directory=True)

    def second() -> None:
        other = Wishes(file=link / ".." / "evenings" / "evening.jsonl", new=new)
        with pytest.raises(HeldError):
            sitting("blackjack", ["q"], wishes=other)[0].run()

    sat, _ = sitting(
        "blackjack",
        lambda _: Meanwhile([ENTER, "s", "q"], second),
        wishes=Wishes(file=file, seed="demo"),
    )
    sat.run()
    assert sorted(path.name for path in folder.iterdir()) == ["evening.jsonl"]


def test_a_lock_ends_with_its_holder(tmp_path: Path) -> None:
    """However it ends: the system lets go, and the name that is left behind means nothing."""
    file = tmp_path / "session.jsonl"
    code = (
        "import sys, time; from pathlib import Path; from upcard.table.files import Lock\n"
        "lock = Lock(Path(sys.argv[1])); lock.take('in use by'); print('held', flush=True)\n"
        "time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(HeldError, match=f"in use by process {holder.pid} on "):
            Lock(file).take("in use by")
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with Lock(file) as lock:
        lock.take("in use by")
    assert list(tmp_path.iterdir()) == []


def test_a_lock_without_a_name_in_it(tmp_path: Path) -> None:
    with Lock(tmp_path / "one") as lock:
        lock.take("in use by")
        os.truncate(lock.handle, 0)
        with pytest.raises(HeldError, match="in use by somebody who has not left a name, so there"):
            Lock(tmp_path / "one").take("in use by", ", so there")


@pytest.mark.parametrize("how", ["more", "other", "gone", "swapped", "in secret"])
def test_a_file_that_changed_underneath_is_never_written_over(how: str) -> None:
    left: list[bytes | None] = []

    def change() -> None:
        file = sat.file
        data = file.read_bytes()
        if how == "more":
            file.write_bytes(data + b"{}\n")
        elif how in ("other", "in secret"):
            times = file.stat()
            file.write_bytes(data.replace(b"blackjack", b"BLACKJACK"))
            if how == "in secret":
                os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        else:
            file.rename(file.with_name("elsewhere.jsonl"))
            if how == "swapped":
                file.write_bytes(data)
        left.append(file.read_bytes() if file.exists() else None)

    sat, _ = sitting("blackjack", lambda _: Meanwhile([ENTER, "s", ENTER, "q"], change))
    with pytest.raises(UpcardError, match="was changed by somebody else") as caught:
        sat.run()
    file = sat.file
    assert left == [file.read_bytes() if file.exists() else None]
    kept = [path for path in file.parent.glob("blackjack-*.jsonl") if path != file]
    assert len(kept) == 1
    assert str(kept[0]) in str(caught.value)
    record = read_record(kept[0])
    assert all(check.holds for check in verify_record(sat.tables, record))
    assert any(isinstance(event, ev.RoundStarted) for event in record.log.events)


def test_a_file_that_was_only_touched_goes_on() -> None:
    """A backup may link to it, somebody may change its rights: its bytes are as they were."""
    sat, _ = sitting(
        "blackjack", lambda _: Meanwhile([ENTER, "s", ENTER, "q"], lambda: sat.file.chmod(0o640))
    )
    sat.run()
    assert saved_session(sat).state.rounds
    assert len(list(sat.file.parent.glob("*.jsonl"))) == 1


@pytest.mark.parametrize("how", ["longer", "shorter", "gone"])
def test_a_file_that_changed_while_the_person_thought_is_left(how: str) -> None:
    """Between the question whether to resume and the answer, somebody else may have played."""
    sat, _ = sitting("blackjack", [ENTER, "s", "q"])
    sat.run()
    short = sat.file.read_bytes()
    sitting("blackjack", [ENTER, "s", "q"], wishes=Wishes(resume=True))[0].run()
    long = sat.file.read_bytes()
    sat.file.write_bytes(short if how == "longer" else long)
    other = {"longer": long, "shorter": short, "gone": None}[how]

    def change() -> None:
        if other is None:
            sat.file.unlink()
        else:
            sat.file.write_bytes(other)

    keyboard = Meanwhile(["x", "r", "q"], change)
    with pytest.raises(UpcardError, match="was changed by somebody else since it was read"):
        sitting("blackjack", lambda _: keyboard)[0].run()
    assert (sat.file.read_bytes() if sat.file.exists() else None) == other


def test_a_link_to_a_session_is_the_session(tmp_path: Path) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    sat, _ = sitting("blackjack", [ENTER, "q"], wishes=Wishes(file=real, seed="a"))
    sat.run()
    link.symlink_to(real)

    def second() -> None:
        with pytest.raises(HeldError):
            sitting("blackjack", ["q"], wishes=Wishes(file=link, resume=True))[0].run()

    wishes = Wishes(file=real, resume=True)
    sitting("blackjack", lambda _: Meanwhile(["s", "x", "q"], second), wishes=wishes)[0].run()
    assert link.is_symlink()


def test_a_lock_file_that_was_removed_lets_nobody_in_twice(tmp_path: Path) -> None:
    first, second, third = (Lock(tmp_path / "one") for _ in range(3))
    first.take("in use by")
    first.path.unlink()
    second.take("in use by")
    first.release()
    with pytest.raises(HeldError):
        third.take("in use by")
    second.release()
    third.take("in use by")
    third.release()


def test_a_record_is_for_its_owner_alone() -> None:
    sat, _ = sitting("blackjack", ["q"])
    sat.run()
    if os.name == "posix":
        assert sat.file.stat().st_mode & 0o077 == 0


def test_two_tables_share_the_players_cards(own_folder: Path) -> None:
    """One table's card is not lost because another table wrote the same file."""
    with wallet.changed_wallet() as mine:
        mine.cards["one"] = ["a"]
        key = mine.key
    seen = wallet.open_wallet()
    with wallet.changed_wallet() as other:
        other.cards["two"] = ["b"]
    assert wallet.open_wallet().cards == {"one": ["a"], "two": ["b"]}
    assert seen.key == wallet.open_wallet().key == key
    assert [path.name for path in own_folder.iterdir()] == ["players-cards.json"]


def test_the_key_is_made_once_and_for_its_owner_alone() -> None:
    key = home.table_key()
    assert home.table_key().public == key.public == home.own_public_key()
    if os.name == "posix":
        assert home.key_file().stat().st_mode & 0o077 == 0
    home.key_file().write_text("nonsense")
    with pytest.raises(UpcardError, match="is not a table's key"):
        home.table_key()
    assert home.own_public_key() == ""


# ------------------------------------------------------------------ going on


def test_a_session_of_other_tables_does_not_go_on_here() -> None:
    sat, _ = sitting("blackjack", [ENTER, "q"])
    sat.run()
    before = sat.file.read_bytes()
    home.key_file().unlink()
    with pytest.raises(UpcardError, match="is signed by the key of other tables"):
        sitting("blackjack", ["q"], wishes=Wishes(resume=True))[0].run()
    assert sat.file.read_bytes() == before


def test_what_was_not_finished_goes_and_is_said() -> None:
    sat, _ = sitting("blackjack", [ENTER, "q"])
    sat.run()
    whole = sat.file.read_bytes()
    for torn in (whole[:-1], whole[:-300], whole + b'{"after":"12'):
        sat.file.write_bytes(torn)
        chain = read_record(sat.file).chain
        assert chain is not None
        assert chain.torn
        again, scene = sitting("blackjack", ["q"], wishes=Wishes(resume=True))
        again.run()
        assert scene.told("The last command was not finished when this table stopped")
        assert sat.file.read_bytes().startswith(torn[: chain.complete])
        assert all(check.holds for check in verify_record(sat.tables, read_record(sat.file)))


def test_an_old_session_goes_on_as_a_chained_one(own_folder: Path) -> None:
    old = own_folder / "tables" / "blackjack.toml"
    old.parent.mkdir(parents=True)
    text = (TESTS / "data/unchained.toml").read_text("utf-8")
    open_ = text[: text.index('\n[[entries]]\nround = 1\ncommand = { command = "Leave"')]
    old.write_text(open_, "utf-8")
    sat, scene = sitting("blackjack", [ENTER, "q"], wishes=Wishes(resume=True, name="Ann"))
    sat.run()
    assert scene.told("The old record of this session, which was not chained, is kept as")
    (aside,) = old.parent.glob("blackjack-*.toml")
    assert aside.read_text("utf-8") == open_
    assert not old.exists()
    checks = verify_record(sat.tables, read_record(sat.file))
    assert all(check.holds for check in checks)
    assert not checks[0].proven
    assert "the first 11 entries from an unchained record" in checks[0].found


def test_what_is_shown_is_on_the_disk_by_then() -> None:
    """The head on every screen, the bots' doings too, is that of the file."""

    class Comparing(Player):
        def read(self) -> str:
            self.compare()
            return super().read()

        def wait(self, seconds: float) -> str:
            self.compare()
            return super().wait(seconds)

        def compare(self) -> None:
            shown.append(head_on(self.scene))
            chain = read_record(sat.file).chain
            assert chain is not None
            assert chain.head.startswith(shown[-1])

    shown: list[str] = []
    sat, _ = sitting("blackjack", lambda scene: Comparing(scene, 2))
    sat.run()
    assert saved_session(sat).state.rounds == 2
    assert len(set(shown)) > 8


# ------------------------------------------------------------------ kill -9


KILLS = 100 if chance.FUZZ else 50
A_FILE = 10
"""So many tables are killed over one file; long records are slow to go on with."""


@pytest.mark.chance
def test_nothing_seen_is_lost_when_the_table_is_killed(tmp_path: Path) -> None:
    """Tables are killed at random moments; each goes on where the one before stopped.

    `killed_table.py` says the head on every screen that is shown; the kill comes after a random
    number of them, wherever the table is by then.
    """
    rng = chance.dice("kill")
    tables = compiled("blackjack")
    command = [sys.executable, str(TESTS / "killed_table.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        head, rounds = "", 0
        for kill in range(KILLS):
            file = tmp_path / f"session-{kill // A_FILE}.jsonl"
            print(file, file=parent.stdin, flush=True)
            pid = int(parent.stdout.readline())
            for _ in range(rng.randrange(1, 25)):
                head = parent.stdout.readline().strip()
            os.kill(pid, signal.SIGKILL)
            for line in iter(parent.stdout.readline, "gone\n"):
                head = line.strip()
            record = read_record(file)
            assert record.chain is not None
            assert not record.chain.fault or record.chain.torn
            sound = record._replace(chain=record.chain._replace(fault=""), log=record.finished)
            checks = verify_record(tables, sound, Noted(head=head))
            assert all(check.holds for check in checks), f"kill {kill}: {checks}"
            if kill % A_FILE == A_FILE - 1:
                rounds += sum(isinstance(event, ev.RoundEnded) for event in record.log.events)
        parent.stdin.close()
    assert parent.returncode == 0
    assert rounds > KILLS // 4, "rounds were played"
