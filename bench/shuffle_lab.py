"""What `bench_shuffle` looks at: streams and shuffles of the live table and of the simulator.

Every source gives endless bytes for dieharder, and where it shuffles, shuffles for the chi-square
tests. Shuffles become bytes by their Lehmer code: digit number i of a permutation says how many of
the cards behind card i lie before it in a new deck, so it is uniform over as many values as there
are cards from i on, and independent of the others. Some digits together are a rank below the
product of their ranges. That is divided into 2^32 parts of the same size, and the number of the
part is a word; ranks behind the last part are thrown away, so that every word is as likely as any
other. The first digit decides most about a word: what is wrong with it shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel
from upcard.round.kernel_types import ONE, STATE, STEP, ZERO
from upcard.round.shoe import begin_stream, pick, pick_two
from upcard.splitmix import mix
from upcard.table.shoe import WORD_BYTES, secret_from, shoe_seed, shuffled, stream

Orders = npt.NDArray[np.uint16]
"""A row for every shuffle: the card (0, 1, ... as in a new deck or shoe) at each place."""

DECK = 52
SHOE = 6 * DECK
BATCH = 512
STREAM_BLOCKS = 39
"""Blocks of the stream that a shoe of six decks draws: then comes the next shoe's stream."""
ENOUGH = 2**40
"""Digits are put together until so many ranks are possible: then few are thrown away."""


# ------------------------------------------------------------------ the live table


def live_stream(seed: str) -> Iterator[bytes]:
    """The stream of one shoe after the other, of each as much as a shuffle needs."""
    secret = secret_from(seed)
    for number in itertools.count(1):
        blocks = stream(shoe_seed(secret, number))
        yield b"".join(itertools.islice(blocks, STREAM_BLOCKS))


