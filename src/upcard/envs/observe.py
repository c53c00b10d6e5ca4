"""What a player sees, as gymnasium's spaces, and the same as one flat vector for learners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from upcard.envs.setup import Setup
from upcard.envs.stepping import BOXES
from upcard.round.kernel_types import Pause

SEEN = "seen"
ONE_HOT = ("phase", "up", "pair", *BOXES[1:])
"""Observations without an order: each of their values has a place of its own in a flat vector."""
NOT_FLAT = ("state", "context")
"""Numbers of table rows: the other observations say the same in a way that can be learned from."""


def observation_space(setup: Setup, *, sees_cards: bool) -> spaces.Dict:
    """The space of one environment's observations."""
    exchanges = setup.tables.round_plan.exchanges
    sizes = {"phase": len(Pause) if exchanges else int(Pause.EXCHANGE), **setup.sizes}
    fields: dict[str, spaces.Space[Any]] = {
        name: spaces.Discrete(sizes[name]) for name in setup.observed
    }
    if sees_cards:
        counts = setup.tables.alphabet.counts.astype(np.int64)
        fields[SEEN] = spaces.Box(np.zeros_like(counts), counts, dtype=np.int64)
    return spaces.Dict(fields)


class Flat:
    """Observations as vectors of numbers from 0 to 1.

    >>> import upcard.envs
    >>> env = upcard.envs.RoundVectorEnv("blackjack", num_envs=3)
    >>> flat = upcard.envs.Flat(env.single_observation_space)
    >>> observation, _ = env.reset(seed=1)
    >>> flat(observation).shape == (3, flat.size)
    True
    >>> flat.names[:5]
    ('cards', 'doubles', 'hand', 'hands', 'insured')
    """

    def __init__(self, space: spaces.Space[Any]) -> None:
        assert isinstance(space, spaces.Dict), "the space of one environment"
        self._parts: list[tuple[str, int, npt.NDArray[np.float32]]] = []
        names: list[str] = []
        for name, part in space.items():
            if name in NOT_FLAT:
                continue
            if isinstance(part, spaces.Box):
                high = np.maximum(part.high, 1).astype(np.float32)
                self._parts.append((name, 0, high))
                names += [f"{name}[{place}]" for place in range(len(high))]
                continue
            assert isinstance(part, spaces.Discrete)
            size = int(part.n)
            if name in ONE_HOT:
                self._parts.append((name, size, np.ones(size, dtype=np.float32)))
                names += [f"{name}={value}" for value in range(size)]
            elif size > 1:
                self._parts.append((name, 0, np.array([size - 1], dtype=np.float32)))
                names.append(name)
        self.names = tuple(names)
        self.size = len(names)
        self.space = spaces.Box(0.0, 1.0, (self.size,), dtype=np.float32)

    def __call__(self, observation: Mapping[str, Any]) -> npt.NDArray[np.float32]:
        """One observation as a vector, or those of many environments as rows."""
        many = np.ndim(observation[ONE_HOT[0]])
        columns = []
        for name, size, scale in self._parts:
            value = np.asarray(observation[name])
            if size:
                columns.append((value[..., None] == np.arange(size)).astype(np.float32))
            else:
                value = value if value.ndim > many else value[..., None]
                columns.append(value.astype(np.float32) / scale)
        return np.concatenate(columns, axis=-1)
