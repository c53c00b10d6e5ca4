"""Two boxes that exchange cards, solved together, against the live table over a tiny deck.

The live table plays the very choices of the solution in every order of the cards; and all that
somebody could do who also looks at what the first box has drawn is searched for the best.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

from depth import deep
from oracle.engine_search import ANN, PURSE, Line, Table, _best
from upcard import tables_for
from upcard.compile.context import Action, Phase
from upcard.solve.solution import Aim
from upcard.solve.two_boxes import TwoBoxes
from upcard.table import commands as cm
from upcard.table.shoe import secret_from

BET = 1000
DECK = [f"{rank}{suit}" for rank in "T965" for suit in "shd"] + ["As", "Ah", "Tc", "8s"]
DEALS = [
    ("Ts 5s", "6d Tc", "9h"),
    ("As 6s", "5d Tc", "6d"),
    ("9s 6s", "5d Tc", "Ah"),
    ("Th 9s", "As Tc", "9d"),
    ("As Ts", "5d 6h", "Td"),
]


class TwoBoxTable(Table):
    """A scripted table with two boxes of one player."""

    def commands(self, stacked: tuple[str, ...]) -> Iterator[cm.Command]:
        yield cm.OpenTable(
            table="tiny", secret=secret_from("tiny"), positions=(1, 2), scripted=True
        )
        yield cm.BuyIn(player=ANN, amount=PURSE)
        yield cm.Sit(player=ANN, seat=1)
        yield cm.StackShoe(cards=stacked)
        for position in (1, 2):
            yield cm.PlaceWagers(player=ANN, position=position, wagers=self.wagers)

    def won(self, line: Line) -> Fraction:
        here = line.state.round
        assert here is not None
        assert here.over
        stakes = [s.settled for box in here.boxes for hand in box.hands for s in hand.stakes]
        return Fraction(sum(s.won - s.collected for s in stakes if s is not None), self.bet)


@cache
def both() -> tuple[TwoBoxTable, TwoBoxes]:
    tables = tables_for("blackjack-switch")
    table = TwoBoxTable(tables, DECK, BET, drops=(Action.SPLIT,))
    counts = [0] * len(tables.alphabet)
    for card in DECK:
        counts[table.symbol(card)] += 1
    return table, TwoBoxes(tables, aim=Aim(bet=BET), mode="none", counts=counts)


def dealt(table: TwoBoxTable, deal: tuple[str, str, str]) -> list[Line]:
    (a, b), (c, d), up = deal[0].split(), deal[1].split(), deal[2]
    return list(table.deal_from((a, c, up, b, d)))


def followed(table: TwoBoxTable, game: TwoBoxes, lines: list[Line], answer: Action) -> Fraction:
    """What both boxes win by the solution's choices, cards being exchanged or not."""
    total = Fraction(0)
    for line in lines:
        question = table.question(line)
        if question is None:
            total += line.chance * table.won(line)
            continue
        action = answer
        if question.phase != Phase.EXCHANGE:
            action = chosen(table, game, line, question.position)
        total += followed(table, game, list(table.decide(line, question, action)), answer)
    return total


def chosen(table: TwoBoxTable, game: TwoBoxes, line: Line, position: int) -> Action:
    """By the own hand, the first two cards of the other box, and the up card."""
    here = line.state.round
    assert here is not None
    own, other = here.box(position), here.box(3 - position)
    assert own is not None
    assert other is not None
    gone = game.pairs[game.number[tuple(map(table.symbol, other.hands[0].cards[:2]))]]
    box = game.best_boxes[game.pairs.index(gone)]
    assert box is not None
    graph = game.game_of(gone).graph
    node = graph.find(*map(table.symbol, own.hands[0].cards))
    return Action(int(box.solution.ups[table.up(line)].choice[0, node]))


@pytest.mark.parametrize("deal", DEALS, ids=" ".join)
def test_the_live_table_pays_what_both_answers_are_worth(deal: tuple[str, str, str]) -> None:
    table, game = both()
    play = game.optimal
    cards = [table.symbol(card) for card in (deal[2], *deal[0].split(), *deal[1].split())]
    spot = tuple(cards)
    natural, ended = play.natural[spot], play.ended[spot]
    for answer, worth in ((Action.SWITCH, play.switch), (Action.DECLINE, play.stay)):
        expected = natural * ended + (1 - natural) * worth[spot]
        found = followed(table, game, dealt(table, deal), answer)
        assert float(found) == pytest.approx(expected, abs=1e-12)
    taken = Action.SWITCH if play.switches[spot] else Action.DECLINE
    assert (taken is Action.SWITCH) == (play.switch[spot] > play.stay[spot])


@pytest.mark.parametrize("deal", [DEALS[0], pytest.param(DEALS[1], marks=deep)], ids=" ".join)
def test_looking_at_what_the_other_box_drew_gains_little(deal: tuple[str, str, str]) -> None:
    table, game = both()
    cards = [table.symbol(card) for card in (deal[2], *deal[0].split(), *deal[1].split())]
    worth = float(game.optimal.worth[tuple(cards)])
    most = float(_best(table, dealt(table, deal)))
    assert worth - 1e-12 <= most < worth + 0.1


def test_chances_of_all_deals() -> None:
    _, game = both()
    assert game.chance.sum() == pytest.approx(1.0, abs=1e-12)
    assert (game.optimal.worth[game.chance > 0] >= -4).all()
