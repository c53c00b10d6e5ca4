"""One round at a time: gymnasium's environment over the same kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from upcard.compile.tables import GameTables
from upcard.envs.round_text import dealer_text
from upcard.envs.vector import METADATA, PENALTY, RoundVectorEnv


class RoundEnv(gymnasium.Env[dict[str, Any], Any]):
    """One round of one seat against the dealer; every step is a decision of the player.

    >>> import gymnasium
    >>> env = gymnasium.make("upcard.envs:upcard/Round-v0", game="ten-sticks-21")
    >>> observation, info = env.reset(seed=3)
    >>> int(info["action_mask"].sum()) > 0
    True
    """

    def __init__(
        self,
        game: str | GameTables = "blackjack",
        *,
        settings: Mapping[str, str] | None = None,
        sides: Iterable[str] = (),
        bet: int | None = None,
        wagers: Mapping[str, float | str | Fraction] | None = None,
        fees: bool = False,
        shoe: str = "fresh",
        sees_cards: bool = False,
        illegal: str = "lose",
        penalty: float = PENALTY,
        render_mode: str | None = None,
    ) -> None:
        self.rounds = RoundVectorEnv(
            game,
            1,
            settings=settings,
            sides=sides,
            bet=bet,
            wagers=wagers,
            fees=fees,
            shoe=shoe,
            sees_cards=sees_cards,
            illegal=illegal,
            penalty=penalty,
            autoreset="disabled",
            render_mode=render_mode,
        )
        self.render_mode = render_mode
        self.observation_space = self.rounds.single_observation_space
        self.action_space = self.rounds.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a new round; with a seed from a new shoe, with no lights, always the same one."""
        super().reset(seed=seed)
        if seed is None and self.rounds.told is None:
            seed = int(self.np_random.integers(2**62))
        observation, info = self.rounds.reset(seed=seed, options=options)
        return _first(observation), {"action_mask": info["action_mask"][0], **_draft(info)}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take one action; at the end the reward is the net result in base wagers."""
        observation, rewards, ended, _, found = self.rounds.step(np.array([action]))
        info: dict[str, Any] = {"action_mask": found["action_mask"][0], **_draft(found)}
        is_over = bool(ended[0])
        if is_over:
            rounds = self.rounds
            result = int(found["dealer"][0])
            info["net"] = {name: int(cents[0]) for name, cents in found["net"].items()}
            info["dealer"] = dealer_text(rounds, 0)
            info["result"] = rounds.dealer_results[result] if result >= 0 else ""
            info["illegal"] = bool(found["illegal"][0]) if "illegal" in found else False
        return _first(observation), float(rewards[0]), is_over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions, as learners that mask actions ask for them."""
        masks: npt.NDArray[np.bool_] = self.rounds.action_masks()[0]
        return masks

    def render(self) -> Any:
        """The round for people: a few lines, or a picture as an array of pixels."""
        shown = self.rounds.render()
        return None if shown is None else shown[0]


RoundEnv.metadata = {**METADATA}


def _draft(info: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a draft, if the game is one."""
    return {key: info[key] for key in ("draft",) if key in info}


def _first(observation: Mapping[str, npt.NDArray[np.int64]]) -> dict[str, Any]:
    return {name: value[0] for name, value in observation.items()}
