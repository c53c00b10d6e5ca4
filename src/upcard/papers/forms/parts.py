"""What all forms have alike: their head, their foot, and rules as parts of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from upcard.compile.hands import total_name
from upcard.compile.observers import ShowdownObserver
from upcard.money import BASE
from upcard.papers.document import (
    Align,
    Bullets,
    Callout,
    Facts,
    Paper,
    PaperColumn,
    PaperSection,
    PaperTable,
    Part,
    Sheet,
)
from upcard.table.cloth import OTHER_FELT, insurance_pays
from upcard.table.sign import sign_of
from upcard.text import sentence_case

if TYPE_CHECKING:
    from upcard.compile.explain import Sentence
    from upcard.compile.tables import GameTables
    from upcard.table.sign import WagerSign

MARGIN = 0.16
"""Share of the width that clauses have."""
STAMP = 16
"""Digits of a fingerprint that a foot has room for."""


def form_paper(
    tables: GameTables,
    form: str,
    parts: Iterable[Part],
    *,
    sheet: Sheet = Sheet.A4,
    landscape: bool = False,
    scale: float = 1.0,
    one_page: bool = False,
) -> Paper:
    """A paper in the colour of the game's felt; a draft is called one at its head and foot."""
    head = tables.head
    subtitle = " · ".join(filter(None, (form, head.holds)))
    draft: tuple[Part, ...] = (Callout("DRAFT", f"{head.draft}."),) if head.draft else ()
    return Paper(
        title=tables.title,
        subtitle=subtitle,
        parts=(*draft, *parts),
        footer=foot(tables, form),
        sheet=sheet,
        landscape=landscape,
        accent=head.felt or OTHER_FELT,
        scale=scale,
        one_page=one_page,
    )


def foot(tables: GameTables, form: str) -> str:
    """What stands on every page: which game by which rules."""
    chosen = tables.rulebook.settings_words(tables.settings) if tables.settings else ""
    found = (
        f"{tables.title}: {form[0].lower()}{form[1:]}",
        tables.ref,
        tables.head.holds,
        chosen and f"with {chosen}",
        f"fingerprint {tables.fingerprint[:STAMP]}",
    )
    return " · ".join(filter(None, found))


def identity_facts(tables: GameTables) -> Facts:
    """Source, place and time, settings, and the whole fingerprint."""
    head = tables.head
    rows = (
        ("Game", f"{tables.name} ({tables.ref})"),
        ("Also known as", ", ".join(tables.also_known_as)),
        ("Source", tables.source),
        ("Holds", head.holds),
        ("Set by the house", tables.rulebook.settings_words(tables.settings)),
        ("Fingerprint", tables.fingerprint),
    )
    return Facts(tuple(row for row in rows if row[1]))


def dealer_name(tables: GameTables) -> str:
    """Who plays against the players."""
    return "dealer" if tables.money.house_banks else "player-dealer"


def object_words(tables: GameTables) -> str:
    """What a player tries to do.

    >>> from upcard import tables_for
    >>> object_words(tables_for("pure-spanish-21.5"))
    'Come closer to 21.5 than the player-dealer without going over.'
    """
    best = max(found.total for found in tables.player_classes)
    return f"Come closer to {total_name(best)} than the {dealer_name(tables)} without going over."


def of_section(tables: GameTables, *titles: str) -> tuple[Sentence, ...]:
    """The sentences of some sections of the sheet."""
    return tuple(one for one in tables.rulebook.sentences if one.section in titles)


def rules_parts(found: Iterable[Sentence], *, clauses: bool = True) -> Iterator[Part]:
    """Sentences as a list, with their clauses in the margin; pay tables below theirs."""
    items: list[tuple[str, str]] = []
    margin = MARGIN if clauses else 0.0
    for sentence in found:
        items.append((provenance(sentence) if clauses else "", sentence.words))
        if sentence.rows:
            yield Bullets(tuple(items), margin)
            yield pay_rows(sentence.rows)
            items = []
    if items:
        yield Bullets(tuple(items), margin)


def provenance(sentence: Sentence) -> str:
    """Where a rule comes from, in the words of a margin."""
    if sentence.clauses:
        return ", ".join(sentence.clauses)
    if sentence.options:
        return "the house's option"
    return "assumed" if sentence.assumed else "as read"


def pay_rows(rows: Iterable[tuple[str, str]], *, size: float = 9.0) -> PaperTable:
    """Events with what they pay, without heads."""
    columns = (PaperColumn("", share=1.0), PaperColumn("", Align.RIGHT))
    return PaperTable(columns, tuple((event, pays) for event, pays in rows), size=size)


def plain_section(title: str, *parts: Part) -> PaperSection:
    """A section without a number."""
    return PaperSection(title, parts, numbered=False)


class WagerPays(NamedTuple):
    """A heading, and events with what they pay, the most first."""

    title: str
    rows: tuple[tuple[str, str], ...]


def pays_of(tables: GameTables) -> tuple[WagerPays, ...]:
    """What every wager pays as it is printed; wagers that can only be won in one way together.

    >>> from upcard import tables_for
    >>> [found.title for found in pays_of(tables_for("twisted-21"))]
    ['Twisted 21', 'Stud Bonus', 'Other wagers']
    """
    alone: list[WagerPays] = []
    simple: list[tuple[str, str]] = []
    for wager in sign_of(tables).wagers:
        rows = printed_pays(tables, wager)
        if len(rows) > 1 or wager.id == BASE:
            alone.append(WagerPays(wager.name, rows))
        else:
            simple += [(wager.name, pays) for _, pays in rows]
    if pays := insurance_pays(tables):
        simple.append(("Insurance", pays))
    return (*alone, *([WagerPays("Other wagers", tuple(simple))] if simple else ()))


def printed_pays(tables: GameTables, wager: WagerSign) -> tuple[tuple[str, str], ...]:
    """What a wager pays, the most first, in the words of its printed pay table if it has one."""
    observer = tables.observers.get(wager.id)
    rows = () if observer is None or isinstance(observer, ShowdownObserver) else observer.rows
    printed = {row.event: row.printed for row in rows if row.printed}
    return tuple(
        (sentence_case(event) if event else "Wins", printed.get(event, odds))
        for event, odds in reversed(wager.pays)
    )
