"""`upcard simulate` as its users call it: words, JSON, refusals, Ctrl-C, resumed runs."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shell import Done, refusal, upcard
from upcard import GAME_IDS
from upcard.money import TOO_MUCH
from upcard.simulate import silence
from upcard.trial import trials

PAGE = Path(__file__).parents[2] / "docs" / "simulate.md"
WAGER_KEYS = {
    "ev",
    "stderr",
    "interval",
    "stderr_by",
    "sd",
    "sd_stderr",
    "made",
    "hit_frequency",
    "exact",
    "exact_method",
    "z",
}
KEYS = {
    "game",
    "version",
    "fingerprint",
    "settings",
    "rounds",
    "seconds",
    "rounds_per_second",
    "seed",
    "policy",
    "policy_digest",
    "seats",
    "bet",
    "ratios",
    "shoe",
    "count",
    "bank",
    "complete",
    "goal",
    "void_rounds",
    "totals",
    "wagers",
    "round",
    "table",
    "distribution",
    "covariance",
}
MONEY_KEYS = {"mean", "stderr", "interval", "sd", "sd_stderr", "unit"}


@pytest.fixture(autouse=True)
def _prepare_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same trial is solved once, however often it is played."""
    monkeypatch.setattr(trials, "prepare", _prepared)


_trials: dict[str, trials.Trial] = {}
_prepare = trials.prepare


def _prepared(request: trials.Request, *_: Any) -> trials.Trial:
    key = repr(request)
    if key not in _trials:
        _trials[key] = _prepare(request)
    return _trials[key]


@cache
def run(*arguments: str) -> Done:
    done = upcard("simulate", *arguments)
    assert (done.status, done.err) == (0, "")
    return done


def data(*arguments: str) -> Any:
    return run(*arguments, "--json").data


def refused(*arguments: str) -> str:
    return refusal("simulate", *arguments)


# --------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize("game", GAME_IDS)
def test_json_of_every_game(game: str) -> None:
    found = data(game, "--rounds", "100001", "--policy", "mimic", "--threads", "1")
    assert set(found) >= KEYS
    assert found["rounds"] == 100_001
    assert found["rounds_per_second"] == pytest.approx(100_001 / found["seconds"])
    assert (found["seed"], found["policy"], found["shoe"]) == (1, "mimic", "fresh")
    assert found["goal"] == {"rounds": 100_001, "half_width": None}
    assert found["complete"]
    for name, wager in found["wagers"].items():
        assert set(wager) == WAGER_KEYS
        assert wager["stderr_by"] == "rounds"
        assert wager["stderr"] > 0, name
        assert wager["sd_stderr"] > 0
        low, high = wager["interval"]
        assert low < wager["ev"] < high
        low, high = wager["hit_frequency"]["interval"]
        assert 0 <= low < wager["hit_frequency"]["mean"] < high <= 1
        assert wager["z"] == pytest.approx((wager["ev"] - wager["exact"]) / wager["stderr"])
        assert abs(wager["z"]) < 4.5
    for name in ("round", "table"):
        assert set(found[name]) == MONEY_KEYS
    assert sum(one["mean"] for one in found["distribution"]) == pytest.approx(1)
    columns = found["covariance"]["columns"]
    matrix = found["covariance"]["matrix"]
    assert len(matrix) == len(columns)
    assert all(len(row) == len(columns) for row in matrix)
    base = found["wagers"]["base"]
    if "prizes" not in columns:
        assert matrix[0][0] == pytest.approx(base["sd"] ** 2)
    assert ("prizes" in found) == (game == "ten-sticks-21")
    assert ("bank_result" in found) == ("fees" in columns)


