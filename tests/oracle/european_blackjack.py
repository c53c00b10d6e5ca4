"""European blackjack without a hole card (`european-blackjack`): variants.md, EU- on CV-."""

from fractions import Fraction

from . import common, house, variants
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    **variants.DEFAULTS,
    "decks": 6,  # EU-DECK
    "soft17": "stand",
    "natural": "3:2",  # EU-NAT
    "peek": "none",  # EU-NHC
    "late_natural_takes": "all",  # EU-ALL
    "double": "any-two",  # EU-DBL
    "double_after_split": True,
    "max_hands": 4,  # EU-SPLIT
    "resplit_aces": False,
    "split_aces": "one-card",
    "surrender": "none",  # EU-SUR
}
VALUES: dict[str, tuple[object, ...]] = {"surrender": ("none",)}
CLAUSES = variants.clauses("EU", double="DBL", split="SPLIT", split_aces="SPLIT", surrender="SUR")


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is (CV-1, CV-3)."""
    return house.standard_facts(rules_of(settings), cards, may_be_natural=not split)


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
    """None for each legal action, a reason for each other."""
    return house.standard_legal(
        rules_of(settings),
        cards,
        up,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
        clauses=CLAUSES,
    )


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """CV-2; the dealer begins with one card (EU-NHC)."""
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split)
    return house.standard_player_class(rules_of(settings), cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    return house.standard_dealer_class(rules_of(settings), cards)


def undecided(
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    doubled: bool = False,
    dealer: Cards = (),
) -> bool:
    """Whether the dealer's cards matter; to a natural only as long as the dealer may have one."""
    hand = facts(settings, cards, split=split)
    if hand.natural:
        return len(dealer) < 2 and not (
            len(dealer) == 1 and not common.is_ace(dealer[0]) and not common.is_ten_value(dealer[0])
        )
    return not hand.bust


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
    hand = facts(settings, cards, split=split)
    house_hand = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended is not None:
        raise ValueError("nothing is given up in this game (EU-SUR)")
    if hand.bust:
        return -whole  # Decided: lost before the dealer draws
    if house_hand == "natural":
        if hand.natural:
            return Fraction(0)  # EU-ALL
        if common.text(rules, "late_natural_takes") == "all":
            return -whole
        return Fraction(-stake)  # of every hand its own
    if hand.natural:
        return whole * common.odds(common.text(rules, "natural"))  # EU-NAT
    if common.is_charlie(rules, cards):
        return whole
    if house_hand == "22":
        return Fraction(0)
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
        raise ValueError(f"european-blackjack has no wager {wager!r}")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
