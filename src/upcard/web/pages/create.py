"""A new table: game, options, readings, fees, stakes, company and pace; and its sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

import msgspec
from nicegui import ui

from upcard.fees.schedules import FeeRow, FeeSchedule, load_fee_book
from upcard.money import format_cents
from upcard.players.company import player_banks
from upcard.service.house_games import game_ids, need_game
from upcard.service.rates import TooOftenError
from upcard.service.specs import HouseError
from upcard.sheet.rules import allowed_words
from upcard.text import as_text, sentence_case
from upcard.web import words
from upcard.web.document import clause_place, document_of
from upcard.web.dom import EMIT_CHECKED, change_text, choice, done, field, link, tag
from upcard.web.making import (
    CLOCKS,
    FEES,
    SEATING,
    SPEEDS,
    STAKES,
    Draft,
    Judged,
    judge,
    open_fees,
    spec_of,
    typed,
)
from upcard.web.pages.rules import fee_span
from upcard.web.pictures import felt_picture
from upcard.web.shell import heading

if TYPE_CHECKING:
    from nicegui.element import Element

    from upcard.compile.rulebook import OptionEntry
    from upcard.compile.tables import GameTables
    from upcard.service.specs import Speed
    from upcard.web.doing import Doing

OPEN = ("wagers", "dealer", "lights", "bank")
"""Sections of the sheet that lie open in the preview."""
FEW = 4
"""Values that stand side by side; more than this are a list."""
OPENING = 30
"""Seconds that the house may take to open a table."""
EMIT_ONCE = (
    "(event) => { const button = event.currentTarget;"
    " if (!button.disabled) { button.disabled = true; emit(); } }"
)
"""A click that disables its button before anything else: the second one of two does nothing."""


class Maker:
    """The form and the sheet beside it."""

    def __init__(self, draft: Draft, doing: Doing) -> None:
        self.draft = draft
        self.doing = doing
        self.judged: Judged = judge(draft)
        self.shown: dict[str, tuple[Element, Element]] = {}
        self.moot: dict[str, Element] = {}
        self.open_fees: Element | None = None
        self.opening = False
        with tag("div", None, "page"):
            heading(
                "Create a table",
                "Every choice is one that the game's own rules allow. The sheet beside shows what "
                "they come to.",
            )
            with tag("div", None, "maker"):
                with tag("div"):
                    self._games()
                    self.form = tag("div", testid="settings")
                with tag("aside", None, "panel", aria_label="The sheet of this table"):
                    self.preview = tag("div", testid="preview")
        self._fill()

    @property
    def plain(self) -> GameTables:
        """The game as its file has it: what can be set does not hang on what is set."""
        return need_game(self.draft.game)

    def _games(self) -> None:
        with tag("section", None, "group"):
            tag("h2", "Game", id="group-game")
            with tag("div", None, "pick", role="radiogroup", aria_labelledby="group-game"):
                for game in game_ids():
                    with tag("label", data_game=game):
                        with tag("span", None, "felt", aria_hidden="true"):
                            felt_picture(game)
                        tag("span", need_game(game).title, "name")
                        radio = tag(
                            "input",
                            type="radio",
                            name="game",
                            value=game,
                            checked=game == self.draft.game,
                            testid=f"choose-{game}",
                        )
                        radio.on("change", lambda _, game=game: self._game(game), args=[])

    async def _game(self, game: str) -> None:
        self.draft.choose_game(game)
        self.draft.bots = min(self.draft.bots, self.plain.round_plan.positions - 1)
        await self._judge()
        self._fill()

    def _fill(self) -> None:
        self.shown.clear()
        self.moot.clear()
        self.open_fees = None
        self.form.clear()
        book = self.plain.rulebook
        options = {option.name: option for option in book.options}
        apart = {*STAKES, *SEATING, *FEES}
        with self.form:
            with _group("table", "Table"), tag("div", None, "settings"):
                self._name()
                for name in (*SEATING, *STAKES[:3]):
                    if name in options:
                        self._option(options[name])
                self._company()
            if "fee_schedule" in options:
                self._fees(options["fee_schedule"], options.get("fee_resolution"))
            rest = [option for option in book.options if option.name not in apart]
            rest += [options[name] for name in STAKES[3:] if name in options]
            if rest:
                with _group("options", "Options of the house"), tag("div", None, "settings"):
                    for option in rest:
                        self._option(option)
            self._readings()
        self._show()

    # ------------------------------------------------------------------ fields

    def _field(
        self, name: str, label: str, hint: str = "", clauses: tuple[str, ...] = ()
    ) -> Element:
        """The frame of a field: what is made inside is the field itself."""
        frame = tag("div", None, "setting", testid=f"field-{name}")
        with frame:
            tag("label", label, for_=f"set-{name}", id=f"label-{name}")
            inside = tag("div")
            if hint or clauses:
                with tag("span", hint, "hint"):
                    for clause in clauses:
                        place = f"/rules/{quote(self.draft.game)}#{clause_place(clause)}"
                        tag("span", " ")
                        link(clause, place, target="_blank")
            refused = tag("p", "", "refused", id=f"wrong-{name}", role="alert")
        self.shown[name] = (frame, refused)
        return inside

    def _name(self) -> None:
        def named(text: str) -> None:
            self.draft.name = text

        with self._field("name", "Name", "Shown in the lobby. Empty: the house makes one."):
            field(self.draft.name, named, id="set-name", maxlength=40, autocomplete="off")

    def _option(self, option: OptionEntry) -> None:
        value = typed(option, self.draft)
        hint = ""
        if option.is_range:
            hint = allowed_words(option).replace("...", "to")
        label = words.setting_name(option.name)
        with self._field(option.name, label, hint, option.clauses):
            self._value(option, value)

    def _value(self, option: OptionEntry, value: str) -> None:
        name = option.name

        async def changed(text: str) -> None:
            self.draft.set(name, text)
            await self.changed()

        if option.is_range:
            kind = "decimal" if not option.money else "numeric"
            unit = "dollars" if option.money else None
            field(
                value,
                changed,
                id=f"set-{name}",
                inputmode=kind,
                autocomplete="off",
                placeholder=unit,
                aria_describedby=f"wrong-{name}",
            )
            return
        texts = {
            _typed_value(option, one): words.value_words(option.shown(one))
            for one in option.allowed
        }
        if len(texts) <= FEW and all(len(said) <= 12 for said in texts.values()):
            _side_by_side(name, texts, value, changed)
        else:
            choice(texts, value, changed, id=f"set-{name}", aria_describedby=f"wrong-{name}")

    def _company(self) -> None:
        async def bots(text: str) -> None:
            self.draft.bots = int(text)
            await self.changed()

        async def speed(text: str) -> None:
            self.draft.speed = cast("Speed", text)
            await self.changed()

        async def clock(text: str) -> None:
            self.draft.seconds = self.draft.wager_seconds = int(text)
            await self.changed()

        def listed(shown: object) -> None:
            self.draft.listed = bool(shown)

        most = self.plain.round_plan.positions - 1
        said = "They play by the best strategy."
        if player_banks(self.plain):
            said += " One of them takes the bank; with none, you do so among yourselves."
        with self._field("bots", "Bots", said):
            counts = {str(number): str(number) for number in range(most + 1)}
            choice(counts, str(min(self.draft.bots, most)), bots, id="set-bots")
        with self._field("speed", "Speed"):
            _side_by_side("speed", SPEEDS, self.draft.speed, speed)
        with self._field("seconds", "Clock of a decision"):
            choice(CLOCKS, str(self.draft.seconds), clock, id="set-seconds")
        with self._field("listed", "In the lobby"), tag("label", None, "answer"):
            box = tag("input", type="checkbox", checked=self.draft.listed, id="set-listed")
            box.on("change", lambda event: listed(event.args), js_handler=EMIT_CHECKED)
            tag("span", "Anybody may find it")

    def _fees(self, schedule: OptionEntry, resolution: OptionEntry | None) -> None:
        """All printed schedules, with what they take."""
        book = load_fee_book(self.draft.game)
        chosen = typed(schedule, self.draft)
        with _group("fees", "Collection fees"):
            with self._field("fee_schedule", f"{len(book.schedules)} printed schedules"):
                with tag("div", None, "fees", tabindex=0, role="region", aria_label="Schedules"):
                    with tag("table", testid="fee-schedules"):
                        with tag("thead"), tag("tr"):
                            for title in ("No.", "Table limits", "A player pays", "The bank pays"):
                                tag("th", title, scope="col")
                        with tag("tbody"):
                            for one in book.schedules:
                                self._schedule(one, checked=str(one.id) == chosen)
            self.open_fees = tag("div", None, "notice", role="status")
            if resolution is not None:
                with tag("div", None, "below"):
                    self._option(resolution)

    def _schedule(self, one: FeeSchedule, *, checked: bool) -> None:
        async def changed(_: object) -> None:
            self.draft.set("fee_schedule", str(one.id))
            await self.changed()

        with tag("tr"):
            with tag("td"), tag("label", None, "nowrap"):
                radio = tag(
                    "input",
                    type="radio",
                    name="fee_schedule",
                    value=str(one.id),
                    checked=checked,
                    id="set-fee_schedule" if checked else None,
                    testid=f"schedule-{one.id}",
                )
                radio.on("change", changed, args=[])
                tag("span", f" {one.id}")
            tag("td", words.limits(one.table_min, one.table_max), "figure")
            tag("td", _rates(one.players))
            tag("td", _rates(one.player_dealer))

    def _show_open_fees(self) -> None:
        """What the chosen schedule leaves open as it is printed."""
        if self.open_fees is None:
            return
        found = open_fees(self.draft)
        self.open_fees.clear()
        self.open_fees.set_visibility(bool(found))
        with self.open_fees:
            tag("p", "As it is printed, this schedule leaves something open:")
            for message in found[:3]:
                tag("p", message)

    def _readings(self) -> None:
        """What the source leaves open, with every answer in words."""
        readings = self.plain.rulebook.readings
        if not readings:
            return
        with _group("readings", "Readings: what the source leaves open"):
            for reading in readings:
                value = self.draft.settings.get(reading.name, reading.default)
                with tag("fieldset", None, "question", testid=f"reading-{reading.name}"):
                    tag("legend", reading.question)
                    for answer, said in reading.answers.items():
                        self._answer(reading.name, answer, said, value)
                    with tag("p", None, "clauses"):
                        place = f"/rules/{quote(self.draft.game)}#"
                        for clause in reading.clauses:
                            link(clause, place + clause_place(clause))
                            tag("span", " ")
                        self.moot[reading.name] = tag(
                            "span", "Of no consequence under these settings."
                        )
                    refused = tag("p", "", "refused", role="alert")
                    self.shown[reading.name] = (refused, refused)

    def _answer(self, name: str, answer: str, said: str, value: str) -> None:
        async def changed(_: object) -> None:
            self.draft.set(name, answer)
            await self.changed()

        with tag("label", None, "answer"):
            radio = tag(
                "input", type="radio", name=f"reading-{name}", value=answer, checked=answer == value
            )
            radio.on("change", changed, args=[])
            tag("span", said)

    # ------------------------------------------------------------------ what it comes to

    async def changed(self) -> None:
        await self._judge()
        self._show()

    async def _judge(self) -> None:
        try:
            self.judged = await self.doing(judge, self.draft)
        except TooOftenError as error:
            self.judged = Judged(None, {}, {}, [f"{sentence_case(str(error))}."])

    def _show(self) -> None:
        """Every refusal beside its field, and the sheet."""
        for name, (frame, refused) in self.shown.items():
            said = " ".join(self.judged.wrong.get(name, ()))
            change_text(refused, said)
            refused.set_visibility(bool(said))
            frame.classes(
                add=" ".join(["wrong"] * bool(said) + ["changed"] * (name in self.draft.settings)),
                remove=" ".join(
                    ["wrong"] * (not said) + ["changed"] * (name not in self.draft.settings)
                ),
            )
        if self.judged.tables is not None:
            book = self.judged.tables.rulebook
            for reading in book.readings:
                if reading.name in self.moot:
                    moot = not book.matters(*reading.sets)
                    self.moot[reading.name].set_visibility(moot)
        self._show_open_fees()
        self.preview.clear()
        with self.preview, tag("section"):
            self._sheet()

    def _sheet(self) -> None:
        tables = self.judged.tables
        tag("h2", (tables or self.plain).name)
        if not self.judged.holds:
            self._refusals()
        if tables is not None:
            document = document_of(tables)
            with tag("dl", None, "facts"):
                for wager in document.sign.wagers:
                    tag("dt", wager.name)
                    tag("dd", wager.limits, "figure")
        with tag("div", None, "buttons below"):
            opened = tag(
                "button",
                "Open the table",
                "button main large",
                type="button",
                disabled=not self.judged.holds,
                testid="open-table",
            )
            opened.on("click", lambda _: done(self._open), js_handler=EMIT_ONCE)
        tag("p", "", "refused", role="alert")
        if tables is not None:
            with tag("div", None, "small stack-small below", testid="sheet"):
                for section in document_of(tables).sections[:-1]:
                    with tag("details", open_=section.place in OPEN):
                        tag("summary", section.title, "strong")
                        for item in section.rules:
                            tag("p", item.rule.words)

    def _refusals(self) -> None:
        """Everything that is wrong, each with the way to its field."""
        with tag("div", None, "notice bad stack-small", role="status", testid="refused"):
            for said in self.judged.general:
                tag("p", said)
            for name, sentences in self.judged.wrong.items():
                for said in sentences:
                    with tag("p"):
                        link(words.setting_name(name), f"#set-{name}")
                        tag("span", f": {said}")

    async def _open(self) -> None:
        """The browser asks for it, by the interface that programs use; once at a time."""
        if self.opening:
            return
        near = "document.querySelector('[data-testid=open-table]')"
        try:
            body = msgspec.json.encode(spec_of(self.draft, self.judged)).decode()
        except HouseError:
            ui.run_javascript(f"{near}.disabled = {str(not self.judged.holds).lower()}")
            raise
        what = f'{{ api: "/api/tables", body: {body}, then: "/table/{{id}}" }}'
        self.opening = True
        try:
            code = f"await window.upcard.send({near}, {what}); return true"
            await ui.run_javascript(code, timeout=OPENING)
        except TimeoutError:
            pass  # the page has gone to the table, or the browser still waits for the house
        finally:
            self.opening = False


def _group(name: str, title: str) -> Element:
    """A part of the form under its heading."""
    group = tag("section", None, "group", role="group", aria_labelledby=f"group-{name}")
    with group:
        tag("h2", title, id=f"group-{name}")
    return group


def _typed_value(option: OptionEntry, value: object) -> str:
    from upcard.money import plain_dollars

    return plain_dollars(int(cast("int", value))) if option.money else as_text(value)


def _side_by_side(
    name: str, texts: dict[str, str], value: str, changed: Callable[[str], object]
) -> None:
    with tag("div", None, "toggle", role="radiogroup", aria_labelledby=f"label-{name}"):
        for key, said in texts.items():
            with tag("label"):
                radio = tag(
                    "input",
                    type="radio",
                    name=f"option-{name}",
                    value=key,
                    checked=key == value,
                    id=f"set-{name}" if key == value else None,
                )
                radio.on("change", lambda _, key=key: changed(key), args=[])
                tag("span", said)


def _rates(rows: tuple[FeeRow, ...]) -> str:
    """A side of a schedule in one line."""
    if not rows:
        return "nothing"
    return "; ".join(f"{fee_span(row.from_, row.to)}: {format_cents(row.fee)}" for row in rows)
