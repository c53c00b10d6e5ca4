"""What hands are worth that follow known choices, from several shoes side by side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.effects import BY_CARDS, GOES_ON
from upcard.compile.hands import NONE
from upcard.jit import lasting
from upcard.solve.graph import BUST_NODE
from upcard.solve.play import Facing, HandRules, Hands, Rows, against, draw_chances
from upcard.solve.side_by_side import LaneRoom, draw_beside

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]


class Lanes(NamedTuple):
    """Hands that are followed, each by the choices of a `way`, one way after the other.

    `shoe[symbol, lane]` is what it is drawn from, `side[lane]` the row of the dealer's chances for
    that shoe, `role[lane]` what it is paid by, `pairs[lane]` the pairs that are told apart.
    """

    way: Ints
    shoe: Floats
    side: Ints
    role: Ints
    pairs: Ints


class Ways(NamedTuple):
    """`choice[way, doubles, node]`, and the nodes that one of the ways leads to: `seen[node]` has a
    bit for every number of doubles. Where hands end, `ends[node]` is the number of the node among
    such ones, and `dealer_of[side, number]` are the dealer's chances.
    """

    choice: Bytes
    seen: Ints
    ends: Ints
    dealer_of: Ints


class PairPaths(NamedTuple):
    """How hands become pairs again.

    Group by group, `first[group]` on, the pairs: at `node`, by the cards `card[step]` that come to
    the nodes `at[step]`, steps from `step[pair]` on.
    """

    first: Ints
    node: Ints
    step: Ints
    at: Ints
    card: Ints


class Worths(NamedTuple):
    """What is played for: `pay[role, doubles, player's class, dealer's class]`, and what so many
    lights have gained.
    """

    pay: Floats
    gained: Floats


@lasting
def reached_beside(
    order: Shorts,
    child: Shorts,
    moved: Shorts,
    rows: Rows,
    choice: Bytes,
    where: Ints,
    seen: Ints,
    ended: Bools,
) -> None:
    """Add the nodes that `choice[way, doubles, node]` lead to from the root: a bit of `seen[node]`
    for every number of doubles, and those where hands have `ended`.

    `where[node]` is room, all zero, with a bit for every way and number of doubles.
    """
    _, draws, raises, ends_as, splits, _ = rows
    ways, doubles, _ = choice.shape
    for way in range(ways):
        where[0] |= 1 << (way * doubles)
    for node in order:
        if where[node] == 0:
            continue
        for d in range(doubles):
            waiting = 0
            for way in range(ways):
                waiting |= where[node] & (1 << (way * doubles + d))
            if waiting:
                seen[node] |= 1 << d
            # Ways with the same action are taken together.
            for way in range(ways):
                if waiting >> (way * doubles + d) & 1 == 0:
                    continue
                action = choice[way, d, node]
                alike = 0
                for other in range(way, ways):
                    if choice[other, d, node] == action:
                        alike |= waiting & (1 << (other * doubles + d))
                waiting &= ~alike
                if splits[action]:
                    continue
                alike <<= raises[action]
                if draws[action]:
                    for symbol in range(child.shape[1]):
                        after = child[node, symbol]
                        if after >= 0:
                            where[after] |= alike
                elif ends_as[action] == GOES_ON:
                    where[moved[action, node]] |= alike
                else:
                    ended[node] = True


@lasting
def follow(
    hands: Hands,
    facing: Facing,
    rules: HandRules,
    ways: Ways,
    lanes: Lanes,
    paths: PairPaths,
    worths: Worths,
    room: LaneRoom,
    value: Floats,
    found: Floats,
) -> None:
    """What hands are worth from the root on: `found[lane, 1]` if a pair comes, `found[lane, 0]` if
    none does, each times its chance.

    `value[node, doubles, lane]` is room. Only hands in `order` are looked at, which must be all
    that are seen.
    """
    order, state, taken, child, moved, lit_of, _ = hands
    up, step, hidden, looks, _, dealers, settled, any_class, natural = facing
    rows, _, _, _, player_class, _, bust, _ = rules
    _, draws, raises, ends_as, _, _ = rows
    choice, seen, ends, dealer_of = ways
    pay, gained = worths
    chances, of_hidden, of_others, drawn, _, _, _, _, alone, stood = room
    count, doubles, symbols = len(lanes.way), value.shape[1], child.shape[1]
    sides = len(dealer_of)
    for node in order:
        number = ends[node]
        if number == NONE:
            continue
        final = player_class[state[node]]
        for row in range(stood.shape[1]):
            stood[number, row] = against(
                dealers[dealer_of[row % sides, number]],
                pay[row // sides, 0, final],
                settled[final],
                any_class,
                natural,
            )
    for rank in range(len(order) - 1, -1, -1):
        node = order[rank]
        lights = gained[min(lit_of[node], len(gained) - 1)]
        for d in range(doubles):
            if seen[node] >> d & 1 == 0:
                continue
            begin = 0
            while begin < count:
                action = choice[lanes.way[begin], d, node]
                end = begin + 1
                while end < count and choice[lanes.way[end], d, node] == action:
                    end += 1
                to = d + raises[action]
                final = ends_as[action]
                if final == BY_CARDS:
                    final = player_class[state[node]]
                if draws[action]:
                    draw_beside(
                        lanes.shoe,
                        taken[node],
                        up,
                        hidden,
                        looks,
                        step,
                        begin,
                        end,
                        chances,
                        of_hidden,
                        of_others,
                    )
                    for lane in range(begin, end):
                        drawn[0, lane] = 0.0
                    for symbol in range(symbols):
                        after = child[node, symbol]
                        if after >= 0:
                            for lane in range(begin, end):
                                drawn[0, lane] += chances[symbol, lane] * value[after, to, lane]
                        elif after == BUST_NODE:
                            for lane in range(begin, end):
                                over = pay[lanes.role[lane], to, bust, any_class] + lights
                                drawn[0, lane] += chances[symbol, lane] * over
                    for lane in range(begin, end):
                        value[node, d, lane] = drawn[0, lane]
                elif final == GOES_ON:
                    after = moved[action, node]
                    for lane in range(begin, end):
                        value[node, d, lane] = value[after, to, lane]
                elif d == 0 and ends_as[action] == BY_CARDS:
                    own = stood[ends[node]]
                    for lane in range(begin, end):
                        value[node, d, lane] = (
                            lights + own[lanes.role[lane] * sides + lanes.side[lane]]
                        )
                else:
                    for lane in range(begin, end):
                        value[node, d, lane] = lights + against(
                            dealers[dealer_of[lanes.side[lane], ends[node]]],
                            pay[lanes.role[lane], d, final],
                            settled[final],
                            any_class,
                            natural,
                        )
                begin = end
    for lane in range(count):
        paired = 0.0
        for pair in range(paths.first[lanes.pairs[lane]], paths.first[lanes.pairs[lane] + 1]):
            likely = 1.0
            for number in range(paths.step[pair], paths.step[pair + 1]):
                at = taken[paths.at[number]]
                draw_chances(lanes.shoe[:, lane], at, up, hidden, looks, step, alone)
                likely *= alone[paths.card[number]]
            paired += likely * value[paths.node[pair], 0, lane]
        found[lane, 0] = value[0, 0, lane] - paired
        found[lane, 1] = paired
