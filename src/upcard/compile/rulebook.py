"""The rulebook of a compiled game: its clauses, what can be set in it, and its rules in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from upcard.compile.explain import Sentence, sentences
from upcard.rules.conditions import in_force
from upcard.rules.load import RuleSet
from upcard.rules.paths import covers
from upcard.rules.provenance import STEP, base_of
from upcard.rules.schema import GameRules
from upcard.rules.section import Scalar
from upcard.rules.settings import choices, shown_setting
from upcard.text import as_text, counted


@dataclass(frozen=True)
class ClauseEntry:
    """A clause of the source in our own words; `origin` is the game file it stands in.

    `in_force` is whether it applies under the settings of the game.
    """

    id: str
    kinds: tuple[str, ...]
    summary: str
    sets: tuple[str, ...]
    origin: str
    in_force: bool = True


@dataclass(frozen=True)
class OptionEntry:
    """A switch of the operator. A wide range allows everything between two values."""

    name: str
    allowed: tuple[Scalar, ...]
    is_range: bool
    default: Scalar
    value: Scalar
    clauses: tuple[str, ...]
    sets: tuple[str, ...]
    money: bool = False
    """Whether its values are cents, which people read as dollars."""

    def shown(self, value: Scalar) -> str:
        return shown_setting(value, money=self.money)


@dataclass(frozen=True)
class ReadingEntry:
    """An open question of the source."""

    name: str
    question: str
    answers: Mapping[str, str]
    default: str
    value: str
    clauses: tuple[str, ...]
    sets: tuple[str, ...]


@dataclass(frozen=True)
class Assumption:
    """Keys that no clause speaks of, and the reason of their values."""

    path: str
    reason: str


@dataclass(frozen=True)
class Rulebook:
    """What the papers print."""

    clauses: tuple[ClauseEntry, ...]
    options: tuple[OptionEntry, ...]
    readings: tuple[ReadingEntry, ...]
    assumed: tuple[Assumption, ...]
    sentences: tuple[Sentence, ...]

    def settings_words(self, settings: Mapping[str, str]) -> str:
        """Settings as people read them, amounts of money in dollars."""
        return ", ".join(f"{name}={self.shown(name, value)}" for name, value in settings.items())

    def shown(self, name: str, value: str) -> str:
        """The value of a setting as people read it."""
        return shown_setting(value, money=self.is_money(name))

    def about(self, *keys: str) -> tuple[Sentence, ...]:
        """The sentences that speak of one of these keys, or of a value below one."""
        wanted = [base_of(key) for key in keys]
        return tuple(
            sentence
            for sentence in self.sentences
            if any(covers(key, path) for key in wanted for path in sentence.keys)
        )

    def matters(self, *keys: str) -> bool:
        """Whether any sentence speaks of one of these keys."""
        return bool(self.about(*keys))

    def is_money(self, name: str) -> bool:
        """Whether an option's values are cents."""
        return any(option.money for option in self.options if option.name == name)


def build_rulebook(rules: RuleSet) -> Rulebook:
    game = rules.game
    known = choices(game)
    chosen = {name: choice.current(rules.data) for name, choice in known.items()}
    defaults = {name: choice.current(rules.defaults) for name, choice in known.items()}
    keys = {
        name: tuple(dict.fromkeys(path for path, p in rules.provenance.items() if p.name == name))
        for name in known
    }
    return Rulebook(
        clauses=tuple(
            ClauseEntry(
                id=clause_id,
                kinds=(clause.kind,) if isinstance(clause.kind, str) else clause.kind,
                summary=clause.says,
                sets=clause.sets,
                origin=rules.lineage[clause_id],
                in_force=in_force(game, clause) and _is_said(rules, clause_id),
            )
            for clause_id, clause in game.clauses.items()
        ),
        options=tuple(
            OptionEntry(
                name=name,
                allowed=tuple(known[name].allowed_values()),
                is_range=known[name].is_wide,
                default=_present(defaults[name]),
                value=_present(chosen[name]),
                clauses=option.clauses,
                sets=keys[name],
                money=known[name].money,
            )
            for name, option in game.options.items()
        ),
        readings=tuple(
            ReadingEntry(
                name=name,
                question=reading.asks,
                answers={
                    answer: words
                    for answer, words in reading.answers.items()
                    if not reading.allowed or answer in reading.allowed
                },
                default=reading.default,
                value=as_text(chosen[name]),
                clauses=reading.clauses,
                sets=keys[name],
            )
            for name, reading in game.readings.items()
        ),
        assumed=(
            *(Assumption(path, reason) for path, reason in game.assumed.items()),
            *_assumed_decks(game),
        ),
        sentences=sentences(rules),
    )


def _is_said(rules: RuleSet, clause_id: str) -> bool:
    """Whether a clause still rules anything: those of an extended game may be overridden."""
    clause = rules.game.clauses[clause_id]
    steps = any(target.startswith(STEP) for target in clause.sets)
    own = rules.lineage[clause_id] == rules.game.id
    return own or steps or any(clause_id in p.clauses for p in rules.provenance.values())


def _assumed_decks(game: GameRules) -> Iterator[Assumption]:
    """Pay tables that the source prints for another number of decks."""
    decks = game.shoe.decks
    for name, table in game.paytables.items():
        if table.assumed_with(decks):
            printed = counted(table.printed_for, "deck")
            reason = f"The source prints it for {printed}; that it serves {decks} too is assumed."
            yield Assumption(f"paytables.{name}.rows", reason)


def _present(value: Scalar | None) -> Scalar:
    assert value is not None, "a checked game has allowed values only"
    return value
