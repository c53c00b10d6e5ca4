"""Zappit Blackjack (`zappit`): public rules, clauses ZA-.

`traded` says that the hand's two cards came by an exchange.
"""

from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    "decks": 6,  # ZA-DECK
    "soft17": "hit",  # ZA-17
    "natural": "3:2",  # ZA-NAT
    "peek": "ace-or-ten",  # ZA-PEEK
    "late_natural_takes": "all",  # ZA-PEEK
    "double": "any-two",  # ZA-DBL
    "double_after_split": True,  # ZA-DBL
    "double_for_less": False,  # ZA-DBL
    "split": "value",  # ZA-SPLIT
    "max_hands": 3,  # ZA-SPLIT
    "resplit_aces": False,  # ZA-ACES
    "split_aces": "one-card",  # ZA-ACES
    "surrender": "none",  # ZA-SUR
    "surrender_after_split": False,  # ZA-SUR
    "insurance": True,  # ZA-INS
    "dealer_22": "push",  # ZA-22
    "charlie": 0,
    "penetration": "0.75",
    "positions": 7,
    "hand_of_21": "stands",  # ZA-HIT
    "exchanged": "15-17",  # ZA-ZAP
    "exchanged_natural": "21",  # ZA-MADE
}
VALUES: dict[str, tuple[object, ...]] = {
    "soft17": ("hit", "stand"),
    "surrender": ("none", "late"),
    "insurance": (True, False),
    "max_hands": (2, 3, 4),
    "exchanged": ("15-17", "15-18"),
    "exchanged_natural": ("21", "wins", "natural"),
}
CLAUSES: dict[str, str] = {
    "hand_of_21": "ZA-HIT",
    "natural": "ZA-NAT",
    "double": "ZA-DBL",
    "split": "ZA-SPLIT",
    "split_aces": "ZA-ACES",
    "surrender": "ZA-SUR",
    "insurance": "ZA-INS",
    "other": "",
}
MADE = "made-natural"


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def is_made(settings: Settings, cards: Cards, *, split: bool, traded: bool) -> bool:
    """ZA-MADE: an ace and a ten that a hand was exchanged for, which then win at once."""
    wins = common.text(rules_of(settings), "exchanged_natural") == "wins"
    return wins and traded and not split and len(cards) == 2 and common.is_ace_and_ten(cards)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """ZA-COUNT; ZA-NAT: ace and ten on a split hand are 21; ZA-MADE: as the reading has it."""
    rules = rules_of(settings)
    dealt = not traded or common.text(rules, "exchanged_natural") == "natural"
    return house.standard_facts(rules, cards, may_be_natural=dealt and not split)


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
    """None for each legal action, a reason for each other."""
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
    answer["replace"] = "the hand may not be exchanged (ZA-ZAP)"
    if phase != "turn" or len(cards) != 2 or hands > 1 or doubles or traded:
        return answer  # ZA-FIRST, ZA-ONCE
    total, soft = common.best_total(cards)
    most = 18 if common.text(rules, "exchanged") == "15-18" else 17
    if not soft and 15 <= total <= most:  # ZA-ZAP
        answer["replace"] = None
    return answer


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """ZA-17."""
    total, soft = common.best_total(cards)
    hits = common.text(rules_of(settings), "soft17") == "hit"
    return total < 17 or (soft and total == 17 and hits)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split, traded=traded)
    if hand.bust:
        return "bust"
    if hand.natural:
        return "natural"
    return MADE if is_made(settings, cards, split=split, traded=traded) else str(hand.total)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand; ZA-22: a class of its own."""
    if common.is_ace_and_ten(cards):
        return "natural"
    total, _ = common.best_total(cards)
    return "bust" if total > 22 else str(total)


def undecided(
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> bool:
    """Whether the dealer's further cards matter; a dealer's natural was found before."""
    return player_class(settings, cards, split=split, traded=traded) not in (
        "bust",
        "natural",
        MADE,
    )


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
    """ZA-NAT, ZA-MADE, ZA-22, ZA-PAY, ZA-SUR: net result in cents of the base wager of one hand."""
    whole = Fraction(stake + added)
    player = player_class(settings, cards, split=split, traded=traded)
    bank = dealer_class(settings, dealer)
    if ended == "surrender":
        return -whole if bank == "natural" else -whole / 2
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if player == "bust":
        return -whole
    if player == MADE:
        return whole
    if "natural" in (player, bank):
        if player == bank:
            return Fraction(0)
        pays = common.odds(common.text(rules_of(settings), "natural"))
        return whole * pays if player == "natural" else -whole
    if bank == "bust":
        return whole
    if bank == "22":
        return Fraction(0)
    mine, theirs = int(player), int(bank)
    return whole * ((mine > theirs) - (mine < theirs))


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
    """ZA-INS; per 1 staked."""
    if wager != "insurance" or not common.flag(rules_of(settings), "insurance"):
        raise ValueError(f"there is no wager {wager!r} at this table")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
