"""Working forwards through a graph of hands against one up card, and what happens before the check.

Forwards finds how often a hand ends as what. Like working backwards (`side_by_side`) it uses the
chances of the next card given that the check, if there is one, was empty. Neither knows an action
by its name: what it draws, raises, ends and leads to are rows of the game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.compile.effects import BY_CARDS, GOES_ON, NO_CLASS, Effects, Special
from upcard.compile.hands import NONE
from upcard.errors import UpcardError
from upcard.jit import kernel, lasting
from upcard.solve.graph import BUST_NODE
from upcard.text import listed

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]

ACTIONS = len(Action)
NEVER = -1e300
"""The value of an action that may not be taken."""
EQUAL = 1e-12
"""Values no further apart are equal, but for rounding."""

# Kernels take constants as plain numbers.
DRAW = int(Special.DRAW)
HAND_OVER = int(Special.OVER)

SETTLED = 1
"""A hand's result no longer depends on the dealer."""
ON_NATURAL = 2
"""It depends only on whether the dealer has a natural, for which nothing is drawn."""


class Rows(NamedTuple):
    """The effects of all actions, DRAW and HAND_OVER behind them; `used` are those of the game."""

    used: Ints
    draws: Bools
    raises: Bytes
    ends_as: Shorts
    splits: Bools
    lights: Bools


class Hands(NamedTuple):
    """A graph of hands: all of them, or those in `order`; and for each the dealer's chances."""

    order: Shorts
    state: Shorts
    taken: npt.NDArray[np.int16]
    child: Shorts
    moved: Shorts
    lit: Shorts
    dealer_of: Ints


class Facing(NamedTuple):
    """An up card, the shoe that hands are drawn from, and the dealer's chances.

    These are `dealer[dealer_of[node]]`. `hidden[symbol]` is none of the down cards that the check
    `looks` at;
    `settled[player's class]` is how far a result depends on the dealer, who ends as `any_class` if
    it does not.
    """

    up: int
    step: float
    hidden: Bools
    looks: int
    shoe: Floats
    dealer: Floats
    settled: Bytes
    any_class: int
    natural: int


class Sides(NamedTuple):
    """Shoes that hands are played from side by side, and each node's chances of the dealer.

    These are `dealer_of[side, node]`.
    """

    shoe: Floats
    dealer_of: Ints


class HandRules(NamedTuple):
    """What states of a hand may do, `mask[state, doubles]`, and what they are.

    `options[state, doubles]` are the same actions in their order, splits with them, then NONE;
    `drawing[state, doubles]` has a bit for every number of doubles with which a card may then come.
    """

    rows: Rows
    mask: Ints
    options: Bytes
    drawing: Ints
    player_class: Ints
    bust: Bools
    bust_class: int
    light: npt.NDArray[np.int16]


class Pays(NamedTuple):
    """What is played for: `pay[doubles, player's class, dealer's class]`, and the next light."""

    pay: Floats
    reward: Floats


class Before(NamedTuple):
    """What is decided before the check, and by which hands.

    `exchanges`: bonus cards are; `ending[state]` is the mask of actions that end the hand there and
    then, and `ends_as[action]` the class as which; `final[state]` the class if the check ends it.
    `ruled_out[symbol]`: what is shown says that the down card is none of these. `leaning[state]`,
    if any, decides.
    """

    first: Bools
    exchanges: bool
    ending: Ints
    ends_as: Shorts
    final: Ints
    ruled_out: Bools
    leaning: Floats


class SolvedHands(NamedTuple):
    """What backward play finds: `worth[doubles, node, action]`, and the values and choices.

    These are `value[node, doubles]` and `choice[doubles, node]`. `worth` may have fewer nodes. For
    several shoes there is one more axis, the last of `value` and the first of the others.
    """

    worth: Floats
    value: Floats
    choice: Bytes


class EarlyValues(NamedTuple):
    """What is found before the check, by node: values, choices, their gain, a natural's chance."""

    value: Floats
    choice: Bytes
    gain: Floats
    natural: Floats


