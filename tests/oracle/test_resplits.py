"""Whether a pair of a split hand is split again: every choice there is, on decks small enough.

Each choice is played through the live engine over every order of the deck, by the oracle in
fractions, and by the solver; the solver, left to itself, takes the best of them.
"""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, Self

import pytest

from depth import one_of_each
from oracle import odds as slow
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim, PairPlan
from upcard.solve.split import Mode, Resplits, all_resplits

from . import engine_search
from .odds_split import Resplit, cdz_chooser
from .test_odds_oracle import (
    BLACKJACK,
    CHANCE,
    STICKS,
    STICKS_SIXES,
    THIRD,
    THREE_HANDS,
    TIE,
    Case,
    Pair,
    name,
)

CLOSE = 1e-12
NOTHING = Fraction(0)

FOUR_EIGHTS = "8s 8d 8h 8c Ts Td Th 9s 9d 6s 6d 3s"
FOUR_TENS = "Ts Td Th Tc 9s 9d 9h As 8s 8d 7s 7d"
FIVE_TENS = "Ts Td Th Tc Js 8s 8d 8h 9s 9d 9h As 9c"
FOUR_NINES = "9s 9d 9h 9c Ks Kd Kh Kc 8s 8d 8h 2s As"

APART = {"max_hands": "3"}
"""Where the first hand and the others are better split differently."""

THREE_EIGHTS = "8s 8d 8h Tc Tc Tc 9s 9d 9h Ts Td 6s 6d"
SIXES_AND_ACES = "6s 6d 6h Tc Tc Ts Td 9s 9d 9h As 8s 8d"
MARKED_TENS = "Ts Td Th Js Tc Tc 9s 9d 9h As 8s 8d 7s"
BY_THEMSELVES = {"trade": "false", "max_hands": "3"}

PAIRS = [
    Pair(Case(BLACKJACK, {}, FOUR_EIGHTS, NOTHING), "8s 8d", "6s"),
    Pair(Case(BLACKJACK, {"max_hands": "3"}, FOUR_TENS, NOTHING), "Ts Td", "7s"),
    Pair(Case(CHANCE, {}, FOUR_NINES, NOTHING, bet=200), "9s 9d", "8s"),
    Pair(Case(TIE, {}, FIVE_TENS, NOTHING, wagers={"tie-18": 1000}), "Ts Td", "8s"),
    Pair(Case(TIE, APART, FIVE_TENS, NOTHING, wagers={"tie-19": 500}), "Ts Td", "9s"),
]


TRADED = [
    Pair(Case(STICKS, THREE_HANDS, THREE_EIGHTS, NOTHING, light=THIRD), "8s 8d", "6s"),
    Pair(Case(STICKS, THREE_HANDS, STICKS_SIXES, NOTHING, light=THIRD), "6s 6d", "9s"),
    Pair(Case(STICKS, THREE_HANDS, SIXES_AND_ACES, NOTHING, light=THIRD), "6s 6d", "As"),
    Pair(Case(STICKS, THREE_HANDS, MARKED_TENS, NOTHING), "Ts Td", "9s"),
    Pair(Case(STICKS, BY_THEMSELVES, MARKED_TENS, NOTHING, light=THIRD), "Ts Td", "9s"),
]
"""Where bonus cards make pairs too: traded for a pair card, or kept beside a ten."""


def wanted(resplits: Resplits) -> Resplit:
    return lambda first, hands: (resplits.first if first else resplits.others)[hands - 2]


class Priced(NamedTuple):
    """A pair against an up card, ready to be priced by the solver for any choice of resplits."""

    game: BaseGame
    aim: Aim
    plan: PairPlan
    up: int

    @classmethod
    def of(cls, split: Pair) -> Self:
        case, problem = split.case, split.case.problem
        pair, up = case.symbol(split.pair.split()[0]), case.symbol(split.up)
        extra = {wager: float(ratio) for wager, ratio in problem.extra.items()}
        aim = Aim(bet=case.bet, extra=extra, lights=(float(case.light),))
        game = BaseGame(case.tables, counts=problem.counts)
        plan = next(plan for plan in game.pairs if plan.node == game.graph.find(pair, pair))
        return cls(game, aim, plan, up)

    @property
    def choices(self) -> tuple[Resplits, ...]:
        return all_resplits(self.plan.most_hands[self.up])

    def worth(self, mode: Mode, choice: Resplits, plan: PairPlan | None = None) -> float:
        game, aim, up = self.game, self.aim, self.up
        plain = game.solve_up(up, aim, "none").worth
        roles = game.pay(aim)
        return game.price_split(
            plan or self.plan, up, aim, roles, mode, plain, {}, resplits=choice
        ).worth


@pytest.mark.parametrize(
    "split",
    one_of_each([*PAIRS[::-1], *TRADED], lambda pair: pair.case.game),
    ids=lambda p: f"{name(p.case)}-{p.pair}-{p.up}",
)
def test_every_choice_is_worth_what_the_engine_plays_out(split: Pair) -> None:
    case, problem = split.case, split.case.problem
    first, second = split.pair.split()
    priced = Priced.of(split)
    choose = cdz_chooser(slow.solver(problem))
    worths = {}
    all_played = engine_search.play_out_splits(
        case.tables,
        case.cards,
        (first, second),
        split.up,
        choose,
        [wanted(choice) for choice in priced.choices],
        case.bet,
        case.wagers,
        case.light,
    )
    for choice, played in zip(priced.choices, all_played, strict=True):
        slowly = slow.split_value(
            problem, priced.plan.pair, priced.up, "CDZ-", resplit=wanted(choice)
        )
        assert slowly == played
        assert priced.worth("CDZ-", choice) == pytest.approx(float(slowly), abs=CLOSE)
        worths[choice] = slowly
    assert len(set(worths.values())) > 1, "there is something to choose"
    best = priced.game.solve_up(priced.up, priced.aim, "CDZ-").splits[priced.plan.node]
    assert worths[best.resplits] == max(worths.values())
    if split in PAIRS:
        always = Resplits.always(priced.plan.most_hands[priced.up])
        assert (best.resplits == always) is (case.settings is not APART)


@pytest.mark.parametrize(
    "split",
    one_of_each(TRADED[::-1], lambda pair: tuple(pair.case.settings)),
    ids=lambda p: f"{name(p.case)}-{p.pair}-{p.up}",
)
def test_pairs_that_bonus_cards_make_are_split_again(split: Pair) -> None:
    """In the play that knows the number of hands too; without those pairs it is worth otherwise."""
    priced = Priced.of(split)
    for choice in priced.choices:
        again = wanted(choice)
        slowly = slow.split_value(
            split.case.problem, priced.plan.pair, priced.up, "CDP", resplit=again
        )
        assert priced.worth("CDP+", choice) == pytest.approx(float(slowly), abs=CLOSE)
    always = Resplits.always(priced.plan.most_hands[priced.up])
    plain_pairs = replace(priced.plan, most_marked=0)
    left_out = priced.worth("CDP+", always, plain_pairs) - priced.worth("CDP+", always)
    assert abs(left_out) > 0.001
