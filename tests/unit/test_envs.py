"""Environments: gymnasium's contract, the rules of the tables, and the exact value of play."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList

import upcard.envs
from depth import deep, one_of_each
from upcard import GAME_IDS, GameTables, tables_for
from upcard.cards import DECK
from upcard.envs import Action, Flat, Pause, RoundEnv, RoundVectorEnv
from upcard.errors import UpcardError
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import AT, END
from upcard.round.policy import OpenPlay, by_state, reachable, twins
from upcard.round.setup import TableSetup
from upcard.simulate.job import Job
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.joint_moves import basic_joint_moves
from upcard.solve.lights import base_value, light_share
from upcard.solve.observers import card_wager
from upcard.solve.odds import Solver
from upcard.solve.solution import Aim
from upcard.solve.two_boxes import TwoBoxes

ROOT = Path(__file__).parents[2]
ENVS = 4096
FAR = 4.0
"""Standard errors that a mean may be off."""

Setting = tuple[str, dict[str, str]]
VARIANTS: list[Setting] = [
    ("blackjack", {"surrender": "early", "soft17": "hit"}),
    ("blackjack", {"peek": "none", "late_natural_takes": "original"}),
    ("ten-sticks-21", {"trade_time": "own-turn", "decks": "1"}),
    ("ten-sticks-21", {"trade": "false"}),
    ("games-of-chance-blackjack", {"surrender": "early", "peek": "ace-or-ten"}),
    ("games-of-chance-blackjack", {"surrender": "both"}),
]
CASES: list[Setting] = [*((game, {}) for game in GAME_IDS), *VARIANTS]
ONE_BOX = [case for case in CASES if not tables_for(case[0]).round_plan.boxes]
"""Play of two boxes goes by both: it has a test of its own."""
SIDES: dict[str, dict[str, float]] = {
    "pure-spanish-21.5": {"match": 1},
    "twisted-21": {"stud-poker": 0.2, "stud-bonus": 0.2},
    "blackjack-tie": {"tie-17": 0.125, "tie-blackjack": 0.25, "left-side": 0.125},
}
BETS = {"pure-spanish-21.5": 300, "games-of-chance-blackjack": 200, "blackjack-tie": 800}
"""Wagers that no payment has to round."""


DECK_BY_TEXT = {str(card): card.number for card in DECK}


def named(value: Any) -> str | None:
    return " ".join((value[0], *map("=".join, value[1].items()))) if value else None


def made(
    game: str, settings: dict[str, str] | None = None, **options: Any
) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(upcard.envs.ID, game=game, settings=settings or {}, **options)


def run(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, check=False, text=True, cwd=cwd)


def many(game: str | GameTables, count: int = ENVS, **options: Any) -> RoundVectorEnv:
    return RoundVectorEnv(game, count, **options)


class Anything:
    """Any legal action, by a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, _: Any, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        return np.asarray(((1 - self.rng.random(masks.shape)) * masks).argmax(axis=-1))


Player = Callable[[Any, npt.NDArray[np.int8]], npt.NDArray[np.int64]]
Step = tuple[Any, Any, Any, Any, Any]


def steps(env: RoundVectorEnv, player: Player, seed: int) -> Iterator[Step]:
    """Steps for ever: what was seen, what was done, rewards, ends and what is said about them."""
    seen, info = env.reset(seed=seed)
    while True:
        actions = player(seen, info["action_mask"])
        before = seen
        seen, rewards, ended, _, info = env.step(actions)
        yield before, actions, rewards, ended, info


