"""Random rounds of a whole table, each seat with its own wagers, and what they tell of its bank."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from upcard.compile.chips import stake_cents
from upcard.money import BASE
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import Ints, Kept, MachineShoe, Out, Stacked
from upcard.round.machines import whole_machine
from upcard.round.settle import settle_bank, settle_sides
from upcard.round.setup import FRESH_CUT, TableSetup
from upcard.round.shoe import begin_stream
from upcard.solve.base_game import BaseGame
from upcard.solve.moves import solved_moves
from upcard.solve.result import Progress, silent
from upcard.solve.rounds import SEED
from upcard.solve.solution import Solution

Floats = npt.NDArray[np.float64]

ROUNDS = 1_000_000
_CHUNK = 10_000
MOMENTS = 4
NOTHING_STACKED = Stacked(cards=0, endless=False)
"""Rounds from the first card on, by the kernel that plays the solver's split rounds."""


@dataclass(frozen=True)
class Spread:
    """The mean and the standard deviation of random results, each with its standard error."""

    mean: float
    mean_error: float
    sd: float
    sd_error: float


@dataclass(frozen=True)
class BankSample:
    """What random rounds tell of a bank's results, in cents.

    `wagers[seat][wager]` has mean and standard error alone; `seats[n]` is for the first n + 1 seats
    together; `inexact` for the wagers that have no exact value; `limited` for a limited bank, `cut`
    what the limit changes and its standard error, `cut_share` in how many of the rounds it does.
    """

    rounds: int
    wagers: tuple[Mapping[str, tuple[float, float]], ...]
    seats: tuple[Spread, ...]
    inexact: Spread
    limited: Spread
    cut: tuple[float, float]
    cut_share: float


class BankRounds:
    """A table with its wagers, ready to be played.

    `plays` are the solutions that seats follow, `follows[seat]` the number of each seat's. Split
    hands are played by the number of hands so far, where CDP's exact values know the final one.
    """

    def __init__(
        self,
        game: BaseGame,
        seats: Sequence[Mapping[str, int]],
        plays: Sequence[Solution],
        follows: Sequence[int],
        inexact: frozenset[str] = frozenset(),
    ) -> None:
        self.size = len(seats)
        self.seats = tuple(map(dict, seats))
        self.tables = game.tables
        self.moves = solved_moves(game, "the priced play", *plays)
        self.follows = follows
        table = self.table(None)
        self.columns = table.staked_wagers
        self.names = [table.columns[column] for column in self.columns]
        self.inexact = np.array([name in inexact for name in self.names])
        self.placed = [[wagers.get(name, 0) > 0 for name in self.names] for wagers in seats]

    def table(self, limit: int | None) -> TableSetup:
        """The table with a bank that puts up so much."""
        bet = self.seats[0][BASE]
        return TableSetup(self.tables, bet, seats=self.size, by_seat=self.seats, bank=limit)

    def play(
        self, table: TableSetup, rounds: int, shoe: MachineShoe, *, in_order: bool = False
    ) -> BankNets:
        """Some rounds: what the bank won of every wager, and what a limited one won in all."""
        out, kept = table.out(rounds), table.kept(rounds)
        machine = whole_machine(table, self.moves, kept)._replace(
            insurance=None, crowd=table.crowd_of(self.follows), stacked=NOTHING_STACKED
        )
        if in_order:
            machine = machine._replace(cut=FRESH_CUT, returns=table.returns(shuffles=False))
        play_rounds(machine, shoe, out, rounds, None)
        if table.sides is not None:
            settle_sides(table.sides, kept, out.up, out.result, out.level, out.net, self.size)
        whole = -out.net[self.columns].reshape(len(self.columns), rounds, self.size) * table.unit
        backed, due = self._backed(table, kept, out), self._moving(table, kept, out)
        if table.bank is None:
            return BankNets(whole, whole.sum(axis=(0, 2)), backed, due, due)
        assert table.banker is not None, "only a game with a player-dealer has a bank"
        settle_bank(table.banker, kept, out, self.size, table.rules.natural_class)
        moved = self._moving(table, kept, out)
        return BankNets(whole, out.bank * table.unit, backed, due, moved)

    def _moving(self, table: TableSetup, kept: Kept, out: Out) -> Ints:
        """What changes hands in every round, either way, wager by wager and hand by hand."""
        there = np.arange(kept.most_hands) < kept.hands[:, None]
        hands = np.abs(kept.claims.reshape(there.shape) * there).sum(axis=1)
        sides = np.abs(out.net[[column for column in self.columns if column]]).sum(axis=0)
        by_round = (hands + sides).reshape(-1, self.size).sum(axis=1)
        return np.asarray(by_round * table.unit)

    def _backed(self, table: TableSetup, kept: Kept, out: Out) -> Ints:
        """What a wager behind the last seat brings the bank that covers it, in every round.

        One that follows doubles and splits fares as the seat's own; another stays as it is, on the
        first hand.
        """
        last = slice(self.size - 1, None, self.size)
        if self.tables.money.backline_must_match:
            return np.asarray(-out.net[0, last] * table.unit)
        stays = stake_cents(self.tables, self.seats[-1][BASE])
        first_hands = kept.final[:: kept.most_hands][last]
        return np.asarray(-stays[first_hands, out.result])

    def sample(
        self, rounds: int, limit: int | None = None, progress: Progress = silent
    ) -> BankSample:
        """Play so many random rounds, always the same ones."""
        sums = _Sums(len(self.columns), self.size)
        for found in self.streams(rounds, limit, progress):
            sums.add(found, self.inexact)
        return self._read(sums)

    def streams(
        self, rounds: int, limit: int | None, progress: Progress = silent
    ) -> Iterator[BankNets]:
        """The rounds of `sample` themselves, some at a time."""
        table = self.table(limit)
        shoe = table.shoe()
        begin_stream(shoe.now, np.uint64(SEED), np.uint64(0))
        for done in range(0, rounds, _CHUNK):
            progress("rounds", done / rounds)
            yield self.play(table, min(_CHUNK, rounds - done), shoe)
        progress("rounds", 1.0)

    def one_round(self, cards: Sequence[int], limit: int | None = None) -> tuple[Ints, int]:
        """A round with given cards: the bank's results by seat and wager, and a limited bank's."""
        table = self.table(limit)
        found = self.play(table, 1, table.shoe(cards), in_order=True)
        return found.wagers[:, 0].T, int(found.limited[0])

    def _read(self, sums: _Sums) -> BankSample:
        count = sums.rounds
        means = sums.columns[0] / count
        errors = np.sqrt((sums.columns[1] / count - means**2).clip(0) / count)
        cut, square = (float(part) / count for part in sums.cut)
        return BankSample(
            rounds=count,
            wagers=tuple(
                {
                    name: (float(means[column, seat]), float(errors[column, seat]))
                    for column, name in enumerate(self.names)
                    if self.placed[seat][column]
                }
                for seat in range(self.size)
            ),
            seats=tuple(spread(row, count) for row in sums.seats.T),
            inexact=spread(sums.inexact, count),
            limited=spread(sums.limited, count),
            cut=(cut, math.sqrt(max(0.0, square - cut * cut) / count)),
            cut_share=sums.changed / count,
        )


