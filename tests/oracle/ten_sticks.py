"""Ten Sticks 21 (`ten-sticks-21`): rulebook/ten-sticks-21.md.

The wagers are those of the standard game; only a trade of the ten of clubs can change what a
hand is. Lights and prize are no wager and are not settled here.
"""

from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules, Settings

# house-blackjack.md, column "Deadwood"
DEFAULTS: dict[str, object] = {
    **house.DEFAULTS,
    "surrender_after_split": True,  # "late, also on a split hand (not on split aces)"
    "trade": True,  # TS-10
    "players_card": True,  # TS-11
    "prize": 5000,  # Decided: Prize
    "trade_on_double": "yes",
    "trade_again": "yes",
    "light_surplus": "carries",
    "traded_natural": "blackjack",
    "trade_time": "",
    "two_bonus_cards": "each",
    "lights_owner": "",
}
VALUES: dict[str, tuple[object, ...]] = {
    # SR-24: what the chapter fixes is no option; at most three splits, and one hand is none.
    "double": ("any-two",),
    "double_after_split": (True,),
    "split": ("value",),
    "split_aces": ("one-card",),
    "max_hands": (2, 3, 4),
    "trade": (True, False),
    "players_card": (True, False),
    "trade_on_double": ("yes", "no"),
    "trade_again": ("yes", "no"),
    "light_surplus": ("carries", "lost"),
    "traded_natural": ("blackjack", "twenty-one"),
    "two_bonus_cards": ("each", "one"),
}
CLAUSES: dict[str, str] = {
    "hand_of_21": "Decided for every game",
    "natural": "",
    "double": "",
    "split": "",
    "split_aces": "",
    "surrender": "",
    "insurance": "",
    "other": "TS-4",
}


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is. TS-2: the ten of clubs counts as any ten-count card."""
    rules = rules_of(settings)
    may_be_natural = not split
    # Decided, "Trading is decided before naturals are read"; the reading says otherwise.
    if traded and common.text(rules, "traded_natural") == "twenty-one":
        may_be_natural = False
    return house.standard_facts(rules, cards, may_be_natural=may_be_natural)


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
    """The standard actions; every bonus card of the hand is already kept (TS-4)."""
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
    """TS-9: the dealer plays a bonus card as a ten."""
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand. TS-3: over 21 is lost as usual."""
    hand = facts(settings, cards, split=split, traded=traded)
    return house.standard_player_class(rules_of(settings), cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand (TS-9)."""
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
    """Net result in cents of the base wager of one hand, by the standard rules."""
    return house.standard_settle(
        rules_of(settings),
        player=player_class(settings, cards, split=split, traded=traded),
        player_total=facts(settings, cards, split=split, traded=traded).total,
        dealer=dealer_class(settings, dealer),
        stake=stake,
        added=added,
        ended=ended,
        first_hand=first_hand,
    )


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
    """Net result per 1 staked: insurance is the only side wager."""
    if wager != "insurance":
        raise ValueError(f"ten-sticks-21 has no wager {wager!r}")
    if not common.flag(rules_of(settings), "insurance"):
        raise ValueError("insurance is not offered")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