def test_the_same_totals_on_threads_and_on_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with a number of rounds that fits no block."""
    # On a busy machine a worker may be late, and that it is would be said.
    monkeypatch.setattr(silence, "SILENT_SECONDS", math.inf)
    arguments = ("blackjack", "--rounds", "1234567", "--policy", "mimic", "--seed", "9")
    found = [
        data(*arguments, "--threads", "1"),
        data(*arguments, "--threads", "2"),
        data(*arguments, "--cluster", "local:2"),
    ]
    assert len({one["totals"] for one in found}) == 1
    for one in found:
        del one["seconds"], one["rounds_per_second"]
    assert found[0] == found[1] == found[2]
    other = data(*arguments[:-1], "10", "--threads", "2")
    assert other["totals"] != found[0]["totals"]


def test_until_a_half_width() -> None:
    found = data("blackjack", "--until", "0.15%", "--policy", "mimic")
    low, high = found["wagers"]["base"]["interval"]
    assert (high - low) / 2 <= 0.0015
    assert found["goal"] == {"rounds": None, "half_width": 0.0015}
    assert found["rounds"] % 500_000 == 0
    capped = data("blackjack", "--until", "0.0001", "--rounds", "600_000", "--policy", "mimic")
    assert capped["rounds"] == 600_000


COUNTED = ("blackjack", "--shoe", "cut", "--rounds", "1e6", "--policy", "mimic")


def test_a_count() -> None:
    plain = data(*COUNTED, "--count", "hi-lo")
    counts = {row["true_count"]: row for row in plain["by_true_count"]}
    assert set(counts) >= set(range(-8, 9))
    assert counts[-5]["wagers"]["base"]["ev"] < counts[5]["wagers"]["base"]["ev"]
    depths = [row["from"] for row in plain["by_penetration"]]
    # A round may still begin when just as many cards are gone as stand before the cut card.
    assert depths == [pytest.approx(part / 20) for part in range(16)]
    for rows in (plain["by_penetration"], plain["by_true_count"]):
        assert sum(row["rounds"] for row in rows) == 1_000_000
    assert all(wager["exact"] is None for wager in plain["wagers"].values())
    text = run(*COUNTED, "--count", "hi-lo").out
    assert "By true count before the deal" in text
    assert "By the share of the shoe that is gone" in text
    assert "there is none here" in text
    assert " z " not in text


def test_a_count_with_bets_and_departures(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    file.write_text(example)
    plain = data(*COUNTED, "--count", "hi-lo")
    done = upcard("simulate", *COUNTED[:-2], "--count", str(file), "--json")
    assert done.status == 0, done.err
    ramped = done.data
    assert ramped["wagers"]["insurance"]["ev"] > plain["wagers"]["insurance"]["ev"] + 0.05
    assert ramped["round"]["sd"] > 1.5 * plain["round"]["sd"]


TWO_LIGHTS = """
id = "two-lights"
version = 1
name = "Two Lights"
source = "our own"
extends = "ten-sticks-21"
[lights]
count = 2
{prize}
[clauses]
X-1 = {{ kind = "money", says = "Ours.", sets = ["lights.count"{sets}] }}
"""


def test_a_prize_in_kind_is_no_money_of_a_session(tmp_path: Path) -> None:
    """TS-6: the same rounds for a prize of $50, and for one that is worth as much."""
    money, goods = tmp_path / "money.toml", tmp_path / "goods.toml"
    money.write_text(TWO_LIGHTS.format(prize="", sets=""))
    named = 'prize_name = "a weekend for two"'
    goods.write_text(TWO_LIGHTS.format(prize=named, sets=', "lights.prize_name"'))
    # With so much nobody is ruined; every other request would be solved anew.
    arguments = ("--rounds", "2e5", "--session", "200", "--bankroll", "100000", "--set", "decks=1")
    paid, in_kind = data(str(money), *arguments), data(str(goods), *arguments)
    assert paid["wagers"]["base"]["ev"] == in_kind["wagers"]["base"]["ev"]
    won = in_kind["prizes"]["mean"] * in_kind["bet"] * 200
    means = [found["session"]["result"]["mean"] for found in (paid, in_kind)]
    assert means[0] - means[1] == pytest.approx(won)
    assert won > 0
    names = [found["session"]["prize_in_kind"] for found in (paid, in_kind)]
    assert names == [None, "a weekend for two"]
    assert "is no money" not in run(str(money), *arguments).out
    told = run(str(goods), *arguments).out
    assert "  The prize, a weekend for two, is no money and not in the result\n" in told


def test_sessions_in_words_and_as_json() -> None:
    played = ("twisted-21", "--rounds", "1e6", "--policy", "mimic", "--session", "100")
    arguments = (*played, "--bankroll", "50.01")
    found = data(*arguments)["session"]
    assert (found["sessions"], found["rounds"], found["bankroll"]) == (10_000, 100, 5_001)
    assert set(found["result"]) == MONEY_KEYS
    assert found["ruin"]["interval"][0] < found["ruin"]["mean"] < found["ruin"]["interval"][1]
    assert found["ruined_after"]["mean"] < 100
    assert [point["round"] for point in found["path"]] == list(range(10, 101, 10))
    assert found["path"][-1]["quantiles"] == found["quantiles"]
    for one in found["quantiles"]:
        assert one["interval"][0] <= one["net"] <= one["interval"][1]
        # Results are multiples of $1 whatever one comes with.
        assert one["net"] % 100 == 0
    lost = data(*played)["session"]
    assert lost["ruin"] is None
    assert lost["bankroll"] is None
    text = run(*arguments).out
    assert "Sessions of 100 rounds with $50.01  (10,000 of them)" in text
    assert re.search(r"ruined \d+\.\d+% ± \d\.\d+%, then after \d+ rounds ± \d", text)
    assert "Percentiles of the result" in text


def test_a_limited_bank_and_its_fees() -> None:
    arguments = ("pure-spanish-21.5", "--bet", "25", "--rounds", "4e5", "--policy", "mimic")
    full, limited = data(*arguments), data(*arguments, "--bank", "20")
    assert full["wagers"]["base"]["exact"] is not None
    assert limited["wagers"]["base"]["exact"] is None
    assert limited["wagers"]["match"]["exact"] is not None
    assert min(one["net"] for one in limited["distribution"]) == -2000
    assert min(one["net"] for one in full["distribution"]) == -2500
    assert limited["round"]["sd"] < full["round"]["sd"]
    assert set(limited["bank_result"]) == MONEY_KEYS
    # What the players win the bank loses; each side pays its fees besides.
    together = full["bank_result"]["mean"] + full["round"]["mean"]
    assert -200 < together < 0
    banked = data(*arguments, "--bank", "50", "--session", "50", "--follow", "bank")
    assert banked["session"]["result"]["mean"] == pytest.approx(
        50 * banked["bank_result"]["mean"], abs=1e-6
    )
    assert "the bank, fees paid:" in run(*arguments).out


def test_side_wagers_and_seats() -> None:
    table = ("twisted-21", "--seats", "3", "--bet", "10")
    arguments = (*table, "--rounds", "3e5", "--policy", "mimic")
    found = data(*arguments, "--with", "stud-bonus=1/2")
    assert found["ratios"] == {"stud-bonus": 0.5}
    assert found["wagers"]["base"]["made"] == 900_000
    assert found["wagers"]["base"]["stderr_by"] == "blocks"
    assert found["table"]["mean"] == pytest.approx(3 * found["round"]["mean"])
    assert found["table"]["sd"] > found["round"]["sd"] * 3**0.5
    text = run(*arguments, "--with", "stud-bonus=1/2").out
    assert "with stud-bonus at 0.5 base wagers" in text
    assert "  all 3 seats: " in text
    assert "other results: " in text


def test_sweeps() -> None:
    # Both have the same parts, and so the same kernels.
    games = ("blackjack", "games-of-chance-blackjack")
    arguments = (*games, "--policy", "mimic", "--policy", "basic")
    found = data(*arguments, "--rounds", "1e5")["trials"]
    assert [(one["game"], one["policy"]) for one in found] == [
        (game, policy) for game in games for policy in ("mimic", "basic")
    ]
    alone = data("blackjack", "--policy", "basic", "--rounds", "1e5")
    assert found[1]["totals"] == alone["totals"]
    text = run(*arguments, "--rounds", "1e5").out
    assert "games-of-chance-blackjack basic" in text
    assert "400,000 rounds in " in text
    values = ("--vary", "decks=1,8", "--vary", "soft17=hit,stand")
    varied = data("blackjack", *values, "--rounds", "1e4", "--policy", "mimic")
    assert [one["settings"] for one in varied["trials"]] == [
        {"decks": decks, "soft17": soft17} for decks in ("1", "8") for soft17 in ("hit", "stand")
    ]


# -------------------------------------------------------------------------------------------- words


def test_what_people_see() -> None:
    lines = run("twisted-21", "--rounds", "1e6", "--policy", "optimal").out.splitlines()
    assert lines[0] == "Twisted 21  twisted-21@2"
    assert "optimal (composition-dependent) play, 1 seat" in lines[1]
    assert re.fullmatch(r"1,000,000 rounds in \d+\.\d s, [\d,]+ a second, seed 1", lines[2])
    assert " ".join(lines[4].split()) == "wager EV ± 95% exact z sd ± 95% wins ± 95%"
    assert lines[5].split()[:2] == ["Twisted", "21"]
    assert all(len(line) <= 100 for line in lines)


def test_long_names_make_two_tables() -> None:
    text = run("blackjack-tie", "--rounds", "1e5", "--policy", "mimic").out
    assert text.count("Right side (20, 21, blackjack)") == 2
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("rounds", ["1", "2", "7", "10001"])
def test_few_rounds(rounds: str) -> None:
    found = data("blackjack", "--rounds", rounds, "--policy", "mimic")
    assert found["rounds"] == int(rounds)
    text = run("blackjack", "--rounds", rounds, "--policy", "mimic").out
    assert ("1 round in " if rounds == "1" else " rounds in ") in text
    assert "inf" not in text
    assert "nan" not in text
    if rounds == "1":
        base = found["wagers"]["base"]
        assert base["stderr"] is None
        assert base["z"] is None


def test_numbers_as_people_write_them() -> None:
    same = [
        data("blackjack", "--rounds", text, "--policy", "mimic")["totals"]
        for text in ("10000", "1e4", "10_000", "1.0E+4")
    ]
    assert len(set(same)) == 1


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name a game"),
        (("blackjak",), 'did you mean "blackjack"'),
        (("blackjack", "--rounds", "0"), "at least 1 round"),
        (("blackjack", "--rounds", "-5"), "at least 1 round"),
        (("blackjack", "--rounds", "1.5"), "not a number of rounds"),
        (("blackjack", "--rounds", ""), "not a number of rounds"),
        (("blackjack", "--rounds", "many"), "not a number of rounds"),
        (("blackjack", "--until", "0"), "above 0"),
        (("blackjack", "--until", "-0.1%"), "above 0"),
        (("blackjack", "--until", "nan"), "above 0"),
        (("blackjack", "--until", "narrow"), "not a half width"),
        (("blackjack", "--until", ""), "not a half width"),
        (("blackjack", "--policy", "optimum"), 'did you mean "optimal"'),
        (("blackjack", "--policy", "nowhere.csv"), "there is no file nowhere.csv"),
        (("blackjack", "--seats", "0"), "1 to 7 seats can play, not 0"),
        (("pure-spanish-21.5", "--seats", "7"), "1 to 6 seats can play, not 7"),
        (("blackjack", "--threads", "0"), "at least 1 thread"),
        (("blackjack", "--threads", "1", "--cluster", "local:1"), "not both"),
        (("blackjack", "--cluster", "local:0"), "1 to 256 processes"),
        (("blackjack", "--cluster", "home"), "is not a cluster"),
        (("blackjack", "--bet", "501c"), "a base wager of $5.01 is not a positive multiple of $1"),
        (("blackjack", "--with", "match=1"), "it has none"),
        (("blackjack", "--count", "hi-lo"), "say --shoe cut"),
        (("blackjack", "--shoe", "cut", "--count", "hilo"), 'did you mean "hi-lo"'),
        (("twisted-21", "--shoe", "cut", "--count", "hi-lo"), "leaves nothing to count"),
        (("blackjack", "--bank", "5000"), "the house banks"),
        (("blackjack", "--session", "0"), "1 to 1,000,000 rounds"),
        (("blackjack", "--session", "100", "--rounds", "99"), "longer than the whole run"),
        (("blackjack", "--session", "2000000"), "1 to 1,000,000 rounds"),
        (("blackjack", "--rounds", "9" * 400), "can be asked for"),
        (("blackjack", "--bet", "9" * 24 + "00"), TOO_MUCH),
        (("blackjack", "--session", "9", "--bankroll", "9" * 30), TOO_MUCH),
        (("pure-spanish-21.5", "--bank", "9" * 24 + "00"), TOO_MUCH),
        (("pure-spanish-21.5", "--bank", "150c"), "a bank of $1.50 is not a positive multiple"),
        (("blackjack", "--checkpoint", "/"), "a folder"),
        (("blackjack", "--bankroll", "5000"), "needs a session"),
        (("blackjack", "--session", "9", "--bankroll", "1"), "does not cover"),
        (("blackjack", "--session", "9", "--bankroll", "0"), "a bankroll is above $0, not $0"),
        (("blackjack", "--vary", "table_minimum=5,-1"), "table_minimum: an amount is $0 or more"),
        (("blackjack", "--follow", "bank"), "--session"),
        (("blackjack", "--vary", "decks"), "decks=1,2,6"),
        (("blackjack", "--vary", "table_minimum=$1,000"), "write $1,000 as 1000"),
        (("blackjack", "--vary", "table_maximum=1,000"), "write $1,000 as 1000"),
        (("blackjack", "--vary", "decks=1,,2"), "decks=1,2,6"),
        (("blackjack", "--vary", "decks=1,99"), "does not allow decks=99"),
        (("blackjack", "--set", "decks=6", "--vary", "decks=1,2"), "set twice"),
        (("--resume", "nowhere.json"), "there is no checkpoint nowhere.json"),
        (("blackjack", "--resume", "nowhere.json"), "leave the game out"),
        (("--resume", "nowhere.json", "--seed", "1"), "keeps the --seed"),
        (("--resume", "nowhere.json", "--set", "decks=1"), "keeps the --set"),
        (("--resume", "nowhere.json", "--with", "x=1"), "keeps the --with"),
    ],
)
def test_refusals_are_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    assert words in refused(*arguments)


def test_a_chart_that_does_not_cover_a_hand_is_refused(tmp_path: Path) -> None:
    chart = tmp_path / "chart.csv"
    assert upcard("strategy", "twisted-21", "-o", str(chart)).status == 0
    lines = chart.read_text().splitlines(keepends=True)
    without = [line for line in lines if ",14," not in line]
    assert len(without) < len(lines)
    chart.write_text("".join(without))
    words = refused("twisted-21", "--policy", str(chart), "--rounds", "1e12")
    assert "chart.csv" in words
    assert "14" in words


def test_an_unreachable_cluster_is_refused_before_anything_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("upcard.simulate.cluster.CONNECT_SECONDS", 0.2)
    words = refused("ten-sticks-21", "--cluster", "tcp://127.0.0.1:1", "--rounds", "1e12")
    assert "cannot reach" in words


# ---------------------------------------------------------------------------------- stop and resume


SAVES_SOON = """
import sys
from upcard.__main__ import main
from upcard.simulate import run

