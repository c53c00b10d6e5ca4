"""Figures and words that many results share: shares, money, the game and its shoe, plain tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from upcard.cards import RANK_NAMES
from upcard.money import format_cents
from upcard.text import counted, listed

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from upcard.compile.tables import GameTables

FAVOURS = "favours the player"


def percent(value: float, *, signed: bool = True) -> str:
    """A share as people read it.

    >>> percent(0.0033026), percent(-1e-9), percent(0.5, signed=False)
    ('+0.3303%', '0.0000%', '50.0000%')
    """
    figure = f"{100 * value:.4f}"
    if not any(digit in figure for digit in "123456789"):
        return "0.0000%"
    return f"{100 * value:+.4f}%" if signed else f"{figure}%"


def dollars(cents: float) -> str:
    """Cents that may be a fraction of one, as an amount."""
    return format_cents(round(cents))


def shoe_words(tables: GameTables, *, endless: bool = False) -> str:
    """The cards that odds hold for."""
    cards = len(tables.alphabet.cards)
    if endless:
        return f"an endless shoe of {cards}-card decks"
    return f"{counted(tables.alphabet.decks, 'deck')} of {cards} cards"


def symbol_words(tables: GameTables) -> str:
    """What the names of cards stand for that are more than a rank.

    >>> from upcard import tables_for
    >>> symbol_words(tables_for("ten-sticks-21"))
    'T is any ten, jack, queen or king; T* is the bonus card Tc.'
    """
    symbol_of = tables.alphabet.symbol
    words = []
    for number, symbol in enumerate(tables.alphabet.symbols):
        if symbol.marked:
            cards = [card for card in tables.alphabet.cards if symbol_of(card) == number]
            words.append(f"{symbol.name} is the bonus card {listed(cards)}")
        elif len(symbol.ranks) > 1:
            names = (RANK_NAMES[rank] for rank in symbol.ranks)
            words.append(f"{symbol.name} is any {listed(names)}")
    return "; ".join(words) + "." if words else ""


def wager_name(tables: GameTables, wager: str) -> str:
    """What the layout calls a wager; insurance has no place of its own there."""
    known = tables.money.wagers
    return known[wager].name if wager in known else wager.capitalize()


def split_words(tables: GameTables, mode: str) -> str:
    """How splits are priced, where there are any."""
    return (
        f"splits {mode}" if any(tables.effects.splits[action] for action in tables.actions) else ""
    )


def heading(tables: GameTables, *facts: str) -> Text:
    """The game and what the figures hold for."""
    from rich.text import Text

    found = Text.assemble((tables.title, "bold underline"), f"  {tables.ref}\n")
    if tables.head.draft:
        found.append(f"{tables.head.draft}\n", "bold yellow")
    found.append(", ".join(fact for fact in facts if fact), "dim")
    if tables.settings:
        chosen = tables.rulebook.settings_words(tables.settings)
        found.append(f"\nwith {chosen}", "yellow")
    return found


def ratio_words(ratios: Mapping[str, float]) -> str:
    return ", ".join(
        f"{wager} at {ratio:g} base {'wager' if ratio == 1 else 'wagers'}"
        for wager, ratio in ratios.items()
    )


def grid(*columns: str, left: int = 1) -> Table:
    """A table without lines; the first columns to the left, figures to the right."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 0, 0, 2), header_style="dim")
    for number, name in enumerate(columns):
        if number < left:
            table.add_column(name)
        else:
            table.add_column(name, justify="right", no_wrap=True)
    return table
