"""Random numbers and cards.

Every block of rounds has a stream of its own, SplitMix64 with its own start and step, so that a
block is the same wherever it is played. A card is any of those left, put where the next card
belongs: only what is dealt is shuffled, and one card further. That one waits, so that a hand need
not wait for a random number; likewise the first deal has two random words ready.
"""

from __future__ import annotations

import numpy as np

from upcard.jit import inlined, kernel, stage
from upcard.round.kernel_types import (
    ASIDE,
    DRY,
    NEXT_WORD,
    ONE,
    STATE,
    STEP,
    WORD,
    ZERO,
    Codes,
    Dealing,
    Returns,
    Top,
    Words,
)
from upcard.splitmix import GOLDEN, mix

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def begin_stream(now: Words, seed: np.uint64, block: np.uint64) -> None:
    """The stream of one block: where it starts, and its own odd step."""
    start = mix(mix(seed + GOLDEN) + mix(block + GOLDEN) * GOLDEN)
    step = mix(start + GOLDEN) | ONE
    # A step with long runs of equal bits mixes badly; as in SplittableRandom, it is broken up.
    turns = step ^ (step >> ONE)
    bits = 0
    while turns:
        bits += 1
        turns &= turns - ONE
    if bits < 24:
        step ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    now[STATE] = start
    now[STEP] = step
    now[WORD], now[NEXT_WORD] = mix(start), mix(start - step)


@inlined
def below(state: np.uint64, step: np.uint64, size: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The next random state, and a whole number below a size, each as likely as any other."""
    state += step
    product = (mix(state) >> _HALF) * size
    if (product & _LOW) < size:
        # Lemire's method: a few of the 2^32 numbers are one too many for some results.
        surplus = (_LOW - size + ONE) % size
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
    deck: Codes,
    word: np.uint64,
    state: np.uint64,
    step: np.uint64,
    at: np.uint64,
    left: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The random state, and the cards that a random word brings to a place and behind it."""
    after = left - ONE
    first, second = (word >> _HALF) * left, (word & _LOW) * after
    if ((first & _LOW) < left) | ((second & _LOW) < after):
        surplus, surplus_after = (_LOW - left + ONE) % left, (_LOW - after + ONE) % after
        while (first & _LOW) < surplus or (second & _LOW) < surplus_after:
            state += step
            word = mix(state)
            first, second = (word >> _HALF) * left, (word & _LOW) * after
    other = at + (first >> _HALF)
    card = deck[other]
    deck[other] = deck[at]
    deck[at] = card
    at += ONE
    other = at + (second >> _HALF)
    next_card = deck[other]
    deck[other] = deck[at]
    deck[at] = next_card
    return state, np.uint64(card), np.uint64(next_card)


@inlined
def lay_aside(deck: Codes, now: Words, code: np.uint64) -> None:
    """A card that comes back if the shoe runs out: such cards lie at the end of the deck's room."""
    if now[DRY] == ZERO:
        now[ASIDE] += ONE
        deck[np.uint64(len(deck)) - now[ASIDE]] = code


@stage
def left_in(returns: Returns | None, top: Top) -> np.uint64:
    """The cards that the next may be any of: one where they come in order."""
    left = top.end - top.at
    if returns is not None:
        left = left if returns.shuffles else ONE
    return left


@stage
def take(dealing: Dealing, returns: Returns | None, top: Top) -> tuple[np.uint64, Top]:
    """The card that waits; then the top of the shoe with the next card that waits."""
    if returns is not None:
        if top.at >= top.end:
            return take_late(dealing, returns, top)
    left = left_in(returns, top)
    state, waiting = pick(dealing.deck, top.state, dealing.step, top.at, left)
    at = top.at + dealing.gone
    return top.waiting, Top(state, at, top.end, waiting, top.running)


@kernel
def take_late(dealing: Dealing, returns: Returns, top: Top) -> tuple[np.uint64, Top]:
    """A card where none lies ready behind it.

    Only when one more is needed than there are do others come back, since hands may be over by
    then; so the last card has none waiting behind it.
    """
    deck, step = dealing.deck, dealing.step
    state, at, end, card, waiting = top.state, top.at, top.end, top.waiting, top.waiting
    if at > end:
        here = at - ONE
        end = extended(dealing, returns, here)
        state, card = pick(deck, state, step, here, end - here if returns.shuffles else ONE)
    if at < end:
        state, waiting = pick(deck, state, step, at, end - at if returns.shuffles else ONE)
    return card, Top(state, at + ONE, end, waiting, top.running)


@kernel
def extended(dealing: Dealing, returns: Returns, at: np.uint64) -> np.uint64:
    """The end of a shoe that is dealt out and needs a card: behind those that come back.

    These are the cards of earlier rounds, which lie before `began`, and those laid aside in this
    one. Without any the round is void, and any card will do. It is void too if cards that are put
    away come back again and again.
    """
    deck, now, size = dealing.deck, dealing.now, dealing.size
    end, room = at, np.uint64(len(deck))
    if at + size < room - size - np.uint64(returns.most_needed):
        if at == size:
            for place in range(dealing.began):
                deck[end] = deck[place]
                end += ONE
        for place in range(now[ASIDE]):
            deck[end] = deck[room - ONE - place]
            end += ONE
    now[ASIDE] = ZERO
    if end == at:
        now[DRY] = ONE
        deck[at] = returns.filler
        return at + ONE
    if not returns.shuffles:
        sort_cards(deck[at:end])
    return end


@kernel
def sort_cards(cards: Codes) -> None:
    """Cards by their numbers, which is their order where nothing is shuffled."""
    for last in range(1, len(cards)):
        card = cards[last]
        place = last
        while place > 0 and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card
