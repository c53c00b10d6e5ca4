"""Contradictions in wagers by rows of conditions: each a sentence that says what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from upcard.cards import RANKS
from upcard.rules.card_conditions import CardCondition, SetCondition
from upcard.rules.card_wagers import CardRow, CardWager
from upcard.rules.final_hands import FINAL_HANDS, OF_BOTH
from upcard.rules.fitting import (
    Counting,
    Ints,
    SeenCards,
    counting_of,
    deck_size,
    fits_row,
    fits_set,
)
from upcard.rules.schema import GameRules
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.rules.load import RuleSet

Finding = tuple[str, str, tuple[str, ...]]

MOST_TOGETHER = 6
"""Rows of a wager that pays all rows that fit."""
DECK_CARDS = 52
_PLAYERS = {"first": 1, "first-two": 2, "first-three": 3, "first-two-and-up-card": 2}
_NOT_FOR_DEALER = ("first", "exactly", "sequence", "between", "dealers_two")
_NOT_FOR_EACH_CARD = ("first", "up", "between", "players_two", "dealers_two")


def card_wagers_work(rules: RuleSet) -> Iterator[Finding]:
    """Wagers by rows of conditions: settled when their cards are known, by conditions that these
    cards can meet; every row pays something sensible and comes before none that covers it.
    """
    for wager_id, wager in rules.game.wagers.items():
        if isinstance(wager, CardWager) and wager.offered:
            here = f"wagers.{wager_id}"
            if wager.cards == FINAL_HANDS:
                yield from _rows_pay(rules.game, wager, here)
                continue
            yield from _settled_fits(rules.game, wager, here)
            yield from _keys_fit(rules.game, wager, here)
            yield from _rows_pay(rules.game, wager, here)
            yield from _rows_can_occur(rules.game, wager, here)


def _settled_fits(game: GameRules, wager: CardWager, here: str) -> Iterator[Finding]:
    keys = (f"{here}.settled", f"{here}.cards")
    if wager.cards == "dealer" and wager.settled != "dealer":
        words = 'the dealer\'s final hand is known only after it: settled = "dealer"'
        yield f"{here}.settled", words, keys
    if wager.cards == "first-three" and wager.settled not in ("third", "dealer"):
        yield f"{here}.settled", 'the third card comes later: settled = "third"', keys
    if _asks_second(wager) and wager.settled == "initial":
        words = 'a row asks for the dealer\'s second card, which is known later: settled = "peek"'
        yield f"{here}.settled", words, keys
    if _asks_second(wager) and game.dealer.natural_cards == "any":
        words = "the dealer's second card is not always the first down card"
        yield f"{here}.rows", words, ("dealer.natural_cards", f"{here}.rows")
    if wager.third_card == "guaranteed" and wager.cards != "first-three":
        words = 'no third card is looked at: third_card is for cards = "first-three"'
        yield f"{here}.third_card", words, (f"{here}.third_card",)


def _asks_second(wager: CardWager) -> bool:
    of_rows = any(row.when.dealers_two is not None for row in wager.rows)
    return wager.cards == "dealers-two" or of_rows


def _keys_fit(game: GameRules, wager: CardWager, here: str) -> Iterator[Finding]:
    place = f"{here}.rows"
    if wager.mode == "each-card" and wager.cards != "first-two-and-up-card":
        words = 'each-card looks at cards beside the up card: cards = "first-two-and-up-card"'
        yield f"{here}.mode", words, (f"{here}.mode", f"{here}.cards")
    if wager.mode == "every-row" and len(wager.rows) > MOST_TOGETHER:
        words = f"at most {MOST_TOGETHER} rows can be paid together, not {len(wager.rows)}"
        yield f"{here}.mode", words, (f"{here}.mode",)
    for row in wager.rows:
        for key in _unfit_keys(wager, row.when):
            words = f'row "{row.event}" cannot ask for {key} with cards = "{wager.cards}"'
            if wager.mode == "each-card":
                words = f'row "{row.event}" cannot ask for {key} where each card has its own row'
            yield place, words, (place,)
        for rank in _ranks_missing(game, row.when):
            words = f'row "{row.event}" asks for a card that is taken out of the deck: {rank}'
            yield place, words, (place, "shoe.removed")
    events = [row.event for row in wager.rows]
    twice = [event for number, event in enumerate(events) if event in events[:number]]
    if twice:
        yield place, f'two rows have the name "{twice[0]}"', (place,)


def _unfit_keys(wager: CardWager, when: CardCondition) -> Iterator[str]:
    unfit: tuple[str, ...] = ()
    if wager.cards == "dealer":
        unfit = _NOT_FOR_DEALER
    elif wager.mode == "each-card":
        unfit = _NOT_FOR_EACH_CARD
    elif wager.cards == "first-three":
        unfit = ("up", "between")
    elif wager.cards == "dealers-two":
        unfit = ("dealers_two",)
    unfit = (*unfit, *OF_BOTH)
    return (key for key in unfit if getattr(when, key) is not None)


def _ranks_missing(game: GameRules, when: CardCondition) -> Iterator[str]:
    """Ranks that a row needs and the deck lacks."""
    removed = set(game.shoe.removed)
    for part in (when, when.players_two, when.dealers_two):
        if part is None:
            continue
        all_of = {*(part.ranks or ()), *(card[0] for card in part.exactly or ())}
        yield from sorted(all_of & removed)
        any_of = [part.only, part.last, part.has.ranks if part.has is not None else None]
        any_of += [part.up] if isinstance(part, CardCondition) else []
        yield from (ranks[0] for ranks in any_of if ranks and set(ranks) <= removed)


def _rows_pay(game: GameRules, wager: CardWager, here: str) -> Iterator[Finding]:
    place = f"{here}.rows"
    decks = game.shoe.decks
    deck = deck_size(game)
    for row in wager.rows:
        shoes = [(one.decks, one.cards) for one in row.pays_with]
        if row.pays is None and (decks, deck) not in shoes:
            has = listed((_shoe(*shoe) for shoe in shoes), "and") or "none"
            words = f'row "{row.event}" has no figure for {_shoe(decks, deck)}: it has {has}'
            yield place, words, (place, "shoe.decks")
        if wager.quoted == "for-1" and any(map(_below_stake, _figures(row))):
            words = f'row "{row.event}" returns less than the stake, so it is no payoff'
            yield place, words, (place, f"{here}.quoted")


def _shoe(decks: int, cards: int) -> str:
    return counted(decks, "deck") + ("" if cards == DECK_CARDS else f" of {cards} cards")


def _figures(row: CardRow) -> list[int | str]:
    return [pays for pays in (row.pays, *(one.pays for one in row.pays_with)) if pays is not None]


def _below_stake(pays: int | str) -> bool:
    figure, _, of = str(pays).partition(":")
    return pays not in (0, "push") and int(figure) < int(of or 1)


# ------------------------------------------------------------------ rows that are never paid


def _rows_can_occur(game: GameRules, wager: CardWager, here: str) -> Iterator[Finding]:
    removed = tuple(sorted(set(game.shoe.removed)))
    aces_low = wager.aces == "low"
    for event, cover in never_paid(wager, counting_of(game, aces_low=aces_low), removed):
        why = f'row "{cover}" comes first wherever it fits' if cover else "no cards fit it"
        words = f'row "{event}" is never paid: {why}'
        yield f"{here}.rows", words, (f"{here}.rows",)


@cache
def never_paid(
    wager: CardWager, counting: Counting, removed: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Rows that no cards of any number of decks are paid, and the row before that takes them."""
    rows = [row.when for row in wager.rows]
    if wager.cards == "dealer":
        return tuple(_stated_before(wager))
    if any(any(_unfit_keys(wager, when)) for when in rows):
        return ()  # which is told already
    fits = _fits(wager, counting, removed)
    found = []
    for number, row in enumerate(wager.rows):
        mine = fits[:, number]
        if not mine.any():
            found.append((row.event, ""))
        elif wager.mode in ("first-row", "each-card"):
            covers = [
                other
                for place, other in enumerate(wager.rows[:number])
                if other.when.dealers_two in (None, row.when.dealers_two)
                and not (mine & ~fits[:, place]).any()
            ]
            found += [(row.event, covers[0].event)] if covers else []
    return tuple(found)


