"""Games of Chance blackjack (`games-of-chance-blackjack`): rulebook/games-of-chance.md."""

from fractions import Fraction

from . import common, house
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    "decks": 6,  # Decided: unspecified
    "soft17": "stand",  # GC-DEALER
    "natural": "3:2",  # GC-BJ
    "peek": "ace",  # GC-ACE
    "late_natural_takes": "all",  # Decided: GC-ACE
    "double": "any-two",  # Decided: unspecified
    "double_after_split": True,  # Decided: unspecified
    "double_for_less": True,  # GC-DOUBLE
    "split": "value",  # GC-SPLIT
    "max_hands": 4,  # Decided: unspecified
    "resplit_aces": False,  # Decided: unspecified
    "split_aces": "one-card",  # Decided: unspecified
    "surrender": "late",  # Decided: Surrender
    "surrender_after_split": False,
    "insurance": True,  # GC-INS
    "dealer_22": "bust",  # GC-PAY
    "charlie": 0,
    "penetration": "0.75",
    "positions": 7,
    "hand_of_21": "stands",
    "blackjack_bonus": "three-to-two",
    "tie_dollar": "hand",
    "drawn_21": "natural-wins",
    "unchecked_surrender": "natural-takes-all",
}
VALUES: dict[str, tuple[object, ...]] = {
    "blackjack_bonus": ("three-to-two", "half-the-bet"),
    "tie_dollar": ("hand", "player"),
    "drawn_21": ("natural-wins", "equal-sums"),
    "unchecked_surrender": ("natural-takes-all", "final"),
}
CLAUSES: dict[str, str] = {
    "hand_of_21": "Decided for every game",
    "natural": "GC-OBJ",
    "double": "GC-DOUBLE",
    "split": "GC-SPLIT",
    "split_aces": "GC-SPLIT",
    "surrender": "GC-SURR",
    "insurance": "GC-INS",
    "other": "",
}
ONE_DOLLAR = Fraction(100)


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is. GC-VAL; GC-SPLIT: ace with ten after a split is 21."""
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
    """GC-DEALER: hits below 17, otherwise stands."""
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


def natural_pays(rules: Rules) -> Fraction:
    """GC-BJ: a bonus of half the bet, 3 to 2 in all (reading: half the bet is all)."""
    if common.text(rules, "blackjack_bonus") == "half-the-bet":
        return Fraction(1, 2)
    return common.odds(common.text(rules, "natural"))


def is_equal_sum(settings: Settings, *, cards: Cards, dealer: Cards, split: bool) -> bool:
    """Whether the two hands are an equal sum for which the player loses a dollar (GC-TIE)."""
    rules = rules_of(settings)
    player = player_class(settings, cards, split=split)
    house_side = dealer_class(settings, dealer)
    if player in ("bust", "natural", "charlie"):
        return False
    if house_side == "natural":
        # Decided, "Blackjack against 21"; the reading: the sums are equal.
        return player == "21" and common.text(rules, "drawn_21") == "equal-sums"
    return player == house_side


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
    """Net result in cents of the base wager of one hand, looked at alone.

    The reading tie_dollar = "player" is about several hands together: see `settle_box`.
    """
    rules = rules_of(settings)
    player = player_class(settings, cards, split=split)
    house_side = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended == "early-surrender":
        return Fraction(-stake, 2)  # of two offers the first is final
    if ended == "surrender":
        if common.text(rules, "surrender") == "early":
            return Fraction(-stake, 2)  # Decided: early surrender is final at half
        if house_side == "natural":
            # Decided: unchecked, a late surrender stands only if no natural shows.
            if common.text(rules, "unchecked_surrender") == "final":
                return Fraction(-stake, 2)
            return common.lost_to_dealer_natural(rules, stake=stake, added=0, first_hand=first_hand)
        return Fraction(-stake, 2)  # GC-SURR
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if player == "charlie":
        return whole
    if house_side == "natural" and player == "natural":
        return Fraction(0)  # GC-BJ: both blackjack, push
    if is_equal_sum(settings, cards=cards, dealer=dealer, split=split):
        return -ONE_DOLLAR  # GC-TIE
    if house_side == "natural":
        return common.lost_to_dealer_natural(rules, stake=stake, added=added, first_hand=first_hand)
    if player == "bust":
        return -whole  # GC-OBJ
    if player == "natural":
        return whole * natural_pays(rules)  # GC-BJ
    if house_side == "22":
        return Fraction(0)
    if house_side == "bust":
        return whole  # GC-PAY
    if Fraction(player) > Fraction(house_side):
        return whole  # GC-PAY
    return -whole  # GC-PAY


def give_back_further_dollars(settings: Settings, ties: int) -> Fraction:
    """Reading tie_dollar = "player": several tied hands lose one dollar together."""
    rules = rules_of(settings)
    if common.text(rules, "tie_dollar") == "player" and ties > 1:
        return ONE_DOLLAR * (ties - 1)
    return Fraction(0)


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
    """Net result per 1 staked: insurance (GC-INS, 2 to 1) is the only side wager."""
    if wager != "insurance":
        raise ValueError(f"games-of-chance-blackjack has no wager {wager!r}")
    if not common.flag(rules_of(settings), "insurance"):
        raise ValueError("insurance is not offered")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
