"""The slow oracle: the rules of every game, written from the documents and from nothing else.

It is plain on purpose, and must never import the product.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import ModuleType

from . import (
    blackjack_tie,
    games_of_chance,
    house,
    pure_spanish,
    single_deck,
    ten_sticks,
    twisted,
    vegas_strip,
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
]

GAMES: dict[str, ModuleType] = {
    "blackjack": house,
    "ten-sticks-21": ten_sticks,
    "pure-spanish-21.5": pure_spanish,
    "games-of-chance-blackjack": games_of_chance,
    "twisted-21": twisted,
    "blackjack-tie": blackjack_tie,
    "vegas-strip": vegas_strip,
    "single-deck-6-5": single_deck,
}


def facts(
    game: str,
    settings: Settings,
    cards: Cards,
    *,
    split: bool = False,
    traded: bool = False,
) -> HandFacts:
    """What the hand is."""
    answer: HandFacts = GAMES[game].facts(settings, cards, split=split, traded=traded)
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
) -> Legal:
    """None for each legal action, a reason for each other."""
    answer: Legal = GAMES[game].legal(
        settings,
        cards,
        up,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
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
) -> str:
    """The final class of a player's hand."""
    answer: str = GAMES[game].player_class(settings, cards, split=split, traded=traded)
    return answer


def dealer_class(game: str, settings: Settings, cards: Cards) -> str:
    """The final class of the dealer's hand."""
    answer: str = GAMES[game].dealer_class(settings, cards)
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
) -> Fraction:
    """Net result in cents of the base wager of one hand."""
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
