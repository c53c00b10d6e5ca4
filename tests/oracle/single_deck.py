"""Single-deck blackjack at 6 to 5 (`single-deck-6-5`): public rules, clauses SD-."""

from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    "decks": 1,  # SD-DECK
    "soft17": "hit",  # SD-17
    "natural": "6:5",  # SD-NAT
    "peek": "ace-or-ten",  # SD-PEEK
    "late_natural_takes": "all",  # SD-PEEK
    "double": "any-two",  # SD-DBL
    "double_after_split": False,  # SD-DBL
    "double_for_less": False,  # SD-DBL
    "split": "value",  # SD-SPLIT
    "max_hands": 4,  # SD-SPLIT
    "resplit_aces": False,  # SD-ACES
    "split_aces": "one-card",  # SD-ACES
    "surrender": "none",  # SD-SUR
    "surrender_after_split": False,  # SD-SUR
    "insurance": True,  # SD-INS
    "dealer_22": "bust",  # SD-PAY
    "charlie": 0,  # SD-PAY
    "penetration": "0.6",
    "positions": 6,
    "hand_of_21": "stands",  # SD-HIT
}
VALUES: dict[str, tuple[object, ...]] = {
    "decks": (1,),
    "soft17": ("hit",),
    "natural": ("6:5",),
    "peek": ("ace-or-ten",),
    "late_natural_takes": ("all",),
    "double": ("any-two", "9-11", "10-11"),
    "double_after_split": (False,),
    "split": ("value",),
    "max_hands": (2, 3, 4),
    "double_for_less": (False,),
    "resplit_aces": (False,),
    "split_aces": ("one-card",),
    "surrender": ("none",),
    "surrender_after_split": (False,),
    "dealer_22": ("bust",),
    "charlie": (0,),
    "hand_of_21": ("stands",),
}
CLAUSES: dict[str, str] = {
    "hand_of_21": "SD-HIT",
    "natural": "SD-NAT",
    "double": "SD-DBL",
    "split": "SD-SPLIT",
    "split_aces": "SD-ACES",
    "surrender": "SD-SUR",
    "insurance": "SD-INS",
    "other": "",
}


def rules_of(settings: Settings) -> Rules:
    """The complete rules; what the clauses fix cannot be set."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """SD-COUNT; SD-NAT: ace and ten on a split hand are 21."""
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
    """SD-17: draws to 16 and on soft 17."""
    total, soft = common.best_total(cards)
    return total < 17 or (soft and total == 17)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split)
    if hand.bust:
        return "bust"
    return "natural" if hand.natural else str(hand.total)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    if common.is_ace_and_ten(cards):
        return "natural"
    total, _ = common.best_total(cards)
    return "bust" if total > 21 else str(total)


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
    """SD-NAT, SD-PAY: net result in cents of the base wager of one hand."""
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    whole = Fraction(stake + added)
    player, bank = player_class(settings, cards, split=split), dealer_class(settings, dealer)
    if player == "bust":
        return -whole
    if "natural" in (player, bank):
        if player == bank:
            return Fraction(0)
        return whole * Fraction(6, 5) if player == "natural" else -whole
    if bank == "bust":
        return whole
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
    """SD-INS: insurance is the only side wager."""
    if wager != "insurance" or not common.flag(rules_of(settings), "insurance"):
        raise ValueError(f"there is no wager {wager!r} at this table")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
