"""Wagers on how both hands have ended: what their conditions mean, and what they tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from upcard.rules.bonuses import fits, span_of
from upcard.rules.card_conditions import CardCondition, FinalCondition
from upcard.rules.card_wagers import CardWager
from upcard.rules.schema import GameRules

FINAL_HANDS = "final-hands"
OF_PLAYER = ("cards", "total", "natural", "bust")
"""What such a row may ask of the player's hand."""
OF_BOTH = ("dealers_final", "compared")
"""What only such rows may ask."""


class FinalHand(NamedTuple):
    """A hand that has ended; the total of one that is over does not count."""

    total: float
    cards: int
    natural: bool = False
    bust: bool = False

    @property
    def strength(self) -> tuple[bool, float]:
        """What hands that are not over are compared by."""
        return self.natural, self.total


def final_wagers(game: GameRules) -> Iterator[tuple[str, CardWager]]:
    """The wagers on offer that go by both final hands."""
    for wager_id, wager in game.wagers.items():
        if isinstance(wager, CardWager) and wager.offered and wager.cards == FINAL_HANDS:
            yield wager_id, wager


def of_player(when: CardCondition) -> FinalCondition:
    """What a row asks of the player's hand alone.

    >>> of_player(CardCondition(total=20, compared="equal")).total
    20
    """
    return FinalCondition(**{key: getattr(when, key) for key in OF_PLAYER})


def fits_final(condition: FinalCondition | None, hand: FinalHand) -> bool:
    """Whether a hand that has ended is as a condition says.

    >>> fits_final(FinalCondition(total=20), FinalHand(20, 3))
    True
    """
    if condition is None:
        return True
    if condition.natural not in (None, hand.natural) or condition.bust not in (None, hand.bust):
        return False
    if hand.bust:
        return condition.total is None and condition.cards is None
    return fits(condition.total, hand.total) and fits(condition.cards, hand.cards)


def fits_both(when: CardCondition, player: FinalHand, dealer: FinalHand) -> bool:
    """Whether both hands are as a row says."""
    if not fits_final(of_player(when), player) or not fits_final(when.dealers_final, dealer):
        return False
    if when.compared is None:
        return True
    if player.bust or dealer.bust:
        return False
    own, other = player.strength, dealer.strength
    found = "equal" if own == other else "higher" if own > other else "lower"
    return when.compared == found


def cards_told_apart(game: GameRules) -> tuple[int, int]:
    """Up to how many cards such wagers tell hands apart: the player's and the dealer's; 0: not."""
    most = [0, 0]
    for _, wager in final_wagers(game):
        for row in wager.rows:
            for which, condition in enumerate((of_player(row.when), row.when.dealers_final)):
                if condition is not None and condition.cards is not None:
                    low, high = span_of(condition.cards)
                    last = low if high == float("inf") else int(high) + 1
                    most[which] = max(most[which], last)
    return most[0], most[1]


def asks_totals(game: GameRules) -> bool:
    """Whether such a wager asks what a player's hand totals."""
    return any(
        row.when.total is not None or row.when.compared is not None
        for _, wager in final_wagers(game)
        for row in wager.rows
    )
