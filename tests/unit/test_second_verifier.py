"""examples/verify.mjs, written from docs/notation.md and docs/shuffle.md alone, agrees.

It is run with Node, from the system or from the package that `scripts/setup` installs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest

import chance
from bot_sessions import bot_log, do
from conftest import compiled
from exhausting import SETTINGS, exhausting_log
from records import EDITS, KEY, OTHER_KEY, record_of
from upcard import GAME_IDS
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.notation import parse_record, write_log
from upcard.table.session import Log, Session
from upcard.table.shoe import secret_from

SCRIPT = Path(__file__).parents[2] / "examples/verify.mjs"


@cache
def node() -> str:
    beside = Path(sys.executable).parent
    found = shutil.which("node", path=str(beside)) or shutil.which("node")
    assert found, "Node is missing: run scripts/setup again, which installs it"
    return found


def checked(files: Sequence[Path], *options: str) -> tuple[int, list[str]]:
    """The exit status of the other verifier, and its line for each file."""
    command = [node(), str(SCRIPT), *map(str, files), *options]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def kept(folder: Path, **records: bytes) -> list[Path]:
    files = []
    for name, data in records.items():
        files.append(folder / f"{name}.jsonl")
        files[-1].write_bytes(data)
    return files


def scripted() -> Log:
    session = Session(compiled("blackjack"))
    do(session, cm.OpenTable(table="s", secret=secret_from("s"), scripted=True))
    do(session, cm.BuyIn(player="Ann", amount=10_000))
    do(session, cm.Sit(player="Ann", seat=1))
    for cards in ((), ("9s", "6h", "8s", "Td", "2c", "9c", "Kd")):
        if cards:
            do(session, cm.StackShoe(cards=cards))
        do(session, cm.PlaceWagers(player="Ann", position=1, wagers={"base": 500}))
        do(session, cm.Deal())
        if session.question:
            do(session, cm.FindFaceUp())
        while session.question:
            do(session, cm.parse_decision("stand", player="Ann", position=1))
    return session.log()


def test_good_records_of_all_games_hold(tmp_path: Path) -> None:
    records = {game: record_of(game) for game in GAME_IDS}
    records |= {f"{game} long": signed(exhausting_log(game)) for game in GAME_IDS}
    records |= {"unsigned": write_log(bot_log("blackjack")).encode()}
    records |= {"open": record_of("blackjack", 2, closed=False), "scripted": signed(scripted())}
    status, lines = checked(kept(tmp_path, **records))
    assert [line for line in lines if not line.startswith("✓")] == []
    assert (status, len(lines)) == (0, len(records))
    assert "not signed" in lines[-3]
    assert "the table is not closed" in lines[-2]
    assert "scripted table: 2 mistakes on order, stacked and so not proven: 1 shoes" in lines[-1]


def test_the_records_have_what_is_hard_to_follow() -> None:
    """Else the test above would show nothing."""
    events = [event for game in SETTINGS for event in exhausting_log(game).events]
    kinds = {type(event) for event in events}
    assert {ev.DiscardsShuffled, ev.CutCardReached, ev.HandSplit, ev.CardTraded} <= kinds
    assert any(isinstance(event, ev.WagersPlaced) and event.backline for event in events)
    assert {"é", "e\u0301", " blanks "} <= {e.seed for e in events if isinstance(e, ev.SeedMixed)}


@pytest.mark.chance
def test_random_edits_are_found(tmp_path: Path) -> None:
    rng = chance.dice("the other verifier")
    records = {
        f"{game} {edit.__name__} {number}": edit(record_of(game, 2), rng)
        for game in GAME_IDS
        for edit in EDITS
        for number in range(3)
    }
    status, lines = checked(kept(tmp_path, **records))
    assert status == 1
    assert len(lines) == len(records)
    held = [line for line in lines if not line.startswith("✗")]
    assert held == []


# ------------------------------------------------------------------ forgers with a key


def signed(log: Log) -> bytes:
    return write_log(log, KEY).encode()


def forged(game: str, kind: type[ev.Happened], change: Callable[[ev.Event], ev.Event]) -> bytes:
    """A record in which the last event of a kind is changed, chained and signed anew."""
    log = exhausting_log(game)
    entries = list(log.entries)
    for number in reversed(range(len(entries))):
        events = list(entries[number].events)
        places = [place for place, event in enumerate(events) if isinstance(event, kind)]
        if places:
            events[places[-1]] = change(events[places[-1]])
            entries[number] = msgspec.structs.replace(entries[number], events=tuple(events))
            break
    other = msgspec.structs.replace(log, entries=tuple(entries))
    assert other != log
    return write_log(other, OTHER_KEY).encode()


def swapped(event: ev.Event) -> ev.Event:
    assert isinstance(event, ev.ShoeShuffled | ev.DiscardsShuffled)
    first, second, *rest = event.order
    return msgspec.structs.replace(event, order=(second, first, *rest))


def with_(**changes: object) -> Callable[[ev.Event], ev.Event]:
    return lambda event: msgspec.structs.replace(event, **changes)


FORGERIES: dict[str, tuple[type[ev.Happened], Callable[[ev.Event], ev.Event], str]] = {
    "order": (ev.ShoeShuffled, swapped, "is not the shuffle of its seed and words"),
    "discards": (ev.DiscardsShuffled, swapped, "the shuffle of discards is not that of the cards"),
    "cut": (ev.ShoeShuffled, with_(cut=40), "the cut card stands behind 40 cards"),
    "dealt": (ev.CardDealt, with_(card="As"), "but the next one of the shoe is"),
    "burned": (ev.CardBurned, with_(card="As"), "but the next one of the shoe is"),
    "promise": (ev.ShoeCommitted, with_(commitment="ab" * 32), "the commitment of shoe"),
    "seed": (ev.ShoeOpened, with_(seed="ab" * 32), "the opened seed of shoe"),
    "word": (ev.SeedMixed, with_(seed="another"), "is not the shuffle of its seed and words"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forger_with_a_key_is_found(what: str, tmp_path: Path) -> None:
    kind, change, says = FORGERIES[what]
    status, (line,) = checked(kept(tmp_path, forged=forged("blackjack", kind, change)))
    assert status == 1
    assert says in line


def test_what_was_noted_is_looked_for(tmp_path: Path) -> None:
    chain = parse_record(record_of("blackjack"), "record").chain
    assert chain is not None
    files = kept(tmp_path, one=record_of("blackjack"))
    assert checked(files, "--head", chain.head, "--key", KEY.public)[0] == 0
    assert checked(files, "--head", "ab" * 32)[0] == 1
    assert checked(files, "--key", OTHER_KEY.public)[0] == 1
    assert checked(files, "--promise", "ab" * 32)[0] == 1
