"""Where every value of a game file comes from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, Literal, get_args

from upcard.errors import Problem
from upcard.rules import paths
from upcard.rules.conditions import in_force
from upcard.rules.index import StepKind
from upcard.rules.schema import OPTION_KEYS, GameRules
from upcard.text import did_you_mean

Kind = Literal["ruled", "option", "reading", "assumed", "unsourced"]
"""How a value is justified; `unsourced` is one of a draft that is not yet."""

STEP = "step:"
"""Prefix of a procedure of the round in a clause's `sets`."""


POINT = "#"
"""What divides a key from a point of it, on which a source may be silent where it sets the key."""

POINTS: Mapping[str, str] = {
    "bank.action_from#covered": "where settlement begins if every wager is covered",
    "bank.backline#decides": "who decides about a hand that others back",
    "bank.backline#fee": "what a backline wager pays in fees",
    "bank.backline#hand": "wagers on another player's hand, where there is no backline",
    "bank.backline#limit": "how large a backline wager may be",
    "bank.backline#order": "where a backline wager stands in the order of settlement",
    "bank.backline#permitted": "whether there are backline wagers, and on what",
    "bank.cover#all": "whether a bank must cover every wager, and how large it may be",
    "bank.cover#returned": "what becomes of wagers that a bank does not cover",
    "bank.natural_paid#once": "that a natural is paid once the dealer cannot have one",
    "bank.proposition_players#marked": "how proposition players are known",
    "bonus_card.cards#dealer": "a bonus card of the dealer's",
    "exchange.cards#over": "a bonus card that takes the hand over",
    "count.ace#soft": "what a soft total is",
    "count.over#hit": "that a player may hit or stand",
    "count.over#lost": "what a hand over loses, and when",
    "deal.dealer_down#second": "which of the dealer's cards lies face down",
    "deal.player_up#later": "how further cards are dealt",
    "deal.player_up#seen": "that players' cards lie face up",
    "deal.starts#settled": "in which order wagers are settled",
    "deal.starts#turns": "in which order players act",
    "dealer.checks#ends": "what a natural that was found ends, and when",
    "dealer.checks#then": "what follows a natural that was found",
    "double.for_less#less": "that a double may be for less",
    "double.on#one-card": "that a double gives one more card and no further one",
    "double.on#permitted": "that players may double down",
    "fees.book#rates": "how many rates there may be",
    "lights.count#object": "what the object of the game is",
    "lights.on_leaving#moving": "whether who changes chairs leaves",
    "lights.prize#paid": "when the prize is paid",
    "natural.against_natural#wins": "who wins if both have a natural",
    "natural.pays#beats": "what a player's natural beats",
    "outcomes.win_pays#who": "which hand wins",
    "paytables.*.rows#ace": "what cards count in a row by their sum",
    "split.on#pair": "that two cards must be a pair to be split",
    "split.on#wager": "the wager of a split hand",
    "surrender.when#final": "whether an early surrender is final",
    "table.positions#most": "how many positions the cards can serve",
    "ties.needs#21": "what a total of 21 is for a wager on a tie",
    "ties.needs#several": "whether a hand may have several wagers on ties",
    "ties.needs#wins": "when a wager on a tie wins",
    "wagers.*.after_bust#ended": "what becomes of a side wager beside a hand that was given up",
    "wagers.*.after_bust#natural": "what becomes of a side wager beside a natural",
    "wagers.*.needs#size": "how large a side wager may be beside the main one",
    "wagers.*.qualifies#push": "what becomes of the wager if the dealer does not qualify",
}
"""Points of keys that a clause may set, or a game assume, by themselves. Where neither does, the
key's own provenance is that of the point."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why a value is what it is.

    `clauses` are behind it, `said_by` those of them that say so: a clause that leaves something
    open does not say how it was read, and one that an option departs from does not say the
    option's value. `name` is the option or reading that sets it, `reason` the words of an
    assumption.
    """

    kind: Kind
    clauses: tuple[str, ...] = ()
    said_by: tuple[str, ...] = ()
    name: str = ""
    reason: str = ""


