"""Payoffs: for each wager on hands a matrix over final classes, in fractions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from upcard.compile.dealer import DealerAutomaton
from upcard.compile.ends import EndKind, FinalClass
from upcard.compile.hands import CHARLIE, HandAutomaton
from upcard.money import BASE, INSURANCE, parse_odds
from upcard.rules.schema import GameRules
from upcard.rules.wagers import TieWager

Matrix = tuple[tuple[Fraction, ...], ...]

LOSS = Fraction(-1)
PUSH = Fraction(0)


class LooksAt(StrEnum):
    """What a wager is settled by."""

    EACH_HAND = "hand"
    FIRST_HAND = "first"
    BOX = "box"
    """The dealer's hand alone, once for a box."""
    CARDS = "cards"
    """The first cards, whatever is done with the hand."""


@dataclass(frozen=True)
class Payoff:
    """What one wager wins, by the player's final class (rows) and the dealer's (columns).

    `odds` is the net result for one unit of the wager a box began with, `added` for one unit
    put up later (doubles, the wagers of split hands other than the first), and `flat` a fixed
    amount in cents, whatever the wager. A rescued hand's row is for what the rescue forfeits.
    `per` says what is settled: every "hand", the "first" hand of the box, or the "box" once.
    """

    wager: str
    per: LooksAt
    odds: Matrix
    added: Matrix
    flat: tuple[tuple[int, ...], ...]

    def marker(self, player_class: int, dealer_class: int) -> Fraction:
        """What one unit that the house staked wins: the same as money, which is all it can do."""
        return max(self.added[player_class][dealer_class], PUSH)

    def is_settled(self, player_class: int, dealer_classes: Iterable[int]) -> bool:
        """Whether a hand of this class fares alike against each of these dealer's classes."""
        rows = (self.odds[player_class], self.added[player_class], self.flat[player_class])
        results = [tuple(row[dealer] for row in rows) for dealer in dealer_classes]
        return bool(results) and results.count(results[0]) == len(results)


def player_classes(game: GameRules, hands: HandAutomaton) -> tuple[FinalClass, ...]:
    """Final classes in the order of `HandAutomaton.class_names`, then those of ended hands."""
    classes = []
    for number, name in enumerate(hands.class_names):
        kind = EndKind(name) if name in set(EndKind) else EndKind.TOTAL
        counts = kind not in (EndKind.BUST, EndKind.CHARLIE)
        if name.startswith(f"{CHARLIE}-"):
            kind = EndKind.CHARLIE
        states = [s for s in range(len(hands)) if hands.player_class[s] == number]
        classes.append(FinalClass(name, kind, int(hands.total[states[0]]) if counts else 0))
    if game.surrender.when != "none":
        classes.append(FinalClass("surrendered", EndKind.SURRENDERED, 0))
    if game.surrender.when == "both":
        classes.append(FinalClass("surrendered-early", EndKind.SURRENDERED_EARLY, 0))
    if game.double.rescue:
        classes.append(FinalClass("rescued", EndKind.RESCUED, 0))
    return tuple(classes)


def build_payoffs(
    game: GameRules, players: tuple[FinalClass, ...], dealer: DealerAutomaton
) -> Mapping[str, Payoff]:
    payoffs = {BASE: _base(game, players, dealer.classes)}
    if game.insurance.offered:
        payoffs[INSURANCE] = _insurance(game, players, dealer.classes)
    for wager_id, wager in game.wagers.items():
        if isinstance(wager, TieWager) and wager.offered:
            payoffs[wager_id] = _tie(game, wager_id, wager, players, dealer.classes)
    return payoffs


def _base(
    game: GameRules, players: tuple[FinalClass, ...], dealers: tuple[FinalClass, ...]
) -> Payoff:
    cells = [[_base_cell(game, player, dealer) for dealer in dealers] for player in players]
    spared = game.dealer.late_natural_takes == "original"
    added = [
        [
            PUSH if spared and dealer.is_natural and odds < 0 else odds
            for dealer, (odds, _) in zip(dealers, row, strict=True)
        ]
        for row in cells
    ]
    return Payoff(
        wager=BASE,
        per=LooksAt.EACH_HAND,
        odds=tuple(tuple(odds for odds, _ in row) for row in cells),
        added=tuple(tuple(row) for row in added),
        flat=tuple(tuple(flat for _, flat in row) for row in cells),
    )


