"""Random numbers and cards.

Every block of rounds has a stream of its own, SplitMix64 with its own start and step, so that a
block is the same wherever it is played. A card is any of those left, put where the next card
belongs: only what is dealt is shuffled, and one card further. That one waits, so that a hand need
not wait for a random number.

A shoe that lasts for many rounds is shuffled ahead, as far as the cut card: then the next card just
lies there, which leaves a round more room where its cards are counted too.
"""

from __future__ import annotations

import numpy as np

from upcard.jit import inlined, kernel
from upcard.round.kernel_types import ASIDE, DRY, STATE, STEP, WHOLE, Codes, Cut, Words
from upcard.splitmix import GOLDEN, mix

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_AHEAD = np.uint64(16)
"""Cards that are shuffled ahead at least: a round or two behind the cut card."""


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
def lay_aside(deck: Codes, now: Words, code: np.uint64) -> None:
    """A card that comes back if the shoe runs out: such cards lie at the end of the deck's room."""
    if now[DRY] == _ZERO:
        now[ASIDE] += _ONE
        deck[np.uint64(len(deck)) - now[ASIDE]] = code


@kernel
def extended(
    deck: Codes, cut: Cut, size: np.uint64, at: np.uint64, began: np.uint64, now: Words
) -> np.uint64:
    """The end of a shoe that is dealt out and needs a card: behind those that come back.

    These are the cards of earlier rounds, which lie before `began`, and those laid aside in this
    one. Without any the round is void, and any card will do. It is void too if cards that are put
    away come back again and again.
    """
    end, room = at, np.uint64(len(deck))
    if at + size < room - size - np.uint64(cut.most_needed):
        if at == size:
            for place in range(began):
                deck[end] = deck[place]
                end += _ONE
        for place in range(now[ASIDE]):
            deck[end] = deck[room - _ONE - place]
            end += _ONE
    now[ASIDE] = _ZERO
    if end == at:
        now[DRY] = _ONE
        deck[at] = cut.filler
        return at + _ONE
    if not cut.shuffles:
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


@kernel
def shuffle_ahead(
    deck: Codes, cut: Cut, whole: np.uint64, at: np.uint64, state: np.uint64, step: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Shuffle on from a place where nothing is shuffled yet: the random state, and how far."""
    # The card that waits when the cut card comes out is the last that is certainly dealt.
    end = min(whole, max(at + _AHEAD, np.uint64(cut.at) + _TWO))
    while at + _ONE < end:
        state, _, _ = pick_two(deck, state, step, at, whole - at)
        at += _TWO
    if at < end:
        state, _ = pick(deck, state, step, at, whole - at)
    return state, end


@kernel
def take_late(
    deck: Codes,
    cut: Cut,
    ahead: bool,
    size: np.uint64,
    most_left: np.uint64,
    now: Words,
    state: np.uint64,
    step: np.uint64,
    at: np.uint64,
    end: np.uint64,
    began: np.uint64,
    waiting: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """A card where none lies ready behind it: itself, the random state, the end, the next card.

    Only when one more is needed than there are do others come back, since hands may be over by
    then; so the last card has none waiting behind it.
    """
    card = waiting
    if at > end:
        here = at - _ONE
        end = extended(deck, cut, size, here, began, now)
        if ahead:
            now[WHOLE] = end
            state, end = shuffle_ahead(deck, cut, end, here, state, step)
            card = np.uint64(deck[here])
        else:
            state, card = pick(deck, state, step, here, min(end - here, most_left))
    elif ahead:
        state, end = shuffle_ahead(deck, cut, now[WHOLE], at, state, step)
    if at < end:
        if ahead:
            waiting = np.uint64(deck[at])
        else:
            state, waiting = pick(deck, state, step, at, min(end - at, most_left))
    return card, state, end, waiting


@inlined
def take(
    deck: Codes,
    cut: Cut | None,
    ahead: bool,
    size: np.uint64,
    most_left: np.uint64,
    gone: np.uint64,
    now: Words,
    state: np.uint64,
    step: np.uint64,
    at: np.uint64,
    end: np.uint64,
    began: np.uint64,
    waiting: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """The card that waits; then the random state, the shoe, and the next card that waits.

    `gone` is 1, or 0 in an endless shoe, which a card is never gone from; `most_left` is 1 where
    cards come in order. Without a cut the shoe lasts for the round; with `ahead` it is shuffled
    up to its end.
    """
    card = waiting
    if cut is None:
        state, waiting = pick(deck, state, step, at, end - at)
        at += _ONE
    elif at >= end:
        card, state, end, waiting = take_late(
            deck, cut, ahead, size, most_left, now, state, step, at, end, began, waiting
        )
        at += _ONE
    elif ahead:
        waiting = np.uint64(deck[at])
        at += _ONE
    else:
        state, waiting = pick(deck, state, step, at, min(end - at, most_left))
        at += gone
    return card, state, at, end, waiting
