"""The decisions in chart files, as they are written there: CSV and JSON."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.shape import shaped
from upcard.text import counted, did_you_mean, listed

MARKER = "marker-"
"""What the ids of sections begin with that are for hands with the house's marker."""
REQUIRED = ("hand", "up", "action")
OPTIONAL = (
    "section",
    "doubles",
    "state",
    "total",
    "soft",
    "pair",
    "cards",
    "pending",
    "fallback",
    "ranking",
    "before_check",
    "cost",
)


class ChartLine(NamedTuple):
    """One decision as a file writes it; None and empty texts leave a thing open."""

    place: str
    hand: str
    up: str
    action: str
    state: int | None = None
    doubles: int | None = None
    total: float | None = None
    soft: bool | None = None
    pair: str = ""
    cards: int | None = None
    pending: int | None = None
    fallback: str = ""
    ranking: tuple[str, ...] = ()
    before_check: bool | None = None
    marker: bool = False


def _from_csv(path: Path, text: str, _: GameTables) -> Iterator[ChartLine]:
    rows = csv.DictReader(io.StringIO(text), skipinitialspace=True, strict=True)
    try:
        _check_columns(path, [name.strip() for name in rows.fieldnames or ()])
        for row in rows:
            place = f"{path}, line {rows.line_num}"
            if None in row or None in row.values():
                columns = counted(len(rows.fieldnames or ()), "column")
                raise UpcardError(
                    f"{place}: a row has one value for each of the {columns}; "
                    'a hand such as "A,7" stands in quotation marks'
                )
            cells = {name.strip(): value.strip() for name, value in row.items()}
            yield _csv_line(place, cells)
    except csv.Error as error:
        raise UpcardError(
            f"{path}, line {rows.reader.line_num}: this is not CSV: {error}"
        ) from None


def _check_columns(path: Path, columns: list[str]) -> None:
    for name in REQUIRED:
        if name not in columns:
            needs = listed(REQUIRED, "and")
            raise UpcardError(f'{path} is not a chart: it has no column "{name}" of {needs}')
    for name in columns:
        if name not in (*REQUIRED, *OPTIONAL):
            guess = did_you_mean(name, OPTIONAL)
            raise UpcardError(f'{path}: a chart has no column "{name}"{guess}')
        if columns.count(name) > 1:
            raise UpcardError(f'{path}: there are two columns "{name}"')


def _csv_line(place: str, cells: Mapping[str, str]) -> ChartLine:
    def number(name: str) -> int | None:
        text = cells.get(name, "")
        if text and not text.isdecimal():
            raise UpcardError(f'{place}: {name} is a whole number, not "{text}"')
        return int(text) if text else None

    def flag(name: str) -> bool | None:
        text = cells.get(name, "").lower()
        if text not in ("", "true", "false"):
            raise UpcardError(f'{place}: {name} is true or false, not "{text}"')
        return text == "true" if text else None

    total = cells.get("total", "")
    if total and not re.fullmatch(r"\d+(\.\d+)?", total):
        raise UpcardError(f'{place}: a total is a number of points, not "{total}"')
    section = re.match(r"doubled-(\d+)-", cells.get("section", ""))
    doubles = number("doubles")
    if doubles is None and section:
        doubles = int(section[1])
    return ChartLine(
        place=place,
        hand=cells["hand"],
        up=cells["up"],
        action=cells["action"],
        state=number("state"),
        doubles=doubles,
        total=float(total) if total else None,
        soft=flag("soft"),
        pair=cells.get("pair", ""),
        cards=number("cards"),
        pending=number("pending"),
        fallback=cells.get("fallback", ""),
        ranking=tuple(cells.get("ranking", "").split()),
        before_check=flag("before_check"),
        marker=cells.get("section", "").startswith(MARKER),
    )


class JsonCell(msgspec.Struct):
    """A decision."""

    action: str
    fallback: str | None = None
    ranking: tuple[str, ...] = ()
    before_check: bool = False
    was: Any = None
    cost: Any = None


class JsonRow(msgspec.Struct):
    """A hand with its decisions by up card."""

    state: int
    hand: str
    total: float
    soft: bool
    pair: str
    cards: int
    pending: int
    actions: dict[str, JsonCell]


class JsonSection(msgspec.Struct):
    """Rows of one kind."""

    id: str
    doubles: int
    rows: tuple[JsonRow, ...]
    title: str = ""


class JsonChart(msgspec.Struct):
    """A chart; what is of no use here may be anything."""

    game: str
    version: int
    fingerprint: str
    settings: dict[str, str]
    sections: tuple[JsonSection, ...]
    bet: Any = None
    ratios: Any = None
    split_mode: Any = None
    ev: Any = None
    basic_ev: Any = None
    ups: Any = None
    exceptions: Any = None
    stay: Any = None
    by_lit: Any = None
    exchange: Any = None
    resplits: Any = None
    deviations: Any = None
    changes: Any = None
    unchanged_ev: Any = None
    draft: Any = None


def _from_json(path: Path, text: str, tables: GameTables) -> Iterator[ChartLine]:
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise UpcardError(f"{path} is not a chart: it is not valid JSON") from None
    if not isinstance(data, dict) or "sections" not in data:
        raise UpcardError(f'{path} is not a chart: a chart in JSON is a table with "sections"')
    chart = shaped(data, str(path), JsonChart)
    _check_game(path, chart, tables)
    for number, section in enumerate(chart.sections, 1):
        for row_number, row in enumerate(section.rows, 1):
            for up, cell in row.actions.items():
                yield ChartLine(
                    place=f"{path}: sections[{number}].rows[{row_number}].actions.{up}",
                    hand=row.hand,
                    up=up,
                    action=cell.action,
                    state=row.state,
                    doubles=section.doubles,
                    total=row.total,
                    soft=row.soft,
                    pair=row.pair,
                    cards=row.cards,
                    pending=row.pending,
                    fallback=cell.fallback or "",
                    ranking=cell.ranking,
                    before_check=cell.before_check,
                    marker=section.id.startswith(MARKER),
                )


def _check_game(path: Path, chart: JsonChart, tables: GameTables) -> None:
    """Refuse a chart that was drawn for another game, or for other settings of it."""

    def words(game: str, settings: Mapping[str, str], fingerprint: str) -> str:
        chosen = tables.rulebook.settings_words(dict(sorted(settings.items())))
        return f"{game} with {chosen or 'no settings'} (fingerprint {fingerprint[:12]})"

    theirs = f"{chart.game}@{chart.version}"
    if theirs != tables.ref:
        raise UpcardError(f"{path} is a chart of {theirs}, not of {tables.ref}")
    if chart.fingerprint != tables.fingerprint:
        raise UpcardError(
            f"{path} is a chart of {words(theirs, chart.settings, chart.fingerprint)}, "
            f"not of {words(tables.ref, tables.settings, tables.fingerprint)}"
        )


READERS: Mapping[str, Callable[[Path, str, GameTables], Iterator[ChartLine]]] = {
    ".csv": _from_csv,
    ".json": _from_json,
}
