"""What `upcard compare` and `print(comparison)` show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, percent, shoe_words, split_words, wager_name
from upcard.pages.page import Printer, indented
from upcard.text import counted

if TYPE_CHECKING:
    from rich.text import Text

    from upcard.compile.explain import Sentence
    from upcard.compile.tables import GameTables
    from upcard.papers.comparison import Comparison


def show_comparison(found: Comparison, out: Printer) -> None:
    """The edges of both games, then rule by rule what differs."""
    from rich.text import Text

    names = _names(found.one, found.other)
    for mark, tables in zip("AB", (found.one, found.other), strict=True):
        out.print(Text.assemble((f"{mark}  ", "bold"), (tables.title, "bold"), f"  {tables.ref}"))
        facts = [shoe_words(tables), *_settings(tables)]
        out.print(indented(Text(", ".join(facts), "dim"), 3))
    out.print()
    _show_edges(found, names, out)
    section = ""
    for difference in found.differences:
        if difference.section != section:
            section = difference.section
            out.print()
            out.print(Text(section, "bold"))
        only = "" if difference.one and difference.other else " only"
        _show_sentences(f"A{only}", difference.one, "red", out)
        _show_sentences(f"B{only}", difference.other, "green", out)
    out.print()
    differing = counted(len(found.differences), "difference")
    out.print(Text(f"{differing}, {counted(found.same, 'rule')} in the same words.", "dim"))


def _names(one: GameTables, other: GameTables) -> tuple[str, str]:
    return (one.name, other.name) if one.name != other.name else ("A", "B")


def _settings(tables: GameTables) -> list[str]:
    return [tables.rulebook.settings_words(tables.settings)] if tables.settings else []


def _show_edges(found: Comparison, names: tuple[str, str], out: Printer) -> None:
    from rich.text import Text

    table = grid("wager", *names, "B less A")
    for wager in found.wagers:
        one, other = (evs.get(wager) for evs in found.evs)
        less = "" if one is None or other is None else percent(one - other)
        table.add_row(_wager_name(found, wager), _edge(one), _edge(other), less)
    out.print(table)
    splits = split_words(found.one, found.mode) or split_words(found.other, found.mode)
    facts = (
        "Edges",
        f"wager {' and '.join(dict.fromkeys(map(format_cents, found.bets)))}",
        "each game with its own best play",
        splits,
    )
    out.print(indented(Text(", ".join(fact for fact in facts if fact) + ".", "dim"), 2))


def _edge(ev: float | None) -> Text:
    from rich.text import Text

    if ev is None:
        return Text("not there", "dim")
    return Text(percent(-ev), "bold green" if ev > 0 else "")


def _wager_name(found: Comparison, wager: str) -> str:
    both = zip((found.one, found.other), found.evs, strict=True)
    return " / ".join(dict.fromkeys(wager_name(own, wager) for own, evs in both if wager in evs))


def _show_sentences(mark: str, said: Sequence[Sentence], style: str, out: Printer) -> None:
    from rich.text import Text

    for sentence in said:
        line = Text.assemble((f"{mark}  ", f"bold {style}"), sentence.words)
        if sentence.clauses:
            line.append(f" [{', '.join(sentence.clauses)}]", "cyan")
        out.print(indented(line, 2))
        for event, pays in sentence.rows:
            out.print(indented(Text(f"{event}  {pays}"), 7))