run.CHECKPOINT_SECONDS = 0.2
sys.argv[0] = "upcard"
main()
"""


def _started(*arguments: str) -> subprocess.Popen[str]:
    """A run that writes its checkpoint more often: what it has played is played again below."""
    return subprocess.Popen(
        [sys.executable, "-c", SAVES_SOON, "simulate", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _wait_for_rounds(file: Path, process: subprocess.Popen[str]) -> None:
    """Until the checkpoint has some: as long as that takes on a busy machine."""
    while not (file.exists() and json.loads(file.read_bytes())["content"]["jobs"][0]["rounds"]):
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)


def test_ctrl_c_ends_with_the_result_so_far_and_the_run_can_go_on(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    arguments = ("blackjack", "--policy", "mimic", "--seed", "5")
    process = _started(*arguments, "--rounds", "1e12", "--checkpoint", str(file), "--json")
    _wait_for_rounds(file, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert err == (
        f"upcard: stopped: this is the result so far; go on with: upcard simulate --resume {file}\n"
    )
    found = json.loads(out)
    rounds = found["rounds"]
    assert not found["complete"]
    assert rounds > 0
    assert rounds % 500_000 == 0
    assert found["goal"]["rounds"] == 10**12
    assert found["totals"] == data(*arguments, "--rounds", str(rounds))["totals"]
    # The goal is kept, too: without another one the run would go on to 1e12.
    assert json.loads(file.read_bytes())["content"]["request"]["goal"] == {
        "rounds": 10**12,
        "half_width": None,
    }
    more = rounds + 1_234_567
    gone_on = data("--resume", str(file), "--rounds", str(more))
    assert gone_on["complete"]
    assert gone_on["totals"] == data(*arguments, "--rounds", str(more))["totals"]
    assert "exists: go on with it" in refused(*arguments, "--checkpoint", str(file))
    assert "already" in refused("--resume", str(file), "--rounds", "1000")


def test_a_resumed_run_keeps_its_goal(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    arguments = ("blackjack", "--policy", "mimic", "--rounds", "600000")
    first = data(*arguments, "--checkpoint", str(file))
    again = data("--resume", str(file))
    assert again["goal"] == {"rounds": 600_000, "half_width": None}
    assert again["totals"] == first["totals"]


def test_a_bar_on_a_terminal() -> None:
    """Rate, time left and the estimate; it goes away, and standard output has only the result."""
    mine, other = os.openpty()
    words = ["simulate", "blackjack", "--policy", "mimic", "--rounds", "1e12", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "upcard", *words],
        stdout=subprocess.PIPE,
        stderr=other,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(other)
    seen = ""
    pattern = re.compile(r"blackjack .*\d M +[\d.]+ M/s .* left +EV [-+]\d\.\d+% ±\d\.\d+%")
    while not pattern.search(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)):
        assert process.poll() is None, seen[-500:]
        seen += os.read(mine, 4096).decode()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    os.close(mine)
    assert process.returncode == 130
    assert not json.loads(out)["complete"]


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    script = f"{sys.executable} -m upcard simulate blackjack --policy mimic --rounds 1e5 --json"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{script} | head -n 1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")
