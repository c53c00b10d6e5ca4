"""The fast solver against the slow one in fractions, on decks small enough for both.

The slow one itself is checked against every order of tiny decks through the live engine.
"""

from fractions import Fraction
from typing import Literal

import pytest

from depth import deep
from oracle import odds as slow
from oracle.test_odds_oracle import (
    BLACKJACK,
    CHANCE,
    NEVER_SPLIT,
    SOFT_TWENTY,
    SPANISH,
    THREES,
    TIE,
    TWISTED,
    Case,
    Pair,
    compiled,
    name,
)
from oracle.test_resplits import wanted
from upcard.compile.context import Action
from upcard.solve.base_game import BaseGame
from upcard.solve.play import NEVER
from upcard.solve.solution import Aim
from upcard.solve.split import Mode

CLOSE = 1e-12
NOTHING = Fraction(0)
TIE_RULES = (
    ("soft17", "stand"),
    ("double_after_split", "true"),
    ("surrender", "late"),
    ("max_hands", "4"),
)


def aim(case: Case) -> Aim:
    extra = {wager: float(ratio) for wager, ratio in case.problem.extra.items()}
    return Aim(bet=case.bet, extra=extra, lights=(float(case.light),))


@pytest.mark.parametrize("case", NEVER_SPLIT, ids=name)
def test_without_splits(case: Case) -> None:
    game = BaseGame(case.tables, counts=case.problem.counts)
    solution = game.solve(aim(case), mode="none")
    assert solution.ev == pytest.approx(float(case.worth), abs=CLOSE)
    for up, found in solution.ups.items():
        assert found.ev == pytest.approx(float(slow.value_up(case.problem, up)), abs=CLOSE)


@pytest.mark.parametrize(
    "deck",
    [
        "Ts Td 8s 9s 7s 5s 5d 5h As 6d",
        pytest.param("Ts 8d 8s 9s 7s 5s 5d 5h As 6d 2s", marks=deep),
        pytest.param("As Ad Ah 5s 5d 6s 6d 8s 9s 7s Ts", marks=deep),
    ],
)
@pytest.mark.parametrize("answer", ["first", "any", "at-turn"])
def test_naturals_of_several_down_cards(deck: str, answer: str) -> None:
    """SR-41, TW-5: what a check of all down cards tells of the cards to come, set by set."""
    case = Case(TWISTED, {"positions": "1", "dealer_natural": answer}, deck, NOTHING)
    game = BaseGame(case.tables, counts=case.problem.counts)
    for up, found in game.solve(aim(case), mode="none").ups.items():
        assert found.ev == pytest.approx(float(slow.value_up(case.problem, up)), abs=CLOSE)


MANY_TENS = "8s 8d 8h Ts Td Th Tc Js Qs Ks As 9s 9d 9h Jd Qd Kd"
TWO_ACES = f"{MANY_TENS} Ad"
THREE_NINES = "9s 9d 9h Ks Kd Kh Kc Js 8s 8d 8h 2s As Td Tc"
FOUR_EIGHTS = "8s 8d 8h 8c Ts Td Th 9s 9d 6s 6d 3s"
TIE_NINES = "9s 9d 9h Ks Kd Kh Kc Js 8s 8d 8h As Td Tc"
TIE_ACES = "As Ad Ah Ks Kd Kh Kc 9s 8s 8d 8h 9c Td Tc"
TENS = "Ts Td Th Tc As Ad 9s 9d 8s 8d 9h 7s"
TAKES_ALL = {"peek": "none", "late_natural_takes": "all"}


def case(game: str, deck: str, bet: int = 1000, /, **settings: str) -> Case:
    return Case(game, settings, deck, NOTHING, bet=bet)


def tie_case(deck: str, **wagers: int) -> Case:
    named = {wager.replace("_", "-"): cents for wager, cents in wagers.items()}
    return Case(TIE, {}, deck, NOTHING, wagers=named)


