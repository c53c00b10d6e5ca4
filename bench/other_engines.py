"""How fast other public engines play blackjack, each by random legal play in one process.

A step is a decision of the player; cards that an engine asks for one by one are not counted.
Their games are simpler than the house's blackjack (most know only hit and stand), so the numbers
say what a step of an engine costs, not which of them plays more. Every engine is optional.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

SECONDS = 2.0
ENVIRONMENTS = 64
WARM_UP = 50
_BLOCK = 200
"""Rounds between two looks at the clock."""


class Speed(NamedTuple):
    """What an engine does in a second."""

    name: str
    version: str
    steps_per_second: float
    rounds_per_second: float


class Count(NamedTuple):
    """Decisions made and rounds finished."""

    steps: int
    rounds: int


def gymnasium_single(seconds: float = SECONDS, seed: int = 21) -> Speed | None:
    """One environment of gymnasium's own blackjack."""
    gymnasium = _package("gymnasium")
    if gymnasium is None:
        return None
    environment = gymnasium.make("Blackjack-v1")
    environment.reset(seed=seed)
    chance = random.Random(seed)

    def play(rounds: int) -> Count:
        steps = 0
        for _ in range(rounds):
            environment.reset()
            over = False
            while not over:
                _, _, terminated, truncated, _ = environment.step(chance.getrandbits(1))
                over = terminated or truncated
                steps += 1
        return Count(steps, rounds)

    try:
        return _measured("gymnasium Blackjack-v1", "gymnasium", play, seconds)
    finally:
        environment.close()


def gymnasium_vector(
    seconds: float = SECONDS, seed: int = 21, environments: int = ENVIRONMENTS
) -> Speed | None:
    """Many environments of gymnasium's blackjack, stepped together in one process.

    After the end of a round an environment takes one call to reset, which is no decision.
    """
    gymnasium = _package("gymnasium")
    numpy = _package("numpy")
    if gymnasium is None or numpy is None:
        return None
    vector = gymnasium.make_vec("Blackjack-v1", num_envs=environments, vectorization_mode="sync")
    vector.reset(seed=seed)
    chance = numpy.random.default_rng(seed)
    over = numpy.zeros(environments, dtype=bool)

    def play(rounds: int) -> Count:
        nonlocal over
        steps = finished = 0
        while finished < rounds:
            steps += environments - int(over.sum())
            _, _, terminated, truncated, _ = vector.step(chance.integers(0, 2, environments))
            over = terminated | truncated
            finished += int(over.sum())
        return Count(steps, finished)

    try:
        name = f"gymnasium Blackjack-v1, {environments} in sync"
        return _measured(name, "gymnasium", play, seconds)
    finally:
        vector.close()


def rlcard_single(seconds: float = SECONDS, seed: int = 21) -> Speed | None:
    """One environment of rlcard's blackjack, one player against the dealer."""
    rlcard = _package("rlcard")
    if rlcard is None:
        return None
    environment = rlcard.make("blackjack", config={"seed": seed})
    chance = random.Random(seed)

    def play(rounds: int) -> Count:
        steps = 0
        for _ in range(rounds):
            state, _ = environment.reset()
            while not environment.is_over():
                action = chance.choice(list(state["legal_actions"]))
                state, _ = environment.step(action)
                steps += 1
        return Count(steps, rounds)

    return _measured("rlcard blackjack", "rlcard", play, seconds)


def open_spiel_single(seconds: float = SECONDS, seed: int = 21) -> Speed | None:
    """OpenSpiel's blackjack, its cards dealt here from those that it names.

    They are always equally likely, so picking one at once is right, and quicker than by weights.
    """
    pyspiel = _package("pyspiel")
    if pyspiel is None:
        return None
    game = pyspiel.load_game("blackjack")
    chance = random.Random(seed)

    def play(rounds: int) -> Count:
        steps = 0
        for _ in range(rounds):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    cards = state.chance_outcomes()
                    state.apply_action(cards[int(chance.random() * len(cards))][0])
                else:
                    state.apply_action(chance.choice(state.legal_actions()))
                    steps += 1
        return Count(steps, rounds)

    return _measured("OpenSpiel blackjack", "open_spiel", play, seconds)


ENGINES: tuple[Callable[[float], Speed | None], ...] = (
    gymnasium_single,
    gymnasium_vector,
    rlcard_single,
    open_spiel_single,
)


def all_engines(seconds: float = SECONDS) -> list[Speed]:
    """The speeds of all engines that are installed."""
    found = (engine(seconds) for engine in ENGINES)
    return [speed for speed in found if speed is not None]


def _package(name: str) -> Any:
    """A package, or None with a word about it."""
    try:
        return import_module(name)
    except ImportError as error:
        print(f"  {name} cannot be measured: {error}")
        return None


def _measured(name: str, package: str, play: Callable[[int], Count], seconds: float) -> Speed:
    """Play blocks of rounds until the time is up, after a few that do not count."""
    play(WARM_UP)
    steps = rounds = 0
    start = time.perf_counter()
    while True:
        done = play(_BLOCK)
        steps += done.steps
        rounds += done.rounds
        spent = time.perf_counter() - start
        if spent >= seconds:
            return Speed(name, version(package), steps / spent, rounds / spent)


def main() -> None:
    print("Random play in one process, decisions and rounds a second")
    for speed in all_engines():
        named = f"{speed.name} ({speed.version})"
        print(f"  {named:48} {speed.steps_per_second:12,.0f} {speed.rounds_per_second:12,.0f}")


if __name__ == "__main__":
    main()
