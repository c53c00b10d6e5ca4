"""Side wagers that any game can offer: their files, found by id or by path."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from upcard.errors import Problem, ProblemsError, UpcardError
from upcard.rules import folders
from upcard.rules.card_wagers import CardRow, CardSet, CardWager
from upcard.rules.index import Clause
from upcard.rules.section import RuleSection
from upcard.shape import parse_toml, read_text, shaped
from upcard.text import did_you_mean, listed

SIDE_IDS = (
    "21+3",
    "perfect-pairs",
    "pair-square",
    "royal-match",
    "over-13",
    "under-13",
    "exactly-13",
    "super-sevens",
    "lucky-ladies",
    "kings-bounty",
    "lucky-lucky",
    "hot-3",
    "buster",
    "dealer-bust",
    "bust-it",
    "push-22",
    "blazing-7s",
    "match-the-dealer",
    "in-between",
    "sweet-sixteen",
    "sweet-sixteen-tcs",
    "pair",
)
"""The packaged side wagers, in the order in which they are shown."""

SHARED_CLAUSES = "clauses"
"""The file with the clauses that hold for all of them."""


class SideTable(RuleSection, frozen=True, kw_only=True):
    """A pay table of a side wager; what else it states is in place of what the wager states."""

    rows: Annotated[tuple[CardRow, ...], Meta(min_length=1, description="Events and pays.")]
    third_card: Annotated[
        Literal["guaranteed", "if-drawn"] | None,
        Meta(description="Whether a third card is dealt in any case."),
    ] = None
    settled: Annotated[
        Literal["initial", "peek", "third", "dealer"] | None,
        Meta(description="When it is paid or collected."),
    ] = None


class SideFile(RuleSection, frozen=True, kw_only=True):
    """A file of a side wager. Its clauses speak of keys of the wager, not of a game."""

    id: Annotated[
        str,
        Meta(pattern=r"^[a-z0-9][a-z0-9.+-]*$", description="Lower-case id, the wager's own."),
    ]
    name: Annotated[str, Meta(min_length=1, description="What the layout calls it.")]
    source: Annotated[str, Meta(min_length=1, description="Where its rules come from.")]
    cards: Annotated[CardSet, Meta(description="The cards it looks at.")]
    settled: Annotated[
        Literal["initial", "peek", "third", "dealer"],
        Meta(description="When it is paid or collected."),
    ]
    mode: Annotated[
        Literal["first-row", "best-row", "every-row", "each-card"],
        Meta(description="Which rows are paid."),
    ] = "first-row"
    aces: Annotated[Literal["best", "low"], Meta(description="What aces count in totals.")] = "best"
    third_card: Annotated[
        Literal["guaranteed", "if-drawn"],
        Meta(description="Whether a third card is dealt in any case."),
    ] = "if-drawn"
    quoted: Annotated[
        Literal["to-1", "for-1"],
        Meta(description="Whether the figures are without or with the stake."),
    ] = "to-1"
    tables: Annotated[
        dict[str, SideTable], Meta(min_length=1, description="Pay tables, the usual one first.")
    ]
    clauses: Annotated[
        dict[str, Clause], Meta(description="Clauses of the source, and the keys they rule.")
    ] = {}


class SideDocument(msgspec.Struct, frozen=True):
    """A side wager as it was read."""

    file: str
    side: SideFile
    data: Mapping[str, Any]

    @property
    def is_packaged(self) -> bool:
        """Whether it comes with the program."""
        return self.side.id in SIDE_IDS and self is _packaged(self.side.id)

    def table(self, name: str) -> str:
        """A pay table by its name, the usual one by none."""
        known = self.side.tables
        if not name:
            return next(iter(known))
        if name not in known:
            raise UpcardError(
                f'the side wager {self.side.id} has no pay table "{name}"'
                f"{did_you_mean(name, known)} (it has {listed(known, 'and')})"
            )
        return name


def is_path(reference: str) -> bool:
    """Whether a side wager is named by its file."""
    return reference.endswith(".toml")


def find_side(reference: str, beside: Path | None = None) -> SideDocument:
    """The side wager behind an id, or behind the path of a file.

    What is not packaged is looked for in the folder `beside` and in the folders of games.

    >>> find_side("royal-match").side.name
    'Royal Match'
    """
    if is_path(reference):
        path = (beside or Path()) / reference
        return _document(str(path), parse_toml(read_text(path), str(path)))
    if reference in SIDE_IDS:
        return _packaged(reference)
    own = folders.own_sides(beside)
    found = [side for side in own if side.id == reference]
    if len(found) > 1:
        files = listed((side.file for side in found), "and")
        raise UpcardError(
            f'the side wager "{reference}" is claimed by {files}: give each its own id, or name '
            "the file"
        )
    if found:
        return _document(str(found[0].file), folders.read_game(found[0].file))
    known = (*SIDE_IDS, *sorted({side.id for side in own}))
    raise UpcardError(
        f'no side wager "{reference}"{did_you_mean(reference, known)} '
        f"(there are {listed(known, 'and')}; a file of your own ends in .toml, or stands in a "
        "folder of games)"
    )


def side_problems(file: Path, beside: Path) -> list[Problem]:
    """What is wrong with the file of a side wager by itself, and with its id beside others."""
    try:
        side = find_side(str(file)).side
        if side.id not in SIDE_IDS:
            find_side(side.id, beside)
            return []
    except ProblemsError as error:
        return list(error.problems)
    except UpcardError as error:
        return [Problem(str(file), "", str(error))]
    words = f'"{side.id}" is the id of a packaged side wager: give it another'
    return [Problem(str(file), "id", words)]


@cache
def shared_clauses() -> Mapping[str, Any]:
    """Clauses that hold for all side wagers, as plain data."""
    found: Mapping[str, Any] = _read(SHARED_CLAUSES)["clauses"]
    return found


@cache
def _packaged(side_id: str) -> SideDocument:
    return _document(f"side/{side_id}.toml", _read(side_id))


def _read(name: str) -> dict[str, Any]:
    folder = resources.files("upcard").joinpath("games", "side")
    return tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))


def _document(file: str, data: Mapping[str, Any]) -> SideDocument:
    side = shaped(data, file, SideFile)
    known = ("settles", *(field.name for field in msgspec.structs.fields(CardWager)))
    problems = []
    for name, clause in side.clauses.items():
        for place, keys in (("sets", clause.sets), ("when", tuple(clause.when))):
            for key in keys:
                if key not in known:
                    words = (
                        f'a side wager has no key "{key}"{did_you_mean(key, known)} '
                        f"(it has {listed(known, 'and')})"
                    )
                    problems.append(Problem(file, f"clauses.{name}.{place}", words))
        if not clause.sets:
            words = "a clause that sets nothing has no effect"
            problems.append(Problem(file, f"clauses.{name}.sets", words))
    if problems:
        raise ProblemsError(problems)
    return SideDocument(file, side, dict(data))
