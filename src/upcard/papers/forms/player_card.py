"""The player's card: on one page, what somebody needs who sits down for the first time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from upcard.papers.document import (
    Align,
    Bullets,
    PaperColumn,
    PaperSection,
    PaperTable,
    Paragraph,
    Part,
    Sheet,
    SideBySide,
    Stacked,
)
from upcard.papers.forms.parts import (
    dealer_name,
    form_paper,
    object_words,
    of_section,
    pays_of,
    plain_section,
)
from upcard.table.sign import sign_of

if TYPE_CHECKING:
    from upcard.compile.explain import Sentence
    from upcard.compile.tables import GameTables
    from upcard.papers.document import Paper

_LETTERS = 7.5
_LINE = 50
"""Letters that fit on a line of one column."""
_NOT_FOR_PLAYERS = ("shoe.", "irregularities", "floor.", "limits.chip", "limits.rounding")
"""Keys of what the house does with cards and chips, which nobody who plays has to know."""


def player_card(tables: GameTables) -> Paper:
    """Object, round, decisions, the dealer's play, who wins and what is paid."""
    flowing = (
        *_list("The cards", _of_cards(tables)),
        plain_section("A round", _steps(tables)),
        *_list("Bonus cards and lights", _told(tables, "Bonus cards and lights")),
        *_list("What you may do", _told(tables, "Player")),
        *_list(f"The {dealer_name(tables)}", _told(tables, "Dealer")),
        *_list("Who wins", _told(tables, "Who wins")),
        *_list("Side wagers", _told(tables, "Side wagers")),
    )
    pays = plain_section("What it pays", *_pays(tables))
    half = _break(flowing, sum(len(rows) + 2 for _, rows in pays_of(tables)))
    left, right = Stacked(flowing[:half]), Stacked((pays, *flowing[half:]))
    parts: tuple[Part, ...] = (
        Paragraph(object_words(tables), bold=True),
        SideBySide((left, right)),
    )
    return form_paper(tables, "How to play", parts, sheet=Sheet.A5, scale=1.25, one_page=True)


def _break(flowing: tuple[PaperSection, ...], pays: int) -> int:
    """How many of the sections stand left of what is paid, so that both sides are as long."""
    lines = [_lines(section) for section in flowing]
    longer = {
        half: max(sum(lines[:half]), pays + sum(lines[half:])) for half in range(len(lines) + 1)
    }
    return min(longer, key=longer.__getitem__)


def _lines(section: PaperSection) -> int:
    bullets = (part for part in section.parts if isinstance(part, Bullets))
    return 3 + sum(1 + len(words) // _LINE for part in bullets for _, words in part.items)


def _of_cards(tables: GameTables) -> Iterator[Sentence]:
    naturals = tables.rulebook.about("natural.with", "natural.total", "natural.name")
    counts = tables.rulebook.about("count", "shoe.decks", "deck", "bonus_card.cards")
    for sentence in of_section(tables, "Cards", "Deal"):
        if sentence in counts or sentence in naturals:
            yield sentence


def _told(tables: GameTables, section: str) -> Iterator[Sentence]:
    for sentence in of_section(tables, section):
        if not all(key.startswith(_NOT_FOR_PLAYERS) for key in sentence.keys):
            yield sentence


def _list(title: str, found: Iterable[Sentence]) -> Iterator[PaperSection]:
    items = tuple(("", sentence.words) for sentence in found)
    if items:
        yield plain_section(title, Bullets(items))


def _steps(tables: GameTables) -> Part:
    steps = enumerate(tables.round_plan.steps, 1)
    return Bullets(tuple((str(number), step.words) for number, step in steps))


def _pays(tables: GameTables) -> Iterator[Part]:
    """What every wager pays, and its limits."""
    limits = {wager.name: wager.limits for wager in sign_of(tables).wagers}
    for title, rows in pays_of(tables):
        columns = (
            PaperColumn(title, share=1.0),
            PaperColumn(limits.get(title, ""), Align.RIGHT),
        )
        yield PaperTable(columns, rows, size=_LETTERS)
