"""The verbs of exact odds: JSON that scripts can rely on, words for people, refusals."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from shell import Done, refusal, upcard
from unit.test_check import child
from upcard import GAME_IDS, tables_for
from upcard.cli import solving
from upcard.compile.context import Action
from upcard.money import TOO_MUCH
from upcard.pages import figures
from upcard.solve import chart_grid
from upcard.solve.odds import odds
from upcard.solve.readings import price_readings

WAGER_KEYS = {
    "name",
    "ev",
    "edge",
    "sd",
    "skewness",
    "average_stake",
    "element_of_risk",
    "hit_frequency",
    "method",
    "error",
    "strategy",
    "favours_player",
    "returns",
}
ROW_KEYS = {"event", "pays", "printed", "combinations", "probability", "return"}
IDENTITY = {"game", "version", "fingerprint", "settings"}


pytestmark = pytest.mark.usefixtures("solved_once", "few_rounds")

SOONER = {"ten-sticks-21": ("--set", "decks=1")}
"""Settings of games that are solved sooner, ask the same questions and have the same answers."""


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a bank's side no figure is asked here, but that there is one."""
    monkeypatch.setattr("upcard.trial.bank_readings.ROUNDS", 2_000)


@cache
def run(*arguments: str) -> Done:
    """A command, run once however many tests look at it."""
    done = upcard(*arguments)
    assert done.status == 0, done.err
    assert done.err == ""
    return done


def data(*arguments: str) -> Any:
    """Strict JSON: neither NaN nor Infinity."""
    return json.loads(run(*arguments, "--json").out, parse_constant=pytest.fail)


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for item in value.values():
            yield from numbers(item)
    elif isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, float):
        yield value


# -------------------------------------------------------------------------------------------- odds


@pytest.mark.parametrize("game", GAME_IDS)
def test_odds_as_json(game: str) -> None:
    found = data("odds", game, *SOONER.get(game, ()))
    assert found["game"] == game
    assert set(found) >= IDENTITY | {"seconds", "bet", "split_mode", "strategy", "wagers", "base"}
    assert (found["split_mode"], found["strategy"], found["infinite"]) == ("CDP", "optimal", False)
    assert all(math.isfinite(number) for number in numbers(found))
    assert next(iter(found["wagers"])) == "base"
    for wager in found["wagers"].values():
        assert set(wager) == WAGER_KEYS
        assert wager["edge"] == -wager["ev"]
        assert wager["favours_player"] is (wager["ev"] > 0)
        assert wager["sd"] > 0
        assert 0 < wager["hit_frequency"] < 1
        for row in wager["returns"]:
            assert set(row) == ROW_KEYS
            assert row["return"] == pytest.approx(row["pays"] * row["probability"])
        if wager["returns"]:
            assert sum(row["return"] for row in wager["returns"]) == pytest.approx(wager["ev"])
            assert sum(row["probability"] for row in wager["returns"]) == pytest.approx(1)
    base = found["base"]
    assert sum(base["outcomes"].values()) == pytest.approx(1)
    assert sum(item["probability"] for item in base["distribution"]) == pytest.approx(1)
    assert sum(hand["chance"] for hand in base["by_first_hand"]) == pytest.approx(1)
    assert set(base["by_up"]) == {hand["up"] for hand in base["by_first_hand"]}
    assert 0 <= base["basic_cost"] < 0.001
    assert ("lights" in found) is (game == "ten-sticks-21")
    assert ("by_bet" in found) is (game == "games-of-chance-blackjack")
    assert "combined" not in found
    assert "stay" not in found


@pytest.mark.parametrize("game", GAME_IDS)
def test_odds_in_words(game: str) -> None:
    found = data("odds", game, *SOONER.get(game, ()))
    # The words come from the same figures: price once, print twice.
    text = _printed(game)
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    for wager in found["wagers"].values():
        assert wager["name"] in text
        assert f"{100 * wager['edge']:+.4f}%" in text
    favours = any(wager["favours_player"] for wager in found["wagers"].values())
    assert ("favours the player" in text) is favours
    assert "EV by up card" in text
    assert "against the best play" in text


@cache
def _printed(game: str) -> str:
    return run("odds", game, *SOONER.get(game, ())).out