def base_of(key: str) -> str:
    """The key that a point belongs to, or the key itself.

    >>> base_of("double.on#one-card"), base_of("double.on")
    ('double.on', 'double.on')
    """
    return key.partition(POINT)[0]


@dataclass(frozen=True)
class Tracer:
    """Finds the provenance of values.

    `lineage` says in which game each clause stands, `changed` are the values in which the file
    differs from the game that it extends, `defaults` the values before any setting.
    """

    game: GameRules
    lineage: Mapping[str, str]
    changed: Collection[str]
    defaults: Mapping[str, Any]

    def trace(self, values: Mapping[str, Any]) -> dict[str, Provenance]:
        """The provenance of every value and of every point that has one of its own.

        A value without any is left out (`check` reports it).
        """
        chosen = dict(_choices(self.game))
        speaking = Speaking(self.game)
        traced: dict[str, Provenance] = {}
        for path, value in values.items():
            found = self._of_value(path, value, speaking.of(path), chosen.get(path))
            if found is not None:
                traced[path] = found
        return traced | dict(self._points(values))

    def _of_value(
        self, path: str, value: Any, told: tuple[str, ...], choice: Provenance | None
    ) -> Provenance | None:
        ruling = self._ruling(path, told)
        if choice is None and path in self._fixed:
            ruling = self._fixed[path]
        if choice is not None:
            granted = self._in_force(choice.clauses)
            behind = tuple(dict.fromkeys((*choice.clauses, *ruling)))
            as_printed = _plain(self.defaults.get(path, value)) == _plain(value)
            otherwise = granted if choice.kind == "option" else ()
            said_by = ruling if as_printed else otherwise
            return Provenance(choice.kind, behind, said_by, choice.name)
        if told:
            return Provenance("ruled", ruling, ruling)
        if assumption := _assumption(self.game, path):
            return Provenance("assumed", reason=assumption)
        return None

    @cached_property
    def _fixed(self) -> Mapping[str, tuple[str, ...]]:
        """Keys that an option of many games sets and this game fixes, with the clauses why."""
        fixed = self.game.fixed.items()
        return {OPTION_KEYS[name]: clauses for name, clauses in fixed if name in OPTION_KEYS}

    def _ruling(self, path: str, told: tuple[str, ...]) -> tuple[str, ...]:
        """Those in force that are not overridden: what a game changes, its own clauses say."""
        ruling = self._in_force(told)
        own = tuple(c for c in ruling if self.lineage.get(c, self.game.id) == self.game.id)
        return own if own and path in self.changed else ruling

    def _in_force(self, clauses: tuple[str, ...]) -> tuple[str, ...]:
        known = self.game.clauses
        return tuple(c for c in clauses if c in known and in_force(self.game, known[c]))

    def _points(self, values: Mapping[str, Any]) -> Iterator[tuple[str, Provenance]]:
        told: dict[str, list[str]] = {}
        for clause_id, clause in self.game.clauses.items():
            for target in clause.sets:
                if POINT in target and base_of(target) in values:
                    told.setdefault(target, []).append(clause_id)
        for point, clauses in told.items():
            ruling = self._in_force(tuple(clauses))
            yield point, Provenance("ruled", ruling, ruling)
        for point, reason in self.game.assumed.items():
            if POINT in point and base_of(point) in values:
                yield point, Provenance("assumed", reason=reason)


class Speaking:
    """Which clauses of a game speak of a value, in force or not."""

    def __init__(self, game: GameRules) -> None:
        self.order = {clause: number for number, clause in enumerate(game.clauses)}
        self.by_target: dict[str, list[str]] = {}
        for clause_id, clause in game.clauses.items():
            for target in clause.sets:
                self.by_target.setdefault(target, []).append(clause_id)

    def of(self, path: str) -> tuple[str, ...]:
        """The clauses that set a value or a table that it lies in, in the order of the game."""
        told = {c for target in paths.above(path) for c in self.by_target.get(target, ())}
        return tuple(sorted(told, key=self.order.__getitem__))