def _base_cell(game: GameRules, player: FinalClass, dealer: FinalClass) -> tuple[Fraction, int]:
    """Odds for one unit and a fixed amount."""
    win = parse_odds(game.outcomes.win_pays)
    match player.kind:
        case EndKind.SURRENDERED:
            return _surrendered(game, dealer), 0
        case EndKind.SURRENDERED_EARLY:
            return -Fraction(game.surrender.forfeits), 0
        case EndKind.RESCUED:
            return LOSS, 0
        case EndKind.CHARLIE:
            return win, 0
        case EndKind.NATURAL:
            both = dealer.is_natural
            pays = game.natural.against_natural if both else game.natural.pays
            return PUSH if pays == "push" else parse_odds(pays), 0
        case EndKind.BUST:
            return _busted(game, dealer), 0
    if dealer.kind is EndKind.BUST or dealer.total > 2 * game.count.over:
        return (PUSH if dealer.kind is EndKind.PUSH else win), 0
    if dealer.is_natural:
        drawn_to_the_top = player.total == game.count.over // 1 * 2
        if drawn_to_the_top and game.outcomes.dealer_natural_against_21 == "ties":
            return _tied(game)
        return LOSS, 0
    if player.total == dealer.total:
        if game.outcomes.tie_at_21 == "wins" and player.total == game.count.over // 1 * 2:
            return win, 0
        return _tied(game)
    return (win if player.total > dealer.total else LOSS), 0


def _tied(game: GameRules) -> tuple[Fraction, int]:
    match game.outcomes.tie:
        case "push":
            return PUSH, 0
        case "wins":
            return parse_odds(game.outcomes.win_pays), 0
        case "loses":
            return LOSS, 0
        case "costs":
            return PUSH, -game.outcomes.tie_costs


def _busted(game: GameRules, dealer: FinalClass) -> Fraction:
    for hand in game.outcomes.special:
        if dealer.name == "-".join(hand.dealer):
            return PUSH if hand.result == "push" else parse_odds(game.outcomes.win_pays)
    pushes = dealer.kind is EndKind.BUST and game.outcomes.both_over == "push"
    return PUSH if pushes else LOSS


def _surrendered(game: GameRules, dealer: FinalClass) -> Fraction:
    rule = game.surrender
    # What was given up before the check is final, and so is what was where no check came.
    late = rule.when != "early"
    if dealer.is_natural and late and rule.unchecked_natural == "takes-all":
        return LOSS
    return -Fraction(rule.forfeits)


def _insurance(
    game: GameRules, players: tuple[FinalClass, ...], dealers: tuple[FinalClass, ...]
) -> Payoff:
    pays = parse_odds(game.insurance.pays)
    row = tuple(pays if dealer.is_natural else LOSS for dealer in dealers)
    return _flatless(INSURANCE, LooksAt.BOX, (row,) * len(players))


def _tie(
    game: GameRules,
    wager_id: str,
    wager: TieWager,
    players: tuple[FinalClass, ...],
    dealers: tuple[FinalClass, ...],
) -> Payoff:
    assert game.ties is not None
    given_up = PUSH if game.ties.surrendered == "push" else LOSS
    missed = {
        EndKind.BUST: PUSH if game.ties.over == "push" else LOSS,
        EndKind.SURRENDERED: given_up,
        EndKind.SURRENDERED_EARLY: given_up,
    }
    pays = parse_odds(wager.pays)
    ties = {name if name == "natural" else str(name) for name in wager.ties}

    def equal(player: FinalClass, dealer: FinalClass) -> bool:
        if player.kind is EndKind.CHARLIE:
            return dealer.kind is EndKind.TOTAL and player.total == dealer.total
        return player.name == dealer.name

    rows = tuple(
        tuple(
            pays if equal(player, dealer) and dealer.name in ties else missed.get(player.kind, LOSS)
            for dealer in dealers
        )
        for player in players
    )
    return _flatless(wager_id, LooksAt(game.ties.hands), rows)


def _flatless(wager: str, per: LooksAt, odds: Matrix) -> Payoff:
    return Payoff(wager, per, odds, odds, tuple((0,) * len(row) for row in odds))
