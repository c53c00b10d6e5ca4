"""Prizes: fixed sums for hands that get a bonus, on top of what their wager is paid."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from upcard.compile.alphabet import Alphabet
from upcard.compile.arrays import frozen
from upcard.compile.dealer import DealerAutomaton
from upcard.compile.ends import NO_BONUS, FinalClass
from upcard.money import format_cents
from upcard.rules.schema import GameRules, offered_prizes
from upcard.text import listed


@dataclass(frozen=True)
class Prize:
    """A prize of hands that were neither split nor doubled.

    `won[shown, class]`: a hand that ends so wins it against what the dealer shows. `sums` are base
    wagers and what is paid from each of them on, smallest first; `others` is what every other
    player with a wager in the round gets besides, all in cents. `hands` and `ups` are the names of
    its hands, and the ranks of the up cards, none for all.
    """

    name: str
    hands: tuple[str, ...]
    ups: tuple[str, ...]
    won: npt.NDArray[np.bool_]
    sums: tuple[tuple[int, int], ...]
    others: int

    def pays(self, bet: int) -> int:
        """What it is with a base wager; 0 where that is too small.

        >>> from upcard import tables_for
        >>> prize = tables_for("spanish-21", {"super_bonus": "true"}).prizes[0]
        >>> prize.pays(400), prize.pays(2400), prize.pays(2500)
        (0, 100000, 500000)
        """
        place = bisect_right(self.sums, bet, key=lambda found: found[0])
        return self.sums[place - 1][1] if place else 0

    @property
    def words(self) -> str:
        """What wins it, and what it is."""
        against = f" against {listed(self.ups)}" if self.ups else ""
        steps = [f"{format_cents(pays)} from {format_cents(least)} on" for least, pays in self.sums]
        others = f", {format_cents(self.others)} for every other player" if self.others else ""
        return f"{listed(self.hands)}{against} wins {listed(steps, 'and')}{others}"

    def each_other(self, bet: int) -> int:
        """What every other player gets if somebody with this base wager wins it."""
        return self.others if self.pays(bet) else 0


Prizes = tuple[Prize, ...]
"""All prizes on offer."""


def prize_cents(prizes: Prizes, bet: int) -> npt.NDArray[np.int64]:
    """`[shown, class]`: what a hand with a base wager wins in prizes."""
    return np.asarray(sum(prize.pays(bet) * prize.won.astype(np.int64) for prize in prizes))


def envy_cents(prizes: Prizes, bet: int) -> npt.NDArray[np.int64]:
    """`[shown, class]`: what every other player gets by such a hand."""
    return np.asarray(sum(prize.each_other(bet) * prize.won.astype(np.int64) for prize in prizes))


def build_prizes(
    game: GameRules, alphabet: Alphabet, classes: Sequence[FinalClass], dealer: DealerAutomaton
) -> Prizes:
    found = []
    for prize in offered_prizes(game):
        assert game.bonuses is not None
        rows = game.bonuses.rows
        hands = [c.row != NO_BONUS and rows[c.row].name in prize.hands for c in classes]
        ups = [
            prize.up is None or any(rank in prize.up for rank in alphabet.symbols[up].ranks)
            for up in dealer.shown.up.tolist()
        ]
        found.append(
            Prize(
                name=prize.name,
                hands=prize.hands,
                ups=tuple(prize.up or ()),
                won=frozen(np.outer(ups, hands)),
                sums=tuple((step.from_, step.pays) for step in prize.sums),
                others=prize.others,
            )
        )
    return tuple(found)