def test_known_figures() -> None:
    wagers = data("odds", "blackjack")["wagers"]
    assert wagers["base"]["ev"] == pytest.approx(-0.0033025932464)
    assert wagers["insurance"]["ev"] == pytest.approx(-0.07395498392282958)
    match = data("odds", "pure-spanish-21.5")["wagers"]["match"]
    assert sum(row["combinations"] for row in match["returns"]) == 41041
    bonus = data("odds", "twisted-21")["wagers"]["stud-bonus"]
    assert sum(row["combinations"] for row in bonus["returns"]) == 2598960
    assert bonus["favours_player"]


def test_both_wagers_of_games_of_chance() -> None:
    found = data("odds", "games-of-chance-blackjack")
    assert set(found["by_bet"]) == {"200", "400"}
    assert found["by_bet"]["200"]["ev"] == pytest.approx(found["wagers"]["base"]["ev"])
    assert found["by_bet"]["400"]["edge"] < found["by_bet"]["200"]["edge"]
    text = _printed("games-of-chance-blackjack")
    assert "  $2  " in text
    assert "  $4  " in text
    larger = data("odds", "games-of-chance-blackjack", "--bet", "4")
    assert larger["wagers"]["base"]["ev"] == pytest.approx(found["by_bet"]["400"]["ev"])


def test_lights_in_endless_play() -> None:
    arguments = ("odds", "ten-sticks-21", "--set", "decks=2")
    found = data(*arguments)
    lights = found["lights"]
    assert set(lights) == {
        "per_round",
        "value",
        "value_in_bets",
        "prize",
        "prize_name",
        "rounds_to_prize",
        "break_even_prize",
        "alone_ev",
        "base_ev",
    }
    assert lights["prize"] == 5000
    assert (lights["value"], lights["value_in_bets"]) == (500, 1.0)
    ev = lights["base_ev"] + lights["value_in_bets"] * lights["per_round"]
    assert found["wagers"]["base"]["ev"] == pytest.approx(ev)
    text = run(*arguments).out
    assert lights["break_even_prize"] < 0
    assert lights["base_ev"] < 0 < lights["alone_ev"] < found["wagers"]["base"]["ev"]
    alone = figures.percent(lights["alone_ev"])
    words = (
        f"Played for the wager alone, EV {alone}, the game favours the player without any prize."
    )
    assert words in text


def test_a_prize_that_makes_the_game_even_is_named() -> None:
    arguments = ("odds", "ten-sticks-21", "--set", "natural=6:5", "--set", "decks=1")
    found = data(*arguments)
    assert found["lights"]["break_even_prize"] > 0
    assert found["lights"]["alone_ev"] is None
    assert "makes the game even" in run(*arguments).out


def test_a_player_who_leaves() -> None:
    arguments = ("odds", "ten-sticks-21", "--set", "decks=1", "--stay", "40")
    found = data(*arguments)
    stay = found["stay"]
    assert set(stay) == {
        "rounds",
        "ev",
        "edge",
        "favours_player",
        "base_ev",
        "per_round",
        "value_by_lit",
    }
    assert stay["rounds"] == 40
    assert len(stay["value_by_lit"]) == 10
    assert stay["value_by_lit"] == sorted(stay["value_by_lit"])
    assert stay["ev"] < found["wagers"]["base"]["ev"]
    text = run(*arguments).out
    assert "A player who stays 40 rounds on average" in text
    assert f"{stay['value_by_lit'][9]:.4f}" in text


def test_several_wagers_together() -> None:
    arguments = ("odds", "blackjack-tie", "--with", "tie-20=1/2", "--with", "left-side=0.5")
    found = data(*arguments)["combined"]
    assert found["ratios"] == {"tie-20": 0.5, "left-side": 0.5}
    for stake in (found["adapted"], found["ordinary"]):
        assert set(stake) == {"ev", "edge", "favours_player", "wagers"}
        assert len(stake["wagers"]) == 9
        shares = {"base": 1, **found["ratios"]}
        whole = sum(share * stake["wagers"][name]["ev"] for name, share in shares.items())
        assert stake["ev"] == pytest.approx(whole)
        assert stake["edge"] == pytest.approx(-stake["ev"] / 2)
    assert found["adapted"]["ev"] > found["ordinary"]["ev"]
    text = run(*arguments).out
    assert "all that is staked" in text
    assert "Tie 17, not staked" in text


