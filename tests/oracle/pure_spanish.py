"""Pure Spanish 21.5 (`pure-spanish-21.5`): rulebook/pure-spanish-21-5.md."""

from fractions import Fraction

from . import common
from .common import Cards, HandFacts, Legal, Rules, Settings

DEFAULTS: dict[str, object] = {
    "decks": 6,  # Decided: Default decks
    "soft17": "hit",  # PS-1B
    "natural": "6:5",  # PS-V1
    "peek": "ace-or-ten",  # PS-D13: an ace or a Bonus card
    "late_natural_takes": "all",  # PS-D13: a natural is always found by the check
    "double": "any-two",  # PS-O1
    "double_after_split": True,  # PS-O5
    "double_for_less": False,  # PS-O3a
    "double_double": True,  # PS-O3, Decided
    "split": "value",  # PS-O4
    "max_hands": 4,  # PS-O5
    "resplit_aces": True,  # Decided: Aces
    "split_aces": "draw",  # PS-O4
    "surrender": "late",  # PS-O6 after the check of PS-D13
    "surrender_after_split": False,  # Decided: for the original two cards
    "insurance": False,  # the source names none
    "dealer_22": "bust",  # PS-W1
    "charlie": 0,
    "penetration": "0.75",
    "positions": 7,  # PS-TABLE
    "fee_schedule": 1,
    "hand_of_21": "stands",
    "match_by": "up-card",
    "both_over": "loses",
    "must_stand": "hit",
    "split_natural": "21",
    "fee_basis": "",
    "fee_per": "",
    "both_naturals": "6:5",
    "bank_cover": "",
    "natural_paid": "",
    "backline": "",
}
VALUES: dict[str, tuple[object, ...]] = {
    "insurance": (False,),
    "match_by": ("up-card", "both-cards"),
    "both_over": ("loses", "push"),
    "must_stand": ("hit", "hit-and-double"),
    "split_natural": ("21", "21.5"),
    "both_naturals": ("6:5", "1:1"),
    "surrender": ("late", "early", "until-exposed"),  # SR-7
}
TWENTY_ONE_AND_A_HALF = Fraction(43, 2)
MOST_DOUBLES = 3  # PS-O3


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


