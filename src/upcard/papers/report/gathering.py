"""Every figure of a report, by the same functions as the commands that print them."""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.papers.option_effects import OptionEffects, option_effects
from upcard.papers.removal import Removal, removal
from upcard.papers.simplified import Simplified, simplify
from upcard.simulate.run import Goal, Threads, run
from upcard.solve.chart import Chart, draw_chart
from upcard.solve.odds import Odds, odds
from upcard.solve.readings import Readings
from upcard.solve.result import Progress, silent
from upcard.trial.bank import BankGrid, bank_grid
from upcard.trial.bank_readings import price_all_readings
from upcard.trial.trials import Request, Result, prepare

ROUNDS = 10_000_000
SESSION = 500
SEED = 1
POLICY = "basic"
OPTIONS_LEFT_OUT = (
    "Boxes of this game exchange cards, and each set of rules takes as long as the whole game: "
    "effects of options are left out here. The command below works them out."
)


@dataclass(frozen=True)
class Asked:
    """What a report is asked for: a game, its settings as they were typed, wager and rounds."""

    game: str
    settings: Mapping[str, str]
    typed: tuple[str, ...] = ()
    """The settings as arguments of a command: `--set`, `decks=1`."""
    bet: int | None = None
    typed_bet: tuple[str, ...] = ()
    rounds: int = ROUNDS

    def command(self, verb: str, *more: str) -> str:
        """A command about the same game, as it is typed."""
        bet = () if verb == "bank" else self.typed_bet
        return shlex.join(["upcard", verb, self.game, *self.typed, *bet, *more])


@dataclass(frozen=True)
class Figures:
    """Everything that a report tells. `simulated` is compared with exact values, `sessions` has the
    sessions; they are one run where prizes do not depend on how long a player stays.
    """

    asked: Asked
    tables: GameTables
    odds: Odds
    chart: Chart
    simplified: Simplified
    readings: Readings
    options: OptionEffects | None
    removal: Removal | None
    no_removal: str
    simulated: Result
    sessions: Result
    bank: BankGrid | None
    no_bank: str

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands that give every figure again, by what they are for."""
        asked = self.asked
        rounds = ("--rounds", str(asked.rounds), "--seed", str(SEED))
        session = (*rounds, "--session", str(SESSION))
        found = {
            "rules": shlex.join(["upcard", "rules", asked.game, *asked.typed]),
            "odds": asked.command("odds"),
            "strategy": asked.command("strategy"),
            "simplified": asked.command("strategy", "--simplify"),
            "options": asked.command("odds", "--options"),
            "readings": asked.command("readings"),
            "removal": asked.command("odds", "--removal"),
            "sessions": asked.command("simulate", *session),
        }
        if self.simulated is not self.sessions:
            found["simulate"] = asked.command("simulate", *rounds)
        if self.bank is not None:
            found["bank"] = asked.command("bank")
        return found


def gather(asked: Asked, progress: Progress = silent) -> Figures:
    """Work out every figure; parts that do not need each other share the cores."""
    tables = tables_for(asked.game, asked.settings)
    bet = asked.bet

    def load(settings: Mapping[str, str]) -> GameTables:
        return tables_for(asked.game, settings)

    exchanges = bool(tables.round_plan.exchanges)
    parts: dict[str, Callable[[Progress], Any]] = {
        "odds": lambda told: odds(tables, bet=bet, progress=told),
        "readings": lambda told: price_all_readings(
            load, dict(asked.settings), bet=bet, progress=told
        ),
        "options": lambda told: (
            None
            if exchanges
            else option_effects(load, dict(asked.settings), bet=bet, progress=told)
        ),
        "removal": lambda told: _removal(tables, bet, told),
        "chart": lambda told: draw_chart(tables, bet=bet, progress=told),
        "simplified": lambda told: simplify(tables, bet=bet, progress=told),
        "bank": lambda told: _bank(tables, told),
    }
    found = _side_by_side(parts, progress)
    sessions = _simulated(asked, tables, SESSION, progress)
    simulated = sessions
    if tables.carry is not None:
        simulated = _simulated(asked, tables, None, progress)
    progress("writing", 1.0)
    removed, no_removal = found["removal"]
    grid, no_bank = found["bank"]
    return Figures(
        asked=asked,
        tables=tables,
        odds=found["odds"],
        chart=found["chart"],
        simplified=found["simplified"],
        readings=found["readings"],
        options=found["options"],
        removal=removed,
        no_removal=no_removal,
        simulated=simulated,
        sessions=sessions,
        bank=grid,
        no_bank=no_bank,
    )


def _side_by_side(
    parts: Mapping[str, Callable[[Progress], Any]], progress: Progress
) -> dict[str, Any]:
    """All parts, as many at once as there are cores, with one progress of them all."""
    shares = dict.fromkeys(parts, 0.0)
    lock = threading.Lock()

    def told(name: str) -> Progress:
        def tell(part: str, share: float) -> None:
            with lock:
                shares[name] = max(shares[name], min(1.0, share) * 0.99)
                progress(f"{name}: {part}", sum(shares.values()) / len(shares))

        return tell

    def work(name: str) -> Any:
        found = parts[name](told(name))
        with lock:
            shares[name] = 1.0
            progress(name, sum(shares.values()) / len(shares))
        return found

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        under_way = {name: pool.submit(work, name) for name in parts}
        try:
            return {name: part.result() for name, part in under_way.items()}
        finally:
            for part in under_way.values():
                part.cancel()


def _removal(tables: GameTables, bet: int | None, progress: Progress) -> tuple[Removal | None, str]:
    try:
        return removal(tables, bet=bet, progress=progress), ""
    except UpcardError as error:
        return None, str(error)


def _bank(tables: GameTables, progress: Progress) -> tuple[BankGrid | None, str]:
    """The bank's side, where a player banks; a game may be of a kind that it is not known for."""
    if tables.money.house_banks:
        return None, ""
    try:
        return bank_grid(tables, progress=progress), ""
    except UpcardError as error:
        return None, str(error)


def _simulated(asked: Asked, tables: GameTables, session: int | None, progress: Progress) -> Result:
    """Random rounds, the same as by `upcard simulate` with the same numbers."""
    request = Request(
        game=asked.game,
        settings=dict(asked.settings),
        policy=POLICY,
        seed=SEED,
        bet=asked.bet,
        session=session,
    )
    goal = Goal(asked.rounds)
    trial = prepare(request, tables=tables)
    job = trial.job.for_rounds(goal.rounds)
    progress("simulation: compiling", 0.0)
    job.play(0, 1, 1)
    with Threads([job], os.cpu_count() or 1) as workers:

        def watch(seen: Any) -> None:
            progress("simulation", min(1.0, seen.rounds / asked.rounds))

        (outcome,) = run([job], goal, workers, watch=watch)
    return Result(trial, outcome)


def check_rounds(rounds: int) -> None:
    """Refuse a simulation that has no whole session, or that takes too long for a report."""
    if not SESSION <= rounds <= MOST_ROUNDS:
        raise UpcardError(
            f"a report simulates {SESSION} to {MOST_ROUNDS:,} rounds (--rounds), not {rounds:,}"
        )


MOST_ROUNDS = 10**10


def names_of(commands: Mapping[str, str], names: Sequence[str]) -> str:
    """Some of the commands, one a line."""
    return "\n".join(commands[name] for name in names if name in commands)
