"""Payoffs: for each wager on hands a matrix over final classes, in fractions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from upcard.cards import RANKS
from upcard.compile.alphabet import Alphabet
from upcard.compile.bonuses import BonusBuilder
from upcard.compile.card_rows import pay_row
from upcard.compile.dealer import DealerAutomaton
from upcard.compile.ends import DEALT_ALIKE, NO_BONUS, EndKind, FinalClass
from upcard.compile.hands import CHARLIE, HandAutomaton, points, total_name
from upcard.compile.pay_rows import NO_ROW, PayRow
from upcard.money import BASE, INSURANCE, parse_odds
from upcard.rules.card_wagers import CardWager
from upcard.rules.final_hands import FinalHand, cards_told_apart, final_wagers, fits_both
from upcard.rules.fitting import deck_size
from upcard.rules.schema import GameRules
from upcard.rules.wagers import TieWager

Matrix = tuple[tuple[Fraction, ...], ...]

LOSS = Fraction(-1)
PUSH = Fraction(0)
_RESULTS = {"push": PUSH, "loses": LOSS}
"""What two naturals come to where the player's is not paid."""


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
    With `each_begins`, `odds` is for what every hand began with, and not the first alone.
    `doubled` is what doubled hands win, where that is something else, and `wins_under[up]` what a
    wager on the dealer's hand alone wins, where that goes by the up card. A wager with a pay table
    has its `rows`, and in `row_of` the one that is paid, by both classes.
    """

    wager: str
    per: LooksAt
    odds: Matrix
    added: Matrix
    flat: tuple[tuple[int, ...], ...]
    each_begins: bool = False
    doubled: Payoff | None = None
    wins_under: tuple[Fraction, ...] = ()
    rows: tuple[PayRow, ...] = ()
    row_of: tuple[tuple[int, ...], ...] = ()

    def event(self, player_class: int, dealer_class: int) -> str:
        """The row of the pay table that is paid, "" if none is or there is no pay table."""
        row = self.row_of[player_class][dealer_class] if self.rows else NO_ROW
        return self.rows[row].event if row != NO_ROW else ""

    def won_under(self, up: int) -> Fraction:
        """What a wager on the dealer's hand alone wins under an up card, if it does."""
        return self.wins_under[up] if self.wins_under else max(self.odds[0])

    def marker(self, player_class: int, dealer_class: int) -> Fraction:
        """What one unit that the house staked wins: the same as money, which is all it can do."""
        return max(self.added[player_class][dealer_class], PUSH)

    def is_settled(self, player_class: int, dealer_classes: Iterable[int]) -> bool:
        """Whether a hand of this class fares alike against each of these dealer's classes."""
        rows = [self.odds[player_class], self.added[player_class], self.flat[player_class]]
        if self.doubled is not None:
            rows += [self.doubled.odds[player_class], self.doubled.added[player_class]]
        results = [tuple(row[dealer] for row in rows) for dealer in dealer_classes]
        return bool(results) and results.count(results[0]) == len(results)

    def rates(
        self, player_class: int, dealer_class: int, *, first: bool, doubles: int
    ) -> tuple[Fraction, Fraction]:
        """What a unit that a hand began with wins, and one that doubles have added to it.

        `first` is whether the hand is the first of its box.
        """
        of = self.doubled if doubles and self.doubled is not None else self
        added = of.added[player_class][dealer_class]
        begins = first or self.each_begins
        return (of.odds[player_class][dealer_class] if begins else added), added


