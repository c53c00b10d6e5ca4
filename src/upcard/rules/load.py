"""From a game file to a `RuleSet`: read, extend, set, check."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from upcard.errors import ProblemsError, UpcardError
from upcard.fees.schedules import FeeBook, FeeSchedule, load_fee_book
from upcard.rules import folders, paths, registry
from upcard.rules.extend import Stage, stages
from upcard.rules.head import HEADER
from upcard.rules.provenance import Provenance, Tracer, unsourced
from upcard.rules.schema import INDEX, GameRules
from upcard.rules.settings import apply_settings, written_settings
from upcard.rules.sides import SIDES, AskedSide, Sides, parse_sides, with_sides, written_sides
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
    settable_before: frozenset[str] = frozenset()
    """The options and readings of the games that it extends."""
    sides: Sides = field(default_factory=dict)
    """The shared side wagers that it offers, by wager."""

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
        traced = Tracer(self.game, self.lineage, self.changed, defaults).trace(self.values)
        if not self.game.draft:
            return traced
        return traced | dict.fromkeys(self.unsourced, Provenance("unsourced"))

    @cached_property
    def unsourced(self) -> dict[str, str]:
        """The values without a source, each with how it would have one."""
        return unsourced(self.game, self.values, self.changed, self.lineage)

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

    A draft is told to lack sources by what is made of it; else that is wrong like anything else.

    >>> rules = load_game("blackjack", {"decks": "8"})
    >>> rules.game.shoe.decks, rules.game.dealer.soft17
    (8, 'stand')
    """
    from upcard.rules.check import rule_problems, shape_and_further_problems

    stage = offered(stages(registry.find(reference))[-1])
    problems = shape_and_further_problems(stage)
    if problems:
        raise ProblemsError(problems)
    rules = rule_set(stage, settings or {})
    problems = rule_problems(rules, draft=rules.game.draft)
    if problems:
        raise ProblemsError(problems)
    return rules


def assemble(reference: str, settings: Mapping[str, str]) -> RuleSet:
    """A rule set whose shape is right, not yet checked for contradictions."""
    stage = offered(stages(registry.find(reference))[-1])
    problems = shape_problems(stage.data, stage.file)
    if problems:
        raise ProblemsError(problems)
    return rule_set(stage, settings)


def offered(stage: Stage, asked: Iterable[AskedSide] = ()) -> Stage:
    """A game with its side wagers written out, those that are asked for behind its own."""
    beside = stage.document.folder
    data, lineage, sides = with_sides(stage.data, stage.lineage, asked, stage.sides, beside)
    return replace(stage, data=data, lineage=lineage, sides=sides)


def rule_set(stage: Stage, settings: Mapping[str, str]) -> RuleSet:
    """A game of the right shape with settings, one of which may be side wagers."""
    asked = parse_sides(settings.get(SIDES, ""))
    settings = {name: text for name, text in settings.items() if name != SIDES}
    stage = offered(stage, asked)
    data, document = stage.data, stage.document
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
        settings={**settings, SIDES: written_sides(asked, document.folder)}
        if asked
        else dict(settings),
        file=document.file,
        lineage=stage.lineage,
        changed=stage.changed,
        fee_book=book,
        fee_problem=fee_problem,
        settable_before=stage.settable,
        sides=stage.sides,
    )


def _fee_book(game: GameRules, document: registry.Document) -> tuple[FeeBook | None, str]:
    """The fee book of a game, or why it cannot be used."""
    if game.fees is None:
        return None, ""
    try:
        return load_fee_book(_book_of(game.fees.book, document)), ""
    except UpcardError as error:
        return None, str(error)


def _book_of(book: str, document: registry.Document) -> str:
    """A book as it can be loaded: a file beside the game, or else the name of a packaged one."""
    is_name = Path(book).name == book and not book.endswith(".toml")
    if document.folder is None:
        return book
    own = document.folder / book
    if is_name and not own.is_file():
        return book
    registry.need_within(own, document.within)
    folders.need_ordinary(own)
    return str(own)