@dataclass(frozen=True)
class BankNets:
    """What a bank won in rounds, in cents: `wagers[column, round, seat]` if it covers all, and
    `limited[round]` together if it does not.

    `backed[round]` is what a bank that covers all wins of a wager behind the last seat. What would
    change hands, either way, is `due[round]`, and what does `moved[round]`.
    """

    wagers: Ints
    limited: Ints
    backed: Ints
    due: Ints
    moved: Ints


class _Sums:
    """Sums of powers of results."""

    def __init__(self, columns: int, seats: int) -> None:
        self.rounds = self.changed = 0
        self.columns = np.zeros((2, columns, seats))
        self.seats = np.zeros((MOMENTS, seats))
        self.inexact = np.zeros(MOMENTS)
        self.limited = np.zeros(MOMENTS)
        self.cut = np.zeros(2)

    def add(self, found: BankNets, inexact: npt.NDArray[np.bool_]) -> None:
        wagers = found.wagers.astype(np.float64)
        limited = found.limited.astype(np.float64)
        self.rounds += len(limited)
        self.columns += np.stack([wagers.sum(axis=1), (wagers**2).sum(axis=1)])
        together = wagers.sum(axis=0).cumsum(axis=1)
        self.seats += _powers(together)
        self.inexact += _powers(wagers[inexact].sum(axis=(0, 2)))
        self.limited += _powers(limited)
        change = limited - together[:, -1]
        self.cut += [change.sum(), (change**2).sum()]
        self.changed += int((change != 0).sum())


def _powers(results: Floats) -> Floats:
    """Sums of the first powers over rounds."""
    return np.stack([(results**power).sum(axis=0) for power in range(1, MOMENTS + 1)])


def spread(powers: Floats, count: int) -> Spread:
    """Mean and deviation from sums of the first four powers."""
    mean, two, three, four = (float(power) / count for power in powers)
    variance = max(0.0, two - mean**2)
    fourth = four - 4 * mean * three + 6 * mean**2 * two - 3 * mean**4
    sd = math.sqrt(variance)
    error = math.sqrt(max(0.0, fourth - variance**2) / count) / (2 * sd) if sd else 0.0
    return Spread(mean, sd / math.sqrt(count), sd, error)
