"""Double Exposure (`double-exposure`): rulebook/variants.md, clauses DX- on CV-."""

from fractions import Fraction

from . import common, house, variants
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    **variants.DEFAULTS,
    "decks": 8,  # DX-DECK
    "soft17": "hit",  # DX-17
    "natural": "1:1",  # DX-NAT
    "peek": "none",  # DX-UP: there is nothing to look at
    "double": "9-11",  # DX-DBL
    "double_after_split": True,
    "max_hands": 4,  # DX-SPLIT
    "split": "value",  # DX-TENS
    "both_natural": "win",  # DX-NN
    "doubled_ace": "flexible",  # Decided
}
VALUES: dict[str, tuple[object, ...]] = {
    "double": (*common.OPTION_VALUES["double"], "9-11-soft"),
    "both_natural": ("win", "push"),
    "doubled_ace": ("flexible", "one"),
    "insurance": (False,),  # DX-UP
    "surrender": ("none",),
}
CLAUSES = variants.clauses(
    "DX", double="DBL", split="SPLIT", split_aces="SPLIT", surrender="UP", insurance="UP"
)


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> HandFacts:
    """What the hand is (CV-1, CV-3); of a doubled hand the last card is the one of the double."""
    rules = rules_of(settings)
    count_low = doubled and common.text(rules, "doubled_ace") == "one"
    low = len(cards) - 1 if count_low else 0
    return variants.facts_with_low_aces(rules, cards, low, may_be_natural=not split)


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
    """None for each legal action, a reason for each other. A dealer's natural is not asked about.

    What may be done does not depend on the second card of the dealer, which lies open too.
    """
    rules = rules_of(settings)
    plain = dict(rules)
    if rules["double"] == "9-11-soft":
        plain["double"] = "any-two"
    answer = house.standard_legal(
        plain,
        cards,
        up,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
        clauses=CLAUSES,
    )
    if rules["double"] == "9-11-soft" and answer["double"] is None:
        total, soft = common.best_total(cards)
        if not (total in (9, 10, 11) or (soft and total in (19, 20))):
            answer["double"] = "doubling is for hard 9 to 11 and soft 19 and 20 (DX-DBL)"
    return answer


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """CV-2 with DX-17: a soft 17 as dealt is hit too."""
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split, doubled=doubled)
    return house.standard_player_class(rules_of(settings), cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    return house.standard_dealer_class(rules_of(settings), cards)


def undecided(
    settings: Settings, cards: Cards, *, split: bool = False, doubled: bool = False
) -> bool:
    """Whether the dealer's further cards matter; a dealer's natural was seen (DX-DN)."""
    hand = facts(settings, cards, split=split, doubled=doubled)
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
    """Net result in cents of the base wager of one hand."""
    rules = rules_of(settings)
    hand = facts(settings, cards, split=split, doubled=added > 0)
    house_hand = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended is not None:
        raise ValueError("nothing is given up in this game (DX-UP)")
    if hand.bust:
        return -whole
    if hand.natural and house_hand == "natural":
        if common.text(rules, "both_natural") == "push":
            return Fraction(0)  # DX-NN
        return whole * common.odds(common.text(rules, "natural"))
    if house_hand == "natural":
        return -whole  # DX-DN: nobody has doubled or split
    if hand.natural:
        return whole * common.odds(common.text(rules, "natural"))  # DX-NAT, CV-8
    if common.is_charlie(rules, cards):
        return whole
    if house_hand == "22":
        return Fraction(0)
    if house_hand == "bust" or hand.total > Fraction(house_hand):
        return whole
    return -whole  # DX-TIE


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
    """DX-UP: no insurance."""
    raise ValueError(f"double-exposure has no wager {wager!r}")