def player_classes(
    game: GameRules, alphabet: Alphabet, hands: HandAutomaton
) -> tuple[FinalClass, ...]:
    """Final classes in the order of `HandAutomaton.class_names`, then those that suits or doubles
    make of them, then those of ended hands.
    """
    classes = []
    counted, _ = cards_told_apart(game)
    for number, called in enumerate(hands.class_names):
        rows, name = hands.bonus_rows[number]
        kind = EndKind(name) if name in set(EndKind) else EndKind.TOTAL
        counts = kind not in (EndKind.BUST, EndKind.CHARLIE)
        if name.startswith(f"{CHARLIE}-"):
            kind = EndKind.CHARLIE
        states = [s for s in range(len(hands)) if hands.player_class[s] == number]
        total = int(hands.total[states[0]]) if counts else 0
        cards = int(hands.cards[states[0]]) if kind is not EndKind.BUST else 0
        row = next((r for r in rows if _asks_no_suits(game, r)), NO_BONUS)
        if row != NO_BONUS and kind is not EndKind.NATURAL:
            kind = EndKind.BONUS
        classes.append(FinalClass(called, kind, total, row, min(cards, counted)))
    if game.bonuses is not None:
        classes += [*BonusBuilder(game, alphabet).classes(classes, hands.bonus_rows)]
    if game.surrender.when != "none":
        classes.append(FinalClass("surrendered", EndKind.SURRENDERED, 0))
    if game.surrender.when == "both":
        classes.append(FinalClass("surrendered-early", EndKind.SURRENDERED_EARLY, 0))
    if game.double.rescue:
        classes.append(FinalClass("rescued", EndKind.RESCUED, 0))
    return tuple(classes)


def _asks_no_suits(game: GameRules, row: int) -> bool:
    return game.bonuses is not None and game.bonuses.rows[row].suits is None


def build_payoffs(
    game: GameRules,
    alphabet: Alphabet,
    players: tuple[FinalClass, ...],
    dealer: DealerAutomaton,
) -> Mapping[str, Payoff]:
    payoffs = {BASE: _base(game, players, dealer.classes)}
    if game.insurance.offered:
        payoffs[INSURANCE] = _insurance(game, alphabet, players, dealer.classes)
    for wager_id, wager in game.wagers.items():
        if isinstance(wager, TieWager) and wager.offered:
            payoffs[wager_id] = _tie(game, wager_id, wager, players, dealer.classes)
    for wager_id, card_wager in final_wagers(game):
        payoffs[wager_id] = _final_hands(game, wager_id, card_wager, players, dealer.classes)
    return payoffs


def _base(
    game: GameRules, players: tuple[FinalClass, ...], dealers: tuple[FinalClass, ...]
) -> Payoff:
    doubled = None
    if "doubled" in game.dealer.paid_on_22 and game.dealer.on_22 == "push":
        doubled = _payoff(game, players, dealers, doubled=True)
    return replace(_payoff(game, players, dealers, doubled=False), doubled=doubled)


def _payoff(
    game: GameRules,
    players: tuple[FinalClass, ...],
    dealers: tuple[FinalClass, ...],
    *,
    doubled: bool,
) -> Payoff:
    cells = [
        [_base_cell(game, player, dealer, doubled=doubled) for dealer in dealers]
        for player in players
    ]
    return Payoff(
        wager=BASE,
        per=LooksAt.EACH_HAND,
        odds=(odds := tuple(tuple(odds for odds, _ in row) for row in cells)),
        added=_spared(game, players, dealers, odds),
        flat=tuple(tuple(flat for _, flat in row) for row in cells),
        each_begins=_each_begins(game),
    )


def _each_begins(game: GameRules) -> bool:
    """Whether a dealer's natural that comes late takes what every hand began with."""
    return game.dealer.late_natural_takes == "each-original"


def _spared(
    game: GameRules,
    players: tuple[FinalClass, ...],
    dealers: tuple[FinalClass, ...],
    odds: Matrix,
) -> Matrix:
    """What is put up in the middle of a round wins: a natural that comes late may give it back."""
    return tuple(
        tuple(
            PUSH if dealer.is_natural and one < 0 and _spares(game, player) else one
            for dealer, one in zip(dealers, row, strict=True)
        )
        for player, row in zip(players, odds, strict=True)
    )


