"""How often each bonus of the main wager is paid, and what it is worth.

What is counted are hands that are paid by a row: of a round without a split at most one, of a round
with one as many as there are, where split hands get bonuses. A hand whose ranks fit rows of several
suits is parted among them by how often its cards have these suits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from upcard.compile.ends import NO_BONUS
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Floats, Solution


@dataclass(frozen=True)
class BonusOdds:
    """A bonus of the main wager under some play.

    `unsplit` is the chance that a round without a split is paid it, `split` how many split hands
    are on average in a round. `contribution` is all that these hands bring in base wagers a round,
    doubles included; `plain` what they would bring if each were paid as an ordinary win.
    """

    name: str
    pays: Fraction
    printed: str
    unsplit: float
    split: float
    contribution: float
    plain: float

    @property
    def hands(self) -> float:
        """How many hands a round are paid it on average."""
        return self.unsplit + self.split

    @property
    def more(self) -> float:
        """What it adds to ordinary wins of the same hands."""
        return self.contribution - self.plain


def bonus_odds(game: BaseGame, played: Solution) -> tuple[BonusOdds, ...]:
    """Every bonus of a game under a play, in the order of the rows."""
    bonuses = game.tables.bonuses
    if bonuses is None:
        return ()
    of_row = [np.zeros(3) for _ in bonuses.rows]
    for hands, pay, is_split in _all_hands(game, played):
        for own, ended in enumerate(game.tables.player_classes):
            if ended.row != NO_BONUS:
                paid = hands[:, own] * (pay[:, own] > 0)
                of_row[ended.row][int(is_split)] += paid.sum()
                of_row[ended.row][2] += (paid * pay[:, own]).sum()
    return tuple(
        BonusOdds(
            name=row.name,
            pays=row.pays,
            printed=row.printed,
            unsplit=float(unsplit),
            split=float(split),
            contribution=float(brought),
            plain=float(brought) * float(row.plain / row.pays),
        )
        for row, (unsplit, split, brought) in zip(bonuses.rows, of_row, strict=True)
    )


def _all_hands(game: BaseGame, played: Solution) -> Iterator[tuple[Floats, Floats, bool]]:
    """Hands of a round, `[doubles, class, dealer's class]`, what these win, and whether they are
    split ones; with suits and doubles told apart.
    """
    pays = game.known.cents(game.tables, played.aim.bet)[:, 1] / played.aim.bet
    doubles = len(game.contexts)
    begins = {
        plan.node: game.tables.effects.marker_level if plan.free else 0 for plan in game.pairs
    }

    def known(hands: Floats) -> Floats:
        return game.known.spread(hands, endless=game.step == 0)

    first = pays[0, :doubles]
    for up in played.ups.values():
        yield up.chance * known(up.ends.hands), first, False
        for node, chance in up.split_chance.items():
            split, level = up.splits[node], begins[node]
            yield up.chance * chance * known(split.first.hands), first, True
            others = pays[1, level : level + doubles]
            yield up.chance * chance * known(split.others.hands), others, True
