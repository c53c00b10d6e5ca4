"""The felt layout: a drawing to print the cloth from, and a sheet that explains it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from upcard.compile.deal import Receiver
from upcard.money import BASE
from upcard.papers.document import Align, PaperColumn, PaperTable, Picture
from upcard.papers.forms.parts import form_paper, printed_pays
from upcard.papers.outlines import Arc, along_arc, straight
from upcard.table.cloth import OTHER_FELT, lettering, short_name
from upcard.table.sign import sign_of

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.papers.document import Paper

# Millimetres of a cloth of the usual size: two metres wide, a half circle below a straight edge.
WIDTH, HEIGHT = 2120, 1190
_MIDDLE = WIDTH / 2
_EDGE = 115.0
_RADIUS = 1040.0
_SEATS_AT = 835.0
_SPREAD = math.radians(70)
_CARD = (90.0, 126.0)
_NAME_AT, _LETTERS_END = 320.0, 650.0
_CURVE = 1150.0
_GOLD = "#e7c873"
_WHITE = "#f6f1e3"
_FEW_SPOTS = 3
_LEAST_WIDTH = 0.55


def layout_sheet(tables: GameTables) -> Paper:
    """The drawing on a page, with its places and what they are for."""
    sign = sign_of(tables)
    columns = (
        PaperColumn("place", share=1.0),
        PaperColumn("wager", share=2.0),
        PaperColumn("amount", Align.LEFT, 1.5),
        PaperColumn("pays up to", Align.RIGHT, 1.0),
    )
    names = [wager.name for wager in sign.wagers]
    rows = tuple(
        (
            "large circle" if wager.id == BASE else f"spot “{short_name(wager.name, names)}”",
            wager.name,
            wager.limits,
            printed_pays(tables, wager)[0][1],
        )
        for wager in sign.wagers
    )
    positions = tables.round_plan.positions
    words = f"The layout of {tables.title}: {positions} positions, {WIDTH} by {HEIGHT} mm"
    width = max(_LEAST_WIDTH, 1 - 0.035 * (len(rows) - 1))
    picture = Picture(layout_svg(tables), alt=words, width=width)
    return form_paper(
        tables,
        "Table layout",
        (picture, PaperTable(columns, rows)),
        landscape=True,
        one_page=True,
    )


def layout_svg(tables: GameTables) -> str:
    """The cloth in its true size, all lettering as outlines."""
    felt = tables.head.felt or OTHER_FELT
    title = escape(f"{tables.title}: table layout, {tables.ref}")
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" ',
            f'width="{WIDTH}mm" height="{HEIGHT}mm" role="img"><title>{title}</title>',
            f"<desc>{escape(tables.fingerprint)}</desc>",
            *_cloth(felt),
            *_dealers_place(tables),
            *_lettering(tables),
            *_seats(tables),
            *_draft(tables),
            "</svg>",
        ]
    )


def _cloth(felt: str) -> Iterator[str]:
    for inset, look in ((0, f'fill="{felt}"'), (22, f'fill="none" stroke="{_GOLD}"')):
        radius = _RADIUS - inset
        left, right = _MIDDLE - radius, _MIDDLE + radius
        curve = f"M{left} {inset}H{right}V{_EDGE}A{radius} {radius} 0 0 1 {left} {_EDGE}Z"
        yield f'<path d="{curve}" {look} stroke-width="4"/>'


def _dealers_place(tables: GameTables) -> Iterator[str]:
    """Boxes for the dealer's cards and, where there are any, the community cards."""
    plan = tables.round_plan
    wide, _ = _CARD
    dealers = plan.dealt(Receiver.DEALER)
    yield from _boxes(_MIDDLE, dealers, 40)
    community = plan.dealt(Receiver.COMMUNITY)
    if community:
        yield from _boxes(_MIDDLE - (dealers + community + 2) * (wide + 14) / 2, community, 40)


def _boxes(middle: float, count: int, top: float) -> Iterator[str]:
    wide, high = _CARD
    start = middle - (count * (wide + 14) - 14) / 2
    for place in range(count):
        x = start + place * (wide + 14)
        yield (
            f'<rect x="{x:.1f}" y="{top}" width="{wide}" height="{high}" rx="8" fill="none" '
            f'stroke="{_WHITE}" stroke-width="3" stroke-opacity="0.75"/>'
        )


