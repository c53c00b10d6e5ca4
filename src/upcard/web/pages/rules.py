"""The rules of a game, or of a table with its settings, fees and limits: a document to read."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from upcard.fees.schedules import SIDES, FeeSchedule, load_fee_book
from upcard.money import format_cents
from upcard.rules.settings import shown_setting
from upcard.sheet.rules import allowed_words
from upcard.text import as_text
from upcard.web import words
from upcard.web.document import Document, DocumentRule, clause_place, document_of
from upcard.web.dom import ask, link, tag

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.service.specs import TableInfo

KIND_OF_CLAUSE = {"play": "play", "money": "money", "floor": "floor", "option": "option"}


def rules_page(tables: GameTables, info: TableInfo | None) -> None:
    """The whole page; `info` is of the table whose rules these are."""
    document = document_of(tables)
    with tag("div", None, "page sheet-page"):
        _title(tables, info)
        with tag("div", None, "document"):
            _contents(document)
            with tag("div", None, "rules", testid="rules"):
                _limits(document, info)
                for section in document.sections:
                    tag("h2", section.title, id=section.place)
                    for item in section.rules:
                        _rule(document, item)
                    if section.place == "fees":
                        _schedule(tables)
                _options(document)
                _readings(document)
                _assumed(document)
                _clauses(document)


def _title(tables: GameTables, info: TableInfo | None) -> None:
    with tag("header", None, "title-block", data_game=tables.id):
        tag("h1", f"Rules of {tables.title}")
        tag("p", tables.head.draft or tables.head.summary)
        if info is not None:
            tag("p", f"As they are played at {info.name}.")
            chosen = tables.rulebook.settings_words(tables.settings)
            if chosen:
                tag("p", f"With {chosen}.", testid="settings")
        tag("p", tables.source, "small")
        with tag("div", None, "buttons"):
            if info is not None and info.status != "closed":
                link("Back to the table", f"/table/{quote(info.id)}", "button main large")
            elif info is None:
                ask(
                    "Play",
                    "/api/play",
                    "button main large",
                    body={"game": tables.id},
                    then="/table/{id}",
                    testid="play",
                )
                link("Create a table", f"/tables/new?game={quote(tables.id)}", "button large")
            link("Drill", f"/drill/{quote(tables.id)}", "button large")
            tag("button", "Print", "button large only-wide", type="button", data_print="")


def _contents(document: Document) -> None:
    entries = [("Limits and what wagers pay", "limits")]
    entries += [(section.title, section.place) for section in document.sections]
    book = document.tables.rulebook
    entries += [("Options", "options")] if book.options else []
    entries += [("Readings", "readings")] if book.readings else []
    entries += [("Assumed", "assumed")] if book.assumed else []
    entries += [("Clauses of the source", "clauses")] if book.clauses else []
    with tag("nav", None, "contents", aria_label="Contents", testid="contents"):
        with tag("details", None, "only-phone panel"):
            tag("summary", "Contents")
            for text, place in entries:
                link(text, f"#{place}")
        with tag("div", None, "only-wide"):
            for text, place in entries:
                link(text, f"#{place}")


def _limits(document: Document, info: TableInfo | None) -> None:
    sign = document.sign
    tag("h2", "Limits and what wagers pay", id="limits")
    with tag("div", None, "scroll"), tag("table", None, "rows stackable", testid="wagers"):
        tag("caption", "Wagers with their limits and payoffs", "hidden-words")
        with tag("thead"), tag("tr"):
            for title in ("Wager", "Limits", "Pays"):
                tag("th", title, scope="col")
        with tag("tbody"):
            for wager in sign.wagers:
                with tag("tr"):
                    with tag("td", data_label="Wager"):
                        link(wager.name, f"#wager-{wager.id}")
                    tag("td", wager.limits, "figure", data_label="Limits")
                    pays = "; ".join(
                        f"{event}: {odds}" if event else odds for event, odds in wager.pays
                    )
                    tag("td", pays, data_label="Pays")
    with tag("div", None, "stack-small below"):
        if sign.together:
            with tag("p", f"Together: {sign.together}. ", "small"):
                _cite(sign.together_clauses)
        if sign.rounding:
            tag("p", sign.rounding, "small soft")
        if info is not None:
            clock = f"{info.seconds} seconds for a decision, {info.wager_seconds} to wager"
            told = clock if info.seconds else "nobody is hurried"
            tag("p", f"At this table: {info.positions} positions, {told}.", "small soft")
    if sign.notices:
        with tag("ul", None, "small soft stack-small below"):
            for notice in sign.notices:
                tag("li", notice)


def _cite(clauses: tuple[str, ...]) -> None:
    for number, clause in enumerate(clauses):
        if number:
            tag("span", ", ")
        link(clause, f"#{clause_place(clause)}")


def _rule(document: Document, item: DocumentRule) -> None:
    """A sentence, and in the margin where it comes from."""
    rule = item.rule
    with tag("div", None, "rule", id=item.more[0] if item.more else item.place):
        with tag("div"):
            for place in item.more[1:]:
                tag("span", id=place)
            tag("p", rule.words)
            if rule.rows:
                with tag("table"), tag("tbody"):
                    for event, pays in rule.rows:
                        with tag("tr"):
                            tag("td", event)
                            tag("td", pays, "number")
        with tag("div", None, "margin"):
            _cite(rule.clauses)
            for mark in rule.marks:
                _mark(document, mark)


def _mark(document: Document, mark: str) -> None:
    """What else a rule comes from; options and readings lead to their questions."""
    kind, _, rest = mark.partition(" ")
    name = rest.partition(" of ")[0]
    known = {option.name for option in document.options} if kind == "option" else set()
    if kind == "reading":
        known = {reading.name for reading in document.readings}
    with tag("span", None, "mark"):
        if name in known:
            link(mark, f"#{kind}-{name}")
        else:
            tag("span", mark)


def _schedule(tables: GameTables) -> None:
    """The fees of the schedule in force, row by row."""
    schedule = schedule_in_force(tables)
    if schedule is None:
        return
    with tag("div", None, "two below", testid="fee-schedule"):
        for side in SIDES:
            rows = schedule.rows(side)
            with tag("div", None, "panel"):
                title = {"players": "A player pays", "player-dealer": "The player-dealer pays"}
                tag("h3", title.get(side, side))
                if not rows:
                    tag("p", "nothing", "soft")
                    continue
                with tag("table"), tag("tbody"):
                    for row in rows:
                        with tag("tr"):
                            tag("td", fee_span(row.from_, row.to))
                            tag("td", format_cents(row.fee), "number")


def schedule_in_force(tables: GameTables) -> FeeSchedule | None:
    """The printed schedule that a table goes by."""
    chosen = next((o.value for o in tables.rulebook.options if o.name == "fee_schedule"), None)
    if chosen is None:
        return None
    return load_fee_book(tables.id).schedule(int(chosen))


def fee_span(low: int, high: int | None) -> str:
    """
    >>> fee_span(300, 2500), fee_span(10100, None)
    ('$3 to $25', '$101 and more')
    """
    if high is None:
        return f"{format_cents(low)} and more"
    return words.limits(low, high)


def _options(document: Document) -> None:
    if not document.options:
        return
    tag("h2", "Options: what the house may set", id="options")
    with tag("div", None, "scroll"), tag("table", None, "rows stackable"):
        tag("caption", "Options with their values", "hidden-words")
        with tag("thead"), tag("tr"):
            for title in ("Option", "Here", "May be", "By"):
                tag("th", title, scope="col")
        with tag("tbody"):
            for option in document.options:
                changed = as_text(option.value) != as_text(option.default)
                with tag("tr", id=f"option-{option.name}"):
                    tag("td", words.setting_name(option.name), data_label="Option")
                    with tag("td", data_label="Here"):
                        value = words.value_words(option.shown(option.value))
                        tag("strong" if changed else "span", value)
                    tag("td", allowed_words(option), "soft small", data_label="May be")
                    with tag("td", None, "small", data_label="By"):
                        if option.clauses:
                            _cite(option.clauses)
                        else:
                            tag("span", "the house", "soft")


def _readings(document: Document) -> None:
    if not document.readings:
        return
    tag("h2", "Readings: what the source leaves open", id="readings")
    book = document.tables.rulebook
    for reading in document.readings:
        matters = book.matters(*reading.sets)
        with tag("section", None, "question", id=f"reading-{reading.name}"):
            tag("h3", reading.question)
            with tag("p", None, "clauses"):
                tag("span", f"{words.setting_name(reading.name)}, ")
                _cite(reading.clauses)
                if not matters:
                    tag("span", "; of no consequence under these settings")
            with tag("ul"):
                for answer, said in reading.answers.items():
                    chosen = answer == reading.value
                    with tag("li", None, "" if chosen else "soft"):
                        tag("span", "● " if chosen else "○ ", aria_hidden="true")
                        tag("strong" if chosen else "span", said)
                        if chosen:
                            tag("span", " (in force)", "soft small")


def _assumed(document: Document) -> None:
    book = document.tables.rulebook
    told = [item for item in book.assumed if book.matters(item.path)]
    if not told:
        return
    tag("h2", "Assumed: what no clause speaks of", id="assumed")
    with tag("ul", None, "stack-small"):
        for item in told:
            tag("li", item.reason)


def _clauses(document: Document) -> None:
    if not document.clauses:
        return
    tag("h2", "Clauses of the source", id="clauses")
    tag("p", "In our own words, each with the rules that it says.", "soft")
    cited = document.cited_by()
    for clause in document.clauses:
        state = "" if clause.in_force else " off"
        with tag("div", None, f"clause{state}", id=clause_place(clause.id)):
            tag("div", clause.id, "id")
            with tag("div"):
                tag("p", clause.summary)
                with tag("p", None, "kinds"):
                    kinds = ", ".join(clause.kinds)
                    rest = "" if clause.in_force else ", not in force here"
                    tag("span", f"{kinds}{rest}")
                    for item in cited.get(clause.id, ())[:3]:
                        tag("span", " · ")
                        said = item.rule.words
                        shown = said if len(said) <= 48 else f"{said[:46].rstrip()}…"
                        link(shown, f"#{item.more[0] if item.more else item.place}")


def shown_value(text: str, *, money: bool) -> str:
    """A setting as people read it.

    >>> shown_value("2500", money=True), shown_value("true", money=False)
    ('$25', 'yes')
    """
    return words.value_words(shown_setting(text, money=money))