def test_other_ways_to_price() -> None:
    base = data("odds", "blackjack")
    basic = data("odds", "blackjack", "--strategy", "basic")
    assert basic["wagers"]["base"]["ev"] == pytest.approx(base["base"]["basic_ev"])
    assert basic["wagers"]["base"]["strategy"] == "total-dependent"
    unsplit = data("odds", "blackjack", "--split-mode", "CDZ-")
    assert unsplit["split_mode"] == "CDZ-"
    assert unsplit["wagers"]["base"]["ev"] <= base["wagers"]["base"]["ev"]
    endless = run("odds", "blackjack", "--infinite", "--json").data
    assert endless["infinite"]
    assert endless["wagers"]["insurance"]["ev"] == pytest.approx(-1 / 13)
    one = data("odds", "blackjack", "--set", "decks=1")
    assert one["settings"] == {"decks": "1"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("blakjack",), 'no game "blakjack"; did you mean "blackjack"?'),
        (("blackjack", "--bet", "0"), "a base wager of $0 is not a positive multiple of $1"),
        (("games-of-chance-blackjack", "--bet", "3"), "a base wager is $2 or $4, not $3 [GC-AMT]"),
        (("blackjack", "--bet", "5c"), "a base wager of $0.05 is not a positive multiple of $1"),
        (("ten-sticks-21", "--bet", "25c"), "a base wager of $0.25 is not a positive multiple"),
        (("blackjack", "--bet", "4"), "a base wager of $4 is below the minimum of $5"),
        (("blackjack", "--bet", "$501"), "a base wager of $501 is above the maximum of $500"),
        (("blackjack", "--bet", "-5"), "an amount is $0 or more, not -$5"),
        (("blackjack", "--bet", "9" * 30), TOO_MUCH),
        (("blackjack", "--set", "table_maximum=" + "9" * 30), f"table_maximum: {TOO_MUCH}"),
        (("blackjack", "--set", "table_maximum=1e30"), 'table_maximum: "1e30" is not an amount'),
        (
            ("blackjack", "--set", "table_minimum=50c"),
            "does not allow table_minimum=$0.50: table_minimum may be $1 to $100,000",
        ),
        (
            ("pure-spanish-21.5", "--bet", "5", "--with", "match=0.5"),
            "match=0.5 of a base wager of $5 is not a multiple of $1",
        ),
        (
            ("pure-spanish-21.5", "--bet", "4", "--with", "match=0.5"),
            "a match wager of $2 is below the minimum of $3 [PS-D11, PS-M5]",
        ),
        (
            ("pure-spanish-21.5", "--with", "match=0.001"),
            "no base wager takes match=0.001 beside it: with $3,000, a base wager of $3,000",
        ),
        (
            ("blackjack-tie", "--bet", "10", "--with", "tie-17=1", "--with", "tie-18=1"),
            "all bonus wagers together are $20 and may not exceed the base wager of $10 [BT-5]",
        ),
        (("blackjack", "--stay", "20"), "has no lights"),
        (("ten-sticks-21", "--stay", "0.5"), "not 0.5"),
        (("ten-sticks-21", "--stay", "nan"), "not nan"),
        (("pure-spanish-21.5", "--with", "match"), "such as match=0.5"),
        (("pure-spanish-21.5", "--with", "mach=1"), 'did you mean "match"?'),
        (("pure-spanish-21.5", "--with", "base=1"), 'no side wager "base"'),
        (("pure-spanish-21.5", "--with", "match=much"), '"much" is not a size'),
        (("pure-spanish-21.5", "--with", "match=1/0"), '"1/0" is not a size'),
        (("pure-spanish-21.5", "--with", "match=1e9"), '"1e9" is not a size'),
        (("pure-spanish-21.5", "--with", "match=-1"), "above 0 base wagers"),
        (("pure-spanish-21.5", "--with", "match=0"), "above 0 and below 1,000,000 base"),
        (("pure-spanish-21.5", "--with", "match=1", "--with", "match=1"), "given twice"),
        (("blackjack", "--with", "insurance=0.5"), "it has none"),
        (("blackjack-tie", "--with", "tie-20=1", "--with", "tie-21=1"), "may not exceed"),
    ],
)
def test_odds_refuses_in_one_sentence(arguments: tuple[str, ...], expected: str) -> None:
    assert expected in refusal("odds", *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds",),
        ("odds", "blackjack", "--strategy", "lucky"),
        ("odds", "blackjack", "--split-mode", "CDX"),
        ("odds", "blackjack", "--bet", "much"),
        ("hand", "blackjack", "--doubles", "x"),
        ("strategy", "blackjack", "--chart"),
        ("readings",),
    ],
)
def test_wrong_usage_exits_2(arguments: tuple[str, ...]) -> None:
    assert upcard(*arguments).status == 2


