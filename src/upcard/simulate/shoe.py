"""Random numbers and cards.

Every block of rounds has a stream of its own, SplitMix64 with its own start and step, so that a
block is the same wherever it is played. A card is any of those left, put where the next card
belongs: only what is dealt is shuffled, and one card further. That one waits, so that a hand need
not wait for a random number.
"""

from __future__ import annotations

import numpy as np

from upcard.jit import inlined, kernel
from upcard.simulate.bundles import EMPTY, STATE, STEP, Codes, Cut, Words
from upcard.splitmix import GOLDEN, mix

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
NO_CARDS = np.uint64(2**63)
"""Where a round began that has run out of cards."""


@kernel
def begin_stream(now: Words, seed: np.uint64, block: np.uint64) -> None:
    """The stream of one block: where it starts, and its own odd step."""
    start = mix(mix(seed + GOLDEN) + mix(block + GOLDEN) * GOLDEN)
    step = mix(start + GOLDEN) | _ONE
    # A step with long runs of equal bits mixes badly; as in SplittableRandom, it is broken up.
    turns = step ^ (step >> _ONE)
    bits = 0
    while turns:
        bits += 1
        turns &= turns - _ONE
    if bits < 24:
        step ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    now[STATE] = start
    now[STEP] = step


@inlined
def below(state: np.uint64, step: np.uint64, size: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The next random state, and a whole number below a size, each as likely as any other."""
    state += step
    product = (mix(state) >> _HALF) * size
    if (product & _LOW) < size:
        # Lemire's method: a few of the 2^32 numbers are one too many for some results.
        surplus = (_LOW - size + _ONE) % size
        while (product & _LOW) < surplus:
            state += step
            product = (mix(state) >> _HALF) * size
    return state, product >> _HALF


@inlined
def pick(
    deck: Codes, state: np.uint64, step: np.uint64, at: np.uint64, left: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """The next random state, and the card now at a place: any of so many from there on."""
    state, chosen = below(state, step, left)
    other = at + chosen
    card = deck[other]
    deck[other] = deck[at]
    deck[at] = card
    return state, np.uint64(card)


@inlined
def pick_two(
    deck: Codes, state: np.uint64, step: np.uint64, at: np.uint64, left: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The next random state, and the cards that now lie at a place and behind it."""
    after = left - _ONE
    state += step
    word = mix(state)
    first, second = (word >> _HALF) * left, (word & _LOW) * after
    if ((first & _LOW) < left) | ((second & _LOW) < after):
        surplus, surplus_after = (_LOW - left + _ONE) % left, (_LOW - after + _ONE) % after
        while (first & _LOW) < surplus or (second & _LOW) < surplus_after:
            state += step
            word = mix(state)
            first, second = (word >> _HALF) * left, (word & _LOW) * after
    other = at + (first >> _HALF)
    card = deck[other]
    deck[other] = deck[at]
    deck[at] = card
    at += _ONE
    other = at + (second >> _HALF)
    next_card = deck[other]
    deck[other] = deck[at]
    deck[at] = next_card
    return state, np.uint64(card), np.uint64(next_card)


@inlined
def take(
    deck: Codes,
    cut: Cut | None,
    state: np.uint64,
    step: np.uint64,
    at: np.uint64,
    end: np.uint64,
    began: np.uint64,
    waiting: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """The card that waits; then the random state, the shoe, and the next card that waits.

    When a shoe that can run out is dealt out, the cards before `began`, those of earlier rounds,
    are shuffled and go on. Without any the round has no cards: it is void, and any card will do.
    """
    card = waiting
    if cut is None:
        state, waiting = pick(deck, state, step, at, end - at)
        at += _ONE
    else:
        if waiting == EMPTY and began != _ZERO and began != NO_CARDS:
            end, began, at = began, _ZERO, _ONE
            state, card = pick(deck, state, step, _ZERO, end if cut.shuffles else _ONE)
        elif waiting == EMPTY:
            began = NO_CARDS
            card = np.uint64(deck[0])
        if at < end and began != NO_CARDS:
            state, waiting = pick(deck, state, step, at, end - at if cut.shuffles else _ONE)
            at += _ONE
        else:
            waiting = EMPTY
    return card, state, at, end, began, waiting
