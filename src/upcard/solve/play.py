"""Working backwards and forwards through a graph of hands against one up card.

Backwards finds what every action is worth and which is best; forwards finds how often a hand ends
as what. Both use the chances of the next card given that the check, if there is one, was empty.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.jit import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]

ACTIONS = len(Action)
NEVER = -1e300
"""The value of an action that may not be taken."""

HIT = int(Action.HIT)
STAND = int(Action.STAND)
DOUBLE = int(Action.DOUBLE)
SPLIT = int(Action.SPLIT)
SURRENDER = int(Action.SURRENDER)
REDOUBLE = int(Action.REDOUBLE)
RESCUE = int(Action.RESCUE)
KEEP = int(Action.KEEP)
TRADE = int(Action.TRADE)
DRAW = ACTIONS
"""What is done where no decision is due: the next card comes."""
OVER = ACTIONS + 1
"""The hand is over by its cards."""


@kernel
def draw_chances(
    shoe: Floats, up: int, hidden: npt.NDArray[np.bool_], step: float, chances: Floats
) -> None:
    """The chance of each symbol to come next, the up card being gone and the hole card down.

    Symbols in `hidden` cannot be the hole card, so they are all still to come.
    """
    cards = 0.0
    outside = 0.0
    for symbol in range(len(shoe)):
        left = max(shoe[symbol], 0.0)
        if symbol == up:
            left = max(left - step, 0.0)
        chances[symbol] = left
        cards += left
        if hidden[symbol]:
            outside += left
    rest = cards - step
    inside = cards - outside
    of_hidden = 1.0 / rest if rest > 0 and inside > 0 else 0.0
    of_others = of_hidden * (rest - outside) / inside if inside > 0 else 0.0
    for symbol in range(len(shoe)):
        chances[symbol] *= of_hidden if hidden[symbol] else of_others


SETTLED = 1
"""A hand's result no longer depends on the dealer."""
ON_NATURAL = 2
"""It depends only on whether the dealer has a natural, for which nothing is drawn."""


@kernel
def against(dealer: Floats, pay: Floats, settled: int, any_class: int, natural: int) -> float:
    """What a hand is worth against the dealer, who draws only where it matters."""
    if settled == SETTLED:
        return float(pay[any_class])
    if settled == ON_NATURAL:
        return float(dealer[natural] * pay[natural] + (1.0 - dealer[natural]) * pay[any_class])
    total = 0.0
    for c in range(len(dealer)):
        total += dealer[c] * pay[c]
    return total


