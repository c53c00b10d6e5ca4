"""Offering shared side wagers in a game: by `use` in its file, or by the setting `sides`.

A side wager becomes a wager of the game like any other, and its clauses become clauses of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from upcard.errors import UpcardError
from upcard.rules import paths
from upcard.rules.side_files import SideDocument, find_side, is_path, shared_clauses

SIDES = "sides"
"""The setting that offers side wagers; every game has it."""
BETWEEN = ","
"""What stands between two side wagers in that setting."""

_STATED = ("mode", "aces", "quoted")
"""Keys that a side wager always states, so that the clauses about them speak of something."""


class AskedSide(NamedTuple):
    """A side wager that is asked for, and its pay table, "" for the usual one."""

    reference: str
    table: str

    def __str__(self) -> str:
        return f"{self.reference}={self.table}" if self.table else self.reference


class Merged(NamedTuple):
    """A game's data with its side wagers, and where the clauses of it stand."""

    data: paths.Data
    lineage: dict[str, str]


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


def written_sides(asked: Iterable[AskedSide]) -> str:
    """The setting in the one form that records keep: the usual pay table is not named."""
    texts = []
    for one in asked:
        document = find_side(one.reference)
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


def side_paths(own: Mapping[str, Any]) -> Iterator[str]:
    """The files of side wagers that a game file names."""
    wagers = own.get("wagers")
    for entry in wagers.values() if isinstance(wagers, Mapping) else ():
        if _is_file(entry):
            yield entry["use"]


def _is_file(entry: object) -> bool:
    use = entry.get("use") if isinstance(entry, Mapping) else None
    return isinstance(use, str) and is_path(use)


def with_sides(
    data: Mapping[str, Any], lineage: Mapping[str, str], asked: Iterable[AskedSide]
) -> Merged:
    """A game with its side wagers in place of their names, those that are asked for behind."""
    wagers = dict(data["wagers"]) if isinstance(data.get("wagers"), Mapping) else {}
    for one in asked:
        side = find_side(one.reference).side.id
        if side in wagers:
            raise UpcardError(f'the wager "{side}" is offered already: name it once')
        wagers[side] = {"use": one.reference, **({"table": one.table} if one.table else {})}
    used = {
        w: entry for w, entry in wagers.items() if isinstance(entry, Mapping) and "use" in entry
    }
    merged = Merged({**data, "wagers": wagers} if used else dict(data), dict(lineage))
    for wager, entry in used.items():
        if isinstance(entry["use"], str) and isinstance(entry.get("table", ""), str):
            _offer(merged, wager, entry, find_side(entry["use"]))
    return merged


def _offer(merged: Merged, wager: str, entry: Mapping[str, Any], document: SideDocument) -> None:
    """Put a side wager and its clauses into a game."""
    data = merged.data
    whole = _wager(document, entry)
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
            why = "The house offers it." if key in ("use", "table") else _own_reason(document)
            if why:
                assumed[path] = why
    data["assumed"] = assumed


def _own_reason(document: SideDocument) -> str:
    """Why a value is so that no clause speaks of, where a file cites none at all."""
    return "" if document.side.clauses else f"As {document.file} has it; it cites no clause."


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
