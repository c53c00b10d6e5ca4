"""The shoe: a shuffle that nobody can bend and everybody can check afterwards.

docs/shuffle.md states the recipe for a third party. In short: a table has a secret of 32 bytes;
shoe number n has the seed HMAC-SHA256(secret, "upcard/1/shoe/n"), and the SHA-256 of that seed is
published before anybody may add a word of their own to the shuffle. Every purpose has a stream of
its own.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Sequence

SECRET_BYTES = 32
WORD_BYTES = 4
LONGEST_CLIENT_SEED = 64

FIRST_SHUFFLE = "shuffle"


def new_secret() -> str:
    """A fresh secret from the system's cryptographic source, as hexadecimal digits."""
    return secrets.token_bytes(SECRET_BYTES).hex()


def secret_from(text: str) -> str:
    """A secret from any text, for tables that are to be dealt again in the same way.

    >>> secret_from("demo") == secret_from("demo"), len(secret_from("demo"))
    (True, 64)
    """
    return hashlib.sha256(f"upcard/1/secret/{text}".encode()).hexdigest()


def is_secret(text: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", text) is not None


def shoe_seed(secret: str, number: int) -> str:
    """The seed of one shoe. Opening it tells nothing about any other shoe."""
    message = f"upcard/1/shoe/{number}".encode()
    return hmac.digest(bytes.fromhex(secret), message, "sha256").hex()


def commitment(seed: str) -> str:
    """What is published before the first card."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def reshuffle(number: int) -> str:
    """The purpose of the n-th shuffle of discards within one shoe."""
    return f"discards/{number}"


def shuffled(
    cards: Sequence[str], seed: str, clients: Sequence[str] = (), purpose: str = FIRST_SHUFFLE
) -> tuple[str, ...]:
    """Cards in an order that depends on nothing but the seed, the clients' words and the purpose.

    >>> shuffled(["As", "2s", "3s", "4s"], "00" * 32)
    ('2s', '4s', '3s', 'As')
    """
    order = list(cards)
    words = _words(stream(seed, purpose, clients))
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def stream(seed: str, purpose: str = FIRST_SHUFFLE, clients: Sequence[str] = ()) -> Iterator[bytes]:
    """What a shuffle draws from: blocks of 32 bytes, without end.

    Each is the HMAC-SHA256 of the purpose, the clients' words and a counter.

    >>> next(stream("00" * 32)).hex()[:16]
    '95a355c8c4b4d6ab'
    """
    key = bytes.fromhex(seed)
    prefix = "\n".join((purpose, *clients, ""))
    counter = 0
    while True:
        yield hmac.digest(key, f"{prefix}{counter}".encode(), "sha256")
        counter += 1


def _words(blocks: Iterator[bytes]) -> Iterator[int]:
    """The 32-bit words of a stream."""
    for block in blocks:
        for start in range(0, len(block), WORD_BYTES):
            yield int.from_bytes(block[start : start + WORD_BYTES], "big")


def _below(limit: int, words: Iterator[int]) -> int:
    """A number from 0 to limit - 1, each equally likely: words that would tip it are dropped."""
    span = 1 << (8 * WORD_BYTES)
    fair = span - span % limit
    for word in words:
        if word < fair:
            return word % limit
    raise AssertionError("the stream never ends")
