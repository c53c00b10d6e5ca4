"""From a game file to a `RuleSet`: read, extend, set, check."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from upcard.errors import Problem, ProblemsError, UpcardError
from upcard.fees.schedules import FeeBook, FeeSchedule, load_fee_book
from upcard.rules import paths, registry
from upcard.rules.provenance import Provenance, Tracer
from upcard.rules.schema import HEADER, INDEX, GameRules
from upcard.rules.settings import apply_settings, written_settings
from upcard.rules.sides import SIDES, located, parse_sides, with_sides, written_sides
from upcard.rules.validate import shape_problems


@dataclass(frozen=True)
class RuleSet:
    """A game with all its options and readings applied, ready to be compiled."""

    game: GameRules
    data: Mapping[str, Any]
    defaults: Mapping[str, Any]
    """The data before any setting was applied."""
    settings: Mapping[str, str]
    file: str
    lineage: Mapping[str, str]
    """The game file in which each clause stands, by clause id."""
    changed: frozenset[str]
    """Paths of the values in which the file differs from the game that it extends."""
    fee_book: FeeBook | None
    fee_problem: str = ""
    """Why the fee book cannot be used, if it cannot."""

    @cached_property
    def values(self) -> dict[str, Any]:
        """Every value of the rules that the file states, by path."""
        return paths.rule_values(self.data)

    @cached_property
    def below(self) -> dict[str, list[str]]:
        """The paths of the values at or below every key that covers any."""
        found: dict[str, list[str]] = {}
        for path in self.values:
            for key in paths.above(path):
                found.setdefault(key, []).append(path)
        return found

    @cached_property
    def provenance(self) -> dict[str, Provenance]:
        """Where every value comes from, by path."""
        defaults = paths.rule_values(self.defaults)
        return Tracer(self.game, self.lineage, self.changed, defaults).trace(self.values)

    @property
    def fee_schedule(self) -> FeeSchedule | None:
        """The fee schedule in force."""
        fees = self.game.fees
        if fees is None or self.fee_book is None:
            return None
        return next((s for s in self.fee_book.schedules if s.id == fees.schedule), None)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical form: identity and rules, without words about them.

        Keys at their default are left out, so that a new key of the vocabulary does not
        change the fingerprints of games that do not use it.
        """
        rules = msgspec.to_builtins(self.game)
        words = (*INDEX, *HEADER)
        canonical = {key: value for key, value in rules.items() if key not in words}
        canonical |= {"id": self.game.id, "version": self.game.version}
        if self.fee_schedule is not None:
            canonical["fee_schedule"] = msgspec.to_builtins(self.fee_schedule)
        return hashlib.sha256(msgspec.json.encode(canonical, order="deterministic")).hexdigest()

    def cites(self, *keys: str) -> tuple[str, ...]:
        """The clauses behind some keys, each once."""
        found = (self.provenance[key].clauses for key in keys if key in self.provenance)
        return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


def load_game(reference: str, settings: Mapping[str, str] | None = None) -> RuleSet:
    """A packaged game or a game file, with settings; everything wrong with it at once.

    >>> rules = load_game("blackjack", {"decks": "8"})
    >>> rules.game.shoe.decks, rules.game.dealer.soft17
    (8, 'stand')
    """
    from upcard.rules.check import rule_problems

    rules = assemble(reference, settings or {})
    problems = rule_problems(rules)
    if problems:
        raise ProblemsError(problems)
    return rules


def assemble(reference: str, settings: Mapping[str, str]) -> RuleSet:
    """A rule set whose shape is right, not yet checked for contradictions."""
    document = registry.find(reference)
    data, lineage, changed = _extended(document, ())
    asked = parse_sides(settings.get(SIDES, ""))
    data, lineage = with_sides(data, lineage, asked)
    settings = {name: text for name, text in settings.items() if name != SIDES}
    problems = shape_problems(data, document.file)
    if problems:
        raise ProblemsError([*problems, *_further_problems(data, lineage, changed, document)])
    rules = _rule_set(data, lineage, changed, document, settings)
    if not asked:
        return rules
    return replace(rules, settings={**rules.settings, SIDES: written_sides(asked)})


