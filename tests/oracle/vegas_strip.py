"""Vegas Strip blackjack (`vegas-strip`): public rules, clauses VS-."""

from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    "decks": 4,  # VS-DECK
    "soft17": "stand",  # VS-17
    "natural": "3:2",  # VS-NAT
    "peek": "ace-or-ten",  # VS-PEEK
    "late_natural_takes": "all",  # VS-PEEK
    "double": "any-two",  # VS-DBL
    "double_after_split": True,  # VS-DBL
    "double_for_less": False,  # VS-DBL
    "split": "value",  # VS-SPLIT
    "max_hands": 4,  # VS-SPLIT
    "resplit_aces": False,  # VS-ACES
    "split_aces": "one-card",  # VS-ACES
    "surrender": "none",  # VS-SUR
    "surrender_after_split": False,  # VS-SUR
    "insurance": True,  # VS-INS
    "dealer_22": "bust",  # VS-PAY
    "charlie": 0,  # VS-PAY
    "penetration": "0.75",
    "positions": 7,
    "hand_of_21": "stands",  # VS-HIT
}
VALUES: dict[str, tuple[object, ...]] = {
    "decks": (4,),
    "soft17": ("stand",),
    "natural": ("3:2",),
    "peek": ("ace-or-ten",),
    "late_natural_takes": ("all",),
    "double": ("any-two",),
    "double_after_split": (True,),
    "split": ("value", "rank"),
    "max_hands": (4,),
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
    "hand_of_21": "VS-HIT",
    "natural": "VS-NAT",
    "double": "VS-DBL",
    "split": "VS-SPLIT",
    "split_aces": "VS-ACES",
    "surrender": "VS-SUR",
    "insurance": "VS-INS",
    "other": "",
}


def rules_of(settings: Settings) -> Rules:
    """The complete rules; what the clauses fix cannot be set."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """VS-COUNT; VS-NAT: ace and ten on a split hand are 21."""
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
    """VS-17: draws to 16 and stands on every 17."""
    total, _ = common.best_total(cards)
    return total < 17


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
    """VS-NAT, VS-PAY: net result in cents of the base wager of one hand."""
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    whole = Fraction(stake + added)
    player, bank = player_class(settings, cards, split=split), dealer_class(settings, dealer)
    if player == "bust":
        return -whole
    if "natural" in (player, bank):
        if player == bank:
            return Fraction(0)
        return whole * Fraction(3, 2) if player == "natural" else -whole
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
    """VS-INS: insurance is the only side wager."""
    if wager != "insurance" or not common.flag(rules_of(settings), "insurance"):
        raise ValueError(f"there is no wager {wager!r} at this table")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
