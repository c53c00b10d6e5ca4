"""The game procedures for a licence, in the order in which charity regulators ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from upcard.money import BASE
from upcard.papers.document import (
    Align,
    Blanks,
    Bullets,
    PaperColumn,
    PaperSection,
    PaperTable,
    Paragraph,
    Part,
)
from upcard.papers.forms.parts import (
    form_paper,
    identity_facts,
    object_words,
    of_section,
    printed_pays,
    rules_parts,
)
from upcard.table.cloth import insurance_pays
from upcard.table.sign import sign_of

if TYPE_CHECKING:
    from upcard.compile.explain import Sentence
    from upcard.compile.tables import GameTables
    from upcard.papers.document import Paper

_EQUIPMENT = (
    "shoe",
    "deck",
    "floor.equipment",
    "floor.layout",
    "floor.marking",
    "floor.lights",
    "table.positions",
    "bonus_card.cards",
)
_DECISIONS = (
    ("Doubling down", ("double",)),
    ("Splitting", ("split",)),
    ("Surrender", ("surrender",)),
    ("Insurance", ("insurance",)),
)
_ACCURATE = "The above is an accurate description of our rules and method of play of this game."


def procedure_form(tables: GameTables) -> Paper:
    """Name, object, rules, equipment, method of play, types of wager, amounts and payouts.

    Every rule of the sheet is in one of them, and in one only.
    """
    left = _Left(tables)
    best = (*tables.rulebook.about("natural.with", "natural.name"), *_over(tables))
    object_ = left.taken(best, "Deal", "Player")
    equipment = left.taken(tables.rulebook.about(*_EQUIPMENT), "Cards", "Table")
    types = tuple(_types(tables, left))
    amounts = left.taken(of_section(tables, "Wagers", "Collection fees"))
    method = left.taken(of_section(tables, "Deal", "Bonus cards and lights", "Player"))
    signals = left.taken(tables.rulebook.about("floor.signals", "floor.handling"))
    payouts = left.taken(of_section(tables, "Who wins"))
    rules = left.taken(tables.rulebook.sentences)
    parts: tuple[Part, ...] = (
        identity_facts(tables),
        PaperSection("The name of the card game", (Paragraph(_name(tables)),)),
        PaperSection(
            "The object of the card game",
            (Paragraph(object_words(tables)), *rules_parts(object_)),
        ),
        PaperSection("The rules of the card game", tuple(_by_topic(rules))),
        PaperSection("The equipment used for the card game", tuple(rules_parts(equipment))),
        PaperSection(
            "The method of play for the card game",
            (_steps(tables), *rules_parts((*method, *signals))),
        ),
        PaperSection("The types of wager for the card game", types),
        PaperSection(
            "The wager amounts for the card game", (_limits(tables), *rules_parts(amounts))
        ),
        PaperSection(
            "The payouts and payout odds for each wager in the card game",
            (_payouts(tables), *rules_parts(payouts)),
        ),
        Paragraph(_ACCURATE),
        Blanks(("Signature of authorized official", "Date")),
    )
    return form_paper(tables, "Game procedures", parts)


def _over(tables: GameTables) -> list[Sentence]:
    """What says when a hand is over."""
    return [one for one in tables.rulebook.sentences if set(one.keys) == {"count.over"}][:1]


class _Left:
    """The sentences that stand nowhere yet."""

    def __init__(self, tables: GameTables) -> None:
        self._left = list(tables.rulebook.sentences)

    def taken(self, asked: Iterable[Sentence], *sections: str) -> list[Sentence]:
        """Take what is left of some sentences, all or those of some sections of the sheet."""
        wanted = list(asked)
        found = [
            one for one in self._left if one in wanted and (not sections or one.section in sections)
        ]
        self._left = [one for one in self._left if one not in found]
        return found


def _name(tables: GameTables) -> str:
    also = ", ".join(tables.also_known_as)
    return f"{tables.name}, also known as {also}" if also else tables.name


def _by_topic(found: list[Sentence]) -> Iterator[Part]:
    for title in dict.fromkeys(one.section for one in found):
        own = [one for one in found if one.section == title]
        yield PaperSection(title, tuple(rules_parts(own)), numbered=False)


def _steps(tables: GameTables) -> Part:
    steps = enumerate(tables.round_plan.steps, 1)
    return Bullets(tuple((str(number), step.words) for number, step in steps))


def _types(tables: GameTables, left: _Left) -> Iterator[Part]:
    """Every wager and everything that adds to one, under its own name."""
    name = tables.money.wagers[BASE].name
    own = left.taken(tables.rulebook.about(f"wagers.{BASE}"), "Wagers")
    words = Paragraph("The wager on the player's hand against the dealer's.")
    yield PaperSection(name, tuple(rules_parts(own)) or (words,), numbered=False)
    for title, keys in _DECISIONS:
        found = left.taken(tables.rulebook.about(*keys), "Player", "Dealer", "Deal")
        if found:
            yield PaperSection(title, tuple(rules_parts(found)), numbered=False)
    sides = left.taken(of_section(tables, "Side wagers"))
    if sides:
        yield PaperSection("Side wagers", tuple(rules_parts(sides)), numbered=False)


def _limits(tables: GameTables) -> PaperTable:
    columns = (PaperColumn("wager", share=1.0), PaperColumn("amount", Align.RIGHT))
    return PaperTable(columns, tuple((one.name, one.limits) for one in sign_of(tables).wagers))


def _payouts(tables: GameTables) -> PaperTable:
    columns = (
        PaperColumn("wager", share=1.0),
        PaperColumn("result", share=1.0),
        PaperColumn("pays", Align.RIGHT),
    )
    rows = [
        (wager.name if place == 0 else "", event, pays)
        for wager in sign_of(tables).wagers
        for place, (event, pays) in enumerate(printed_pays(tables, wager))
    ]
    if pays := insurance_pays(tables):
        rows.append(("Insurance", "Wins", pays))
    return PaperTable(columns, tuple(rows))