def _stated_before(wager: CardWager) -> Iterator[tuple[str, str]]:
    """Rows that ask for all that an earlier one asks for, and more."""
    if wager.mode != "first-row":
        return
    for number, row in enumerate(wager.rows):
        for other in wager.rows[:number]:
            if all(getattr(row.when, key) == value for key, value in _stated(other.when).items()):
                yield row.event, other.event
                break


def _stated(when: CardCondition) -> dict[str, Any]:
    found = {key: getattr(when, key) for key in CardCondition.__struct_fields__}
    return {key: value for key, value in found.items() if value is not None}


def _fits(
    wager: CardWager, counting: Counting, removed: tuple[str, ...]
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """`[cards, row]` for all cards of the deck."""
    deck = np.array(
        [n for n in range(DECK_CARDS) if RANKS[n % len(RANKS)] not in removed], dtype=np.int64
    )
    rows = [row.when for row in wager.rows]
    if wager.mode == "each-card":
        pairs = _tuples(deck, 2)
        return np.stack([fits_set(when, pairs, counting) for when in rows], axis=1)
    by_two = any(when.players_two is not None or when.between is not None for when in rows)
    by_up = any(when.up is not None or when.between is not None for when in rows)
    players = max(_PLAYERS.get(wager.cards, 0), 2 if by_two else 0)
    up = by_up or wager.cards in ("up-card", "first-two-and-up-card")
    if wager.cards == "dealers-two":
        pairs = _tuples(deck, 2)
        none = pairs[:, :0]
        own = [SetCondition(**_own(when)) for when in rows]
        seen = SeenCards(pairs, none, pairs[:, :1], pairs)
        return np.stack([fits_set(when, seen.cards, counting) for when in own], axis=1)
    every = _tuples(deck, players + up)
    return np.stack(
        [fits_row(_without_second(when), _seen(wager, every, players), counting) for when in rows],
        axis=1,
    )


def _own(when: CardCondition) -> dict[str, Any]:
    return {key: getattr(when, key) for key in SetCondition.__struct_fields__}


def _without_second(when: CardCondition) -> CardCondition:
    stated = _stated(when)
    stated.pop("dealers_two", None)
    return CardCondition(**stated)


def _seen(wager: CardWager, every: Ints, players: int) -> SeenCards:
    own, up = every[:, : _PLAYERS.get(wager.cards, 0)], every[:, players:]
    if wager.cards == "up-card":
        own = up
    if wager.cards == "first-two-and-up-card":
        own = every
    return SeenCards(own, every[:, : min(players, 2)], up, every[:, :0])


def _tuples(deck: Ints, size: int) -> Ints:
    places = np.indices((len(deck),) * size).reshape(size, -1).T
    return np.asarray(deck[places])
