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
from records import EDITS, KEY, OTHER_KEY, plain, record_of, relinked
from upcard import GAME_IDS, tables_for
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.keys import PRIME, SMALL_ORDER
from upcard.table.notation import parse_record, write_log
from upcard.table.proof import verify_record
from upcard.table.session import Entry, Log, Session
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
    "number": (ev.SeedMixed, with_(seed=7), "a word is not 1 to 64 printable characters"),
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


# ------------------------------------------------------------------ both say the same


def upcard_holds(data: bytes) -> bool:
    try:
        record = parse_record(data, "record")
        tables = tables_for(record.log.game, record.log.settings)
    except UpcardError:
        return False
    return all(check.holds for check in verify_record(tables, record))


def opened(tables: GameTables, *, scripted: bool = False, **more: object) -> Session:
    session = Session(tables)
    opening = cm.OpenTable(table="t", secret=secret_from("t"), scripted=scripted)
    do(session, msgspec.structs.replace(opening, **more))
    do(session, cm.BuyIn(player="Ann", amount=100_000))
    do(session, cm.Sit(player="Ann", seat=1))
    return session


def play(session: Session, *wanted: str) -> None:
    """A round in which Ann does the first thing of these that she may."""
    do(session, cm.PlaceWagers(player="Ann", position=1, wagers={"base": 1000}))
    do(session, cm.Deal())
    while question := session.question:
        names = [action.text for action in question.actions]
        answer = next(name for name in (*wanted, "decline", "stand") if name in names)
        do(session, cm.parse_decision(answer, player="Ann", position=1))


def closed_with_a_player() -> Session:
    session = opened(compiled("ten-sticks-21"), lights=(ev.Lights("Ann", 1, 3),))
    do(session, cm.CloseTable())
    return session


def typed_settings() -> Session:
    session = opened(tables_for("blackjack", {"penetration": ".5", "decks": " 2", "burn": "+0"}))
    play(session)
    return session


def stacked(game: str, cards: str, rounds: int) -> Session:
    """Rounds with few cards, so that what lies in the discards is dealt again and again."""
    session = opened(compiled(game), scripted=True)
    do(session, cm.MixSeed(player="Ann", seed="a word"))
    play(session)
    for _ in range(2):
        do(session, cm.StackShoe(cards=tuple(cards.split()), discards=("3s", "4h", "5d", "6c")))
        for _ in range(rounds):
            play(session, "hit")
    do(session, cm.CloseTable())
    return session


def found_behind_the_cut() -> Session:
    session = opened(compiled("blackjack", decks=1, penetration=0.5), scripted=True)
    play(session)
    while session.state.shoe.dealt < 30:
        do(session, cm.FindFaceUp())
    play(session)
    play(session)
    return session


def seven_cards() -> Session:
    """SR-40, TW-18: what is left of the deck is discarded in every round."""
    session = opened(compiled("twisted-21", stud_bonus="seven-card"))
    play(session, "hit")
    play(session)
    do(session, cm.CloseTable())
    return session


def test_a_rest_that_was_not_there_is_no_rest(tmp_path: Path) -> None:
    """SR-40: nor may the rest be discarded of a shoe that lasts."""

    def changed(session: Session, kind: type[ev.Happened], other: ev.Event) -> bytes:
        log = session.log()
        entries = [
            msgspec.structs.replace(
                entry, events=tuple(other if isinstance(e, kind) else e for e in entry.events)
            )
            for entry in log.entries
        ]
        return signed(msgspec.structs.replace(log, entries=tuple(entries)))

    records = {
        "fewer": changed(seven_cards(), ev.RestDiscarded, ev.RestDiscarded(cards=3)),
        "lasting": changed(typed_settings(), ev.StepBegun, ev.RestDiscarded(cards=99)),
    }
    assert not any(map(upcard_holds, records.values()))
    status, lines = checked(kept(tmp_path, **records))
    assert status == 1
    assert "3 cards are discarded, but 15 are left" in lines[0]
    assert "the rest of a shoe is discarded that lasts for several rounds" in lines[1]


HONEST: dict[str, tuple[Callable[[], Session], tuple[type[ev.Happened], ...]]] = {
    "closed with a player": (closed_with_a_player, (ev.LightsLost, ev.ChipsCashed)),
    "typed settings": (typed_settings, (ev.ShoeShuffled,)),
    "stacked": (lambda: stacked("blackjack", "Ts 9h 8s Td 2c Kd", 3), (ev.DiscardsShuffled,)),
    "stacked where every round is shuffled": (
        lambda: stacked("twisted-21", " ".join(f"{r}{s}" for r in "A2789TJQK" for s in "shdc"), 2),
        (ev.ShoeStacked,),
    ),
    "a rest that is discarded": (seven_cards, (ev.RestDiscarded, ev.ShoeOpened)),
    "found behind the cut": (found_behind_the_cut, (ev.CutCardReached, ev.ShoeOpened)),
}


