"""Lines to tables: what is not understood gets an error, and nobody acts or sees for another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocketDisconnect

from service.doors import (
    HERE,
    Doors,
    Line,
    Person,
    Time,
    do,
    hear,
    open_doors,
    say,
)
from upcard.service.api.lines import MOST_LINES
from upcard.service.api.socket import MOST_FAULTS, Ends
from upcard.service.messages import LONGEST_MESSAGE
from upcard.service.rates import Rate, Rates


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(scope="module")
def ann(doors: Doors) -> Person:
    return doors.person("Ann")


@pytest.fixture
def table(doors: Doors, ann: Person) -> str:
    return doors.table(ann)


def ending(line: Line) -> int:
    """The code with which a line ends, whatever was said before."""
    try:
        while True:
            line.receive_text()
    except WebSocketDisconnect as closed:
        return closed.code


# ------------------------------------------------------------------ what is not understood


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "{",
        "null",
        "[]",
        "{}",
        '{"type":"do"}',
        '{"type":"dance","id":"1"}',
        '{"type":"ping","id":7}',
        '{"type":"ping","id":""}',
        '{"type":"ping","id":"\\u0000"}',
        '{"type":"ping","id":"%s"}' % ("x" * 65),
        '{"type":"ping","id":"1","more":1}',
        '{"type":"do","id":"1","command":"Hit"}',
        '{"type":"do","id":"1","command":{"command":"Hit","position":1e999}}',
        '{"type":"ping","id":"\\ud800"}',
        "[" * 3000,
        '{"type":"do","id":"1","command":' + '{"a":' * 2000 + "1" + "}" * 2001,
        "\ud7ff\uffff",
    ],
)
def test_what_is_no_message_gets_an_error(ann: Person, table: str, text: str) -> None:
    with ann.line(table) as line:
        hear(line, "welcome")
        line.send_text(text)
        assert hear(line, "error")["words"]
        say(line, {"type": "ping", "id": "still"})
        assert hear(line, "pong")["id"] == "still"


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"command": 5},
        {"command": "Fly"},
        {"command": "OpenTable", "table": "x", "secret": "00" * 32},
        {"command": "CloseTable"},
        {"command": "StackShoe", "cards": ["As"]},
        {"command": "PlaceActionButton", "position": 1},
        {"command": "VoidCards", "serials": []},
        {"command": "DrawInError"},
        {"command": "Sit", "seat": "one"},
        {"command": "Sit", "seat": 10**30},
        {"command": "Sit", "seat": -1},
        {"command": "Sit", "seat": 1, "speed": 5},
        {"command": "BuyIn", "amount": -500},
        {"command": "BuyIn", "amount": 10**15},
        {"command": "BuyIn", "amount": 10**40},
        {"command": "PlaceWagers", "position": 1, "wagers": {"base": -500}},
        {"command": "PlaceWagers", "position": 1, "wagers": [500]},
        {"command": "MixSeed", "seed": "\x00"},
        {"command": "PresentCard", "position": 1, "token": "x" * 4000},
        {"command": "Deal"},
    ],
)
def test_what_cannot_be_done_is_refused(ann: Person, table: str, command: dict[str, Any]) -> None:
    with ann.line(table) as line:
        welcome = hear(line, "welcome")
        say(line, {"type": "do", "id": "1", "command": command})
        refused = hear(line, "refused")
        assert refused["id"] == "1"
        assert refused["reason"]
        say(line, {"type": "ping", "id": "2"})
        hear(line, "pong")
    with ann.line(table) as line:
        assert hear(line, "welcome")["seq"] == welcome["seq"]


def test_bytes_are_no_messages(ann: Person, table: str) -> None:
    with ann.line(table) as line:
        hear(line, "welcome")
        line.send_bytes(b'{"type":"ping","id":"1"}')
        assert "text" in hear(line, "error")["words"]


@pytest.mark.parametrize("text", ["x" * (LONGEST_MESSAGE + 1), "\u20ac" * (LONGEST_MESSAGE // 2)])
def test_what_is_too_long_ends_the_line(ann: Person, table: str, text: str) -> None:
    with ann.line(table) as line:
        hear(line, "welcome")
        line.send_text(text)
        assert str(LONGEST_MESSAGE) in hear(line, "error")["words"]
        assert ending(line) == Ends.TOO_LARGE


def test_too_many_errors_end_the_line(ann: Person, table: str) -> None:
    with ann.line(table) as line:
        hear(line, "welcome")
        for _ in range(MOST_FAULTS + 1):
            line.send_text("?")
        assert ending(line) == Ends.POLICY


def test_commands_that_come_too_fast_are_not_carried_out(tmp_path: Path) -> None:
    time = Time()
    rates = Rates({"commands": Rate(3, 1)}, clock=time.monotonic)
    with open_doors(tmp_path, rates=rates, time=time) as doors:
        person = doors.guest()
        table = doors.table(person)
        with person.line(table) as line:
            for number in range(3):
                say(line, {"type": "ping", "id": str(number)})
                hear(line, "pong")
            answer = do(line, "in time", "BuyIn", amount=1000)
            assert (answer["type"], answer["id"]) == ("error", "in time")
            time.pass_by(seconds=1)
            assert do(line, "in time", "BuyIn", amount=1000)["type"] == "ack"


# ------------------------------------------------------------------ who is who


@pytest.mark.parametrize("table", ["nothing", "t0000000000", "x" * 64])
def test_there_is_no_line_to_no_table(ann: Person, table: str) -> None:
    with ann.line(table) as line:
        assert "no table" in hear(line, "error")["words"]
        assert ending(line) == Ends.MISSING


def test_who_is_not_signed_in_watches(doors: Doors, table: str) -> None:
    with doors.client.websocket_connect(f"/api/tables/{table}/socket") as line:
        assert "you" not in hear(line, "welcome")
        assert "sign in" in do(line, "1", "BuyIn", amount=1000)["reason"]
        for kind in ("why", "coach"):
            message = {"type": kind, "id": "2"} | ({"action": "hit"} if kind == "why" else {})
            say(line, message)
            hear(line, "refused")


def test_a_token_of_a_closed_session_gets_no_line(doors: Doors, table: str) -> None:
    person = doors.guest()
    person.ask("POST", "/sign-out")
    with person.line(table) as line:
        hear(line, "error")
        assert ending(line) == Ends.SIGNED_OUT


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver:81"])
def test_a_page_elsewhere_gets_no_line(doors: Doors, table: str, origin: str) -> None:
    headers = {"origin": origin} | doors.cookie()
    address = f"/api/tables/{table}/socket"
    with (
        pytest.raises(WebSocketDisconnect),
        doors.client.websocket_connect(address, headers=headers),
    ):
        pass


def test_a_cookie_counts_with_the_word_of_the_browser(doors: Doors, table: str) -> None:
    cookie, address = doors.cookie(), f"/api/tables/{table}/socket"
    with doors.client.websocket_connect(address, headers=cookie) as line:
        assert "you" not in hear(line, "welcome")
    with doors.client.websocket_connect(address, headers=cookie | {"origin": HERE}) as line:
        assert hear(line, "welcome")["you"]["name"].startswith("Guest ")


def test_signing_out_cuts_the_line(doors: Doors, table: str) -> None:
    person = doors.guest()
    with person.line(table) as one, person.line(table) as two:
        hear(one, "welcome")
        hear(two, "welcome")
        person.ask("POST", "/sign-out")
        assert ending(one) == ending(two) == Ends.SIGNED_OUT
    assert len(doors.app.state.desk.lines) == 0


def test_a_session_that_another_server_closed_loses_its_lines(doors: Doors, table: str) -> None:
    person = doors.guest()
    desk, accounts = doors.app.state.desk, doors.house.accounts
    with person.line(table) as line:
        hear(line, "welcome")
        listeners, accounts.on_closed = accounts.on_closed, []
        try:
            person.ask("POST", "/sign-out")
        finally:
            accounts.on_closed = listeners
        say(line, {"type": "ping", "id": "1"})
        hear(line, "pong")
        doors.call(desk.lines.sweep, accounts)
        assert ending(line) == Ends.SIGNED_OUT


def test_a_session_that_is_over_loses_its_lines(tmp_path: Path) -> None:
    time = Time()
    with open_doors(tmp_path, time=time) as doors:
        person = doors.guest()
        with person.line(doors.table(person)) as line:
            hear(line, "welcome")
            time.pass_by(days=400)
            doors.call(doors.app.state.desk.lines.sweep, doors.house.accounts)
            assert ending(line) == Ends.SIGNED_OUT


def test_lines_are_counted(doors: Doors, table: str) -> None:
    import contextlib

    person = doors.guest()
    with contextlib.ExitStack() as stack:
        for _ in range(MOST_LINES):
            hear(stack.enter_context(person.line(table)), "welcome")
        with person.line(table) as line:
            hear(line, "error")
            assert ending(line) == Ends.TOO_OFTEN
    with person.line(table) as line:
        hear(line, "welcome")


# ------------------------------------------------------------------ playing


def seated(person: Person, table: str, seat: int) -> None:
    person.post(f"/tables/{table}/sit", {"seat": seat})


def test_nobody_acts_for_another(doors: Doors, ann: Person, table: str) -> None:
    bob = doors.person("Bob")
    seated(ann, table, 1)
    seated(bob, table, 2)
    with ann.line(table) as hers, bob.line(table) as his:
        hear(hers, "welcome")
        hear(his, "welcome")
        for number, command in enumerate(
            (
                {"command": "Leave", "player": "Ann"},
                {"command": "PlaceWagers", "player": "Ann", "position": 1, "wagers": {"base": 500}},
                {"command": "Move", "player": "Ann", "seat": 5},
                {"command": "BuyIn", "player": "Ann", "amount": 500},
            )
        ):
            say(his, {"type": "do", "id": f"for-{number}", "command": command})
            while (answer := msgspec.json.decode(his.receive_text())).get("id") != f"for-{number}":
                pass
        welcome = ann.line(table)
        with welcome as again:
            seen = hear(again, "welcome")
            own = {one["name"]: one["seat"] for one in seen["view"]["players"]}
            assert own["Ann"] == 1, "she sits where she sat"
            assert not any(bet["player"] == "Ann" for bet in seen["view"]["bets"])
        assert do(hers, "w", "PlaceWagers", position=1, wagers={"base": 500})["type"] == "ack"
        assert do(hers, "d", "Deal")["type"] in ("ack", "refused")
        for number, decision in enumerate(("Hit", "Stand", "Double")):
            answer = do(his, f"act-{number}", decision, position=1)
            assert answer["type"] == "refused", "it is not his hand"


def test_a_command_sent_twice_acts_once(doors: Doors, table: str) -> None:
    person = doors.guest()
    with person.line(table) as line:
        welcome = hear(line, "welcome")
        first = do(line, "once", "BuyIn", amount=1000)
        again = do(line, "once", "BuyIn", amount=1000)
        assert first["type"] == again["type"] == "ack"
        assert (first["seq"], again["seq"]) == (welcome["seq"] + 1,) * 2
        assert again["again"] is True
    with person.line(table) as line:
        assert do(line, "once", "BuyIn", amount=1000)["again"] is True, "also on another line"
    other = doors.guest()
    with other.line(table) as line:
        assert "again" not in do(line, "once", "BuyIn", amount=1000), "ids are one's own"
    assert person.get("/me")["money"] == other.get("/me")["money"] == 999_000


def test_a_line_that_comes_back_misses_nothing(doors: Doors, table: str) -> None:
    person = doors.guest()
    with person.line(table) as line:
        known = hear(line, "welcome")["seq"]
    person.post(f"/tables/{table}/sit", {"seat": 3})
    with person.line(table, f"?since={known}") as line:
        welcome = hear(line, "welcome")
        assert welcome["whole"] is True
        assert [told["seq"] for told in welcome["told"]] == [known + 1, known + 2]
        assert welcome["you"]["seat"] == 3
    for since in ("x", "-1", "1.5", str(2**70)):
        with pytest.raises(WebSocketDisconnect), person.line(table, f"?since={since}"):
            pass


def test_a_round_goes_by_the_line_alone(doors: Doors, table: str) -> None:
    person = doors.guest()
    with person.line(table) as line:
        hear(line, "welcome")
        assert do(line, "1", "BuyIn", amount=50_000)["type"] == "ack"
        assert do(line, "2", "Sit", seat=4)["type"] == "ack"
        assert do(line, "3", "PlaceWagers", position=4, wagers={"base": 500})["type"] == "ack"
        answer = do(line, "4", "Deal")
        assert answer["type"] == "ack"
        say(line, {"type": "why", "id": "5", "action": "rescue"})
        reason = hear(line, "reason")
        assert (reason["id"], reason["legal"]) == ("5", False)
        for number in range(20):
            answer = do(line, f"stand-{number}", "Stand", position=4)
            declined = do(line, f"decline-{number}", "Decline", position=4)
            if {answer["type"], declined["type"]} == {"refused"}:
                break
    (told,) = person.get(f"/tables/{table}/rounds")
    assert told["round"] == 1
    assert {one["account"] for one in told["results"]} == {""}
    assert person.get("/me/games")[0]["round"] == 1
    events = [event for part in person.get(f"/tables/{table}/rounds/1") for event in part["events"]]
    assert events[-1]["event"] == "RoundEnded"
    assert all(event["words"] is not None for event in events)
    assert person.get(f"/tables/{table}/verify")["holds"] is True


def test_closing_a_table_ends_its_lines(doors: Doors, table: str) -> None:
    boss, person = doors.person("Boss", "operator"), doors.guest()
    with person.line(table) as line:
        hear(line, "welcome")
        assert boss.post(f"/operator/tables/{table}/pause")["status"] == "paused"
        assert hear(line, "status")["status"] == "paused"
        boss.post(f"/operator/tables/{table}/resume")
        boss.post(f"/operator/tables/{table}/close")
        assert ending(line) == Ends.DONE
    assert boss.ask("POST", f"/operator/tables/{table}/pause").status_code == 409
    record = person.ask("GET", f"/tables/{table}/record")
    assert record.headers["content-type"].startswith("application/x-ndjson")
    assert b'"secret"' in record.content, "the record of a closed table is whole"


def test_the_record_of_an_open_table_hides_its_secret(doors: Doors, table: str) -> None:
    for person in (doors.guest(), doors.person("Auditor X", "auditor")):
        record = person.ask("GET", f"/tables/{table}/record")
        assert record.status_code == 200
        assert b'"secret"' not in record.content


def test_a_failure_inside_ends_the_line_and_tells_nothing(
    doors: Doors,
    ann: Person,
    table: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError("the next card is the As")

    with ann.line(table) as line:
        hear(line, "welcome")
        monkeypatch.setattr(doors.house, "why", fails)
        say(line, {"type": "why", "id": "1", "action": "hit"})
        assert ending(line) == Ends.LATER
    assert "failed with RuntimeError" in caplog.text
    assert "the next card" not in caplog.text
