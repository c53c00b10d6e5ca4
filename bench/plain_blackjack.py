"""A simulator of one game only: the yardstick that a simulator of all games is measured against.

Plain blackjack: six decks, a fresh shoe every round, the dealer stands on soft 17 and checks for
blackjack, 3:2, double any two cards, also after a split, split equal values to four hands, split
aces get one card each, no surrender, no insurance. The kernel knows this by heart. Only the play is
looked up, and it is kept as bits: one word for an up card and a question, one bit for a hand.

A card is its value, the ace 1 with the bit `ACE`. A hand is its hard total, with the same bit if it
has an ace, so a hand is a number below 64 and one word answers a question for every hand.

The shoe is shuffled only as far as it is dealt, and one card further: that card waits in a
register, so that a draw need not wait for the random number. A shoe is never put in order again,
since any order is as good a start as another.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from math import sqrt
from typing import ParamSpec, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit
from stopwatch import best

from upcard import odds, tables_for
from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.solve.chart import Chart, Row, draw_chart

P = ParamSpec("P")
R = TypeVar("R")
Cards = npt.NDArray[np.int64]

RULES = {"surrender": "none"}
DECKS = 6
ACE = 32
TOTAL = 31
BLACKJACK = ACE | 11
LIMIT = 21
DEALER_STANDS = 17
MOST_HANDS = 4
CHECKED = 20_000_000

HIT_TWO, HIT_MORE, DOUBLE, SPLIT = range(4)
"""The questions: for two cards, for more, for two cards, and for the value of a pair."""

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
HALF = np.uint64(32)
LOW_HALF = np.uint64(2**32 - 1)
SPAN = np.uint64(2**32)
ONE = np.uint64(1)
SHOE = np.uint64(52 * DECKS)
FIRST, THIRD, FIFTH = np.uint64(0), np.uint64(2), np.uint64(4)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compiled anew in every process, so that the time of it can be measured."""
    return cast("Callable[P, R]", njit(nogil=True)(function))


def best_total(hand: int) -> int:
    """
    >>> best_total(BLACKJACK), best_total(ACE | 12), best_total(16)
    (21, 12, 16)
    """
    hard = hand & TOTAL
    return hard + 10 if hand >= ACE and hard + 10 <= LIMIT else hard


DEALER_DRAWS = sum(1 << hand for hand in range(64) if best_total(hand) < DEALER_STANDS)


# ---------------------------------------------------------------- the play, built at the start


@cache
def play_words() -> Cards:
    """Basic play as words: `words[question, value of the up card]`, the ace is 1."""
    chart = draw_chart(tables_for("blackjack", RULES), mode="CDZ-")
    words = np.zeros((4, 11), dtype=np.int64)
    for (up, more, hand), action in _orders(chart).items():
        if action is Action.HIT:
            words[HIT_MORE if more else HIT_TWO, up] |= 1 << hand
        elif action is Action.DOUBLE and not more:
            words[DOUBLE, up] |= 1 << hand
        elif action is not Action.STAND:
            raise UpcardError(
                f"the chart says {action.text} for hand {hand} against {up}, where the kernel "
                "knows only hit and stand, and double with two cards"
            )
    for row in _rows(chart):
        for up_name, cell in row.cells.items():
            if cell.action is Action.SPLIT:
                words[SPLIT, _value(up_name)] |= 1 << _value(row.pair)
    return words


def _rows(chart: Chart) -> list[Row]:
    return [row for section in chart.sections for row in section.rows]


def _value(name: str) -> int:
    return {"A": 1, "T": 10}.get(name) or int(name)


def _orders(chart: Chart) -> dict[tuple[int, bool, int], Action]:
    """What to do but split, by the up card, whether there are more than two cards, and the hand."""
    orders: dict[tuple[int, bool, int], Action] = {}
    for row in _rows(chart):
        for up, cell in row.cells.items():
            action = next(action for action in cell.ranking if action is not Action.SPLIT)
            for hand in _hands(row):
                key = (_value(up), row.cards > 2, hand)
                if orders.setdefault(key, action) is not action:
                    raise UpcardError(
                        f"the chart plays {row.hand} against {up} unlike the same total; "
                        "the kernel needs one answer for both"
                    )
    return orders


