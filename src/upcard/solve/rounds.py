"""How whole rounds end: results and their chances.

Rounds without a split are exact. In a split the hands share the dealer and the shoe, so their sum
is played out by random rounds with the choices that the exact values assume; only the distribution
and the standard deviation come from there, with their standard error. In CDP these choices are for
a number of hands: exact values take the one that there are in the end, random rounds the one that
there are so far, which is all that a player knows.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import Stacked, Stakes
from upcard.round.machines import whole_machine
from upcard.round.setup import FRESH_CUT, TableSetup
from upcard.round.shoe import begin_stream
from upcard.solve.base_game import BaseGame
from upcard.solve.moves import SplitMoves
from upcard.solve.result import EXACT, skewness_of
from upcard.solve.solution import Solution, SolvedSplit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SPLIT_ROUNDS = 300_000
SEED = 21
_DIGITS = 9


@dataclass(frozen=True)
class RoundEnds:
    """Net results of a round in base units.

    `results` is the whole distribution, that of rounds with a split from random ones; `error` the
    standard error of `sd`, `win_error` that of the chance to win, both 0 where nothing was split.
    """

    results: Mapping[float, float]
    ev: float
    sd: float
    error: float
    win_error: float
    method: str

    @cached_property
    def wins(self) -> float:
        return sum(chance for result, chance in self.results.items() if result > 0)

    @cached_property
    def skewness(self) -> float:
        return skewness_of(self.results.items(), self.ev, self.sd)

    @cached_property
    def loses(self) -> float:
        return sum(chance for result, chance in self.results.items() if result < 0)

    @cached_property
    def pushes(self) -> float:
        return self.results.get(0.0, 0.0)


def round_ends(game: BaseGame, solution: Solution, ev: float) -> RoundEnds:
    """The distribution of the base game's results under a solution whose base value is `ev`."""
    pay = game.final_pay(solution.aim.bet)
    found: dict[float, float] = defaultdict(float)
    square = 0.0
    for up in solution.ups.values():
        chances = game.known.spread(up.ends.hands, endless=game.step == 0) * up.chance
        square += float((chances * pay**2).sum())
        for place in np.argwhere(chances > 0):
            spot = tuple(place)
            found[round(float(pay[spot]), _DIGITS) + 0.0] += float(chances[spot])
    variance_error = win_error = 0.0
    rounds = 0
    splits = splits_of(solution)
    machine = SplitRounds(game, solution.aim.bet) if splits else None
    for split, chance in splits:
        assert machine is not None
        drawn = machine.sample(split, chance).results
        rounds += len(drawn)
        square += chance * float((drawn**2).mean())
        variance_error += chance**2 * float((drawn**2).var()) / len(drawn)
        winning = float((drawn > 0).mean())
        win_error += chance**2 * winning * (1 - winning) / len(drawn)
        values, counts = np.unique(np.round(drawn, _DIGITS), return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            found[value + 0.0] += chance * count / len(drawn)
    sd = math.sqrt(max(0.0, square - ev * ev))
    method = f"split rounds by {rounds:,} random rounds, played by the hands so far (seed {SEED})"
    return RoundEnds(
        results=dict(sorted(found.items())),
        ev=ev,
        sd=sd,
        error=math.sqrt(variance_error) / (2 * sd) if sd else 0.0,
        win_error=math.sqrt(win_error),
        method=method if rounds else EXACT,
    )


def splits_of(solution: Solution) -> list[tuple[SolvedSplit, float]]:
    """Every split that is made, with its chance in a round."""
    return [
        (up.splits[node], up.chance * chance)
        for up in solution.ups.values()
        for node, chance in up.split_chance.items()
    ]


@dataclass(frozen=True)
class SplitSample:
    """Random rounds of one split: net results in base wagers, and what they would have been with
    fixed amounts charged for every hand.
    """

    results: Floats
    each_hand: Floats


class SplitRounds:
    """Random rounds of single splits at one table, by the array machine."""

    def __init__(self, game: BaseGame, bet: int) -> None:
        self.game = game
        self.table = table = TableSetup(game.tables, bet)
        self.rules = table.rules._replace(deal_to=table.player_and_up_first)
        self.out, self.kept = table.out(_CHUNK), table.kept(_CHUNK)
        self.moves = SplitMoves(game)

    def sample(self, split: SolvedSplit, share: float) -> SplitSample:
        """Play a split as often as its share of all rounds deserves."""
        rounds = _rounds_for(share)
        results = self._results(split, rounds, self.table.stakes)
        if not self.table.stakes.flat_once:
            return SplitSample(results, results)
        each = self._results(split, rounds, self.table.stakes._replace(flat_once=False))
        return SplitSample(results, each)

    def _results(self, split: SolvedSplit, rounds: int, stakes: Stakes) -> Floats:
        """So many net results of the base wager."""
        unit = self.table.unit / self.table.bet

        def won(slots: Ints) -> Floats:
            return np.asarray(self.out.net[0, slots] * unit, dtype=np.float64)

        return self._read(split, rounds, stakes, won)

    def by_hands(self, split: SolvedSplit, share: float, paid: Floats) -> Floats:
        """What a wager that every hand has comes to, each one paid by its role and by how it and
        the dealer's hand ended.
        """
        final = self.kept.final.reshape(-1, self.kept.most_hands)

        def results(slots: Ints) -> Floats:
            hands, dealers = self.kept.hands[slots], self.out.result[slots]
            found = np.asarray(paid[0, final[slots, 0], dealers], dtype=np.float64)
            for hand in range(1, self.kept.most_hands):
                there = np.flatnonzero(hands > hand)
                found[there] += paid[1, final[slots[there], hand], dealers[there]]
            return found

        return self._read(split, _rounds_for(share), self.table.stakes, results)

    def _read(
        self,
        split: SolvedSplit,
        rounds: int,
        stakes: Stakes,
        read: Callable[[Ints], Floats],
    ) -> Floats:
        """What is read off so many rounds, by their places; a dealer's natural that the check
        finds leaves nothing to split.
        """
        game, table = self.game, self.table
        plan = self.moves.plans[split.node]
        moves = self.moves.of(split)
        left = game.counts - plan.taken
        seconds = game.shown.seconds[split.up]
        # One of several that the second card may be is left to chance: others split nothing.
        top = [int(game.shown.up[split.up]), *(seconds if len(seconds) == 1 else ())]
        for symbol in top:
            left[symbol] -= int(game.step)
        top = [plan.pair, plan.pair, *top]
        symbols = np.concatenate([top, np.repeat(np.arange(len(left)), left)])
        shoe = table.shoe_of(symbols)
        seed = SEED + 1_000_003 * split.node + 97 * split.up
        begin_stream(shoe.now, np.uint64(seed), np.uint64(0))
        stacked = Stacked(cards=len(top), endless=game.step == 0)
        # One seat is a crowd too: the kernel is that of whole tables.
        machine = whole_machine(table, moves, self.kept)._replace(
            rules=self.rules,
            stakes=stakes,
            cut=FRESH_CUT,
            insurance=None,
            crowd=table.crowd_of([0]),
            stacked=stacked,
        )
        found: list[Floats] = []
        missing, most = rounds, _CHUNK
        bonuses = game.tables.bonuses
        suits = np.random.default_rng(seed) if bonuses and bonuses.depends_on_suits else None
        if suits is not None:
            most = rounds // _SUITS_DRAWN + 1
        while missing > 0:
            if suits is not None:
                shoe = shoe._replace(deck=table.shoe_of(symbols, suits).deck)
            played = min(most, missing + missing // 8)
            play_rounds(machine, shoe, self.out, played, None)
            split_ones = np.flatnonzero(self.kept.hands[:played] > 1)[:missing]
            found.append(np.asarray(read(split_ones), dtype=np.float64))
            missing -= len(split_ones)
        return np.concatenate(found)


def _rounds_for(share: float) -> int:
    """How many rounds a split gets that is such a share of all rounds."""
    return max(500, round(SPLIT_ROUNDS * min(1.0, share * _USUAL_SHARE)))


_USUAL_SHARE = 40.0
"""One over the usual share of rounds with a split: the number of rounds is spread by it."""
_CHUNK = 4096
_SUITS_DRAWN = 64
"""How often the suits of the split cards are drawn anew, where bonuses go by them."""
