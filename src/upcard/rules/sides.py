"""Offering shared side wagers in a game: by `use` in its file, or by the setting `sides`.

A side wager becomes a wager of the game like any other, and its clauses become clauses of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from upcard.errors import Problem, UpcardError
from upcard.rules import paths
from upcard.rules.provenance import NO_SOURCE
from upcard.rules.side_files import SIDE_IDS, SideDocument, find_side, is_path, shared_clauses

SIDES = "sides"
"""The setting that offers side wagers; every game has it."""
BETWEEN = ","
"""What stands between two side wagers in that setting."""

_STATED = ("mode", "aces", "quoted")
"""Keys that a side wager always states, so that the clauses about them speak of something."""
_MEANT = ("settles", "offered", "needs", "name")
"""Keys that are as they are because a side wager is used, and are called as it is."""


class AskedSide(NamedTuple):
    """A side wager that is asked for, and its pay table, "" for the usual one."""

    reference: str
    table: str

    def __str__(self) -> str:
        return f"{self.reference}={self.table}" if self.table else self.reference


@dataclass(frozen=True)
class SideUse:
    """A shared side wager as a game offers it: its file, its pay table, and what the game states of
    it by itself.
    """

    document: SideDocument
    table: str
    stated: frozenset[str]

    def home(self, wager: str, path: str) -> str | None:
        """A path of the game as one of the side wager's file, if it stands there."""
        here = f"wagers.{wager}."
        if not path.startswith(here):
            return None
        key = path.removeprefix(here)
        name = re.split(r"[. #]", key, maxsplit=1)[0]
        if name in self.stated:
            return None
        return f"tables.{self.table}.{key}" if name in self._in_table else key

    @property
    def _in_table(self) -> frozenset[str]:
        return frozenset(self.document.data["tables"][self.table])


Sides = Mapping[str, SideUse]
"""The shared side wagers of a game, by the id of the wager."""


class Merged(NamedTuple):
    """A game's data with its side wagers, and where the clauses of it stand."""

    data: paths.Data
    lineage: dict[str, str]
    sides: dict[str, SideUse]


def sides_text(asked: Iterable[str]) -> str:
    """Side wagers as the one setting that they are.

    >>> sides_text(["21+3=graded", "perfect-pairs"])
    '21+3=graded,perfect-pairs'
    """
    texts = [text.strip() for text in asked]
    for text in texts:
        if BETWEEN in text:
            raise UpcardError(f'"{text}" is not a side wager: write ID or ID=TABLE, one by one')
    return BETWEEN.join(texts)


def parse_sides(text: str) -> tuple[AskedSide, ...]:
    """The side wagers that the setting names.

    >>> [str(side) for side in parse_sides("21+3=graded, royal-match")]
    ['21+3=graded', 'royal-match']
    """
    found = []
    for part in filter(None, map(str.strip, text.split(BETWEEN))):
        reference, sign, table = (piece.strip() for piece in part.partition("="))
        if not reference or (sign and not table):
            raise UpcardError(f'"{part}" is not a side wager: write ID or ID=TABLE')
        found.append(AskedSide(reference, table))
    return tuple(found)


def written_sides(asked: Iterable[AskedSide], beside: Path | None = None) -> str:
    """The setting in the one form that records keep: the usual pay table is not named."""
    texts = []
    for one in asked:
        document = asked_side(one, beside)
        usual = document.table(one.table) == document.table("")
        texts.append(str(one._replace(table="" if usual else one.table)))
    return BETWEEN.join(texts)


def located(own: Mapping[str, Any], folder: Path | None) -> paths.Data:
    """A game file's data with the files of its side wagers as paths from here."""
    wagers = own.get("wagers")
    if folder is None or not isinstance(wagers, Mapping):
        return dict(own)
    found = {
        wager: {**entry, "use": str(folder / entry["use"])} if _is_file(entry) else entry
        for wager, entry in wagers.items()
    }
    return {**own, "wagers": found}


def found_by_id(own: Mapping[str, Any], folder: Path | None) -> paths.Data:
    """A game file's data with the files of side wagers that it names by an id which is not that of
    a packaged one.
    """
    wagers = own.get("wagers")
    if folder is None or not isinstance(wagers, Mapping):
        return dict(own)
    found = dict(wagers)
    for wager, entry in wagers.items():
        use = entry.get("use") if isinstance(entry, Mapping) else None
        if isinstance(use, str) and not is_path(use) and use not in SIDE_IDS:
            found[wager] = {**entry, "use": find_side(use, folder).file}
    return {**own, "wagers": found}


def side_paths(own: Mapping[str, Any]) -> Iterator[str]:
    """The files of side wagers that a game file names."""
    wagers = own.get("wagers")
    for entry in wagers.values() if isinstance(wagers, Mapping) else ():
        if _is_file(entry):
            yield entry["use"]


def _is_file(entry: object) -> bool:
    use = entry.get("use") if isinstance(entry, Mapping) else None
    return isinstance(use, str) and is_path(use)


def asked_side(asked: AskedSide, beside: Path | None) -> SideDocument:
    """A side wager that is asked for: a file is named from here, an id may be one beside a game."""
    return find_side(asked.reference, None if is_path(asked.reference) else beside)