# -------------------------------------------------------------------------------------------- hand


def test_hand_as_json() -> None:
    found = data("hand", "blackjack", "--cards", "Ts 6d", "--up", "9h", "--removed", "5c 5d")
    assert set(found) == IDENTITY | {
        "cards",
        "up",
        "removed",
        "actions",
        "best",
        "before_check",
        "natural",
        "insurance",
        "split_mode",
        "bet",
        "doubles",
        "with",
        "light",
    }
    assert (found["cards"], found["up"], found["removed"]) == (["Ts", "6d"], "9h", ["5c", "5d"])
    values = list(found["actions"].values())
    assert values == sorted(values, reverse=True)
    assert found["best"] == next(iter(found["actions"])) == "surrender"
    assert set(found["actions"]) == {"hit", "stand", "double", "surrender"}
    assert found["insurance"] is None
    assert found["before_check"] is False


def test_hand_in_words() -> None:
    text = run("hand", "blackjack", "--cards", "8s,8d", "--up", "Ah").out
    assert "8s 8d against Ah" in text
    assert "Values after a check that found no blackjack" in text
    assert "Insurance: EV -6.7961% of its stake, it costs." in text
    early = run("hand", "blackjack", "--cards", "8s 8d", "--up", "Ah", "--set", "surrender=early")
    assert "Values before the dealer's check" in early.out
    assert early.out.index("surrender ") < early.out.index("split ")


def test_hands_of_all_kinds() -> None:
    small = " ".join(f"{rank}{suit}" for rank in "2345" for suit in "shc")
    rich = data("hand", "twisted-21", "--cards", "9s 2d", "--up", "6h", "--removed", small)
    poor = data("hand", "twisted-21", "--cards", "9s 2d", "--up", "6h")
    assert rich["best"] == poor["best"] == "double"
    assert rich["actions"]["double"] > poor["actions"]["double"]
    doubled = data(
        "hand", "pure-spanish-21.5", "--cards", "5s 6d 2c", "--up", "9h", "--doubles", "1"
    )
    assert set(doubled["actions"]) == {"stand", "redouble", "rescue"}
    bonus = data("hand", "ten-sticks-21", "--set", "decks=1", "--cards", "6s Tc", "--up", "9h")
    assert (bonus["best"], bonus["before_check"]) == ("trade", True)
    tied = ("hand", "blackjack-tie", "--cards", "Ts 9d", "--up", "Th")
    assert data(*tied)["best"] == "stand"
    without = run("hand", "blackjack", "--cards", "Ts 6d", "--up", "9h", "--removed", "5c").out
    assert "without 5c" in without


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("blackjack", "--cards", " , ", "--up", "9h"), "--cards is empty"),
        (("blackjack", "--cards", "Ts 6d", "--up", ""), "--up is one card, not 0"),
        (("blackjack", "--cards", "Ts", "--up", "9h"), "at least 2 cards, not 1"),
        (("blackjack", "--cards", "Ts 16", "--up", "9h"), '"16" is not a card'),
        (("blackjack", "--cards", "Ts 6d", "--up", "9h 9d"), "--up is one card, not 2"),
        (("blackjack", "--cards", "Ts 6d", "--up", "9h", "--removed", "x"), "is not a card"),
        (("twisted-21", "--cards", "As Ah", "--up", "As"), "As comes 2 times"),
        (("pure-spanish-21.5", "--cards", "Ts 6d", "--up", "9h"), "is dealt without tens"),
        (("pure-spanish-21.5", "--cards", "6d 5d", "--up", "Th"), "is dealt without tens"),
        (("blackjack", "--cards", "Ts 6d 9c", "--up", "9h"), "is over: the hand has ended"),
        (("blackjack", "--cards", "Ts Ad 2c", "--up", "9h"), "Ts Ad 2c"),
        (("blackjack", "--cards", "5s 6d", "--up", "9h", "--doubles", "1"), "at least 3 cards"),
        (("blackjack", "--cards", "2s 2d 2c 3h", "--up", "9h", "--doubles", "2"), "at most 1"),
        (
            ("blackjack", "--cards", "Ts 6d", "--up", "9h", "--bet", "0"),
            "a base wager of $0 is not a positive multiple",
        ),
        (("blackjack", "--cards", "Ts 6d", "--up", "9h", "--with", "x=1"), "it has none"),
    ],
)
def test_hand_refuses_in_one_sentence(arguments: tuple[str, ...], expected: str) -> None:
    assert expected in refusal("hand", *arguments)


