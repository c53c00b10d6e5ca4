"""What a solved game is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.money import BASE as BASE
from upcard.money import INSURANCE as INSURANCE
from upcard.solve.graph import HandGraph
from upcard.solve.play import Hands
from upcard.solve.shoes_met import Met
from upcard.solve.split import Mode, Pairing, Resplits

Way = TypeVar("Way")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]
Choices = Mapping[int, tuple[Bytes, ...]]
"""What hands of a split do, by the policy and their role."""


@dataclass(frozen=True)
class Aim:
    """What the player plays for, in units of the base wager.

    `bet` in cents turns fixed amounts into units; `extra` are further wagers that ride on the first
    hand; `lights[n]` is what the next light is worth when the round has given n so far. Prizes
    of hands count `prizes` times.
    """

    bet: int
    extra: Mapping[str, float] = field(default_factory=dict)
    lights: tuple[float, ...] = (0.0,)
    prizes: float = 1.0


@dataclass(frozen=True)
class Ends:
    """How often a hand ends how: `hands[doubles, player's class, dealer's class]`, and its lights.

    Chances, or expected numbers of hands where several hands are added up.
    """

    hands: Floats
    lights: Floats


@dataclass(frozen=True)
class SolvedSplit:
    """A pair split against an up card, given an empty check.

    `further` are hands that the player stakes beside `others` that the house did, if there are any.
    """

    up: int
    node: int
    pair: int
    first: Ends
    others: Ends
    worth: float
    choices: Choices
    resplits: Resplits
    further: Ends | None = None

    @property
    def by_role(self) -> tuple[Ends, ...]:
        """How hands end, by their roles."""
        return (self.first, self.others, *([] if self.further is None else [self.further]))


@dataclass(frozen=True)
class UpCard:
    """Everything about one up card. Chances are given that it is up.

    `worth[doubles, node, action]` is what an action is worth after an empty check; `early[node]`
    what a hand of the first cards is worth before the check, and `early_choice` what is done then.
    `reach[doubles, node]` is how often a hand comes up after the check.
    `ends` counts rounds without a split, the dealer's naturals included.
    """

    up: int
    chance: float
    worth: Floats
    value: Floats
    choice: Bytes
    early: Floats
    early_choice: Bytes
    early_gain: Floats
    natural: Floats
    reach: Floats
    ends: Ends
    splits: Mapping[int, SolvedSplit]
    split_chance: Mapping[int, float]
    ev: float


@dataclass(frozen=True)
class Solution:
    """The play of a whole game, priced."""

    aim: Aim
    mode: Mode
    play: str
    ups: Mapping[int, UpCard]

    @property
    def ev(self) -> float:
        """The expected result of a round in base units, with everything that `aim` counts."""
        return sum(found.chance * found.ev for found in self.ups.values()) + 0.0


class Roles(NamedTuple):
    """What a hand's results pay, for the first hand of a box and for any other.

    `marker` is for hands that the house has staked; None where it stakes none. `further` is for
    hands of a split that the player stakes where the other ones are the house's.
    """

    first: Floats
    other: Floats
    marker: Floats | None = None
    further: Floats | None = None

    def of_split(self, plan: PairPlan) -> Roles:
        """What the hands of a split are paid: the new ones may have the house's markers."""
        if self.marker is None or not plan.free or self.further is not None:
            return self
        further = self.other if plan.free_times else None
        return self._replace(other=self.marker, further=further)

    @property
    def by_role(self) -> Floats:
        """`[role, doubles, player's class, dealer's class]`."""
        further = [] if self.further is None else [self.further]
        return np.stack([self.first, self.other, *further])


class Shoes(NamedTuple):
    """What the hands of a graph leave of a shoe.

    A hand's shoe is `cards` less those that its node has taken; among those that the dealer has
    `met` it has the number `dealer_of[node]`.
    """

    cards: Floats
    dealer_of: Ints
    met: Met


def hands_of(graph: HandGraph, shoes: Shoes) -> Hands:
    """A graph as kernels walk it."""
    return Hands(
        graph.order,
        graph.state,
        graph.taken,
        graph.child,
        graph.moved,
        graph.lit,
        shoes.dealer_of,
    )


@dataclass(frozen=True)
class PairPlan:
    """A pair that can be split: its cards, the graph of a split hand and the shoes it meets.

    A pair that came by trades is played, once split, like the same pair without trades (`like`,
    that one's node); after the last trades that play makes use of it is split only once, and after
    more of them not at all. `most_marked` bonus cards may then still come to make pairs of its
    hands. Such hands are rare: all this costs less than one in ten million.

    `again` are the nodes of the graph that are pairs again; `shoes` are those of the graph by pair
    cards and bonus cards that further pairs have taken, as far as they were asked for.
    `action` is what splits it; with `free` the house stakes the new hands, or those of the first
    `free_times` splits of a box if that is not 0.
    """

    node: int
    like: int
    pair: int
    taken: Ints
    graph: HandGraph
    twin: npt.NDArray[np.int32]
    contexts: tuple[int, ...]
    most_hands: Mapping[int, int]
    most_marked: int
    again: Ints
    shoes: dict[tuple[int, int], Shoes]
    action: Action
    free: bool
    free_times: int = 0

    def counted(self, ways: Mapping[Pairing, Way]) -> dict[Pairing, Way]:
        """Ways to further pairs that count: a pair that takes more bonus cards is not split."""
        return {pairing: way for pairing, way in ways.items() if pairing.marked <= self.most_marked}
