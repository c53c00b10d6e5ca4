"""A game file merged over the games that it extends, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from upcard.errors import Problem, ProblemsError, UpcardError
from upcard.rules import paths, registry
from upcard.rules.head import OWN
from upcard.rules.sides import Sides, found_by_id, located, side_paths
from upcard.rules.validate import shape_problems

CHOICES = ("options", "readings")
"""The tables of what can be set."""


@dataclass(frozen=True)
class Stage:
    """A game file with all that it inherits.

    `lineage` is the id of the game in which each clause stands, `changed` are the values in which
    the file differs from the game that it extends, `settable` is what could be set in that. `sides`
    are the side wagers that are written out already.
    """

    document: registry.Document
    data: paths.Data
    lineage: Mapping[str, str]
    changed: frozenset[str] = frozenset()
    settable: frozenset[str] = frozenset()
    sides: Sides = field(default_factory=dict)

    @property
    def file(self) -> str:
        return self.document.file


def stages(document: registry.Document) -> list[Stage]:
    """The games that a file extends, the first of them first, and then the file itself."""
    chain = [document]
    while (reference := chain[-1].data.get("extends")) is not None:
        chain.append(_parent(chain, reference))
    first, *others = reversed(chain)
    found = [Stage(first, _located(first), _clauses(first))]
    for one in others:
        found.append(_over(found[-1], one))
    return found


def _located(document: registry.Document) -> paths.Data:
    """A file's data with the files of its side wagers as paths from here."""
    own = located(document.data, document.folder)
    for use in side_paths(own):
        registry.need_within(Path(use), document.within)
    return found_by_id(own, document.folder)


def _parent(chain: list[registry.Document], reference: object) -> registry.Document:
    child = chain[-1]
    message = 'a game id is needed, or a file such as "base.toml"'
    if isinstance(reference, str):
        try:
            found = registry.find(reference, child)
        except UpcardError as error:
            message = str(error)
        else:
            if all(_place(found) != _place(known) for known in chain):
                return found
            message = "a game cannot extend itself"
            if len(chain) > 1:
                way = " extends ".join(Path(one.file).name for one in (*chain, found))
                message += f": {way}"
    # What the child says itself can be judged all the same, as far as it is there.
    own = shape_problems(child.data, child.file)
    there = [p for p in own if p.path != "extends" and paths.exists(child.data, p.path)]
    raise ProblemsError([Problem(child.file, "extends", message), *there])


def _place(document: registry.Document) -> str:
    """What tells a document from others: a file can be named in more than one way."""
    return document.file if document.folder is None else str(Path(document.file).resolve())


def _clauses(document: registry.Document) -> dict[str, str]:
    clauses = document.data.get("clauses")
    game_id = str(document.data.get("id", document.file))
    return dict.fromkeys(clauses, game_id) if isinstance(clauses, Mapping) else {}


def _over(stage: Stage, child: registry.Document) -> Stage:
    own, parent = _located(child), stage.data
    merged = paths.merge(_without_what_the_child_settles(parent, own), own)
    rules = [entry for data in (parent, own) for entry in _list(data.get("forbids"))]
    merged["forbids"] = rules if isinstance(own.get("forbids", []), list) else own["forbids"]
    before = paths.rule_values(parent)
    changed = {path for path, value in paths.rule_values(own).items() if before.get(path) != value}
    names = (name for kind in CHOICES for name in _table(parent.get(kind)))
    return Stage(
        child,
        merged,
        {**stage.lineage, **_clauses(child)},
        frozenset(changed),
        stage.settable | frozenset(names),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _without_what_the_child_settles(
    parent: Mapping[str, Any], child: Mapping[str, Any]
) -> paths.Data:
    """The parent less what is its own and what the child's clauses, options and `fixed` replace."""
    ruled = [
        target
        for clause in _table(child.get("clauses")).values()
        for target in _list(_table(clause).get("sets"))
        if isinstance(target, str)
    ]
    kept = {key: value for key, value in parent.items() if key not in OWN}
    fixed, own = _table(child.get("fixed")), _table(child.get("options"))
    kept["assumed"] = {
        path: reason
        for path, reason in _table(parent.get("assumed")).items()
        if not any(paths.covers(target, path) for target in ruled)
    }
    for kind in CHOICES:
        known = _table(parent.get(kind)).items()
        kept[kind] = {name: choice for name, choice in known if name not in fixed}
    kept["fixed"] = {
        name: why for name, why in _table(parent.get("fixed")).items() if name not in own
    }
    return kept
