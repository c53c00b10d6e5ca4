"""Bonuses of the main wager: which hands get one, and what their suits and doubles make of it.

The hand automaton tells cards apart by rank only. A hand that is named by its ranks ends as one
class of the automaton, and `BonusTable.refined` says which class the suits of its cards make of
it: all pay as they are, and none is told apart before the hand has ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.cards import SUITS, Card
from upcard.compile.alphabet import Alphabet
from upcard.compile.arrays import frozen
from upcard.compile.ends import NO_BONUS, EndKind, FinalClass
from upcard.money import format_odds, parse_odds
from upcard.rules.bonuses import BonusHand, BonusRules, span_of, suits_fit
from upcard.rules.schema import GameRules

SUIT_SETS = 1 << len(SUITS)
"""Sets of suits, as a bit for each."""


class BonusRows(NamedTuple):
    """The rows that the ranks of a hand fit: with suits in their order, then one without, if any.

    `ordinary` is what the hand ends as without a bonus.
    """

    rows: tuple[int, ...]
    ordinary: str


class PaidHand(NamedTuple):
    """A row of bonuses: what it pays, and `plain`, what an ordinary win of such a hand pays."""

    name: str
    pays: Fraction
    printed: str
    plain: Fraction


def suit_bit(card: Card) -> int:
    """The bit of a card's suit in a set of suits."""
    return 1 << SUITS.index(card.suit)


def most_counted(rules: BonusRules | None) -> int:
    """The number of cards up to which bonuses tell hands apart."""
    found = 0
    for row in rules.rows if rules else ():
        if row.cards is not None:
            low, high = span_of(row.cards)
            found = max(found, low if high == float("inf") else int(high) + 1)
    return found


def class_names(rules: BonusRules, found: Sequence[BonusRows]) -> dict[BonusRows, str]:
    """A name for every class of hands, each its own."""
    names: dict[BonusRows, str] = {}
    for one in dict.fromkeys(found):
        names[one] = _name(rules, one, one.rows, found)
    return names


def _name(
    rules: BonusRules, one: BonusRows, rows: tuple[int, ...], found: Sequence[BonusRows]
) -> str:
    """The name of the first row that asks for no suits, or of the hand without a bonus.

    What it totals is said too where hands of several totals get that bonus.
    """
    plain = [row for row in rows if rules.rows[row].suits is None]
    if not plain:
        if not rows or one.ordinary == EndKind.NATURAL:
            return one.ordinary
        ranks = rules.rows[rows[0]].ranks or ()
        return f"{one.ordinary}, {'-'.join(ranks)}"
    alike = {other.ordinary for other in found if plain[0] in other.rows}
    named = {other.rows for other in found if plain[0] in other.rows}
    name = rules.rows[plain[0]].name
    if len(named) > 1 and len(rows) > 1:
        name = f"{name}, {'-'.join(rules.rows[rows[0]].ranks or ())}"
    return name if len(alike) == 1 else f"{name} ({one.ordinary})"


@dataclass(frozen=True)
class BonusTable:
    """What suits and doubles make of a final class.

    `doubled[class]` is the class of a hand that was doubled, and then `refined[class, suits]` that
    of one with these suits. `shares[class, refined class]` is how often suits make which of it, in
    a full shoe, and `endless_shares` in one without end. `names[class]` is the bonus, if any;
    `suited[class]` are the ranks of the hands that suits tell apart. `rows` are all bonuses.
    """

    refined: npt.NDArray[np.int16]
    doubled: npt.NDArray[np.int16]
    shares: npt.NDArray[np.float64]
    endless_shares: npt.NDArray[np.float64]
    names: tuple[str, ...]
    suited: Mapping[int, tuple[str, ...]]
    rows: tuple[PaidHand, ...]

    def final(self, found: int, suits: int, doubles: int) -> int:
        """The class of a hand that ends as one by its ranks."""
        return int(self.refined[self.doubled[found] if doubles else found, suits])

    @cached_property
    def depends_on_suits(self) -> bool:
        """Whether suits make a difference to any hand."""
        return bool((self.refined != np.arange(len(self.refined))[:, None]).any())

    def mix(self, most_doubles: int, *, endless: bool) -> npt.NDArray[np.float64]:
        """`[doubles, class, final class]`: how often a hand that ends as a class by its ranks is
        which one in the end.
        """
        shares = self.endless_shares if endless else self.shares
        return np.stack([shares, *(shares[self.doubled],) * (most_doubles - 1)])


