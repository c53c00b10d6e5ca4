"""Pontoon, Australian style (`pontoon`): rulebook/variants.md, clauses PO- on CV-."""

from fractions import Fraction

from . import common, house, spanish_21, variants
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    **variants.DEFAULTS,
    "decks": 8,  # PO-DECK
    "soft17": "hit",
    "natural": "3:2",  # PO-21
    "peek": "none",  # PO-NHC
    "late_natural_takes": "original",  # PO-OBBO, from every hand its own
    "double": "any-count",  # PO-DBL
    "max_hands": 3,  # PO-SPLIT
    "resplit_aces": False,
    "split_aces": "one-card",
    "surrender": "none",  # PO-SUR
    "rescue": False,
    "bonus_after_split": True,  # PO-BON, as in Spanish 21
    "super_bonus": False,
}
VALUES: dict[str, tuple[object, ...]] = {
    "surrender": ("none", "late"),
    "rescue": (True, False),
    "bonus_after_split": (True, False),
    "super_bonus": (True, False),
    "hand_of_21": ("stands",),  # PO-21
}


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
    """What the hand is; of a doubled hand the last card is the one that the double brought."""
    variants.check_no_tens(cards, "PO-DECK")
    low = len(cards) - 1 if doubled else 0  # PO-DBL: aces already in the hand count 1
    return variants.facts_with_low_aces(rules_of(settings), cards, low, may_be_natural=not split)


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
    rules = rules_of(settings)
    variants.check_no_tens([up], "PO-DECK")
    is_split = split_from is not None or hands > 1
    hand = facts(settings, cards, split=is_split, doubled=doubles > 0)
    answer = variants.not_yet(
        rules,
        cards,
        up,
        hand,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
        surrender_clause="PO-SUR",
        insurance_clause="",
    )
    if answer is not None:
        return answer
    if hand.total == 21:
        return common.only_legal(("stand",), "21 has won (PO-21)")
    if doubles > 0:
        answer = common.only_legal(("stand",), "a hand is doubled once, for one card (PO-DBL)")
        if common.flag(rules, "rescue"):
            answer["rescue"] = None
        return answer
    if split_from == "A" and common.text(rules, "split_aces") == "one-card":
        return variants.one_card_on_an_ace(rules, cards, hands=hands, clause="PO-SPLIT")
    why_no_surrender = common.why_no_surrender(
        rules, cards, up, is_split=is_split, split_from=split_from, clause="PO-SUR"
    )
    if why_no_surrender is None and not common.is_ace(up) and not common.is_ten_value(up):
        why_no_surrender = "surrender is for an ace or a court card of the dealer (PO-SUR)"
    return {
        **variants.NOT_ASKED,
        "hit": None,
        "stand": None,
        "double": common.why_no_double(rules, cards, is_split=is_split, clause="PO-DBL"),
        "split": common.why_no_split(
            rules, cards, hands=hands, split_from=split_from, clause="PO-SPLIT"
        ),
        "surrender": why_no_surrender,
    }


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """CV-2; the dealer begins with one card (PO-NHC)."""
    variants.check_no_tens(cards, "PO-DECK")
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> str:
    """The final class of a player's hand; a 21 with what it is paid if that is a bonus."""
    rules = rules_of(settings)
    hand = facts(settings, cards, split=split, doubled=doubled)
    name = house.standard_player_class(rules, cards, hand)
    if name == "21":
        paid = spanish_21.odds_of_21(rules, cards, split=split, doubled=doubled)  # PO-BON
        return "21" if paid == "1:1" else f"21 paid {paid}"
    return name


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    variants.check_no_tens(cards, "PO-DECK")
    return house.standard_dealer_class(rules_of(settings), cards)


def undecided(
    settings: Settings, cards: Cards, *, split: bool = False, doubled: bool = False
) -> bool:
    """Whether the dealer's cards matter to a hand that was not given up (PO-21, CV-9)."""
    return facts(settings, cards, split=split, doubled=doubled).total < 21


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
    doubled = added > 0
    hand = facts(settings, cards, split=split, doubled=doubled)
    house_hand = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended == "rescue":
        return -(whole - last_double)  # PO-SUR: settled at once
    if ended == "surrender":
        if house_hand == "natural":
            return Fraction(-stake)  # PO-SUR: all lost to a natural
        return Fraction(-stake, 2)
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if hand.bust:
        return -whole  # also if the dealer then has a natural (PO-OBBO)
    if hand.natural:
        return whole * common.odds(common.text(rules, "natural"))  # PO-21
    if hand.total == 21:  # PO-21, PO-BON
        paid = common.odds(spanish_21.odds_of_21(rules, cards, split=split, doubled=doubled))
        bonus = 0
        if common.flag(rules, "super_bonus"):
            bonus = spanish_21.super_bonus(
                {"super_bonus": True},
                cards=cards,
                up=dealer[0],
                stake=stake,
                split=split,
                doubled=doubled,
            )
        return whole * paid + bonus
    if house_hand == "natural":
        if common.text(rules, "late_natural_takes") == "all":
            return -whole
        return Fraction(-stake)  # PO-OBBO: the hand's own original wager
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
        raise ValueError(f"pontoon has no wager {wager!r}")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