# ---------------------------------------------------------------------------------------- strategy


@pytest.mark.parametrize("game", GAME_IDS)
def test_chart_as_json(game: str) -> None:
    found = data("strategy", game, *SOONER.get(game, ()))
    assert set(found) == IDENTITY | {
        "bet",
        "ratios",
        "split_mode",
        "ev",
        "basic_ev",
        "ups",
        "sections",
        "exceptions",
        *(["exchange"] if game == "blackjack-switch" else []),
    }
    names = {action.text for action in Action}
    assert found["ups"][-1].split()[0] == "A"
    for section in found["sections"]:
        assert section["rows"]
        for row in section["rows"]:
            assert set(row["actions"]) <= set(found["ups"])
            for cell in row["actions"].values():
                assert cell["ranking"][0] == cell["action"]
                assert set(cell["ranking"]) <= names
    for item in found["exceptions"]:
        assert item["gain"] > 0
        assert item["chart"] != item["better"]
    assert found["basic_ev"] <= found["ev"]


def test_chart_in_words() -> None:
    text = run("strategy", "blackjack").out
    lines = {line.split("  ")[1].strip(): line for line in text.splitlines() if "  " in line}
    assert lines["16"].split() == ["16", "S", "S", "S", "S", "S", "H", "H", "Rh", "Rs", "Rh"]
    assert lines["11"].split()[1:] == ["Dh"] * 9 + ["H"]
    assert lines["A,7"].split()[1:] == ["S", *["Ds"] * 4, "S", "S", "H", "H", "H"]
    assert lines["8,8"].split()[1:] == ["P"] * 10
    assert "H  hit" in text
    assert "A small letter is for hands of more cards" in text
    assert "T,2    4   stand" in text
    twisted = run("strategy", "twisted-21").out
    for cards in (2, 3, 4):
        assert f"Hard totals, {cards} cards" in twisted
    assert "A small letter" not in twisted


def test_letters_of_a_chart_are_explained() -> None:
    sticks = run("strategy", "ten-sticks-21", "--set", "decks=1").out
    assert "\nT is any ten, jack, queen or king; T* is the bonus card Tc.\n" in sticks
    assert "\nC is any jack, queen or king.\n" in run("strategy", "pure-spanish-21.5").out
    assert "T* is the bonus card Tc." in _printed("ten-sticks-21")


@pytest.mark.parametrize("game", ["ten-sticks-21", "pure-spanish-21.5", "twisted-21"])
def test_every_sign_of_a_chart_is_in_its_legend(game: str) -> None:
    chart, _, legend = run("strategy", game, *SOONER.get(game, ())).out.partition("\n H  hit")
    explained = f" H  hit{legend}".partition("First two cards")[0]
    rows = (line.split() for line in chart.splitlines() if line.startswith("  "))
    cells = {cell for name, *row in rows if name != "2" for cell in row}
    codes = {code.letters: code.words for code in chart_grid.CODES.values()}
    for sign in cells & codes.keys():
        assert re.search(rf" {sign}  {codes[sign]}\s", explained), sign
    assert (chart_grid.NOTHING in cells) == (f"{chart_grid.NOTHING} stands where" in explained)


