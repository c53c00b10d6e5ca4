"""What prizes of hands are worth, each alone: how often it comes, and what play does for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from upcard.compile.context import Action
from upcard.compile.prizes import Prize
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import base_value
from upcard.solve.solution import Solution
from upcard.solve.suits import suits_gain


class PlayedFor(NamedTuple):
    """A first hand that is played otherwise because of prizes."""

    cards: str
    up: str
    action: Action
    instead_of: Action


@dataclass(frozen=True)
class PrizeOdds:
    """A prize in a round under some play: its chance, and what it is at this wager.

    `most_chance` is its chance under play that thinks of prizes alone. `pays` and `others` are in
    cents: what the player's own hand wins, and what another player's brings.
    """

    name: str
    words: str
    chance: float
    most_chance: float
    pays: int
    others: int
    bet: int

    @property
    def ev(self) -> float:
        """What the player's own hand brings a round, in base units."""
        return self.chance * self.pays / self.bet

    @property
    def each_other(self) -> float:
        """What every other player who plays alike brings a round."""
        return self.chance * self.others / self.bet

    @property
    def most_ev(self) -> float:
        """What the player's own hand brings that is played for the prize alone."""
        return self.most_chance * self.pays / self.bet

    @property
    def most_each_other(self) -> float:
        """What every other player brings who plays for the prize alone."""
        return self.most_chance * self.others / self.bet


@dataclass(frozen=True)
class PrizesReport:
    """All prizes of a game. `ev` is the whole round, `base_ev` the wager alone under this play,
    `alone_ev` that of the play that thinks of no prize, from which `played_for` differs.

    `suits_gain` is what looking at the suits of the first cards adds to `ev`, `alone_suits_gain`
    what it adds to `alone_ev`.
    """

    prizes: tuple[PrizeOdds, ...]
    ev: float
    base_ev: float
    alone_ev: float
    suits_gain: float
    alone_suits_gain: float
    played_for: tuple[PlayedFor, ...]


PRIZES_ALONE = 1e6
"""Prizes that count so often leave nothing else to play for."""


def prize_chance(game: BaseGame, solution: Solution, prize: Prize) -> float:
    """How often a round wins a prize."""
    return sum(
        found.chance
        * float(game.known.spread(found.ends.hands, endless=game.step == 0)[0, prize.won[up]].sum())
        for up, found in solution.ups.items()
    )


def prizes_value(game: BaseGame, solution: Solution) -> float:
    """What the prizes of a player's own hands bring a round, in base units."""
    bet = solution.aim.bet
    prizes = game.tables.prizes
    return sum(prize.pays(bet) * prize_chance(game, solution, prize) for prize in prizes) / bet


def envy_value(game: BaseGame, solution: Solution, bet: int) -> float:
    """What the prizes of one other player, who plays alike, bring a round."""
    prizes = game.tables.prizes
    return (
        sum(prize.each_other(bet) * prize_chance(game, solution, prize) for prize in prizes) / bet
    )


def prizes_report(game: BaseGame, played: Solution, alone: Solution) -> PrizesReport:
    """The prizes under a play, beside one for the wager alone."""
    bet = played.aim.bet
    own = base_value(game, played)
    greedy = game.solve(replace(played.aim, prizes=PRIZES_ALONE), mode=played.mode)
    found = []
    for prize in game.tables.prizes:
        chance = prize_chance(game, played, prize)
        pays, others = prize.pays(bet), prize.each_other(bet)
        found.append(
            PrizeOdds(
                name=prize.name,
                words=prize.words,
                chance=chance,
                most_chance=prize_chance(game, greedy, prize),
                pays=pays,
                others=others,
                bet=bet,
            )
        )
    return PrizesReport(
        prizes=tuple(found),
        ev=own + sum(one.ev for one in found),
        base_ev=own,
        alone_ev=base_value(game, alone),
        suits_gain=suits_gain(game, played),
        alone_suits_gain=suits_gain(game, alone),
        played_for=tuple(_played_for(game, played, alone)),
    )


def _played_for(game: BaseGame, played: Solution, alone: Solution) -> list[PlayedFor]:
    names = [symbol.name for symbol in game.tables.alphabet.symbols]
    shown = game.tables.dealer.shown.names
    return [
        PlayedFor(f"{names[one]} {names[two]}", shown[up], Action(now), Action(before))
        for up, found in played.ups.items()
        for one, two, node, _ in game.deal_chances(up)
        if (now := int(found.choice[0, node])) != (before := int(alone.ups[up].choice[0, node]))
    ]
