"""Twisted 21 (`twisted-21`): rulebook/twisted-21.md."""

from fractions import Fraction

from . import common, house, poker
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    "decks": 1,  # TW-1
    "soft17": "hit",  # TW-6
    "natural": "6:5",  # TW-7
    "peek": "ace-or-ten",  # TW-5
    "late_natural_takes": "all",  # TW-5
    "double": "any-two",  # TW-9, Decided: Doubling
    "double_after_split": False,
    "double_for_less": False,  # Decided: for the amount of the wager
    "split": "none",  # TW-8
    "max_hands": 1,  # TW-8
    "surrender": "none",  # Decided: no insurance, no surrender
    "surrender_after_split": False,
    "insurance": False,  # Decided: no insurance, no surrender
    "dealer_22": "bust",
    "charlie": 0,
    "penetration": "1",
    "positions": 6,  # Decided: Seats
    "hand_of_21": "stands",
    "stud_bonus": "five-card",  # TW-14
    "hit_cards": "pick",  # TW-12
    "twisted_stud": "higher",
    "community_cards": "hidden",
    "low_ball": "deuce-to-seven",
    "dealer_natural": "first",  # SR-41
    "several_positions": False,  # SR-43
    "five_cards": "compared",
    "qualifier": "king-high",
}
VALUES: dict[str, tuple[object, ...]] = {
    "split": ("none",),
    "max_hands": (1,),
    "surrender": ("none",),
    "insurance": (False,),
    "stud_bonus": ("five-card", "five-card-low", "seven-card", "seven-card-low", "none"),
    "hit_cards": ("pick", "in-order"),
    "twisted_stud": ("higher", "last", "both"),
    "community_cards": ("hidden", "seen"),
    "low_ball": ("deuce-to-seven", "deuce-to-six", "ace-to-six", "ace-to-five"),  # SR-42
    "dealer_natural": ("first", "any", "at-turn"),
    "several_positions": (True, False),
    "five_cards": ("compared", "wins"),
    "qualifier": ("king-high", "pair-of-kings"),
}
FIVE = 5

