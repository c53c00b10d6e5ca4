"""What a report begins with: what was found, the rules by clause, the shoe."""

from __future__ import annotations

from collections.abc import Iterator

from upcard import __version__
from upcard.compile.rulebook import ReadingEntry
from upcard.compile.tables import GameTables
from upcard.money import BASE, format_cents
from upcard.pages.figures import FAVOURS, percent, shoe_words, split_words
from upcard.papers import document as doc
from upcard.papers.report.cells import number, share, table
from upcard.papers.report.gathering import Figures
from upcard.sheet.rules import Rule, allowed_words, sections
from upcard.solve.result import WagerOdds

NO_CLAUSE = "-"
"""Beside a sentence that rests on no clause."""


def summary(found: Figures) -> doc.PaperSection:
    """The game, and every wager in one line."""
    return doc.PaperSection(
        "Summary",
        (
            *_warnings(found),
            doc.Callout(_headline(found), _second_line(found)),
            doc.Facts(tuple(_facts(found))),
            _wagers(found),
            doc.Paragraph(
                "The edge is the bank's expected win as a share of the first stake, the element of "
                "risk the same as a share of all that comes to be staked in the round. Hit "
                "frequency is how often the wager wins something. Deviation and skewness are of "
                "one wager, in units of its first stake. A negative edge favours the player.",
                quiet=True,
            ),
        ),
    )


def _warnings(found: Figures) -> Iterator[doc.Part]:
    head = found.tables.head
    if head.draft:
        yield doc.Callout("DRAFT", head.draft)


def _headline(found: Figures) -> str:
    base = found.odds.wagers[BASE]
    words = f"{base.name}: an edge of {percent(base.edge)} with the best play"
    return f"{words}, which {FAVOURS}." if base.favours_player else f"{words}."


def _second_line(found: Figures) -> str:
    base = found.odds.base
    z = found.simulated.wagers[BASE].z
    rounds = found.simulated.outcome.rounds
    words = (
        f"The chart of basic play gives up {share(base.basic_cost)} against it. "
        f"{rounds:,} random rounds of basic play lie "
    )
    if z is None:
        return f"The chart of basic play gives up {share(base.basic_cost)} against it."
    return f"{words}{abs(z):.2f} standard errors from its exact value."


def _facts(found: Figures) -> Iterator[tuple[str, str]]:
    tables, odds = found.tables, found.odds
    yield "Game", f"{tables.name} ({tables.id}), version {tables.version} of its rules"
    yield "Fingerprint", f"SHA-256 {tables.fingerprint}"
    yield "Source", tables.source
    if tables.head.holds:
        yield "In force", tables.head.holds
    settings = tables.rulebook.settings_words(tables.settings) if tables.settings else ""
    yield "Settings", settings or "every option and reading as the game file has it"
    yield "Shoe", f"{shoe_words(tables)}, fresh for every round"
    yield "Base wager", format_cents(odds.bet)
    play = "composition-dependent optimal play"
    splits = split_words(tables, odds.mode)
    yield "Play", f"{play}, {splits}" if splits else play
    yield "Bank", "the house" if tables.money.house_banks else "a player, with fees to the house"
    yield "Software", f"Upcard {__version__}"


def _wagers(found: Figures) -> doc.PaperTable:
    titles = ("wager", "edge", "element of risk", "wins", "deviation", "skewness", "method")
    return table(
        titles,
        (_wager_row(priced) for priced in found.odds.wagers.values()),
        "Every wager of the game, off the top of a fresh shoe.",
    )


def _wager_row(priced: WagerOdds) -> tuple[doc.PaperCell | str, ...]:
    return (
        doc.PaperCell(priced.name, small=FAVOURS if priced.favours_player else ""),
        doc.PaperCell(percent(priced.edge), bold=True),
        percent(priced.element_of_risk),
        share(priced.hit_frequency),
        number(priced.sd),
        number(priced.skewness),
        "exact*" if priced.error else "exact",
    )