def _hands(row: Row) -> tuple[int, ...]:
    """The kernel's numbers for a row of the chart, which counts in half points."""
    total = row.total // 2
    if row.soft:
        return (ACE | (total - 10),)
    return (total, ACE | total) if total + 10 > LIMIT else (total,)


# ---------------------------------------------------------------- the kernel


@compiled
def _mixed(state: np.uint64) -> np.uint64:
    """The output of SplitMix64 for a state."""
    word = (state ^ (state >> SHIFT_1)) * MIX_1
    word = (word ^ (word >> SHIFT_2)) * MIX_2
    return word ^ (word >> SHIFT_3)


@compiled
def _swap(shoe: Cards, at: np.uint64, chosen: np.uint64) -> int:
    card = int(shoe[chosen])
    shoe[chosen] = shoe[at]
    shoe[at] = card
    return card


@compiled
def _next(shoe: Cards, state: np.uint64, at: np.uint64) -> tuple[np.uint64, int]:
    """Put any of the cards from a position on there: the random state and the card."""
    left = SHOE - at
    state += STEP
    spread = (_mixed(state) >> HALF) * left
    if (spread & LOW_HALF) < left:
        uneven = SPAN % left
        while (spread & LOW_HALF) < uneven:
            state += STEP
            spread = (_mixed(state) >> HALF) * left
    return state, _swap(shoe, at, at + (spread >> HALF))


@compiled
def _next_two(shoe: Cards, state: np.uint64, at: np.uint64) -> tuple[np.uint64, int, int]:
    """Two cards from the halves of one random number."""
    left, after = SHOE - at, SHOE - at - ONE
    uneven, uneven_after = SPAN % left, SPAN % after
    while True:
        state += STEP
        word = _mixed(state)
        spread, second = (word >> HALF) * left, (word & LOW_HALF) * after
        if (spread & LOW_HALF) >= uneven and (second & LOW_HALF) >= uneven_after:
            break
    one = _swap(shoe, at, at + (spread >> HALF))
    two = _swap(shoe, at + ONE, at + ONE + (second >> HALF))
    return state, one, two


@compiled
def _with_card(hand: int, card: int) -> int:
    return (hand + (card & TOTAL)) | (card & ACE)


@compiled
def _counted(hand: int) -> int:
    """The better total of a hand, without a branch."""
    hard = hand & TOTAL
    return hard + 10 * int((hand >= ACE) & (hard <= LIMIT - 10))


@compiled
def _drawn(
    shoe: Cards,
    state: np.uint64,
    waiting: int,
    at: np.uint64,
    hand: int,
    first: int,
    later: int,
) -> tuple[np.uint64, int, np.uint64, int]:
    """Cards for a hand while a word says so: one word for the first, another for all later."""
    draws = first
    while (draws >> hand) & 1:
        hand = _with_card(hand, waiting)
        state, waiting = _next(shoe, state, at)
        at += ONE
        draws = later
    return state, waiting, at, hand


@compiled
def _sign(own: int, dealer: int) -> int:
    """1 for a won hand, 0 for a tie, -1 for a lost one; `own` is below 0 for a bust hand."""
    against = dealer if dealer <= LIMIT else 0
    return int(own > against) - int(own < against)


@compiled
def _natural_result(hand: int, dealer: int) -> int:
    """What a round with a blackjack, the dealer's or the player's, gives in half bets."""
    if dealer == BLACKJACK:
        return 0 if hand == BLACKJACK else -2
    return 3


@compiled
def _split_round(
    shoe: Cards,
    state: np.uint64,
    waiting: int,
    at: np.uint64,
    pair: int,
    dealer: int,
    hits: int,
    hits_later: int,
    doubles: int,
) -> tuple[np.uint64, int]:
    """A split pair played out: the random state, and the result in half bets."""
    totals = np.empty(MOST_HANDS, np.int64)
    stakes = np.empty(MOST_HANDS, np.int64)
    hands, done, alive = 2, 0, 0
    aces = pair >= ACE
    while done < hands:
        card = waiting
        state, waiting = _next(shoe, state, at)
        at += ONE
        if card == pair and hands < MOST_HANDS and not aces:
            hands += 1
            continue
        hand = _with_card(pair, card)
        doubled = 0
        if not aces:
            doubled = (doubles >> hand) & 1
            first, later = hits | doubles, hits_later & (doubled - 1)
            state, waiting, at, hand = _drawn(shoe, state, waiting, at, hand, first, later)
        total = _counted(hand)
        totals[done] = total if total <= LIMIT else -1
        stakes[done] = 2 << doubled
        alive |= int(total <= LIMIT)
        done += 1
    draws = DEALER_DRAWS & -alive
    state, waiting, at, dealer = _drawn(shoe, state, waiting, at, dealer, draws, draws)
    shown = _counted(dealer)
    result = 0
    for number in range(hands):
        result += stakes[number] * _sign(totals[number], shown)
    return state, result


