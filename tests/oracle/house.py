"""House blackjack (`blackjack`): rulebook/house-blackjack.md, the "standard rules".

Ten Sticks 21 ("the standard rules of blackjack") and Blackjack Tie ("all house rules") use the
`standard_...` functions with their own defaults.
"""

from collections.abc import Mapping
from fractions import Fraction

from . import common
from .common import Cards, HandFacts, Legal, Rules, Settings

# house-blackjack.md, column "default"
DEFAULTS: dict[str, object] = {
    "decks": 6,
    "soft17": "stand",
    "natural": "3:2",
    "peek": "ace-or-ten",
    "late_natural_takes": "original",
    "double": "any-two",
    "double_after_split": True,
    "double_for_less": True,
    "split": "value",
    "max_hands": 4,
    "resplit_aces": False,
    "split_aces": "one-card",
    "surrender": "late",
    "surrender_after_split": False,
    "insurance": True,
    "dealer_22": "bust",
    "charlie": 0,
    "penetration": "0.75",
    "positions": 7,
    "hand_of_21": "stands",
}
VALUES: dict[str, tuple[object, ...]] = {}

# No clause of its own: house-blackjack.md is a table of options.
CLAUSES: dict[str, str] = {
    "hand_of_21": "Decided for every game",
    "natural": "",
    "double": "",
    "split": "",
    "split_aces": "",
    "surrender": "",
    "insurance": "",
    "other": "",
}


def rules_of(settings: Settings) -> Rules:
    """The complete rules."""
    return common.fill_in(DEFAULTS, VALUES, settings)


# --- the standard rules, for the games that lean on them --------------------------------------


def standard_facts(rules: Rules, cards: Cards, *, may_be_natural: bool) -> HandFacts:
    """Totals as usual; an ace and a ten-value card is a natural if this hand may be one."""
    total, soft = common.best_total(cards)
    return HandFacts(
        total=Fraction(total),
        soft=soft,
        natural=may_be_natural and common.is_ace_and_ten(cards),
        bust=total > 21,
        pair=common.is_pair(rules, cards),
    )


def standard_legal(
    rules: Rules,
    cards: Cards,
    up: str,
    *,
    hands: int,
    split_from: str | None,
    doubles: int,
    phase: str,
    clauses: Mapping[str, str],
) -> Legal:
    """The legal actions of a plain game."""
    if phase not in common.PHASES:
        raise ValueError(f"unknown phase {phase!r}")
    is_split = split_from is not None or hands > 1
    hand = standard_facts(rules, cards, may_be_natural=not is_split)
    if len(cards) < 2:
        return common.nothing_legal("the hand has fewer than two cards")
    if hand.bust:
        return common.nothing_legal("the hand is over 21")
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
            insurance_clause=clauses["insurance"],
            surrender_clause=clauses["surrender"],
        )
    if hand.natural:
        return common.only_legal(
            ("stand",), common.with_clause("a natural stands", clauses["natural"])
        )
    if common.is_charlie(rules, cards):
        return common.only_legal(("stand",), "the hand has won by its number of cards")
    if doubles > 0:
        return common.only_legal(
            ("stand",), common.with_clause("a doubled hand takes one card", clauses["double"])
        )
    if split_from == "A" and common.text(rules, "split_aces") == "one-card":
        answer = common.only_legal(
            ("stand",),
            common.with_clause("split aces take one card each", clauses["split_aces"]),
        )
        answer["split"] = common.why_no_split(
            rules, cards, hands=hands, split_from=split_from, clause=clauses["split_aces"]
        )
        return answer
    if hand.total == 21 and common.text(rules, "hand_of_21") == "stands":
        return common.only_legal(
            ("stand",), common.with_clause("a hand of 21 stands", clauses["hand_of_21"])
        )
    return {
        "hit": None,
        "stand": None,
        "double": common.why_no_double(rules, cards, is_split=is_split, clause=clauses["double"]),
        "split": common.why_no_split(
            rules, cards, hands=hands, split_from=split_from, clause=clauses["split"]
        ),
        "surrender": common.why_no_surrender(
            rules,
            cards,
            up,
            is_split=is_split,
            split_from=split_from,
            clause=clauses["surrender"],
        ),
        "insure": common.with_clause("insurance is not being offered", clauses["insurance"]),
        "decline": "nothing is being offered",
        "redouble": common.with_clause("the game has no second double", clauses["other"]),
        "rescue": common.with_clause("the game has no rescue", clauses["other"]),
        "keep": common.with_clause("no bonus card is waiting", clauses["other"]),
        "trade": common.with_clause("no bonus card is waiting", clauses["other"]),
    }