def test_the_ev_that_a_sentence_speaks_of_stands_beside_it() -> None:
    found = data("strategy", "blackjack")
    chart, best = (figures.percent(found[key]) for key in ("basic_ev", "ev"))
    text = " ".join(run("strategy", "blackjack").out.split())
    assert f"EV {chart} by the chart, {best} by the best play: the chart gives up " in text
    priced = data("odds", "blackjack")
    ev = figures.percent(priced["base"]["basic_ev"] + priced["base"]["basic_cost"])
    assert f"against the best play, which has {ev}." in " ".join(_printed("blackjack").split())
    text = run("readings", "twisted-21").out
    assert "edge +1.9247%  EV -1.9247%\n" in text
    assert "edge +0.6457%  EV -0.6457%, +1.2790% against *\n" in text


def test_a_hand_that_went_over_is_called_so() -> None:
    text = _printed("blackjack")
    assert re.search(r"\bover +\d", text)
    for game in GAME_IDS:
        assert not re.search(r"\b(un)?busts?(ed)?\b", _words_of(game)), game


def _words_of(game: str) -> str:
    """All sentences of a game's rule sheet."""
    sheet = data("rules", game)
    words = [clause["summary"] for clause in sheet["clauses"]]
    words += [rule["words"] for section in sheet["sections"] for rule in section["rules"]]
    for reading in sheet["readings"]:
        words += [reading["question"], *reading["answers"].values()]
    return "\n".join(words)


def test_early_surrender_is_explained() -> None:
    text = run("strategy", "blackjack", "--set", "surrender=early", "--set", "decks=1").out
    assert "R comes before the check" in text


def test_trades_by_lights() -> None:
    arguments = ("strategy", "ten-sticks-21", "--set", "decks=1", "--stay", "30")
    found = data(*arguments)
    assert found["stay"] == 30
    first = [item for item in found["by_lit"] if item["lit"] == 0]
    assert {item["action"] for item in first} == {"keep"}
    text = run(*arguments).out
    assert "A player who stays 30 rounds on average" in text
    assert "  0 lights: keep" in text


def test_charts_in_files(tmp_path: Path) -> None:
    table, whole = tmp_path / "chart.csv", tmp_path / "chart.json"
    done = run("strategy", "blackjack", "-o", str(table))
    run("strategy", "blackjack", "-o", str(whole))
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert done.out == f"{table}: {len(rows)} decisions\n"
    found = {(row["section"], row["hand"], row["cards"], row["up"]): row for row in rows}
    assert len(found) == len(rows)
    row = found["hard", "16", "2", "T"]
    assert (row["action"], row["fallback"]) == ("surrender", "hit")
    assert row["ranking"].split() == ["surrender", "hit", "stand", "double"]
    assert found["hard", "16", "3", "T"]["action"] == "stand"
    assert (row["soft"], row["total"], row["doubles"]) == ("false", "16", "0")
    data = json.loads(whole.read_text())
    assert data["game"] == "blackjack"
    assert sum(len(row["actions"]) for s in data["sections"] for row in s["rows"]) == len(rows)


def test_charts_are_not_written_just_anywhere(tmp_path: Path) -> None:
    assert ".svg or .html" in refusal("strategy", "blackjack", "-o", str(tmp_path / "chart.txt"))
    assert "there is no folder" in refusal(
        "strategy", "blackjack", "-o", str(tmp_path / "no" / "chart.csv")
    )
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    assert "this is a folder" in refusal("strategy", "blackjack", "-o", str(folder))
    with mock.patch.object(Path, "write_bytes", side_effect=PermissionError(13, "No Permission")):
        words = refusal("strategy", "twisted-21", "-o", str(tmp_path / "chart.csv"))
    assert words == f"{tmp_path / 'chart.csv'}: no permission"
    assert "has no lights" in refusal("strategy", "blackjack", "--stay", "9")


# ---------------------------------------------------------------------------------------- readings


