"""The rule sheet: a compiled game as words, for people and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from upcard.compile.explain import Sentence
    from upcard.compile.rulebook import OptionEntry, Rulebook
    from upcard.compile.tables import GameTables


class Rule(NamedTuple):
    """A sentence of the sheet with the clauses that say it, and marks.

    A mark tells what else it comes from: an option of the house, a reading with the clauses that
    leave it open, an assumption.
    """

    words: str
    clauses: tuple[str, ...]
    marks: tuple[str, ...]
    rows: tuple[tuple[str, str], ...] = ()


class SheetSection(NamedTuple):
    title: str
    rules: tuple[Rule, ...]


def sections(tables: GameTables) -> tuple[SheetSection, ...]:
    """The sheet's sections: the rules by topic, and the order of a round."""
    titles = dict.fromkeys(sentence.section for sentence in tables.rulebook.sentences)
    topics = [
        SheetSection(
            title,
            tuple(
                Rule(
                    sentence.words,
                    sentence.clauses,
                    tuple(_marks(tables.rulebook, sentence)),
                    sentence.rows,
                )
                for sentence in tables.rulebook.sentences
                if sentence.section == title
            ),
        )
        for title in titles
    ]
    steps = tuple(
        Rule(f"{number}. {step.words}", step.clauses, ())
        for number, step in enumerate(tables.round_plan.steps, 1)
    )
    return (*topics, SheetSection("A round, step by step", steps))


def sheet_data(tables: GameTables) -> dict[str, Any]:
    """The sheet as plain data, for JSON."""
    book = tables.rulebook
    return {
        "game": tables.id,
        "version": tables.version,
        "name": tables.name,
        "source": tables.source,
        **tables.head.data,
        "fingerprint": tables.fingerprint,
        "settings": dict(tables.settings),
        "clauses": [
            {
                "id": clause.id,
                "kind": ", ".join(clause.kinds),
                "summary": clause.summary,
                "sets": clause.sets,
                "from": clause.origin,
                "in_force": clause.in_force,
            }
            for clause in book.clauses
        ],
        "options": [
            {
                "name": option.name,
                "allowed": option.allowed,
                "range": option.is_range,
                "default": option.default,
                "value": option.value,
                "clauses": option.clauses,
                "sets": option.sets,
            }
            for option in book.options
        ],
        "readings": [
            {
                "name": reading.name,
                "question": reading.question,
                "answers": reading.answers,
                "default": reading.default,
                "value": reading.value,
                "clauses": reading.clauses,
                "sets": reading.sets,
                "matters": book.matters(*reading.sets),
            }
            for reading in book.readings
        ],
        "assumed": [{"path": item.path, "reason": item.reason} for item in book.assumed],
        "sections": [
            {
                "title": section.title,
                "rules": [rule._asdict() for rule in section.rules],
            }
            for section in sections(tables)
        ],
    }


def allowed_words(option: OptionEntry) -> str:
    """What an option may be: 1 ... 8, or $1 ... $100,000, or one value after the other."""
    allowed = option.allowed
    numbers = [value for value in allowed if isinstance(value, int) and not isinstance(value, bool)]
    in_a_row = len(numbers) == len(allowed) > 2 and numbers == list(
        range(numbers[0], numbers[-1] + 1)
    )
    if option.is_range or in_a_row:
        return f"{option.shown(allowed[0])} ... {option.shown(allowed[-1])}"
    return ", ".join(map(option.shown, allowed))


def _marks(book: Rulebook, sentence: Sentence) -> Iterator[str]:
    in_force = {clause.id for clause in book.clauses if clause.in_force}
    for name in sentence.options:
        yield f"option {name}"
    for reading in book.readings:
        if reading.name in sentence.readings:
            clauses = [clause for clause in reading.clauses if clause in in_force]
            yield f"reading {reading.name} of {', '.join(clauses or reading.clauses)}"
    if sentence.assumed:
        yield "assumed"
    if sentence.unsourced:
        yield "no source yet"
