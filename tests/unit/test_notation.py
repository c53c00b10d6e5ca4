"""The notation: what is written parses back, and what cannot be read is told in one sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot_sessions import bot_log, do
from conftest import compiled
from shell import refusal
from upcard import GAME_IDS
from upcard.errors import UpcardError
from upcard.table import commands as cm
from upcard.table.notation import parse_log, read_log, save_log, write_log
from upcard.table.session import Session, cut
from upcard.table.shoe import secret_from
from upcard.table.verify import verify

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples"
SITUATION = str(EXAMPLES / "eight-eight-eight.toml")


def example() -> str:
    return (EXAMPLES / "session.jsonl").read_text("utf-8")


def unchained() -> str:
    """A record of old."""
    return (TESTS / "data/unchained.toml").read_text("utf-8")


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_session_parses_back_to_the_same_events(game: str) -> None:
    log = bot_log(game)
    text = write_log(log)
    assert parse_log(text) == log
    assert write_log(parse_log(text)) == text
    assert all(check.holds for check in verify(compiled(game), log))


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_session_cut_at_any_event_parses_verifies_and_goes_on(game: str) -> None:
    log = bot_log(game, 1)
    tables = compiled(game)
    for count in range(len(list(log.events)) + 1):
        part = cut(log, count)
        assert len(list(part.events)) == count
        assert parse_log(write_log(part)) == part
        bad = [check for check in verify(tables, part) if not check.holds]
        assert bad == [], f"after {count} events"
        resumed = Session.resumed(tables, part).log()
        assert parse_log(write_log(resumed)) == resumed


@pytest.mark.parametrize("game", ["", "blackjack", "blackjack@1"])
def test_a_record_names_a_game_by_its_id(game: str) -> None:
    assert Session(compiled("blackjack"), game=game).log().game == "blackjack"
    assert Session(compiled("blackjack"), game="my@1.toml").log().game == "my@1.toml"


def test_settings_of_a_record_are_read_however_they_are_spelled() -> None:
    """Early tables kept them as they were typed."""
    opening = cm.OpenTable(table="t", secret=secret_from("t"))
    tables = compiled("blackjack", penetration=".75")
    session = Session(tables)
    do(session, opening)
    assert session.log().settings == {"penetration": "0.75"}
    old = parse_log(write_log(session.log()).replace("0.75", ".75"))
    assert old.settings == {"penetration": ".75"}
    assert all(check.holds for check in verify(tables, old))
    assert Session.resumed(tables, old).log() == old
    mixed = parse_log(write_log(session.log()).replace("0.75", ".75", 1))
    (legality,) = (check for check in verify(tables, mixed) if check.name == "legality")
    assert not legality.holds


def test_saving_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "session.toml"
    save_log(bot_log("blackjack", 1), file)
    save_log(bot_log("blackjack", 2), file)
    assert read_log(file) == bot_log("blackjack", 2)
    assert [path.name for path in file.parent.iterdir()] == ["session.toml"]
    with pytest.raises(UpcardError, match="cannot be written"):
        save_log(bot_log("blackjack"), file / "below.toml")
    folder = tmp_path / "taken"
    (folder / "inside").mkdir(parents=True)
    with pytest.raises(UpcardError, match="cannot be written"):
        save_log(bot_log("blackjack"), folder)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("notation = 1", "notation = 2", "in notation 2, which this version does not read"),
        ("notation = 1", "", 'is not a session: it has no key "notation"'),
        ("fingerprint =", "fingerprnt =", '"fingerprnt"; did you mean "fingerprint"?'),
        ("settings = {}", "settings = { decks = 6 }", "settings.decks: 6 is not allowed here"),
        ("round = 0", "round = 'x'", 'entries[1].round: "x" is not allowed here: a whole number'),
        ('"TableOpened"', '"TableOpend"', 'entries[1].events[1].event: "TableOpend" is not'),
        ('"TableOpened"', '"TableOpend"', 'did you mean "TableOpened"?'),
        ('"BuyIn"', '"BuyOut"', 'entries[2].command.command: "BuyOut" is not allowed here'),
        ("seat = 1 }", 'seat = "one" }', 'entries[3].command.seat: "one" is not allowed here'),
        ('face = "up"', 'face = "side"', 'face: "side" is not allowed here: one of "down" or "up"'),
        (
            ", amount = 20000 },\n]",
            " },\n]",
            "entries[2].events[1].amount: missing: a whole number",
        ),
        ('card = "8d"', 'card = "8x"', '.card: "8x" is not a card: write rank then suit'),
        ('order = ["', 'order = ["11", "', '.order: "11" is not a card'),
        ("events = [", "events = 5\nmore = [", "entries[1].events: 5 is not allowed here: a list"),
        ("game =", "game", "is not valid TOML: "),
    ],
)
def test_a_record_of_old_that_cannot_be_read(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    assert old in unchained()
    file = tmp_path / "bad.toml"
    file.write_text(unchained().replace(old, new, 1), "utf-8")
    for verb in ("verify", "replay"):
        text = refusal(verb, str(file))
        assert text.startswith(str(file))
        assert expected in text


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"notation":2', '"notation":3', "is written in notation 3, which this version does not"),
        ('"fingerprint"', '"fingerprnt"', '"fingerprnt"; did you mean "fingerprint"?'),
        ('"settings":{}', '"settings":{"decks":6}', "line 1: settings.decks: 6 is not allowed"),
        ('"key":"', '"key":"x', "line 1: key: a table's key has 64 hexadecimal digits"),
        ('"round":1', '"round":"x"', ': round: "x" is not allowed here: a whole number'),
        ('"TableOpened"', '"TableOpend"', 'line 2: event.event: "TableOpend" is not'),
        ('"TableOpened"', '"TableOpend"', 'did you mean "TableOpened"?'),
        ('"BuyIn"', '"BuyOut"', 'line 5: command.command: "BuyOut" is not allowed here'),
        ('"seat":1}', '"seat":"one"}', 'line 7: command.seat: "one" is not allowed here'),
        ('"face":"up"', '"face":"side"', '"side" is not allowed here: one of "down" or "up"'),
        ('"card":"8d"', '"card":"8x"', 'event.card: "8x" is not a card: write rank then suit'),
        ('"order":["', '"order":["11","', 'event.order: "11" is not a card'),
        ('"command":{', '"command":5,"more":{', "line 2: command: 5 is not allowed here: a table"),
        ('{"after"', '{"after', "line 2: is not valid JSON: "),
        ('{"after"', "5 ", "line 2: is not valid JSON: "),
        ("\n{", "\n5\n{", "line 2: is not a line of a session"),
    ],
)
def test_a_record_that_cannot_be_read(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in example()
    file = tmp_path / "bad.jsonl"
    file.write_text(example().replace(old, new, 1), "utf-8")
    for verb in ("verify", "replay"):
        text = refusal(verb, str(file))
        assert text.startswith(str(file))
        assert expected in text


def test_a_record_of_which_nothing_is_left(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(example()[:50], "utf-8")
    assert refusal("verify", str(file)).endswith("its first line is not complete")


@pytest.mark.parametrize("part", ["secret", "seed"])
def test_a_secret_that_is_none_is_not_printed(tmp_path: Path, part: str) -> None:
    file = tmp_path / "bad.jsonl"
    text = re.sub(rf'"{part}":"[0-9a-f]{{64}}"', f'"{part}":"5ecre7"', example(), count=1)
    assert text != example()
    file.write_text(text, "utf-8")
    said = refusal("verify", str(file))
    assert f"{part}: a {part} has 64 hexadecimal digits" in said
    assert "5ecre7" not in said


def test_other_files_are_told_apart(tmp_path: Path) -> None:
    assert "it looks like a situation: `upcard round` plays it" in refusal("verify", SITUATION)
    assert refusal("verify", str(tmp_path / "none.toml")).startswith("there is no file")
    assert refusal("replay", str(tmp_path / "none.toml")).startswith("there is no file")