@kernel
def backward(
    order: Shorts,
    state: Shorts,
    child: Shorts,
    keep: Shorts,
    trade: Shorts,
    lit: Shorts,
    light: npt.NDArray[np.int16],
    shoe_of: Ints,
    shoes: Floats,
    up: int,
    hidden: npt.NDArray[np.bool_],
    step: float,
    dealer: Floats,
    mask: Ints,
    player_class: Ints,
    bust: npt.NDArray[np.bool_],
    settled: npt.NDArray[np.int8],
    pay: Floats,
    surrendered: int,
    rescued: int,
    bust_class: int,
    any_class: int,
    natural: int,
    reward: Floats,
    split: Floats,
    scores: Floats,
    twin: Shorts,
    worth: Floats,
    value: Floats,
    choice: npt.NDArray[np.int8],
) -> None:
    """Fill `worth[doubles, node, action]`, `value[node, doubles]` and `choice[doubles, node]`.

    With scores, the choice is the legal action with the best score of the node's twin, otherwise
    the one that is worth most. An empty `worth` is not filled.
    """
    nodes, doubles = value.shape
    symbols = child.shape[1]
    chances = np.zeros(symbols)
    drawn = np.zeros(doubles)
    options = np.zeros(ACTIONS)
    follow = scores.shape[1] > 0
    recorded = worth.shape[1] > 0
    most = len(reward) - 1
    for rank in range(nodes - 1, -1, -1):
        node = order[rank]
        own = state[node]
        shoe = shoe_of[node]
        if bust[own]:
            for d in range(doubles):
                value[node, d] = against(
                    dealer[shoe], pay[d, bust_class], settled[bust_class], any_class, natural
                )
                choice[d, node] = OVER
                if recorded:
                    for action in range(ACTIONS):
                        worth[d, node, action] = NEVER
            continue
        for d in range(doubles):
            drawn[d] = 0.0
        ready = False
        for symbol in range(symbols):
            after = child[node, symbol]
            if after == -1:
                continue
            if not ready:
                draw_chances(shoes[shoe], up, hidden, step, chances)
                ready = True
            likely = chances[symbol]
            if likely == 0.0:
                continue
            gained = reward[min(lit[node], most)] if light[own, symbol] else 0.0
            for d in range(doubles):
                then = pay[d, bust_class, any_class] if after == -2 else value[after, d]
                drawn[d] += likely * (then + gained)
        for d in range(doubles):
            legal = mask[own, d]
            if legal == 0:
                value[node, d] = drawn[d]
                choice[d, node] = DRAW
                if recorded:
                    for action in range(ACTIONS):
                        worth[d, node, action] = NEVER
                continue
            for action in range(ACTIONS):
                options[action] = NEVER
            for action in (STAND, SURRENDER, RESCUE):
                if legal >> action & 1:
                    row = player_class[own]
                    if action == SURRENDER:
                        row = surrendered
                    elif action == RESCUE:
                        row = rescued
                    options[action] = against(
                        dealer[shoe], pay[d, row], settled[row], any_class, natural
                    )
            if legal >> HIT & 1:
                options[HIT] = drawn[d]
            if legal >> DOUBLE & 1:
                options[DOUBLE] = drawn[d + 1]
            if legal >> REDOUBLE & 1:
                options[REDOUBLE] = drawn[d + 1]
            if d == 0 and split[node] != NEVER:
                options[SPLIT] = split[node]
            if legal >> KEEP & 1:
                options[KEEP] = value[keep[node], d]
            if legal >> TRADE & 1 and trade[node] >= 0:
                options[TRADE] = reward[min(lit[node], most)] + value[trade[node], d]
            best = -1
            top = NEVER
            for action in range(ACTIONS):
                score = options[action]
                if score == NEVER:
                    continue
                if follow and twin[node] >= 0:
                    score = scores[d, twin[node], action]
                if best == -1 or score > top:
                    top = score
                    best = action
            choice[d, node] = best
            value[node, d] = options[best]
            if recorded:
                for action in range(ACTIONS):
                    worth[d, node, action] = options[action]


@kernel
def forward(
    order: Shorts,
    state: Shorts,
    child: Shorts,
    keep: Shorts,
    trade: Shorts,
    lit: Shorts,
    shoe_of: Ints,
    shoes: Floats,
    up: int,
    hidden: npt.NDArray[np.bool_],
    step: float,
    dealer: Floats,
    player_class: Ints,
    settled: npt.NDArray[np.int8],
    surrendered: int,
    rescued: int,
    bust_class: int,
    any_class: int,
    natural: int,
    choice: npt.NDArray[np.int8],
    reach: Floats,
    ends: Floats,
    lights: Floats,
) -> None:
    """Spread `reach[doubles, node]` along the choices; add up how hands end, but for splits.

    `ends[doubles, player's class, dealer's class]` gets the chances of final results, `lights[n]`
    that of hands with so many lights.
    """
    doubles, nodes = reach.shape
    symbols = child.shape[1]
    classes = ends.shape[2]
    chances = np.zeros(symbols)
    for rank in range(nodes):
        node = order[rank]
        own = state[node]
        shoe = shoe_of[node]
        ready = False
        for d in range(doubles):
            here = reach[d, node]
            if here == 0.0:
                continue
            action = choice[d, node]
            if action == SPLIT:
                continue
            if action == KEEP:
                reach[d, keep[node]] += here
            elif action == TRADE:
                reach[d, trade[node]] += here
            elif action in (HIT, DRAW, DOUBLE, REDOUBLE):
                if not ready:
                    draw_chances(shoes[shoe], up, hidden, step, chances)
                    ready = True
                to = d + 1 if action in (DOUBLE, REDOUBLE) else d
                for symbol in range(symbols):
                    after = child[node, symbol]
                    if after == -1:
                        continue
                    if after == -2:
                        ends[to, bust_class, any_class] += here * chances[symbol]
                        lights[min(lit[node], len(lights) - 1)] += here * chances[symbol]
                    else:
                        reach[to, after] += here * chances[symbol]
            else:
                final = player_class[own]
                if action == SURRENDER:
                    final = surrendered
                elif action == RESCUE:
                    final = rescued
                elif action == OVER:
                    final = bust_class
                if settled[final] == SETTLED:
                    ends[d, final, any_class] += here
                elif settled[final] == ON_NATURAL:
                    ends[d, final, natural] += here * dealer[shoe, natural]
                    ends[d, final, any_class] += here * (1.0 - dealer[shoe, natural])
                else:
                    for c in range(classes):
                        ends[d, final, c] += here * dealer[shoe, c]
                lights[min(lit[node], len(lights) - 1)] += here