# ------------------------------------------------------------------------------------------- rules


def rules(found: Figures) -> doc.PaperSection:
    """The rules by clause, with what the source leaves open and what is assumed."""
    tables = found.tables
    parts: list[doc.Part] = [
        doc.Paragraph(
            "The sentences that the game is played by, each with the clauses of its source. An "
            "option is the operator's choice, a reading an answer to what the source leaves open; "
            "both are named where a sentence rests on one.",
        )
    ]
    for section in sections(tables):
        items = [_rule(rule) for rule in section.rules]
        inner: list[doc.Part] = [doc.Bullets(tuple(items))]
        inner += [
            table(("event", "pays"), rule.rows, size=8.5) for rule in section.rules if rule.rows
        ]
        parts.append(doc.PaperSection(section.title, tuple(inner), numbered=False))
    parts += _choices(tables)
    return doc.PaperSection("Rules and assumptions", tuple(parts))


def _rule(rule: Rule) -> tuple[str, str]:
    """A rule with what it rests on beside it: its clauses, or else the first of its marks."""
    beside = ", ".join(rule.clauses)
    marks = list(rule.marks)
    if not beside and "assumed" in marks:
        marks.remove("assumed")
        beside = "assumed"
    return beside or NO_CLAUSE, rule.words + (f" ({', '.join(marks)})" if marks else "")


def _choices(tables: GameTables) -> Iterator[doc.Part]:
    book = tables.rulebook
    if book.options:
        rows = [
            (
                option.name,
                option.shown(option.value),
                allowed_words(option),
                ", ".join(option.clauses) or "the house's own",
            )
            for option in book.options
        ]
        shown = table(
            ("option", "in force", "allowed", "by"),
            rows,
            "Options: what the operator may set.",
            left=4,
            size=8.5,
            wide=(2, 3),
        )
        yield doc.PaperSection("Options", (shown,), numbered=False)
    readings = [reading for reading in book.readings if book.matters(*reading.sets)]
    if readings:
        items = [
            (
                ", ".join(reading.clauses),
                _taken(reading),
            )
            for reading in readings
        ]
        yield doc.PaperSection(
            "What the source leaves open", (doc.Bullets(tuple(items)),), numbered=False
        )
    assumed = [item for item in book.assumed if book.matters(item.path)]
    if assumed:
        bullets = doc.Bullets(tuple((item.path, item.reason) for item in assumed))
        yield doc.PaperSection("What no clause speaks of", (bullets,), numbered=False)


def _taken(reading: ReadingEntry) -> str:
    answer = reading.answers[reading.value]
    return f"{reading.question} Taken as: {answer} (reading {reading.name} = {reading.value})"


# -------------------------------------------------------------------------------------------- shoe


def shoe(found: Figures) -> doc.PaperSection:
    """The cards that every figure holds for."""
    tables = found.tables
    alphabet = tables.alphabet
    rows = []
    for place, symbol in enumerate(alphabet.symbols):
        cards = [card for card in alphabet.cards if alphabet.symbol(card) == place]
        ranks = dict.fromkeys(card.rank for card in cards)
        ways = "bonus card " + ", ".join(map(str, cards)) if symbol.marked else ", ".join(ranks)
        count = int(alphabet.counts[place])
        rows.append((symbol.name, ways, str(len(cards)), str(count)))
    whole = int(alphabet.counts.sum())
    rows.append(("all", "", str(len(alphabet.cards)), str(whole)))
    return doc.PaperSection(
        "The shoe",
        (
            doc.Paragraph(
                f"Every round is dealt from {shoe_words(tables)}, {whole} cards in all, shuffled "
                "afresh. Cards that play alike in this game stand together under one name."
            ),
            table(
                ("card", "ranks", "in a deck", "in the shoe"),
                rows,
                "Cards that the rules tell apart.",
                left=2,
                totals=1,
            ),
        ),
    )