@pytest.mark.parametrize("what", HONEST)
def test_what_holds_in_one_holds_in_the_other(what: str, tmp_path: Path) -> None:
    make, kinds = HONEST[what]
    log = make().log()
    assert set(kinds) <= {type(event) for event in log.events}, "else it would show nothing"
    data = signed(log)
    assert upcard_holds(data)
    status, (line,) = checked(kept(tmp_path, record=data))
    assert (status, line[0]) == (0, "✓"), line


def test_a_game_may_be_named_with_its_version(tmp_path: Path) -> None:
    for game in GAME_IDS:
        own = tables_for(game).ref
        other = f"{game}@{3 - int(own[-1])}"
        for name, holds in ((own, True), (other, False), (f"{game}@", False)):
            data = signed(msgspec.structs.replace(bot_log(game), game=name))
            assert upcard_holds(data) == holds, name
            assert (checked(kept(tmp_path, record=data))[0] == 0) == holds, name


def height(number: int) -> str:
    return number.to_bytes(32, "little").hex()


def with_key(key: str) -> bytes:
    """Signed by anybody: for a point of order 1 this fits every text."""
    return relinked(plain(record_of("blackjack")), key, lambda _: "01" + "00" * 63)


def with_word(word: str) -> bytes:
    log = opened(compiled("blackjack")).log()
    mixed = ev.SeedMixed(player="Ann", seed=word)
    entry = Entry(cm.MixSeed(player="Ann", seed=word), (mixed,), log.entries[-1].at)
    return signed(msgspec.structs.replace(log, entries=(*log.entries, entry)))


def at(time: str) -> bytes:
    log = bot_log("blackjack", 1)
    entries = tuple(msgspec.structs.replace(entry, at=time) for entry in log.entries)
    return signed(msgspec.structs.replace(log, entries=entries))


def dealt_from(text: str) -> bytes:
    parts = plain(signed(opened(compiled("blackjack")).log()))
    for part in (parts[1]["command"], parts[1]["event"]):
        part |= {"secret": secret_from(text), "dealt_from": text}
    return relinked(parts[:2] + parts[3:])


def sealed_event() -> bytes:
    parts = plain(record_of("blackjack"))
    parts[4] |= {"seal": "00" * 64}
    return relinked(parts)


WORDS = (
    "",
    "\u202eab",
    "a\u2028b",
    "\ue000",
    "a\u00a0b",
    "\u00ad",
    "\u0378",
    "two\nlines",
    "x" * 65,
)
TIMES = ("0000-01-31T20:00:00.000Z", "+010000-01-31T20:00:00.000Z", "-000001-01-31T20:00:00.000Z")
WRONG_TIMES = ("2026-01-31T24:00:00.000Z", "2026-02-29T20:00:00.000Z", "2026-01-31T20:00:60.000Z")
DISHONEST: dict[str, Callable[[], tuple[bytes, ...]]] = {
    "key of the title": lambda: (
        *(with_key(height(y + sign)) for y in SMALL_ORDER for sign in (0, 2**255)),
        *(with_key(height(y)) for y in (PRIME, PRIME + 1, PRIME + 3)),
    ),
    "printable characters": lambda: tuple(map(with_word, WORDS)),
    "no time in UTC": lambda: tuple(map(at, TIMES + WRONG_TIMES)),
    "has none": lambda: (relinked(plain(record_of("blackjack"))[:1]),),
    "not formed as a seal": lambda: (sealed_event(),),
    "text it is dealt from": lambda: (dealt_from("a\u202e"), dealt_from("x" * 65)),
}


@pytest.mark.parametrize("says", DISHONEST)
def test_what_fails_in_one_fails_in_the_other(says: str, tmp_path: Path) -> None:
    records = DISHONEST[says]()
    assert [data for data in records if upcard_holds(data)] == []
    files = kept(tmp_path, **{f"{number}": data for number, data in enumerate(records)})
    status, lines = checked(files)
    assert status == 1
    assert [line for line in lines if not line.startswith("✗") or says not in line] == []


def test_the_forgeries_are_good_but_for_what_is_wrong(tmp_path: Path) -> None:
    """Else the test above would show nothing."""
    good = {
        "word": with_word("x" * 63 + "é"),
        "time": at("0001-01-31T20:00:00.000Z"),
        "text": dealt_from(" a text "),
        "relinked": relinked(plain(record_of("blackjack"))),
    }
    assert checked(kept(tmp_path, **good))[0] == 0
