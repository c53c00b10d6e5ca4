"""Free Bet Blackjack (`free-bet`): rulebook/variants.md, clauses FB- on CV-.

A hand's money is told apart: `stake` and `added` are the player's own, `marker` is the house's.
"""

from fractions import Fraction

from . import common, house, variants
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    **variants.DEFAULTS,
    "decks": 6,  # FB-DECK
    "soft17": "hit",
    "natural": "3:2",  # FB-NAT
    "dealer_22": "push",  # FB-22
    "max_hands": 4,  # FB-SPLIT
    "resplit_aces": True,
    "split_aces": "one-card",
    "surrender": "none",  # FB-SUR
    "free_splits": "every",  # Decided; one operator splits free once
    "free_double_cards": "two",  # Decided; "any" is the trial of 2012
    "fours": "free",  # FB-FS; "own" is the trial of 2012, which barred free 4-4
}
VALUES: dict[str, tuple[object, ...]] = {
    "free_splits": ("every", "one"),
    "free_double_cards": ("two", "any"),
    "fours": ("free", "own"),
}
CLAUSES = variants.clauses("FB", double="OWN", split="SPLIT", split_aces="SPLIT", surrender="SUR")


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is (CV-1, CV-3)."""
    return house.standard_facts(rules_of(settings), cards, may_be_natural=not split)


def double_is_free(settings: Settings, cards: Cards) -> bool:
    """FB-FD: a two-card hard 9, 10 or 11; by the reading `free_double_cards` of any number."""
    any_number = common.text(rules_of(settings), "free_double_cards") == "any"
    total, soft = common.best_total(cards)
    return (len(cards) == 2 or any_number) and not soft and total in (9, 10, 11)


def split_is_free(settings: Settings, cards: Cards, hands: int) -> bool:
    """FB-FS: any pair but ten-values, by the reading `fours` not 4-4 either; where there is one
    free split, that of the only hand.
    """
    rules = rules_of(settings)
    if common.text(rules, "free_splits") == "one" and hands > 1:
        return False
    if common.rank(cards[0]) == "4":
        return common.text(rules, "fours") == "free"
    return not common.is_ten_value(cards[0])


def legal(
    settings: Settings,
    cards: Cards,
    up: str,
    *,
    hands: int = 1,
    split_from: str | None = None,
    doubles: int = 0,
    phase: str = "turn",
) -> Legal:
    """None for each legal action; whose money a double or a split takes is another question."""
    rules = rules_of(settings)
    answer = house.standard_legal(
        rules,
        cards,
        up,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
        clauses=CLAUSES,
    )
    is_split = split_from is not None or hands > 1
    may_double = not is_split or common.flag(rules, "double_after_split")
    if answer["hit"] is None and may_double and double_is_free(settings, cards):
        answer["double"] = None  # more cards than a player's own double may have
    return answer


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """CV-2 with FB-DECK."""
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split)
    return house.standard_player_class(rules_of(settings), cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand; "22" is a class of its own (FB-22)."""
    return house.standard_dealer_class(rules_of(settings), cards)


def undecided(
    settings: Settings, cards: Cards, *, split: bool = False, doubled: bool = False
) -> bool:
    """Whether the dealer's further cards matter; a dealer's natural was found before."""
    hand = facts(settings, cards, split=split)
    return not hand.bust and not hand.natural


def settle_base(
    settings: Settings,
    *,
    cards: Cards,
    dealer: Cards,
    stake: int,
    added: int = 0,
    split: bool = False,
    traded: bool = False,
    ended: str | None = None,
    last_double: int = 0,
    first_hand: bool = True,
    marker: int = 0,
) -> Fraction:
    """Net result in cents of one hand: `stake` is 0 on a hand that a free split made."""
    rules = rules_of(settings)
    hand = facts(settings, cards, split=split)
    house_hand = dealer_class(settings, dealer)
    lost = Fraction(-(stake + added))
    won = Fraction(stake + added + marker)  # FB-FD, FB-FS
    if ended == "early-surrender":
        return Fraction(-stake, 2)
    if ended == "surrender":
        if house_hand == "natural" and common.text(rules, "surrender") != "early":
            return lost
        return Fraction(-stake, 2)
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if hand.bust:
        return lost
    if house_hand == "natural":
        return Fraction(0) if hand.natural else lost  # FB-NAT, CV-4
    if hand.natural:
        return stake * common.odds(common.text(rules, "natural"))  # FB-NAT
    if common.is_charlie(rules, cards):
        return won
    if house_hand == "22":
        return Fraction(0)  # FB-22
    if house_hand == "bust" or hand.total > Fraction(house_hand):
        return won
    if hand.total < Fraction(house_hand):
        return lost
    return Fraction(0)


def settle_side(
    settings: Settings,
    wager: str,
    *,
    cards: Cards,
    dealer: Cards,
    community: Cards = (),
    split: bool = False,
    ended: str | None = None,
) -> Fraction:
    """Insurance, if the house offers it; per 1 staked."""
    if wager != "insurance" or not common.flag(rules_of(settings), "insurance"):
        raise ValueError(f"free-bet has no wager {wager!r}")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
