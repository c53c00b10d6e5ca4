"""Blackjack Tie (`blackjack-tie`): rulebook/blackjack-tie.md."""

from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules, Settings

# BT-P4 and Decided: house rules by default
DEFAULTS: dict[str, object] = {
    **house.DEFAULTS,
    "bonus_limit": "box",  # SR-51
    "busted_bonus": "lose",
    "surrendered_bonus": "lose",
    "split_ten_ace": "21",
    "charlie_tie": "tie",  # SR-50
}
VALUES: dict[str, tuple[object, ...]] = {
    "bonus_limit": ("box", "player"),
    "busted_bonus": ("lose", "push"),
    "surrendered_bonus": ("lose", "push"),
    "split_ten_ace": ("21", "none"),
    "charlie_tie": ("tie", "none"),
}
CLAUSES: dict[str, str] = {
    "hand_of_21": "Decided for every game",
    "natural": "BT-8",
    "double": "BT-P4",
    "split": "BT-P4",
    "split_aces": "BT-P4",
    "surrender": "BT-P4",
    "insurance": "BT-P4",
    "other": "BT-P4",
}
# BT-4 and BT-PAY: the ties that win, and what they pay to 1
TIES_THAT_WIN: dict[str, tuple[str, ...]] = {
    "left-side": ("17", "18", "19"),
    "right-side": ("20", "21", "natural"),
    "tie-17": ("17",),
    "tie-18": ("18",),
    "tie-19": ("19",),
    "tie-20": ("20",),
    "tie-21": ("21",),
    "tie-blackjack": ("natural",),
}
PAYS: dict[str, int] = {
    "left-side": 18,
    "right-side": 24,
    "tie-17": 50,
    "tie-18": 55,
    "tie-19": 55,
    "tie-20": 25,
    "tie-21": 250,
    "tie-blackjack": 400,
}


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is. BT-8: blackjack is the first two cards only, never after a split."""
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
    """BT-P3, BT-P4: as in the house's blackjack."""
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
    """BT-P4: as in the house's blackjack."""
    return common.dealer_below_standing(rules_of(settings), cards)


def is_split_ten_and_ace(cards: Cards, *, split: bool) -> bool:
    """A split ten-value card (the first card) that received an ace."""
    if not split or len(cards) != 2:
        return False
    return common.is_ten_value(cards[0]) and common.is_ace(cards[1])


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    rules = rules_of(settings)
    # Decided: a two-card 21 after splitting tens is 21; the reading: it ties nothing.
    if common.text(rules, "split_ten_ace") == "none" and is_split_ten_and_ace(cards, split=split):
        return "split-ten-ace"
    hand = facts(settings, cards, split=split)
    return house.standard_player_class(rules, cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    return house.standard_dealer_class(rules_of(settings), cards)


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
    """Net result in cents of the primary wager of one hand (BT-1; a tie pushes, BT-2)."""
    return house.standard_settle(
        rules_of(settings),
        player=player_class(settings, cards, split=split),
        player_total=facts(settings, cards, split=split).total,
        dealer=dealer_class(settings, dealer),
        stake=stake,
        added=added,
        ended=ended,
        first_hand=first_hand,
    )


def charlie_may_tie(settings: Settings, total: Fraction, wager: str) -> bool:
    """SR-50: whether a hand that has won by its number of cards may still win a bonus wager."""
    if common.text(rules_of(settings), "charlie_tie") == "none":
        return False
    return str(total) in TIES_THAT_WIN.get(wager, ())


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
    """Net result per 1 staked of insurance or of a bonus wager on the first hand (BT-6, BT-7)."""
    rules = rules_of(settings)
    if wager == "insurance":
        if not common.flag(rules, "insurance"):
            raise ValueError("insurance is not offered")
        return common.insurance_result(dealer_class(settings, dealer) == "natural")
    if wager not in PAYS:
        raise ValueError(f"blackjack-tie has no wager {wager!r}")
    player = player_class(settings, cards, split=split)
    # Decided: a busted or surrendered first hand cannot tie.
    if ended in ("surrender", "early-surrender"):
        if common.text(rules, "surrendered_bonus") == "push":
            return Fraction(0)
        return Fraction(-1)
    if player == "bust":
        if common.text(rules, "busted_bonus") == "push":
            return Fraction(0)
        return Fraction(-1)
    # SR-50: a charlie ties by its total, whatever the primary wager does.
    if player == "charlie" and common.text(rules, "charlie_tie") == "tie":
        player = str(facts(settings, cards, split=split).total)
    # BT-2, BT-8: an exact tie; 21 does not tie blackjack.
    if player == dealer_class(settings, dealer) and player in TIES_THAT_WIN[wager]:
        return Fraction(PAYS[wager])
    # BT-3, BT-4: the others lose. Decided: a dealer's bust ties nobody.
    return Fraction(-1)
