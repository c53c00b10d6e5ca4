"""Down Under Blackjack (`down-under`): public rules, clauses DU-."""

from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    "decks": 6,  # DU-DECK
    "soft17": "hit",  # DU-17
    "natural": "3:2",  # DU-NAT
    "peek": "ace-or-ten",  # DU-PEEK
    "late_natural_takes": "all",  # DU-PEEK
    "double": "any-two",  # DU-DBL
    "double_after_split": True,  # DU-DBL
    "double_for_less": False,  # DU-DBL
    "split": "value",  # DU-SPLIT
    "max_hands": 4,  # DU-SPLIT
    "resplit_aces": False,  # DU-ACES
    "split_aces": "one-card",  # DU-ACES
    "surrender": "none",  # DU-SUR
    "surrender_after_split": False,  # DU-SUR
    "insurance": False,
    "dealer_22": "push",  # DU-22
    "charlie": 0,  # DU-PAY
    "penetration": "0.75",
    "positions": 7,
    "hand_of_21": "stands",  # DU-HIT
    "gold_hands": "high",  # DU-GOLD
}
VALUES: dict[str, tuple[object, ...]] = {
    "decks": (4, 5, 6),
    "soft17": ("hit",),
    "natural": ("3:2", "6:5"),
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
    "dealer_22": ("push",),
    "insurance": (False,),
    "gold_hands": ("high", "tens"),
    "charlie": (0,),
    "hand_of_21": ("stands",),
}
CLAUSES: dict[str, str] = {
    "hand_of_21": "DU-HIT",
    "natural": "DU-NAT",
    "double": "DU-DBL",
    "split": "DU-SPLIT",
    "split_aces": "DU-ACES",
    "surrender": "DU-SUR",
    "insurance": "",
    "other": "",
}


def rules_of(settings: Settings) -> Rules:
    """The complete rules; what the clauses fix cannot be set."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """DU-COUNT; DU-NAT: ace and ten on a split hand are 21."""
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
    """DU-17: draws to 16 and hits soft 17."""
    total, soft = common.best_total(cards)
    return total < 17 or (soft and total == 17)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand; DU-GOLD: two high cards as dealt are told apart."""
    hand = facts(settings, cards, split=split)
    if hand.bust:
        return "bust"
    if hand.natural:
        return "natural"
    if len(cards) == 2 and not split:
        if all(common.is_ten_value(card) for card in cards):
            return "two-tens"
        aces = all(card[0] == "A" for card in cards)
        if aces and common.text(rules_of(settings), "gold_hands") == "high":
            return "two-aces"
    return str(hand.total)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand; DU-22: a class of its own."""
    if common.is_ace_and_ten(cards):
        return "natural"
    total, _ = common.best_total(cards)
    return "bust" if total > 22 else str(total)


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
    """DU-NAT, DU-22, DU-GOLD, DU-PAY: net result in cents of the base wager of one hand."""
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    whole = Fraction(stake + added)
    player, bank = player_class(settings, cards, split=split), dealer_class(settings, dealer)
    if player == "bust":
        return -whole
    if "natural" in (player, bank):
        if player == bank:
            return Fraction(0)
        pays = common.odds(common.text(rules_of(settings), "natural"))
        return whole * pays if player == "natural" else -whole
    if bank == "bust":
        return whole
    if bank == "22":
        return whole if player in ("two-tens", "two-aces", "21") else Fraction(0)
    mine = {"two-tens": 20, "two-aces": 12}.get(player) or int(player)
    theirs = int(bank)
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
    """There is none: no insurance either."""
    raise ValueError(f"there is no wager {wager!r} at this table")