@kernel
def before_check(
    order: Shorts,
    first: npt.NDArray[np.bool_],
    state: Shorts,
    child: Shorts,
    keep: Shorts,
    trade: Shorts,
    lit: Shorts,
    shoe_of: Ints,
    shoes: Floats,
    up: int,
    hidden: npt.NDArray[np.bool_],
    step: float,
    dealer: Floats,
    mask: Ints,
    final: Ints,
    settled: npt.NDArray[np.int8],
    pay: Floats,
    surrendered: int,
    natural: int,
    any_class: int,
    may_fold: npt.NDArray[np.bool_],
    trades: bool,
    reward: Floats,
    leaning: Floats,
    gain: Floats,
    value: Floats,
    early: Floats,
    chance_of_natural: Floats,
    choice: npt.NDArray[np.int8],
) -> None:
    """What hands are worth before the dealer's check, and what is decided there.

    Where bonus cards are decided before the check, keeping and trading is; early surrender always
    is. The choice is KEEP, TRADE, SURRENDER, DRAW (a replacement comes) or OVER (on to the check).
    `gain[node]` is what trading or surrender gains; with `leaning` by state, that decides instead.
    """
    symbols = child.shape[1]
    chances = np.zeros(symbols)
    nothing = np.zeros(symbols, dtype=np.bool_)
    follow = len(leaning) > 0
    for rank in range(len(order) - 1, -1, -1):
        node = order[rank]
        if not first[node]:
            continue
        own = state[node]
        shoe = shoe_of[node]
        legal = mask[own, 0]
        if trades and legal >> KEEP & 1:
            kept = early[keep[node]]
            traded = NEVER
            if legal >> TRADE & 1 and trade[node] >= 0:
                traded = early[trade[node]] + reward[min(lit[node], len(reward) - 1)]
            gain[node] = 0.0 if traded == NEVER else traded - kept
            trading = traded != NEVER and (leaning[own] if follow else gain[node]) > 0
            early[node] = traded if trading else kept
            choice[node] = TRADE if trading else KEEP
            continue
        if trades and legal == 0:
            draw_chances(shoes[shoe], up, nothing, step, chances)
            early[node] = 0.0
            choice[node] = DRAW
            for symbol in range(symbols):
                if child[node, symbol] >= 0:
                    early[node] += chances[symbol] * early[child[node, symbol]]
            continue
        found = 0.0
        cards = 0.0
        for symbol in range(symbols):
            left = max(shoes[shoe, symbol], 0.0)
            if symbol == up:
                left = max(left - step, 0.0)
            cards += left
            if hidden[symbol]:
                found += left
        found = found / cards if cards > 0 else 0.0
        chance_of_natural[node] = found
        choice[node] = OVER
        early[node] = (1.0 - found) * value[node, 0]
        if found > 0:
            early[node] += found * pay[0, final[own], natural]
        if may_fold[own]:
            folded = found * pay[0, surrendered, natural] if found > 0 else 0.0
            folded += (1.0 - found) * against(
                dealer[shoe], pay[0, surrendered], settled[surrendered], any_class, natural
            )
            gain[node] = folded - early[node]
            if (leaning[own] if follow else gain[node]) > 0:
                early[node] = folded
                choice[node] = SURRENDER