def trace(game: GameRules, values: Mapping[str, Any]) -> dict[str, Provenance]:
    """The provenance of values of a game by itself, as it stands in its file."""
    return Tracer(game, {}, (), {}).trace(values)


def unsourced(
    game: GameRules,
    values: Mapping[str, Any],
    changed: Collection[str],
    lineage: Mapping[str, str],
) -> dict[str, str]:
    """Values that have no source, with how they would have one.

    `changed` are the values in which a file differs from the game that it extends, and `lineage`
    says in which game each clause stands: what a file changes, its own clauses must cover.
    """
    traced, speaking = trace(game, values), Speaking(game)
    found = {}
    for path in values:
        if path not in traced:
            found[path] = (
                f'no provenance: let a clause set it (sets = ["{path}"]), make it an option or '
                f'a reading, or give the reason: [assumed] "{path}" = "..."'
            )
        elif (
            path in changed
            and traced[path].kind == "ruled"
            and not any(lineage[clause] == game.id for clause in speaking.of(path))
        ):
            found[path] = (
                "changed here, and only clauses of the extended game speak of it: "
                f'let a clause of this file set it (sets = ["{path}"])'
            )
    return found


def coverage_problems(
    game: GameRules,
    values: Mapping[str, Any],
    changed: Collection[str],
    lineage: Mapping[str, str],
    file: str,
) -> list[Problem]:
    """Values covered by nothing or by two kinds, and index entries that point at nothing."""
    traced = trace(game, values)
    problems = [
        Problem(file, path, message, traced[path].clauses if path in traced else ())
        for path, message in unsourced(game, values, changed, lineage).items()
    ]
    problems += [
        Problem(file, path, f"both assumed and set by {origin.kind}", origin.clauses)
        for path, origin in traced.items()
        if origin.kind != "assumed" and path in game.assumed
    ]
    problems += [
        Problem(file, f"clauses.{name}.sets", "a clause that sets nothing has no effect")
        for name, clause in game.clauses.items()
        if not clause.sets
    ]
    targets = {
        **{f"clauses.{name}.sets": clause.sets for name, clause in game.clauses.items()},
        **{f"assumed.{path}": (path,) for path in game.assumed},
    }
    steps = [f"{STEP}{kind}" for kind in get_args(StepKind)]
    known = [*values, "extends", "also_known_as", "name", *steps]
    settable = {prefix for path in known for prefix in paths.above(path)}
    for place, entries in targets.items():
        for target in entries:
            if POINT in target and not any(fnmatchcase(target, point) for point in POINTS):
                points = did_you_mean(target, POINTS)
                problems.append(Problem(file, place, f'there is no point "{target}"{points}'))
            elif base_of(target) not in settable:
                problems.append(
                    Problem(
                        file,
                        place,
                        f'no value "{target}" in this game{did_you_mean(target, known)}',
                    )
                )
    for place, clauses in _citations(game):
        problems += [
            Problem(file, place, f'unknown clause "{clause}"{did_you_mean(clause, game.clauses)}')
            for clause in clauses
            if clause not in game.clauses
        ]
    return problems


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _choices(game: GameRules) -> Iterator[tuple[str, Provenance]]:
    for name, option in game.options.items():
        targets = {path for keys in option.values.values() for path in keys}
        for path in targets | ({option.sets} if option.sets else set()):
            yield path, Provenance("option", option.clauses, name=name)
    for name, reading in game.readings.items():
        targets = {path for keys in reading.values.values() for path in keys}
        for path in targets | ({reading.sets} if reading.sets else set()):
            yield path, Provenance("reading", reading.clauses, name=name)


def _assumption(game: GameRules, path: str) -> str | None:
    fitting = [game.assumed[key] for key in paths.above(path) if key in game.assumed]
    return fitting[-1] if fitting else None


def _citations(game: GameRules) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, option in game.options.items():
        yield f"options.{name}.clauses", option.clauses
    for name, reading in game.readings.items():
        yield f"readings.{name}.clauses", reading.clauses
    for name, clauses in game.fixed.items():
        yield f"fixed.{name}", clauses
    for number, rule in enumerate(game.forbids, 1):
        yield f"forbids #{number}.clauses", rule.clauses
