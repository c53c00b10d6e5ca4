"""Simulated play beside exact values: every wager of every game, and whole sessions."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from depth import FIRST_GAMES, deep
from shell import upcard
from upcard import GAME_IDS, tables_for
from upcard.errors import UpcardError
from upcard.simulate.run import Goal, Threads, run
from upcard.solve.odds import odds
from upcard.trial.trials import Request, Result, prepare, request_data, requests_from, sweep

pytestmark = pytest.mark.no_cover  # millions of rounds

WELL_INSURED = """
id = "ins-blackjack"
version = 1
name = "Ins Blackjack"
source = "mine"
extends = "blackjack"

[insurance]
pays = "5:2"

[clauses]
IB-1 = { kind = "money", says = "Insurance pays 5 to 2.", sets = ["insurance.pays"] }
"""
FAR = 4.0
ROUNDS = 2_000_000


@cache
def played(
    rounds: int = ROUNDS, settings: tuple[tuple[str, str], ...] = (), **options: Any
) -> Result:
    trial = prepare(Request(settings=dict(settings), **options))
    job = trial.job.for_rounds(rounds)
    with Threads([job], 2) as workers:
        outcome = run([job], Goal(rounds), workers)[0]
    assert outcome.complete
    assert outcome.rounds == rounds
    return Result(trial, outcome)


@pytest.mark.parametrize(
    ("game", "policy"),
    [
        *((game, "basic") for game in GAME_IDS),
        *((game, "optimal") for game in FIRST_GAMES),
        *(
            pytest.param(game, "optimal", marks=deep)
            for game in GAME_IDS
            if game not in FIRST_GAMES
        ),
    ],
)
def test_every_wager_comes_to_its_exact_value(game: str, policy: str) -> None:
    found = played(game=game, policy=policy)
    tables = found.trial.tables
    assert set(found.wagers) == {*tables.payoffs, *tables.observers}
    for wager, one in found.wagers.items():
        assert one.exact is not None, wager
        assert one.z is not None, wager
        assert abs(one.z) < FAR, f"{wager}: {one.figures.ev} and {one.exact.ev}"
        assert one.figures.by == "blocks"


@pytest.mark.parametrize(
    ("game", "settings", "bet"),
    [
        ("games-of-chance-blackjack", (), 400),
        *(
            ("twisted-21", (("stud_bonus", version),), 500)
            for version in ("five-card-low", "seven-card", "seven-card-low")
        ),
    ],
)
def test_other_wagers_and_pay_tables_come_to_their_exact_values(
    game: str, settings: tuple[tuple[str, str], ...], bet: int
) -> None:
    found = played(settings=settings, game=game, bet=bet, policy="basic")
    for wager, one in found.wagers.items():
        assert one.z is not None, wager
        assert abs(one.z) < FAR, wager


def test_what_is_charged_once_a_player_comes_to_its_exact_value() -> None:
    options: dict[str, Any] = {"game": "games-of-chance-blackjack", "policy": "basic"}
    base = played(settings=(("tie_dollar", "player"),), **options).wagers["base"]
    each = played(**options).wagers["base"].exact
    assert base.exact is not None
    assert each is not None
    assert each.ev != base.exact.ev
    assert base.z is not None
    assert abs(base.z) < FAR


@pytest.mark.parametrize("game", ["blackjack", "twisted-21"])
def test_the_dealers_rule_comes_to_its_exact_value(game: str) -> None:
    found = played(game=game, policy="mimic")
    base = found.wagers["base"]
    assert base.exact is not None
    assert base.exact.ev < -0.05
    assert base.z is not None
    assert abs(base.z) < FAR


def test_random_play_has_no_exact_value_but_wagers_on_cards_have() -> None:
    found = played(game="ten-sticks-21", policy="random")
    assert found.wagers["base"].exact is None
    assert found.wagers["base"].z is None
    assert found.wagers["base"].figures.ev < -0.3
    insurance = found.wagers["insurance"]
    assert insurance.z is not None
    assert abs(insurance.z) < FAR


def test_a_chart_that_is_basic_play_plays_the_same_rounds(tmp_path: Path) -> None:
    file = tmp_path / "chart.csv"
    assert upcard("strategy", "blackjack", "-o", str(file)).status == 0
    chart = played(game="blackjack", policy=str(file), seed=1)
    basic = played(game="blackjack", policy="basic", seed=1)
    assert chart.outcome.totals == basic.outcome.totals
    ours, theirs = chart.wagers["base"].exact, basic.wagers["base"].exact
    assert ours is not None
    assert theirs is not None
    assert ours.ev == pytest.approx(theirs.ev, abs=1e-12)


@deep
def test_several_seats_change_no_wagers_value() -> None:
    found = played(500_000, game="twisted-21", policy="basic", seats=5)
    for one in found.wagers.values():
        assert one.z is not None
        assert abs(one.z) < FAR
        assert one.figures.made <= 2_500_000


def test_the_deviation_of_split_hands_against_one_dealer() -> None:
    """1.154 is published; with another dealer for each split hand it would be 1.137."""
    found = played(4_000_000, game="blackjack", settings=(("surrender", "none"),), policy="basic")
    figures = found.wagers["base"].figures
    assert figures.sd == pytest.approx(1.154, abs=0.002)
    assert figures.sd_stderr < 0.0005


# ----------------------------------------------------------------------------------------- sessions


def after(rounds: int, bankroll: int, bet: int, results: Mapping[int, float]) -> dict[int, float]:
    """What is left after some rounds, exactly; below a wager nothing more is played."""
    held = {bankroll: 1.0}
    for _ in range(rounds):
        new: dict[int, float] = defaultdict(float)
        for has, chance in held.items():
            if bankroll and has < bet:
                new[has] += chance
                continue
            for net, share in results.items():
                new[has + net] += chance * share
        held = new
    return held


def one_round() -> dict[int, float]:
    """Twisted 21 has no splits: every result of a round is known exactly."""
    found = odds(tables_for("twisted-21"), strategy="basic", mode="CDZ-")
    assert found.base.ends.method == "exact"
    return {round(500 * bets): share for bets, share in found.base.ends.results.items()}


def test_results_of_a_round_are_as_frequent_as_they_should_be() -> None:
    found = played(game="twisted-21", policy="basic").figures.results()
    exact = one_round()
    assert set(found) == set(exact)
    for net, one in found.items():
        assert abs(one.value - exact[net]) < FAR * one.stderr


@pytest.mark.parametrize("bankroll", [0, 4_000])
def test_sessions_end_as_rounds_convolved(bankroll: int) -> None:
    """Rounds from a fresh shoe are independent, so sessions can be worked out exactly."""
    rounds = 60
    options: dict[str, Any] = {"bankroll": bankroll} if bankroll else {}
    result = played(3_000_000, game="twisted-21", policy="basic", session=rounds, **options)
    found = result.figures.sessions()
    assert found is not None
    assert found.sessions == 50_000
    exact = one_round()
    for number, quantiles in found.path:
        left = after(number, bankroll, 500, exact)
        for q, one in quantiles.items():
            # The chances of being at or below, and below: the quantile lies between.
            at = sum(chance for has, chance in left.items() if has - bankroll <= one.value)
            below = sum(chance for has, chance in left.items() if has - bankroll < one.value)
            slack = FAR * math.sqrt(q * (1 - q) / found.sessions)
            assert below - slack < q < at + slack
    left = after(rounds, bankroll, 500, exact)
    mean = sum((has - bankroll) * chance for has, chance in left.items())
    assert abs(found.mean.value - mean) < FAR * found.mean.stderr
    square = sum((has - bankroll - mean) ** 2 * chance for has, chance in left.items())
    assert abs(found.sd.value - math.sqrt(square)) < FAR * found.sd.stderr
    ahead = sum(chance for has, chance in left.items() if has > bankroll)
    assert abs(found.ahead.value - ahead) < FAR * found.ahead.stderr
    ruin = sum(chance for has, chance in left.items() if bankroll and has < 500)
    if bankroll:
        assert 0.05 < ruin < 0.95
        assert abs(found.ruin.value - ruin) < FAR * found.ruin.stderr
    else:
        assert found.ruin.value == ruin == 0


# ----------------------------------------------------------------------------------------- requests


def test_requests_survive_a_checkpoint() -> None:
    requests = [
        Request(game="blackjack", settings={"decks": "1"}, ratios={}, session=10, bankroll=900),
        Request(game="twisted-21", ratios={"stud-bonus": 0.5}, policy="mimic", follow="bank"),
    ]
    assert requests_from(request_data(requests)) == requests
    for data in ({}, {"trials": 5}, {"trials": [{"policy": "basic"}]}):
        with pytest.raises(UpcardError, match="does not say what it was made for"):
            requests_from(data)


def test_a_sweep_is_checked_as_a_whole() -> None:
    good = Request(game="twisted-21", policy="mimic")
    assert [trial.request for trial in sweep([good])] == [good]
    with pytest.raises(UpcardError, match="no policy"):
        sweep([good, Request(game="twisted-21", policy="optimum")])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bet": 0}, "not a positive multiple of"),
        ({"bet": 501}, "not a positive multiple of"),
        ({"seats": 8}, "1 to 7 seats can play, not 8, since the table has 7 positions"),
        ({"bankroll": 5_000}, "needs a session"),
        ({"session": 0}, "1 to 1,000,000 rounds"),
        ({"session": 5, "bankroll": 0}, r"above \$0, not \$0"),
        ({"session": 5, "bankroll": 499}, "does not cover"),
        ({"session": 5, "follow": "bank"}, "the house banks"),
        ({"bank": 500}, "the house banks"),
        ({"count": "hi-lo"}, "nothing to count"),
        ({"count": "high-low", "shoe": "cut"}, "there is no count"),
        ({"ratios": {"match": 1.0}}, "it has none"),
    ],
)
def test_mistakes_are_found_before_anything_is_played(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UpcardError, match=words):
        prepare(Request(game="blackjack", policy="mimic", **options))


def test_exact_values_only_where_they_hold() -> None:
    def compared(**options: Any) -> set[str]:
        return set(prepare(Request(policy="mimic", **options)).exact)

    assert compared(game="blackjack") == {"base", "insurance"}
    assert compared(game="blackjack", shoe="cut") == set()
    # A full shoe every round is the game's own rule.
    assert "base" in compared(game="twisted-21", shoe="cut")
    spanish: dict[str, Any] = {"game": "pure-spanish-21.5", "bet": 2_500}
    assert compared(**spanish) == {"base", "match"}
    assert compared(**spanish, bank=10_000) == {"match"}
    assert compared(**spanish, bank=10_000, ratios={"match": 0.2}) == set()
    # Lights begin anew with every session.
    assert "base" not in compared(game="ten-sticks-21", settings={"decks": "1"}, session=100)


def test_a_third_card_that_depends_on_the_play_has_no_exact_value() -> None:
    """`odds` prices it for whoever draws whenever he can, which nobody does who plays well."""
    side = Path(__file__).parents[1] / "differential" / "three_in_order.toml"
    for table, is_compared in (("usual", True), ("if-drawn", False)):
        # Whoever surrenders gives up the third card: here nobody does.
        settings = (("sides", f"{side}={table}"), ("surrender", "none"))
        found = played(10_000, settings, game="blackjack", policy="basic")
        one = found.wagers["three-in-order"]
        assert (one.exact is not None, one.z is not None) == (is_compared, is_compared)
        said = "depends on the play" in str(found)
        assert said is not is_compared


def test_insurance_that_pays_other_odds_is_paid_in_full(tmp_path: Path) -> None:
    """What insurance wins need be no multiple of what the other wagers pay."""
    file = tmp_path / "well-insured.toml"
    file.write_text(WELL_INSURED)
    result = played(500_000, game=str(file), policy="mimic")
    insurance = result.wagers["insurance"]
    assert insurance.exact is not None
    assert insurance.exact.ev > 0.05
    assert insurance.z is not None
    assert abs(insurance.z) < 4


def test_insurance_of_less_than_a_chip_is_not_offered() -> None:
    settings = (("chip", "100"), ("table_minimum", "100"))
    result = played(20_000, settings, game="blackjack", bet=100, policy="mimic")
    assert list(result.wagers) == ["base"]


def test_what_is_no_request_is_refused() -> None:
    wrong: dict[str, Any]
    for wrong in ({"shoe": "frsh"}, {"follow": "bnk"}, {"seed": 1.5}, {"seats": 2.5}):
        with pytest.raises(UpcardError, match="no request for a trial"):
            prepare(Request(game="blackjack", **wrong))


def test_random_play_pays_for_the_insurance_it_takes() -> None:
    result = played(300_000, game="ten-sticks-21", policy="random")
    wagers, figures = result.wagers, result.figures
    taken, offered = wagers["insurance"].figures.made, 300_000 / 13
    assert abs(taken / offered - 0.5) < 0.03
    mean, _ = figures.round()
    both = 500 * wagers["base"].figures.ev + 250 * wagers["insurance"].figures.ev * taken / 300_000
    assert mean.value == pytest.approx(both)


def test_fees_on_added_wagers_know_no_maximum(tmp_path: Path) -> None:
    """A wager at the maximum is doubled beyond it, and the fee on the double is taken."""
    file = tmp_path / "fees-on-doubles.toml"
    file.write_text(
        'id = "fees-on-doubles"\nversion = 1\nname = "Fees on doubles"\nsource = "A test."\n'
        'extends = "pure-spanish-21.5"\n[fees]\non_added_wagers = true\n'
        '[clauses]\nFD-1 = { kind = "money", says = "Doubles pay a fee.", '
        'sets = ["fees.on_added_wagers"] }\n'
    )
    settings = (("fee_schedule", "46"), ("fee_resolution", "higher-fee"))
    result = played(1_000, settings, game=str(file), bet=20_000, policy="mimic")
    assert result.figures.round()[0].value < 0