def effect_rows(effects: Effects, used: tuple[Action, ...], owed: Bools) -> Rows:
    """The rows as kernels walk them; refuses what they could not follow.

    An action that leads to other cards before a card comes is two steps to them: it leads on
    without a card, to states in which one is `owed` and comes by itself.
    """
    same = np.arange(effects.leads.shape[1])
    elsewhere = np.array([bool(effects.leading & action.bit) for action in Action])
    odd = [
        action.text
        for action in used
        if effects.draws[action] > 1
        or effects.ends_as[action] == NO_CLASS
        or (
            effects.draws[action]
            and not (
                (effects.leads[action] == NONE) | owed[effects.leads[action]]
                if elsewhere[action]
                else effects.leads[action] == same
            ).all()
        )
    ]
    if odd:
        raise UpcardError(
            "odds are worked out for actions that bring at most one card, to the hand as it is or "
            "to one that waits for it, or end it in a class of the game; "
            f"{listed(odd, 'and')} does not"
        )
    card, nothing = np.array([1, 0]), np.array([0, 0])
    return Rows(
        used=np.array(used, dtype=np.int64),
        draws=np.append(np.where(elsewhere, 0, effects.draws), card).astype(np.bool_),
        raises=np.append(effects.raises, nothing).astype(np.int8),
        ends_as=np.append(effects.ends_as, [GOES_ON, BY_CARDS]).astype(np.int32),
        splits=np.append(effects.splits, nothing).astype(np.bool_),
        lights=np.append(effects.lights, nothing).astype(np.bool_),
    )


@lasting
def draw_chances(
    shoe: Floats,
    taken: npt.NDArray[np.int16],
    up: int,
    hidden: Bools,
    looks: int,
    step: float,
    chances: Floats,
) -> None:
    """The chance of each symbol to come next, the up card being gone and so many cards looked at.

    `taken` are the cards that a hand has from the shoe. Symbols in `hidden` are none of the down
    cards that the check `looks` at, so they are all still to come.
    """
    cards = 0.0
    outside = 0.0
    for symbol in range(len(shoe)):
        left = max(shoe[symbol] - taken[symbol], 0.0)
        if symbol == up:
            left = max(left - step, 0.0)
        chances[symbol] = left
        cards += left
        if hidden[symbol]:
            outside += left
    rest = cards - looks * step
    inside = cards - outside
    of_hidden = 1.0 / rest if rest > 0 and inside > 0 else 0.0
    of_others = of_hidden * max(rest - outside, 0.0) / inside if inside > 0 else 0.0
    for symbol in range(len(shoe)):
        chances[symbol] *= of_hidden if hidden[symbol] else of_others


@lasting
def natural_chance(naturals: float, cards: float, looks: int, step: float) -> float:
    """The chance that one of the down cards looked at is among so many of all cards to come."""
    found = 0.0
    none = 1.0
    for gone in range(looks):
        rest = cards - gone * step
        here = min(naturals / rest, 1.0) if rest > 0 else 0.0
        found += none * here
        none *= 1.0 - here
    return found


@lasting
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
def mark_doubled(
    order: Shorts, child: Shorts, moved: Shorts, state: Shorts, rules: HandRules, found: Ints
) -> None:
    """From numbers of doubles `found` on, a bit for each, all that hands may have later.

    Every hand may come without doubles: that is not looked for.
    """
    rows = rules.rows
    for node in order:
        own = state[node]
        found[node] |= 1
        for d in range(rules.mask.shape[1]):
            if found[node] >> d & 1 == 0:
                continue
            coming = rules.drawing[own, d]
            if coming > 1:
                for symbol in range(child.shape[1]):
                    if child[node, symbol] >= 0:
                        found[child[node, symbol]] |= coming
            for action in rules.options[own, d]:
                if action == NONE:
                    break
                if rows.ends_as[action] == GOES_ON and not rows.draws[action]:
                    after = moved[action, node]
                    if after >= 0:
                        found[after] |= 1 << (d + rows.raises[action])


