"""Turns of phrase of the rule sheet."""

from __future__ import annotations

from typing import NamedTuple

from upcard.cards import rank_name
from upcard.compile.hands import total_name
from upcard.money import format_odds, parse_odds
from upcard.text import listed


class SentenceDraft(NamedTuple):
    """A sentence before it is traced; it is dropped if the file states none of its keys.

    `always` keeps it even then: what a game does not have is worth saying.
    """

    words: str
    keys: tuple[str, ...]
    always: bool = False
    rows: tuple[tuple[str, str], ...] = ()


def number(count: int, noun: str) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    spelled = words[count] if count < len(words) else str(count)
    return f"{spelled} {noun}" + ("" if count == 1 else "s")


def ranks(ranks: tuple[str, ...]) -> str:
    return listed(map(rank_name, ranks), "and")


def with_article(rank: str) -> str:
    """
    >>> with_article("A"), with_article("K")
    ('an ace', 'a king')
    """
    name = rank_name(rank)
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def odds(text: str) -> str:
    return "even money" if text == "1:1" else format_odds(parse_odds(text))


def share(text: str) -> str:
    return {"1": "all of", "1/2": "half"}.get(text, f"{text} of") + " the wager"


def points(total: float) -> str:
    return total_name(round(2 * total))