def with_sides(
    data: Mapping[str, Any],
    lineage: Mapping[str, str],
    asked: Iterable[AskedSide],
    sides: Sides,
    beside: Path | None,
) -> Merged:
    """A game with its side wagers in place of their names, those that are asked for behind; `sides`
    stand there already.
    """
    wagers = dict(data["wagers"]) if isinstance(data.get("wagers"), Mapping) else {}
    documents = {}
    for one in asked:
        document = asked_side(one, beside)
        side = document.side.id
        if side in wagers:
            raise UpcardError(f'the wager "{side}" is offered already: name it once')
        wagers[side] = {"use": one.reference, **({"table": one.table} if one.table else {})}
        documents[side] = document
    used = {
        wager: entry
        for wager, entry in wagers.items()
        if wager not in sides and isinstance(entry, Mapping) and "use" in entry
    }
    merged = Merged({**data, "wagers": wagers} if used else dict(data), dict(lineage), dict(sides))
    for wager, entry in used.items():
        if isinstance(entry["use"], str) and isinstance(entry.get("table", ""), str):
            _offer(merged, wager, entry, documents.get(wager) or find_side(entry["use"]))
    return merged


def in_their_files(problems: Iterable[Problem], file: str, sides: Sides) -> list[Problem]:
    """What is wrong with a game, said of the files of its side wagers where it stands in one."""
    return [_in_its_file(problem, file, sides) for problem in problems]


def _in_its_file(problem: Problem, file: str, sides: Sides) -> Problem:
    if problem.file != file:
        return problem
    for wager, use in sides.items():
        path = use.home(wager, problem.path)
        if path is not None:
            key = problem.path.removeprefix(f"wagers.{wager}.")
            message = problem.message
            if message.startswith(NO_SOURCE):
                message = f'no clause of this side wager sets it: let one do so (sets = ["{key}"])'
            return replace(problem, file=use.document.file, path=path, message=message)
    return problem


def _offer(merged: Merged, wager: str, entry: Mapping[str, Any], document: SideDocument) -> None:
    """Put a side wager and its clauses into a game."""
    data = merged.data
    whole = _wager(document, entry)
    merged.sides[wager] = SideUse(document, whole["table"], frozenset((*entry, "use", "table")))
    data["wagers"] = {**data["wagers"], wager: whole}
    clauses = dict(data.get("clauses", {}))
    told = dict(_placed(document.data.get("clauses", {}), wager, whole))
    told_by_all = dict(_placed(shared_clauses(), wager, whole))
    for name, clause in {**told_by_all, **told}.items():
        before = clauses.get(name)
        if before is not None and before["says"] != clause["says"]:
            raise UpcardError(
                f"the clause {name} of the side wager {document.side.id} is another clause of "
                "the game: give it another name"
            )
        sets = [*(before or clause)["sets"], *clause["sets"]]
        clauses[name] = {**clause, "sets": list(dict.fromkeys(sets))}
        merged.lineage.setdefault(name, document.file)
    data["clauses"] = clauses
    ruled = {target for clause in clauses.values() for target in clause["sets"]}
    assumed = dict(data.get("assumed", {}))
    for key in whole:
        path = f"wagers.{wager}.{key}"
        if not any(above in ruled or above in assumed for above in paths.above(path)):
            why = _reason(document, key)
            if why:
                assumed[path] = why
    data["assumed"] = assumed


def _reason(document: SideDocument, key: str) -> str:
    """Why a value is so that no clause speaks of, "" where the file must say it."""
    if key in ("use", "table"):
        return "The house offers it."
    if not document.side.clauses:
        return f"As {document.file} has it; it cites no clause."
    if key in _MEANT or (key in _STATED and key not in document.data):
        return f"What it means to use {document.side.id}, which says nothing else."
    return ""


def _wager(document: SideDocument, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The wager as a game file would write it out."""
    side, stated = document.side, document.data
    table = document.table(str(entry.get("table", "")))
    own = {key: stated[key] for key in ("name", "cards", "settled", "third_card") if key in stated}
    always = {key: getattr(side, key) for key in _STATED}
    rows = dict(stated["tables"][table])
    return {
        "settles": "cards",
        "offered": True,
        "needs": "base",
        **own,
        **always,
        **rows,
        **entry,
        # Where the file lies is no part of the game: all that it says is.
        "use": side.id,
        "table": table,
    }


def _placed(
    clauses: Mapping[str, Any], wager: str, whole: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Clauses of a side wager as clauses of the game, those that speak of something here."""
    here = f"wagers.{wager}"
    for name, clause in clauses.items():
        sets = [f"{here}.{key}" for key in clause["sets"] if key in whole]
        when: Mapping[str, Any] = clause.get("when", {})
        # Settings change no key of a side wager, so what does not hold now never does.
        if sets and all(_is(whole.get(key), wanted) for key, wanted in when.items()):
            yield name, {"kind": clause["kind"], "says": clause["says"], "sets": sets}


def _is(value: Any, wanted: Any) -> bool:
    return value in wanted if isinstance(wanted, list) else bool(value == wanted)
