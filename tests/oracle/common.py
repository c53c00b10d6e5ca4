"""What several games share: cards, totals, settings, and the small questions of a turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Settings = Mapping[str, object]
Rules = dict[str, object]
Cards = Sequence[str]
Legal = dict[str, str | None]

ACTIONS = (
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "insure",
    "decline",
    "redouble",
    "rescue",
    "keep",
    "trade",
)
PHASES = ("turn", "insurance", "early-surrender")
RANKS = "A23456789TJQK"
SUITS = "shdc"
TEN_RANKS = "TJQK"

# rulebook/README.md, "Options". An empty tuple: this oracle does not look at the value.
OPTION_VALUES: dict[str, tuple[object, ...]] = {
    "decks": (),
    "soft17": ("stand", "hit"),
    "natural": (),
    "peek": ("ace-or-ten", "ace", "none"),
    "late_natural_takes": ("all", "original"),
    "double": ("any-two", "9-11", "10-11", "none", "any-count"),
    "double_after_split": (True, False),
    "double_for_less": (True, False),
    "double_double": (True, False),
    "split": ("value", "rank", "none"),
    "max_hands": (1, 2, 3, 4),
    "resplit_aces": (True, False),
    "split_aces": ("one-card", "draw"),
    "surrender": ("none", "late", "early", "both"),
    "surrender_after_split": (True, False),
    "insurance": (True, False),
    "dealer_22": ("bust", "push"),
    "charlie": (0, 5, 6, 7),
    "penetration": (),
    "positions": (),
    "hand_of_21": ("stands", "asks"),
}


@dataclass(frozen=True)
class HandFacts:
    """What can be said about the cards of one hand."""

    total: Fraction
    soft: bool
    natural: bool
    bust: bool
    pair: bool


# --- settings ---------------------------------------------------------------------------------


def fill_in(
    defaults: Mapping[str, object],
    more_values: Mapping[str, tuple[object, ...]],
    settings: Settings,
) -> Rules:
    """The game's defaults with the settings laid over them; unknown names and values refused."""
    rules: Rules = dict(defaults)
    values = dict(OPTION_VALUES)
    values.update(more_values)
    for name, given in settings.items():
        if name not in rules:
            raise ValueError(f"the game has no setting {name!r}")
        value = given
        if given == "true":
            value = True
        if given == "false":
            value = False
        allowed = values.get(name, ())
        if isinstance(given, str) and given.isdigit() and int(given) in allowed:
            value = int(given)
        if allowed and value not in allowed:
            raise ValueError(f"{name} cannot be {given!r}; it is one of {allowed}")
        rules[name] = value
    return rules