def standard_player_class(rules: Rules, cards: Cards, hand: HandFacts) -> str:
    """Bust, natural, charlie or the total."""
    if hand.bust:
        return "bust"
    if hand.natural:
        return "natural"
    if common.is_charlie(rules, cards):
        return "charlie"
    return str(hand.total)


def standard_dealer_class(rules: Rules, cards: Cards) -> str:
    """Bust, natural, a 22 that pushes, or the total."""
    if common.is_ace_and_ten(cards):
        return "natural"
    total, _ = common.best_total(cards)
    if total == 22 and common.text(rules, "dealer_22") == "push":
        return "22"
    if total > 21:
        return "bust"
    return str(total)


def standard_settle(
    rules: Rules,
    *,
    player: str,
    player_total: Fraction,
    dealer: str,
    stake: int,
    added: int,
    ended: str | None,
    first_hand: bool,
) -> Fraction:
    """The base wager of one hand, from the classes of both sides."""
    whole = Fraction(stake + added)
    if ended == "early-surrender":
        return Fraction(-stake, 2)  # of two offers the first is final
    if ended == "surrender":
        if common.text(rules, "surrender") == "early":
            return Fraction(-stake, 2)
        if dealer == "natural":
            # A late surrender is void against a natural that the check did not find.
            return common.lost_to_dealer_natural(rules, stake=stake, added=0, first_hand=first_hand)
        return Fraction(-stake, 2)
    if ended is not None:
        raise ValueError(f"a hand of this game does not end by {ended!r}")
    if player == "charlie":
        return whole
    if dealer == "natural":
        if player == "natural":
            return Fraction(0)
        return common.lost_to_dealer_natural(rules, stake=stake, added=added, first_hand=first_hand)
    if player == "bust":
        return -whole
    if player == "natural":
        return whole * common.odds(common.text(rules, "natural"))
    if dealer == "22":
        return Fraction(0)
    if dealer == "bust":
        return whole
    if player_total > Fraction(dealer):
        return whole
    if player_total < Fraction(dealer):
        return -whole
    return Fraction(0)


# --- the house's own game ---------------------------------------------------------------------


def facts(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> HandFacts:
    """What the hand is. An ace and a ten after a split is 21, not a natural."""
    return standard_facts(rules_of(settings), cards, may_be_natural=not split)


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
    return standard_legal(
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
    """Whether the dealer must take another card."""
    return common.dealer_below_standing(rules_of(settings), cards)


def player_class(
    settings: Settings, cards: Cards, *, split: bool = False, traded: bool = False
) -> str:
    """The final class of a player's hand."""
    hand = facts(settings, cards, split=split)
    return standard_player_class(rules_of(settings), cards, hand)


def dealer_class(settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    return standard_dealer_class(rules_of(settings), cards)


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
    """Net result in cents of the base wager of one hand."""
    return standard_settle(
        rules_of(settings),
        player=player_class(settings, cards, split=split),
        player_total=facts(settings, cards, split=split).total,
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
        raise ValueError(f"blackjack has no wager {wager!r}")
    if not common.flag(rules_of(settings), "insurance"):
        raise ValueError("insurance is not offered")
    return common.insurance_result(dealer_class(settings, dealer) == "natural")
