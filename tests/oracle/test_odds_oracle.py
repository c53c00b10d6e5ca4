"""The odds oracle against the live engine, over every order of tiny decks, in exact fractions."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import NamedTuple

import pytest

from depth import deep, one_of_each
from upcard import tables_for
from upcard.cards import Card
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.table import commands as cm
from upcard.table.engine import NEW_TABLE, Engine, Outcome

from . import engine_search
from .odds import (
    Mode,
    Policy,
    Problem,
    action_values,
    cdp_policy,
    cdz_policy,
    split_value,
    value,
    value_up,
)
from .odds_split import by_policy

BLACKJACK = "blackjack"
CHANCE = "games-of-chance-blackjack"
SPANISH = "pure-spanish-21.5"
TWISTED = "twisted-21"
STICKS = "ten-sticks-21"
TIE = "blackjack-tie"

HALF = Fraction(1, 2)


class Case(NamedTuple):
    """A game, a tiny deck, and what the best play without splits is worth there."""

    game: str
    settings: Mapping[str, str]
    deck: str
    worth: Fraction
    bet: int = 1000
    wagers: Mapping[str, int] = {}
    light: Fraction = Fraction(0)

    @property
    def tables(self) -> GameTables:
        return compiled(self.game, tuple(self.settings.items()))

    @property
    def cards(self) -> list[str]:
        return self.deck.split()

    @property
    def problem(self) -> Problem:
        extra = {wager: Fraction(cents, self.bet) for wager, cents in self.wagers.items()}
        counts = [0] * len(self.tables.alphabet)
        for card in self.cards:
            counts[self.symbol(card)] += 1
        return Problem(self.tables, tuple(counts), self.bet, extra, self.light)

    def symbol(self, card: str) -> int:
        return self.tables.alphabet.symbol(Card.parse(card))


@cache
def compiled(game: str, settings: tuple[tuple[str, str], ...]) -> GameTables:
    return tables_for(game, dict(settings))


ACES = "As Ad Ts Td 9s 9d 6s 5s"
TENS = "As Ts Td Th 9s 8s 5s 5d"
EIGHTS = "8s 8d 8h 8c Ks Kd 5s As"
THREE_EIGHTS = "8s 8d 8h Ks Kd 5s 3s As"
STICKS_DECK = "Tc Tc As Ts Td Th 9s 9d"
OTHER_READINGS = {
    "trade_time": "own-turn",
    "trade_again": "no",
    "two_bonus_cards": "one",
    "traded_natural": "twenty-one",
}
NO_PEEK = "As Ts Td 9s 9d 6s 6d 5s"
SIXES = "As Ad 6s 6d Ts Td 5s 9s"
SMALL = "As Ad Ah 2s 2d Ts Td Th 7s"
FIVES = "As Ts Td Th 5s 5d 8s 8d"
PAIRS = "As Ad Ts Td 9s 9d 8s 8d"
TAKES_ALL = {"peek": "none", "surrender": "none", "late_natural_takes": "all"}
EQUAL_SUMS = {"drawn_21": "equal-sums", "surrender": "early"}
KIND = {"unchecked_surrender": "final", "late_natural_takes": "original"}
SINGLE_DOUBLE = {
    "double_double": "false",
    "soft17": "stand",
    "both_over": "push",
    "surrender": "early",
}
FIVE_WIN = {
    "positions": "1",
    "five_cards": "wins",
    "hit_cards": "in-order",
    "double": "any-count",
}
DOUBLE_STAYS = {"trade_on_double": "no", "surrender": "early"}
RETURNED = {"busted_bonus": "push", "surrendered_bonus": "push", "peek": "none"}
TIES = {"tie-20": 200, "tie-blackjack": 100, "left-side": 300}

# SR-41
ANY_DOWN = {"positions": "1", "dealer_natural": "any"}
ANY_FIVE_WIN = {**ANY_DOWN, "five_cards": "wins", "double": "any-count"}
AT_TURN = {"positions": "1", "dealer_natural": "at-turn"}
# SR-50
CHARLIES = {"charlie": "5", "surrender": "none"}
CHARLIES_TIE_NOTHING = {**CHARLIES, "charlie_tie": "none"}
CHARLIE_TIES = {"tie-17": 300, "left-side": 200, "tie-21": 100, "tie-20": 100}

NEVER_SPLIT = [
    Case(BLACKJACK, {"surrender": "none"}, ACES, Fraction(83, 630)),
    Case(BLACKJACK, {"surrender": "early"}, ACES, Fraction(143, 840)),
    Case(BLACKJACK, TAKES_ALL, NO_PEEK, Fraction(31, 360)),
    Case(BLACKJACK, {"peek": "none", "surrender": "none"}, NO_PEEK, Fraction(113, 1260)),
    Case(BLACKJACK, {"peek": "none", "surrender": "early"}, TENS, Fraction(93, 560)),
    Case(BLACKJACK, {"peek": "ace", "surrender": "early"}, TENS, Fraction(93, 560)),
    # SR-31: a late surrender beside an early one is worth nothing to who plays well.
    Case(BLACKJACK, {"surrender": "both"}, ACES, Fraction(143, 840)),
    Case(BLACKJACK, {"peek": "none", "surrender": "both"}, TENS, Fraction(93, 560)),
    Case(BLACKJACK, {"peek": "ace", "surrender": "both"}, TENS, Fraction(93, 560)),
    Case(BLACKJACK, {"soft17": "hit", "double": "10-11"}, SIXES, Fraction(307, 2520)),
    Case(BLACKJACK, {"charlie": "5", "peek": "none"}, SMALL, Fraction(2069, 5040)),
    Case(BLACKJACK, {"dealer_22": "push"}, "Ts Td 6s 6d 7s 7d As 9s", Fraction(47, 1680)),
    Case(BLACKJACK, {"double": "any-count", "hand_of_21": "asks"}, FIVES, Fraction(211, 1680)),
    Case(CHANCE, {}, ACES, Fraction(557, 5040), bet=200),
    Case(CHANCE, {}, ACES, Fraction(91, 720), bet=400),
    Case(CHANCE, EQUAL_SUMS, TENS, Fraction(929, 6720), bet=200),
    Case(CHANCE, KIND, TENS, Fraction(163, 1120), bet=400),
    Case(SPANISH, {}, EIGHTS, Fraction(89, 840)),
    Case(SPANISH, {}, THREE_EIGHTS, Fraction(59, 480)),
    Case(SPANISH, {"double_double": "false"}, THREE_EIGHTS, Fraction(131, 1120)),
    Case(SPANISH, SINGLE_DOUBLE, EIGHTS, Fraction(31, 210)),
    Case(TWISTED, {"positions": "1"}, "Ts Td Th Tc Js 5s 5d 5h As Ad", Fraction(5, 56)),
    Case(TWISTED, FIVE_WIN, "Ts Td Th Tc Js 2s 2d 2h As Ad", Fraction(8, 21)),
    Case(TWISTED, ANY_DOWN, "Ts Td Th Tc Js 5s 5d 5h As Ad", Fraction(-649, 2520)),
    Case(TWISTED, ANY_FIVE_WIN, "Ts Td Th 2s 2d 2h 2c As Ad Ah", Fraction(-197, 1400)),
    Case(TWISTED, AT_TURN, "Ts Td Th Tc Js 5s 5d 5h As Ad", Fraction(23, 315)),
    Case(STICKS, {}, STICKS_DECK, Fraction(677, 3360)),
    Case(STICKS, {}, STICKS_DECK, Fraction(1489, 3360), light=HALF),
    Case(STICKS, OTHER_READINGS, STICKS_DECK, Fraction(4, 21)),
    Case(STICKS, OTHER_READINGS, STICKS_DECK, Fraction(527, 1680), light=HALF),
    Case(STICKS, {"trade": "false"}, STICKS_DECK, Fraction(1, 6)),
    Case(STICKS, {"trade": "false"}, STICKS_DECK, Fraction(44, 105), light=HALF),
    Case(STICKS, DOUBLE_STAYS, STICKS_DECK, Fraction(1703, 3360), light=HALF),
    Case(TIE, {}, PAIRS, Fraction(11953, 12600), wagers=TIES),
    Case(TIE, RETURNED, PAIRS, Fraction(2693, 2520), wagers=TIES),
    Case(TIE, CHARLIES, SMALL, Fraction(9311, 50400), wagers=CHARLIE_TIES),
    Case(TIE, CHARLIES_TIE_NOTHING, SMALL, Fraction(587, 5600), wagers=CHARLIE_TIES),
]


def name(case: Case) -> str:
    settings = ",".join(f"{name}={answer}" for name, answer in case.settings.items())
    return f"{case.game}-{settings}-{case.bet}-{float(case.light)}"


@pytest.mark.parametrize(
    "case", one_of_each(NEVER_SPLIT, lambda case: (case.game, bool(case.settings))), ids=name
)
def test_best_play_without_splits(case: Case) -> None:
    assert value(case.problem) == case.worth
    found = engine_search.search(case.tables, case.cards, case.bet, case.wagers, case.light)
    assert found == case.worth


# ------------------------------------------------------------------ splits by a fixed policy


def plain_policy(tables: GameTables) -> Policy:
    """Not good, but it does everything that can be done."""
    symbols = tables.alphabet.symbols

    def policy(
        cards: tuple[int, ...], up: int, hands: int | None, legal: tuple[Action, ...]
    ) -> Action:
        total = sum(symbols[card].low for card in cards) // 2
        if total <= 11 and any(symbols[card].is_ace for card in cards):
            total += 10
        wanted = {
            Action.SPLIT: True,
            Action.TRADE: total < 18,
            Action.KEEP: True,
            Action.REDOUBLE: total <= 12,
            Action.RESCUE: total < 15,
            Action.DOUBLE: 9 <= total <= 11,
            Action.SURRENDER: total == 16,
            Action.HIT: total < 14,
            Action.STAND: True,
            Action.DECLINE: True,
        }
        return next(action for action, wants in wanted.items() if wants and action in legal)

    return policy


MORE_TIES = {"tie-20": 200, "tie-17": 100, "right-side": 300}
APART = {"peek": "none", "split_ten_ace": "none"}
CHANCE_DECK = "9s 9d 9h Ks Kd Kh 8s 8d As Ad"
TRADED_DECK = "Tc Ts Td 9s 9d 9h 8s 8d As Kd"
THREE_HANDS = {"max_hands": "3"}
BY_THEMSELVES = {"trade": "false", "peek": "ace", "max_hands": "3"}
THIRD = Fraction(1, 3)

ROUNDS = [
    Case(BLACKJACK, {"surrender": "early"}, "8s 8d 8h 8c Ts Td Th 9s 9d 9h", Fraction(379, 4200)),
    Case(BLACKJACK, {"peek": "none"}, "8s 8d 8h As Ad Ts Td Th 9s 9d", Fraction(4, 63)),
    Case(CHANCE, {"surrender": "none"}, CHANCE_DECK, Fraction(-11, 420), bet=200),
    Case(SPANISH, {}, "8s 8d 8h 8c Ks Kd Kh 9s 9d 9h", Fraction(-1, 105)),
    Case(STICKS, THREE_HANDS, TRADED_DECK, Fraction(281, 6300), light=THIRD),
    Case(STICKS, BY_THEMSELVES, TRADED_DECK, Fraction(319, 2520), light=THIRD),
    Case(TIE, APART, "Ts Td Th As Ad 9s 9d 9h 8s 8d 8h", Fraction(-257, 1750), wagers=MORE_TIES),
]


@pytest.mark.parametrize("case", ROUNDS, ids=name)
def test_rounds_by_a_policy(case: Case) -> None:
    policy = plain_policy(case.tables)
    assert value(case.problem, "fixed", policy) == case.worth
    found = engine_search.play_out(
        case.tables, case.cards, policy, case.bet, case.wagers, case.light
    )
    assert found == case.worth


def patient_policy(tables: GameTables) -> Policy:
    """As the plain one, but it declines whatever can be declined."""
    plain = plain_policy(tables)

    def policy(
        cards: tuple[int, ...], up: int, hands: int | None, legal: tuple[Action, ...]
    ) -> Action:
        return Action.DECLINE if Action.DECLINE in legal else plain(cards, up, hands, legal)

    return policy


SURRENDERED = "9s 9d 7s 7d Ks Kd Kh As Ad 8s"


@pytest.mark.parametrize(
    ("game", "settings", "bet"),
    [
        (CHANCE, {}, 200),
        pytest.param(CHANCE, {"unchecked_surrender": "final"}, 400, marks=deep),
        pytest.param(CHANCE, {"peek": "ace-or-ten"}, 400, marks=deep),
        (BLACKJACK, {"peek": "none"}, 1000),
    ],
)
def test_surrender_at_both_times_is_each_of_them(
    game: str, settings: dict[str, str], bet: int
) -> None:
    """SR-31 (GC-SURR): who never declines plays the early game, who always does the late one."""
    worth = {}
    for when, policy_of in (
        ("early", plain_policy),
        ("both", plain_policy),
        ("late", patient_policy),
        ("both", patient_policy),
    ):
        case = Case(
            game,
            {**settings, "surrender": when, "max_hands": "2"},
            SURRENDERED,
            Fraction(0),
            bet=bet,
        )
        policy = policy_of(case.tables)
        found = value(case.problem, "fixed", policy)
        assert found == engine_search.play_out(case.tables, case.cards, policy, bet)
        worth[when, policy_of] = found
    assert worth["both", plain_policy] == worth["early", plain_policy]
    assert worth["both", patient_policy] == worth["late", patient_policy]
    assert worth["both", plain_policy] != worth["both", patient_policy]


class Pair(NamedTuple):
    case: Case
    pair: str
    up: str
    mode: Mode = "fixed"


FOUR_EIGHTS = "8s 8d 8h 8c Ts Td Th 9s 9d 6s 6d 3s"
HIDDEN_ACE = "8s 8d 8h 8c Ts Td Th Tc As 9s 9d 9h 3s"
FOUR_ACES = "As Ad Ah Ac Ts Td Th 9s 9d 9h 8s 8d"
FOUR_NINES = "9s 9d 9h 9c Ks Kd Kh Kc 8s 8d 8h 2s As"
THREES = "3s 3d 3h 8s 8d 8h 8c Ks Kd Kh 9s 9d"
FOUR_TENS = "Ts Td Th Tc 9s 9d 9h As Ad 8s 8d 8h 9c"
TRADED_TENS = "Ts Tc Tc Td 9s 9d 9h As 8s 8d 8h"
TWO_THREES = "3s 3d 8s 8d 8h As Ks Kd Kh 9s 9d 9h"
STICKS_SIXES = "6s 6d 6h Tc Tc 9s 9d 9h Ts Td 8s 8d"
NINES = "9s 9d 9h Ks Kd Kh 8s 8d 2s As"
FREE_ACES = {"resplit_aces": "true", "split_aces": "draw"}
ONCE = {"max_hands": "2", "hand_of_21": "asks"}
SPANISH_ACES = "As Ad Ks Kd Kh 5s 5d 9s 9d 8s 8d 4s"
SOFT_TWENTY = "As Ad Ks Kd Kh Kc Qs Qd Qh Js 5s 4s 5d"
ACES_TOO = {"surrender_after_split": "true"}
ACES_STAND, ACES_GIVEN_UP = Fraction(89, 126), Fraction(97, 126)
SPLIT_SIXES = "6s 6d 6h Ts Td Th Tc 9s 9d 9h 5s 5d 4s 4d"
IN_ALL = {"tie_dollar": "player"}

SPLITS = [
    Pair(Case(BLACKJACK, {}, FOUR_EIGHTS, Fraction(167, 105)), "8s 8d", "6s"),
    Pair(Case(BLACKJACK, {}, FOUR_EIGHTS, Fraction(167, 105)), "8s 8d", "6s", "CDZ-"),
    Pair(Case(BLACKJACK, {"peek": "none"}, HIDDEN_ACE, Fraction(-451, 420)), "8s 8d", "Ts"),
    Pair(Case(BLACKJACK, {}, "As Ad Ah Ts Td Th 9s 9d 6s 6d", Fraction(58, 35)), "As Ad", "6s"),
    Pair(Case(BLACKJACK, FREE_ACES, FOUR_ACES, Fraction(11, 6)), "As Ad", "9s"),
    Pair(Case(BLACKJACK, ONCE, SPLIT_SIXES, Fraction(-9, 110)), "6s 6d", "9s"),
    Pair(Case(BLACKJACK, ONCE, SPLIT_SIXES, Fraction(23, 110)), "6s 6d", "9s", "CDZ-"),
    Pair(Case(BLACKJACK, ONCE, SPLIT_SIXES, Fraction(23, 110)), "6s 6d", "9s", "CDP"),
    Pair(Case(CHANCE, {}, FOUR_NINES, Fraction(1441, 1260), bet=200), "9s 9d", "8s"),
    Pair(Case(CHANCE, {}, FOUR_NINES, Fraction(15079, 12600), bet=200), "9s 9d", "8s", "CDZ-"),
    Pair(Case(CHANCE, {}, NINES, Fraction(107, 105), bet=200), "9s 9d", "8s"),
    Pair(Case(CHANCE, IN_ALL, NINES, Fraction(893, 840), bet=200), "9s 9d", "8s"),
    Pair(Case(SPANISH, {}, THREES, Fraction(404, 315)), "3s 3d", "8h"),
    Pair(Case(SPANISH, {}, THREES, Fraction(404, 315)), "3s 3d", "8h", "CDZ-"),
    Pair(Case(SPANISH, {}, TWO_THREES, Fraction(121, 252)), "3s 3d", "8h"),
    # SR-4: soft 16 of a split ace is given up
    Pair(Case(SPANISH, {}, SPANISH_ACES, ACES_STAND), "As Ad", "9s"),
    Pair(Case(SPANISH, ACES_TOO, SPANISH_ACES, ACES_GIVEN_UP), "As Ad", "9s"),
    # unsplit, A-4-5 gets 1/8 by a hit and by standing: the hit, which comes first, is taken
    Pair(Case(SPANISH, {}, SOFT_TWENTY, Fraction(53, 45)), "As Ad", "Ks", "CDZ-"),
    Pair(Case(STICKS, {}, STICKS_SIXES, Fraction(-527, 378), light=THIRD), "6s 6d", "9s"),
    Pair(Case(STICKS, {}, TRADED_TENS, Fraction(163, 210), light=THIRD), "Ts Td", "9s"),
    Pair(
        Case(TIE, {"peek": "none"}, FOUR_TENS, Fraction(58, 315), wagers=MORE_TIES), "Ts Td", "9s"
    ),
]


@pytest.mark.parametrize(
    "split",
    one_of_each(SPLITS, lambda split: (split.case.game, split.mode)),
    ids=lambda s: f"{s.case.game}-{s.pair}-{s.up}-{s.mode}",
)
def test_splits_by_a_policy(split: Pair) -> None:
    case, problem = split.case, split.case.problem
    first, second = split.pair.split()
    pair, up = case.symbol(first), case.symbol(split.up)
    policies: dict[Mode, Policy] = {
        "fixed": plain_policy(case.tables),
        "CDZ-": cdz_policy(problem),
        "CDP": cdp_policy(problem, pair, up, 0),  # two hands are the most
    }
    policy = policies[split.mode]
    given = policy if split.mode == "fixed" else None
    assert split_value(problem, pair, up, split.mode, given) == case.worth
    found = engine_search.play_out_split(
        case.tables,
        case.cards,
        (first, second),
        split.up,
        by_policy(policy),
        case.bet,
        case.wagers,
        case.light,
    )
    assert found == case.worth


def test_knowing_the_number_of_hands_helps() -> None:
    """Nobody can know it at a table, so only the oracle can tell."""
    deck = "9s 9d 9h 9c Ks Kd Kh Kc 8s 8d 8h 2s As"
    case = Case(CHANCE, {}, deck, Fraction(46499, 37800), bet=200)
    nine, eight = case.symbol("9s"), case.symbol("8s")
    assert split_value(case.problem, nine, eight, "CDP") == case.worth
    assert split_value(case.problem, nine, eight, "CDZ-") < case.worth


# ------------------------------------------------------------------ the search itself


def test_the_shoe_stacked_at_once() -> None:
    """Every order of a deck stacked as a whole, by commands alone, gives the same."""
    tables = compiled(BLACKJACK, (("peek", "ace"), ("max_hands", "2")))
    cards = ("8s", "8d", "Ts", "Td", "Th", "As", "9s", "9d")
    policy = plain_policy(tables)
    table = engine_search.Table(tables, cards, 1000)
    engine = Engine(tables)
    kinds = {tuple(map(table.symbol, order)): order for order in permutations(cards)}
    total = Fraction(0)
    for order in kinds.values():
        state = NEW_TABLE
        for command in (*table.commands(order), cm.Deal()):
            outcome = engine.act(state, command)
            assert isinstance(outcome, Outcome)
            state = outcome.state
        while question := engine.question(state):
            line = engine_search.Line(state, (), Fraction(1), (), 0)
            legal = tuple(a for a in question.actions if a is not Action.INSURE)
            own, up = table.own(line, question), table.up(line)
            action = legal[0] if len(legal) == 1 else policy(own, up, None, legal)
            decision = cm.parse_decision(action.text, player=question.player, position=1)
            outcome = engine.act(state, decision)
            assert isinstance(outcome, Outcome)
            state = outcome.state
        total += table.won(engine_search.Line(state, (), Fraction(1), (), 0))
    assert total / len(kinds) == engine_search.play_out(tables, cards, policy)


# ------------------------------------------------------------------ known values


def test_endless_shoe() -> None:
    """The endless shoe, up to three splits."""
    problem = Problem(compiled(BLACKJACK, (("surrender", "none"),)))
    worth = value(problem, "CDZ-")
    assert f"{float(worth):.8f}" == "-0.00511734"
    assert value(problem, "none") < worth


def test_sixteen_against_a_ten() -> None:
    """Ten and six against a ten from a single deck: published to six places."""
    tables = compiled(BLACKJACK, (("decks", "1"),))
    index = tables.alphabet.index
    problem = Problem(tables, tuple(tables.alphabet.counts.tolist()))
    values = action_values(problem, (index("T"), index("6")), index("T"))
    assert f"{float(values[Action.STAND]):.6f}" == "-0.542952"
    assert f"{float(values[Action.HIT]):.6f}" == "-0.506929"
    assert values[Action.SURRENDER] == -HALF


def test_up_cards_make_the_whole() -> None:
    case = NEVER_SPLIT[0]
    counts = case.problem.counts
    assert counts is not None
    parts = [n * value_up(case.problem, up) for up, n in enumerate(counts) if n]
    assert sum(parts, Fraction(0)) / sum(counts) == case.worth
