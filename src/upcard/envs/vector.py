"""Many rounds side by side: gymnasium's vector environment over one kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from upcard.compile.context import Action
from upcard.compile.tables import GameTables, settings_with
from upcard.envs.observe import SEEN, observation_space
from upcard.envs.picture import picture
from upcard.envs.round_text import round_text
from upcard.envs.setup import set_up
from upcard.envs.shown import shown
from upcard.envs.stepping import (
    BOXES,
    Told,
    answer,
    first_refused,
    next_rounds,
    observe,
    observe_boxes,
    pay,
    seed_streams,
    show_masks,
)
from upcard.errors import UpcardError
from upcard.money import INSURANCE
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import (
    ACTIONS,
    ANEW,
    LEAVE,
    MASK,
    STAGE,
    SYMBOL,
    Bools,
    Ints,
    Pause,
    Stops,
)
from upcard.round.machines import whole_machine
from upcard.round.settle import settle_insurance, settle_sides
from upcard.text import listed

Observation = dict[str, npt.NDArray[np.int64]]
ILLEGAL = ("raise", "lose")
TWO_BOXES = 2
PENALTY = 10.0
"""Base wagers that an illegal action costs, unless told otherwise: more than most rounds lose."""
RENDER_MODES = ("ansi", "rgb_array")
METADATA: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 1}
MODES = {
    "next-step": AutoresetMode.NEXT_STEP,
    "same-step": AutoresetMode.SAME_STEP,
    "disabled": AutoresetMode.DISABLED,
}


class RoundVectorEnv(VectorEnv[Observation, Any, npt.NDArray[Any]]):
    """Rounds of one game, each a player against the dealer, all stepped by one kernel.

    >>> import upcard.envs
    >>> env = upcard.envs.RoundVectorEnv("blackjack", num_envs=4)
    >>> observation, info = env.reset(seed=7)
    >>> observation["total"].shape, info["action_mask"].shape
    ((4,), (4, 15))
    """

    def __init__(
        self,
        game: str | GameTables = "blackjack",
        num_envs: int = 1,
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
        autoreset: str | AutoresetMode = "next-step",
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise UpcardError(f"num_envs is 1 or more, not {num_envs}")
        if illegal not in ILLEGAL:
            raise UpcardError(f"illegal is {listed(ILLEGAL)}, not {illegal!r}")
        if not isinstance(autoreset, AutoresetMode) and autoreset not in MODES:
            raise UpcardError(f"autoreset is {listed(MODES)}, not {autoreset!r}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UpcardError(
                f"render_mode is {listed((*RENDER_MODES, None))}, not {render_mode!r}"
            )
        mode = autoreset if isinstance(autoreset, AutoresetMode) else MODES[autoreset]
        settings = settings_with(settings or {}, sides)
        self.setup = set_up(game, settings, bet, wagers, fees=fees, shoe=shoe, penalty=penalty)
        self.tables = self.setup.tables
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**METADATA, "autoreset_mode": mode}
        self.mode = mode
        self.sees_cards = sees_cards
        self.any_goes = illegal == "lose"
        self.single_observation_space = observation_space(self.setup, sees_cards=sees_cards)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.dealer_results = tuple(found.name for found in self.tables.dealer.classes)
        table = self.setup.table
        self.stops = self.setup.stops(num_envs)
        self.shoe, self.kept = table.shoe(), table.kept(num_envs)
        self.out = table.out(num_envs)._replace(
            insured=np.zeros(num_envs * table.seats, dtype=np.bool_),
            insured_at=np.zeros(num_envs * table.seats, dtype=np.int64),
        )
        machine = whole_machine(table, self.setup.moves, self.kept, side_by_side=num_envs)
        # One compiled kernel serves players with one box and with two.
        self.machine = machine._replace(crowd=table.crowd_of([0] * table.seats))
        returns, carried = self.machine.returns, self.machine.carried
        assert returns is not None
        assert carried is not None
        self.here, self.held, self.lit = self.machine.here, returns, carried.lit
        self.told: Told | None = None

    # ------------------------------------------------------------------ gymnasium's methods

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new round everywhere, or where `options["reset_mask"]` says so.

        Environment number i has the stream (seed, i); with a sequence of seeds it has the stream of
        a single environment with its own seed. `options["lit"]` sets the lights that are lit.
        """
        wanted = self._wanted(options)
        numbers = np.flatnonzero(wanted)
        if isinstance(seed, Sequence):
            if len(seed) != self.num_envs:
                raise UpcardError(
                    f"{self.num_envs} environments need as many seeds, not {len(seed)}"
                )
            super().reset(seed=seed[0])
            self._begin(
                numbers, np.array([_short(s) for s in seed])[wanted], np.zeros_like(numbers)
            )
        elif seed is not None:
            super().reset(seed=seed)
            self._begin(numbers, np.full(len(numbers), _short(seed)), numbers)
        elif self.told is None:
            own = int(self.np_random.integers(2**62))
            every = np.arange(self.num_envs)
            self._begin(every, np.full(self.num_envs, own), every)
        if options is not None and "lit" in options:
            self.lit[numbers] = self._lit(options["lit"])
        self._go(np.where(wanted, ANEW, LEAVE))
        return self._observation(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Take one action in every environment."""
        if self.told is None:
            raise UpcardError("no round has been dealt: call reset first")
        actions = np.ascontiguousarray(actions)
        if actions.dtype.kind not in "iu":
            raise UpcardError(f"actions are whole numbers, not {actions.dtype}")
        actions = actions.astype(np.int64)
        if actions.shape != (self.num_envs,):
            raise UpcardError(
                f"{self.num_envs} environments need as many actions, not {actions.shape}"
            )
        goes_on = self.mode is not AutoresetMode.DISABLED
        refused = first_refused(self.stops.rows, actions, self.any_goes, goes_on)
        if refused >= 0:
            raise UpcardError(self._why(refused, int(actions[refused])))
        told = self._go(actions)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        return self._observation(), told.rewards, told.ended, truncated, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions, a row for every environment."""
        if self.told is None:
            raise UpcardError("no round has been dealt: call reset first")
        return self.told.masks.astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Every round for people: as a few lines or as a picture, by the render mode."""
        told = self.told
        if self.render_mode is None or told is None:
            return None
        found = (shown(self, told, number) for number in range(self.num_envs))
        return tuple(map(round_text if self.render_mode == "ansi" else picture, found))

    # ------------------------------------------------------------------ inside

    def _begin(self, wanted: Ints, seeds: Ints, numbers: Ints) -> None:
        deck, given = self.setup.deck, (seeds.astype(np.int64), numbers.astype(np.int64))
        seed_streams(self.stops, deck, self.lit, *given, wanted)

    def _go(self, actions: Ints) -> Told:
        """Take one action everywhere and go on to the next decision, or to the end."""
        setup, rows, choice = self.setup, self.stops.rows, self.stops.choice
        same_step = self.mode is AutoresetMode.SAME_STEP
        told = setup.told(self.num_envs, same_step=same_step)
        stops = self.stops._replace(over=told.ended, dealer=told.dealer)
        answer(rows, actions, choice, told, setup.penalty)
        self._play(stops)
        self._settle()
        unit, bet, boxes = setup.table.unit, setup.table.bet, setup.table.seats
        pay(self.stops, self.out, setup.paid_columns, unit, bet, boxes, told)
        if same_step and told.ended.any():
            self._observe(told.ending)
            # A round that is void as soon as it is dealt is followed by another.
            while next_rounds(rows, told.ended, choice):
                self._play(stops._replace(dealer=np.empty_like(told.dealer)))
        self._observe(told.seen_by)
        show_masks(rows, told.masks)
        self.told = told
        return told

    def _observe(self, block: Ints) -> None:
        setup, rows = self.setup, self.stops.rows
        observe(block, setup.labels, rows, self.lit)
        if setup.table.seats > 1:
            rules = setup.table.rules
            dealt = self.here.cards[: self.num_envs * rules.room].reshape(self.num_envs, -1)
            first = dealt[:, : TWO_BOXES * rules.most].reshape(self.num_envs, TWO_BOXES, -1)
            observe_boxes(block[-len(BOXES) :], rows, first.astype(np.int64) & int(SYMBOL))

    def _play(self, stops: Stops) -> None:
        play_rounds(self.machine, self.shoe, self.out, self.num_envs, stops)

    def _settle(self) -> None:
        """What all wagers but the base came to, of rounds that ended."""
        setup, out, ended = self.setup, self.out, int(self.stops.ended[0])
        if setup.sides is not None:
            settle_sides(
                setup.sides, self.kept, out.up, out.result, out.level, out.net, setup.table.seats
            )
        if setup.table.column(INSURANCE) > 0:
            insurance, natural = self.machine.insurance, setup.table.rules.natural_class
            assert insurance is not None
            settle_insurance(insurance, out, ended, setup.table.seats, natural, False)

    def _observation(self) -> Observation:
        assert self.told is not None
        found = dict(zip(self.setup.observed, self.told.seen_by, strict=True))
        if self.sees_cards:
            found[SEEN] = self.stops.seen.copy()
        return found

    def _info(self) -> dict[str, Any]:
        """Masks, and of rounds that ended what they came to; `_net` says which ones did."""
        told = self.told
        assert told is not None
        found: dict[str, Any] = {"action_mask": told.masks}
        if self.tables.head.draft:
            found["draft"] = self.tables.head.draft
        if told.ended.any():
            ended = told.ended.copy()
            found["net"] = dict(zip(self.setup.columns, told.net, strict=True))
            found["dealer"] = told.dealer
            found["_net"] = found["_dealer"] = ended
            if self.any_goes:
                found["illegal"] = told.illegal
            if self.mode is AutoresetMode.SAME_STEP:
                found["final_obs"] = dict(zip(self.setup.observed, told.ending, strict=True))
                found["_final_obs"] = ended
        return found

    def _wanted(self, options: dict[str, Any] | None) -> Bools:
        every = np.ones(self.num_envs, dtype=np.bool_)
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return every
        mask = np.asarray(mask)
        if mask.shape != every.shape or mask.dtype != np.bool_ or not mask.any():
            raise UpcardError(
                f"reset_mask is an array of {self.num_envs} truth values with one of them true"
            )
        if self.told is None:
            raise UpcardError("no round has been dealt: the first reset is without a reset_mask")
        return mask

    def _lit(self, lit: object) -> int:
        carry = self.tables.carry
        most = 0 if carry is None else len(carry.next) - 1
        if not isinstance(lit, int) or not 0 <= lit <= most:
            raise UpcardError(f"lights lit are 0 to {most} in {self.tables.name}, not {lit}")
        return lit

    def _why(self, number: int, action: int) -> str:
        """Why an action is refused."""
        where = f" in environment {number}" if self.num_envs > 1 else ""
        if not 0 <= action < ACTIONS:
            return f"an action is a number from 0 to {ACTIONS - 1}, not {action}{where}"
        stage, mask = self.stops.rows[number, [STAGE, MASK]].tolist()
        if stage == Pause.OVER:
            return f"the round is over{where}: call reset"
        legal = [f"{a.text} ({a.value})" for a in Action if mask & a.bit]
        what = Action(action)
        return f"{what.text} ({action}) is not legal{where}: legal is {listed(legal)}"


def _short(seed: int) -> int:
    """A seed of any length as one that the streams take."""
    return seed % 2**63
