"""Super Fun 21 (`super-fun-21`): rulebook/variants.md, clauses SF- on the common ground CV-."""

from fractions import Fraction

from . import common, house, variants
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    **variants.DEFAULTS,
    "decks": 1,  # SF-DECK
    "soft17": "hit",
    "natural": "1:1",  # SF-NAT
    "double": "any-count",  # SF-DBL
    "max_hands": 4,  # SF-SPLIT
    "resplit_aces": True,
    "split_aces": "draw",
    "surrender": "late",  # SF-SUR
    "surrender_after_split": True,
    "bonus_after_split": True,  # Decided: SF-5 and SF-6 apply to split hands
}
VALUES: dict[str, tuple[object, ...]] = {
    "surrender": ("none", "late"),
    "bonus_after_split": (True, False),
}
DIAMONDS_PAY = "2:1"  # SF-NAT
AT_ONCE_PAY = {"SF-5": "2:1", "SF-6": "1:1"}


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is (CV-1, CV-3)."""
    return house.standard_facts(rules_of(settings), cards, may_be_natural=not split)


def won_at_once(settings: Settings, cards: Cards, *, split: bool, doubled: bool) -> str | None:
    """SF-5 or SF-6, if an undoubled hand of these cards is over; they are compulsory (Decided)."""
    hand = facts(settings, cards, split=split)
    if doubled or hand.bust:
        return None
    if split and not common.flag(rules_of(settings), "bonus_after_split"):
        return None
    if hand.total == 21 and len(cards) >= 5:
        return "SF-5"
    if hand.total <= 20 and len(cards) >= 6:
        return "SF-6"
    return None


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
    is_split = split_from is not None or hands > 1
    hand = facts(settings, cards, split=is_split)
    answer = variants.not_yet(
        rules,
        cards,
        up,
        hand,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
        surrender_clause="SF-SUR",
        insurance_clause="",
    )
    if answer is not None:
        return answer
    over = won_at_once(settings, cards, split=is_split, doubled=doubles > 0)
    if over is not None:
        return common.only_legal(("stand",), f"the hand has won ({over})")
    if doubles == 0 and split_from == "A" and common.text(rules, "split_aces") == "one-card":
        return variants.one_card_on_an_ace(rules, cards, hands=hands, clause="SF-SPLIT")
    asks = common.text(rules, "hand_of_21") == "asks" and doubles == 0
    if hand.total == 21 and not asks:
        return common.only_legal(("stand",), "a hand of 21 stands (CV-5)")
    why_no_surrender: str | None = None  # SF-SUR: at any time
    if common.text(rules, "surrender") == "none":
        why_no_surrender = "surrender is not offered (SF-SUR)"
    if is_split and not common.flag(rules, "surrender_after_split"):
        why_no_surrender = "split hands are not surrendered"
    if doubles > 0:
        answer = common.only_legal(("stand",), "a hand is doubled once (SF-DBL)")
        answer["surrender"] = why_no_surrender
        return answer
    return {
        **variants.NOT_ASKED,
        "hit": None,
        "stand": None,
        "double": common.why_no_double(rules, cards, is_split=is_split, clause="SF-DBL"),
        "split": common.why_no_split(
            rules, cards, hands=hands, split_from=split_from, clause="SF-SPLIT"
        ),
        "surrender": why_no_surrender,
    }


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """CV-2 with SF-DECK."""
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> str:
    """The final class of a player's hand, with what SF-NAT, SF-5 or SF-6 pays it, if one does."""
    hand = facts(settings, cards, split=split)
    if hand.natural and all_diamonds(cards):
        return f"natural paid {DIAMONDS_PAY}"
    over = won_at_once(settings, cards, split=split, doubled=doubled)
    if over is not None:
        return f"{hand.total} paid {AT_ONCE_PAY[over]}"
    return house.standard_player_class(rules_of(settings), cards, hand)


def all_diamonds(cards: Cards) -> bool:
    """Whether every card is a diamond."""
    return all(common.suit(card) == "d" for card in cards)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    return house.standard_dealer_class(rules_of(settings), cards)


def undecided(
    settings: Settings, cards: Cards, *, split: bool = False, doubled: bool = False
) -> bool:
    """Whether the dealer's further cards matter to a hand that was not given up (CV-9)."""
    hand = facts(settings, cards, split=split)
    if hand.bust or hand.natural:
        return False
    return won_at_once(settings, cards, split=split, doubled=doubled) is None


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
    if ended == "surrender":
        if house_hand == "natural":
            return -whole  # cannot happen: the dealer looks first (SF-SUR)
        return -whole / 2  # half of the current wager
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if hand.bust:
        return -whole
    if hand.natural:  # SF-NAT
        if all_diamonds(cards):
            return whole * common.odds(DIAMONDS_PAY)
        return whole * common.odds(common.text(rules, "natural"))
    if house_hand == "natural":
        return -whole  # CV-4
    over = won_at_once(settings, cards, split=split, doubled=added > 0)
    if over is not None:
        return whole * common.odds(AT_ONCE_PAY[over])
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
        raise ValueError(f"super-fun-21 has no wager {wager!r}")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
