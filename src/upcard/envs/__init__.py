"""Environments for learning: every game as a gymnasium environment, one round or many at once.

Importing this package registers `upcard/Round-v0`.
"""

from __future__ import annotations

from importlib.util import find_spec

from upcard.errors import UpcardError

if find_spec("gymnasium") is None:
    raise UpcardError('environments need gymnasium: install "upcard[rl]"')

from upcard.compile.context import Action
from upcard.envs.observe import Flat
from upcard.envs.single import RoundEnv
from upcard.envs.vector import RoundVectorEnv
from upcard.round.kernel_types import Pause
from upcard_gymnasium import ID, register

__all__ = ["ID", "Action", "Flat", "Pause", "RoundEnv", "RoundVectorEnv"]

register()
