"""The names of events in pay tables."""

from __future__ import annotations

import re

from upcard.cards import RANKS
from upcard.text import did_you_mean, listed

POKER_HAND_SIZE = 5
POKER_EVENTS = (
    "royal flush",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
)
MATCH_EVENTS = (
    "two suited",
    "one suited, one not",
    "one suited",
    "two not suited",
    "one not suited",
)

_PAIR = re.compile(rf"pair of ([{RANKS}]) or better")
_SUM = re.compile(r"sum at most (\d+)")
_HIGH = re.compile(r"(\d+|[TJQKA]) high")


def pair_row(event: str) -> str | None:
    """The lowest rank of a row such as "pair of J or better"."""
    found = _PAIR.fullmatch(event)
    return found[1] if found else None


def sum_row(event: str) -> int | None:
    """The largest sum of a row such as "sum at most 16"."""
    found = _SUM.fullmatch(event)
    return int(found[1]) if found else None


def high_row(event: str) -> str | None:
    """The rank of a row such as "7 high"."""
    found = _HIGH.fullmatch(event)
    rank = found[1] if found else None
    return rank if rank and rank in RANKS else None


def row_problem(event: str, by: str) -> str | None:
    """What is wrong with an event's name for a way of ranking, if anything is."""
    if by == "match":
        known: tuple[str, ...] = MATCH_EVENTS
        fits = event in MATCH_EVENTS
    elif by == "low":
        known = ("7 high", "8 high", "9 high", "T high", "J high", "Q high")
        fits = high_row(event) is not None
    else:
        known = (*POKER_EVENTS, "pair of J or better", "sum at most 16")
        fits = event in POKER_EVENTS or pair_row(event) is not None or sum_row(event) is not None
    if fits:
        return None
    return f'unknown event "{event}"{did_you_mean(event, known)} (such as {listed(known)})'