@pytest.mark.parametrize("game", GAME_IDS)
def test_readings_as_json(game: str) -> None:
    found = data("readings", game, *SOONER.get(game, ()))
    rules = run("rules", game, "--json").data
    assert set(found) == IDENTITY | {"bet", "split_mode", "default", "readings", "options"}
    assert [reading["id"] for reading in found["readings"]] == [
        reading["name"] for reading in rules["readings"]
    ]
    for reading in found["readings"]:
        assert set(reading) == {"id", "asks", "clauses", "default", "having", "bank", "answers"}
        assert (reading["bank"] is not None) == (
            game == "pure-spanish-21.5" and not any(item["wagers"] for item in reading["answers"])
        )
        assert [item["answer"] for item in reading["answers"] if item["is_default"]] == [
            reading["default"]
        ]
        for answer in reading["answers"]:
            assert answer["text"]
            for wager, price in answer["wagers"].items():
                if price["ev"] is None:  # an answer that takes a wager away
                    assert (price["edge"], price["change"]) == (None, None)
                    continue
                assert price["edge"] == -price["ev"]
                if answer["is_default"]:
                    assert price["change"] == 0
                    if not reading["having"]:
                        assert price["ev"] == found["default"][wager]
        changes = {
            price["change"] for item in reading["answers"] for price in item["wagers"].values()
        }
        assert not changes or changes - {0}


def test_what_readings_cost() -> None:
    told = data("readings", "games-of-chance-blackjack")
    found = {item["id"]: item for item in told["readings"]}
    tie = {item["answer"]: item["wagers"] for item in found["tie_dollar"]["answers"]}
    assert 0 < tie["player"]["base"]["change"] < 0.001
    assert all(not item["wagers"] for item in found["insurance_amount"]["answers"])
    # GC-AMT, SR-32: half of the $2 bet is no printed amount, so there is no insurance.
    added = {item["answer"]: item["wagers"] for item in found["added_wagers"]["answers"]}
    assert set(added["printed"]) == {"insurance"}
    assert added["printed"]["insurance"]["ev"] is None
    assert added["any"]["insurance"]["ev"] == told["default"]["insurance"]


def test_a_reading_of_another_version_is_priced_with_it() -> None:
    found = {item["id"]: item for item in data("readings", "twisted-21")["readings"]}
    assert found["low_ball"]["having"] == {"stud_bonus": "five-card-low"}
    assert found["twisted_stud"]["having"] == {}
    text = run("readings", "twisted-21").out
    assert "with stud_bonus = five-card-low" in text
    assert "changes no wager's odds" in text
    assert "favours the player" in text
    assert "* higher: The row that pays most, once." in text


CHIP = """[readings.chips]
asks = "In which chips is a payoff made, and where does the rest go?"
clauses = ["MY-1"]
answers = { fine = "In cents.", down = "In dollars, down.", up = "In dollars, up." }
default = "fine"
[readings.chips.values.fine]
"limits.chip" = 1
"limits.rounding" = "down"
[readings.chips.values.down]
"limits.chip" = 100
"limits.rounding" = "down"
[readings.chips.values.up]
"limits.chip" = 100
"limits.rounding" = "up"
"""


def test_a_reading_of_chips_and_rounding_has_a_price(tmp_path: Path) -> None:
    """Half a dollar of a natural's odds of 3 to 2, at $5, is paid, lost or made a whole one."""
    clause = '[clauses]\nMY-1 = { kind = "play", says = "Chips.", sets = ["extends"] }\n'
    fixed = '[fixed]\nchip = ["MY-1"]\nrounding = ["MY-1"]\n'
    file = child(tmp_path, "blackjack", clause + fixed + CHIP)
    found = price_readings(lambda settings: tables_for(file, settings), bet=500)
    chips = next(reading for reading in found.readings if reading.id == "chips")
    evs = {answer.answer: answer.wagers["base"].ev or 0.0 for answer in chips.answers}
    for answer, ev in evs.items():
        exact = odds(tables_for(file, {"chips": answer}), bet=500)
        assert ev == pytest.approx(exact.wagers["base"].ev, abs=1e-12)
    assert evs["down"] < evs["fine"] < evs["up"], evs


