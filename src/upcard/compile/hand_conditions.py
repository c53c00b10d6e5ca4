"""Conditions on hands and up cards, as flags over both and in words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from upcard.cards import rank_name
from upcard.compile.alphabet import Alphabet
from upcard.compile.hands import HandAutomaton
from upcard.rules.card_conditions import Number
from upcard.rules.hand_conditions import HandCondition, ends
from upcard.text import counted, listed, with_article

MOST = 99
"""More than any hand totals or has cards."""


def met_by(
    conditions: Iterable[HandCondition], hands: HandAutomaton, alphabet: Alphabet
) -> npt.NDArray[np.bool_]:
    """`[state, up]`: hands that meet one of some conditions."""
    found = np.zeros((len(hands), len(alphabet)), dtype=np.bool_)
    for condition in conditions:
        fits = np.ones(len(hands), dtype=np.bool_)
        if condition.total is not None:
            low, high = ends(condition.total, MOST)
            fits &= (hands.total >= 2 * low) & (hands.total <= 2 * high)
        if condition.cards is not None:
            low, high = ends(condition.cards, MOST)
            fits &= (hands.cards >= low) & (hands.cards <= high)
        if condition.soft is not None:
            fits &= hands.soft == condition.soft
        ups = [
            condition.up is None or not set(symbol.ranks).isdisjoint(condition.up)
            for symbol in alphabet.symbols
        ]
        found |= np.outer(fits, np.array(ups))
    return found


def condition_words(conditions: Iterable[HandCondition]) -> str:
    """Conditions as a list of hands.

    >>> condition_words([HandCondition(total=18, soft=True, up=("5", "6")), HandCondition(cards=2)])
    'soft totals of 18 against a five or a six and hands of 2 cards'
    """
    return listed(map(_words, conditions), "and")


def pair_names(ranks: Iterable[str]) -> str:
    """Ranks in the plural.

    >>> pair_names(["4", "5", "T"])
    'fours, fives or tens'
    """
    names = (rank_name(rank) for rank in ranks)
    return listed(f"{name}es" if name.endswith("x") else f"{name}s" for name in names)


def _words(condition: HandCondition) -> str:
    kind = {True: "soft ", False: "hard ", None: ""}[condition.soft]
    words = f"{kind}hands"
    if condition.total is not None:
        words = f"{kind}totals of {_span(condition.total)}"
    if condition.cards is not None:
        words += f" of {_cards(condition.cards)}"
    if condition.up is not None:
        words += f" against {listed(with_article(rank_name(rank)) for rank in condition.up)}"
    return words


def _span(number: Number) -> str:
    low, high = ends(number, MOST)
    if high == MOST:
        return f"{low} or more"
    return str(low) if low == high else f"{low} to {high}" if low else f"{high} or less"


def _cards(number: Number) -> str:
    low, high = ends(number, MOST)
    if low == high:
        return counted(low, "card")
    return f"{_span(number)} cards"
