"""A finding in words and rows, for terminals and papers alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from upcard.compile.tables import GameTables
from upcard.money import format_cents
from upcard.pages.figures import percent, shoe_words
from upcard.papers.finding import Case, CaseKind, Finding, LightsCase, Remedy
from upcard.text import listed, sentence_case


class RemedyRow(NamedTuple):
    """A figure that would mend a case."""

    wager: str
    figure: str
    now: str
    would: str
    edge: str


def headline(found: Finding) -> tuple[str, str]:
    """What is to be said first, and what next."""
    favouring = sorted(found.favouring, key=lambda case: case.edge)
    certain = [case for case in favouring if case.kind is not CaseKind.READING]
    if not certain:
        words = "No wager favours the player"
        if not favouring:
            return words, "as printed, with any pay table on offer, and however it is read"
        return words, f"but {favouring[0].name} does by {_by(found, favouring[0])}"
    printed = [case for case in certain if case.kind is CaseKind.PRINTED]
    first = (printed or certain)[0]
    others = [case for case in certain if case is not first]
    then = f"{others[0].name} by {_by(found, others[0])}" if others else ""
    text = f"{first.name} favours the player by {-first.edge:.2%}"
    if printed:
        return text, then
    how = "of all that is staked, " if first.kind is CaseKind.PLAYED_FOR else ""
    return text, "; ".join(filter(None, (f"{how}{_short(found, first)}", then)))


def _by(found: Finding, case: Case) -> str:
    what = " of all that is staked" if case.kind is CaseKind.PLAYED_FOR else ""
    return f"{-case.edge:.2%}{what}, {_short(found, case)}"


def case_words(found: Finding, case: Case) -> str:
    """In which case a wager is looked at."""
    match case.kind:
        case CaseKind.PRINTED:
            return "as printed"
        case CaseKind.OPTION:
            return f"with {_settings(found.tables, case.settings)}"
        case CaseKind.PLAYED_FOR:
            return f"played for, {case.ratio:g} to 1 beside the main wager"
        case CaseKind.READING:
            return f"read otherwise: {_settings(found.tables, case.settings)}"


def _settings(tables: GameTables, settings: Mapping[str, str]) -> str:
    return tables.rulebook.settings_words(settings)


def readings_told(found: Finding) -> Iterator[tuple[str, str, str]]:
    """Of readings that turn a wager: the setting, the question with its clauses, the answer."""
    told: set[tuple[str, str]] = set()
    for case in found.cases:
        for reading in found.tables.rulebook.readings:
            answer = case.settings.get(reading.name, "")
            if case.kind is CaseKind.READING and answer and (reading.name, answer) not in told:
                told.add((reading.name, answer))
                question = f"{reading.question} [{', '.join(reading.clauses)}]"
                yield f"{reading.name}={answer}", question, reading.answers[answer]


def remedy_rows(found: Finding, remedy: Remedy) -> Iterator[RemedyRow]:
    """The figures that give a case its edge, or the whole pay table."""
    case = remedy.case
    name = case.name if case.kind is CaseKind.PRINTED else f"{case.name}, {_short(found, case)}"
    for target in remedy.targets:
        now, would = target.words(target.now.figure), target.words(target.above.figure)
        yield RemedyRow(name, target.payable.name, now, would, percent(target.above.edge))
    if remedy.table is not None:
        rows = ", ".join(f"{event} {pays}" for event, pays in remedy.table.rows)
        now = "as printed"
        share = f"all at {float(remedy.table.share):.0%}"
        yield RemedyRow(name, share, now, rows, percent(remedy.table.edge))


def _short(found: Finding, case: Case) -> str:
    return "played for" if case.kind is CaseKind.PLAYED_FOR else case_words(found, case)


def remedy_notes(found: Finding, remedy: Remedy) -> Iterator[str]:
    """What does not help alone."""
    case, wanted = remedy.case, f"{remedy.wanted:.2%}"
    if len(remedy.cannot) == 1:
        yield f"{sentence_case(case_words(found, case))}: {remedy.cannot[0][1]}."
    elif remedy.cannot:
        names = listed([name for name, _ in remedy.cannot], "and")
        yield f"No pay of {names} alone gives {case.name} {wanted}."


def room_rows(found: Finding) -> Iterator[RemedyRow]:
    """Figures of a sheet that gives nothing away: from which on each would."""
    for target in found.room:
        wager = target.payable.wager
        name = next(case.name for case in found.cases if case.wager == wager)
        now, would = target.words(target.now.figure), target.words(target.below.figure)
        yield RemedyRow(name, target.payable.name, now, would, percent(target.below.edge))


def lights_facts(found: Finding, case: LightsCase) -> Iterator[tuple[str, str]]:
    """What lights and their prize come to."""
    run = case.run
    yield "lights", f"one in {1 / run.per_round:.1f} rounds, a prize in {run.rounds_to_prize:.1f}"
    yield "with the prize", f"the player has {percent(run.ev)} of {format_cents(found.bet)} a round"
    if run.alone_ev is not None:
        alone = f"without any prize the player has {percent(run.alone_ev)}"
        yield "fair prize", f"none: {alone}"
    elif math.isfinite(run.break_even_prize):
        yield "fair prize", f"{format_cents(round(run.break_even_prize))}; it is {_prize(case)}"


def _prize(case: LightsCase) -> str:
    return case.run.prize_name or format_cents(case.run.prize)


def lights_title(found: Finding, case: LightsCase) -> str:
    if not case.settings:
        return "Lights as printed"
    return f"Lights with {_settings(found.tables, case.settings)}"


def method_words(found: Finding) -> str:
    """What all figures hold for."""
    tables = found.tables
    facts = (
        sentence_case(found.method),
        shoe_words(tables),
        f"main wager {format_cents(found.bet)}",
        "best play",
    )
    chosen = tables.rulebook.settings_words(tables.settings) if tables.settings else ""
    return ", ".join(filter(None, (*facts, chosen and f"with {chosen}"))) + "."


def commands(found: Finding) -> Iterator[str]:
    """The commands that show the worst of it again."""
    game = found.tables.id
    given = "".join(f" --set {name}={value}" for name, value in found.tables.settings.items())
    certain = [case for case in found.favouring if case.kind is not CaseKind.READING]
    for case in sorted(certain or found.favouring, key=lambda case: case.edge)[:1]:
        more = "".join(f" --set {name}={value}" for name, value in case.settings.items())
        beside = f" --with {case.wager}={case.ratio:g}" if case.ratio else ""
        yield f"upcard odds {game}{given}{more}{beside}"
    targets = [(remedy, target) for remedy in found.remedies for target in remedy.targets]
    for remedy, target in targets[:1]:
        if remedy.case.kind is not CaseKind.PLAYED_FOR:
            more = "".join(f" --set {n}={value}" for n, value in remedy.case.settings.items())
            wager = f"--wager {target.payable.wager} --edge {remedy.wanted:.2%}"
            yield f'upcard target {game}{given}{more} {wager} --solve "{target.payable.name}"'
    yield f"upcard readings {game}{given}"