@lasting
def forward(
    hands: Hands,
    facing: Facing,
    rules: HandRules,
    choice: Bytes,
    reach: Floats,
    passed: Shorts,
    chances: Floats,
    ends: Floats,
    lights: Floats,
) -> None:
    """Spread `reach[part, doubles, node]` along the choices; add up how hands end, but for splits.

    Hands that are not in `order` are not reached; `chances` is room for those of the next card.
    `ends[part, doubles, player's class, dealer's class]` gets the chances of final results,
    `lights[part, n]` that of hands with so many lights. Hands of the first part that come to a node
    of `passed`, not doubled, are of the second part from there on.
    """
    order, state, taken, child, moved, lit_of, dealer_of = hands
    up, step, hidden, looks, shoe, dealers, settled, any_class, natural = facing
    rows, _, _, _, player_class, _, bust, _ = rules
    _, draws, raises, ends_as, splits, _ = rows
    parts, doubles, _ = reach.shape
    symbols = child.shape[1]
    for node in order:
        lit = min(lit_of[node], lights.shape[1] - 1)
        ready = False
        for other in passed:
            if other == node:
                reach[1, 0, node] += reach[0, 0, node]
                reach[0, 0, node] = 0.0
        for d in range(doubles):
            action = choice[d, node]
            if splits[action]:
                continue
            to = d + raises[action]
            final = ends_as[action]
            if final == BY_CARDS:
                final = player_class[state[node]]
            for part in range(parts):
                here = reach[part, d, node]
                if here == 0.0:
                    continue
                if draws[action]:
                    if not ready:
                        draw_chances(shoe, taken[node], up, hidden, looks, step, chances)
                        ready = True
                    for symbol in range(symbols):
                        after = child[node, symbol]
                        if after == NONE:
                            continue
                        if after == BUST_NODE:
                            ends[part, to, bust, any_class] += here * chances[symbol]
                            lights[part, lit] += here * chances[symbol]
                        else:
                            reach[part, to, after] += here * chances[symbol]
                elif final == GOES_ON:
                    reach[part, to, moved[action, node]] += here
                else:
                    if settled[final] == SETTLED:
                        ends[part, d, final, any_class] += here
                    elif settled[final] == ON_NATURAL:
                        likely = dealers[dealer_of[node], natural]
                        ends[part, d, final, natural] += here * likely
                        ends[part, d, final, any_class] += here * (1.0 - likely)
                    else:
                        dealer = dealer_of[node]
                        for c in range(ends.shape[3]):
                            ends[part, d, final, c] += here * dealers[dealer, c]
                    lights[part, lit] += here


class Ways(NamedTuple):
    """Choices that hands may follow: `choice[way, doubles, node]`, and the nodes that they come to,
    those of a way from `first[way]` on.
    """

    choice: Bytes
    order: Shorts
    first: Ints


class Runs(NamedTuple):
    """Hands that are played forward from a graph's root, one after the other.

    Each by a way, with a shoe, passing the nodes of its role; `ends` are where its results go.
    """

    way: Ints
    shoe: Ints
    role: Ints
    ends: Ints


class Passed(NamedTuple):
    """Nodes at which hands come to the second part: those of a role from `first[role]` on."""

    nodes: Shorts
    first: Ints


@lasting
def each_forward(
    hands: Hands,
    facing: Facing,
    sides: Sides,
    rules: HandRules,
    ways: Ways,
    runs: Runs,
    passed: Passed,
    reach: Floats,
    chances: Floats,
    ends: Floats,
    lights: Floats,
) -> None:
    """Play some hands from the root on, as `forward` does; `reach` is room for that."""
    _, state, taken, child, moved, lit, _ = hands
    up, step, hidden, looks, _, dealers, settled, any_class, natural = facing
    for run in range(len(runs.way)):
        way, side, role = runs.way[run], runs.shoe[run], runs.role[run]
        order = ways.order[ways.first[way] : ways.first[way + 1]]
        for node in order:
            for part in range(reach.shape[0]):
                for d in range(reach.shape[1]):
                    reach[part, d, node] = 0.0
        reach[0, 0, 0] = 1.0
        forward(
            Hands(order, state, taken, child, moved, lit, sides.dealer_of[side]),
            Facing(
                up,
                step,
                hidden,
                looks,
                sides.shoe[side],
                dealers,
                settled,
                any_class,
                natural,
            ),
            rules,
            ways.choice[way],
            reach,
            passed.nodes[passed.first[role] : passed.first[role + 1]],
            chances,
            ends[runs.ends[run]],
            lights[runs.ends[run]],
        )


