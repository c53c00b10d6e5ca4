"""The coach against every order of a tiny deck through the live table, question by question.

The coach has seen all cards of a full shoe but those of the tiny deck, so both price the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import compiled
from oracle.engine_search import SEAT, SPLITS, Line, SuitedTable, Table
from upcard.coach import Coach, Seen
from upcard.coach.seen import SeenBox, SeenHand
from upcard.compile.context import Action, Phase
from upcard.money import INSURANCE
from upcard.table.clerk import Question

BET = 1000


class Case(NamedTuple):
    """A game, a tiny deck, and the first cards: first, up, second."""

    game: str
    deck: str
    top: str
    settings: Mapping[str, str] = {}
    wagers: Mapping[str, int] = {}
    questions: int = 1
    """So many questions are compared at least."""
    bet: int = BET


CASES = {
    "a stiff hand": Case("blackjack", "2s 6d Ts Td 9s 9d As 5s", "Ts 9s 2s", questions=8),
    "both of the dealer's cards": Case(
        "double-exposure", "2s 6d Ts Td 9s 9d As 5s", "Ts 9s 2s", questions=8
    ),
    "a down card that is told of": Case(
        str(Path(__file__).parents[1] / "differential/down_under.toml"),
        "9s Ts Td 9d As 6s 7s 5s",
        "9s As 7s",
        questions=3,
    ),
    "insurance": Case("blackjack", "9s Ts Td 9d As 6s 7s 5s", "9s As 7s", questions=3),
    "early surrender": Case(
        "blackjack", "As Ad Ts Td 9s 9d 6s 5s", "9s Td 6s", {"surrender": "early"}, questions=3
    ),
    "both surrenders, no check": Case(
        "blackjack",
        "As Ts Td Th 9s 8s 5s 5d",
        "9s Td 8s",
        {"peek": "none", "surrender": "both"},
        questions=2,
    ),
    "trades and lights": Case("ten-sticks-21", "Tc Tc As Ts 6h 5s 9s 9d", "Tc 9s 5s", questions=4),
    "a double after a double, and rescue": Case(
        "pure-spanish-21.5", "2s 3s 4d Ks 9s 9d 7s 5s", "2s 9s 5s", questions=6
    ),
    "ties": Case(
        "blackjack-tie",
        "As Ts Td Th 9s 8s 5s 6d",
        "9s Td 8s",
        wagers={"tie-20": 200, "tie-17": 100, "left-side": 300},
        questions=2,
    ),
    "a dollar for a tie": Case(
        "games-of-chance-blackjack", "2s Ts Td Th 9s 8s 5s 6d", "9s Td 5s", bet=200, questions=2
    ),
    "what the house doubles": Case("free-bet", "6s 5s Ts Td 9s 9d 4s 7s", "6s 9s 5s", questions=2),
    "suits of a 6 and a 7": Case("spanish-21", "6s 6h 7s 7h 8s 8h Ks 9d", "6s Ks 7s", questions=3),
    "other suits": Case("spanish-21", "6s 6h 7s 7h 8s 8h Ks 9d", "6s Ks 7h", questions=3),
    "suits where nothing is looked for": Case("pontoon", "6s 6h 7s 7h 8s 8d Ks 9d", "8s Ks 7s"),
    "a prize for sevens": Case(
        "spanish-21",
        "7s 7s 7s 7h 7h 5s Ks 8d",
        "7s 7h 7s",
        {"max_hands": "1", "super_bonus": "true", "decks": "3"},
        questions=2,
    ),
    "five cards": Case(
        "twisted-21",
        "2s 3s Ts Td Js Jd 9s 9d 9h 5c",
        "2s 3s",
        {"positions": "1"},
        questions=3,
    ),
}


class Walk:
    """All questions of a tiny deck, each compared with the coach."""

    def __init__(self, case: Case) -> None:
        tables = compiled(case.game, **case.settings)
        carry = tables.carry
        share = Fraction(int(carry.prize.sum()), len(carry.next) * case.bet) if carry else 0
        by_suits = tables.bonuses is not None
        self.table = (SuitedTable if by_suits else Table)(
            tables,
            case.deck.split(),
            case.bet,
            case.wagers,
            Fraction(share),
            drops=SPLITS,
        )
        if isinstance(self.table, SuitedTable):
            self.table.sees = True
        self.coach = Coach(self.table.engine)
        full = Counter(self.table.engine.look.full_shoe)
        self.discards = tuple((full - Counter(case.deck.split())).elements())
        self.compared: Counter[str] = Counter()

    def worth(self, lines: list[Line]) -> Fraction:
        """What lines that were seen alike so far are worth for the best play, by chance."""
        total = Fraction(0)
        classes: dict[tuple[object, ...], list[tuple[Line, Question]]] = {}
        for line in lines:
            question = self.table.question(line)
            if question is None:
                total += line.chance * self.table.won(line)
            else:
                classes.setdefault((self.table.sight(line), question), []).append((line, question))
        for alike in classes.values():
            found = {
                action: self.worth(
                    [
                        after
                        for line, asked in alike
                        for after in self.table.decide(line, asked, action)
                    ]
                )
                for action in alike[0][1].actions
            }
            self.compare(alike[0][0], found, sum((line.chance for line, _ in alike), Fraction(0)))
            total += max(found.values())
        return total

    def compare(self, line: Line, found: Mapping[Action, Fraction], chance: Fraction) -> None:
        question = self.table.engine.question(line.state)
        assert question is not None
        advice = self.coach.advise(line.state, question, self.seen(line))
        if set(SPLITS) & set(question.actions) or "splits" in advice.method:
            return  # the walk never splits
        assert advice.is_priced, advice.words
        had = self.had(line)
        worth = {action.text: float(value / chance - had) for action, value in found.items()}
        if question.phase == Phase.INSURANCE:
            declined = worth["decline"]
            share = advice.wager / self.table.bet
            worth = {action: (value - declined) / share for action, value in worth.items()}
        priced = {value.action: value.percent / 100 for value in advice.actions}
        assert priced == pytest.approx(worth, abs=1e-9), advice
        self.compared[advice.kind] += 1

    def had(self, line: Line) -> Fraction:
        """What no decision changes any more: lights that are lit, an insurance that is lost."""
        here = line.state.round
        assert here is not None
        lost = sum(side.amount for side in here.boxes[0].sides if side.wager == INSURANCE)
        return line.lights * self.table.light - Fraction(lost, self.table.bet)

    def seen(self, line: Line) -> Seen:
        """What the player sees on the table, and all cards that are not in the deck."""
        here = line.state.round
        assert here is not None
        (box,) = here.boxes
        hands = tuple(SeenHand(tuple(filter(None, hand.cards))) for hand in box.hands)
        own = SeenBox(SEAT, hands, traded=here.gone)
        dealer = here.dealer
        return Seen(discards=self.discards, dealer=dealer.cards, boxes=(own,), told=dealer.told)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_coach_says_what_every_order_comes_to(case: Case) -> None:
    walk = Walk(case)
    walk.worth(list(walk.table.deal_from(tuple(case.top.split()))))
    assert walk.compared.total() >= case.questions, walk.compared
