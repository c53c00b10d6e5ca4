"""The slow oracle: the rules of every game, written from the documents and from nothing else.

It is plain on purpose, and must never import the product.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import ModuleType

from . import (
    blackjack_switch,
    blackjack_tie,
    double_exposure,
    down_under,
    european_blackjack,
    free_bet,
    games_of_chance,
    house,
    pontoon,
    pure_spanish,
    single_deck,
    spanish_21,
    super_fun_21,
    ten_sticks,
    twisted,
    vegas_strip,
    zappit,
)
from .common import ACTIONS, Cards, HandFacts, Legal, Settings
from .poker import poker_rank

__all__ = [
    "ACTIONS",
    "GAMES",
    "HandFacts",
    "dealer_class",
    "dealer_draws",
    "facts",
    "legal",
    "player_class",
    "poker_rank",
    "settle_base",
    "settle_box",
    "settle_side",
    "undecided",
]

GAMES: dict[str, ModuleType] = {
    "blackjack": house,
    "ten-sticks-21": ten_sticks,
    "pure-spanish-21.5": pure_spanish,
    "games-of-chance-blackjack": games_of_chance,
    "twisted-21": twisted,
    "blackjack-tie": blackjack_tie,
    "vegas-strip": vegas_strip,
    "down-under": down_under,
    "single-deck-6-5": single_deck,
    "spanish-21": spanish_21,
    "double-exposure": double_exposure,
    "blackjack-switch": blackjack_switch,
    "free-bet": free_bet,
    "super-fun-21": super_fun_21,
    "pontoon": pontoon,
    "european-blackjack": european_blackjack,
    "zappit": zappit,
}
VARIANTS = (
    "spanish-21",
    "double-exposure",
    "blackjack-switch",
    "free-bet",
    "super-fun-21",
    "pontoon",
    "european-blackjack",
    "zappit",
)
SWITCHED = ("blackjack-switch", "zappit")
"""Games in which it matters to `legal` and `undecided` whether a card came by an exchange."""
LOW_ACES = ("pontoon", "double-exposure")
"""Games in which a double changes what the hand is (PO-DBL; a reading of DX-DBL)."""
DOUBLED_CLASSES = ("spanish-21", "super-fun-21", *LOW_ACES)
"""Games in which a doubled hand ends otherwise, or is paid otherwise (SP-BX, SF-5, SF-6)."""
LATE_NATURAL_OF_BOTH = ("european-blackjack",)
"""Games in which a player's natural waits for the dealer's second card (EU-ALL)."""
MARKERS = ("free-bet",)
"""Games in which the house's markers lie beside a hand's own money."""


def facts(
    game: str,
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> HandFacts:
    """What the hand is; of a doubled hand the last card is the one that the double brought."""
    more = {"doubled": doubled} if game in LOW_ACES else {}
    answer: HandFacts = GAMES[game].facts(settings, cards, split=split, traded=traded, **more)
    return answer


def legal(
    game: str,
    settings: Settings,
    cards: Cards,
    up: str,
    *,
    hands: int = 1,
    split_from: str | None = None,
    doubles: int = 0,
    phase: str = "turn",
    traded: bool = False,
) -> Legal:
    """None for each legal action, a reason for each other; `hands` are those of the box."""
    more = {"traded": traded} if game in SWITCHED else {}
    answer: Legal = GAMES[game].legal(
        settings,
        cards,
        up,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
        **more,
    )
    return answer


def dealer_draws(game: str, settings: Settings, cards: Cards) -> bool:
    """Whether the dealer must take another card."""
    answer: bool = GAMES[game].dealer_draws(settings, cards)
    return answer


def player_class(
    game: str,
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
) -> str:
    """The final class of a player's hand."""
    more = {"doubled": doubled} if game in DOUBLED_CLASSES else {}
    answer: str = GAMES[game].player_class(settings, cards, split=split, traded=traded, **more)
    return answer


def dealer_class(game: str, settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    answer: str = GAMES[game].dealer_class(settings, cards)
    return answer


def undecided(
    game: str,
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
    doubled: bool = False,
    dealer: Cards = (),
) -> bool:
    """Of the games in VARIANTS: whether the dealer's further cards matter to a hand (CV-9)."""
    more: dict[str, object] = {}
    if game in SWITCHED:
        more["traded"] = traded
    if game in LATE_NATURAL_OF_BOTH:
        more["dealer"] = dealer
    answer: bool = GAMES[game].undecided(settings, cards, split=split, doubled=doubled, **more)
    return answer


def settle_base(
    game: str,
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
    marker: int = 0,
) -> Fraction:
    """Net result in cents of the base wager of one hand; `marker` is what the house has put."""
    more = {"marker": marker} if game in MARKERS else {}
    answer: Fraction = GAMES[game].settle_base(
        settings,
        cards=cards,
        dealer=dealer,
        stake=stake,
        added=added,
        split=split,
        traded=traded,
        ended=ended,
        last_double=last_double,
        first_hand=first_hand,
        **more,
    )
    return answer


def settle_box(
    game: str,
    settings: Settings,
    *,
    hands: Sequence[Mapping[str, object]],
    dealer: Cards,
) -> Fraction:
    """Net result in cents of all hands of one box, the first hand first.

    Each hand holds keyword arguments of `settle_base` without `dealer` and `first_hand`. Beyond
    the sum there is one rule: the reading tie_dollar = "player" of GC-TIE.
    """
    result = Fraction(0)
    ties = 0
    for position, hand in enumerate(hands):
        arguments: dict[str, object] = dict(hand)
        arguments["dealer"] = dealer
        arguments["first_hand"] = position == 0
        net: Fraction = GAMES[game].settle_base(settings, **arguments)
        result = result + net
        if game == "games-of-chance-blackjack" and hand.get("ended") is None:
            tied: bool = GAMES[game].is_equal_sum(
                settings, cards=hand["cards"], dealer=dealer, split=hand.get("split", False)
            )
            if tied:
                ties = ties + 1
    if game == "games-of-chance-blackjack":
        result = result + games_of_chance.give_back_further_dollars(settings, ties)
    return result


def settle_side(
    game: str,
    settings: Settings,
    wager: str,
    *,
    cards: Cards,
    dealer: Cards,
    up_first: bool = True,
    community: Cards = (),
    split: bool = False,
    ended: str | None = None,
) -> Fraction:
    """Net result per 1 staked. With up_first=False the dealer's second card is the up card."""
    in_order = list(dealer)
    if not up_first:
        in_order[0], in_order[1] = in_order[1], in_order[0]
    answer: Fraction = GAMES[game].settle_side(
        settings,
        wager,
        cards=cards,
        dealer=in_order,
        community=community,
        split=split,
        ended=ended,
    )
    return answer
