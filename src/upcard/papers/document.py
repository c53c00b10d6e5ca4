"""A document as data: what a paper says, before it is set as a PDF, a picture or a web page.

Papers are written once as parts: paragraphs, facts, tables, pictures. `typesetting` makes a PDF, a
PNG or an SVG of them, `web_page` a page for a browser. All text is plain text: nothing in a game's
file can be taken for markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Align(Enum):
    """Where the text of a column stands."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


class Sheet(Enum):
    """A size of paper, in its usual name."""

    A4 = "a4"
    A5 = "a5"
    LETTER = "us-letter"
    CARD = "a6"


class TableStyle(Enum):
    """How a table is ruled."""

    RULED = "ruled"
    """A line above, below the head and at the end: figures to read."""
    BOXED = "boxed"
    """Every cell in its box: charts."""
    CHART = "chart"
    """Boxes under heads in the accent's colour, the caption above them: for the hand at a table."""


@dataclass(frozen=True)
class PaperCell:
    """One cell; `shade` is a ground such as `#b9e4c0`, `span` how many columns it takes."""

    text: str
    shade: str = ""
    bold: bool = False
    span: int = 1
    small: str = ""
    """A second, smaller line."""


@dataclass(frozen=True)
class PaperColumn:
    """A column: its head, where its text stands, and its share of the width (0: as needed)."""

    title: str
    align: Align = Align.LEFT
    share: float = 0.0


@dataclass(frozen=True)
class PaperTable:
    """Rows of cells under heads; `totals` last rows stand under a line."""

    columns: tuple[PaperColumn, ...]
    rows: tuple[tuple[PaperCell | str, ...], ...]
    caption: str = ""
    style: TableStyle = TableStyle.RULED
    totals: int = 0
    size: float = 9.0
    """Of the letters, in points."""
    width: float = 1.0
    """Of a chart: its share of the width there is."""


@dataclass(frozen=True)
class Picture:
    """A picture (SVG) with what it shows in words, for those who cannot see it too."""

    svg: str
    caption: str = ""
    alt: str = ""
    width: float = 1.0
    """Share of the text's width."""


@dataclass(frozen=True)
class Paragraph:
    """Words. `quiet` ones are smaller and grey: sources and remarks."""

    text: str
    quiet: bool = False
    bold: bool = False


@dataclass(frozen=True)
class Facts:
    """Pairs of a name and what it is."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Bullets:
    """A list; a marker such as a clause's id stands in the margin where given."""

    items: tuple[tuple[str, str], ...]
    """Each a marker (may be empty) and its text."""
    margin: float = 0.0
    """Share of the width that markers have; 0 is as much as they need."""


@dataclass(frozen=True)
class Listing:
    """Commands or output, as typed."""

    text: str


@dataclass(frozen=True)
class Callout:
    """What must not be missed: a finding, a warning, DRAFT."""

    title: str
    text: str


@dataclass(frozen=True)
class Banner:
    """What is read first and from afar, large on the paper's colour, and a line below it."""

    text: str
    small: str = ""


@dataclass(frozen=True)
class Swatches:
    """What the letters of a chart mean: each a ground, its letters, and words."""

    items: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class InColumns:
    """Columns of equal width, in each of which some parts stand below one another."""

    columns: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True)
class SideBySide:
    """Parts beside one another; a narrow page stacks them."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Stacked:
    """Parts below one another, where one part is asked for."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Blanks:
    """Lines to write on by hand, each with what goes there."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class PageBreak:
    """What follows begins a page."""


@dataclass(frozen=True)
class PaperSection:
    """A title and what stands under it."""

    title: str
    parts: tuple[Part, ...]
    numbered: bool = True
    whole: bool = False
    """Kept on one page."""


Part: TypeAlias = (
    PaperTable
    | Picture
    | Paragraph
    | Facts
    | Bullets
    | Listing
    | Callout
    | Banner
    | Swatches
    | InColumns
    | SideBySide
    | Stacked
    | Blanks
    | PageBreak
    | PaperSection
)


@dataclass(frozen=True)
class Paper:
    """A whole document."""

    title: str
    subtitle: str
    parts: tuple[Part, ...]
    footer: str = ""
    """Stands on every page: the game with its version and fingerprint."""
    sheet: Sheet = Sheet.A4
    landscape: bool = False
    accent: str = "#0d5b45"
    cover: bool = False
    """A title page of its own, with the contents."""
    scale: float = 1.0
    """Size of the letters, 1 being what the sheet's size suggests."""
    one_page: bool = False
    """Whether all of it goes on one page: letters are then as large as fits, at most `scale`."""
    language: str = "en"
    banner: bool = False
    """The title in white on a ground of the accent's colour."""
