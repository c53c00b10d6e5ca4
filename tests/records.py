"""Records of sessions for tests: signed ones, and ways to damage them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from bot_sessions import bot_log
from upcard.table.chain import SEAL, digest
from upcard.table.keys import TableKey
from upcard.table.notation import write_log

KEY = TableKey("5a" * 32)
OTHER_KEY = TableKey("a5" * 32)


@cache
def record_of(game: str, rounds: int = 3, *, closed: bool = True) -> bytes:
    """A signed record of some rounds of bots."""
    return write_log(bot_log(game, rounds, closed=closed), KEY).encode()


def lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def joined(parts: list[bytes]) -> bytes:
    return b"".join(part + b"\n" for part in parts)


def plain(data: bytes) -> list[dict[str, Any]]:
    """The lines of a record as plain data, for `relinked`."""
    return [json.loads(line) for line in lines(data)]


def relinked(
    parts: Iterable[dict[str, Any]],
    key: str = OTHER_KEY.public,
    sign: Callable[[str], str] = OTHER_KEY.sign,
) -> bytes:
    """Lines that somebody changed, chained and signed anew."""
    found: list[bytes] = []
    for part in parts:
        line = part | {"key": key}
        if found:
            head = digest(found[-1])
            line = part | {"after": head}
            if "event" not in part:
                line["seal"] = sign(SEAL + head)
        found.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode())
    return joined(found)


# ------------------------------------------------------------------ edits


def change_a_byte(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    other = rng.choice([byte for byte in range(256) if byte != data[place]])
    return data[:place] + bytes([other]) + data[place + 1 :]


def drop_a_byte(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + data[place + 1 :]


def add_a_byte(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + bytes([rng.choice(b' \t\r\n0a{}",')]) + data[place:]


def change_a_value(data: bytes, rng: random.Random) -> bytes:
    """A digit, a card, a name: the line stays valid JSON."""
    places = [n for n, byte in enumerate(data) if byte in b"0123456789"]
    place = rng.choice(places)
    other = rng.choice([digit for digit in b"123456789" if digit != data[place]])
    return data[:place] + bytes([other]) + data[place + 1 :]


def drop_an_event(data: bytes, rng: random.Random) -> bytes:
    parts = lines(data)
    del parts[rng.randrange(1, len(parts))]
    return joined(parts)


def swap_two_events(data: bytes, rng: random.Random) -> bytes:
    parts = lines(data)
    one, two = rng.sample(range(1, len(parts)), 2)
    parts[one], parts[two] = parts[two], parts[one]
    return joined(parts)


def double_an_event(data: bytes, rng: random.Random) -> bytes:
    parts = lines(data)
    place = rng.randrange(1, len(parts))
    parts.insert(rng.randrange(1, len(parts) + 1), parts[place])
    return joined(parts)


def drop_an_entry(data: bytes, rng: random.Random) -> bytes:
    """A whole entry with its seal, but not the last: that is a cut at the end."""
    parts = lines(data)
    seals = [n for n, line in enumerate(parts) if b'"seal"' in line]
    which = rng.randrange(len(seals) - 1)
    first = seals[which - 1] + 1 if which else 1
    return joined(parts[:first] + parts[seals[which] + 1 :])


def splice(data: bytes, rng: random.Random) -> bytes:
    """The beginning of one record and the end of another of the same table's key.

    Records of one table begin alike: what makes the other one whole is not spliced.
    """
    other = lines(record_of("blackjack", 4))
    parts = lines(data)
    seals = [n for n, line in enumerate(parts) if b'"seal"' in line][:-1]
    others = [n for n, line in enumerate(other) if b'"seal"' in line][:-1]
    while True:
        found = parts[: rng.choice(seals) + 1] + other[rng.choice(others) + 1 :]
        if found != other:
            return joined(found)


EDITS = (
    change_a_byte,
    drop_a_byte,
    add_a_byte,
    change_a_value,
    drop_an_event,
    swap_two_events,
    double_an_event,
    drop_an_entry,
    splice,
)
