"""Environments for learning: every game as a gymnasium environment, one round or many at once.

Importing this package registers `upcard/Round-v0`.
"""

from __future__ import annotations

from importlib.util import find_spec

from upcard.errors import UpcardError

if find_spec("gymnasium") is None:
    raise UpcardError('environments need gymnasium: install "upcard[rl]"')

import gymnasium

from upcard.compile.context import Action
from upcard.envs.bundles import Phase
from upcard.envs.observe import Flat
from upcard.envs.single import RoundEnv
from upcard.envs.vector import RoundVectorEnv

__all__ = ["ID", "Action", "Flat", "Phase", "RoundEnv", "RoundVectorEnv"]

ID = "upcard/Round-v0"

if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="upcard.envs.single:RoundEnv",
        vector_entry_point="upcard.envs.vector:RoundVectorEnv",
    )