@compiled
def _rounds(state: np.uint64, rounds: int, shoe: Cards, play: Cards) -> tuple[int, int]:
    """The sum and the sum of squares of the results of rounds, in half bets."""
    hit_two, hit_more, double, split = play[HIT_TWO], play[HIT_MORE], play[DOUBLE], play[SPLIT]
    total, squares = 0, 0
    for _ in range(rounds):
        state, card, up = _next_two(shoe, state, FIRST)
        state, second, hole = _next_two(shoe, state, THIRD)
        state, waiting = _next(shoe, state, FIFTH)
        at = FIFTH + ONE
        shown = up & TOTAL
        hits, hits_later, doubles = hit_two[shown], hit_more[shown], double[shown]
        hand, dealer = _with_card(card, second), _with_card(up, hole)
        splits = int(card == second) & (split[shown] >> (card & TOTAL))
        natural = (hand == BLACKJACK) | (dealer == BLACKJACK)
        # Naturals and splits share one branch, which is seldom taken. All else is without branches
        # but for the two loops: a bust hand leaves the dealer a word that never draws.
        if natural | (splits != 0):
            if natural:
                result = _natural_result(hand, dealer)
            else:
                state, result = _split_round(
                    shoe, state, waiting, at, card, dealer, hits, hits_later, doubles
                )
        else:
            doubled = (doubles >> hand) & 1
            first, later = hits | doubles, hits_later & (doubled - 1)
            state, waiting, at, hand = _drawn(shoe, state, waiting, at, hand, first, later)
            own = _counted(hand)
            draws = DEALER_DRAWS & -int(own <= LIMIT)
            own = own if own <= LIMIT else -1
            state, waiting, at, dealer = _drawn(shoe, state, waiting, at, dealer, draws, draws)
            result = (2 << doubled) * _sign(own, _counted(dealer))
        total += result
        squares += result * result
    return total, squares


# ---------------------------------------------------------------- its use


def play(seed: int, rounds: int) -> tuple[int, int]:
    """The sum and the sum of squares of the results of so many rounds, in half bets."""
    shoe = np.array([ACE | 1, *range(2, 10), *[10] * 4] * 4 * DECKS, dtype=np.int64)
    total, squares = _rounds(np.uint64(seed % 2**64), rounds, shoe, play_words())
    return int(total), int(squares)


def ev_and_sd(rounds: int, total: int, squares: int) -> tuple[float, float]:
    """The mean result of a round and its deviation, in bets.

    >>> ev_and_sd(4, 2, 20)
    (0.25, 1.0897247358851685)
    """
    mean = total / rounds
    return mean / 2, sqrt(squares / rounds - mean * mean) / 2


def rounds_per_second(rounds: int = 10_000_000, repeats: int = 5) -> float:
    """The speed of the fastest of a few runs, compiled beforehand."""
    play(0, 1)
    return rounds / best(lambda: play(1, rounds), repeats)


def main() -> None:
    play_words()
    start = time.perf_counter()
    play(0, 1)
    seconds = time.perf_counter() - start
    print("Plain blackjack by a kernel of its own, one core, a fresh shoe of six decks every round")
    print(f"  compiled in      {seconds:13.2f} s")
    print(f"  rounds a second  {rounds_per_second():13,.0f}")
    exact = odds(tables_for("blackjack", RULES), strategy="basic", mode="CDZ-").wagers["base"]
    ev, sd = ev_and_sd(CHECKED, *play(21, CHECKED))
    z = (ev - exact.ev) / (sd / sqrt(CHECKED))
    print(f"  after {CHECKED:,} rounds")
    print(f"    EV {ev:.6%}, exact {exact.ev:.6%}, {z:+.2f} standard errors")
    print(f"    sd {sd:.5f}, exact {exact.sd:.5f}")


if __name__ == "__main__":
    main()
