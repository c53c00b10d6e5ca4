"""Bonus wagers of every hand of a split: table, solver and simulator, and the rules alone.

No packaged game has them: Blackjack Tie with another word in its file. The solver adds up what
hands pay; the live table puts up the wagers of new hands and settles each by itself; the oracle of
Blackjack Tie knows what one hand's bonus wager wins, and nothing of tables.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from changed_games import changed_rules, problems
from depth import deep
from differential.simulator_rounds import Setup, compare
from oracle import blackjack_tie
from oracle.common import Cards
from oracle.engine_search import play_out_splits
from oracle.odds_split import Resplit, Spot, always
from upcard import GameTables, compile_game
from upcard.cards import parse_cards
from upcard.compile.context import Action
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim, Bytes, PairPlan
from upcard.solve.split import Resplits, all_resplits, removable

GAME = "blackjack-tie"
BET = 1000
CLOSE = 1e-12
EACH = {"ties.hands": "each"}
LATE = {"dealer.checks": "none"}
SIDES = (("tie-18", 500), ("right-side", 300))

EIGHTS = "8s 8d 8h Ts Td Th Tc 9s 9d As 6s 7d"
TENS = "Ts Td Th Tc As 8s 9s 8d 7d 9d"


def tables_of(changes: dict[str, Any], settings: dict[str, str]) -> GameTables:
    rules = changed_rules(GAME, changes, settings)
    assert problems(rules) == []
    return compile_game(rules)


class Split(NamedTuple):
    deck: str
    pair: str
    up: str
    changes: dict[str, Any]

    @property
    def tables(self) -> GameTables:
        return tables_of({**EACH, **self.changes}, {"surrender": "none", "max_hands": "3"})


SPLITS = {
    "eights": Split(EIGHTS, "8s 8d", "7d", {}),
    "tens": Split(TENS, "Ts Td", "8s", {}),
    "late-original": Split(TENS, "Ts Td", "As", LATE),
    "late-each": Split(TENS, "Ts Td", "As", {**LATE, "dealer.late_natural_takes": "each-original"}),
    "late-all": Split(TENS, "Ts Td", "As", {**LATE, "dealer.late_natural_takes": "all"}),
}


@pytest.mark.parametrize("name", SPLITS)
def test_splits_are_worth_what_the_table_pays(name: str) -> None:
    """Every order of a small deck through the live table, the bonus wagers in the value."""
    split = SPLITS[name]
    tables = split.tables
    alphabet = tables.alphabet
    counts = Counter(alphabet.symbol(card) for card in parse_cards(split.deck))
    game = BaseGame(tables, counts=[counts[number] for number in range(len(alphabet))])
    first, second = split.pair.split()
    pair, up = (alphabet.symbol(parse_cards(card)[0]) for card in (first, split.up))
    aim = Aim(bet=BET, extra={wager: cents / BET for wager, cents in SIDES})
    plan = next(plan for plan in game.pairs if plan.node == game.graph.find(pair, pair))
    plain = game.solve_up(up, aim, "none").worth
    choices = game.price_split(plan, up, aim, game.pay(aim), "CDZ-", plain, {}).choices[0]
    ways = all_resplits(plan.most_hands[up])
    known = dict.fromkeys(range(1 + removable(plan.most_hands[up])), choices)
    found = [
        game.price_split(plan, up, aim, game.pay(aim), "CDZ-", plain, known, resplits=way).worth
        for way in ways
    ]
    played = play_out_splits(
        tables,
        split.deck.split(),
        (first, second),
        split.up,
        lambda spot: _chosen(plan, choices, spot),
        [_wanted(way) for way in ways],
        BET,
        dict(SIDES),
    )
    assert found == pytest.approx([float(worth) for worth in played], abs=CLOSE)


def _wanted(way: Resplits) -> Resplit:
    return lambda first, hands: (way.first if first else way.others)[hands - 2]


def _chosen(plan: PairPlan, choices: tuple[Bytes, ...], spot: Spot) -> Action:
    action = Action(choices[0 if spot.first else 1][0, plan.graph.find(*spot.hand.cards[1:])])
    assert action in spot.legal
    return action


# ------------------------------------------------------------------ the rules alone

STOPS = 15
"""The plain player of this test splits what can be split, and draws below so much."""


def orders(cards: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every order of the cards that looks different, and its chance."""
    if not cards:
        yield (), Fraction(1)
    for card, number in Counter(cards).items():
        left = list(cards)
        left.remove(card)
        for rest, chance in orders(left):
            yield (card, *rest), chance * Fraction(number, len(cards))


