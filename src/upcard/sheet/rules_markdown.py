"""The rule sheet as Markdown: a page of a game for documents."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.compile.tables import GameTables
from upcard.pages.markdown import markdown_words as _text
from upcard.sheet.rules import allowed_words, sections


def rules_markdown(tables: GameTables) -> str:
    """The whole page."""
    return "\n".join(_lines(tables)) + "\n"


def _lines(tables: GameTables) -> Iterator[str]:
    head = tables.head
    yield f"# {_text(tables.title)}"
    if head.draft:
        yield from ("", f"**{_text(head.draft)}.**")
    about = [f"`{tables.ref}`", _text(tables.source), _text(head.holds)]
    yield from ("", ". ".join(part for part in about if part) + ".")
    if tables.settings:
        yield from ("", f"With {_text(tables.rulebook.settings_words(tables.settings))}.")
    yield from ("", f"Fingerprint `{tables.fingerprint}`.")
    for section in sections(tables):
        yield from ("", f"## {_text(section.title)}", "")
        for rule in section.rules:
            behind = f" [{', '.join(rule.clauses)}]" if rule.clauses else ""
            marks = f" ({', '.join(rule.marks)})" if rule.marks else ""
            yield f"- {_text(rule.words + behind + marks)}"
            yield from (f"  - {_text(event)}: {_text(pays)}" for event, pays in rule.rows)
    yield from _options(tables)
    yield from _readings(tables)
    told = [item for item in tables.rulebook.assumed if tables.rulebook.matters(item.path)]
    if told:
        yield from ("", "## Assumed", "")
        yield from (f"- `{item.path}`: {_text(item.reason)}" for item in told)
    yield from ("", "## Clauses", "")
    for clause in tables.rulebook.clauses:
        if clause.in_force:
            yield f"- **{_text(clause.id)}** {_text(clause.summary)}"


def _options(tables: GameTables) -> Iterator[str]:
    if not tables.rulebook.options:
        return
    yield from ("", "## Options", "", "| name | value | allowed | by |", "|---|---|---|---|")
    for option in tables.rulebook.options:
        by = ", ".join(option.clauses) or "the house's own"
        cells = (f"`{option.name}`", option.shown(option.value), allowed_words(option), by)
        yield f"| {' | '.join(map(_cell, cells))} |"


def _readings(tables: GameTables) -> Iterator[str]:
    book = tables.rulebook
    told = [reading for reading in book.readings if book.matters(*reading.sets)]
    if told:
        yield from ("", "## Readings", "")
    for reading in told:
        behind = ", ".join(map(_text, reading.clauses))
        yield f"- `{reading.name}`: {_text(reading.question)} ({behind})"
        for answer, words in reading.answers.items():
            mark = " (in force)" if answer == reading.value else ""
            yield f"  - `{answer}`{mark}: {_text(words)}"


def _cell(words: str) -> str:
    return words if words.startswith("`") else _text(words)