@lasting
def reached(
    order: Shorts,
    child: Shorts,
    moved: Shorts,
    rows: Rows,
    choice: Bytes,
    seen: Ints,
    found: Shorts,
    compared: Bools,
) -> int:
    """The nodes that choices lead to from those `seen`, a bit for each number of doubles.

    They are `found` in order; gives their number. Those in `compared` end there.
    """
    _, draws, raises, ends_as, splits, _ = rows
    count = 0
    for node in order:
        if seen[node] == 0:
            continue
        found[count] = node
        count += 1
        for d in range(len(choice)):
            if seen[node] >> d & 1 == 0:
                continue
            action = choice[d, node]
            if splits[action]:
                continue
            bit = 1 << (d + raises[action])
            if draws[action]:
                for symbol in range(child.shape[1]):
                    after = child[node, symbol]
                    if after >= 0:
                        seen[after] |= bit
            elif ends_as[action] == GOES_ON:
                seen[moved[action, node]] |= bit
            else:
                compared[node] = True
    return count


@kernel
def ended_early(final: int, dealer: Floats, facing: Facing, pay: Floats, natural: float) -> float:
    """What a hand is worth that ends as a class before a check with this chance of a natural.

    `dealer` are the chances after the check; `pay` is that of a hand that was not doubled.
    """
    worth = (1.0 - natural) * against(
        dealer,
        pay[final],
        facing.settled[final],
        facing.any_class,
        facing.natural,
    )
    return worth + natural * pay[final, facing.natural] if natural > 0 else worth


@kernel
def before_check(
    hands: Hands,
    facing: Facing,
    rules: HandRules,
    pays: Pays,
    before: Before,
    value: Floats,
    found: EarlyValues,
) -> None:
    """What hands are worth before the dealer's check, and what is decided there.

    Where bonus cards are decided before the check, the moves that they have are; so are actions
    that end the hand, always. The choice is one of these, DRAW (a replacement comes) or HAND_OVER
    (on to the check). The gain is that of the best of them over the first move, or over going on.
    """
    rows, pay = rules.rows, pays.pay
    symbols = hands.child.shape[1]
    chances = np.zeros(symbols)
    ruled_out = before.ruled_out
    follow = len(before.leaning) > 0
    for rank in range(len(hands.order) - 1, -1, -1):
        node = hands.order[rank]
        if not before.first[node]:
            continue
        own = hands.state[node]
        taken = hands.taken[node]
        legal = rules.mask[own, 0]
        usual = NONE
        other = NONE
        most = NEVER
        if before.exchanges:
            for action in range(ACTIONS):
                after = hands.moved[action, node]
                if legal >> action & 1 and after != NONE:
                    then = found.value[after]
                    if rows.lights[action]:
                        then += pays.reward[min(hands.lit[node], len(pays.reward) - 1)]
                    if usual == NONE:
                        usual = action
                        found.value[node] = then
                    elif other == NONE or then > most:
                        other = action
                        most = then
            if usual == NONE and legal == 0:
                draw_chances(facing.shoe, taken, facing.up, ruled_out, 1, facing.step, chances)
                found.value[node] = 0.0
                found.choice[node] = DRAW
                for symbol in range(symbols):
                    after = hands.child[node, symbol]
                    if after >= 0:
                        found.value[node] += chances[symbol] * found.value[after]
                continue
        if usual == NONE:
            usual = HAND_OVER
            cards = 0.0
            naturals = 0.0
            for symbol in range(symbols):
                left = max(facing.shoe[symbol] - taken[symbol], 0.0)
                if symbol == facing.up:
                    left = max(left - facing.step, 0.0)
                if ruled_out[symbol]:
                    continue
                cards += left
                if facing.hidden[symbol]:
                    naturals += left
            natural = natural_chance(naturals, cards, facing.looks, facing.step)
            found.natural[node] = natural
            found.value[node] = (1.0 - natural) * value[node, 0]
            if natural > 0:
                found.value[node] += natural * pay[0, before.final[own], facing.natural]
            for action in range(ACTIONS):
                if before.ending[own] >> action & 1:
                    dealer = facing.dealer[hands.dealer_of[node]]
                    then = ended_early(before.ends_as[action], dealer, facing, pay[0], natural)
                    if other == NONE or then > most:
                        other = action
                        most = then
        found.choice[node] = usual
        if other != NONE:
            found.gain[node] = most - found.value[node]
            if (before.leaning[own] if follow else found.gain[node]) > 0:
                found.value[node] = most
                found.choice[node] = other
