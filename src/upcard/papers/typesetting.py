"""Sets a document as a PDF, a PNG or an SVG, with Typst; nothing is read from the network."""

from __future__ import annotations

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

_KINDS = {
    doc.Paragraph: "paragraph",
    doc.PaperTable: "table",
    doc.Picture: "picture",
    doc.Facts: "facts",
    doc.Bullets: "bullets",
    doc.Listing: "listing",
    doc.Callout: "callout",
    doc.SideBySide: "side-by-side",
    doc.PageBreak: "page-break",
    doc.PaperSection: "section",
}


def typeset(paper: doc.Paper, ending: str) -> tuple[bytes, ...]:
    """The paper as one PDF, or as a picture of each page.

    >>> paper = doc.Paper("Twenty-one", "a page", (doc.Paragraph("# not markup"),))
    >>> [page[:5] for page in typeset(paper, ".pdf")]
    [b'%PDF-']
    """
    typst = _typst()
    pictures: dict[str, bytes] = {}
    described = _described(paper, pictures)
    files = {
        "main.typ": _template(),
        "paper.json": msgspec.json.encode(described),
        **pictures,
    }
    compiler = typst.Compiler(
        {"main": files.pop("main.typ"), **files},
        ignore_system_fonts=True,
        font_paths=_fonts(),
    )
    made = compiler.compile(format=ending.removeprefix("."), ppi=PIXELS_PER_INCH)
    return tuple(made) if isinstance(made, list) else (made,)


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
    if isinstance(part, doc.SideBySide):
        return described | {"parts": [_part(inner, pictures) for inner in part.parts]}
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
