"""The common ground of the public variants: rulebook/variants.md, clauses CV-1 to CV-9."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules

# A hole card that is looked at (CV-4), any two cards doubled (CV-6), four hands (CV-7).
# Decided (all): no doubles for less. Insurance only where a clause offers it.
DEFAULTS: dict[str, object] = {
    **house.DEFAULTS,
    "soft17": "hit",
    "late_natural_takes": "all",  # CV-4: where the dealer looks, there is no late natural
    "double_for_less": False,
    "surrender": "none",
    "insurance": False,
}
NOT_ASKED: dict[str, str | None] = {
    "insure": "insurance is not being offered",
    "decline": "nothing is being offered",
    "redouble": "the hand has not been doubled, or the game has no second double",
    "rescue": "the hand has not been doubled, or the game has no rescue",
    "keep": "the game has no card to trade",
    "trade": "the game has no card to trade",
}


def clauses(prefix: str, **own: str) -> dict[str, str]:
    """The clauses that `house.standard_legal` names: the common ones, or the game's own."""
    named = {
        "hand_of_21": "CV-5",
        "natural": "CV-3",
        "double": "CV-6",
        "split": "CV-7",
        "split_aces": "CV-7",
        "surrender": "",
        "insurance": "",
        "other": "",
    }
    named.update({name: f"{prefix}-{clause}" for name, clause in own.items()})
    return named


def check_no_tens(cards: Iterable[str], clause: str) -> None:
    """A deck of 48 cards has no 10-spots."""
    for card in cards:
        if common.rank(card) == "T":
            raise ValueError(f"{card}: there are no tens in the deck ({clause})")


def facts_with_low_aces(rules: Rules, cards: Cards, low: int, *, may_be_natural: bool) -> HandFacts:
    """What a hand is in which aces among the first `low` cards count 1 for good (PO-DBL)."""
    before, after = list(cards[:low]), list(cards[low:])
    total = sum(common.hard_value(card) for card in cards)
    soft = any(common.is_ace(card) for card in after) and total + 10 <= 21
    if low == 0:
        soft = common.best_total(cards)[1]
    return HandFacts(
        total=Fraction(total + 10 if soft else total),
        soft=soft,
        natural=may_be_natural and common.is_ace_and_ten(cards) and before == [],
        bust=total > 21,
        pair=common.is_pair(rules, cards),
    )


def not_yet(
    rules: Rules,
    cards: Cards,
    up: str,
    hand: HandFacts,
    *,
    hands: int,
    split_from: str | None,
    doubles: int,
    phase: str,
    surrender_clause: str,
    insurance_clause: str,
) -> Legal | None:
    """The answer where a hand is not asked what to do in its turn; None where it is."""
    if phase not in common.PHASES:
        raise ValueError(f"unknown phase {phase!r}")
    if len(cards) < 2:
        return common.nothing_legal("the hand has fewer than two cards")
    if hand.bust:
        return common.nothing_legal("the hand is over 21 (CV-1)")
    if phase != "turn":
        return common.before_the_turn(
            rules,
            cards,
            up,
            hands=hands,
            split_from=split_from,
            doubles=doubles,
            natural=hand.natural,
            phase=phase,
            insurance_clause=insurance_clause,
            surrender_clause=surrender_clause,
        )
    if hand.natural:
        return common.only_legal(("stand",), "a natural stands (CV-3)")
    if common.is_charlie(rules, cards):
        return common.only_legal(("stand",), "the hand has won by its number of cards")
    return None


def one_card_on_an_ace(rules: Rules, cards: Cards, *, hands: int, clause: str) -> Legal:
    """A split ace that has got its card."""
    answer = common.only_legal(("stand",), f"split aces take one card each ({clause})")
    answer["split"] = common.why_no_split(rules, cards, hands=hands, split_from="A", clause=clause)
    return answer


def by_total(player: Fraction, dealer: str, whole: Fraction) -> Fraction:
    """CV-8: the higher total wins, equal totals push; `dealer` is a total or "bust"."""
    if dealer == "bust" or player > Fraction(dealer):
        return whole
    if player < Fraction(dealer):
        return -whole
    return Fraction(0)


# --- the bonuses of the games without tens (SP-B5, SP-B3, SP-BX) -------------------------------


def bonus_of_21(cards: Sequence[str]) -> str:
    """The odds at which an undoubled 21 is paid that is no natural."""
    if len(cards) >= 7:
        return "3:1"  # SP-B5
    if len(cards) == 6:
        return "2:1"
    if len(cards) == 5:
        return "3:2"
    ranks = sorted(common.rank(card) for card in cards)
    if ranks == ["6", "7", "8"] or ranks == ["7", "7", "7"]:  # SP-B3, in any order
        suits = {common.suit(card) for card in cards}
        if suits == {"s"}:
            return "3:1"
        if len(suits) == 1:
            return "2:1"
        return "3:2"
    return "1:1"
