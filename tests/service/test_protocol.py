"""docs/protocol.md is true: every example is a message, and every message and field is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from upcard.coach import CoachAdvice, NextRound, WagerWorth
from upcard.service import messages as ms
from upcard.service.api.socket import Ends
from upcard.service.asking import PERSONS
from upcard.table.view import View

PAGE = (Path(__file__).parents[2] / "docs/protocol.md").read_text()
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
KINDS: dict[str, Any] = {
    one.__struct_config__.tag: one for one in get_args(ms.ClientMessage | ms.ServerMessage)
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_is_a_message(text: str) -> None:
    plain = msgspec.json.decode(text)
    kind = KINDS[plain["type"]]
    msgspec.json.decode(text, type=kind)
    known = {field.encode_name for field in msgspec.structs.fields(kind)} | {"type"}
    assert set(plain) <= known
    for name, part in (("you", ms.You), ("clock", ms.ClockSeen)):
        inside = {field.encode_name for field in msgspec.structs.fields(part)}
        assert set(plain.get(name) or ()) <= inside


@pytest.mark.parametrize("kind", KINDS)
def test_every_message_has_an_example_with_every_field(kind: str) -> None:
    (part,) = [part for part in PAGE.split("\n### ") if part.startswith(f"{kind}\n")]
    examples = re.findall(r"```json\n(.*?)```", part, re.DOTALL)
    assert examples
    fields = {field.encode_name for field in msgspec.structs.fields(KINDS[kind])}
    optional = {"you"}
    for example in examples:
        assert fields - optional <= set(msgspec.json.decode(example))


def test_advice_is_as_the_coach_gives_it() -> None:
    """At a turn and before a deal; and what the coach says of a bet is in the example."""
    advice = [msgspec.json.decode(text)["advice"] for text in EXAMPLES if '"advice": {' in text]
    turn, ahead = advice
    assert set(turn) <= set(CoachAdvice.__struct_fields__)
    ahead["wagers"] = ahead.pop("next")
    found = msgspec.convert(ahead, NextRound)
    assert set(ahead) <= set(NextRound.__struct_fields__)
    assert {"bet", "of"} <= set(ahead)
    for worth, plain in zip(found.wagers, ahead["wagers"], strict=True):
        assert set(plain) == set(WagerWorth.__struct_fields__) - {"words"}
        assert worth.percent is not None
        assert worth.cents == round(worth.percent / 100 * worth.bet)


def test_every_command_of_a_person_is_listed() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    for kind in PERSONS:
        name = kind.__name__
        (row,) = [line for line in rows if f"`{name}`" in line.split("|")[1]]
        for field in kind.__struct_fields__:
            if field not in ("player", "kind"):
                assert f"`{field}`" in row, f"{name} has a field {field}"
    listed = {name for line in rows for name in re.findall(r"`([A-Z]\w+)`", line.split("|")[1])}
    assert listed == {kind.__name__ for kind in PERSONS}


def test_every_field_of_the_view_is_described() -> None:
    table = PAGE.partition("## The view")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", table))
    hidden = {"viewer", "sign", "ledger"}
    assert set(View.__struct_fields__) - hidden <= named


def test_every_code_is_explained() -> None:
    table = PAGE.partition("## How a line ends")[2]
    for code in Ends:
        assert str(int(code)) in table


def test_numbers_are_those_of_the_program() -> None:
    assert f"at most {ms.LONGEST_MESSAGE:,} bytes" in PAGE
    assert f"1 to {ms.LONGEST_ID} printable" in PAGE
    assert f"describes protocol {ms.PROTOCOL}," in " ".join(PAGE.split())