def _further_problems(
    data: paths.Data,
    lineage: Mapping[str, str],
    changed: frozenset[str],
    document: registry.Document,
) -> list[Problem]:
    """What else is wrong with a file, once what has no place in the vocabulary is taken out."""
    from upcard.rules.check import rule_problems

    pruned = copy.deepcopy(data)
    dropped = [problem.path for problem in shape_problems(data, document.file)]
    for path in dropped:
        paths.drop(pruned, path)
    if shape_problems(pruned, document.file):
        return []
    found = rule_problems(_rule_set(pruned, lineage, changed, document, {}))
    # What speaks of a dropped value may only be a consequence of dropping it.
    return [problem for problem in found if not any(path in str(problem) for path in dropped)]


def _rule_set(
    data: paths.Data,
    lineage: Mapping[str, str],
    changed: frozenset[str],
    document: registry.Document,
    settings: Mapping[str, str],
) -> RuleSet:
    game = msgspec.convert(data, GameRules)
    defaults = data
    if settings:
        data = apply_settings(game, data, settings)
        settings = written_settings(game, settings)
        problems = shape_problems(data, document.file)
        if problems:
            raise ProblemsError(problems)
        game = msgspec.convert(data, GameRules)
    book, fee_problem = _fee_book(game, document)
    return RuleSet(
        game=game,
        data=data,
        defaults=defaults,
        settings=dict(settings),
        file=document.file,
        lineage=lineage,
        changed=changed,
        fee_book=book,
        fee_problem=fee_problem,
    )


def _extended(
    document: registry.Document, seen: tuple[str, ...]
) -> tuple[paths.Data, dict[str, str], frozenset[str]]:
    """A file merged over the games it extends, its clauses' origins, and what it changes."""
    own = located(document.data, document.folder)
    game_id = str(own.get("id", document.file))
    clauses = own.get("clauses")
    lineage = dict.fromkeys(clauses, game_id) if isinstance(clauses, Mapping) else {}
    parent_id = own.get("extends")
    if parent_id is None:
        return dict(own), lineage, frozenset()
    if not isinstance(parent_id, str) or document.file in seen:
        message = "a game cannot extend itself" if document.file in seen else "a game id is needed"
        raise ProblemsError([Problem(document.file, "extends", message)])
    try:
        parent_document = registry.find(parent_id, document.folder)
    except UpcardError as error:
        raise ProblemsError([Problem(document.file, "extends", str(error))]) from None
    parent, inherited, _ = _extended(parent_document, (*seen, document.file))
    merged = paths.merge(_without_what_the_child_settles(parent, own), own)
    merged["forbids"] = [*parent.get("forbids", ()), *own.get("forbids", ())]
    before = paths.rule_values(parent)
    changed = {path for path, value in paths.rule_values(own).items() if before.get(path) != value}
    return merged, {**inherited, **lineage}, frozenset(changed)


def _without_what_the_child_settles(
    parent: Mapping[str, Any], child: Mapping[str, Any]
) -> paths.Data:
    """The parent less what the child's clauses and options replace."""
    clauses = child.get("clauses")
    ruled = [
        target
        for clause in (clauses.values() if isinstance(clauses, Mapping) else ())
        if isinstance(clause, Mapping)
        for target in clause.get("sets", ())
    ]
    fixed = child.get("fixed")
    kept = dict(parent)
    kept["assumed"] = {
        path: reason
        for path, reason in parent.get("assumed", {}).items()
        if not any(paths.covers(target, path) for target in ruled)
    }
    kept["options"] = {
        name: option
        for name, option in parent.get("options", {}).items()
        if not isinstance(fixed, Mapping) or name not in fixed
    }
    own = child.get("options")
    kept["fixed"] = {
        name: why
        for name, why in parent.get("fixed", {}).items()
        if not isinstance(own, Mapping) or name not in own
    }
    return kept


def _fee_book(game: GameRules, document: registry.Document) -> tuple[FeeBook | None, str]:
    """The fee book of a game, or why it cannot be used."""
    if game.fees is None:
        return None, ""
    book = game.fees.book
    own_file = (document.folder or Path()) / book
    try:
        found = load_fee_book(str(own_file) if document.folder and own_file.is_file() else book)
    except UpcardError as error:
        return None, str(error)
    return found, ""
