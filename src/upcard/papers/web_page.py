"""A document as one page for a browser: no script, nothing from elsewhere, prints well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib import resources
from itertools import count

from upcard.papers import document as doc
from upcard.papers.typesetting import cell_of

_SVG_HEAD = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_IDS = re.compile(r'\b(id="|href="#|url\(#)')


def web_page(paper: doc.Paper) -> str:
    """The paper as a page that stands alone.

    >>> page = web_page(doc.Paper("21", "<b>", (doc.Paragraph("5 < 6"),)))
    >>> "<p>5 &lt; 6</p>" in page, "&lt;b&gt;" in page
    (True, True)
    """
    title = escape(paper.title)
    return "\n".join(
        [
            f'<!doctype html><html lang="{escape(paper.language)}"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>:root{{--accent:{escape(paper.accent)}}}",
            f"{_style()}</style></head><body><main>",
            f"<header{' class=banner' if paper.banner else ''}><h1>{title}</h1>",
            f'<p class="subtitle">{escape(paper.subtitle)}</p></header>',
            *_contents(paper),
            *_parts(paper.parts, 2, _Numbers()),
            f"<footer>{escape(paper.footer)}</footer></main></body></html>",
        ]
    )


class _Numbers:
    """Runs through a page: what sections, tables and pictures are called."""

    def __init__(self) -> None:
        self.section: list[int] = []
        self.tables = count(1)
        self.pictures = count(1)
        self.drawn = count(1)

    def next_section(self, depth: int) -> str:
        self.section = [*self.section, *[0] * (depth + 1)][: depth + 1]
        self.section[depth] += 1
        return ".".join(map(str, self.section))


@cache
def _style() -> str:
    return resources.files("upcard.papers").joinpath("styles", "paper.css").read_text("utf-8")


def _contents(paper: doc.Paper) -> Iterator[str]:
    if paper.cover:
        sections = [part for part in paper.parts if isinstance(part, doc.PaperSection)]
        yield '<nav aria-label="Contents"><ol>'
        for part in sections:
            yield f'<li><a href="#{_anchor(part.title)}">{escape(part.title)}</a></li>'
        yield "</ol></nav>"


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _parts(parts: tuple[doc.Part, ...], level: int, numbers: _Numbers) -> Iterator[str]:
    for part in parts:
        yield from _part(part, level, numbers)


def _part(part: doc.Part, level: int, numbers: _Numbers) -> Iterator[str]:
    match part:
        case doc.Paragraph():
            yield _paragraph(part)
        case doc.PaperTable():
            yield from _table(part, numbers)
        case doc.Picture():
            yield from _picture(part, numbers)
        case doc.Facts():
            rows = (f"<dt>{escape(name)}</dt><dd>{_lines(what)}</dd>" for name, what in part.rows)
            yield f"<dl>{''.join(rows)}</dl>"
        case doc.Bullets():
            kind = ' class="margins"' if part.margin else ""
            yield f"<ul{kind}>" + "".join(map(_bullet, part.items)) + "</ul>"
        case doc.Listing() | doc.Callout() | doc.Banner() | doc.Swatches():
            yield _stands_out(part)
        case doc.InColumns() | doc.SideBySide():
            yield from _divided(part, level, numbers)
        case doc.Stacked():
            yield from _parts(part.parts, level, numbers)
        case doc.Blanks():
            yield _blanks(part)
        case doc.PageBreak():
            yield '<div class="page-break"></div>'
        case doc.PaperSection():
            yield from _section(part, level, numbers)


def _stands_out(part: doc.Listing | doc.Callout | doc.Banner | doc.Swatches) -> str:
    if isinstance(part, doc.Swatches):
        return f'<ul class="swatches">{"".join(map(_swatch, part.items))}</ul>'
    if isinstance(part, doc.Listing):
        return f"<pre>{escape(part.text)}</pre>"
    if isinstance(part, doc.Banner):
        small = f"<small>{escape(part.small)}</small>" if part.small else ""
        return f'<p class="banner">{escape(part.text)}{small}</p>'
    words = f"<p>{_lines(part.text)}</p>" if part.text else ""
    return f'<aside class="callout"><strong>{escape(part.title)}</strong>\n{words}</aside>'


def _blanks(part: doc.Blanks) -> str:
    lines = (f'<div class="blank"><span>{escape(label)}</span></div>' for label in part.labels)
    return f'<div class="blanks">{"".join(lines)}</div>'


def _divided(part: doc.InColumns | doc.SideBySide, level: int, numbers: _Numbers) -> Iterator[str]:
    style, columns = "columns", () if isinstance(part, doc.SideBySide) else part.columns
    if isinstance(part, doc.SideBySide):
        style, columns = "beside", tuple((inner,) for inner in part.parts)
    yield f'<div class="{style}">'
    for column in columns:
        yield "<div>" + "\n".join(_parts(column, level, numbers)) + "</div>"
    yield "</div>"


def _section(section: doc.PaperSection, level: int, numbers: _Numbers) -> Iterator[str]:
    number = ""
    if section.numbered and level <= 3:
        number = f'<span class="number">{numbers.next_section(level - 2)}</span> '
    whole = ' class="whole"' if section.whole else ""
    yield f'<section id="{_anchor(section.title)}"{whole}>'
    yield f"<h{level}>{number}{escape(section.title)}</h{level}>"
    yield from _parts(section.parts, level + 1, numbers)
    yield "</section>"


def _paragraph(part: doc.Paragraph) -> str:
    return f'<p class="quiet">{_words(part)}</p>' if part.quiet else f"<p>{_words(part)}</p>"


def _words(part: doc.Paragraph | doc.PaperCell) -> str:
    return f"<strong>{_lines(part.text)}</strong>" if part.bold else _lines(part.text)


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _bullet(item: tuple[str, str]) -> str:
    marker, text = item
    if not marker:
        return f"<li>{_lines(text)}</li>"
    return f'<li class="marked"><span class="marker">{escape(marker)}</span> {_lines(text)}</li>'


def _swatch(item: tuple[str, str, str]) -> str:
    ground, letters, words = map(escape, item)
    return f'<li><b style="background:{ground}">{letters}</b>{words}</li>'


def _table(table: doc.PaperTable, numbers: _Numbers) -> Iterator[str]:
    width = f' style="width:{table.width:.0%}"' if table.width < 1 else ""
    yield f'<div class="wide"><table class="{table.style.value}"{width}>'
    if table.caption and table.style is doc.TableStyle.CHART:
        yield f"<caption>{escape(table.caption)}</caption>"
        whole = sum(column.share for column in table.columns) or 1.0
        yield "".join(f'<col style="width:{c.share / whole:.1%}">' for c in table.columns)
    elif table.caption:
        yield f"<caption>Table {next(numbers.tables)}: {escape(table.caption)}</caption>"
    if any(column.title for column in table.columns):
        heads = (
            f'<th scope="col" class="{column.align.value}">{escape(column.title)}</th>'
            for column in table.columns
        )
        yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    first_total = len(table.rows) - table.totals
    yield "<tbody>"
    for number, row in enumerate(table.rows):
        shown = ' class="total"' if number == first_total else ""
        yield f"<tr{shown}>{''.join(_cells(table, row))}</tr>"
    yield "</tbody></table></div>"


def _cells(table: doc.PaperTable, row: tuple[doc.PaperCell | str, ...]) -> Iterator[str]:
    place = 0
    for given in row:
        cell = cell_of(given)
        align = table.columns[place].align.value
        shade = f' style="background:{escape(cell.shade)}"' if cell.shade else ""
        span = f' colspan="{cell.span}"' if cell.span > 1 else ""
        small = f"<small>{escape(cell.small)}</small>" if cell.small else ""
        yield f'<td class="{align}"{span}{shade}>{_words(cell)}{small}</td>'
        place += cell.span


def _picture(picture: doc.Picture, numbers: _Numbers) -> Iterator[str]:
    label = escape(picture.alt or picture.caption)
    yield f'<figure><div role="img" aria-label="{label}" style="width:{picture.width:.0%}">'
    yield _alone(picture.svg, next(numbers.drawn))
    yield "</div>"
    if picture.caption:
        number = next(numbers.pictures)
        yield f"<figcaption>Figure {number}: {escape(picture.caption)}</figcaption>"
    yield "</figure>"


def _alone(svg: str, number: int) -> str:
    """The drawing without its file's head, and with names that no other drawing has."""
    return _IDS.sub(rf"\g<1>p{number}-", _SVG_HEAD.sub("", svg, count=1))
