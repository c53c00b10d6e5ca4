"""Contradictions in wagers on how both hands have ended."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from upcard.rules.card_conditions import CardCondition
from upcard.rules.card_wagers import CardWager
from upcard.rules.final_hands import (
    FINAL_HANDS,
    OF_BOTH,
    OF_PLAYER,
    FinalHand,
    cards_told_apart,
    final_wagers,
    fits_both,
    of_player,
)
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules
from upcard.text import listed

Finding = tuple[str, str, tuple[str, ...]]

_MODES = ("first-row", "best-row")
_FEWEST = 2


def final_hands_work(rules: RuleSet) -> Iterator[Finding]:
    """Wagers on both final hands: settled after the dealer's hand, one row paid, by the number of
    cards, the total, a natural or a bust of either hand, or by how they compare; numbers of cards
    not in games with bonuses, whose classes are told apart otherwise.
    """
    game = rules.game
    for wager_id, wager in final_wagers(game):
        here = f"wagers.{wager_id}"
        yield from _keys_fit(wager, here)
        yield from _rows_are_paid(game, wager, here)
    own, _ = cards_told_apart(game)
    if own and game.bonuses is not None:
        words = "a row cannot ask how many cards the player's hand has in a game with bonuses"
        yield "wagers", f'{words}: let it go by "total", or by cards of the dealer\'s', ("bonuses",)


def _keys_fit(wager: CardWager, here: str) -> Iterator[Finding]:
    place = f"{here}.rows"
    if wager.settled != "dealer":
        words = 'both hands are known only after the dealer\'s: settled = "dealer"'
        yield f"{here}.settled", words, (f"{here}.settled", f"{here}.cards")
    if wager.mode not in _MODES:
        words = f"one row is paid by final hands: mode = {listed((f'{m!r}' for m in _MODES), 'or')}"
        yield f"{here}.mode", words.replace("'", '"'), (f"{here}.mode",)
    if wager.aces != "best":
        words = 'hands that have ended are counted as in the game: aces = "best"'
        yield f"{here}.aces", words, (f"{here}.aces",)
    for row in wager.rows:
        for key in unfit_keys(row.when):
            words = f'row "{row.event}" cannot ask for {key} with cards = "{FINAL_HANDS}"'
            can = listed((*OF_PLAYER, *OF_BOTH), "and")
            yield place, f"{words}: {can} are what it may ask", (place,)
        for name, one in (("it", of_player(row.when)), ("dealers_final", row.when.dealers_final)):
            if one is not None and one.bust and (one.total is not None or one.cards is not None):
                which = "hand" if name == "it" else "dealer's hand"
                words = f'row "{row.event}" asks for a {which} that is over, and for its cards or'
                yield place, f"{words} total, which do not count then: leave them out", (place,)


def unfit_keys(when: CardCondition) -> Iterator[str]:
    """What a row asks that final hands do not say."""
    for key in CardCondition.__struct_fields__:
        if key not in (*OF_PLAYER, *OF_BOTH) and getattr(when, key) is not None:
            yield key


def _rows_are_paid(game: GameRules, wager: CardWager, here: str) -> Iterator[Finding]:
    """Every row fits some hands, and with the first row that fits some that no other takes."""
    if any(any(unfit_keys(row.when)) for row in wager.rows):
        return  # which is told already
    place = f"{here}.rows"
    players = list(_hands(game, 2 * game.count.ace[0], cards_told_apart(game)[0]))
    dealers = list(_hands(game, game.dealer.stands_on, cards_told_apart(game)[1]))
    taken: set[tuple[FinalHand, FinalHand]] = set()
    for row in wager.rows:
        mine = {both for both in product(players, dealers) if fits_both(row.when, *both)}
        if not mine:
            yield place, f'row "{row.event}" is never paid: no hands fit it', (place,)
        elif wager.mode == "first-row" and mine <= taken:
            words = f'row "{row.event}" is never paid: rows before it come first wherever it fits'
            yield place, words, (place,)
        taken |= mine
    events = [row.event for row in wager.rows]
    twice = [event for number, event in enumerate(events) if event in events[:number]]
    if twice:
        yield place, f'two rows have the name "{twice[0]}"', (place,)


def _hands(game: GameRules, least: int, counted: int) -> Iterator[FinalHand]:
    """What a hand may end as, as far as rows tell them apart."""
    yield FinalHand(0, 0, bust=True)
    yield FinalHand(game.natural.total, _FEWEST, natural=True)
    for total in range(least, int(game.count.over) + 1):
        for cards in range(_FEWEST, max(counted, _FEWEST) + 1):
            yield FinalHand(total, cards)