class BonusBuilder:
    """Makes the final classes of a game with bonuses, and what suits and doubles make of them."""

    def __init__(self, game: GameRules, alphabet: Alphabet) -> None:
        assert game.bonuses is not None
        self.game = game
        self.rules = game.bonuses
        self.alphabet = alphabet

    def classes(
        self, own: Sequence[FinalClass], found: Sequence[BonusRows]
    ) -> Iterator[FinalClass]:
        """Further classes: those of suits, and what doubled hands end as."""
        names = {one.name for one in own}
        for one, ends in zip(found, own, strict=True):
            for row in one.rows:
                suited = self._suited(one, row, ends, found)
                if suited.name not in names:
                    names.add(suited.name)
                    yield suited
            if one.rows and one.ordinary not in names:
                names.add(one.ordinary)
                yield FinalClass(one.ordinary, EndKind.TOTAL, ends.total)

    def _suited(
        self, one: BonusRows, row: int, ends: FinalClass, found: Sequence[BonusRows]
    ) -> FinalClass:
        """The class of a hand that is paid by a row."""
        hand = self.rules.rows[row]
        if hand.suits is None:
            return ends
        alike = {other.ordinary for other in found if row in other.rows}
        name = hand.name if len(alike) == 1 else f"{hand.name} ({one.ordinary})"
        kind = EndKind.NATURAL if hand.natural else EndKind.BONUS
        return FinalClass(name, kind, ends.total, row)

    def table(self, classes: Sequence[FinalClass], found: Sequence[BonusRows]) -> BonusTable:
        """`classes` are all of the game, those of the hand automaton first."""
        number = {one.name: place for place, one in enumerate(classes)}
        same = np.arange(len(classes), dtype=np.int16)
        refined = np.repeat(same[:, None], SUIT_SETS, axis=1)
        doubled = same.copy()
        shares, endless = np.eye(len(classes)), np.eye(len(classes))
        by_ranks: dict[int, tuple[str, ...]] = {}
        for place, one in enumerate(found):
            if not one.rows:
                continue
            if not self.rules.after_double:
                doubled[place] = number[one.ordinary]
            suited = [row for row in one.rows if self.rules.rows[row].suits is not None]
            if not suited:
                continue
            ends = {
                row: number[self._suited(one, row, classes[place], found).name] for row in suited
            }
            for suits in range(1, SUIT_SETS):
                held = frozenset(s for bit, s in enumerate(SUITS) if suits >> bit & 1)
                for row in suited:
                    if suits_fit(self.rules.rows[row].suits, held):
                        refined[place, suits] = ends[row]
                        break
            hand = self.rules.rows[suited[0]]
            by_ranks[place] = self._ranks(hand)
            for into, decks in ((shares, self.alphabet.decks), (endless, 0)):
                into[place] = 0
                for suits, share in self._suit_chances(hand, decks).items():
                    into[place, refined[place, suits]] += float(share)
        return BonusTable(
            refined=frozen(refined),
            doubled=frozen(doubled),
            shares=frozen(shares),
            endless_shares=frozen(endless),
            names=tuple("" if c.row == NO_BONUS else self.rules.rows[c.row].name for c in classes),
            suited=by_ranks,
            rows=tuple(self._paid(row) for row in self.rules.rows),
        )

    def _paid(self, hand: BonusHand) -> PaidHand:
        pays = parse_odds(hand.pays)
        plain = self.game.natural.pays if hand.natural else self.game.outcomes.win_pays
        return PaidHand(hand.name, pays, format_odds(pays), parse_odds(plain))

    def _ranks(self, hand: BonusHand) -> tuple[str, ...]:
        """The ranks of a hand that goes by suits; of a natural, those of any."""
        return tuple(sorted(hand.ranks or ("A", self.game.natural.with_[0])))

    def _suit_chances(self, hand: BonusHand, decks: int) -> dict[int, Fraction]:
        """How often a hand of such ranks has which suits, from so many decks, 0 without end.

        Cards of other ranks say nothing of them: of the cards of a rank each is as likely as the
        others to come first.
        """
        found: dict[int, Fraction] = {}
        for suits, chance in suits_of(self._ranks(hand), decks):
            mask = int(np.bitwise_or.reduce([1 << suit for suit in suits]))
            found[mask] = found.get(mask, Fraction(0)) + chance
        return found


def suits_of(ranks: Sequence[str], decks: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every way in which cards of these ranks have suits, and its chance, from so many full decks;
    with 0 decks from a shoe without end.

    >>> sum(chance for suits, chance in suits_of("77", 6) if suits[0] == suits[1])
    Fraction(5, 23)
    """
    for suits in product(range(len(SUITS)), repeat=len(ranks)):
        chance = Fraction(1)
        for place, (rank, suit) in enumerate(zip(ranks, suits, strict=True)):
            seen = [s for r, s in zip(ranks[:place], suits, strict=False) if r == rank]
            chance *= suit_chance(suit, seen, decks)
        if chance:
            yield suits, chance


def suit_chance(suit: int, seen: Sequence[int], decks: int) -> Fraction:
    """The chance that a card is of a suit, those of its rank that were seen being of these."""
    if not decks:
        return Fraction(1, len(SUITS))
    return Fraction(max(decks - seen.count(suit), 0), decks * len(SUITS) - len(seen))