def _spares(game: GameRules, player: FinalClass) -> bool:
    """Whether a dealer's natural that comes late gives back what was added to such a hand."""
    lost_before = player.kind in (EndKind.BUST, EndKind.RESCUED)
    match game.dealer.late_natural_takes:
        case "all":
            return False
        case "original":
            return True
        case "original-and-busted" | "each-original":
            return not lost_before


def _base_cell(
    game: GameRules, player: FinalClass, dealer: FinalClass, *, doubled: bool
) -> tuple[Fraction, int]:
    """Odds for one unit and a fixed amount."""
    win = parse_odds(game.outcomes.win_pays)
    if player.row != NO_BONUS:
        return _bonus(game, player, dealer, doubled=doubled)
    if dealer.kind is EndKind.PUSH and _pushed_by_22(game, player, doubled=doubled):
        return PUSH, 0
    match player.kind:
        case EndKind.SURRENDERED:
            return _surrendered(game, dealer), 0
        case EndKind.SURRENDERED_EARLY:
            return -Fraction(game.surrender.forfeits), 0
        case EndKind.RESCUED:
            return LOSS, 0
        case EndKind.CHARLIE:
            return win, 0
        case EndKind.MADE_NATURAL:
            return parse_odds(game.exchange.natural_pays), 0
        case EndKind.NATURAL:
            both = dealer.is_natural
            pays = game.natural.against_natural if both else game.natural.pays
            return _RESULTS[pays] if pays in _RESULTS else parse_odds(pays), 0
        case EndKind.BUST:
            return _busted(game, dealer), 0
    if dealer.kind is EndKind.BUST or dealer.total > 2 * game.count.over:
        return win, 0
    return _compared(game, player, dealer)


def _compared(game: GameRules, player: FinalClass, dealer: FinalClass) -> tuple[Fraction, int]:
    """A hand that stands against a dealer's that is not over."""
    win = parse_odds(game.outcomes.win_pays)
    if dealer.is_natural:
        return _against_natural(game, player)
    if player.total == dealer.total:
        if game.outcomes.tie_at_21 == "wins" and player.total == game.count.over // 1 * 2:
            return win, 0
        return _tied(game, player.total)
    return (win if player.total > dealer.total else LOSS), 0


def _against_natural(game: GameRules, player: FinalClass) -> tuple[Fraction, int]:
    """A hand that is none, against a dealer's natural."""
    drawn_to_the_top = player.total == game.count.over // 1 * 2
    against = game.outcomes.dealer_natural_against_21
    if not drawn_to_the_top or against == "wins":
        return LOSS, 0
    if against == "ties":
        return _tied(game, player.total)
    return parse_odds(game.outcomes.win_pays), 0


def _pushed_by_22(game: GameRules, player: FinalClass, *, doubled: bool) -> bool:
    """Whether a dealer's total just over pushes with a hand that it would else have paid."""
    paid = game.dealer.paid_on_22
    match player.kind:
        case EndKind.NATURAL:
            return "natural" not in paid
        case EndKind.CHARLIE:
            return "charlie" not in paid
        case EndKind.TOTAL | EndKind.SPLIT_TEN_ACE | EndKind.TWO_TENS | EndKind.TWO_ACES:
            best = player.total == game.count.over // 1 * 2
            alike = player.kind in DEALT_ALIKE
            return not ((best and "21" in paid) or (doubled and "doubled" in paid) or alike)
    return False


def _bonus(
    game: GameRules, player: FinalClass, dealer: FinalClass, *, doubled: bool
) -> tuple[Fraction, int]:
    """A hand with a bonus, which it gets in any case or only where it wins without."""
    assert game.bonuses is not None
    pays = parse_odds(game.bonuses.rows[player.row].pays)
    if game.bonuses.paid == "at-once":
        return pays, 0
    kind = EndKind.NATURAL if player.is_natural else EndKind.TOTAL
    plain = player._replace(kind=kind, row=NO_BONUS)
    odds, flat = _base_cell(game, plain, dealer, doubled=doubled)
    return (pays, flat) if odds > 0 else (odds, flat)


