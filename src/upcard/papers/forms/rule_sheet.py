"""The full rule sheet: every rule a sentence with its clauses in the margin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from upcard.papers.document import (
    Align,
    Bullets,
    PaperCell,
    PaperColumn,
    PaperSection,
    PaperTable,
    Paragraph,
    Part,
)
from upcard.papers.forms.parts import MARGIN, form_paper, identity_facts, pay_rows
from upcard.sheet.rules import Rule, allowed_words, sections

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.papers.document import Paper


def rule_sheet(tables: GameTables) -> Paper:
    """Every rule, what can be set, what is read or assumed, and the clauses in our own words."""
    parts: list[Part] = [identity_facts(tables)]
    parts += [
        PaperSection(section.title, tuple(_rules(section.rules))) for section in sections(tables)
    ]
    parts += [*_options(tables), *_readings(tables), *_assumed(tables), *_clauses(tables)]
    return form_paper(tables, "Rule sheet", parts)


def _rules(rules: tuple[Rule, ...]) -> Iterator[Part]:
    items: list[tuple[str, str]] = []
    for rule in rules:
        marks = ", ".join(rule.marks)
        margin = ", ".join(rule.clauses) or marks
        words = f"{rule.words} ({marks})" if rule.clauses and marks else rule.words
        items.append((margin, words))
        if rule.rows:
            yield Bullets(tuple(items), MARGIN)
            yield pay_rows(rule.rows)
            items = []
    if items:
        yield Bullets(tuple(items), MARGIN)


def _options(tables: GameTables) -> Iterator[Part]:
    options = tables.rulebook.options
    if options:
        heads = {"name": 2.0, "value": 1.0, "allowed": 3.0, "by": 2.0}
        table = PaperTable(
            tuple(PaperColumn(head, share=share) for head, share in heads.items()),
            tuple(
                (
                    option.name,
                    PaperCell(option.shown(option.value), bold=True),
                    allowed_words(option),
                    ", ".join(option.clauses) or "the house's own",
                )
                for option in options
            ),
        )
        yield PaperSection("Options: what the house may set", (table,))


def _readings(tables: GameTables) -> Iterator[Part]:
    book = tables.rulebook
    told = [reading for reading in book.readings if book.matters(*reading.sets)]
    parts: list[Part] = []
    for reading in told:
        parts.append(Paragraph(reading.question, bold=True))
        parts.append(
            Bullets(
                tuple(
                    ("in force" if answer == reading.value else "not so", f"{answer}: {words}")
                    for answer, words in reading.answers.items()
                ),
                MARGIN,
            )
        )
        parts.append(Paragraph(f"{reading.name}, {', '.join(reading.clauses)}", quiet=True))
    if parts:
        yield PaperSection("Readings: what the source leaves open", tuple(parts))


def _assumed(tables: GameTables) -> Iterator[Part]:
    told = [item for item in tables.rulebook.assumed if tables.rulebook.matters(item.path)]
    if told:
        columns = (PaperColumn("key", share=1.0), PaperColumn("why", Align.LEFT, 2.0))
        rows = tuple((item.path, item.reason) for item in told)
        yield PaperSection(
            "Assumed: what no clause speaks of", (PaperTable(columns, rows, size=8.5),)
        )


def _clauses(tables: GameTables) -> Iterator[Part]:
    in_force = [clause for clause in tables.rulebook.clauses if clause.in_force]
    if in_force:
        items = tuple((clause.id, clause.summary) for clause in in_force)
        yield PaperSection("Clauses, in our own words", (Bullets(items, MARGIN),))
