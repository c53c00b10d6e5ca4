"""The rule sheet of a table as a document with places that links lead to.

The scheme of anchors, for everything that leads from a word at the table to its rule:
`clause-<ID>`, `wager-<id>`, `action-<name>`, `option-<name>`, `reading-<name>`, a topic (`lights`,
`fees`, `shoe`, `bank`, `dealer`, `deal`, `table`, `wagers`, `player`, `who-wins`, `side-wagers`,
`mistakes`, `round`), and `clauses`, `options`, `readings`, `assumed`, `limits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from upcard.compile.context import Action
from upcard.money import INSURANCE
from upcard.sheet.rules import Rule, sections
from upcard.table.sign import sign_of

if TYPE_CHECKING:
    from upcard.compile.rulebook import ClauseEntry, OptionEntry, ReadingEntry
    from upcard.compile.tables import GameTables
    from upcard.table.sign import Sign

TOPICS = {
    "The game": "game",
    "Cards": "shoe",
    "Table": "table",
    "Bank": "bank",
    "Wagers": "wagers",
    "Collection fees": "fees",
    "Deal": "deal",
    "Bonus cards and lights": "lights",
    "Player": "player",
    "Dealer": "dealer",
    "Who wins": "who-wins",
    "Side wagers": "side-wagers",
    "Mistakes of the deal": "mistakes",
    "A round, step by step": "round",
}
"""Sections of the sheet and their places."""

ACTION_KEYS: Mapping[Action, tuple[str, ...]] = {
    Action.DOUBLE: ("double",),
    Action.REDOUBLE: ("double",),
    Action.SPLIT: ("split",),
    Action.SURRENDER: ("surrender",),
    Action.RESCUE: ("double.rescue",),
    Action.INSURE: ("insurance",),
    Action.DECLINE: ("insurance",),
    Action.KEEP: ("exchange.cards",),
    Action.TRADE: ("exchange.cards",),
    Action.FREE_DOUBLE: ("double.free_on", "double.free_cards"),
    Action.FREE_SPLIT: ("split.free",),
    Action.SWITCH: ("exchange.cards",),
    Action.REPLACE: ("exchange.cards", "exchange.only"),
}
"""Keys of the rules that speak of an action."""


@dataclass(frozen=True)
class DocumentRule:
    """A rule with its place, and further places that lead to it."""

    rule: Rule
    place: str
    more: tuple[str, ...] = ()


class Section(NamedTuple):
    """A section with its place."""

    title: str
    place: str
    rules: tuple[DocumentRule, ...]


@dataclass(frozen=True)
class Document:
    """Everything that the page of rules shows."""

    tables: GameTables
    sign: Sign
    sections: tuple[Section, ...]

    @property
    def clauses(self) -> tuple[ClauseEntry, ...]:
        return self.tables.rulebook.clauses

    @property
    def options(self) -> tuple[OptionEntry, ...]:
        return self.tables.rulebook.options

    @property
    def readings(self) -> tuple[ReadingEntry, ...]:
        """The open questions, those that matter under the settings first."""
        book = self.tables.rulebook
        return tuple(sorted(book.readings, key=lambda reading: not book.matters(*reading.sets)))

    def cited_by(self) -> dict[str, list[DocumentRule]]:
        """The rules that a clause says, by clause."""
        found: dict[str, list[DocumentRule]] = {}
        for section in self.sections:
            for item in section.rules:
                for clause in item.rule.clauses:
                    found.setdefault(clause, []).append(item)
        return found


def clause_place(clause: str) -> str:
    """
    >>> clause_place("TW-5"), clause_place("PS-O3a")
    ('clause-TW-5', 'clause-PS-O3a')
    """
    return f"clause-{_plain(clause)}"


def document_of(tables: GameTables) -> Document:
    """The sheet of a compiled game, every rule with its places.

    >>> from upcard.compile.tables import tables_for
    >>> found = document_of(tables_for("blackjack-tie"))
    >>> [item.rule.words for s in found.sections for item in s.rules if "wager-tie-18" in item.more]
    ['Tie 18: a tie at 18 pays 55 to 1.']
    """
    wanted = dict(_wanted(tables))
    found = []
    for number, section in enumerate(sections(tables)):
        place = TOPICS.get(section.title, f"section-{number}")
        rules = []
        for count, rule in enumerate(section.rules, 1):
            more = [name for name, sentences in wanted.items() if rule.words in sentences]
            if place == "player" and count == 1:
                more += [name for name, sentences in wanted.items() if not sentences]
            for name in more:
                wanted.pop(name, None)  # a place is one place: the first rule that speaks of it
            rules.append(DocumentRule(rule, f"{place}-{count}", tuple(more)))
        found.append(Section(section.title, place, tuple(rules)))
    return Document(tables, sign_of(tables), tuple(found))


def _wanted(tables: GameTables) -> Iterator[tuple[str, set[str]]]:
    """Places of wagers and actions, with the sentences that speak of them."""
    book = tables.rulebook
    for wager, plan in tables.money.wagers.items():
        about = {sentence.words for sentence in book.about(f"wagers.{wager}")}
        named = {
            s.words
            for s in book.sentences
            if s.words.startswith(plan.name) and s.section != "The game"
        }
        yield f"wager-{_plain(wager)}", about & named or named or about
    for action in tables.actions:
        keys = ACTION_KEYS.get(action, ())
        yield f"action-{_plain(action.name.lower())}", {s.words for s in book.about(*keys)}
    insured = {sentence.words for sentence in book.about(INSURANCE)}
    if insured:
        yield f"wager-{INSURANCE}", insured


def _plain(text: str) -> str:
    return re.sub(r"[^\w.-]", "-", text)
