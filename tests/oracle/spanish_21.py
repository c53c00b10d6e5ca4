"""Spanish 21 (`spanish-21`): rulebook/variants.md, clauses SP- on the common ground CV-."""

from fractions import Fraction

from . import common, house, variants
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    **variants.DEFAULTS,
    "decks": 6,  # SP-DECK
    "soft17": "hit",  # SP-17
    "natural": "3:2",  # SP-NAT
    "double": "any-count",  # SP-DBL
    "max_hands": 4,  # SP-SPLIT
    "resplit_aces": True,
    "split_aces": "draw",
    "surrender": "late",  # SP-SUR
    "insurance": True,  # SP-INS
    "rescue": True,  # SP-RESCUE
    "redouble": False,  # SP-RD
    "bonus_after_split": True,  # Decided
    "super_bonus": False,  # SP-SB: not in the base figures
}
VALUES: dict[str, tuple[object, ...]] = {
    "rescue": (True, False),
    "redouble": (True, False),
    "bonus_after_split": (True, False),
    "super_bonus": (True, False),
    "hand_of_21": ("stands",),  # SP-21
}
MOST_DOUBLES = 3  # SP-RD
FIVE_DOLLARS, TWENTY_FIVE_DOLLARS = 500, 2500
ENVY = 5000  # SP-SB


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is (CV-1, CV-3)."""
    variants.check_no_tens(cards, "SP-DECK")
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
    rules = rules_of(settings)
    variants.check_no_tens([up], "SP-DECK")
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
        surrender_clause="SP-SUR",
        insurance_clause="SP-INS",
    )
    if answer is not None:
        return answer
    if hand.total == 21:
        return common.only_legal(("stand",), "21 has won (SP-21)")
    if doubles > 0:
        answer = common.only_legal(
            ("stand",), "a doubled hand may be rescued or doubled again at most (SP-RESCUE, SP-RD)"
        )
        if common.flag(rules, "rescue"):
            answer["rescue"] = None
        if common.flag(rules, "redouble") and doubles < MOST_DOUBLES:
            answer["redouble"] = None
        return answer
    if split_from == "A" and common.text(rules, "split_aces") == "one-card":
        return variants.one_card_on_an_ace(rules, cards, hands=hands, clause="SP-SPLIT")
    return {
        **variants.NOT_ASKED,
        "hit": None,
        "stand": None,
        "double": common.why_no_double(rules, cards, is_split=is_split, clause="SP-DBL"),
        "split": common.why_no_split(
            rules, cards, hands=hands, split_from=split_from, clause="SP-SPLIT"
        ),
        "surrender": common.why_no_surrender(
            rules,
            cards,
            up,
            is_split=is_split,
            split_from=split_from,
            clause="SP-SUR",
            aces_too=True,
        ),
    }


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """CV-2 with SP-17."""
    variants.check_no_tens(cards, "SP-DECK")
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
    hand = facts(settings, cards, split=split)
    name = house.standard_player_class(rules_of(settings), cards, hand)
    if name == "21":
        paid = odds_of_21(rules_of(settings), cards, split=split, doubled=doubled)
        return "21" if paid == "1:1" else f"21 paid {paid}"
    return name


def odds_of_21(rules: Rules, cards: Cards, *, split: bool, doubled: bool) -> str:
    """SP-B5, SP-B3, SP-BX: what a 21 that is no natural is paid."""
    if doubled:
        return "1:1"  # SP-BX
    if split and not common.flag(rules, "bonus_after_split"):
        return "1:1"
    return variants.bonus_of_21(cards)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    variants.check_no_tens(cards, "SP-DECK")
    return house.standard_dealer_class(rules_of(settings), cards)


def undecided(
    settings: Settings, cards: Cards, *, split: bool = False, doubled: bool = False
) -> bool:
    """Whether the dealer's further cards matter to a hand that was not given up (CV-9)."""
    return facts(settings, cards, split=split).total < 21  # SP-NAT, SP-21, CV-1


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
    """Net result in cents of the base wager of one hand, the Super Bonus with it."""
    rules = rules_of(settings)
    hand = facts(settings, cards, split=split)
    house_hand = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended == "rescue":
        return -(whole - last_double)  # SP-RESCUE
    if ended == "early-surrender":
        return Fraction(-stake, 2)
    if ended == "surrender":
        if house_hand == "natural" and common.text(rules, "surrender") != "early":
            return -whole  # cannot happen where the dealer looks first
        return Fraction(-stake, 2)  # SP-SUR
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if hand.bust:
        return -whole
    if hand.natural:
        return whole * common.odds(common.text(rules, "natural"))  # SP-NAT
    if hand.total == 21:  # SP-21
        paid = common.odds(odds_of_21(rules, cards, split=split, doubled=added > 0))
        bonus = super_bonus(
            settings, cards=cards, up=dealer[0], stake=stake, split=split, doubled=added > 0
        )
        return whole * paid + bonus
    if house_hand == "natural":
        return -whole  # SP-PEEK
    if common.is_charlie(rules, cards):
        return whole
    if house_hand == "22":
        return Fraction(0)
    return variants.by_total(hand.total, house_hand, whole)


def super_bonus(
    settings: Settings, *, cards: Cards, up: str, stake: int, split: bool, doubled: bool
) -> int:
    """SP-SB in cents, without the envy bonus of the others."""
    if not common.flag(rules_of(settings), "super_bonus"):
        return 0
    if split or doubled or len(cards) != 3:
        return 0
    sevens = [common.rank(card) for card in cards] == ["7", "7", "7"]
    one_suit = len({common.suit(card) for card in cards}) == 1
    if not sevens or not one_suit or common.rank(up) != "7":
        return 0
    if stake >= TWENTY_FIVE_DOLLARS:
        return 500_000
    if stake >= FIVE_DOLLARS:
        return 100_000
    return 0


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
    """SP-INS, per 1 staked."""
    if wager != "insurance" or not common.flag(rules_of(settings), "insurance"):
        raise ValueError(f"spanish-21 has no wager {wager!r}")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