def by_the_rules(cards: Sequence[str], first: Cards, up: str, wager: str) -> Fraction:
    """What a unit of a bonus wager brings if every hand of the split has one of its own.

    First cards and up card are known; `cards` are all others, the down card first.
    """
    settings: dict[str, object] = {"surrender": "none", "max_hands": 3}
    total = whole = Fraction(0)
    for order, chance in orders(cards):
        down, *shoe = order
        dealer = [up, down]
        if blackjack_tie.dealer_class(settings, dealer) == "natural":
            continue
        hands, number, coming = [[first[0]], [first[1]]], 0, iter(shoe)
        while number < len(hands):
            hand = hands[number]
            hand.append(next(coming))
            if hand[0][0] == hand[1][0] and len(hands) < 3:
                hands.insert(number + 1, [hand.pop()])
                continue
            while blackjack_tie.facts(settings, hand, split=True).total < STOPS:
                hand.append(next(coming))
            number += 1
        while blackjack_tie.dealer_draws(settings, dealer):
            dealer.append(next(coming))
        whole += chance
        total += chance * sum(
            blackjack_tie.settle_side(settings, wager, cards=hand, dealer=dealer, split=True)
            for hand in hands
        )
    return total / whole


@pytest.mark.parametrize(
    ("deck", "pair", "up", "wager"),
    [
        ("8s 8s 8s Ts Ts Ts Ts Ts 9s 9s 9s 9s", "8s 8s", "9s", "tie-18"),
        pytest.param("8s 8s 8s Ts Ts Ts Ts 9s 9s 9s Ts 7s", "8s 8s", "7s", "tie-17", marks=deep),
    ],
)
def test_the_rules_alone(deck: str, pair: str, up: str, wager: str) -> None:
    tables = tables_of(EACH, {"surrender": "none", "max_hands": "3"})
    cards = Counter(deck.split())
    first, second = pair.split()
    cards.subtract((first, second, up))
    slowly = by_the_rules(list(cards.elements()), (first, second), up, wager)

    def choose(spot: Spot) -> Action:
        below = int(tables.hands.total[spot.hand.state]) < 2 * STOPS
        return Action.HIT if below else Action.STAND

    with_bonus, without = (
        play_out_splits(
            tables,
            deck.split(),
            (first, second),
            up,
            choose,
            [always],
            BET,
            {wager: BET} if bonus else {},
        )[0]
        for bonus in (True, False)
    )
    assert with_bonus - without == slowly


# ------------------------------------------------------------------ the simulator


AT_TABLES = (
    Setup(GAME, 1000, SIDES, seats=3, changes=json.dumps(EACH)),
    Setup(GAME, 1000, SIDES, seats=2, cards="cut", changes=json.dumps(EACH)),
    Setup(GAME, 1000, SIDES, seats=1, changes=json.dumps({**EACH, **LATE})),
    Setup(
        GAME,
        1000,
        SIDES,
        seats=2,
        changes=json.dumps({**EACH, **LATE, "deal.dealer_down": 0, "ties.over": "push"}),
    ),
)


@pytest.mark.parametrize("setup", AT_TABLES, ids=lambda setup: setup.name)
def test_the_same_cards_at_the_table_and_in_the_machine(setup: Setup) -> None:
    splits = 0
    for seed in range(12):
        report = compare([setup], 25, seed)
        assert report.differences == []
        splits += report.taken[Action.SPLIT]
    assert splits > 5
