"""Third cards that wagers look at, and that whoever surrenders gives up with the hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from upcard.cards import DECK
from upcard.compile.card_observer import CardObserver
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.base_game import BaseGame
from upcard.solve.observers import depends_on_play
from upcard.solve.solution import Solution


def waits_for_third(tables: GameTables, wager: str) -> CardObserver | None:
    """The observer of a wager that has its third card in any case but after a surrender."""
    observer = tables.observers.get(wager)
    if not isinstance(observer, CardObserver) or not observer.looks_at_third:
        return None
    return observer if observer.guaranteed and Action.SURRENDER in tables.actions else None


def gives_up_third(game: BaseGame, wager: str, solution: Solution) -> bool:
    """Whether a play surrenders first cards of which the third still makes a difference."""
    observer = waits_for_third(game.tables, wager)
    if observer is None:
        return False
    return any(_still_open(game, observer, *two) for two in _surrendered(game, solution))


def _surrendered(game: BaseGame, solution: Solution) -> Iterator[tuple[int, int]]:
    """The first two cards that a play surrenders against some up card, as symbols."""
    gives_up = int(Action.SURRENDER)
    found = set()
    for up, solved in solution.ups.items():
        for one, two, node, chance in game.deal_chances(up):
            now = gives_up in (int(solved.early_choice[node]), int(solved.choice[0, node]))
            if now and chance > 0:
                found.add((one, two))
    yield from sorted(found)


def _still_open(game: BaseGame, observer: CardObserver, one: int, two: int) -> bool:
    """Whether some cards of these symbols are paid by what comes third."""
    of_card = game.tables.alphabet.of_card
    cards = [[card.number for card in DECK if of_card[card.number] == s] for s in (one, two)]
    thirds = [card.number for card in DECK]
    return any(
        observer.decided(pair, pair[0], seconds=(), thirds=thirds) is None
        for pair in product(*cards)
    )


def third_card_by_play(tables: GameTables, wager: str) -> bool:
    """Whether a third card that a wager looks at comes by the play alone, or may be given up."""
    return depends_on_play(tables, wager) or waits_for_third(tables, wager) is not None


def check_adapted(tables: GameTables, wagers: Iterable[str]) -> None:
    """Refuse play for wagers whose third card it decides: that is not worked out."""
    for wager in wagers:
        if third_card_by_play(tables, wager):
            raise UpcardError(
                f"whether a third card comes for {wager} goes by the play, and play that looks to "
                "it is not worked out: leave it out of the wagers that play is for"
            )
