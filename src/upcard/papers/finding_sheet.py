"""A finding on one page, for the designer of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import percent
from upcard.papers import finding_words as words
from upcard.papers.document import (
    Align,
    Banner,
    Bullets,
    Facts,
    Listing,
    PaperCell,
    PaperColumn,
    PaperTable,
    Paragraph,
    Part,
)
from upcard.papers.forms.parts import form_paper, plain_section

if TYPE_CHECKING:
    from upcard.papers.document import Paper
    from upcard.papers.finding import Case, Finding

_SHADE = "#fbe3df"
"""The ground of what favours the player."""


def finding_sheet(found: Finding) -> Paper:
    """Headline, every case with its edge, the pay it would take, and how to see it again."""
    remedies = [row for remedy in found.remedies for row in words.remedy_rows(found, remedy)]
    notes = [note for remedy in found.remedies for note in words.remedy_notes(found, remedy)]
    first, second = words.headline(found)
    parts: list[Part] = [Banner(first, second)]
    parts.append(plain_section("What the bank has on every wager", _cases(found), *_bets(found)))
    if remedies or notes:
        wanted = "The pay that would be needed"
        parts.append(plain_section(wanted, *_rows(remedies), *_quiet(notes)))
    if found.room:
        title = "How far it is: the pay from which on a wager favours the player"
        parts.append(plain_section(title, *_rows(words.room_rows(found))))
    parts += _lights(found)
    told = [f"{asks} {answer}" for _, asks, answer in words.readings_told(found)]
    names = [name for name, _, _ in words.readings_told(found)]
    if told:
        items = tuple(zip(names, told, strict=True))
        parts.append(plain_section("Where another reading turns a wager", Bullets(items)))
    seen = Listing("\n".join(words.commands(found)))
    parts.append(plain_section("See it again", Paragraph(words.method_words(found)), seen))
    return form_paper(
        found.tables, "What the rule sheet gives away", parts, scale=1.2, one_page=True
    )


def _cases(found: Finding) -> PaperTable:
    columns = (
        PaperColumn("wager", share=2.2),
        PaperColumn("in which case", share=3.0),
        PaperColumn("bank's edge", Align.RIGHT, 1.0),
        PaperColumn("", share=1.9),
    )
    return PaperTable(columns, tuple(_case(found, case) for case in found.cases), size=9.0)


def _case(found: Finding, case: Case) -> tuple[PaperCell, ...]:
    favours = case.favours_player
    texts = (
        case.name,
        words.case_words(found, case),
        percent(case.edge),
        "favours the player" if favours else "",
    )
    shade = _SHADE if favours else ""
    return tuple(PaperCell(text, bold=favours, shade=shade) for text in texts)


def _bets(found: Finding) -> Iterator[Part]:
    if found.by_bet:
        edges = (f"{format_cents(bet)} {percent(edge)}" for bet, edge in found.by_bet.items())
        yield Paragraph(f"The main wager by its size: {', '.join(edges)}.")


def _rows(rows: Iterable[words.RemedyRow]) -> Iterator[Part]:
    columns = (
        PaperColumn("wager", share=2.2),
        PaperColumn("figure", share=1.8),
        PaperColumn("pays", share=0.9),
        PaperColumn("would pay", share=1.8),
        PaperColumn("edge then", Align.RIGHT, 1.0),
    )
    cells = tuple(
        (row.wager, row.figure, row.now, PaperCell(row.would, bold=True), row.edge) for row in rows
    )
    if cells:
        yield PaperTable(columns, cells, size=9.0)


def _quiet(notes: Iterable[str]) -> Iterator[Part]:
    for note in notes:
        yield Paragraph(note, quiet=True)


def _lights(found: Finding) -> Iterator[Part]:
    for case in found.lights:
        facts = tuple(words.lights_facts(found, case))
        yield plain_section(words.lights_title(found, case), Facts(facts))
