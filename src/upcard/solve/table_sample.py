"""Random rounds of a whole table: the arrays they need, from solutions, and what they tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from upcard.compile.chips import class_cents, match_cents
from upcard.compile.observers import MatchObserver
from upcard.compile.tables import GameTables
from upcard.solve.base import BaseGame
from upcard.solve.parts import BASE, INSURANCE, Solution
from upcard.solve.play import SURRENDER
from upcard.solve.result import Progress, silent
from upcard.solve.rounds import SEED
from upcard.solve.table_rounds import (
    BASE_KIND,
    CLASS_KIND,
    MATCH_KIND,
    MOMENTS,
    DealerPlay,
    Floats,
    Ints,
    Limit,
    Play,
    Round,
    Shoe,
    Special,
    Stakes,
    Sums,
    play_rounds,
)

ROUNDS = 1_000_000
_CHUNK = 50_000
_CARDS = 2


@dataclass(frozen=True)
class Spread:
    """The mean and the standard deviation of random results, each with its standard error."""

    mean: float
    mean_error: float
    sd: float
    sd_error: float


@dataclass(frozen=True)
class TableSample:
    """What random rounds tell of a bank's results, in cents.

    `wagers[seat][wager]` has mean and standard error alone; `seats[n]` is for the first n + 1 seats
    together; `limited` for a limited bank, `cut` what the limit changes and its standard error,
    `cut_share` in how many of the rounds it does.
    """

    rounds: int
    wagers: tuple[Mapping[str, tuple[float, float]], ...]
    seats: tuple[Spread, ...]
    limited: Spread
    cut: tuple[float, float]
    cut_share: float


def wager_order(tables: GameTables) -> tuple[str, ...]:
    """The wagers of a box in the order in which they are settled."""
    known = dict.fromkeys((*tables.money.order, *tables.payoffs, *tables.observers))
    return tuple(wager for wager in known if wager != INSURANCE)


class TableRounds:
    """A table with its wagers, ready to be played.

    `plays` are the solutions that seats follow, `follows[seat]` the number of each seat's.
    """

    def __init__(
        self,
        game: BaseGame,
        seats: Sequence[Mapping[str, int]],
        plays: Sequence[Solution],
        follows: Sequence[int],
    ) -> None:
        self.game = game
        self.tables = game.tables
        self.order = wager_order(game.tables)
        self.size = len(seats)
        self.play = _play(game, plays)
        self.dealer = _dealer(game)
        self.stakes = self._stakes(seats, follows)

    def _stakes(self, seats: Sequence[Mapping[str, int]], follows: Sequence[int]) -> Stakes:
        tables = self.tables
        columns = len(self.order)
        classes = (len(tables.player_classes), len(tables.dealer.classes))
        by_class = np.zeros((self.size, columns, *classes), dtype=np.int64)
        by_match = np.zeros((self.size, columns, _CARDS + 1, _CARDS + 1), dtype=np.int64)
        placed = np.zeros((self.size, columns), dtype=np.bool_)
        kind = np.zeros(columns, dtype=np.int64)
        seen = np.zeros(columns, dtype=np.int64)
        for column, wager in enumerate(self.order):
            observer = tables.observers.get(wager)
            kind[column] = BASE_KIND if wager == BASE else CLASS_KIND
            if isinstance(observer, MatchObserver):
                kind[column], seen[column] = MATCH_KIND, observer.window.dealer
            for seat, wagers in enumerate(seats):
                amount = wagers.get(wager, 0)
                placed[seat, column] = amount > 0
                if isinstance(observer, MatchObserver):
                    by_match[seat, column] = match_cents(tables, observer, amount)
                elif wager != BASE and wager in tables.payoffs:
                    by_class[seat, column] = class_cents(tables, wager, amount)
        return Stakes(
            play=np.array(follows, dtype=np.int64),
            placed=placed,
            kind=kind,
            base=np.array([self.game.cents(wagers[BASE]) for wagers in seats]),
            flat=np.array(tables.payoffs[BASE].flat, dtype=np.int64) != 0,
            flat_once=tables.money.flat_per == "player",
            by_class=by_class,
            by_match=by_match,
            match_cards=seen,
        )

    def limit(self, amount: int | None) -> Limit:
        """What the rules make of the money that a bank puts up."""
        tables = self.tables
        natural = tables.class_index.get("natural", -1)
        early = tables.money.natural_paid == "at-once" and natural >= 0 and amount is not None
        ups = range(len(tables.alphabet))
        return Limit(
            amount=-1 if amount is None else amount,
            each_way=tables.money.cover_measure == "each-way",
            at_once=np.array([early and tables.is_settled(BASE, natural, up) for up in ups]),
            natural=natural,
        )

    def shoe(self, deck: Sequence[int], *, shuffles: bool) -> Shoe:
        return Shoe(
            deck=np.array(deck, dtype=np.int64),
            dealt=np.zeros(1, dtype=np.int64),
            seed=np.array([SEED], dtype=np.uint64),
            shuffles=shuffles,
            symbol=self.tables.alphabet.of_card.astype(np.int64),
        )

    def begin(self) -> Round:
        """A round before its first card."""
        hands = max(context.hands for context in self.tables.contexts.contexts)

        def zeros(*shape: int) -> Ints:
            return np.zeros(shape, dtype=np.int64)

        return Round(
            cards=zeros(self.size, _CARDS),
            hands=zeros(self.size),
            final=zeros(self.size, hands),
            doubles=zeros(self.size, hands),
            dealer=zeros(_CARDS),
            net=zeros(self.size, len(self.order)),
        )

    def sums(self) -> Sums:
        return Sums(
            columns=np.zeros((self.size, len(self.order), 2)),
            seats=np.zeros((self.size, MOMENTS)),
            limited=np.zeros(MOMENTS),
            cut=np.zeros(2),
            rounds=np.zeros(2, dtype=np.int64),
        )

    def sample(
        self, rounds: int, limit: int | None = None, progress: Progress = silent
    ) -> TableSample:
        """Play so many random rounds, always the same ones."""
        decks = self.tables.alphabet.decks
        deck = [card.number for card in self.tables.alphabet.cards] * decks
        shoe, here, sums = self.shoe(deck, shuffles=True), self.begin(), self.sums()
        bound = self.limit(limit)
        for done in range(0, rounds, _CHUNK):
            progress("rounds", done / rounds)
            count = min(_CHUNK, rounds - done)
            play_rounds(self.play, self.dealer, self.stakes, bound, shoe, here, sums, count)
        progress("rounds", 1.0)
        return self._read(sums)

    def one_round(self, cards: Sequence[int], limit: int | None = None) -> tuple[Ints, int]:
        """A round with given cards: the bank's results by wager, and a limited bank's result."""
        shoe, here, sums = self.shoe(cards, shuffles=False), self.begin(), self.sums()
        bound = self.limit(limit)
        play_rounds(self.play, self.dealer, self.stakes, bound, shoe, here, sums, 1)
        return here.net, round(float(sums.limited[0]))

    def _read(self, sums: Sums) -> TableSample:
        count = int(sums.rounds[0])
        means = sums.columns[:, :, 0] / count
        errors = np.sqrt((sums.columns[:, :, 1] / count - means**2).clip(0) / count)
        cut, square = (float(part) / count for part in sums.cut)
        return TableSample(
            rounds=count,
            wagers=tuple(
                {
                    wager: (float(means[seat, column]), float(errors[seat, column]))
                    for column, wager in enumerate(self.order)
                    if self.stakes.placed[seat, column]
                }
                for seat in range(self.size)
            ),
            seats=tuple(spread(row, count) for row in sums.seats),
            limited=spread(sums.limited, count),
            cut=(cut, math.sqrt(max(0.0, square - cut * cut) / count)),
            cut_share=int(sums.rounds[1]) / count,
        )


def spread(powers: Floats, count: int) -> Spread:
    """Mean and deviation from sums of the first four powers."""
    mean, two, three, four = (float(power) / count for power in powers)
    variance = max(0.0, two - mean**2)
    fourth = four - 4 * mean * three + 6 * mean**2 * two - 3 * mean**4
    sd = math.sqrt(variance)
    error = math.sqrt(max(0.0, fourth - variance**2) / count) / (2 * sd) if sd else 0.0
    return Spread(mean, sd / math.sqrt(count), sd, error)


def _play(game: BaseGame, plays: Sequence[Solution]) -> Play:
    tables, graph = game.tables, game.graph
    ups, doubles, nodes = len(tables.alphabet), len(game.contexts), len(graph)
    choice = np.zeros((len(plays), ups, doubles, nodes), dtype=np.int8)
    folds = np.zeros((len(plays), ups, nodes), dtype=np.bool_)
    sizes = [len(plan.graph) for plan in game.pairs]
    root = np.cumsum([0, *sizes])
    pair_of = np.full(nodes, -1, dtype=np.int64)
    most = np.zeros((len(game.pairs), ups), dtype=np.int64)
    for number, plan in enumerate(game.pairs):
        pair_of[plan.node] = number
        for up, hands in plan.most_hands.items():
            most[number, up] = hands
    policies = max(1, int(most.max(initial=0)) - 1)
    split_choice = np.zeros((len(plays), ups, policies, 2, doubles, root[-1]), dtype=np.int8)
    for number, solution in enumerate(plays):
        for up, found in solution.ups.items():
            choice[number, up] = found.choice
            folds[number, up] = found.early_choice == SURRENDER
            for node, split in found.splits.items():
                where = int(pair_of[node])
                part = slice(int(root[where]), int(root[where + 1]))
                for policy, roles in split.choices.items():
                    for role, own in enumerate(roles if policy < policies else ()):
                        split_choice[number, up, policy, role, : len(own), part] = own
    return Play(
        child=graph.child,
        ends_as=game.player_class[graph.state],
        settled_as=game.settled_class[graph.state],
        pair_of=pair_of,
        choice=choice,
        folds=folds,
        root=root[:-1],
        pair=np.array([plan.pair for plan in game.pairs], dtype=np.int64),
        most_hands=most,
        split_child=_joined([plan.graph.child for plan in game.pairs], ups),
        split_ends_as=np.concatenate(
            [np.zeros(0, np.int64), *(game.player_class[p.graph.state] for p in game.pairs)]
        ),
        split_choice=split_choice,
        special=Special(
            surrendered=game.class_of("surrendered"),
            rescued=game.class_of("rescued"),
            bust=game.class_of("bust"),
        ),
    )


def _joined(
    children: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.int32]]], width: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """The moves of several graphs in one array, each graph's nodes numbered on."""
    parts = [np.zeros((0, width), dtype=np.int32)]
    begins = 0
    for child in children:
        parts.append(np.where(child >= 0, child + begins, child).astype(np.int32))
        begins += len(child)
    return np.concatenate(parts)


def _dealer(game: BaseGame) -> DealerPlay:
    automaton = game.tables.dealer
    return DealerPlay(
        start=int(automaton.start),
        next=automaton.next.astype(np.int64),
        draws=automaton.draws,
        final=automaton.final_class.astype(np.int64),
        found=np.asarray(game.dealer.hidden),
        natural=game.dealer.natural_class,
    )
