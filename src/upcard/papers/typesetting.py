"""Sets a document as a PDF, a PNG or an SVG, with Typst; nothing is read from the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from upcard.errors import UpcardError
from upcard.papers import document as doc

PRINTED = (".pdf", ".png", ".svg")
PIXELS_PER_INCH = 144.0
SMALLEST = 0.5
"""Letters of half their size can still be read; smaller ones are not printed."""
_STEP = 0.96
"""From one size of letters to the next."""

_KINDS = {
    doc.Paragraph: "paragraph",
    doc.PaperTable: "table",
    doc.Picture: "picture",
    doc.Facts: "facts",
    doc.Bullets: "bullets",
    doc.Listing: "listing",
    doc.Callout: "callout",
    doc.Banner: "banner",
    doc.Swatches: "swatches",
    doc.InColumns: "in-columns",
    doc.SideBySide: "side-by-side",
    doc.Stacked: "stacked",
    doc.Blanks: "blanks",
    doc.PageBreak: "page-break",
    doc.PaperSection: "section",
}


def typeset(paper: doc.Paper, ending: str) -> tuple[bytes, ...]:
    """The paper as one PDF, or as a picture of each page.

    >>> paper = doc.Paper("Twenty-one", "a page", (doc.Paragraph("# not markup"),))
    >>> [page[:5] for page in typeset(paper, ".pdf")]
    [b'%PDF-']
    """
    pictures: dict[str, bytes] = {}
    described = _described(paper, pictures)

    def set_as(scale: float, ending: str) -> tuple[bytes, ...]:
        return _compiled(described | {"scale": scale}, pictures, ending)

    scale = _fitting(paper, set_as) if paper.one_page else paper.scale
    return set_as(scale, ending)


def _compiled(
    described: dict[str, Any], pictures: dict[str, bytes], ending: str
) -> tuple[bytes, ...]:
    compiler = _typst().Compiler(
        {"main": _template(), "paper.json": msgspec.json.encode(described), **pictures},
        ignore_system_fonts=True,
        font_paths=_fonts(),
    )
    made = compiler.compile(format=ending.removeprefix("."), ppi=PIXELS_PER_INCH)
    return tuple(made) if isinstance(made, list) else (made,)


def _fitting(paper: doc.Paper, set_as: Callable[[float, str], tuple[bytes, ...]]) -> float:
    """The largest size of letters with which all of a paper is on one page."""
    sizes = [paper.scale]
    while sizes[-1] * _STEP >= SMALLEST:
        sizes.append(sizes[-1] * _STEP)
    low, high = 0, len(sizes)
    while low < high:
        middle = (low + high) // 2
        if len(set_as(sizes[middle], ".svg")) == 1:
            high = middle
        else:
            low = middle + 1
    if low == len(sizes):
        raise UpcardError(
            f"{paper.title}, {paper.subtitle}: this is too much for one page in letters that can "
            "be read"
        )
    return sizes[low]


def _typst() -> Any:
    try:
        import typst
    except ImportError:
        raise UpcardError(
            "papers are set with Typst, which is not installed: pip install 'upcard[reports]'"
        ) from None
    return typst


@cache
def _template() -> bytes:
    return resources.files("upcard.papers").joinpath("styles", "paper.typ").read_bytes()


@cache
def _fonts() -> list[str]:
    """The sans that pictures are lettered with comes inside matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return []
    return [str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")]


def _described(paper: doc.Paper, pictures: dict[str, bytes]) -> dict[str, Any]:
    parts = [_part(part, pictures) for part in paper.parts]
    return {
        "title": paper.title,
        "subtitle": paper.subtitle,
        "footer": paper.footer,
        "sheet": paper.sheet.value,
        "landscape": paper.landscape,
        "accent": paper.accent,
        "cover": paper.cover,
        "language": paper.language,
        "one_page": paper.one_page,
        "banner": paper.banner,
        "parts": parts,
    }


def _part(part: doc.Part, pictures: dict[str, bytes]) -> dict[str, Any]:
    described = {"kind": _KINDS[type(part)]}
    if isinstance(part, doc.Picture):
        file = f"picture-{len(pictures) + 1}.svg"
        pictures[file] = part.svg.encode()
        return described | {
            "file": file,
            "caption": part.caption,
            "alt": part.alt or part.caption,
            "width": part.width,
        }
    if isinstance(part, doc.SideBySide | doc.Stacked):
        return described | {"parts": [_part(inner, pictures) for inner in part.parts]}
    if isinstance(part, doc.InColumns):
        columns = [[_part(inner, pictures) for inner in column] for column in part.columns]
        return described | {"columns": columns}
    if isinstance(part, doc.PaperSection):
        return described | {
            "title": part.title,
            "numbered": part.numbered,
            "whole": part.whole,
            "parts": [_part(inner, pictures) for inner in part.parts],
        }
    if isinstance(part, doc.PaperTable):
        return described | {
            "caption": part.caption,
            "style": part.style.value,
            "totals": part.totals,
            "size": part.size,
            "width": part.width,
            "columns": [
                {"title": column.title, "align": column.align.value, "share": column.share}
                for column in part.columns
            ],
            "rows": [[asdict(cell_of(cell)) for cell in row] for row in part.rows],
        }
    return described | asdict(part)


def cell_of(cell: doc.PaperCell | str) -> doc.PaperCell:
    """A cell, where a text may stand for a plain one."""
    return doc.PaperCell(cell) if isinstance(cell, str) else cell