def _lettering(tables: GameTables) -> Iterator[str]:
    """The game's name and its main rules, along arcs between the dealer and the seats."""
    lines = [line["words"] for line in lettering(tables)]
    yield _letters(along_arc(tables.title, _arc(_NAME_AT), size=104, most=1000), _GOLD)
    step = min(72.0, (_LETTERS_END - _NAME_AT) / max(1, len(lines)))
    for number, words in enumerate(lines, 1):
        size = 0.8 * step if number == 1 else 0.66 * step
        written = along_arc(words.upper(), _arc(_NAME_AT + number * step), size=size, most=860)
        yield _letters(written, _WHITE if number > 1 else _GOLD)


def _arc(bottom: float) -> Arc:
    """A flat curve that is lowest in the middle."""
    return Arc(_MIDDLE, bottom - _CURVE, _CURVE)


def _letters(path: str, colour: str) -> str:
    return f'<path d="{path}" fill="{colour}"/>'


def _seats(tables: GameTables) -> Iterator[str]:
    """Every position turned to the dealer."""
    count = tables.round_plan.positions
    scale = min(1.0, 7 / count)
    parts = "".join(_seat(tables))
    yield f'<defs><g id="position">{parts}</g></defs>'
    for number in range(count):
        share = (number + 0.5) / count * 2 - 1 if count > 1 else 0.0
        angle = share * _SPREAD
        x = _MIDDLE + _SEATS_AT * math.sin(angle)
        y = _EDGE + _SEATS_AT * math.cos(angle)
        turn = -math.degrees(angle)
        place = f"translate({x:.1f} {y:.1f}) rotate({turn:.2f}) scale({scale:.3f})"
        yield f'<use href="#position" transform="{place}"/>'


def _seat(tables: GameTables) -> Iterator[str]:
    sign = sign_of(tables)
    names = [wager.name for wager in sign.wagers]
    base, *sides = sign.wagers
    yield _spot(0, 30, 68, short_name(base.name, names), "", heavy=True)
    small = len(sides) > _FEW_SPOTS
    radius, per_row = (30, 3) if small else (44, 3)
    for place, wager in enumerate(sides):
        row, column = divmod(place, per_row)
        in_row = min(per_row, len(sides) - row * per_row)
        x = (column - (in_row - 1) / 2) * (2 * radius + 6)
        y = -72 - radius / 2 - row * (2 * radius + 5)
        pays = printed_pays(tables, wager)[0][1]
        yield _spot(x, y, radius, short_name(wager.name, names), pays)
    if tables.carry is not None:
        yield from _lamps(len(tables.carry.next))


def _spot(x: float, y: float, radius: float, name: str, pays: str, *, heavy: bool = False) -> str:
    width = 6 if heavy else 3
    room = 1.55 * radius
    size = 0.5 * radius
    lift = 0.0 if pays else 0.3 * size
    written = straight(name, x=x, y=y + lift, size=size, most=room)
    below = straight(pays, x=x, y=y + 0.5 * radius, size=0.75 * size, most=0.85 * room)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="#000" fill-opacity="0.12" '
        f'stroke="{_GOLD if heavy else _WHITE}" stroke-width="{width}"/>'
        + _letters(written, _WHITE)
        + (_letters(below, _GOLD) if pays else "")
    )


def _lamps(count: int) -> Iterator[str]:
    """The disk of lights before a position."""
    yield (
        f'<circle cx="0" cy="-115" r="56" fill="#000" fill-opacity="0.2" stroke="{_GOLD}" '
        'stroke-width="3"/>'
    )
    for number in range(count):
        angle = 2 * math.pi * number / count
        x, y = 40 * math.sin(angle), -115 - 40 * math.cos(angle)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="#ffb347"/>'


def _draft(tables: GameTables) -> Iterator[str]:
    if tables.head.draft:
        written = straight("DRAFT", x=_MIDDLE, y=760, size=420)
        yield f'<path d="{written}" fill="#fff" fill-opacity="0.22"/>'