def _tied(game: GameRules, total: int) -> tuple[Fraction, int]:
    """What equal totals come to, in half points."""
    match game.outcomes.ties_at.get(total_name(total), game.outcomes.tie):
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
    game: GameRules,
    alphabet: Alphabet,
    players: tuple[FinalClass, ...],
    dealers: tuple[FinalClass, ...],
) -> Payoff:
    rule = game.insurance
    under = {str(rank): parse_odds(rule.pays) for rank in RANKS}
    under |= {str(rank): parse_odds(pays) for rank, pays in rule.pays_under.items()}
    wins = tuple(under[symbol.ranks[0]] for symbol in alphabet.symbols)
    pays = max((under[rank] for rank in rule.up), default=under["A"])
    row = tuple(pays if dealer.is_natural else LOSS for dealer in dealers)
    found = _flatless(INSURANCE, LooksAt.BOX, (row,) * len(players))
    return replace(found, wins_under=wins) if rule.pays_under else found


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
        if player.is_natural or dealer.is_natural:
            return player.is_natural and dealer.is_natural
        if player.kind is EndKind.CHARLIE and game.ties is not None and game.ties.charlie == "none":
            return False
        if player.kind not in (EndKind.TOTAL, EndKind.CHARLIE, EndKind.BONUS, *DEALT_ALIKE):
            return False
        return dealer.kind is EndKind.TOTAL and player.total == dealer.total

    def wins(dealer: FinalClass) -> bool:
        return (dealer.name if dealer.is_natural else total_name(dealer.total)) in ties

    rows = tuple(
        tuple(
            pays if equal(player, dealer) and wins(dealer) else missed.get(player.kind, LOSS)
            for dealer in dealers
        )
        for player in players
    )
    found = _flatless(wager_id, _TIE_HANDS[game.ties.hands], rows)
    if found.per is LooksAt.FIRST_HAND:
        return found
    return replace(
        found, added=_spared(game, players, dealers, rows), each_begins=_each_begins(game)
    )


_TIE_HANDS = {"first": LooksAt.FIRST_HAND, "each": LooksAt.EACH_HAND}


def _final_hands(
    game: GameRules,
    wager_id: str,
    wager: CardWager,
    players: tuple[FinalClass, ...],
    dealers: tuple[FinalClass, ...],
) -> Payoff:
    """A wager by rows on how the first hand and the dealer's have ended; hands given up lose."""
    rows = tuple(pay_row(row, wager.quoted, game.shoe.decks, deck_size(game)) for row in wager.rows)

    def row_of(player: FinalClass, dealer: FinalClass) -> int:
        if player.is_given_up:
            return NO_ROW
        own, other = _ended(game, player), _ended(game, dealer)
        fitting = [n for n, row in enumerate(wager.rows) if fits_both(row.when, own, other)]
        if wager.mode == "best-row":
            return max(fitting, key=lambda number: rows[number].odds, default=NO_ROW)
        return fitting[0] if fitting else NO_ROW

    found = tuple(tuple(row_of(player, dealer) for dealer in dealers) for player in players)
    odds = tuple(tuple(rows[n].odds if n != NO_ROW else LOSS for n in row) for row in found)
    payoff = _flatless(wager_id, LooksAt.FIRST_HAND, odds)
    return replace(payoff, rows=rows, row_of=found)


def _ended(game: GameRules, found: FinalClass) -> FinalHand:
    """A final class as conditions on final hands see it."""
    over = found.kind in (EndKind.BUST, EndKind.PUSH) or found.total > 2 * game.count.over
    if over and not found.is_natural:
        return FinalHand(0, 0, bust=True)
    return FinalHand(points(found.total), found.cards, found.is_natural)


def _flatless(wager: str, per: LooksAt, odds: Matrix) -> Payoff:
    return Payoff(wager, per, odds, odds, tuple((0,) * len(row) for row in odds))