SPLITS = [
    Pair(case(BLACKJACK, FOUR_EIGHTS), "8s", "6s"),
    Pair(case(BLACKJACK, MANY_TENS), "8s", "Ts"),
    Pair(case(BLACKJACK, MANY_TENS, peek="none"), "8s", "Ts"),
    Pair(Case(BLACKJACK, TAKES_ALL, MANY_TENS, NOTHING), "8s", "Ts"),
    Pair(case(BLACKJACK, TWO_ACES), "8s", "As"),
    Pair(case(BLACKJACK, TENS, max_hands="3"), "Ts", "As"),
    Pair(case(CHANCE, THREE_NINES, 200), "9s", "8s"),
    Pair(case(CHANCE, THREE_NINES, 400, surrender="early"), "9s", "Ks"),
    Pair(case(CHANCE, THREE_NINES, 400, surrender="both"), "9s", "Ks"),
    Pair(case(SPANISH, THREES), "3s", "8h"),
    Pair(tie_case(TIE_NINES, tie_17=300, tie_20=200), "9s", "8s"),
    Pair(tie_case(TIE_ACES, tie_21=300, tie_20=200), "As", "8s"),
    # Where two actions are worth the same, and rounding must not choose between them.
    Pair(case(SPANISH, SOFT_TWENTY), "As", "Ks"),
    Pair(case(SPANISH, "9s 9h As 6s 6h 6d 6c Qs Js Ks"), "9s", "Ks"),
    Pair(case(TIE, "7s 7h 7d 4s 4h Ts 4d Th 4c Qs Js", max_hands="2"), "7s", "4h"),
]


@pytest.mark.parametrize("mode", ["CDZ-", "CDP+"])
@pytest.mark.parametrize("split", SPLITS, ids=lambda p: f"{name(p.case)}-{p.pair}-{p.up}")
def test_splits_played_out(split: Pair, mode: Mode) -> None:
    """Removing pair cards and combining is the same as dealing all hands from one shoe, with the
    resplits that the solver finds best.
    """
    pair, up = split.case.symbol(split.pair), split.case.symbol(split.up)
    game = BaseGame(split.case.tables, counts=split.case.problem.counts)
    found = game.solve_up(up, aim(split.case), mode).splits[game.graph.find(pair, pair)]
    known: slow.Mode = "CDP" if mode == "CDP+" else "CDZ-"
    again = wanted(found.resplits)
    slowly = slow.split_value(split.case.problem, pair, up, known, resplit=again)
    assert found.worth == pytest.approx(float(slowly), abs=CLOSE)


@pytest.mark.parametrize(
    ("game", "wagers", "mode"),
    [
        (BLACKJACK, {}, "CDZ-"),
        pytest.param(CHANCE, {}, "CDZ-", marks=deep),
        pytest.param(SPANISH, {}, "CDZ-", marks=deep),
        # In CDZ- all hands of a split are played like the one that has the bonus wager.
        pytest.param(TIE, {"tie-17": 1}, "CDP", marks=deep),
    ],
)
def test_every_action_in_the_endless_shoe(
    game: str, wagers: dict[str, int], mode: Literal["CDZ-", "CDP"]
) -> None:
    tables = compiled(game, ())
    extra = {wager: Fraction(ratio) for wager, ratio in wagers.items()}
    problem = slow.Problem(tables, None, 200, extra)
    fast = BaseGame(tables, endless=True)
    solution = fast.solve(Aim(bet=200, extra=wagers), mode=mode)
    for up, found in solution.ups.items():
        for one, two, node in fast.deals:
            values = slow.action_values(problem, (one, two), up, mode)
            worth = found.worth[0, node]
            legal = {a: float(worth[a]) for a in Action if worth[a] != NEVER}
            assert legal == pytest.approx({a: float(v) for a, v in values.items()}, abs=CLOSE)


@pytest.mark.parametrize(("wager", "figure"), [("tie-17", "+0.14264"), ("tie-18", "+0.21619")])
def test_a_bonus_wager_of_the_base_s_size_in_the_endless_shoe(wager: str, figure: str) -> None:
    """The figures of issue 12, worked out there without Upcard: the best play, resplits included,
    with soft 17 stood on, doubles after splits, late surrender and four hands.
    """
    tables = compiled(TIE, TIE_RULES)
    found = BaseGame(tables, endless=True).solve(Aim(bet=1000, extra={wager: 1.0}))
    assert f"{found.ev:+.5f}" == figure


def test_every_action_with_one_deck() -> None:
    """First hands against two up cards, without splits, card by card."""
    tables = compiled(BLACKJACK, (("decks", "1"), ("max_hands", "1")))
    problem = slow.Problem(tables, tuple(tables.alphabet.counts.tolist()), 1000)
    fast = BaseGame(tables)
    index = tables.alphabet.index
    for up, hands in (("T", ("T 6", "5 6")), ("A", ("T 7",))):
        found = fast.solve_up(index(up), Aim(bet=1000), "none")
        for hand in hands:
            cards = tuple(index(card) for card in hand.split())
            slowly = slow.action_values(problem, cards, index(up))
            worth = found.worth[0, fast.graph.find(*cards)]
            for action, value in slowly.items():
                assert worth[action] == pytest.approx(float(value), abs=CLOSE)
