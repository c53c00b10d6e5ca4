"""A job: a table, a policy and a seed. Any of its blocks can be played by anybody, anywhere."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from upcard.errors import UpcardError
from upcard.jit import is_compiled
from upcard.money import BASE, format_cents
from upcard.round.kernel_types import (
    ALWAYS_INSURES,
    INSURES_AT_RANDOM,
    BankTerms,
    InsurancePlay,
    Ints,
    Machine,
    MachineShoe,
    Out,
    Sides,
)
from upcard.round.machines import countable_machine, machine_of, no_insurance, swift, wide
from upcard.round.policy import Moves
from upcard.round.setup import TableSetup
from upcard.round.stakes import PRIZES
from upcard.simulate.blocks import (
    CHUNK,
    CHUNK_WITH_CARDS,
    COUNTS,
    DEPTHS,
    LANES,
    BlockTask,
    Sessions,
    Sums,
    Wagers,
    play_blocks,
)
from upcard.simulate.course import course_of
from upcard.simulate.totals import Counts, Totals, exact

BLOCK = 10_000
"""Rounds in a block."""
POINTS = 10
"""Points of a session at which it is looked at."""
MOST_BINS = 2**21
FEW_BINS = 128
"""Results that are counted by place rather than added up."""


SHORT_ROUNDS = 20_000_000
"""Rounds of a seat that are over before a kernel of their own would be compiled."""


class PlayBlocks(NamedTuple):
    """What `play_blocks` is given."""

    machine: Machine
    shoe: MachineShoe
    out: Out
    wagers: Wagers
    sums: Sums
    task: BlockTask
    sessions: Sessions


@dataclass(frozen=True)
class Visit:
    """A session: so many rounds with so much money in cents, by the first seat or by the bank."""

    rounds: int
    bankroll: int
    follows_bank: bool = False


NO_VISIT = Visit(rounds=0, bankroll=0)


@dataclass(frozen=True)
class Job:
    """Everything that a result depends on but the number of rounds.

    In a `short` one starting at once is worth more than speed: if the kernel for just such a table
    is not there, and one that serves all tables is, that one plays. The rounds are the same.
    """

    table: TableSetup
    moves: Moves
    seed: int
    visit: Visit | None = None
    short: bool = False

    @property
    def name(self) -> str:
        return f"{self.table.tables.ref}, {self.moves.name}"

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        table = self.table
        return {
            "game": table.tables.id,
            "fingerprint": table.tables.fingerprint,
            "settings": dict(table.tables.settings),
            "seed": self.seed,
            "seats": table.seats,
            "bet": table.bet,
            "besides": dict(table.besides),
            "shoe": "fresh" if table.fresh else "cut",
            "bank": table.bank,
            "count": table.count.identity,
            "policy": self.moves.name,
            "policy_digest": self.policy_digest,
            "session": None if self.visit is None else list(vars(self.visit).values()),
            "block": self.block_rounds,
        }

    @cached_property
    def policy_digest(self) -> str:
        """A policy's arrays as a short text: equal for the same play."""
        found = hashlib.sha256()
        departures = (self.moves.from_count, self.moves.then)
        parts = (
            self.moves.play,
            self.moves.early or (),
            self.moves.chance or (),
            departures,
            self.moves.exchange or (),
        )
        for part in parts:
            for value in part:
                found.update(
                    value.tobytes() if isinstance(value, np.ndarray) else str(value).encode()
                )
        return found.hexdigest()[:16]

    @property
    def block_rounds(self) -> int:
        """Whole sessions, where there are some."""
        if self.visit is None:
            return BLOCK
        return self.visit.rounds * max(1, BLOCK // self.visit.rounds)

    def for_rounds(self, rounds: int | None) -> Job:
        """The job of which so many rounds are to be played, None where nobody knows."""
        short = rounds is not None and rounds * self.table.seats <= SHORT_ROUNDS
        return replace(self, short=short)

    def check(self) -> None:
        """Refuse at once what would fail later."""
        self.table.check()
        visit = self.visit
        if visit is None:
            return
        if visit.follows_bank and self.table.banker is None:
            raise UpcardError(f"the house banks {self.table.tables.name}: no player is its bank")
        if visit.bankroll and visit.bankroll < self.least:
            raise UpcardError(
                f"a bankroll of {format_cents(visit.bankroll)} does not cover one round's wagers "
                f"of {format_cents(self.least)}"
            )

    @property
    def least(self) -> int:
        """What a player needs to go on: the smallest wagers of a round; a bank needs its limit."""
        if self.visit is not None and self.visit.follows_bank:
            return self.table.bank or 1
        level = min(range(len(self.table.bets)), key=lambda one: self.table.bets[one])
        amounts = self.table.amounts(level)
        return amounts[BASE] + sum(amounts[wager] for wager in self.table.besides)

    @cached_property
    def bins(self) -> tuple[int, int, int]:
        """The lowest result of a round in units, the power of two of a bin, and the bins."""
        table = self.table
        low = high = 0
        stakes = table.stakes
        low += int(stakes.pays.min()) * table.most_hands
        high += int(stakes.pays.max()) * table.most_hands
        insurance = table.insurance()
        if insurance is not None:
            low += int(insurance.pays.min())
            high += int(insurance.pays.max())
        for name in table.columns[1:]:
            worst, best = table.extremes(name)
            low, high = low + worst, high + best
        shift = 0
        while (high - low) >> shift >= MOST_BINS:
            shift += 1
        return low, shift, ((high - low) >> shift) + 1

    @cached_property
    def plain_moves(self) -> Moves:
        """The play as many rounds in a row want it."""
        return swift(self.table, self.moves)

    def play(self, first: int, blocks: int, last: int) -> Totals:
        """Blocks from a number on, the last of them with so many rounds."""
        given = self._with_own_parts(first, blocks, last)
        if self.short and not is_compiled(play_blocks, given):
            # The one for all takes longer to compile: without `upcard prepare` it is not there.
            serves_all = self._with_all_parts(first, blocks, last)
            given = serves_all if is_compiled(play_blocks, serves_all) else given
        return self._play(given)

    def play_with_all_parts(self, first: int, blocks: int, last: int) -> Totals:
        """The same blocks by the one kernel that serves all tables."""
        return self._play(self._with_all_parts(first, blocks, last))

    def _play(self, given: PlayBlocks) -> Totals:
        play_blocks(*given)
        return self._totals(given.sums, given.task, given.sessions)

    def _with_own_parts(self, first: int, blocks: int, last: int) -> PlayBlocks:
        """What a kernel is given that has just the parts of this table."""
        table = self.table
        chunk = CHUNK_WITH_CARDS if table.keeps else CHUNK
        decides = self._insurance is not None and self._insurance.takes != ALWAYS_INSURES
        machine = machine_of(table, self.plain_moves, chunk)
        return self._given(
            machine._replace(insurance=self._insurance if decides else None),
            table.shoe(),
            table.out(chunk),
            self._wagers(table.sides, table.banker, self._insurance),
            (first, blocks, last),
        )

    def _with_all_parts(self, first: int, blocks: int, last: int) -> PlayBlocks:
        """What the kernel is given that has all parts of any table, if only as nothing."""
        table, shoe = self.table, self.table.shoe()
        insurance = self._insurance or no_insurance(table)
        machine = countable_machine(table, self.plain_moves, CHUNK_WITH_CARDS)
        return self._given(
            machine._replace(insurance=insurance),
            shoe._replace(deck=wide(shoe.deck)),
            table.out(CHUNK_WITH_CARDS),
            self._wagers(table.all_columns, table.banker or table.no_banker, insurance),
            (first, blocks, last),
        )

    def _given(
        self,
        machine: Machine,
        shoe: MachineShoe,
        out: Out,
        wagers: Wagers,
        asked: tuple[int, int, int],
    ) -> PlayBlocks:
        first, blocks, last = asked
        task = BlockTask(
            seed=np.uint64(self.seed % 2**64),
            first=first,
            blocks=blocks,
            block_rounds=self.block_rounds,
            last=last,
            fresh=shoe.deck[: shoe.size].copy(),
        )
        sessions = self._sessions((blocks - 1) * self.block_rounds + last)
        return PlayBlocks(machine, shoe, out, wagers, self._sums(blocks), task, sessions)

    def _wagers(
        self, sides: Sides | None, bank: BankTerms | None, insurance: InsurancePlay | None
    ) -> Wagers:
        staked = np.array([name in self.table.staked for name in self.table.columns])
        return Wagers(staked, self.table.amounts_in_units, sides, bank, insurance)

    @cached_property
    def _insurance(self) -> InsurancePlay | None:
        at_random = self.moves.chance is not None
        return self.table.insurance(INSURES_AT_RANDOM if at_random else ALWAYS_INSURES)

    def _sums(self, blocks: int) -> Sums:
        columns, levels = len(self.table.columns), len(self.table.bets)

        def zeros(*shape: int) -> Ints:
            return np.zeros(shape, dtype=np.int64)

        lowest, shift, bins = self.bins
        lanes = int(LANES)
        depths, counts = DEPTHS * self._counts_results, COUNTS * self._counts_results
        return Sums(
            total=zeros(blocks, columns + 1),
            made=zeros(blocks, levels, columns),
            bank_total=zeros(blocks),
            cross=zeros(blocks, columns + 1, columns + 1),
            wins=zeros(columns + 1),
            results=zeros(0 if self._results_by_depth else lanes, bins),
            depth_results=zeros(depths, bins, lanes),
            count_results=zeros(counts, bins, lanes),
            lowest=lowest,
            shift=shift,
            table=zeros(3),
            bank=zeros(3),
            by_depth=zeros(columns, DEPTHS, lanes, 4),
            by_count=zeros(columns * self.table.counts, COUNTS, lanes, 4),
            depth_of=np.arange(self.table.shoe_size) * DEPTHS // self.table.shoe_size,
            void=zeros(1),
        )

    @property
    def _counts_results(self) -> bool:
        """Whether sums by place are made of counts: of few results, of wagers all alike."""
        table, (_, _, bins) = self.table, self.bins
        return bins <= FEW_BINS and len(table.bets) == 1 and table.column(PRIZES) < 0

    @property
    def _results_by_depth(self) -> bool:
        """Whether all that is staked is the base wager, whose results are counted by depth."""
        table = self.table
        lasts = table.cut is not None and table.cut.at > 0
        alone = table.staked.intersection(table.columns) == {BASE}
        return lasts and alone and self._counts_results

    def _by_place(self, sums: Ints, results: Ints) -> Counts:
        """Sums by place of every column, those of the base wager perhaps made of its results."""
        found = sums.sum(axis=2)
        counts = results.sum(axis=2)
        won = self.bins[0] + np.arange(counts.shape[1])
        if len(counts) > 0:
            made, amount = counts.sum(axis=1), self.table.amounts_in_units[0, 0]
            found[0] = np.stack([made, counts @ won, counts @ (won * won), made * amount], axis=1)
        return exact(found.swapaxes(0, 1))

    @property
    def prize_in_kind(self) -> str:
        """What the game's prize is where it is no money, otherwise nothing."""
        carry = self.table.tables.carry
        return "" if carry is None else carry.prize_name

    def _sessions(self, rounds: int) -> Sessions:
        visit, unit = self.visit or NO_VISIT, self.table.unit
        count = rounds // visit.rounds + 1 if visit.rounds > 0 else 0
        return Sessions(
            rounds=visit.rounds,
            bankroll=visit.bankroll // unit,
            least=-(2**62) if visit.bankroll == 0 else -(-self.least // unit),
            follows_bank=visit.follows_bank,
            in_kind=self.table.column(PRIZES) if self.prize_in_kind else -1,
            path=np.zeros((count, POINTS), dtype=np.int64),
            ended=np.zeros(count, dtype=np.int64),
        )

    def _totals(self, sums: Sums, task: BlockTask, sessions: Sessions) -> Totals:
        blocks, last = task.blocks, task.last
        rounds = (blocks - 1) * self.block_rounds + last
        total = exact(sums.total)
        cross = exact(sums.cross)
        if not cross[:, -1, -1].any():
            cross[:, -1, -1] = cross[:, 0, 0]  # only the base wager is staked
        # Rounds of every block, which the last may have fewer of.
        length = exact([self.block_rounds] * (blocks - 1) + [last])
        amount = exact(self.table.amounts_in_units)
        made = exact(sums.made)
        # What was staked in each block, by column; and all of a player's wagers together.
        staked = (made * amount[None]).sum(axis=1)
        together = staked[:, self.table.staked_wagers].sum(axis=1, keepdims=True)
        staked = np.concatenate([staked, together], axis=1)
        squares = cross[:, 0, 0]
        prizes = self.table.column(PRIZES)
        if prizes >= 0:
            # The base wager with its prizes, which are what it is played for.
            total = np.concatenate([total, total[:, [0]] + total[:, [prizes]]], axis=1)
            staked = np.concatenate([staked, staked[:, [0]]], axis=1)
            squares = squares + 2 * cross[:, prizes, 0] + cross[:, prizes, prizes]
        base = -1 if prizes >= 0 else 0
        wagers = made.sum(axis=1)[:, 0]
        course = course_of(task.first, length, wagers, total[:, base], staked[:, base], squares)
        lowest, shift, _ = self.bins
        results = sums.results.sum(axis=0)
        if self._results_by_depth:
            results = sums.depth_results.sum(axis=(0, 2))
        filled = np.flatnonzero(results)
        counts = {
            "results": Counter(
                {int(lowest + (one << shift)): int(results[one]) for one in filled.tolist()}
            )
        }
        found = {
            "rounds": exact([rounds]),
            "blocks": exact([blocks]),
            "total": total.sum(axis=0),
            "staked": staked.sum(axis=0),
            "made": made.sum(axis=0),
            "total_squares": (total * total).sum(axis=0),
            "total_staked": (total * staked).sum(axis=0),
            "staked_squares": (staked * staked).sum(axis=0),
            "length_squares": exact([(length * length).sum()]),
            "total_lengths": (total * length[:, None]).sum(axis=0),
            "cross": cross.sum(axis=0),
            "cross_squares": (cross * cross).sum(axis=0),
            "cross_lengths": (cross * length[:, None, None]).sum(axis=0),
            "wins": exact(sums.wins),
            "table": exact(sums.table),
            "void": exact(sums.void),
            "course": course,
        }
        if self.table.banker is not None:
            bank = exact(sums.bank_total)
            found["bank"] = exact(sums.bank)
            found["bank_blocks"] = exact([(bank * bank).sum(), (bank * length).sum()])
        if not self.table.fresh:
            found["by_depth"] = self._by_place(sums.by_depth, sums.depth_results)
        if self.table.counts:
            found["by_count"] = self._by_place(sums.by_count, sums.count_results)
        if sessions.rounds > 0:
            done = rounds // sessions.rounds
            found["sessions"] = exact([done])
            ended = sessions.ended[:done]
            counts["ruined_after"] = Counter(ended[ended > 0].tolist())
            for point in range(POINTS):
                counts[f"path_{point}"] = Counter(sessions.path[:done, point].tolist())
        return Totals(found, counts)

    def estimate(self, totals: Totals) -> tuple[float, float]:
        """The base wager's EV so far, and half the width of its 95 % interval."""
        from upcard.simulate.figures import Figures

        found = Figures(self, totals).wager(0)
        return found.ev, found.mean.half_width if math.isfinite(found.stderr) else math.inf
