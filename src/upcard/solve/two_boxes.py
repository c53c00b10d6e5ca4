"""Two boxes of one player whose second cards may be exchanged: solved together.

After the exchange the boxes are played one after the other. What one of them draws matters to the
other only as cards that are gone, and cards that nobody looks at are exchangeable: so a box is
worth what it is worth alone with the first two cards of the other out of the shoe. That is exact
for play that looks at the own hand, at the first two cards of the other box and at the up card.
Whoever also looks at what the first box has drawn meanwhile could gain a little more.

Every box is therefore solved once for every two cards that the other may hold. The exchange is the
better of two sums, for every deal of both boxes and the up card.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from upcard.compile.context import Action, Phase
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay, price_play, solve_basic
from upcard.solve.graph import HandGraph
from upcard.solve.play import EQUAL
from upcard.solve.result import Progress, silent
from upcard.solve.round_figures import split_stake, staked, stakes_by_level
from upcard.solve.solution import BASE, INSURANCE, Aim, Bools, Floats, Ints, Solution
from upcard.solve.split import Mode

BOXES = 2
MOST_SYMBOLS = 13
"""Cards that may be told apart: deals of five of them are laid out in one array."""
ONE_BOX = (
    "play looks at the own hand, the first two cards of the other box and the up card, not at "
    "what the other box draws"
)
"""What exact values assume of the player."""


def check_two_boxes(tables: GameTables) -> None:
    """Refuse what is not worked out for boxes that exchange cards."""
    riding = [wager for wager in tables.payoffs if wager not in (BASE, INSURANCE)]
    if riding:
        raise UpcardError(
            f"{riding[0]} rides on a hand: such wagers are not worked out for boxes that exchange "
            "cards"
        )
    if len(tables.alphabet) > MOST_SYMBOLS or tables.dealer.looks != 1:
        raise UpcardError(f"the exchange of {tables.name} is not worked out with such cards")


def check_one_box(tables: GameTables, what: str) -> None:
    """Refuse to price something box by box where boxes exchange cards."""
    if tables.round_plan.exchanges:
        raise UpcardError(
            f"{what} is not worked out for {tables.name}, whose boxes exchange cards: "
            "`upcard odds` prices both together"
        )


NEVER_EXCHANGED: Bools = np.zeros((), dtype=np.bool_)
"""What somebody exchanges who leaves all cards as they are."""


@dataclass(frozen=True)
class BoxValues:
    """What one box is worth under some play, by `[up, own two cards, the other box's two]`.

    Pairs of cards are numbered, see `TwoBoxes.number`. `kept` is given an empty check for cards as
    they were dealt, `exchanged` for cards that an exchange has brought together. `natural` is the
    chance that the check finds a natural, and `ended` what the hand then wins.
    """

    kept: Floats
    exchanged: Floats
    natural: Floats
    ended: Floats


@dataclass(frozen=True)
class JointPlay:
    """Both boxes together: what is exchanged and what it is worth, in wagers of one box.

    All arrays are `[up, first box's two cards, second box's two cards]`, the cards in their order:
    `chance` of a deal; `stay` and `switch` what both boxes are worth given an empty check,
    `switches` where the cards are exchanged, `natural` the chance of a dealer's natural and `ended`
    what both boxes win then.
    """

    chance: Floats
    stay: Floats
    switch: Floats
    switches: Bools
    natural: Floats
    ended: Floats

    @property
    def worth(self) -> Floats:
        """What both boxes are worth, the check included."""
        played = np.where(self.switches, self.switch, self.stay)
        return np.asarray(self.natural * self.ended + (1 - self.natural) * played)

    @cached_property
    def ev(self) -> float:
        """The expected result of a round for one of the two wagers."""
        return float((self.chance * self.worth).sum()) / BOXES

    @cached_property
    def by_up(self) -> dict[int, float]:
        """The expected result for one of the two wagers, by up card."""
        found = {}
        for up, chance in enumerate(self.chance):
            if chance.sum() > 0:
                found[up] = float((chance * self.worth[up]).sum() / chance.sum()) / BOXES
        return found

    @cached_property
    def switch_chance(self) -> float:
        """How often cards are exchanged."""
        return float((self.chance * (1 - self.natural) * self.switches).sum())


@dataclass(frozen=True)
class OneBox:
    """The play of a box when the other holds the two cards `gone`; what single actions are worth is
    not kept, nor the shoes that the dealer meets.
    """

    gone: tuple[int, int]
    solution: Solution


Boxes = tuple[OneBox | None, ...]
"""A box for every two cards of the other, None where the shoe has none such."""


class TwoBoxes:
    """A game of two boxes on a shoe, ready to be solved.

    >>> from upcard import tables_for
    >>> game = TwoBoxes(tables_for("blackjack-switch"), aim=Aim(bet=500))
    >>> len(game.pairs), game.pairs[int(game.number[4, 2])]
    (55, (2, 4))
    """

    def __init__(
        self,
        tables: GameTables,
        *,
        aim: Aim,
        mode: Mode = "CDP",
        endless: bool = False,
        counts: Sequence[int] | None = None,
        progress: Progress = silent,
    ) -> None:
        check_two_boxes(tables)
        self.tables = tables
        self.aim = aim
        self.mode = mode
        self.endless = endless
        self.progress = progress
        full = tables.alphabet.counts if counts is None else counts
        self.counts = np.array(full, dtype=np.int64)
        symbols = len(self.counts)
        self.pairs = [(one, two) for one in range(symbols) for two in range(one, symbols)]
        self.number = np.zeros((symbols, symbols), dtype=np.int64)
        """The number of two cards, in any order."""
        for place, (one, two) in enumerate(self.pairs):
            self.number[one, two] = self.number[two, one] = place

    # ------------------------------------------------------------------ single boxes

    @cached_property
    def alone(self) -> BaseGame:
        """One box of a full shoe, by which basic play is found."""
        return BaseGame(self.tables, counts=self.counts.tolist(), endless=self.endless)

    @cached_property
    def basic(self) -> BasicPlay:
        """The basic play of a box that knows of no other."""
        best = self.alone.solve(self.aim, mode=self.mode)
        return solve_basic(self.alone, best)[1]

    @cached_property
    def best_boxes(self) -> Boxes:
        """The best play of a box for every two cards of the other."""
        if "_both" in vars(self):
            return self._both[0]
        return self._each(lambda game, _: (game.solve(self.aim, mode=self.mode),), "boxes")[0]

    @cached_property
    def basic_boxes(self) -> Boxes:
        """Basic play of a box for every two cards of the other."""
        return self._both[1]

    @cached_property
    def _both(self) -> tuple[Boxes, ...]:
        """The best play and basic play, which share their hands and shoes."""
        play = self.basic

        def solve(game: BaseGame, _: tuple[int, int]) -> tuple[Solution, ...]:
            best = game.solve(self.aim, mode=self.mode)
            return best, price_play(game, best, play)

        return self._each(solve, "boxes")

    def given(self, play: BasicPlay) -> Boxes:
        """A given play of states for every two cards of the other box."""

        def follow(game: BaseGame, _: tuple[int, int]) -> tuple[Solution, ...]:
            return (price_play(game, game.solve(self.aim, mode=self.mode), play),)

        return self._each(follow, "play")[0]

    def changed(self, boxes: Boxes, play: BasicPlay, ups: Collection[int]) -> Boxes:
        """Boxes that are played by another play against some up cards, else as they were."""
        known = {box.gone: box.solution.ups for box in boxes if box is not None}

        def follow(game: BaseGame, gone: tuple[int, int]) -> tuple[Solution, ...]:
            own = {up: found for up, found in known[gone].items() if up not in ups}
            fresh = [up for up in known[gone] if up in ups]
            best = {up: game.solve_up(up, self.aim, self.mode) for up in fresh}
            optimal = Solution(self.aim, self.mode, "optimal", best)
            return (price_play(game, optimal, play, own),)

        return self._each(follow, "play")[0]

    def game_of(self, gone: tuple[int, int]) -> BaseGame:
        """A box with two cards gone."""
        if self.endless:
            return self.alone
        return BaseGame(self.tables, counts=self.counts.tolist(), removed=gone)

    def _each(
        self, work: Callable[[BaseGame, tuple[int, int]], tuple[Solution, ...]], part: str
    ) -> tuple[Boxes, ...]:
        """Some solutions for every two cards of the other box, on all cores."""

        def solve(gone: tuple[int, int]) -> tuple[OneBox, ...] | None:
            taken = np.bincount(gone, minlength=len(self.counts))
            if not self.endless and (self.counts - taken).min() < 0:
                return None
            return tuple(OneBox(gone, _slim(found)) for found in work(self.game_of(gone), gone))

        found: list[tuple[OneBox, ...] | None] = []
        self.progress(part, 0.0)
        if self.endless:  # no card is ever gone
            found = [solve(self.pairs[0])] * len(self.pairs)
        else:
            with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
                for one in pool.map(solve, self.pairs):
                    found.append(one)
                    self.progress(part, len(found) / len(self.pairs))
        plays = max(len(one) for one in found if one is not None)
        return tuple(
            tuple(one[number] if one is not None else None for one in found)
            for number in range(plays)
        )

    def values(self, boxes: Boxes) -> BoxValues:
        """What single boxes are worth, by up card and the cards of both."""
        symbols, pairs = len(self.counts), len(self.pairs)
        kept, exchanged, natural = (np.zeros((symbols, pairs, pairs)) for _ in range(3))
        ended = np.zeros(pairs)
        hands, pay = self.tables.hands, self.alone.pay(self.aim).first[0]
        for own, (one, two) in enumerate(self.pairs):
            final = self.alone.settled_class[hands.after(one, two)]
            ended[own] = pay[final, self.alone.dealer.natural_class]
        for others, box in enumerate(boxes):
            if box is not None:
                nodes = self.nodes(box.gone)
                for up, found in box.solution.ups.items():
                    for own, (node, moved) in nodes.items():
                        kept[up, own, others] = found.value[node, 0]
                        exchanged[up, own, others] = found.value[moved, 0]
                        natural[up, own, others] = found.natural[node]
        return BoxValues(kept, exchanged, natural, ended)

    def nodes(self, gone: tuple[int, int]) -> dict[int, tuple[int, int]]:
        """By the number of two cards, their node, and that of them brought together by an exchange;
        in the graph of a box that has some cards gone.
        """
        graph = (self.alone if self.is_like_alone(gone) else self.game_of(gone)).graph
        found: dict[int, tuple[int, int]] = {}
        for own, (one, two) in enumerate(self.pairs):
            first = int(graph.child[0, one])
            node = int(graph.child[first, two]) if first >= 0 else NONE
            if node >= 0:
                found[own] = node, self.moved(graph, node)
        return found

    def moved(self, graph: HandGraph, node: int) -> int:
        """The node of the same two cards, if an exchange has brought them together."""
        found = (int(graph.moved[action, node]) for action in self._exchange)
        return next((after for after in found if after != NONE), node)

    def is_like_alone(self, gone: tuple[int, int]) -> bool:
        """Whether a box has the very hands of one from a full shoe when some cards are gone."""
        if self.endless:
            return True
        most, left = self.alone.known.moves.most, self.counts.copy()
        for symbol in gone:
            left[symbol] -= 1
        return bool((np.minimum(left, most) == np.minimum(self.counts, most)).all())

    @cached_property
    def _exchange(self) -> tuple[Action, ...]:
        """The actions by which boxes exchange cards."""
        return self.tables.round_plan.step(Phase.EXCHANGE).offers

    # ------------------------------------------------------------------ both boxes

    @cached_property
    def chance(self) -> Floats:
        """The chance of every deal: `[up, first box's two cards, second box's two]`."""
        symbols = len(self.counts)
        cards = np.indices((symbols,) * 5)
        step = 0 if self.endless else 1
        chance = np.ones((symbols,) * 5)
        for place in range(5):
            gone = sum((cards[place] == cards[before]).astype(np.int64) for before in range(place))
            left = self.counts[cards[place]] - step * np.asarray(gone)
            chance *= np.maximum(left, 0) / (self.counts.sum() - step * place)
        return chance

    def together(self, values: BoxValues, exchanging: Bools | None = None) -> JointPlay:
        """Both boxes, exchanging wherever that gains; or as `exchanging` says, by `[up]` and
        the cards of both boxes.
        """
        number = self.number

        def boxes(worth: Floats, one: Ints, other: Ints) -> Floats:
            return np.asarray(worth[:, one, other] + worth[:, other, one])

        a, b, c, d = np.indices((len(number),) * 4)
        first, second = number[a, b], number[c, d]
        stay = boxes(values.kept, first, second)
        switch = boxes(values.exchanged, number[a, d], number[c, b])
        switches = switch > stay + EQUAL if exchanging is None else exchanging
        shape = stay.shape
        return JointPlay(
            chance=self.chance,
            stay=stay,
            switch=switch,
            switches=np.broadcast_to(switches, shape),
            natural=np.asarray(values.natural[:, first, second]),
            ended=np.broadcast_to(values.ended[first] + values.ended[second], shape),
        )

    @cached_property
    def optimal(self) -> JointPlay:
        """The best exchange with the best play of both boxes."""
        return self.together(self.values(self.best_boxes))

    @cached_property
    def with_basic(self) -> JointPlay:
        """The best exchange with basic play of both boxes."""
        return self.together(self.values(self.basic_boxes))

    def reached(self, play: JointPlay) -> tuple[Floats, Floats, Floats]:
        """How often a box is played with which cards: as dealt, exchanged, and ended by the check.

        Each is `[up, own two cards, the other box's two]`, for one box of the two.
        """
        number, symbols, pairs = self.number, len(self.counts), len(self.pairs)
        a, b, c, d = np.indices((symbols,) * 4)
        first, second = number[a, b], number[c, d]
        after = number[a, d], number[c, b]
        found = [np.zeros((symbols, pairs, pairs)) for _ in range(3)]
        open_ = play.chance * (1 - play.natural)
        for up in range(symbols):
            for place, weight, (one, other) in (
                (0, open_[up] * ~play.switches[up], (first, second)),
                (1, open_[up] * play.switches[up], after),
                (2, play.chance[up] * play.natural[up], (first, second)),
            ):
                for own, others in ((one, other), (other, one)):
                    np.add.at(found[place][up], (own, others), weight / BOXES)
        return found[0], found[1], found[2]

    def ends(self, boxes: Boxes, play: JointPlay) -> BoxEnds:
        """How often the first hand of a box ends as what."""
        kept, exchanged, checked = self.reached(play)

        stakes = stakes_by_level(self.tables)

        def of_box(others: int) -> tuple[Floats, float, float] | None:
            box = boxes[others]
            if box is None:
                return None
            game = self.game_of(box.gone)
            total, split = np.zeros_like(game.no_ends(1, len(game.contexts)).hands[0]), 0.0
            more = 0.0
            nodes = self.nodes(box.gone)
            for up, found in box.solution.ups.items():
                reach = np.zeros((len(game.contexts), len(game.graph)))
                for own, (node, moved) in nodes.items():
                    reach[0, node] += kept[up, own, others]
                    reach[0, moved] += exchanged[up, own, others]
                    final = game.settled_class[game.graph.state[node]]
                    total[0, final, game.dealer.natural_class] += checked[up, own, others]
                total += game.forward(game.graph, game.shoes, up, found.choice, reach).hands
                for node, solved in found.splits.items():
                    if game.rows.splits[found.choice[0, node]]:
                        total += reach[0, node] * solved.first.hands
                        split += float(reach[0, node])
                        own_stake = staked(solved.first, stakes)
                        both = split_stake(game, solved, stakes)
                        more += float(reach[0, node]) * (both - own_stake)
            return total, split, more

        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            parts = [part for part in pool.map(of_box, range(len(boxes))) if part is not None]
        hands = np.sum([part[0] for part in parts], axis=0)
        first = float(hands.sum(axis=(1, 2)) @ stakes[: len(hands)])
        stake = first + sum(part[2] for part in parts)
        return BoxEnds(hands, sum(part[1] for part in parts), stake)


@dataclass(frozen=True)
class BoxEnds:
    """How the first hand of a box ends: `hands[doubles, class, dealer's class]`, how often a box is
    split, and what is staked on all hands of it on average.
    """

    hands: Floats
    split_chance: float
    stake: float


def _slim(solution: Solution) -> Solution:
    """A solution without what single actions are worth."""
    nothing = np.empty((0, 0, 0))
    slim = {up: replace(found, worth=nothing) for up, found in solution.ups.items()}
    return replace(solution, ups=slim)
