"""Blackjack Switch (`blackjack-switch`): rulebook/variants.md, clauses SWI- on CV-.

`traded` says of a hand that its second card came to it by the switch.
"""

from fractions import Fraction

from . import common, house, variants
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    **variants.DEFAULTS,
    "decks": 6,  # SWI-DECK
    "soft17": "hit",
    "natural": "1:1",  # SWI-NAT
    "dealer_22": "push",  # SWI-22
    "max_hands": 4,  # SWI-PLAY, each box
    "switched_natural": "21",  # Decided
    "both_natural": "push",  # SWI-PEEK; "win" is "natural always wins" among the figures
}
VALUES: dict[str, tuple[object, ...]] = {
    "switched_natural": ("21", "natural"),
    "both_natural": ("push", "win"),
}
CLAUSES = variants.clauses("SWI", double="PLAY", split="PLAY", split_aces="PLAY", surrender="PLAY")


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def may_be_natural(rules: Rules, *, split: bool, traded: bool) -> bool:
    """SWI-NAT, SWI-S21: as dealt, or by the option after the switch; never after a split."""
    if split:
        return False
    return not traded or common.text(rules, "switched_natural") == "natural"


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is."""
    rules = rules_of(settings)
    return house.standard_facts(
        rules, cards, may_be_natural=may_be_natural(rules, split=split, traded=traded)
    )


def exchanged(first: Cards, second: Cards) -> tuple[list[str], list[str]]:
    """SWI-SW: the two boxes after an exchange of their second cards."""
    return [first[0], second[1]], [second[0], first[1]]


def legal(
    settings: Settings,
    cards: Cards,
    up: str,
    *,
    hands: int = 1,
    split_from: str | None = None,
    doubles: int = 0,
    phase: str = "turn",
    traded: bool = False,
) -> Legal:
    """None for each legal action of a hand; `hands` are those of its box."""
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
    asks = common.text(rules, "hand_of_21") == "asks"
    natural = facts(settings, cards, split=split_from is not None, traded=traded).natural
    plain_21 = traded and common.is_ace_and_ten(cards) and not natural and split_from is None
    if phase == "turn" and asks and plain_21 and doubles == 0:
        answer["hit"] = None
        answer["double"] = common.why_no_double(rules, cards, is_split=False, clause="SWI-PLAY")
    return answer


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """CV-2 with SWI-DECK."""
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split, traded=traded)
    return house.standard_player_class(rules_of(settings), cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand; "22" is a class of its own (SWI-22)."""
    return house.standard_dealer_class(rules_of(settings), cards)


def undecided(
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> bool:
    """Whether the dealer's further cards matter; a dealer's natural was found before."""
    hand = facts(settings, cards, split=split, traded=traded)
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
) -> Fraction:
    """Net result in cents of the wager of one hand."""
    rules = rules_of(settings)
    hand = facts(settings, cards, split=split, traded=traded)
    house_hand = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended is not None:
        raise ValueError("nothing is given up in this game (SWI-PLAY)")
    if hand.bust:
        return -whole
    always_wins = hand.natural and common.text(rules, "both_natural") == "win"
    if house_hand == "natural" and not always_wins:
        return Fraction(0) if hand.natural else -whole  # SWI-PEEK
    if hand.natural:
        return whole * common.odds(common.text(rules, "natural"))  # SWI-NAT
    if common.is_charlie(rules, cards):
        return whole
    if house_hand == "22":
        return Fraction(0)  # SWI-22
    return variants.by_total(hand.total, house_hand, whole)


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
        raise ValueError(f"blackjack-switch has no wager {wager!r}")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
