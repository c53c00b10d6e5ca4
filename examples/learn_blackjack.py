"""Learn to play a game from rewards alone, and compare the result with exact basic play.

    python examples/learn_blackjack.py --game blackjack --steps 60000000

A Monte-Carlo learner on the vector environment. In every round the first few decisions are random;
from then on the best known action is taken. What the round wins is credited to the last random
action: so its value is that of good play after it. Actions that have shown to be worse are not
tried again. All that the learner sees is a table row: the phase, how often the hand was doubled,
the up card and the state of the hand.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from upcard import GameTables, tables_for
from upcard.envs import Action, Pause, RoundVectorEnv
from upcard.solve.chart import Chart, draw_chart

Ints = npt.NDArray[np.int64]

ENVS = 8192
FORGETS = 0.5
"""What earlier sweeps count for: they were played with worse actions afterwards."""
RANDOM_MORE = 0.35
"""The chance that one more decision is random."""
NEVER = -1e9
"""In the place of what an action wins: it was never tried."""
DOUBT = 3.0
"""Standard errors by which an action may be behind and still be tried."""
FEWEST = 30
"""Tries without which nothing is known about an error."""


class Learner:
    """Values of actions by table row: sums of rewards, and how often an action was tried."""

    def __init__(self, env: RoundVectorEnv, seed: int) -> None:
        self.env = env
        self.rng = np.random.default_rng(seed)
        sizes = {"phase": len(Pause), **env.setup.sizes}
        self.shape = tuple(sizes[name] for name in ("phase", "doubles", "up", "state"))
        self.actions = len(Action)
        rows = math.prod(self.shape)
        self.tried, self.won, self.squares = np.zeros((3, rows * self.actions))
        self.mean = np.full((rows, self.actions), NEVER)
        self.open = np.ones((rows, self.actions), dtype=np.int8)

    def rows(self, seen: Mapping[str, Ints]) -> Ints:
        """Table rows. Insurance is about the dealer's cards, so all hands share a row there."""
        phase = seen["phase"]
        state = np.where(phase == Pause.INSURANCE, 0, seen["state"])
        return np.ravel_multi_index((phase, seen["doubles"], seen["up"], state), self.shape)

    def anything(self, masks: npt.NDArray[np.int8]) -> Ints:
        """Any legal action."""
        drawn = (1 - self.rng.random(masks.shape, dtype=np.float32)) * masks
        return np.asarray(drawn.argmax(axis=1))

    def worth_a_try(self, rows: Ints, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Legal actions that may be the best; all of them where those are not legal."""
        found = masks & self.open[rows]
        none = np.flatnonzero(~found.any(axis=1))
        found[none] = masks[none]
        return found

    def act(self, rows: Ints, masks: npt.NDArray[np.int8]) -> Ints:
        """The best known action; any legal one where nothing is known."""
        worth = np.where(masks, self.mean[rows], -np.inf)
        found = np.asarray(worth.argmax(axis=1))
        unknown = np.flatnonzero(worth.max(axis=1) == NEVER)
        if len(unknown):
            found[unknown] = self.anything(masks[unknown])
        return found

    def learn(self, steps: int, sweeps: int) -> None:
        """So many steps in sweeps, each twice as long as the one before and with better play."""
        count = self.env.num_envs
        seen, info = self.env.reset(seed=int(self.rng.integers(2**31)))
        random_left = self.rng.geometric(1 - RANDOM_MORE, count)
        credit = np.full(count, -1)
        for sweep in range(sweeps):
            for sums in (self.tried, self.won, self.squares):
                sums *= FORGETS
            for _ in range(max(1, (steps << sweep) // (count << sweeps))):
                rows, masks = self.rows(seen), info["action_mask"]
                actions = self.act(rows, masks)
                tries = np.flatnonzero(random_left > 0)
                actions[tries] = self.anything(self.worth_a_try(rows[tries], masks[tries]))
                random_left[tries] -= 1
                last = tries[random_left[tries] == 0]
                credit[last] = rows[last] * self.actions + actions[last]
                seen, rewards, ended, _, info = self.env.step(actions)
                # A round that was over before its last random action says nothing: to credit the
                # one before would count its bad ends more often than its good ones.
                counts = np.flatnonzero(ended & (random_left == 0))
                np.add.at(self.tried, credit[counts], 1.0)
                np.add.at(self.won, credit[counts], rewards[counts])
                np.add.at(self.squares, credit[counts], rewards[counts] ** 2)
                over = np.flatnonzero(ended)
                random_left[over] = self.rng.geometric(1 - RANDOM_MORE, len(over))
            self.improve()

    def improve(self) -> None:
        """Work out what actions win on average; leave open those that may be the best."""
        tried = self.tried.reshape(-1, self.actions)
        often = np.maximum(tried, 1e-9)
        mean = self.won.reshape(tried.shape) / often
        spread = self.squares.reshape(tried.shape) / often - mean**2
        error = np.sqrt(np.maximum(spread, 0.0) / often)
        error[tried < FEWEST] = np.inf
        mean[tried == 0] = NEVER
        self.mean = mean
        top = mean.argmax(axis=1)[:, None]
        behind = np.take_along_axis(mean, top, axis=1) - mean
        doubt = DOUBT * np.hypot(error, np.take_along_axis(error, top, axis=1))
        self.open = (behind <= doubt).astype(np.int8)


def worth(learner: Learner, tables: GameTables, rounds: int, seed: int) -> tuple[float, float]:
    """What the learned play wins a round, and its standard error.

    Every environment plays the same number of rounds: to stop in the middle of some would leave out
    long rounds.
    """
    env = RoundVectorEnv(tables, ENVS, autoreset="same-step")
    seen, info = env.reset(seed=seed)
    left = np.full(ENVS, -(-rounds // ENVS))
    count, total, squares = int(left.sum()), 0.0, 0.0
    while left.any():
        actions = learner.act(learner.rows(seen), info["action_mask"])
        seen, rewards, ended, _, info = env.step(actions)
        counts = ended & (left > 0)
        left -= counts
        total += rewards[counts].sum()
        if tables.carry is not None and counts.any():
            # A light that is lit at the end is worth its share of a prize.
            last = counts & (left == 0)
            share = tables.carry.prize.max() / len(tables.carry.next) / env.setup.table.bet
            total += info["final_obs"]["lit"][last].sum() * share
        squares += (rewards[counts] ** 2).sum()
    mean = total / count
    return mean, math.sqrt((squares / count - mean**2) / count)


def agreement(learner: Learner, tables: GameTables, chart: Chart) -> tuple[int, int]:
    """How many cells of the chart the learner decides alike, and how many both decide."""
    mean = learner.mean.reshape(*learner.shape, -1)
    alike = both = 0
    for section in chart.sections:
        for row in section.rows:
            for up, cell in row.cells.items():
                phase = Pause.TURN
                if cell.before_check:
                    fold = cell.action is Action.SURRENDER
                    phase = Pause.EARLY_SURRENDER if fold else Pause.TRADE
                worth = mean[phase, section.doubles, tables.alphabet.index(up), row.state]
                if worth.max() > NEVER:
                    both += 1
                    alike += bool(worth.argmax() == cell.action)
    return alike, both


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Learn a game from rewards alone.")
    parser.add_argument("--game", default="blackjack")
    parser.add_argument("--steps", type=int, default=60_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, for a first look")
    options = parser.parse_args(arguments)
    steps = 3_000_000 if options.quick else options.steps
    rounds = 400_000 if options.quick else 10_000_000

    tables = tables_for(options.game)
    learner = Learner(RoundVectorEnv(tables, ENVS, autoreset="same-step"), options.seed)
    began = time.perf_counter()
    learner.learn(steps, sweeps=6 if options.quick else 12)
    taken = time.perf_counter() - began
    print(f"{tables.name}: {steps:,} steps in {taken:.1f} s")
    mean, error = worth(learner, tables, rounds, options.seed + 1)
    chart = draw_chart(tables)
    alike, both = agreement(learner, tables, chart)
    print(f"learned play  {mean:+.4%} of a wager, standard error {error:.4%}, {rounds:,} rounds")
    print(f"basic play    {chart.basic_ev:+.4%}, exact")
    print(f"difference    {mean - chart.basic_ev:+.4%}")
    print(f"chart         {alike} of {both} cells alike")


if __name__ == "__main__":
    main()