def live_orders(seed: str, cards: int) -> Iterator[Orders]:
    """Shuffles of the live table: `shoe.shuffled`, many at a time.

    The first of every batch is compared with `shuffled` itself, and a shuffle in which a word is
    dropped is left to it.
    """
    secret = secret_from(seed)
    names = [str(card) for card in range(cards)]
    blocks = -(-(cards - 1) * WORD_BYTES // 32)
    ranges = np.arange(cards, 1, -1, dtype=np.uint64)
    fair = np.uint64(2**32) - np.uint64(2**32) % ranges
    for first in itertools.count(1, BATCH):
        seeds = [shoe_seed(secret, number) for number in range(first, first + BATCH)]
        drawn = b"".join(b"".join(itertools.islice(stream(one), blocks)) for one in seeds)
        words = np.frombuffer(drawn, ">u4").reshape(BATCH, -1)[:, : cards - 1].astype(np.uint64)
        others = words % ranges
        orders = np.tile(np.arange(cards, dtype=np.uint16), (BATCH, 1))
        rows = np.arange(BATCH)
        for step, last in enumerate(range(cards - 1, 0, -1)):
            other = others[:, step].astype(np.intp)
            orders[rows, last], orders[rows, other] = (
                orders[rows, other],
                orders[rows, last].copy(),
            )
        slow = {0, *np.flatnonzero((words >= fair).any(axis=1)).tolist()}
        for row in slow:
            real = np.array([int(name) for name in shuffled(names, seeds[row])], np.uint16)
            if row == 0 and not (words[0] >= fair).any() and not np.array_equal(real, orders[0]):
                raise AssertionError("the batch is not what `shuffled` gives")
            orders[row] = real
        yield orders


# ------------------------------------------------------------------ the simulator


def number_of(seed: str) -> np.uint64:
    return np.uint64(int(secret_from(seed)[:16], 16))


@kernel
def _fill_words(
    out: npt.NDArray[np.uint64], now: npt.NDArray[np.uint64], seed: np.uint64, block: np.uint64
) -> None:
    begin_stream(now, seed, block)
    state, step = now[STATE], now[STEP]
    for place in range(len(out)):
        state += step
        out[place] = mix(state)


@kernel
def _fill_orders(
    orders: Orders, now: npt.NDArray[np.uint64], seed: np.uint64, block: np.uint64
) -> None:
    begin_stream(now, seed, block)
    state, step = now[STATE], now[STEP]
    size = orders.shape[1]
    for row in range(len(orders)):
        deck = orders[row]
        for place in range(size):
            deck[place] = place
        at, left = ZERO, np.uint64(size)
        while row % 2 and left > ONE + ONE:
            state += step
            state, _, _ = pick_two(deck, mix(state), state, step, at, left)
            at, left = at + ONE + ONE, left - ONE - ONE
        while left > ONE:
            state, _ = pick(deck, state, step, at, left)
            at, left = at + ONE, left - ONE


def simulator_stream(seed: str) -> Iterator[bytes]:
    """Words of block after block of the simulator, a few thousand of each block's stream."""
    out = np.empty(4096, np.uint64)
    now = np.zeros(16, np.uint64)
    for block in itertools.count():
        _fill_words(out, now, number_of(seed), np.uint64(block))
        yield out.tobytes()


def simulator_orders(seed: str, cards: int) -> Iterator[Orders]:
    """Whole shuffles by the simulator's ways to pick: card by card, every other one in pairs."""
    now = np.zeros(16, np.uint64)
    for block in itertools.count():
        orders = np.empty((BATCH, cards), np.uint16)
        _fill_orders(orders, now, number_of(seed), np.uint64(block))
        yield orders


# ------------------------------------------------------------------ planted faults


def any_place_orders(seed: str, cards: int) -> Iterator[Orders]:
    """A fault: every card is swapped with any card, not with one of those that are left."""
    rng = np.random.default_rng(int(number_of(seed)))
    rows = np.arange(BATCH)
    while True:
        orders = np.tile(np.arange(cards, dtype=np.uint16), (BATCH, 1))
        for place in range(cards):
            other = rng.integers(0, cards, BATCH)
            orders[rows, place], orders[rows, other] = (
                orders[rows, other],
                orders[rows, place].copy(),
            )
        yield orders


def remainder_orders(seed: str, cards: int) -> Iterator[Orders]:
    """A fault: the remainder of a word of 8 bits, and none is dropped."""
    rng = np.random.default_rng(int(number_of(seed)))
    rows = np.arange(BATCH)
    while True:
        orders = np.tile(np.arange(cards, dtype=np.uint16), (BATCH, 1))
        for last in range(cards - 1, 0, -1):
            other = rng.integers(0, 2**8, BATCH) % (last + 1)
            orders[rows, last], orders[rows, other] = (
                orders[rows, other],
                orders[rows, last].copy(),
            )
        yield orders


@kernel
def _congruential(out: npt.NDArray[np.uint32], state: np.uint32) -> np.uint32:
    for place in range(len(out)):
        state = np.uint32(np.uint64(state) * np.uint64(69069) + np.uint64(1))
        out[place] = state
    return state


def congruential_stream(seed: str) -> Iterator[bytes]:
    """A fault: a generator of old, x -> 69069 x + 1, whose low bits come round soon."""
    out = np.empty(4096, np.uint32)
    state = np.uint32(number_of(seed) >> np.uint64(32))
    while True:
        state = np.uint32(_congruential(out, state))
        yield out.tobytes()


# ------------------------------------------------------------------ shuffles as bytes


def digit_groups(cards: int) -> list[tuple[int, int, int]]:
    """Places of Lehmer digits that make one rank, from and to, and how many ranks there are."""
    found = []
    first, ranks = 0, 1
    for place in range(cards):
        ranks *= cards - place
        if ranks >= ENOUGH:
            found.append((first, place + 1, ranks))
            first, ranks = place + 1, 1
    return found


def lehmer(orders: Orders) -> npt.NDArray[np.uint64]:
    """The Lehmer codes of shuffles, a row for each.

    >>> lehmer(np.array([[2, 0, 1], [0, 2, 1]], np.uint16)).tolist()
    [[2, 0, 0], [0, 1, 0]]
    """
    cards = orders.shape[1]
    digits = np.zeros(orders.shape, np.uint64)
    for place in range(cards - 1):
        digits[:, place] = (orders[:, place + 1 :] < orders[:, place, None]).sum(axis=1)
    return digits


def ranked(batches: Iterator[Orders], cards: int) -> Iterator[bytes]:
    """Bytes from shuffles, each bit as likely as the other if the shuffles are."""
    groups = digit_groups(cards)
    for orders in batches:
        digits = lehmer(orders)
        words = np.empty((len(orders), len(groups)), np.uint64)
        kept = np.empty(words.shape, bool)
        for number, (first, end, ranks) in enumerate(groups):
            rank = np.zeros(len(orders), np.uint64)
            for place in range(first, end):
                rank = rank * np.uint64(cards - place) + digits[:, place]
            words[:, number] = rank // np.uint64(ranks // 2**32)
            kept[:, number] = rank < np.uint64(ranks - ranks % 2**32)
        yield words[kept].astype(np.uint32).tobytes()


class Source(NamedTuple):
    """Something that is looked at: `orders` where it shuffles. A `planted` one must be found."""

    name: str
    words: str
    bytes: Callable[[str], Iterator[bytes]]
    orders: Callable[[str], Iterator[Orders]] | None = None
    cards: int = DECK
    planted: bool = False


Shuffler = Callable[[str, int], Iterator[Orders]]


def _shuffles(name: str, words: str, shuffler: Shuffler, cards: int, *, planted: bool) -> Source:
    return Source(
        name,
        words,
        lambda seed: ranked(shuffler(seed, cards), cards),
        lambda seed: shuffler(seed, cards),
        cards,
        planted,
    )


SOURCES = {
    source.name: source
    for source in (
        Source("live-stream", "the live shoe's stream", live_stream),
        _shuffles("live-deck", "live shuffles, one deck", live_orders, DECK, planted=False),
        _shuffles("live-shoe", "live shuffles, six decks", live_orders, SHOE, planted=False),
        Source("simulator-stream", "the simulator's stream", simulator_stream),
        _shuffles(
            "simulator-deck",
            "simulator's shuffles, one deck",
            simulator_orders,
            DECK,
            planted=False,
        ),
        _shuffles(
            "simulator-shoe",
            "simulator's shuffles, six decks",
            simulator_orders,
            SHOE,
            planted=False,
        ),
        Source("congruential", "FAULT: 69069 x + 1", congruential_stream, planted=True),
        _shuffles("any-place", "FAULT: swapped with any", any_place_orders, DECK, planted=True),
        _shuffles("remainder", "FAULT: 8-bit remainders", remainder_orders, DECK, planted=True),
    )
}
