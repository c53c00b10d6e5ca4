"""Contradictions in what the dealer shows: both cards face up, or what is told of the down card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from upcard.cards import RANKS, rank_name
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules

Finding = tuple[str, str, tuple[str, ...]]
"""Path, message and keys whose clauses are cited."""

_UP = "deal.dealer_up"
_TELLS = "dealer.tells"


def shown_cards_fit(rules: RuleSet) -> Iterator[Finding]:
    """Shown cards: two of the dealer's cards lie face up only where none lies face down; then
    nothing is looked for, insured, told or surrendered before a check. What is told of a down card
    is told of the only one, by groups that every rank of the deck is in once.
    """
    game = rules.game
    if game.deal.dealer_up > 1:
        yield from _nothing_is_hidden(game)
    if game.dealer.tells:
        yield from _told_of_one_card(game)
        yield from _groups_are_whole(game)


def _nothing_is_hidden(game: GameRules) -> Iterator[Finding]:
    if game.deal.dealer_down:
        words = "with two cards face up the dealer has none face down: dealer_down = 0"
        yield "deal.dealer_down", words, (_UP, "deal.dealer_down")
    if game.dealer.checks != "none":
        words = 'both of the dealer\'s cards lie face up, so nobody looks for a natural: "none"'
        yield "dealer.checks", words, (_UP, "dealer.checks")
    if game.insurance.offered:
        words = "both of the dealer's cards lie face up: there is nothing to insure against"
        yield "insurance.offered", words, (_UP, "insurance.offered")
    if game.surrender.when in ("early", "both"):
        words = "both of the dealer's cards lie face up: there is no check to surrender before"
        yield "surrender.when", words, (_UP, "surrender.when")
    if game.dealer.draws_from == "own-cards":
        words = "a dealer with no card face down draws from the shoe"
        yield "dealer.draws_from", words, (_UP, "dealer.draws_from")
    if game.dealer.tells:
        words = "both of the dealer's cards lie face up: there is nothing to tell"
        yield _TELLS, words, (_UP, _TELLS)


def _told_of_one_card(game: GameRules) -> Iterator[Finding]:
    if game.deal.dealer_down != 1 and game.deal.dealer_up == 1:
        words = f"it is told of one down card, and the dealer gets {game.deal.dealer_down}"
        yield _TELLS, words, (_TELLS, "deal.dealer_down")
    if len(game.dealer.tells) == 1:
        words = "one group of all ranks tells nothing: give two groups or more, or leave it out"
        yield _TELLS, words, (_TELLS,)


def _groups_are_whole(game: GameRules) -> Iterator[Finding]:
    told: Counter[str] = Counter(rank for group in game.dealer.tells for rank in group)
    if not all(game.dealer.tells):
        yield _TELLS, "a group has no rank in it", (_TELLS,)
    for rank in RANKS:
        gone = rank in game.shoe.removed
        if gone and told[rank]:
            words = f"every {rank_name(rank)} is taken out of the deck"
            yield _TELLS, words, (_TELLS, "shoe.removed")
        elif not gone and told[rank] != 1:
            times = "in no group" if not told[rank] else f"in {told[rank]} groups"
            yield _TELLS, f"{rank_name(rank)} is {times}: every rank is in one", (_TELLS,)
