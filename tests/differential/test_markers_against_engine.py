"""Doubles and splits that the house stakes: the solver beside every order of small decks.

The live table deals, moves chips and leaves the house's markers where they are; the solver adds up
what hands pay. Play is the solver's own, or any play at all: then markers are doubled by the house
and with own money, in hands that are won and lost.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from conftest import compiled
from depth import deep
from oracle.engine_search import Line, Table, _best, play_out_splits, search
from oracle.odds_split import Chooser, Resplit, Spot
from upcard.cards import parse_cards
from upcard.compile.context import Action, meant
from upcard.compile.shows import DealerShows
from upcard.compile.tables import GameTables
from upcard.solve.advice import HeldHand, advise_held
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim, Bytes, PairPlan
from upcard.solve.split import FIRST, FURTHER, OTHER, Resplits, all_resplits, removable

GAME = "free-bet"
BET = 1000
CLOSE = 1e-12
HIGH = 24
"""Half points from which on play by chance draws no card, so that small decks suffice."""

EIGHTS = "8s 8d 8h 3s 3d Ts Td Th Tc 9s 9d 6s 6d"
TENS = "Ts Td Th 9s 9d 9h 9c As 8s 8d 8h 7s 7d 7h"
ACES = "As Ad Ah 8s 8d 9s 9d Ts Td 6s 6d 5s"
SIXES = "6s 6d 6h 5s 5d Ts Td Th 9s 9d 9h 8s"
TWENTY_TWO = "6s 6d 6h 6c Ts Td Th Tc 5s 5d 9s 9d"

SMALL = ["As Ad Ts Td 9s 9d 6s 5s", "6s 6d 5s 4s Ts Td 9s 7s", "6s 6d 6h 5s 5d Ts Td Th"]


class Split(NamedTuple):
    deck: str
    pair: str
    up: str
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def tables(self) -> GameTables:
        return compiled(GAME, **dict(self.settings))

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(self.deck.split())

    @property
    def game(self) -> BaseGame:
        alphabet = self.tables.alphabet
        found = Counter(alphabet.symbol(card) for card in parse_cards(self.deck))
        return BaseGame(self.tables, counts=[found[number] for number in range(len(alphabet))])

    def symbol(self, card: str) -> int:
        return self.tables.alphabet.symbol(parse_cards(card)[0])

    def __str__(self) -> str:
        return f"{self.pair}-{self.up}".replace(" ", "-")


ONCE = (("free_splits", "one"),)

SPLITS = [
    Split(EIGHTS, "8s 8d", "6s"),
    Split(TWENTY_TWO, "6s 6d", "9s", (*ONCE, ("max_hands", "3"))),
    Split(TENS, "Ts Td", "7s"),
    pytest.param(Split(ACES, "As Ad", "6s"), marks=deep),
    pytest.param(Split(SIXES, "6s 6d", "9s"), marks=deep),
    pytest.param(Split(SIXES, "6s 6d", "9s", ONCE), marks=deep),
    pytest.param(Split(ACES, "As Ad", "6s", ONCE), marks=deep),
    pytest.param(Split(TWENTY_TWO, "5s 5d", "6s"), marks=deep),
    pytest.param(Split(TWENTY_TWO, "6s 6d", "6h"), marks=deep),
    pytest.param(Split(SIXES, "6s 6d", "9s", (("free_double_cards", "any"),)), marks=deep),
]


@pytest.mark.parametrize("deck", SMALL)
def test_the_best_that_can_be_done_without_splits(deck: str) -> None:
    split = Split(deck, "", "")
    found = search(split.tables, split.cards, BET)
    assert split.game.solve(Aim(bet=BET), mode="none").ev == pytest.approx(float(found), abs=CLOSE)


@pytest.mark.parametrize("split", SPLITS, ids=str)
@pytest.mark.parametrize("seed", ["best", "two", pytest.param("three", marks=deep)])
def test_splits_are_worth_what_the_table_pays(split: Split, seed: str) -> None:
    game, up, aim = split.game, split.symbol(split.up), Aim(bet=BET)
    pair = split.symbol(split.pair.split()[0])
    plan = next(plan for plan in game.pairs if plan.node == game.graph.find(pair, pair))
    assert plan.free == (split.pair != "Ts Td")
    plain = game.solve_up(up, aim, "none").worth
    roles = game.pay(aim)
    solved = game.price_split(plan, up, aim, roles, "CDZ-", plain, {})
    choices = solved.choices[0]
    if seed != "best":
        one, two, *further = (
            _by_chance(game, plan, up, own, f"{seed} {n}") for n, own in enumerate(choices)
        )
        # Hands that are paid alike are played alike.
        choices = (one, two if plan.free else one, *further)
    ways = all_resplits(plan.most_hands[up], plan.free_times)
    # The table asks whether a hand is the first, not who has staked it.
    ways = tuple(way for way in ways if way.further in ((), way.others))
    some = ways if len(ways) <= 4 else (ways[0], ways[5], ways[-1])
    known = dict.fromkeys(range(1 + removable(plan.most_hands[up])), choices)
    found = [
        game.price_split(plan, up, aim, roles, "CDZ-", plain, known, resplits=way).worth
        for way in some
    ]
    first, second = split.pair.split()
    played = play_out_splits(
        split.tables,
        split.cards,
        (first, second),
        split.up,
        _chooser(game, plan, choices),
        [_wanted(way) for way in some],
        BET,
    )
    assert found == pytest.approx([float(worth) for worth in played], abs=CLOSE)


def _wanted(resplits: Resplits) -> Resplit:
    return lambda first, hands: (resplits.first if first else resplits.others)[hands - 2]


def _chooser(game: BaseGame, plan: PairPlan, choices: tuple[Bytes, ...]) -> Chooser:
    """The solver's play of a split hand, for the live table."""
    contexts = game.tables.contexts.contexts

    def choose(spot: Spot) -> Action:
        further = plan.free_times and not contexts[spot.hand.context].marker
        role = FIRST if spot.first else FURTHER if further else OTHER
        action = Action(choices[role][0, plan.graph.find(*spot.hand.cards[1:])])
        assert action in spot.legal
        return action

    return choose


