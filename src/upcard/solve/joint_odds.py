"""The odds of a game of two boxes that exchange cards."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from upcard.compile.tables import GameTables
from upcard.money import BASE
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import Stacked
from upcard.round.machines import whole_machine
from upcard.round.policy import Moves
from upcard.round.setup import FRESH_CUT, TableSetup
from upcard.round.shoe import begin_stream
from upcard.solve.joint_moves import basic_joint_moves, can_be_simulated, solved_joint_moves
from upcard.solve.odds import (
    BaseReport,
    Combined,
    Exchange,
    FirstHand,
    Odds,
    Solver,
    StakeOdds,
    counted_wagers,
    outcomes_of,
)
from upcard.solve.result import Progress, WagerOdds
from upcard.solve.round_figures import all_dealer_hands, dealer_hands
from upcard.solve.rounds import SEED, RoundEnds
from upcard.solve.solution import Aim, Floats
from upcard.solve.split import Mode
from upcard.solve.two_boxes import BOXES, NEVER_EXCHANGED, ONE_BOX, JointPlay, TwoBoxes

ROUNDS = 1_000_000
"""Random rounds of both boxes, for the distribution and the deviation."""
_CHUNK = 4096
_DIGITS = 9


def joint_odds(
    tables: GameTables,
    *,
    bet: int,
    ratios: Mapping[str, float],
    strategy: str,
    mode: Mode,
    endless: bool,
    progress: Progress,
) -> Odds:
    """Price every wager off the top of a fresh shoe; values are for one of the two boxes."""
    began = time.perf_counter()
    game = TwoBoxes(tables, aim=Aim(bet=bet), mode=mode, endless=endless, progress=progress)
    basic, best = game.with_basic, game.optimal
    is_best = strategy == "optimal"
    play, boxes = (best, game.best_boxes) if is_best else (basic, game.basic_boxes)
    ends = game.ends(boxes, play)
    sampled = _sampled(game, is_best, play.ev)
    solver = Solver(game.alone, mode, progress)
    names = [symbol.name for symbol in tables.alphabet.symbols]
    base = BaseReport(
        ev=best.ev,
        basic_ev=basic.ev,
        by_up={names[up]: ev for up, ev in play.by_up.items()},
        by_first_hand=tuple(_first_hands(game, play, names)),
        ends=sampled.box,
        outcomes=outcomes_of(tables, ends.hands),
        split_chance=ends.split_chance,
        dealer=(dealer := dealer_hands(game.alone)),
        dealer_hands=all_dealer_hands(game.alone, dealer),
    )
    base_wager = _base_wager(game, solver, play, sampled, is_best=is_best)
    wagers = {BASE: replace(base_wager, stake=ends.stake)}
    wagers |= counted_wagers(game.alone, progress, endless=endless)
    kept = game.together(game.values(boxes), NEVER_EXCHANGED)
    combined = _combined(play.ev, ratios, wagers) if ratios else None
    return Odds(
        tables=tables,
        bet=bet,
        mode=mode if is_best else "CDZ-",
        strategy=strategy,
        endless=endless,
        seconds=time.perf_counter() - began,
        wagers=wagers,
        base=base,
        by_bet={},
        combined=combined,
        lights=None,
        stay=None,
        exchange=Exchange(
            chance=play.switch_chance,
            never_ev=kept.ev,
            together_sd=sampled.together_sd,
            together_error=sampled.together_error,
            looks_at=ONE_BOX,
        ),
    )


def _first_hands(game: TwoBoxes, play: JointPlay, names: list[str]) -> Iterator[FirstHand]:
    """The value of one of the two wagers when one box is dealt these cards."""
    chance = play.chance.sum(axis=(3, 4))
    worth = (play.chance * play.worth).sum(axis=(3, 4)) / BOXES
    for up in range(len(names)):
        for one, two in game.pairs:
            orders = {(one, two), (two, one)}
            likely = sum(float(chance[up, a, b]) for a, b in orders)
            if likely > 0:
                ev = sum(float(worth[up, a, b]) for a, b in orders) / likely
                yield FirstHand(f"{names[one]} {names[two]}", names[up], likely, ev)


def _base_wager(
    game: TwoBoxes, solver: Solver, play: JointPlay, sampled: _Sampled, *, is_best: bool
) -> WagerOdds:
    method = solver.method_of(game.mode if is_best else "CDZ-")
    return WagerOdds(
        wager=BASE,
        name=game.tables.money.wagers[BASE].name,
        ev=play.ev,
        sd=sampled.box.sd,
        hit_frequency=sampled.box.wins,
        method=f"{method}, for one of the two boxes; {ONE_BOX}; deviation and hit frequency: "
        f"{sampled.box.method}",
        error=sampled.box.error,
        strategy="composition-dependent optimal" if is_best else "total-dependent",
        returns=(),
        skewness=sampled.box.skewness,
    )


def _combined(ev: float, ratios: Mapping[str, float], wagers: Mapping[str, WagerOdds]) -> Combined:
    """Wagers that no play changes beside the base."""
    found = {BASE: ev, **{w: wagers[w].ev for w in ratios}}
    whole = ev + sum(ratio * found[wager] for wager, ratio in ratios.items())
    stake = StakeOdds(whole, -whole / (1 + sum(ratios.values())), found)
    return Combined(ratios, stake, stake)


@dataclass(frozen=True)
class _Sampled:
    """Random rounds: one box, and both together, in base wagers."""

    box: RoundEnds
    together_sd: float
    together_error: float


def _sampled(game: TwoBoxes, is_best: bool, ev: float) -> _Sampled:
    """The distribution of rounds, from random ones with the play that is priced.

    With few decks the best play is not played out: then it is basic play that is.
    """
    words = ""
    if is_best and can_be_simulated(game):
        moves = solved_joint_moves(game, "optimal")
    else:
        moves = basic_joint_moves(game, "basic")
        words = " with basic play" if is_best else ""
    both = _rounds(game, moves)
    boxes = both.reshape(-1)
    values, counts = np.unique(np.round(boxes, _DIGITS), return_counts=True)
    found = {
        value + 0.0: count / len(boxes)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True)
    }
    sd, error = _deviation(boxes, ev, len(both))
    wins = sum(chance for value, chance in found.items() if value > 0)
    together = both.sum(axis=1)
    together_sd, together_error = _deviation(together, BOXES * ev, len(both))
    ends = RoundEnds(
        results=dict(sorted(found.items())),
        ev=ev,
        sd=sd,
        error=error,
        win_error=math.sqrt(wins * (1 - wins) / len(both)),
        method=f"{len(both):,} random rounds of both boxes{words} (seed {SEED})",
    )
    return _Sampled(ends, together_sd, together_error)


def _deviation(results: Floats, ev: float, rounds: int) -> tuple[float, float]:
    """The deviation of results whose mean is known, and its error; boxes of a round count as one,
    which is the most that it can be.
    """
    square = float((results**2).mean())
    sd = math.sqrt(max(0.0, square - ev * ev))
    error = math.sqrt(float((results**2).var()) / rounds)
    return sd, error / (2 * sd) if sd else 0.0


def _rounds(game: TwoBoxes, moves: Moves) -> Floats:
    """Net results of random rounds by box, in base wagers."""
    table = TableSetup(game.tables, game.aim.bet, seats=BOXES)
    kept, out, shoe = table.kept(_CHUNK), table.out(_CHUNK), table.shoe()
    begin_stream(shoe.now, np.uint64(SEED), np.uint64(0))
    machine = whole_machine(table, moves, kept)._replace(
        cut=FRESH_CUT,
        insurance=None,
        stacked=Stacked(cards=0, endless=game.endless),
    )
    found: list[Floats] = []
    missing = ROUNDS
    while missing > 0:
        played = min(_CHUNK, missing)
        play_rounds(machine, shoe, out, played, None)
        net = out.net[0, : played * BOXES].reshape(played, BOXES)
        found.append(np.asarray(net * (table.unit / table.bet), dtype=np.float64))
        missing -= played
    return np.concatenate(found)