def play(env: RoundVectorEnv, player: Player, rounds: int, seed: int) -> dict[str, Any]:
    """Nets in cents of as many rounds in every environment, and lights lit at the end."""
    left = np.full(env.num_envs, rounds // env.num_envs)
    found: dict[str, list[Any]] = {name: [] for name in (*env.setup.columns, "reward")}
    lit = np.zeros(env.num_envs)
    for _, _, rewards, ended, info in steps(env, player, seed):
        counts = ended & (left > 0)
        if counts.any():
            left -= counts
            found["reward"].append(rewards[counts])
            for name, cents in info["net"].items():
                found[name].append(cents[counts])
            last = counts & (left == 0)
            lit[last] = info["final_obs"]["lit"][last]
        if not left.any():
            break
    return {**{name: np.concatenate(parts) for name, parts in found.items()}, "lit": lit}


# ------------------------------------------------------------------------------------ gymnasium


@pytest.mark.parametrize("case", CASES, ids=named)
@pytest.mark.parametrize("options", [{}, {"sees_cards": True, "shoe": "cut"}], ids=["", "cut"])
def test_gymnasium_finds_nothing_wrong(case: Setting, options: dict[str, Any]) -> None:
    """Warnings are errors here. The checker knows no masks: any action may be taken by default."""
    game, settings = case
    options = {**options, "wagers": SIDES.get(game), "bet": BETS.get(game)}
    env = made(game, settings, **options)
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", ["upcard/Round-v0", "upcard.envs:upcard/Round-v0"])
def test_it_is_made_by_name_though_nobody_imported_it(name: str, tmp_path: Path) -> None:
    script = (
        "import sys, gymnasium as g; early = 'upcard' in sys.modules;"
        f"e = g.make('{name}', game='twisted-21'); v = g.make_vec('{name}', num_envs=2);"
        "print(early, e.unwrapped.rounds.tables.id, v.num_envs)"
    )
    done = run([sys.executable, "-W", "error", "-c", script], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == "False twisted-21 2"


def test_whoever_does_not_import_gymnasium_loads_nothing() -> None:
    script = "import sys; print(sorted(m for m in sys.modules if m.startswith(('upc', 'gymn'))))"
    assert run([sys.executable, "-c", script]).stdout.strip() == "['upcard_gymnasium']"


def test_a_missing_gymnasium_is_missing_as_ever() -> None:
    script = (
        "import sys, upcard_gymnasium; assert upcard_gymnasium.WhenImported in sys.meta_path;"
        "sys.path[:] = [p for p in sys.path if 'site-packages' not in p]; import gymnasium"
    )
    done = run([sys.executable, "-c", script])
    assert "ModuleNotFoundError: No module named 'gymnasium'" in done.stderr


def test_without_gymnasium_it_says_what_to_install() -> None:
    script = "import sys; sys.modules['gymnasium'] = None; import upcard.envs"
    done = run([sys.executable, "-c", script])
    assert done.returncode == 1
    assert 'environments need gymnasium: install "upcard[rl]"' in done.stderr


def test_gymnasium_makes_the_vector_environment() -> None:
    env = gymnasium.make_vec(
        upcard.envs.ID,
        num_envs=3,
        vectorization_mode="vector_entry_point",
        game="ten-sticks-21",
        settings={"decks": "2"},
    )
    assert isinstance(env, RoundVectorEnv)
    assert env.tables.alphabet.decks == 2
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert info["action_mask"].shape == (3, len(Action))


def test_one_kernel_serves_all_games() -> None:
    for game in GAME_IDS:
        many(game, 2, wagers=SIDES.get(game), bet=BETS.get(game)).reset(seed=1)
    compiled: Any = play_rounds
    stopping = [signature for signature in compiled.signatures if str(signature[-1]) != "none"]
    assert len(stopping) == 1, "other tests of this process may have played rounds without stops"


# ------------------------------------------------------------------------------------ seeds


def trace(env: gymnasium.Env[Any, Any], seed: int | None, rounds: int) -> list[Any]:
    """What single rounds show, played at random; the first of them with a seed."""
    player = Anything(9)
    found: list[Any] = []
    for _ in range(rounds):
        seen, info = env.reset(seed=seed)
        seed, ended = None, False
        while not ended:
            action = int(player(seen, info["action_mask"]))
            before = {name: np.array(value).tolist() for name, value in seen.items()}
            seen, reward, ended, _, info = env.step(action)
            found.append((before, action, reward, info.get("net"), info.get("dealer")))
    return found


@pytest.mark.parametrize("shoe", ["fresh", "cut"])
def test_a_seed_gives_the_same_rounds(shoe: str) -> None:
    env = made("ten-sticks-21", shoe=shoe, sees_cards=True)
    one = trace(env, 5, 40)
    assert trace(env, 5, 40) == one
    assert trace(made("ten-sticks-21", shoe=shoe, sees_cards=True), 5, 40) == one
    assert trace(env, 6, 40) != one
    assert trace(env, None, 40) != one


def test_environments_without_a_seed_differ() -> None:
    assert trace(made("blackjack"), None, 20) != trace(made("blackjack"), None, 20)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_vector_environment_plays_what_single_ones_play(case: Setting) -> None:
    game, settings = case
    options: dict[str, Any] = {"settings": settings, "wagers": SIDES.get(game)}
    options |= {"bet": BETS.get(game), "sees_cards": True, "illegal": "lose"}
    seeds = [11, 12, 13]
    singles = [RoundEnv(game, **options) for _ in seeds]
    env = many(game, len(seeds), **options)
    seen, info = env.reset(seed=seeds)
    own = [single.reset(seed=seed) for single, seed in zip(singles, seeds, strict=True)]
    over = [False] * len(seeds)
    rng = np.random.default_rng(3)
    player = Anything(3)
    for _ in range(60):
        for number, (alone, own_info) in enumerate(own):
            for name, value in alone.items():
                assert np.array_equal(value, seen[name][number])
            assert np.array_equal(own_info["action_mask"], info["action_mask"][number])
        actions = player(seen, info["action_mask"])
        if rng.random() < 0.1:
            actions = rng.integers(len(Action), size=len(seeds))
        seen, rewards, ended, _, info = env.step(actions)
        for number, single in enumerate(singles):
            if over[number]:  # the next step begins another round
                own[number], over[number] = single.reset(), False
                assert (rewards[number], ended[number]) == (0, False)
                continue
            alone, reward, is_over, _, own_info = single.step(actions[number])
            own[number], over[number] = (alone, own_info), is_over
            assert (reward, is_over) == (rewards[number], ended[number])
            if is_over:
                nets = {name: cents[number] for name, cents in info["net"].items()}
                assert own_info["net"] == nets
                assert own_info["illegal"] == info["illegal"][number]


def test_environments_side_by_side_have_streams_of_their_own() -> None:
    seen, _ = many("blackjack", 200).reset(seed=1)
    assert len({*zip(seen["up"].tolist(), seen["state"].tolist(), strict=True)}) > 50
    other, _ = many("blackjack", 200).reset(seed=2)
    assert (seen["state"][1:] == other["state"][:-1]).mean() < 0.5, "seeds do not overlap"


# ------------------------------------------------------------------------------------ resets


def test_another_round_begins_at_the_next_step_or_at_once() -> None:
    later, at_once = (many("blackjack", 64, autoreset=mode) for mode in ("next-step", "same-step"))
    assert at_once.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    player = Anything(1)
    seen, info = at_once.reset(seed=4)
    later.reset(seed=4)
    actions = player(seen, info["action_mask"])
    seen, rewards, ended, _, info = at_once.step(actions)
    slow, slow_rewards, slow_ended, _, slow_info = later.step(actions)
    assert ended.any()
    assert not ended.all()
    assert np.array_equal(ended, slow_ended)
    assert np.array_equal(rewards, slow_rewards)
    assert (slow["phase"][ended] == Pause.OVER).all()
    for name, value in info["final_obs"].items():
        assert np.array_equal(value[ended], slow[name][ended])
    assert (seen["phase"] != Pause.OVER).all()
    slow, slow_rewards, slow_ended, _, _ = later.step(player(slow, slow_info["action_mask"]))
    assert (slow["phase"] != Pause.OVER)[ended].all()
    assert (slow_rewards[ended] == 0).all()
    assert not slow_ended[ended].any()
    for name, value in seen.items():
        assert np.array_equal(value[ended], slow[name][ended])


def test_what_is_said_can_be_had_by_environment() -> None:
    env = DictInfoToList(many("blackjack", 64))
    seen, infos = env.reset(seed=4)
    player = Anything(1)
    masks = np.array([info["action_mask"] for info in infos])
    _, rewards, ended, _, infos = env.step(player(seen, masks))
    for reward, is_over, info in zip(rewards, ended, infos, strict=True):
        assert ("net" in info) == is_over
        assert reward == (sum(info["net"].values()) / 500 if is_over else 0)


def test_some_environments_are_reset_and_others_are_left() -> None:
    env = many("blackjack", 8, autoreset="disabled")
    seen, _ = env.reset(seed=2)
    wanted = np.arange(8) < 3
    after, _ = env.reset(options={"reset_mask": wanted})
    for name, value in seen.items():
        assert np.array_equal(value[3:], after[name][3:])
    assert any(not np.array_equal(value[:3], after[name][:3]) for name, value in seen.items())
    with pytest.raises(UpcardError, match="array of 8 truth values"):
        env.reset(options={"reset_mask": np.zeros(8, dtype=np.bool_)})


def test_a_round_that_is_over_takes_no_action() -> None:
    env = RoundEnv()
    with pytest.raises(UpcardError, match="call reset first"):
        env.step(Action.STAND)
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        _, _, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
    with pytest.raises(UpcardError, match="the round is over: call reset"):
        env.step(Action.STAND)


def test_lights_stay_between_rounds_and_can_be_set() -> None:
    env = RoundEnv("ten-sticks-21")
    seen, _ = env.reset(seed=1, options={"lit": 3})
    assert seen["lit"] == 3
    assert env.reset()[0]["lit"] == 3
    assert env.reset(seed=1)[0]["lit"] == 0
    with pytest.raises(UpcardError, match="lights lit are 0 to"):
        env.reset(options={"lit": 99})
    with pytest.raises(UpcardError, match="lights lit are 0 to 0 in Blackjack"):
        RoundEnv().reset(options={"lit": 1})


# ------------------------------------------------------------------------------------ the shoe


def test_a_cut_shoe_goes_on_until_the_cut_card() -> None:
    tables = tables_for("blackjack")
    full = int(tables.alphabet.counts.sum())
    cut = tables.round_plan.shoe.cut(full)
    env = many("blackjack", 1, shoe="cut", sees_cards=True, autoreset="same-step")
    gone = []
    seen, info = env.reset(seed=3)
    player = Anything(3)
    for _ in range(2000):
        seen, _, ended, _, info = env.step(player(seen, info["action_mask"]))
        assert (seen["seen"][0] <= tables.alphabet.counts).all()
        if ended[0]:
            gone.append(int(seen["seen"].sum()))
    shuffles = [before for before, after in pairwise(gone) if after < before]
    assert len(shuffles) > 10
    assert all(cut - 40 < dealt < cut + 40 for dealt in shuffles)


def test_a_round_without_cards_is_void() -> None:
    env = RoundEnv("blackjack", render_mode="ansi")
    env.reset(seed=7)  # 6s 2s against 6d
    shoe = env.rounds.stops.streams[0]
    shoe[END] = shoe[AT]
    _, reward, ended, _, _ = env.step(Action.HIT)
    assert (reward, ended) == (0, False)
    _, reward, ended, _, info = env.step(Action.HIT)
    assert (reward, ended) == (0, True)
    assert set(info["net"].values()) == {0}
    assert info["result"] == ""
    before = trace(RoundEnv("blackjack"), 8, 3)
    assert trace(env, 8, 3) == before


def test_a_fresh_shoe_forgets_everything() -> None:
    env = many("twisted-21", 50, sees_cards=True, autoreset="same-step")
    for number, (seen, _, _, _, _) in enumerate(steps(env, Anything(1), 1)):
        assert (seen["seen"].sum(axis=1) >= 3).all()
        assert (seen["seen"].sum(axis=1) <= 12).all()
        if number == 50:
            break


# ------------------------------------------------------------------------------------ actions


@pytest.mark.parametrize("case", CASES, ids=named)
def test_masks_are_those_of_the_tables(case: Setting) -> None:
    game, settings = case
    env = many(game, 512, settings=settings)
    tables = env.tables
    phases: set[int] = set()
    bits = np.array([action.bit for action in Action])
    insuring: list[str] = [context.phase for context in tables.contexts.contexts]
    seen, info = env.reset(seed=8)
    player = Anything(8)
    for _ in range(150):
        assert seen in env.observation_space
        masks = info["action_mask"] @ bits
        assert (masks > 0).all()
        assert np.array_equal(env.action_masks(), info["action_mask"].astype(np.bool_))
        for phase in Pause:
            here = seen["phase"] == phase
            if not here.any():
                continue
            phases.add(phase)
            state, up = seen["state"][here], seen["up"][here]
            if phase in (Pause.NOTHING, Pause.OVER):
                assert (masks[here] == Action.STAND.bit).all()
                continue
            context = seen["context"][here]
            if phase not in (Pause.TURN, Pause.TRADE):  # the same in every state
                context = np.full(len(state), insuring.index(phase.text))
            assert np.array_equal(masks[here], tables.legal.mask[state, context, up])
            assert (np.bitwise_count(masks[here]) > 1).all(), "there is something to decide"
        for name in ("total", "soft", "cards", "pending"):
            assert np.array_equal(seen[name], getattr(tables.hands, name)[seen["state"]])
        seen, _, _, _, info = env.step(player(seen, info["action_mask"]))
    kinds = tables.round_plan.kinds
    assert (Pause.TRADE in phases) == ("trades" in kinds)
    assert (Pause.INSURANCE in phases) == ("insurance" in kinds)
    assert (Pause.EARLY_SURRENDER in phases) == ("early-surrender" in kinds)
    assert (Pause.EXCHANGE in phases) == tables.round_plan.exchanges
    assert {Pause.TURN, Pause.NOTHING, Pause.OVER} <= phases


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = many("blackjack", 5, illegal="raise")
    _, info = env.reset(seed=1)
    legal = info["action_mask"].argmax(axis=1)
    wrong = legal.copy()
    wrong[3] = Action.KEEP
    with pytest.raises(UpcardError, match=r"keep \(9\) is not legal in environment 3: legal is "):
        env.step(wrong)
    for number in (-1, len(Action)):
        with pytest.raises(
            UpcardError, match=f"from 0 to {len(Action) - 1}, not {number} in environment 3"
        ):
            env.step(np.where(np.arange(5) == 3, number, legal))
    with pytest.raises(UpcardError, match="as many actions"):
        env.step(legal[:4])
    again = many("blackjack", 5)
    again.reset(seed=1)
    for one, other in zip(env.step(legal)[:3], again.step(legal)[:3], strict=True):
        assert str(one) == str(other)


def test_an_illegal_action_can_lose_the_round() -> None:
    env = RoundEnv("blackjack", penalty=4)
    env.reset(seed=1)
    seen, reward, ended, _, info = env.step(Action.KEEP)
    assert (reward, ended, info["illegal"]) == (-4.0, True, True)
    assert seen["phase"] == Pause.OVER
    assert set(info["net"].values()) == {0}
    env.reset()
    with pytest.raises(UpcardError, match=f"from 0 to {len(Action) - 1}, not -1"):
        env.step(-1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"game": "twisted-21", "wagers": {"stud": 1}}, 'did you mean "stud-'),
        ({"wagers": {"stud-poker": 1}}, "it has none"),
        ({"game": "twisted-21", "wagers": {"stud-poker": 0.0011}}, "no base wager takes"),
        ({"game": "twisted-21", "wagers": {"stud-poker": "much"}}, "a share of the base wager"),
        ({"game": "blackjack-tie", "wagers": {"tie-17": 2}}, "may not exceed the base wager"),
        ({"game": "games-of-chance-blackjack", "bet": 300}, r"a base wager is \$2 or \$4"),
        ({"bet": 0}, r"a base wager of \$0 is not a positive multiple"),
        ({"shoe": "new"}, "a shoe is fresh or cut"),
        ({"illegal": "ignore"}, "illegal is raise or lose"),
        ({"penalty": -1}, "from 0 on"),
        ({"fees": True}, "Blackjack has no fees"),
        ({"bet": 7}, r"a base wager of \$0.07 is not a positive multiple of \$1"),
        ({"bet": 400}, r"a base wager of \$4 is below the minimum of \$5"),
        ({"bet": 5.5}, "whole number of cents"),
        ({"game": "twisted-21", "wagers": {"stud-poker": 1e300}}, "a share of the base wager"),
        ({"render_mode": "human"}, "render_mode is ansi, rgb_array or None"),
        ({"settings": {"decks": "x"}}, "decks"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UpcardError, match=words):
        RoundEnv(**options)


def test_what_cannot_be_many_is_refused() -> None:
    with pytest.raises(UpcardError, match="num_envs is 1 or more"):
        RoundVectorEnv("blackjack", 0)
    with pytest.raises(UpcardError, match="autoreset is next-step, same-step or disabled"):
        RoundVectorEnv("blackjack", autoreset="never")
    with pytest.raises(UpcardError, match="settings go with the name"):
        RoundVectorEnv(tables_for("blackjack"), settings={"decks": "1"})
    with pytest.raises(UpcardError, match="as many seeds"):
        RoundVectorEnv("blackjack", 2).reset(seed=[1])


# ------------------------------------------------------------------------------------ rewards


def test_the_reward_is_everything_staked_in_base_wagers() -> None:
    options: dict[str, Any] = {"settings": {"fee_schedule": "42"}, "autoreset": "same-step"}
    env = many("pure-spanish-21.5", bet=1000, wagers={"match": 1}, fees=True, **options)
    assert env.setup.columns == ("base", "match", "fees")
    found = play(env, Anything(2), 20_000, 2)
    together = found["base"] + found["match"] + found["fees"]
    assert np.allclose(found["reward"], together / 1000)
    assert (found["fees"] == -100).all(), "half a dollar for each wager"
    alone = play(many("pure-spanish-21.5", bet=1000, **options), Anything(2), 20_000, 2)
    assert np.allclose(alone["reward"], alone["base"] / 1000)
    assert np.array_equal(alone["base"], found["base"])


def test_rounds_before_their_end_are_worth_nothing() -> None:
    env = many("blackjack", 256)
    for number, (_, _, rewards, ended, info) in enumerate(steps(env, Anything(1), 1)):
        assert (rewards[~ended] == 0).all()
        if ended.any():
            assert np.array_equal(info["_net"], ended)
        if number == 30:
            break


@pytest.mark.parametrize("game", ["ten-sticks-21", "blackjack-switch"])
def test_random_play_wins_what_the_simulator_says(game: str) -> None:
    """Every wager, over rounds of both, in a game with a question before the check, and in one with
    two boxes, which exchange cards.
    """
    bet, rounds = 500, 500_000
    env = many(game, bet=bet, autoreset="same-step")
    found = play(env, Anything(7), rounds, 7)
    tables, boxes = env.tables, env.setup.table.seats
    table = TableSetup(tables, bet, seats=boxes)
    job = Job(table, by_state(tables, OpenPlay()), 7, short=True)
    blocks = -(-rounds // job.block_rounds)
    totals = job.play(0, blocks, job.block_rounds)
    for name in env.setup.columns:
        own = found[name]
        # All boxes of a round are added up, as they are in the environment.
        whole = int(totals.sums["total"][job.table.column(name)]) * job.table.unit
        mean = whole / totals.rounds
        error = own.std() * math.sqrt(1 / len(own) + 1 / totals.rounds)
        assert error > 0
        if name != "prizes":  # they come late, and the simulator has fewer tables that wait longer
            assert abs(own.mean() - mean) < FAR * error, name


def test_wagers_on_cards_come_to_their_exact_values_whatever_is_played() -> None:
    bet, sides = 500, SIDES["twisted-21"]
    env = many("twisted-21", bet=bet, wagers=sides, autoreset="same-step")
    found = play(env, Anything(7), 500_000, 7)
    for name, ratio in sides.items():
        exact, won = card_wager(env.tables, name), found[name] / (ratio * bet)
        assert abs(won.mean() - exact.ev) < FAR * exact.sd / math.sqrt(len(won)), name


# ------------------------------------------------------------------------------------ exact values


class Basic:
    """Basic play as arrays, without insurance."""

    def __init__(self, tables: GameTables, found: BasicPlay) -> None:
        contexts, twin = tables.contexts.contexts, twins(tables)
        shape = (len(Pause), len(contexts), len(tables.dealer.shown), len(tables.hands))
        self.action = np.full(shape, int(Action.STAND))
        self.action[Pause.INSURANCE] = Action.DECLINE
        for context, states in reachable(tables).items():
            here = contexts[context]
            for state in states:
                own = state if here.origin == "initial" else twin.get(state, state)
                for up in found.scores:
                    legal = int(tables.legal.mask[state, context, up])
                    if legal & (legal - 1):
                        best = found.best(up, own, legal, here.doubles)
                        self.action[Pause.TURN, context, up, state] = best
        for up, leaning in found.leaning.items():
            trades = np.where(leaning > 0, int(Action.TRADE), int(Action.KEEP))
            folds = np.where(leaning > 0, int(Action.SURRENDER), int(Action.DECLINE))
            self.action[Pause.TRADE, :, up] = trades
            self.action[Pause.EARLY_SURRENDER, :, up] = folds

    def __call__(self, seen: Any, _: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        places = (seen["phase"], seen["context"], seen["up"], seen["state"])
        return np.asarray(self.action[places])


@cache
def solved(
    game: str, settings: tuple[tuple[str, str], ...]
) -> tuple[GameTables, Basic, float, float]:
    """A game, its basic play, what that is worth, and the same with lights."""
    tables = tables_for(game, dict(settings))
    base = BaseGame(tables)
    solver = Solver(base, "CDZ-")
    basic, found = solver.basic(solver.optimal(BETS.get(game, 500)))
    whole = solver.base_ev(basic)
    alone = whole if tables.carry is None else base_value(base, basic)
    return tables, Basic(tables, found), alone, whole


@pytest.mark.parametrize("case", one_of_each(ONE_BOX, lambda case: case[0]), ids=named)
def test_basic_play_is_worth_its_exact_value(case: Setting) -> None:
    game, settings = case
    tables, basic, alone, whole = solved(game, tuple(settings.items()))
    bet = BETS.get(game, 500)
    env = many(tables, bet=bet, autoreset="same-step")
    found = play(env, basic, 503_808, 20)
    won = found["base"] / bet
    rounds = len(won)
    error = float(won.std()) / math.sqrt(rounds)
    assert rounds > 500_000
    assert abs(won.mean() - alone) < FAR * error
    if tables.carry is not None:
        # Every light is worth its share of a prize, those that are lit at the end as well.
        needed = len(tables.carry.next)
        lights = (found["prizes"] > 0).sum() * needed + found["lit"].sum()
        value = lights * light_share(tables.carry, bet) / rounds
        assert abs(won.mean() + value - whole) < FAR * error * 1.1


@deep
def test_basic_play_of_two_boxes_is_worth_its_exact_value() -> None:
    """With the best exchange for it. A reward is of both boxes, an exact value of one of them."""
    tables = tables_for("blackjack-switch")
    both = TwoBoxes(tables, aim=Aim(bet=500), mode="CDZ-")
    moves = basic_joint_moves(both, "basic")
    assert moves.exchange is not None
    symbols, ups, states = len(tables.alphabet), len(tables.dealer.shown), len(tables.hands)
    exchange = moves.exchange.action.reshape((symbols,) * 5)
    action = moves.play.action.reshape(-1, ups, states)

    def player(seen: Any, _: Any) -> npt.NDArray[np.int64]:
        cards = (seen[name] for name in ("first", "second", "other_first", "other_second"))
        row = moves.play.row_of[0, np.minimum(seen["hand"], 1), seen["context"]].astype(np.int64)
        turn = action[row, seen["up"], seen["state"]]
        turn = np.where(seen["phase"] == Pause.TURN, turn, int(Action.STAND))
        asked = seen["phase"] == Pause.EXCHANGE
        return np.where(asked, exchange[(seen["up"], *cards)], turn).astype(np.int64)

    won = play(many(tables, autoreset="same-step"), player, 503_808, 20)["reward"]
    error = float(won.std()) / math.sqrt(len(won))
    assert abs(won.mean() / 2 - both.with_basic.ev) < FAR * error / 2


def test_cards_change_places_between_the_boxes_that_are_asked() -> None:
    """Both boxes' cards are seen, an exchange moves the second ones, and boxes come in order."""
    env = many("blackjack-switch", 64, autoreset="disabled")
    seen, info = env.reset(seed=5)
    asked = seen["phase"] == Pause.EXCHANGE
    assert asked.any()
    assert (seen["box"][asked] == 0).all()
    exchanges = np.arange(64) % 2 == 0
    actions = np.where(exchanges, int(Action.SWITCH), int(Action.DECLINE))
    actions = np.where(asked, actions, info["action_mask"].argmax(axis=1))
    after, _, _, _, _ = env.step(actions)
    names = ("first", "second", "other_first", "other_second")
    before = np.stack([seen[name] for name in names], axis=1)
    now = np.stack([after[name] for name in names], axis=1)
    now[after["box"] == 1] = now[after["box"] == 1][:, [2, 3, 0, 1]]
    assert (now[asked & exchanges] == before[asked & exchanges][:, [0, 3, 2, 1]]).all()
    assert (now[asked & ~exchanges] == before[asked & ~exchanges]).all()
    first = asked & (after["phase"] == Pause.TURN) & (after["box"] == 0)
    assert (first & exchanges).any()
    hands = env.tables.hands
    for number in np.flatnonzero(first):
        plain = hands.after(*now[number, :2].tolist())
        own = hands.exchanged[plain] if exchanges[number] else plain
        assert after["state"][number] == own
    alone, player = RoundEnv("blackjack-switch"), Anything(5)
    for seed in range(30):
        seen, info = alone.reset(seed=seed)
        boxes, over = [seen["box"]], False
        while not over:
            action = int(player(seen, info["action_mask"]))
            seen, _, over, _, info = alone.step(action)
            boxes.append(seen["box"])
        assert boxes == sorted(boxes)


# ------------------------------------------------------------------------------------ for people


def test_a_round_can_be_read() -> None:
    env = made("blackjack", render_mode="ansi")
    env.reset(seed=12)
    shown = env.render()
    assert isinstance(shown, str)
    lines = shown.splitlines()
    assert lines[0].startswith("Blackjack: dealer ")
    assert lines[0].endswith(" ?")
    assert lines[1].startswith("> ")
    assert RoundEnv().render() is None


@pytest.mark.parametrize("game", ["blackjack", "ten-sticks-21"])
def test_cards_shown_are_those_played(game: str) -> None:
    """Hands as people read them add up to the totals that are observed."""
    env = many(game, 300, render_mode="ansi", sees_cards=True)
    value = {"A": 1, **dict.fromkeys("TJQK", 10)}
    player = Anything(4)
    seen, info = env.reset(seed=4)
    read = 0
    for _ in range(40):
        shown = env.render()
        assert shown is not None
        for number, text in enumerate(shown):
            here = [line for line in text.splitlines() if line.startswith("> ")]
            if seen["phase"][number] != Pause.TURN or seen["pending"][number] or not here:
                continue
            cards = here[0][2:].split(" = ")[0].split()
            total = sum(value.get(card[0]) or int(card[0]) for card in cards)
            total += 10 if seen["soft"][number] else 0
            assert 2 * total == seen["total"][number], text
            read += 1
            if game == "blackjack":  # no card is traded away
                hands = [line for line in text.splitlines()[1:-1] if line[:2] in ("> ", "  ")]
                held = [
                    card for line in hands for card in re.findall(r"\b[2-9ATJQK][cdhs]\b", line)
                ]
                shown_up = [DECK_BY_TEXT[card] for card in (*held, text.split()[2])]
                symbols = env.tables.alphabet.of_card[shown_up]
                counts = np.bincount(symbols, minlength=len(env.tables.alphabet))
                assert np.array_equal(counts, seen["seen"][number]), text
        seen, _, _, _, info = env.step(player(seen, info["action_mask"]))
    assert read > 1000


def test_the_end_says_what_the_dealer_had() -> None:
    env = RoundEnv("blackjack", render_mode="ansi")
    player = Anything(1)
    results = set()
    for seed in range(200):
        seen, info = env.reset(seed=seed)
        ended = False
        while not ended:
            seen, _, ended, _, info = env.step(int(player(seen, info["action_mask"])))
        results.add(info["result"])
        shown = env.render()
        assert shown.splitlines()[0] == f"Blackjack: dealer {info['dealer']}"
        assert "over: base " in shown
        ranks = [card[0] for card in info["dealer"].split()]
        assert len(ranks) >= 2
        if info["result"] == "natural":
            assert "A" in ranks
    assert results > {"", "bust", "17", "natural"}


def test_flat_vectors_say_the_same() -> None:
    env = many("ten-sticks-21", 100, sees_cards=True)
    flat = Flat(env.single_observation_space)
    single = RoundEnv("ten-sticks-21", sees_cards=True)
    seen, _ = env.reset(seed=[*range(100)])
    rows = flat(seen)
    assert rows.shape == (100, flat.size) == (100, len(flat.names))
    assert rows.dtype == np.float32
    assert all(row in flat.space for row in rows)
    assert np.array_equal(flat(single.reset(seed=17)[0]), rows[17])
    ups = [flat.names.index(f"up={value}") for value in range(len(env.tables.alphabet))]
    assert np.array_equal(rows[:, ups].argmax(axis=1), seen["up"])
    assert (rows[:, ups].sum(axis=1) == 1).all()
    total = rows[:, flat.names.index("total")] * (flat_size(env, "total") - 1)
    assert np.array_equal(np.rint(total), seen["total"])
    assert not {"state", "context"} & set(flat.names)
    counts = [flat.names.index(f"seen[{place}]") for place in range(len(env.tables.alphabet))]
    assert np.allclose(rows[:, counts] * env.tables.alphabet.counts, seen["seen"])


def flat_size(env: RoundVectorEnv, name: str) -> int:
    space = env.single_observation_space
    assert isinstance(space, gymnasium.spaces.Dict)
    part = space[name]
    assert isinstance(part, gymnasium.spaces.Discrete)
    return int(part.n)


def test_the_example_learns_to_play() -> None:
    """Random play loses 40 % of a wager; a few seconds of learning lose less than 3 %."""
    done = run([sys.executable, str(ROOT / "examples/learn_blackjack.py"), "--quick"])
    assert (done.stderr, done.returncode) == ("", 0)
    learned = re.search(r"learned play +([-+.\d]+)%", done.stdout)
    assert learned is not None
    assert -3 < float(learned[1]) < 0.5
    alike, both = (int(word) for word in done.stdout.splitlines()[-1].split() if word.isdigit())
    assert alike / both > 0.7


def test_odd_inputs_are_refused_or_understood() -> None:
    env = RoundVectorEnv("blackjack", num_envs=2)
    env.reset(seed=2**70)
    with pytest.raises(UpcardError, match="whole numbers"):
        env.step([1.7, 1.0])
    with pytest.raises(UpcardError, match="lights lit"):
        env.reset(options={"lit": "x"})


@pytest.mark.parametrize("answer", ["first", "any", "at-turn"])
def test_naturals_come_as_often_as_the_down_cards_make_them(answer: str) -> None:
    """SR-41, TW-5: of one down card, or of any of four; with no check it shows at the end."""
    down = 4 if answer == "any" else 1
    likely = (
        4 / 52 * (1 - math.comb(35, down) / math.comb(51, down))
    )  # under an ace no ten-value card
    likely += 16 / 52 * (1 - math.comb(47, down) / math.comb(51, down))  # under one of these no ace
    tables = tables_for("twisted-21", {"dealer_natural": answer})
    natural = [one.is_natural for one in tables.dealer.classes].index(True)
    env = RoundVectorEnv(tables, 1024)
    _, info = env.reset(seed=1)
    ended = found = 0
    while ended < 50_000:
        _, _, over, _, info = env.step(np.asarray(info["action_mask"]).argmax(axis=1))
        if over.any():
            ended += int(over.sum())
            found += int((info["dealer"][over] == natural).sum())
    spread = (likely * (1 - likely) / ended) ** 0.5
    assert found / ended == pytest.approx(likely, abs=4 * spread)