def _by_chance(game: BaseGame, plan: PairPlan, up: int, best: Bytes, seed: str) -> Bytes:
    """Play that takes any action, always the same for the same cards."""
    hands, graph = game.tables.hands, plan.graph
    found = best.copy()
    legal: Mapping[int, int] = {
        node: int(game.tables.legal.mask[state, plan.contexts[0], up])
        for node, state in enumerate(graph.state.tolist())
    }
    for node, mask in legal.items():
        state = int(graph.state[node])
        actions = [a for a in Action if mask & a.bit & ~game.known.splitting]
        if hands.total[state] >= HIGH:
            actions = [action for action in actions if action is not Action.HIT]
        if len(actions) > 1:
            digest = hashlib.sha256(f"{seed} {graph.taken[node].tolist()}".encode()).digest()
            found[0, node] = actions[digest[0] % len(actions)]
    return found


class Middle(NamedTuple):
    """A hand of a split is asked: the second cards that the hands have got until then."""

    deck: str
    pair: str
    up: str
    seconds: str
    actions: tuple[str, ...]
    """What was answered before."""


MIDDLES = [
    Middle(EIGHTS, "8s 8d", "6s", "Ts 3s", ("split", "stand")),
    Middle(EIGHTS, "8s 8d", "6s", "Ts 9s", ("split", "stand")),
    Middle(TWENTY_TWO, "5s 5d", "6s", "Ts 6d", ("split", "stand")),
    Middle("2s 2d As Ts Td Th 6s 6d 9s 9d 8s", "2s 2d", "6s", "Ts As", ("split", "stand")),
]