def check_deck(cards: Cards) -> None:
    """PS-DECK: there are no tens."""
    for card in cards:
        if common.rank(card) == "T":
            raise ValueError("Pure Spanish 21.5 is played without tens (PS-DECK)")


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is."""
    rules = rules_of(settings)
    check_deck(cards)
    number, soft = common.best_total(cards)  # PS-V2, PS-V3
    total = Fraction(number)
    natural = False
    # PS-V1, PS-V4: on the initial deal only. Decided: after a split it is 21 (reading: 21.5).
    may_be_natural = not split or common.text(rules, "split_natural") == "21.5"
    if may_be_natural and common.is_ace_and_ten(cards):
        natural = True
        total = TWENTY_ONE_AND_A_HALF
    return HandFacts(
        total=total,
        soft=soft,
        natural=natural,
        bust=total > TWENTY_ONE_AND_A_HALF,
        pair=common.is_pair(rules, cards),
    )


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
    check_deck([up])
    if phase not in common.PHASES:
        raise ValueError(f"unknown phase {phase!r}")
    is_split = split_from is not None or hands > 1
    hand = facts(settings, cards, split=is_split)
    if len(cards) < 2:
        return common.nothing_legal("the hand has fewer than two cards")
    if hand.bust:
        return common.nothing_legal("the hand is over 21.5 (PS-W2)")
    if phase != "turn":
        return common.before_the_turn(
            rules,
            cards,
            up,
            hands=hands,
            split_from=split_from,
            doubles=doubles,
            natural=hand.natural,
            phase=phase,
            insurance_clause="",
            surrender_clause="PS-O6",
        )
    if hand.natural:
        return common.only_legal(("stand",), "Pure Spanish 21.5 stands (PS-V1)")
    if common.is_charlie(rules, cards):
        return common.only_legal(("stand",), "the hand has won by its number of cards")
    if hand.total == 21 and common.text(rules, "hand_of_21") == "stands":
        return common.only_legal(("stand",), "a hand of 21 stands (Decided for every game)")

    must_stand = hand.total >= 17 and not hand.soft  # PS-1A
    if doubles > 0:
        answer = common.only_legal(
            ("stand", "rescue"),  # PS-O2
            "a doubled hand may only stand, rescue or double again (PS-O1, PS-O2, PS-O3)",
        )
        answer["redouble"] = why_no_redouble(rules, doubles=doubles, must_stand=must_stand)
        return answer

    if split_from == "A" and common.text(rules, "split_aces") == "one-card":
        # Not this game's own rule (PS-O4 draws freely), only an operator's setting.
        answer = common.only_legal(("stand",), "split aces take one card each")
        answer["split"] = common.why_no_split(
            rules, cards, hands=hands, split_from=split_from, clause="PS-O5"
        )
        return answer

    why_no_hit: str | None = None
    if must_stand:
        why_no_hit = "must stand on hard 17 or more (PS-1A)"
    why_no_double = common.why_no_double(rules, cards, is_split=is_split, clause="PS-O1")
    # Decided: hard 17 takes away the hit; the reading: doubling too.
    if must_stand and common.text(rules, "must_stand") == "hit-and-double":
        why_no_double = "must stand on hard 17 or more (PS-1A)"
    return {
        "hit": why_no_hit,
        "stand": None,
        "double": why_no_double,
        "split": common.why_no_split(
            rules, cards, hands=hands, split_from=split_from, clause="PS-O4, PS-O5"
        ),
        "surrender": common.why_no_surrender(
            rules,
            cards,
            up,
            is_split=is_split,
            split_from=split_from,
            clause="PS-O6",
            aces_too=True,  # SR-4
        ),
        "insure": "the game has no insurance",
        "decline": "nothing is being offered",
        "redouble": "the hand has not been doubled (PS-O3)",
        "rescue": "the hand has not been doubled (PS-O2)",
        "keep": "the game has no card to trade",
        "trade": "the game has no card to trade",
    }


def why_no_redouble(rules: Rules, *, doubles: int, must_stand: bool) -> str | None:
    """None if a doubled hand may be doubled again."""
    if not common.flag(rules, "double_double"):
        return "double-double down is not offered (PS-O3)"
    if common.text(rules, "soft17") == "stand":
        return "no double-double down where the player-dealer stands on all 17s (PS-O3a)"
    if doubles >= MOST_DOUBLES:
        return "after the third double only stand or rescue (PS-O3)"
    if must_stand and common.text(rules, "must_stand") == "hit-and-double":
        return "must stand on hard 17 or more (PS-1A)"
    return None


def dealer_draws(settings: Settings, cards: Cards) -> bool:
    """PS-1B: hits soft 17 or less, stands on hard 17 and on soft 18 or more."""
    check_deck(cards)
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split)
    if hand.bust:
        return "bust"
    if hand.natural:
        return "natural"
    if common.is_charlie(rules_of(settings), cards):
        return "charlie"
    return str(hand.total)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the player-dealer's hand."""
    hand = facts(settings, cards)
    if hand.natural:
        return "natural"
    if [common.rank(card) for card in cards] == ["8", "8", "8"]:
        return "8-8-8"  # PS-W6
    if hand.total == 22 and common.text(rules_of(settings), "dealer_22") == "push":
        return "22"
    if hand.bust:
        return "bust"
    return str(hand.total)


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
    """Net result in cents of the base wager of one hand, with a bank that covers it."""
    rules = rules_of(settings)
    player = player_class(settings, cards, split=split)
    bank = dealer_class(settings, dealer)
    whole = Fraction(stake + added)
    if ended == "rescue":
        # PS-O2: the last doubled portion comes back, the remainder is forfeited.
        return -(whole - last_double)
    if ended == "early-surrender":
        return Fraction(-stake, 2)
    if ended == "surrender":
        # PS-O6: half. The check of PS-D13 comes first, so a natural cannot follow a late one.
        if common.text(rules, "surrender") != "early" and bank == "natural":
            return common.lost_to_dealer_natural(rules, stake=stake, added=0, first_hand=first_hand)
        return Fraction(-stake, 2)
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if player == "charlie":
        return whole
    if bank == "natural":
        if player == "natural":
            # PS-D12: the player wins. Decided: 6 to 5 (reading: 1 to 1).
            return whole * common.odds(common.text(rules, "both_naturals"))
        return common.lost_to_dealer_natural(
            rules, stake=stake, added=added, first_hand=first_hand
        )  # PS-D13
    if player == "bust":
        if bank == "8-8-8":
            return Fraction(0)  # PS-W6
        if bank == "bust" and common.text(rules, "both_over") == "push":
            return Fraction(0)  # reading; Decided: the player loses
        return -whole  # PS-W2
    if player == "natural":
        return whole * common.odds(common.text(rules, "natural"))  # PS-V1
    if bank == "22":
        return Fraction(0)
    if bank == "bust" or bank == "8-8-8":
        return whole  # PS-W1
    if player == "21" and bank == "21":
        return whole  # PS-W5
    if Fraction(player) > Fraction(bank):
        return whole  # PS-W4
    if Fraction(player) < Fraction(bank):
        return -whole  # PS-W4
    return Fraction(0)  # PS-W3


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
    """Net result per 1 staked of Match the Dealer; cards are the original two."""
    if wager != "match":
        raise ValueError(f"pure-spanish-21.5 has no wager {wager!r}")
    if len(cards) != 2:
        raise ValueError("Match the Dealer looks at the player's two original cards (PS-M2)")
    check_deck(cards)
    check_deck(dealer)
    against = [dealer[0]]  # PS-M2
    if common.text(rules_of(settings), "match_by") == "both-cards":
        against = [dealer[0], dealer[1]]  # reading of PS-M7
    suited = 0
    non_suited = 0
    for card in cards:
        if card in against:
            suited = suited + 1
        elif common.rank(card) in [common.rank(other) for other in against]:
            non_suited = non_suited + 1
    # PS-MPAY
    if suited == 2:
        return Fraction(18)
    if suited == 1 and non_suited == 1:
        return Fraction(13)
    if suited == 1:
        return Fraction(9)
    if non_suited == 2:
        return Fraction(8)
    if non_suited == 1:
        return Fraction(4)
    return Fraction(-1)