def test_readings_under_other_settings() -> None:
    found = data("readings", "twisted-21", "--set", "five_cards=wins", "--set", "stud_bonus=none")
    readings = {item["id"]: item for item in found["readings"]}
    five = {item["answer"]: item["wagers"]["base"] for item in readings["five_cards"]["answers"]}
    assert five["wins"]["ev"] == found["default"]["base"]
    assert five["compared"]["change"] == 0 < five["wins"]["change"]
    assert all(not item["wagers"] for item in readings["low_ball"]["answers"])


def test_readings_refuse_in_one_sentence() -> None:
    words = "a base wager is $2 or $4, not $3 [GC-AMT]"
    assert refusal("readings", "games-of-chance-blackjack", "--bet", "3") == words
    assert refusal("readings", "games-of-chance-blackjack", "--bet", "9" * 30) == TOO_MUCH
    assert 'no game "x"' in refusal("readings", "x")
    assert "does not allow" in refusal("readings", "blackjack", "--set", "decks=9")


# ---------------------------------------------------------------------------------------- progress


class Terminal:
    """Standard error of a person."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("compiled", [True, False])
def test_progress_is_shown_to_people(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(solving, "is_compiled", lambda: compiled)
    monkeypatch.setattr(solving, "QUIET_SECONDS", 0.0)
    with solving.progress() as told:
        told("hands", 0.5)
    assert "hands" in terminal.text
    assert (solving.COMPILING in terminal.text) is not compiled


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(solving, "is_compiled", lambda: True)
    with solving.progress() as told:
        told("hands", 0.5)
    assert terminal.text.strip("\x1b[?25hl") == ""


def test_compiled_kernels_are_found() -> None:
    run("hand", "blackjack", "--cards", "Ts 6d", "--up", "9h")
    assert isinstance(solving.is_compiled(), bool)


def test_plain_data() -> None:
    assert solving.plain({1: float("nan"), "x": (True, None, float("inf"), 2)}) == {
        "1": None,
        "x": [True, None, None, 2],
    }


def test_chart_says_who_splits_again() -> None:
    found = data("strategy", "blackjack-tie", "--with", "tie-18=1")
    again = {"pair": "T,T", "up": "T", "hands": 2, "first": True, "others": False}
    assert again in found["resplits"]
    shown = run("strategy", "blackjack-tie", "--with", "tie-18=1").out
    assert "T,T against everything: only the first hand, with 2 or 3 hands so far" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds",),
        ("strategy",),
        ("hand", "--cards", "Ts 6d 2c", "--up", "9h"),
        ("simulate", "--rounds", "1000"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_hand_of_three_first_cards_is_not_priced(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """Deals are worked out for two first cards; no game with more of them comes so far."""
    verb, *rest = arguments
    clause = 'X-1 = { kind = "play", says = "Three cards each.", sets = ["deal.player_up"] }'
    file = child(tmp_path, "blackjack", f"[deal]\nplayer_up = 3\n[clauses]\n{clause}\n")
    assert "so a player gets 2 face up, not 3" in refusal(verb, file, *rest)


def test_bonuses_of_the_base_wager() -> None:
    """A row for each, in words as in JSON; games without have nothing to say."""
    rows = {row["hand"]: row for row in data("odds", "spanish-21")["bonuses"]}
    assert list(rows) == [row.name for row in odds(tables_for("spanish-21")).bonuses]
    five = rows["five-card 21"]
    assert five["pays"] == 1.5
    assert five["printed"] == "3 to 2"
    assert five["hands"] == pytest.approx(five["unsplit"] + five["split"])
    assert five["return"] == pytest.approx(1.5 * five["hands"])
    assert five["over_a_win"] == pytest.approx(0.5 * five["hands"])
    printed = run("odds", "spanish-21").out
    line = next(line for line in printed.splitlines() if "five-card 21" in line)
    assert line.split()[-5:] == ["2", "0.2897%", "345", "+0.4346%", "+0.1449%"]
    assert "bonuses" not in data("odds", "blackjack")
    assert "Bonuses" not in run("odds", "blackjack").out
    # Two boxes that exchange cards have none to tell, and say so.
    left_out = str(replace(odds(tables_for("spanish-21")), bonuses=()))
    assert "What each bonus is worth is not told where two boxes exchange cards." in left_out