@pytest.mark.parametrize("middle", MIDDLES, ids=lambda m: f"{m.pair} {m.seconds}".replace(" ", "-"))
def test_advice_in_the_middle_of_a_split(middle: Middle) -> None:
    """What actions of the last hand are worth more than others: the other hand is over."""
    split = Split(middle.deck, middle.pair, middle.up)
    tables, (first, second) = split.tables, middle.pair.split()
    table = Table(tables, split.cards, BET, drops=(Action.INSURE,))
    lines = list(table.deal_from((first, middle.up, second)))
    seconds = [table.symbol(card) for card in middle.seconds.split()]
    for number, text in enumerate(middle.actions):
        action = Action.parse(text)
        asked = [(line, table.question(line)) for line in lines]
        lines = [
            after
            for line, question in asked
            if question is not None
            for after in table.decide(line, question, meant(action, question.actions))
            if _seconds(table, after) == seconds[: number + 1]
        ]
    here = lines[0].state.round
    question = table.question(lines[0])
    assert here is not None
    assert question is not None
    hands = here.boxes[0].hands
    chance = sum(line.chance for line in lines)
    found = {
        action: float(
            _best(table, [a for line in lines for a in table.decide(line, question, action)])
            / chance
        )
        for action in question.actions
        if action not in (Action.SPLIT, Action.FREE_SPLIT)
    }
    gone = Counter(table.engine.look.full_shoe)
    gone.subtract(split.cards)
    removed = [card for text in gone.elements() for card in parse_cards(text)]
    own = hands[question.hand]
    others = [
        card for number, hand in enumerate(hands) if number != question.hand for card in hand.cards
    ]
    held = HeldHand(
        parse_cards(" ".join(own.cards)),
        own.state,
        own.context,
        others=parse_cards(" ".join(others)),
        place=question.hand,
    )
    shows = DealerShows(parse_cards(middle.up))
    advice = advise_held(tables, held, shows, removed=removed, bet=BET)
    worst = min(found, key=lambda action: found[action])
    told = {action: advice.actions[action] - advice.actions[worst] for action in found}
    more = {action: worth - found[worst] for action, worth in found.items()}
    assert told == pytest.approx(more, abs=1e-9)
    assert len(found) > 1


def _seconds(table: Table, line: Line) -> list[int]:
    """The second cards of the box's hands."""
    here = line.state.round
    assert here is not None
    hands = here.boxes[0].hands
    return [table.symbol(hand.cards[1]) for hand in hands if len(hand.cards) > 1]


ACES_AGAIN = "As Ad Ah Ts Td 6s 5s 9s 9d 8s"


@pytest.mark.parametrize("seconds", ["Ah", "Ts Ah"])
@pytest.mark.parametrize("free_splits", ["every", "one"])
def test_what_a_further_split_of_aces_is_worth(seconds: str, free_splits: str) -> None:
    """Split aces get one card each, so that nothing is decided but whether a pair is split again:
    by the box's own hand, or by the one with the marker, whose new hand may be for money.
    """
    split = Split(ACES_AGAIN, "As Ad", "6s", (("free_splits", free_splits), ("max_hands", "3")))
    table = Table(split.tables, split.cards, BET, drops=(Action.INSURE,))
    wanted = [table.symbol(card) for card in seconds.split()]
    lines = [
        after
        for line in table.deal_from(("As", "6s", "Ad"))
        if (question := table.question(line)) is not None
        for after in table.decide(line, question, Action.FREE_SPLIT)
        if _seconds(table, after) == wanted
    ]
    question, here = table.question(lines[0]), lines[0].state.round
    assert question is not None
    assert here is not None
    assert (Action.SPLIT in question.actions) == (free_splits == "one")
    chance = sum(line.chance for line in lines)
    worth = {
        action: float(_best(table, [a for x in lines for a in table.decide(x, question, action)]))
        for action in question.actions
    }
    hands, contexts = here.boxes[0].hands, split.tables.contexts.contexts
    own, gone = hands[question.hand], Counter(table.engine.look.full_shoe)
    gone.subtract(split.cards)
    others = [c for n, hand in enumerate(hands) if n != question.hand for c in hand.cards]
    held = HeldHand(
        parse_cards(" ".join(own.cards)),
        own.state,
        own.context,
        others=parse_cards(" ".join(others)),
        place=question.hand,
        markers=tuple(contexts[hand.context].marker for hand in hands[question.hand + 1 :]),
    )
    removed = [card for text in gone.elements() for card in parse_cards(text)]
    told = advise_held(
        split.tables, held, DealerShows(parse_cards("6s")), removed=removed, bet=BET
    ).actions
    again = Action.SPLIT if free_splits == "one" else Action.FREE_SPLIT
    assert told[again] - told[Action.STAND] == pytest.approx(
        (worth[again] - worth[Action.STAND]) / float(chance), abs=1e-9
    )
