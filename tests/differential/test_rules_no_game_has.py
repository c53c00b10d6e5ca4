"""Rules that no packaged game has: exact values against every order of tiny decks at the table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from changed_games import changed_rules, problems
from differential.simulator_rounds import Cards, Setup, compare
from oracle import engine_search
from oracle import odds as slow
from oracle.odds_split import by_policy
from oracle.test_resplits import wanted
from upcard import GameTables, compile_game
from upcard.cards import Card
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim

CLOSE = 1e-12
BET = 1000

ACES = "As Ad Ts Td 9s 9d 6s 5s"
TENS = "As Ts Td Th 9s 8s 5s 5d"
SIXES = "As Ad 6s 6d Ts Td 5s 9s"
SEVENS = "Ts Td 6s 6d 7s 7d As 9s"
SMALL = "As Ad Ah 2s 2d 8s Ts Td 7s"


class Case(NamedTuple):
    changes: dict[str, Any]
    deck: str
    settings: Mapping[str, str] = {}

    @property
    def tables(self) -> GameTables:
        rules = changed_rules("blackjack", self.changes, {"surrender": "none", **self.settings})
        assert problems(rules) == []
        return compile_game(rules)

    def counts(self, tables: GameTables) -> tuple[int, ...]:
        found = [0] * len(tables.alphabet)
        for card in self.deck.split():
            found[tables.alphabet.symbol(Card.parse(card))] += 1
        return tuple(found)


NEVER_SPLIT = {
    "9-11-soft": Case({"double.on": "9-11-soft"}, ACES),
    "ties-at": Case({"outcomes.ties_at": {"20": "loses", "19": "wins"}}, TENS),
    "ties-lose": Case({"outcomes.tie": "loses", "natural.against_natural": "loses"}, ACES),
    "22-spares-21": Case({"dealer.on_22": "push", "dealer.paid_on_22": ["21"]}, SEVENS),
    "22-spares-doubled": Case({"dealer.on_22": "push", "dealer.paid_on_22": ["doubled"]}, SEVENS),
    "each-original": Case(
        {"dealer.checks": "none", "dealer.late_natural_takes": "each-original"}, SIXES
    ),
}
TENS_AND_ACES = ["A", "T", "J", "Q", "K"]
NEVER_SPLIT["double-only"] = Case(
    {
        "double.on": "any-count",
        "double.only": [{"total": 11, "cards": 3}, {"total": {"from": 9, "to": 10}, "up": ["6"]}],
    },
    SIXES,
)
NEVER_SPLIT["surrender-only"] = Case(
    {"surrender.only": [{"total": {"from": 14}, "up": TENS_AND_ACES}]}, TENS, {"surrender": "late"}
)
ACES_LOW: dict[str, dict[str, Any]] = {
    "aces-low": {"double.aces": "one"},
    "aces-low-any-count": {"double.aces": "one", "double.on": "any-count"},
    "aces-low-three-doubles": {"double.aces": "one", "double.times": 3, "double.rescue": True},
}
for name, changes in ACES_LOW.items():
    NEVER_SPLIT[name] = Case(changes, ACES if "any" in name else SMALL)
NO_HOLE = {"dealer.checks": "none", "deal.dealer_down": 0}
for takes in ("all", "original", "each-original"):
    NEVER_SPLIT[f"no-hole-{takes}"] = Case({**NO_HOLE, "dealer.late_natural_takes": takes}, SIXES)
NEVER_SPLIT["no-hole-early-surrender"] = Case(NO_HOLE, TENS, {"surrender": "early"})


@pytest.mark.parametrize("case", NEVER_SPLIT.values(), ids=NEVER_SPLIT)
def test_without_splits(case: Case) -> None:
    tables = case.tables
    exact = engine_search.search(tables, case.deck.split(), BET)
    found = BaseGame(tables, counts=case.counts(tables)).solve(Aim(bet=BET), mode="none")
    assert found.ev == pytest.approx(float(exact), abs=CLOSE)


MANY_TENS = "8s 8d 8h Ts Td Th Tc Js Qs Ks As 9s 9d 9h Jd Qd Kd"
FOUR_EIGHTS = "8s 8d 8h 8c Ts Td Th 9s 9d 6s 6d 3s"
SPLITS = {
    takes: Case({"dealer.checks": "none", "dealer.late_natural_takes": takes}, MANY_TENS)
    for takes in ("each-original", "original-and-busted")
}
SPLITS["22-spares-doubled"] = Case(
    {"dealer.on_22": "push", "dealer.paid_on_22": ["doubled"]}, FOUR_EIGHTS
)


@pytest.mark.parametrize("name", SPLITS)
def test_splits(name: str) -> None:
    """The solver against fractions, hand by hand from one shoe."""
    case = SPLITS[name]
    tables = case.tables
    eight = tables.alphabet.index("8")
    up = tables.alphabet.index("6" if case.deck == FOUR_EIGHTS else "T")
    game = BaseGame(tables, counts=case.counts(tables))
    found = game.solve_up(up, Aim(bet=BET), "CDP+").splits[game.graph.find(eight, eight)]
    problem = slow.Problem(tables, case.counts(tables), BET, {}, Fraction(0))
    slowly = slow.split_value(problem, eight, up, "CDP", resplit=wanted(found.resplits))
    assert found.worth == pytest.approx(float(slowly), abs=CLOSE)


EIGHTS = "8s 8d 3s Ts Td Th As 9s 9d Kh"


@pytest.mark.parametrize("takes", ["each-original", "original-and-busted"])
def test_split_hands_at_the_table(takes: str) -> None:
    """Every order of a tiny deck at the live table, by a policy that doubles some split hands."""
    changes = {"dealer.checks": "none", "dealer.late_natural_takes": takes}
    case = Case(changes, EIGHTS, {"max_hands": "2"})
    tables = case.tables
    problem = slow.Problem(tables, case.counts(tables), BET, {}, Fraction(0))
    eight, up = tables.alphabet.index("8"), tables.alphabet.index("T")
    policy = slow.cdz_policy(problem)
    worth = slow.split_value(problem, eight, up, "CDZ-")
    dealt = engine_search.play_out_split(
        tables, EIGHTS.split(), ("8s", "8d"), "Td", by_policy(policy), BET
    )
    assert dealt == worth


@pytest.mark.parametrize("surrender", ["none", "late", "both"])
def test_a_second_card_is_worth_the_same_whenever_it_comes(surrender: str) -> None:
    """One that is drawn after the turns, and one that lies face down from the start, unseen."""
    changes = {"dealer.checks": "none"}
    worth = [
        engine_search.search(
            Case({**changes, "deal.dealer_down": down}, SIXES, {"surrender": surrender}).tables,
            SIXES.split(),
            BET,
        )
        for down in (0, 1)
    ]
    assert worth[0] == worth[1]


AT_TABLES: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
    ({"surrender": "late"}, NO_HOLE),
    ({"surrender": "both", "decks": "1"}, NO_HOLE),
    ({"late_natural_takes": "all", "surrender": "early"}, NO_HOLE),
    ({"charlie": "6"}, {**NO_HOLE, "dealer.late_natural_takes": "each-original"}),
    ({"soft17": "hit"}, {**NO_HOLE, "dealer.late_natural_takes": "original-and-busted"}),
    ({"peek": "none"}, {"dealer.late_natural_takes": "each-original"}),
    ({"dealer_22": "push"}, {"dealer.paid_on_22": ["natural", "doubled"]}),
    ({"dealer_22": "push", "decks": "1"}, {"dealer.paid_on_22": ["21"]}),
    ({"decks": "2"}, {"outcomes.ties_at": {"17": "loses", "20": "wins"}}),
    ({}, {"double.on": "9-11-soft", "natural.against_natural": "loses"}),
    ({"double": "any-count"}, {"double.aces": "one"}),
    (
        {},
        {
            "insurance.up": TENS_AND_ACES,
            "insurance.pays_under": dict.fromkeys(TENS_AND_ACES[1:], "10:1"),
        },
    ),
    ({}, {"double.aces": "one", "double.times": 3, "double.rescue": True}),
    (
        {"surrender": "both", "double": "any-count"},
        {
            "surrender.only": [{"total": {"from": 12}, "up": TENS_AND_ACES}],
            "double.only": [{"cards": 3}, {"soft": True}],
            "split.never": ["4", "5"],
        },
    ),
)
SEATS = (3, 2, 4)
ROUNDS: dict[Cards, int] = {"stacked": 12, "cut": 20}


@pytest.mark.parametrize("cards", ["stacked", "cut"])
def test_the_kernel_plays_as_the_engine(cards: Cards) -> None:
    """Card by card and cent by cent, also where the dealer's second card is drawn or not."""
    setups = [
        Setup(
            "blackjack",
            500,
            settings=tuple(settings.items()),
            seats=SEATS[number % len(SEATS)],
            insures=number < len(AT_TABLES) * 2,
            cards=cards,
            changes=json.dumps(changes),
        )
        for number, (settings, changes) in enumerate(AT_TABLES * 4)
    ]
    report = compare(setups, ROUNDS[cards], 1)
    assert not report.differences, "\n".join(report.differences[:12])
    assert report.counts["rounds"] > 20 * report.counts["apart"]


def test_pairs_that_nobody_should_split_are_worth_nothing() -> None:
    """Fives and tens are not missed; eights are, and have no split to be priced."""
    usual, barred, eights = (
        BaseGame(Case({"split.never": never}, "", {"decks": "1"}).tables)
        for never in ([], ["5", "T", "J", "Q", "K"], ["8"])
    )
    worth = usual.solve(Aim(bet=BET)).ev
    assert barred.solve(Aim(bet=BET)).ev == pytest.approx(worth, abs=CLOSE)
    assert eights.solve(Aim(bet=BET)).ev < worth - 1e-4
    eight = usual.tables.alphabet.index("8")
    assert eight not in {plan.pair for plan in eights.pairs}
    assert eight in {plan.pair for plan in usual.pairs}
