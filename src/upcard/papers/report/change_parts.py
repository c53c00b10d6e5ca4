"""What a report says of changes: options, readings, and cards that are gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upcard.money import BASE, format_cents
from upcard.pages.figures import percent, wager_name
from upcard.papers import document as doc
from upcard.papers.option_effects import OptionEffect
from upcard.papers.option_effects_page import cells
from upcard.papers.removal import Removal, WagerRemoval
from upcard.papers.removal_page import correlation_words
from upcard.papers.report.cells import table
from upcard.papers.report.gathering import OPTIONS_LEFT_OUT, Figures
from upcard.papers.report.pictures import removal_picture
from upcard.solve.readings import AnswerPrices, BankFigure, ReadingPrices
from upcard.solve.readings_page import BANK_FIGURES, SHARES
from upcard.text import listed

WAGERS_A_TABLE = 5
WAGERS_A_PICTURE = 3


def options(found: Figures) -> doc.PaperSection:
    """What every value of every option changes."""
    priced = found.options
    if priced is None:
        return doc.PaperSection("Effects of options", (doc.Paragraph(OPTIONS_LEFT_OUT),))
    rows: list[tuple[doc.PaperCell | str, ...]] = []
    for option in priced.options:
        rows += _option_rows(found, option)
    parts: list[doc.Part] = [
        doc.Paragraph(
            "Each value of an option by itself, all else as in this report. The change is what the "
            "player gains, in per cent of the wager; a dot marks the value in force. Of an option "
            "with many values, the ends and the neighbours of that value are shown."
        )
    ]
    if rows:
        heads = ("option", "value", "wager", "edge", "change")
        parts.append(table(heads, rows, "Effects of the options.", left=3, size=8.5))
    else:
        parts.append(doc.Paragraph("No option changes the odds of a wager."))
    if priced.idle:
        names = listed(priced.idle, "and")
        parts.append(doc.Paragraph(f"Of no consequence to any wager's odds: {names}.", quiet=True))
    if priced.ranges:
        names = listed(priced.ranges, "and")
        parts.append(doc.Paragraph(f"Not priced, since they span a range: {names}.", quiet=True))
    return doc.PaperSection("Effects of options", tuple(parts))


def _option_rows(found: Figures, option: OptionEffect) -> Iterator[tuple[doc.PaperCell | str, ...]]:
    name = option.name
    for value in option.values:
        shown = f"{value.shown} •" if value.is_given else value.shown
        if value.refused and option.changed:
            yield doc.PaperCell(name, bold=True), shown, "", doc.PaperCell("not allowed", span=2)
            name = ""
            continue
        for place, wager in enumerate(option.changed):
            yield (
                doc.PaperCell(name, bold=True),
                "" if place else shown,
                wager_name(found.tables, wager),
                *cells(option, value, wager),
            )
            name = ""


# ---------------------------------------------------------------------------------------- readings


def readings(found: Figures) -> doc.PaperSection | None:
    """What every answer to an open question is worth."""
    priced = (*found.readings.readings, *found.readings.options)
    if not priced:
        return None
    idle = [one for one in priced if not one.matters and not (one.bank and one.bank.matters)]
    parts: list[doc.Part] = [
        doc.Paragraph(
            "Where the source can be understood in more than one way, every answer is priced "
            "beside the one taken, which is marked with a dot."
        )
    ]
    parts += [
        doc.PaperSection(one.id, tuple(_reading(found, one)), numbered=False, whole=True)
        for one in priced
        if one not in idle
    ]
    if idle:
        words = "These change no wager's odds and nothing of the bank's side under these settings:"
        items = tuple((", ".join(one.clauses), f"{one.asks} (reading {one.id})") for one in idle)
        parts += [doc.Paragraph(words), doc.Bullets(items)]
    return doc.PaperSection("Effects of readings", tuple(parts))


def _reading(found: Figures, reading: ReadingPrices) -> Iterator[doc.Part]:
    yield doc.Paragraph(f"{reading.asks} [{', '.join(reading.clauses)}]")
    having = reading.bank.having if reading.bank else reading.having if reading.matters else {}
    if having:
        words = ", ".join(f"{name} = {value}" for name, value in having.items())
        yield doc.Paragraph(f"Priced with {words}, without which it changes nothing.", quiet=True)
    if reading.matters:
        rows: list[tuple[doc.PaperCell | str, ...]] = []
        for answer in reading.answers:
            rows += _answer_rows(found, answer)
        yield table(("answer", "wager", "edge", "change"), rows, left=2, size=8.5, wide=(0,))
    if reading.bank is not None and reading.bank.matters:
        bank_rows = [
            (
                _marked(answer.answer, answer.is_default),
                BANK_FIGURES[name],
                _bank_value(name, figure),
                _bank_change(name, figure),
            )
            for answer in reading.answers
            for name, figure in reading.bank.answers.get(answer.answer, {}).items()
        ]
        table_ = reading.bank.table
        yield table(
            ("answer", "bank's side", "figure", "change"), bank_rows, left=2, size=8.5, wide=(0,)
        )
        yield doc.Paragraph(
            f"{reading.bank.rounds:,} random rounds of {len(table_.seats)} seats, with "
            f"{format_cents(table_.bank)} in the bank; in brackets standard errors.",
            quiet=True,
        )


def _marked(text: str, is_taken: bool) -> str:
    return f"{text} •" if is_taken else text


def _answer_rows(found: Figures, answer: AnswerPrices) -> Iterator[tuple[doc.PaperCell | str, ...]]:
    name = f"{_marked(answer.answer, answer.is_default)}: {answer.text}"
    for wager, price in answer.wagers.items():
        yield (
            name,
            wager_name(found.tables, wager),
            "not offered" if price.edge is None else percent(price.edge),
            "" if price.change is None else percent(price.change),
        )
        name = ""


def _bank_value(name: str, figure: BankFigure) -> str:
    if figure.value is None:
        return "no round"
    if name in SHARES:
        return f"{percent(figure.value, signed=False)} ({percent(figure.error, signed=False)})"
    return f"{_dollars(figure.value)} ({_dollars(figure.error)})"


def _bank_change(name: str, figure: BankFigure) -> str:
    if figure.change is None:
        return ""
    if name in SHARES:
        return f"{percent(figure.change)} ({percent(figure.change_error, signed=False)})"
    return f"{_dollars(figure.change)} ({_dollars(figure.change_error)})"


def _dollars(cents: float) -> str:
    return f"{'-' if round(cents, 1) < 0 else ''}${abs(cents) / 100:.3f}"


# ----------------------------------------------------------------------------------------- removal


def exposure(found: Figures) -> doc.PaperSection:
    """What wagers gain without a card, and how well counts foretell that."""
    title = "Exposure to counting"
    gone = found.removal
    if gone is None:
        return doc.PaperSection(title, (doc.Paragraph(f"{found.no_removal}."),))
    parts: list[doc.Part] = [
        doc.Paragraph(
            "The effect of removal is what the player gains when one card of a kind is taken out "
            "of the full shoe, each shoe with the play that is then best. How well a count "
            "foretells a wager is the correlation of its weights with these effects over all cards "
            "of the shoe; beside it stands what a true count of one more is worth to the player."
        )
    ]
    for wager, why in gone.left_out.items():
        parts.append(doc.Paragraph(f"{wager_name(found.tables, wager)}: {why}."))
    priced = [*gone.wagers.values()]
    if priced:
        for start in range(0, len(priced), WAGERS_A_TABLE):
            parts += _removal_tables(gone, priced[start : start + WAGERS_A_TABLE])
        parts += _pictures(priced)
    return doc.PaperSection(title, tuple(parts))


def _pictures(priced: list[WagerRemoval]) -> Iterator[doc.Part]:
    base = [wager for wager in priced if wager.wager == BASE]
    others = [wager for wager in priced if wager.wager != BASE]
    groups = [base] if base else []
    groups += [
        others[start : start + WAGERS_A_PICTURE]
        for start in range(0, min(len(others), WAGERS_A_PICTURE), WAGERS_A_PICTURE)
    ]
    for group in groups:
        names = listed([wager.name for wager in group], "and")
        yield doc.Picture(
            removal_picture(group), f"{names}: what the player gains when one card is gone."
        )


def _removal_tables(gone: Removal, priced: list[WagerRemoval]) -> Iterator[doc.Part]:
    heads = [wager.name for wager in priced]
    rows = [
        (kind.name, str(len(kind.cards)), *(percent(w.effects[kind.name]) for w in priced))
        for kind in gone.kinds
    ]
    yield table(
        ("card", "in a deck", *heads), rows, "Effects of removal, in per cent of the wager."
    )
    fits: Mapping[str, list[str]] = {
        count: [
            figure
            for wager in priced
            for figure in (
                correlation_words(gone.fit(wager.wager, count).correlation),
                _slope(gone.fit(wager.wager, count).per_true_count),
            )
        ]
        for count in gone.counts
    }
    both = [title for name in heads for title in (name, "a true count")]
    yield table(
        ("count", *both),
        [(count, *figures) for count, figures in fits.items()],
        "Correlation of counts with the effects of removal, and the worth of one true count.",
        size=8.5,
    )


def _slope(value: float | None) -> str:
    return "" if value is None else percent(value)