# TW-14 to TW-17: what 1 staked brings back, the stake inside the figure
FIVE_CARD_PAYS: dict[str, int] = {
    "royal flush": 1001,
    "straight flush": 501,
    "four of a kind": 251,
    "full house": 101,
    "flush": 16,
    "straight": 7,
    "three of a kind": 5,
    "two pair": 4,
    "pair of jacks or better": 3,
}
TWISTED_STUD_PAYS = 11
FIVE_CARD_LOW_PAYS: dict[int, int] = {7: 41, 8: 26, 9: 11, 10: 6, 11: 4, 12: 3}
SEVEN_CARD_PAYS: dict[str, int] = {
    "royal flush": 251,
    "straight flush": 51,
    "four of a kind": 26,
    "full house": 11,
    "flush": 9,
    "straight": 4,
    "three of a kind": 3,
}
SEVEN_CARD_LOW_PAYS: dict[int, int] = {7: 16, 8: 7, 9: 5, 10: 3}


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is. TW-8: there are no splits, so no pair to split."""
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
    if phase not in common.PHASES:
        raise ValueError(f"unknown phase {phase!r}")
    if len(cards) < 2:
        return common.nothing_legal("the hand has fewer than two cards")
    hand = facts(settings, cards)
    if hand.bust:
        return common.nothing_legal("the hand is over 21 (TW-11)")
    if phase == "insurance":
        return common.nothing_legal("the game has no insurance (Decided)")
    if phase == "early-surrender":
        return common.nothing_legal("the game has no surrender (Decided)")
    if hand.natural:
        return common.only_legal(("stand",), "a natural stands (TW-7)")
    if common.is_charlie(rules, cards):
        return common.only_legal(("stand",), "the hand has won by its number of cards")
    if len(cards) >= FIVE:
        return common.only_legal(("stand",), "five cards must stand (TW-10)")
    if doubles > 0:
        return common.only_legal(("stand",), "a doubled hand takes one card (TW-9)")
    if hand.total == 21 and common.text(rules, "hand_of_21") == "stands":
        return common.only_legal(("stand",), "a hand of 21 stands (Decided for every game)")
    return {
        "hit": None,
        "stand": None,
        "double": common.why_no_double(rules, cards, is_split=False, clause="TW-9"),
        "split": "players may not split (TW-8)",
        "surrender": "the game has no surrender (Decided)",
        "insure": "the game has no insurance (Decided)",
        "decline": "nothing is being offered",
        "redouble": "the game has no second double (TW-9)",
        "rescue": "the game has no rescue",
        "keep": "the game has no bonus card",
        "trade": "the game has no bonus card",
    }


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """TW-6: hits soft 17. TW-10: stands on five cards."""
    if len(cards) >= FIVE:
        return False
    return common.dealer_below_standing(rules_of(settings), cards)


def dealers_two(settings: Settings, five: Cards) -> list[str]:
    """SR-41: the up card, and the down card that the dealer's hand begins with.

    Reading any: if one of the four down cards makes a natural with the up card, it is that one.
    """
    up, *down = five
    if common.text(rules_of(settings), "dealer_natural") == "any":
        for card in down:
            if common.is_ace_and_ten([up, card]):
                return [up, card]
    return [up, down[0]]


def dealer_looks(settings: Settings) -> bool:
    """SR-41: whether the dealer looks for a natural before anybody plays."""
    return common.text(rules_of(settings), "dealer_natural") != "at-turn"


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand (the cards used, not all five)."""
    rules = rules_of(settings)
    hand = facts(settings, cards, split=split)
    # Decided: five unbusted cards are compared; the reading: they win.
    if common.text(rules, "five_cards") == "wins" and len(cards) >= FIVE and not hand.bust:
        return "charlie"
    return house.standard_player_class(rules, cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand (the cards used, not all five)."""
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
    """Net result in cents of the Twisted 21 wager."""
    rules = rules_of(settings)
    player = player_class(settings, cards, split=split)
    house_side = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if player == "charlie":
        return whole
    if house_side == "natural":
        if player == "natural":
            return Fraction(0)  # TW-5: both natural, push
        return common.lost_to_dealer_natural(
            rules, stake=stake, added=added, first_hand=first_hand
        )  # TW-5: all others lose
    if player == "bust":
        return -whole  # TW-11
    if player == "natural":
        return whole * common.odds(common.text(rules, "natural"))  # TW-7
    if house_side == "22":
        return Fraction(0)
    if house_side == "bust":
        return whole
    if Fraction(player) > Fraction(house_side):
        return whole
    if Fraction(player) < Fraction(house_side):
        return -whole
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
    """Net result per 1 staked. TW-11: all five cards count, busted or not."""
    if wager == "stud-poker":
        return stud_poker(settings, cards=cards, dealer=dealer)
    if wager == "stud-bonus":
        return stud_bonus(settings, cards=cards, community=community)
    raise ValueError(f"twisted-21 has no wager {wager!r}")


def dealer_qualifies(rules: Rules, dealer_rank: poker.PokerRank) -> bool:
    """TW-13: a king or better. Decided: any hand that ranks at least king high."""
    if common.text(rules, "qualifier") == "pair-of-kings":
        return dealer_rank >= (poker.ONE_PAIR, poker.KING)
    return dealer_rank >= (poker.HIGH_CARD, poker.KING)


def stud_poker(settings: Settings, *, cards: Cards, dealer: Cards) -> Fraction:
    """TW-13."""
    player_rank = poker.poker_rank(cards)
    dealer_rank = poker.poker_rank(dealer)
    if not dealer_qualifies(rules_of(settings), dealer_rank):
        return Fraction(0)
    if player_rank > dealer_rank:
        return Fraction(1)
    if player_rank < dealer_rank:
        return Fraction(-1)
    return Fraction(0)


def stud_bonus(settings: Settings, *, cards: Cards, community: Cards) -> Fraction:
    """TW-14 to TW-17, by the version on offer."""
    rules = rules_of(settings)
    version = common.text(rules, "stud_bonus")
    if len(cards) != FIVE:
        raise ValueError("the Stud Bonus looks at the player's five cards")
    if version == "five-card":
        return five_card_bonus(rules, cards)
    if version == "five-card-low":
        return for_one(low_pay(rules, cards, FIVE_CARD_LOW_PAYS))
    if version == "none":
        raise ValueError("no Stud Bonus is offered (TW-2)")
    if len(community) != 2:
        raise ValueError("the seven-card Stud Bonus needs two community cards (TW-18)")
    seven = [*cards, *community]
    if version == "seven-card":
        row = poker.row_name(poker.best_of(seven))
        return for_one(SEVEN_CARD_PAYS.get(row, 0))
    return for_one(low_pay(rules, seven, SEVEN_CARD_LOW_PAYS))


def for_one(pay: int) -> Fraction:
    """Net per 1 staked of a "for 1" figure; 0 stands for no row."""
    return Fraction(pay - 1)


def five_card_bonus(rules: Rules, cards: Cards) -> Fraction:
    """TW-14, with the reading of a hand that fits two rows."""
    poker_pay = FIVE_CARD_PAYS.get(poker.row_name(poker.poker_rank(cards)), 0)
    twisted_pay = 0
    # Decided: aces count one, faces ten.
    if sum(common.hard_value(card) for card in cards) <= 16:
        twisted_pay = TWISTED_STUD_PAYS
    if poker_pay == 0 or twisted_pay == 0:
        return for_one(poker_pay + twisted_pay)
    reading = common.text(rules, "twisted_stud")
    if reading == "last":
        return for_one(poker_pay)
    if reading == "both":
        return for_one(poker_pay) + for_one(twisted_pay)
    return for_one(max(poker_pay, twisted_pay))


def low_pay(rules: Rules, cards: Cards, pays: dict[int, int]) -> int:
    """TW-15, TW-17: what the best low five brings back, 0 if no row fits."""
    high = poker.best_low_high_card(cards, common.text(rules, "low_ball"))
    if high is None:
        return 0
    # Only deuce-to-seven has no hand better than 7 high: the row means 7 high or lower.
    return pays.get(max(high, 7), 0)
