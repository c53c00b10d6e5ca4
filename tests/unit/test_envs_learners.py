"""Environments as the usual learning libraries make and use them, and the pictures they ask for.

What `make_vec_env` of stable_baselines3 and the masks of sb3_contrib do is done here step by step,
since those libraries are too large for the tests.
"""

from __future__ import annotations

import subprocess
import sys
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics

from upcard import GAME_IDS, tables_for
from upcard.cards import DECK, RANKS, SUITS
from upcard.compile.context import Action
from upcard.envs import ID, RoundVectorEnv
from upcard.envs.canvas import STROKES, Canvas, fitted, letter_mask, shape_mask, text_width
from upcard.envs.picture import HEIGHT, WIDTH, picture
from upcard.envs.shown import ShownCard, ShownHand, ShownRound
from upcard.round.kernel_types import Pause

SHAPE = (HEIGHT, WIDTH, 3)


class Monitor(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A wrapper that knows nothing of masks, such as learners put around environments."""


class Batch:
    """Environments stepped in turn, as `DummyVecEnv` does."""

    def __init__(self, count: int, seed: int, **options: Any) -> None:
        self.envs = [self._made(seed + rank, options) for rank in range(count)]
        assert {env.get_wrapper_attr("render_mode") for env in self.envs} == {"rgb_array"}
        space = self.envs[0].observation_space
        assert isinstance(space, gymnasium.spaces.Dict)
        self.seen = {
            name: np.zeros((count, *(part.shape or ())), part.dtype) for name, part in space.items()
        }
        for rank, env in enumerate(self.envs):
            self._keep(rank, env.reset(seed=seed + rank)[0])

    @staticmethod
    def _made(seed: int, options: dict[str, Any]) -> gymnasium.Env[Any, Any]:
        env = gymnasium.make(ID, **{"render_mode": "rgb_array", **options})
        env.action_space.seed(seed)
        return Monitor(env)

    def _keep(self, rank: int, seen: dict[str, Any]) -> None:
        for name, value in seen.items():
            self.seen[name][rank] = value

    def masks(self) -> npt.NDArray[np.bool_]:
        return np.stack([env.get_wrapper_attr("action_masks")() for env in self.envs])

    def step(self, actions: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
        infos = []
        for rank, env in enumerate(self.envs):
            seen, reward, terminated, truncated, info = env.step(actions[rank])
            info = {**info, "reward": np.float32(reward)}
            if terminated or truncated:
                info["terminal_observation"] = seen
                seen, _ = env.reset()
            self._keep(rank, seen)
            infos.append(info)
        return deepcopy(infos)


@pytest.mark.parametrize("game", GAME_IDS)
def test_learners_make_step_and_mask_environments_by_their_id(game: str) -> None:
    batch = Batch(3, 7, game=game)
    rng = np.random.default_rng(1)
    rounds = 0
    for _ in range(60):
        masks = batch.masks()
        assert masks.shape == (3, len(Action))
        assert masks.dtype == np.bool_
        assert masks.any(axis=1).all()
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        infos = batch.step(actions)
        ended = [info for info in infos if "terminal_observation" in info]
        assert not any(info["illegal"] for info in ended), "masks are those of the next decision"
        rounds += len(ended)
        for rank, env in enumerate(batch.envs):
            assert {
                name: value[rank] for name, value in batch.seen.items()
            } in env.observation_space
    assert rounds > 20
    for env in batch.envs:
        shown = env.render()
        assert isinstance(shown, np.ndarray)
        assert shown.shape == SHAPE
        assert shown.dtype == np.uint8


def test_the_id_is_all_that_is_needed() -> None:
    """In processes of their own, as learners start them."""
    script = (
        "import sys, gymnasium as g\n"
        "assert 'upcard' not in sys.modules\n"
        f"one = g.make({ID!r}, game='twisted-21', render_mode='rgb_array')\n"
        f"many = g.make_vec({ID!r}, num_envs=2, vectorization_mode='vector_entry_point')\n"
        "one.reset(seed=1); many.reset(seed=1)\n"
        "print(one.render().shape, type(many).__name__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, text=True
    )
    assert (done.stdout.strip(), done.returncode) == (f"{SHAPE} RoundVectorEnv", 0), done.stderr


@pytest.mark.parametrize("game", GAME_IDS)
def test_gymnasium_finds_nothing_wrong_with_any_way_to_render(game: str) -> None:
    env = gymnasium.make(ID, game=game, render_mode="rgb_array")
    assert env.unwrapped.metadata["render_modes"] == ["ansi", "rgb_array"]
    check_env(env.unwrapped)


def test_many_rounds_are_rendered_side_by_side() -> None:
    many = gymnasium.make_vec(
        ID, num_envs=3, vectorization_mode="vector_entry_point", render_mode="rgb_array"
    )
    assert isinstance(many, RoundVectorEnv)
    assert many.render() is None
    many.reset(seed=[4, 5, 4])
    shown = many.render()
    assert shown is not None
    assert all(one.shape == SHAPE for one in shown)
    assert np.array_equal(shown[0], shown[2])
    assert not np.array_equal(shown[0], shown[1])
    single = gymnasium.make(ID, render_mode="rgb_array")
    single.reset(seed=5)
    assert np.array_equal(shown[1], np.asarray(single.render()))
    by_turns = gymnasium.make_vec(
        ID, num_envs=2, vectorization_mode="sync", render_mode="rgb_array"
    )
    by_turns.reset(seed=1)
    found: Any = by_turns.render()
    assert [one.shape for one in found] == [SHAPE, SHAPE]
    by_turns.close()


def test_frames_can_be_recorded() -> None:
    """Wrappers that film a round want a picture of the same size after every step."""
    env = gymnasium.wrappers.RenderCollection(
        RecordEpisodeStatistics(gymnasium.make(ID, game="ten-sticks-21", render_mode="rgb_array"))
    )
    _, info = env.reset(seed=3)
    ended = False
    while not ended:
        _, _, ended, _, info = env.step(int(info["action_mask"].argmax()))
    frames: Any = env.render()
    assert len(frames) >= 2
    assert {frame.shape for frame in frames} == {SHAPE}


# ------------------------------------------------------------------------------------ pictures


def table(**changes: Any) -> ShownRound:
    cards = tuple(ShownCard(DECK[number], marked=False) for number in (0, 25))
    hand = ShownHand(cards, "21", bust=False, active=True, doubles=0)
    usual: dict[str, Any] = {
        "name": "Blackjack",
        "phase": Pause.TURN,
        "dealer": cards[:1],
        "hidden": 1,
        "dealer_result": "",
        "hands": (hand,),
        "lights": 0,
        "lit": 0,
        "legal": (),
        "nets": {},
    }
    return ShownRound(**{**usual, **changes})


def hand_of(*cards: ShownCard, **changes: Any) -> ShownHand:
    usual: dict[str, Any] = {"total": "12", "bust": False, "active": False, "doubles": 0}
    return ShownHand(cards, **{**usual, **changes})


def test_every_card_looks_different() -> None:
    pictures = {
        picture(table(dealer=(ShownCard(card, marked=marked),))).tobytes()
        for card in DECK
        for marked in (False, True)
    }
    assert len(pictures) == 104


def test_whatever_is_shown_changes_the_picture() -> None:
    card = ShownCard(DECK[3], marked=False)
    over = {"phase": Pause.OVER, "hidden": 0}
    tables = [
        table(),
        table(hidden=0),
        table(name="Twisted 21"),
        table(dealer_result="19"),
        table(lights=10),
        table(lights=10, lit=4),
        table(hands=(hand_of(card),)),
        table(hands=(hand_of(card, active=True),)),
        table(hands=(hand_of(card, total="soft 12"),)),
        table(hands=(hand_of(card, bust=True),)),
        table(hands=(hand_of(card, doubles=1),)),
        table(hands=(hand_of(card, doubles=2),)),
        table(hands=(hand_of(card), hand_of(card))),
        table(**over, nets={"base": 500}),
        table(**over, nets={"base": -500}),
        table(**over, nets={"base": 500, "insurance": -250}),
        table(phase=Pause.INSURANCE),
    ]
    assert len({picture(one).tobytes() for one in tables}) == len(tables)


def test_a_full_table_keeps_inside_its_rail() -> None:
    """More cards, hands, lights and letters than any game has."""
    many = tuple(ShownCard(card, marked=False) for card in DECK)
    full = table(
        name="The longest name that anybody has given to any game of cards so far",
        dealer=many,
        hands=(hand_of(*many, active=True, doubles=9),) * 8,
        lights=20,
        lit=20,
        phase=Pause.OVER,
        nets={f"wager-{number}": 10**9 for number in range(20)},
    )
    rail = np.ones(SHAPE[:2], dtype=np.bool_)
    rail[20:-20, 14:-14] = False
    assert np.array_equal(picture(full)[rail], picture(table())[rail])


def test_letters_and_suits_can_be_told_apart() -> None:
    letters = [letter_mask(letter, 16) for letter in STROKES if letter != "0"]
    assert len({(mask.shape, mask.tobytes()) for mask in letters}) == len(letters)
    names = "".join(tables_for(game).name for game in GAME_IDS) + "".join(RANKS)
    assert {letter for letter in names.upper() if letter != " "} <= STROKES.keys()
    suits = [shape_mask(suit, 20) for suit in SUITS]
    assert len({mask.tobytes() for mask in suits}) == 4
    for mask in (*letters, *suits):
        assert 0 <= mask.min() < 0.1
        assert 0.5 < mask.max() <= 1


def test_long_words_are_shortened_and_odd_letters_are_shown_as_unknown() -> None:
    assert fitted("hit, stand", 1000, 12) == "hit, stand"
    short = fitted("hit, stand, double or surrender", 100, 12)
    assert short.endswith("...")
    assert text_width(short, 12) <= 100
    assert np.array_equal(letter_mask("\N{SNOWMAN}", 12), letter_mask("?", 12))
    canvas = Canvas(20, 20, (0, 0, 0))
    canvas.text("outside", -500, -500, 12, (255, 255, 255))
    canvas.text("outside", 500, 500, 12, (255, 255, 255))
    assert not canvas.finished().any()