def text(rules: Rules, name: str) -> str:
    """A setting that is a word."""
    value = rules[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a word, not {value!r}")
    return value


def flag(rules: Rules, name: str) -> bool:
    """A setting that is true or false."""
    value = rules[name]
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be true or false, not {value!r}")
    return value


def number(rules: Rules, name: str) -> int:
    """A setting that is a whole number."""
    value = rules[name]
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    return value


def odds(words: str) -> Fraction:
    """Odds such as "3:2"."""
    wins, stakes = words.split(":")
    return Fraction(int(wins), int(stakes))


# --- cards and totals -------------------------------------------------------------------------


def rank(card: str) -> str:
    """The rank character of a card."""
    check_card(card)
    return card[0]


def suit(card: str) -> str:
    """The suit character of a card."""
    check_card(card)
    return card[1]


def check_card(card: str) -> None:
    """Refuse what is not a card."""
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        raise ValueError(f"{card!r} is not a card")


def hard_value(card: str) -> int:
    """The value of a card with the ace as one."""
    if rank(card) == "A":
        return 1
    if rank(card) in TEN_RANKS:
        return 10
    return int(rank(card))


def is_ace(card: str) -> bool:
    """Whether the card is an ace."""
    return rank(card) == "A"


def is_ten_value(card: str) -> bool:
    """Whether the card is a ten, jack, queen or king."""
    return rank(card) in TEN_RANKS


def best_total(cards: Cards) -> tuple[int, bool]:
    """The best total, and whether an ace counts 11 in it."""
    total = 0
    has_ace = False
    for card in cards:
        total = total + hard_value(card)
        if is_ace(card):
            has_ace = True
    if has_ace and total + 10 <= 21:
        return total + 10, True
    return total, False


def is_ace_and_ten(cards: Cards) -> bool:
    """Whether the hand is exactly an ace and a ten-value card."""
    if len(cards) != 2:
        return False
    if is_ace(cards[0]) and is_ten_value(cards[1]):
        return True
    return is_ten_value(cards[0]) and is_ace(cards[1])


def is_pair(rules: Rules, cards: Cards) -> bool:
    """Whether the game's split rule sees a pair in the hand."""
    if len(cards) != 2:
        return False
    if text(rules, "split") == "none":
        return False
    if text(rules, "split") == "rank":
        return rank(cards[0]) == rank(cards[1])
    return hard_value(cards[0]) == hard_value(cards[1])


def is_charlie(rules: Rules, cards: Cards) -> bool:
    """Whether the hand wins by its number of cards (option `charlie`)."""
    needed = number(rules, "charlie")
    if needed == 0:
        return False
    total, _ = best_total(cards)
    return len(cards) >= needed and total <= 21


def dealer_below_standing(rules: Rules, cards: Cards) -> bool:
    """Below 17 the dealer draws; on a soft 17 by the option `soft17`."""
    total, soft = best_total(cards)
    if total < 17:
        return True
    return total == 17 and soft and text(rules, "soft17") == "hit"


def up_is_checked(rules: Rules, up: str) -> bool:
    """Whether the dealer looks for a natural under this up card (option `peek`)."""
    if text(rules, "peek") == "none":
        return False
    if text(rules, "peek") == "ace":
        return is_ace(up)
    return is_ace(up) or is_ten_value(up)


# --- legal actions ----------------------------------------------------------------------------


def nothing_legal(reason: str) -> Legal:
    """Every action refused for one reason."""
    return dict.fromkeys(ACTIONS, reason)


def only_legal(actions: Sequence[str], reason: str) -> Legal:
    """These actions legal, every other refused for one reason."""
    answer = nothing_legal(reason)
    for action in actions:
        answer[action] = None
    return answer


def with_clause(words: str, clause: str) -> str:
    """A reason and the clause it comes from, if there is one."""
    if clause == "":
        return words
    return f"{words} ({clause})"


def before_the_turn(
    rules: Rules,
    cards: Cards,
    up: str,
    *,
    hands: int,
    split_from: str | None,
    doubles: int,
    natural: bool,
    phase: str,
    insurance_clause: str,
    surrender_clause: str,
) -> Legal:
    """The two questions asked before the dealer looks for a natural."""
    original = hands == 1 and split_from is None and doubles == 0 and len(cards) == 2
    if not original:
        return nothing_legal("the question is asked of the two original cards only")
    if phase == "insurance":
        if not flag(rules, "insurance"):
            return nothing_legal(with_clause("the game has no insurance", insurance_clause))
        if not is_ace(up):
            return nothing_legal(
                with_clause("insurance is offered against an ace only", insurance_clause)
            )
        return only_legal(("insure", "decline"), "insurance is being offered")
    # phase "early-surrender"
    if not surrenders_early(rules):
        return nothing_legal(with_clause("there is no early surrender", surrender_clause))
    if surrenders_twice(rules):
        # SR-31: early means before a natural is known, whether it is looked for now or later.
        if not is_ace(up) and not is_ten_value(up):
            return nothing_legal("no natural can lie under this card: asked in the turn")
    elif not up_is_checked(rules, up):
        return nothing_legal("the dealer does not check under this card: asked in the turn")
    if natural:
        return only_legal(("decline",), "a natural is not surrendered")
    return only_legal(("surrender", "decline"), "early surrender is being offered")


def surrenders_twice(rules: Rules) -> bool:
    """SR-7 and SR-31: before the check and, if that is declined, in the player's own turn."""
    return text(rules, "surrender") in ("both", "until-exposed")


def surrenders_early(rules: Rules) -> bool:
    """Whether a hand may be given up before the check."""
    return text(rules, "surrender") == "early" or surrenders_twice(rules)


def why_no_double(rules: Rules, cards: Cards, *, is_split: bool, clause: str) -> str | None:
    """None if a hand that has not been doubled may be doubled now."""
    rule = text(rules, "double")
    if rule == "none":
        return with_clause("doubling is not offered", clause)
    if is_split and not flag(rules, "double_after_split"):
        return with_clause("no doubling after a split", clause)
    if rule == "any-count":
        return None
    if len(cards) != 2:
        return with_clause("doubling is for the first two cards", clause)
    total, _ = best_total(cards)
    if rule == "9-11" and total not in (9, 10, 11):
        return with_clause("doubling is for 9, 10 and 11 only", clause)
    if rule == "10-11" and total not in (10, 11):
        return with_clause("doubling is for 10 and 11 only", clause)
    return None


def why_no_split(
    rules: Rules, cards: Cards, *, hands: int, split_from: str | None, clause: str
) -> str | None:
    """None if the hand may be split now."""
    if text(rules, "split") == "none":
        return with_clause("splitting is not offered", clause)
    if not is_pair(rules, cards):
        return with_clause("the hand is not a pair", clause)
    if hands >= number(rules, "max_hands"):
        return with_clause("the box has all the hands it may have", clause)
    if split_from == "A" and is_ace(cards[0]) and not flag(rules, "resplit_aces"):
        return with_clause("aces are split once", clause)
    return None


def why_no_surrender(
    rules: Rules,
    cards: Cards,
    up: str,
    *,
    is_split: bool,
    split_from: str | None,
    clause: str,
    aces_too: bool = False,
) -> str | None:
    """None if the hand may be surrendered in the player's turn."""
    rule = text(rules, "surrender")
    if rule == "none":
        return with_clause("surrender is not offered", clause)
    if len(cards) != 2:
        return with_clause("surrender is for the first two cards", clause)
    if rule == "early":
        if is_split:
            return with_clause("early surrender is for the two original cards", clause)
        if up_is_checked(rules, up):
            return with_clause("early surrender was asked before the check", clause)
        return None
    if is_split:
        if not flag(rules, "surrender_after_split"):
            return with_clause("surrender is for the two original cards", clause)
        if split_from == "A" and not aces_too:
            return with_clause("split aces are not surrendered", clause)
    return None


# --- money ------------------------------------------------------------------------------------


def lost_to_dealer_natural(rules: Rules, *, stake: int, added: int, first_hand: bool) -> Fraction:
    """What the dealer's natural takes from one hand (option `late_natural_takes`)."""
    if text(rules, "late_natural_takes") == "all":
        return Fraction(-(stake + added))
    if first_hand:
        return Fraction(-stake)
    return Fraction(0)


def insurance_result(dealer_has_natural: bool) -> Fraction:
    """Insurance pays 2 to 1 against a dealer's natural and otherwise loses."""
    if dealer_has_natural:
        return Fraction(2)
    return Fraction(-1)
