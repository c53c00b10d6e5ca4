"""No value of a game file is read and then ignored: whatever is changed, something else happens.

Every value of every game is changed to something else, and the changed game is played: a session of
people who try everything, then the scripted rounds of the rulebook, first those of the clauses
behind the value. What a table's compiled form looks like is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, count, islice
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from behaviour import same, scripted_round, session, situations
from changed_games import changed_rules, problems
from conftest import compiled
from upcard import GAME_IDS, GameTables, compile_game, load_game
from upcard.errors import UpcardError
from upcard.rules import paths
from upcard.rules.index import StepKind
from upcard.rules.load import RuleSet, assemble
from upcard.rules.provenance import base_of
from upcard.rules.settings import choices
from upcard.rules.validate import hint_at
from upcard.table.sign import sign_of
from upcard.text import as_text

Changes = dict[str, Any]
FEW = 10
"""Values of an option that are tried: of the schedules of fees not every one."""

WORDS = {
    "name": "what a wager or a natural is called",
    "floor": "notices, signals and layouts: people read them, nothing is played by them",
    "printed_for": "the heading of a pay table: that it serves other decks too is then assumed",
}
"""Values that are shown and nothing else, by the last or the first part of their path."""

TOGETHER: dict[str, list[Changes]] = {
    "limits.rounding": [{"limits.chip": 1000}],
    "shoe.cut_margin": [{"shoe.penetration": 1.0}],
    "dealer.late_natural_takes": [
        {"dealer.checks": "none"},
        {"dealer.checks": "none", "shoe.removed": ["2", "3", "4", "7"]},
        {"dealer.checks": "none", "deal.dealer_up": 1, "deal.dealer_down": 1},
        {
            "dealer.checks": "none",
            "deal.dealer_up": 1,
            "deal.dealer_down": 1,
            "shoe.removed": ["2", "3", "4", "7"],
        },
        {
            "dealer.checks": "none",
            "exchange.cards": "none",
            "exchange.when": "after-check",
            "table.boxes": 0,
            "shoe.removed": ["2", "3", "4", "7"],
        },
    ],
    "exchange.cards": [
        {"exchange.when": "after-check", "exchange.only": [], "exchange.again": True},
    ],
    "exchange.natural_pays": [
        {"exchange.makes_natural": True, "exchange.only": [], "shoe.removed": ["2", "3", "4"]},
    ],
    "dealer.on_22": [{"dealer.paid_on_22": ["natural", "charlie"]}],
    "insurance.up": [{"insurance.offered": True}],
    "insurance.offered": [
        {"insurance.up": ["A"]},
        {"insurance.up": ["A"], "deal.dealer_up": 1, "deal.dealer_down": 1},
    ],
    "deal.dealer_up": [
        {"deal.dealer_down": 1},
        {
            "deal.dealer_down": 0,
            "dealer.checks": "none",
            "insurance.offered": False,
            "surrender.when": "none",
        },
    ],
    "surrender.only": [{"surrender.when": "late"}],
    "dealer.checks": [{"deal.dealer_up": 1, "deal.dealer_down": 1}],
    "outcomes.tie": [{"outcomes.tie_costs": 0}],
    "shoe.shuffle": [{"shoe.exhausted": "shuffle-discards", "deal.rest_discarded": False}],
    "split.on": [{"split.max_hands": 2}],
    "bonuses.paid": [
        {"outcomes.tie_at_21": "tie"},
        {
            "outcomes.tie_at_21": "tie",
            "outcomes.dealer_natural_against_21": "wins",
            "shoe.removed": ["2", "3", "9", "T"],
        },
    ],
    "table.several_boxes": [{"table.own_seat_first": False}],
    "bank.by": [
        {"bank.turns": 2, "bank.offered": "clockwise", "bank.button": True},
        {
            "bank.turns": 0,
            "bank.offered": "never",
            "bank.button": False,
            "bank.cover": "full",
            "bank.action_from": "first-seat",
            "deal.starts": "dealers-left",
        },
    ],
}
"""Values that show only beside others, or that only others allow."""

SET_TOGETHER = {"rounding": {"chip": "100"}}
"""Answers that show only beside others."""
NEVER = {
    ("games-of-chance-blackjack", "rounding"): "all payoffs of $2 and $4 are whole chips",
    ("blackjack-switch", "chip"): "everything pays even money",
    ("blackjack-switch", "rounding"): "everything pays even money",
    ("pontoon", "chip"): "3 to 2 on whole dollars is even in chips of $0.25 and $0.50",
    ("down-under", "chip"): "3 to 2 on whole dollars is even in chips of $0.25 and $0.50",
    ("free-bet", "chip"): "3 to 2 on whole dollars is even in chips of $0.25 and $0.50",
    ("european-blackjack", "chip"): "3 to 2 on whole dollars is even in chips of $0.25 and $0.50",
}
"""Answers that cannot matter in a game, and why."""

STATED = {
    "shoe.exhausted": "whether cards can run out follows from how they are dealt",
    "shoe.removed": "naturals and up cards are named by the ten-value cards that there are",
    "deal.player_up": "naturals, pairs and doubles go by two cards",
    "deal.player_down": "goes with the cards that a hand stands at and a poker hand has",
    "deal.dealer_up": "goes with the cards that lie face down",
    "deal.dealer_down": "goes with where the dealer's cards come from",
    "deal.starts": "the house has no seat",
    "table.boxes": "cards are exchanged between two boxes",
    "exchange.when": "second cards are exchanged after the check, hands in the own turn",
    "exchange.again": "a hand is exchanged once",
    "table.several_boxes": "who has two boxes has several",
    "dealer.draws_from": "goes with the dealer's down cards",
    "split.on": "own cards are for one hand",
    "bank.offered": "a player's bank goes round, the house's does not",
    "bank.button": "a table shows which player banks",
    "fees.book": "there is one fee book",
    "by": "the rows of a pay table belong to one way of ranking",
    "needs": "there is no other wager to be placed with",
}
"""Values that `check` refuses to be any other, by path or its last part, and why."""


def others(value: Any, type_: inspect.Type) -> Iterator[Any]:
    """Other values of the same type."""
    match type_:
        case inspect.Metadata(type=inner):
            yield from others(value, inner)
        case inspect.LiteralType(values=values):
            yield from (other for other in values if other != value)
        case inspect.BoolType():
            yield not value
        case inspect.IntType() | inspect.FloatType():
            yield from (value + 1, value - 1, value / 2)
        case inspect.StrType():
            yield from ("7:5", "1/3", "none", f"{value}, changed")
        case inspect.VarTupleType() | inspect.TupleType():
            # Those first that most likely show: one that does is enough.
            if value and isinstance(value[0], list) and isinstance(value[0][1], int):
                yield [[event, figure + 1] for event, figure in value]
            numbers = [number + 1 for number in value if isinstance(number, int)]
            yield from ([numbers] if numbers else ())
            yield from ([*value[1:], *value[:1]], value[:-1], ["9h"], ["2"], [5], ["name"], numbers)
        case inspect.UnionType(types=types):
            for member in types:
                yield from others(value, member)
        case inspect.NoneType():
            pass
        case other:
            raise AssertionError(other)


def type_at(path: str, data: Mapping[str, Any]) -> inspect.Type | None:
    """The declared type of a value; None for the tag of a wager."""
    return None if path.endswith(".settles") else inspect.type_info(hint_at(path, data))


def has_one_value(type_: inspect.Type) -> bool:
    """Such a key says that a feature is there; the tests by clause see that it is."""
    match type_:
        case inspect.Metadata(type=inner):
            return has_one_value(inner)
        case inspect.LiteralType(values=values):
            return len(values) == 1
        case inspect.IntType(ge=least, le=most):
            return least is not None and least == most
        case _:
            return False


@cache
def usual_game(game_id: str) -> RuleSet:
    return load_game(game_id)


def alternatives(game_id: str, path: str) -> Iterator[Any]:
    """Other values that the vocabulary has at a path."""
    data = usual_game(game_id).data
    value, type_ = paths.get(data, path), type_at(path, data)
    assert type_ is not None
    seen = [value]
    for other in (*more(path, value, data), *others(value, type_)):
        if other not in seen:
            seen.append(other)
            yield other


def more(path: str, value: Any, data: Mapping[str, Any]) -> Iterator[Any]:
    """Values that a type alone would not suggest."""
    if path.startswith("limits.") and isinstance(value, int):
        yield from (400 * value, 2 * value, value // 2)
    if path.endswith(".needs"):
        yield from (wager for wager in data["wagers"] if f"wagers.{wager}" not in path)
    if path == "insurance.up":
        yield ["A", "K"]


@cache
def game_under(game_id: str, settings: tuple[tuple[str, str], ...], change: str) -> Any:
    """A changed game, or None where its values contradict each other."""
    try:
        rules = changed_rules(game_id, msgspec.json.decode(change), dict(settings))
    except (msgspec.ValidationError, UpcardError):
        return None
    return None if problems(rules) else compile_game(rules)


class Told:
    """A stream that is made once, as far as somebody asks, and told as often as they like."""

    def __init__(self, stream: Iterator[str]) -> None:
        self.known: list[str] = []
        self.stream = stream

    def __iter__(self) -> Iterator[str]:
        for number in count():
            if number == len(self.known):
                self.known.extend(islice(self.stream, 1))
            if number == len(self.known):
                return
            yield self.known[number]


@cache
def usual_session(game_id: str, settings: tuple[tuple[str, str], ...], change: str) -> Told | None:
    tables = game_under(game_id, settings, change)
    return None if tables is None else Told(session(tables))


@cache
def usual_round(game_id: str, number: int) -> tuple[str, ...]:
    found = situations(game_id)[number]
    tables = game_under(game_id, tuple(found.settings.items()), "{}")
    return tuple(scripted_round(tables, found))


def plays_otherwise(game_id: str, changes: Changes, beside: Changes) -> bool | None:
    """Whether anything happens otherwise; None where `check` refuses the game."""
    besides, change = (msgspec.json.encode(c).decode() for c in (beside, beside | changes))
    tables = game_under(game_id, (), change)
    if tables is None:
        return None
    # What only others allow cannot be told from these: they are changed together.
    before = usual_session(game_id, (), besides) or usual_session(game_id, (), "{}")
    assert before is not None
    near, *further = _scripts(game_id, usual_game(game_id).cites(*changes))
    if not beside and any(_rounds_differ(game_id, near, change, {})):
        return True
    if not same(session(tables), before):
        return True
    return not beside and any(
        differs for numbers in further for differs in _rounds_differ(game_id, numbers, change, {})
    )


def _scripts(game_id: str, cited: Iterable[str]) -> tuple[list[int], ...]:
    """Numbers of all scripted rounds, those first that tell most for the least work: those of some
    clauses before all others, and those of the usual game, which needs no tables of its own.
    """
    scripts, clauses = situations(game_id), set(cited)
    return tuple(
        [
            number
            for number, script in enumerate(scripts)
            if bool(script.settings) is under_settings
            and clauses.isdisjoint(script.clauses) is others
        ]
        for under_settings in (False, True)
        for others in (False, True)
    )


def _rounds_differ(
    game_id: str, numbers: Iterable[int], change: str, more: Mapping[str, str]
) -> Iterator[bool]:
    """Whether scripted rounds end otherwise."""
    scripts = situations(game_id)
    for number in numbers:
        settings = scripts[number].settings
        if not more.keys() & settings.keys():
            tables = game_under(game_id, tuple((settings | dict(more)).items()), change)
            if tables is not None:
                found = scripted_round(tables, scripts[number])
                yield not same(found, usual_round(game_id, number))


SHOWN_UNDER = {
    "floor.players_card": {"players_card": "true"},
    "prizes.super-bonus.name": {"super_bonus": "true"},
    "paytables.five-card-low.name": {"stud_bonus": "five-card-low"},
    "paytables.seven-card.name": {"stud_bonus": "seven-card"},
    "paytables.seven-card-low.name": {"stud_bonus": "seven-card-low"},
}
"""Words that are shown under some settings only."""


def shows(game_id: str, path: str) -> bool:
    """Whether the sign at the table or the rule sheet says other words."""
    settings = SHOWN_UNDER.get(path, {})

    def shown(tables: GameTables) -> tuple[str, list[str]]:
        return repr(sign_of(tables)), [rule.words for rule in tables.rulebook.sentences]

    usual = shown(compile_game(changed_rules(game_id, {}, settings)))
    return all(
        shown(compile_game(changed_rules(game_id, {path: value}, settings))) != usual
        for value in alternatives(game_id, path)
        if fits(game_id, path, value)
    )


def fits(game_id: str, path: str, value: Any) -> bool:
    try:
        return not problems(changed_rules(game_id, {path: value}))
    except msgspec.ValidationError:
        return False


def idle_values(game_id: str, path: str) -> list[str]:
    """Values that are accepted in place of another and change nothing; all, or none of a number."""
    first, last = path.partition(".")[0], path.rpartition(".")[2]
    if first in WORDS or last in WORDS:
        return [] if shows(game_id, path) else ["shown nowhere"]
    type_ = type_at(path, usual_game(game_id).data)
    assert type_ is not None
    found: dict[str, bool] = {}
    for value in alternatives(game_id, path):
        # What shows only beside others is looked for there before it is looked for everywhere.
        besides: list[Changes] = [*TOGETHER.get(path, []), {}]
        answers = []
        for beside in besides:
            answers.append(plays_otherwise(game_id, {path: value}, beside))
            if answers[-1]:
                break
        if any(answer is not None for answer in answers):
            found[as_text(value)] = any(answers)
            if any(answers) and not is_choice(type_):
                return []
    if not found:
        return [] if path in STATED or last in STATED else ["no other value is accepted"]
    return [value for value, has_effect in found.items() if not has_effect]


def is_choice(type_: inspect.Type) -> bool:
    """Every value of a choice means something of its own; other values may be alike."""
    inner = type_.type if isinstance(type_, inspect.Metadata) else type_
    return isinstance(inner, inspect.LiteralType | inspect.BoolType)


INHERITED = {"ten-sticks-21": "blackjack", "blackjack-tie": "blackjack"}


def own_values(game_id: str) -> list[str]:
    """The values of a game that are not tested with the game it extends."""
    values = load_game(game_id).values
    parent = load_game(INHERITED[game_id]).values if game_id in INHERITED else {}
    return [path for path, value in values.items() if parent.get(path) != value]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_value_changes_what_happens(game_id: str) -> None:
    data = load_game(game_id).data
    idle = {
        path: values
        for path in own_values(game_id)
        if (type_ := type_at(path, data)) is not None and not has_one_value(type_)
        if (values := idle_values(game_id, path))
    }
    assert idle == {}


def test_what_changes_nothing_is_seen() -> None:
    """The same totals in another order are the same wager."""
    other_order = {"wagers.left-side.ties": [19, 17, 18]}
    assert plays_otherwise("blackjack-tie", other_order, {}) is False
    assert plays_otherwise("blackjack-tie", {"wagers.left-side.ties": [19, 17]}, {}) is True


def idle_answers(game_id: str) -> Iterator[str]:
    """Answers of options and readings with which everything happens as without."""
    game = load_game(game_id)
    parent = load_game(INHERITED[game_id]).game if game_id in INHERITED else None
    known = choices(parent) if parent else {}
    for name, choice in choices(game.game).items():
        if name in known and known[name].allowed == choice.allowed:
            continue
        for value in choice.allowed_values()[:FEW]:
            if value != choice.current(game.data) and (game_id, name) not in NEVER:
                answer, beside = {name: as_text(value)}, SET_TOGETHER.get(name, {})
                tables = game_under(game_id, tuple({**beside, **answer}.items()), "{}")
                before = usual_session(game_id, tuple(beside.items()), "{}")
                if tables is None or before is None or not same(session(tables), before):
                    continue
                numbers = chain.from_iterable(_scripts(game_id, choice.clauses))
                rounds = _rounds_differ(game_id, numbers, "{}", answer)
                if beside or not any(rounds):
                    yield f"{name}={as_text(value)}"


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_answer_changes_what_happens(game_id: str) -> None:
    assert list(idle_answers(game_id)) == []


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_no_play_money_or_option_clause_is_without_effect(game_id: str) -> None:
    rules = assemble(game_id, {})
    phases = set(compiled(game_id).round_plan.kinds)
    surrender = choices(rules.game).get("surrender")
    if surrender is not None and surrender.keys_for("early") is not None:
        phases |= set(compiled(game_id, surrender="early").round_plan.kinds)
    steps = {f"step:{kind}" for kind in phases}
    for clause_id, clause in rules.game.clauses.items():
        kinds = (clause.kind,) if isinstance(clause.kind, str) else clause.kind
        if set(kinds) & {"play", "money", "option"}:
            effects = [
                target
                for target in clause.sets
                if target in steps
                or target == "extends"
                or any(paths.covers(base_of(target), path) for path in rules.values)
            ]
            assert effects == list(clause.sets) != [], clause_id


def test_every_step_that_clauses_may_name_is_a_step_of_some_game() -> None:
    kinds = {kind for game_id in GAME_IDS for kind in compiled(game_id).round_plan.kinds}
    early = compiled("blackjack", surrender="early").round_plan.kinds
    assert kinds | set(early) == set(get_args(StepKind))
