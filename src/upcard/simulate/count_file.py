"""Counts from files, and the play with the departures of a count.

A count is a name of `SHIPPED`, or a TOML file:

    name = "my count"
    divide = "decks"       # or "nothing": the running count itself decides
    insurance = 3          # taken from this true count on
    [weights]              # by rank, or by card such as Tc
    2 = 1
    A = -1
    [ramp]                 # from a true count on so many base wagers, one below the first
    1 = 2
    4 = 8
    [[departures]]         # `cards` and `instead` say where it holds, `below` stands for `from`
    hand = "16"
    up = "T"
    from = 0
    action = "stand"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from upcard.cards import RANKS, Card
from upcard.compile.bets import check_amount
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents
from upcard.round.count import HUNDREDTHS, LOWEST, Count, Departure, Level
from upcard.round.kernel_types import NO_INDEX, Bytes
from upcard.round.policy import Moves, packed, reachable
from upcard.shape import from_toml, read_text
from upcard.simulate.chart_file import FOR_BONUS_CARDS, FOR_DOUBLED, Names
from upcard.text import did_you_mean, listed

FOLDER = Path(__file__).with_name("counts")
SHIPPED = tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))

Index = Annotated[int, msgspec.Meta(ge=-100, le=100)]
FarIndex = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
Weight = Annotated[float, msgspec.Meta(ge=-100, le=100)]
Bets = Annotated[float, msgspec.Meta(gt=0, le=100_000)]


class DepartureRow(msgspec.Struct, forbid_unknown_fields=True, rename={"at": "from"}):
    """Another action from a true count on, or below one."""

    hand: str
    up: str
    action: str
    at: Index | None = None
    below: Index | None = None
    cards: Annotated[int, msgspec.Meta(ge=2)] | None = None
    instead: str = ""


class CountFile(msgspec.Struct, forbid_unknown_fields=True):
    """A count."""

    name: str
    weights: dict[str, Weight]
    divide: Literal["decks", "nothing"] = "decks"
    insurance: FarIndex | None = None
    ramp: dict[str, Bets] = msgspec.field(default_factory=dict)
    departures: tuple[DepartureRow, ...] = ()


def load_count(text: str, tables: GameTables, bet: int | None = None) -> Count:
    """A shipped count by its name, or the one in a file; with a base wager its ramp is checked.

    >>> from upcard import tables_for
    >>> found = load_count("hi-lo", tables_for("blackjack"))
    >>> [str(found.weights.get(rank, 0)) for rank in "A29"], found.divides
    (['-1', '1', '0'], True)
    """
    path = FOLDER / f"{text}.toml" if text in SHIPPED else Path(text)
    if path.suffix != ".toml" and not path.is_file():
        raise UpcardError(
            f'there is no count "{text}"{did_you_mean(text, SHIPPED)} '
            f"(the counts are {listed(SHIPPED, 'and')}; a file of your own ends in .toml)"
        )
    count = _count(str(path), from_toml(read_text(path), str(path), CountFile))
    if count.insures_from is not None and INSURANCE not in tables.payoffs:
        raise UpcardError(f"{path}: insurance: {tables.name} has no insurance")
    try:
        _check_departures(count, tables)
        if bet is not None:
            check_ramp(count, tables, bet)
    except UpcardError as error:
        raise UpcardError(f"{path}: {error}") from None
    return count


def check_ramp(count: Count, tables: GameTables, bet: int) -> None:
    """Refuse a ramp with a wager that the table does not take, for a base wager in cents."""
    for level in count.ramp[1:]:
        wager = level.bets * bet
        words = f"ramp.{level.at}: {float(level.bets):g} times {format_cents(bet)}"
        if wager.denominator != 1:
            raise UpcardError(f"{words} is not a whole number of cents")
        try:
            check_amount(tables, BASE, wager.numerator)
        except UpcardError as error:
            raise UpcardError(f"{words}: {error}") from None


def _count(source: str, file: CountFile) -> Count:
    """What a file says, checked as far as that needs no game."""
    if not file.weights:
        raise UpcardError(f"{source}: weights: a count has a weight for one card at least")
    weights = {}
    for card, weight in file.weights.items():
        place = f"{source}: weights.{card}"
        if not (len(card) == 1 and card in RANKS):
            try:
                Card.parse(card)
            except UpcardError:
                known = " ".join(RANKS)
                raise UpcardError(
                    f'{place}: "{card}" is not a rank of {known}, nor a card such as Tc'
                ) from None
        weights[card] = _decimal(weight, place, "a weight")
    return Count(
        name=file.name,
        weights=weights,
        divides=file.divide == "decks",
        ramp=(Level(LOWEST, Fraction(1)), *_ramp(source, file.ramp)),
        departures=tuple(_departures(source, file.departures)),
        insures_from=file.insurance,
    )


def _decimal(value: float, place: str, what: str) -> Fraction:
    """A number with at most two digits behind the point."""
    found = Fraction(str(value))
    if (found * HUNDREDTHS).denominator != 1:
        raise UpcardError(f"{place}: {what} has at most two decimals, not {value}")
    return found


def _ramp(source: str, ramp: Mapping[str, float]) -> Iterator[Level]:
    before = LOWEST
    for text, bets in ramp.items():
        place = f"{source}: ramp.{text}"
        try:
            at = int(text)
        except ValueError:
            raise UpcardError(f'{place}: a true count is a whole number, not "{text}"') from None
        if abs(at) >= -LOWEST:
            raise UpcardError(f"{place}: no count goes that far")
        if at <= before:
            raise UpcardError(f"{place}: the levels of a ramp ascend, and {before} is before {at}")
        before = at
        yield Level(at, _decimal(bets, place, "a level's number of base wagers"))


def _departures(source: str, rows: tuple[DepartureRow, ...]) -> Iterator[Departure]:
    for number, row in enumerate(rows, 1):
        if (row.at is None) == (row.below is None):
            place = f"{source}: departures[{number}]"
            raise UpcardError(f'{place}: a departure has either "from" or "below"')
        below = row.below is not None
        at = row.below if row.below is not None else row.at
        assert at is not None
        yield Departure(row.hand, row.up, at, row.action, below, row.cards, row.instead)


# -------------------------------------------------------------------------------------- departures


class _Cells:
    """Where a departure holds in a game: by context, state and up card."""

    def __init__(self, tables: GameTables) -> None:
        self.tables = tables
        self.names = Names(tables)
        self.mask = tables.legal.mask.transpose(1, 2, 0)
        # A single legal action is no decision.
        self.open = (self.mask & (self.mask - (self.mask > 0))) != 0
        self.found = np.zeros(self.mask.shape, dtype=np.bool_)
        for context, states in reachable(tables).items():
            self.found[context][:, sorted(states)] = True

    def of(self, departure: Departure) -> npt.NDArray[np.bool_]:
        """`[context, up, state]`; empty is refused, like names that the game does not have."""
        action = self.names.action(departure.action)
        if departure.instead:
            self.names.action(departure.instead)
        ups = [up for up, _ in self.names.up(departure.up)]
        hands = self.tables.hands
        named = [state for state, _ in self.names.hands(departure.hand)]
        if not named:
            raise UpcardError(f'no hand of {self.tables.name} is called "{departure.hand}"')
        is_pair = [bool(pair) and "," not in departure.hand for pair in self.names.pairs]
        bonus = action in FOR_BONUS_CARDS
        states = [
            state
            for state in named
            if departure.cards in (None, hands.cards[state])
            and (hands.pending[state] > 0) == bonus
            and not is_pair[state]
        ]
        later = action in FOR_DOUBLED
        contexts = [
            number
            for number, context in enumerate(self.tables.contexts.contexts)
            if context.is_turn and (context.level > 0) == later
        ]
        holds = np.zeros(self.mask.shape, dtype=np.bool_)
        holds[np.ix_(contexts, ups, states)] = True
        wanted = sum(one.bit for one in self.names.alike(action))
        holds &= self.found & self.open & ((self.mask & wanted) != 0)
        if not holds.any():
            raise UpcardError("no hand that comes up in its turn may do that")
        return holds


def _check_departures(count: Count, tables: GameTables) -> None:
    cells = _Cells(tables)
    for number, departure in enumerate(count.departures, 1):
        try:
            cells.of(departure)
        except UpcardError as error:
            raise UpcardError(f"departures[{number}] ({departure}): {error}") from None


def with_departures(tables: GameTables, moves: Moves, count: Count) -> Moves:
    """A policy that departs by the count. Of two departures for one hand the first counts."""
    if not count.departures:
        return moves
    if moves.chance is not None:
        raise UpcardError(f"{moves.name} leaves its play to chance, which has no departures")
    cells = _Cells(tables)
    play, ups = moves.play, len(tables.dealer.shown)
    rows = play.action.reshape(-1, ups, play.nodes)
    action: Bytes = rows[play.row_of.astype(np.int64)]
    from_count = np.full_like(action, NO_INDEX)
    then = action.copy()
    for departure in count.departures:
        holds = cells.of(departure)[:, :, moves.state] & (from_count == NO_INDEX)
        if departure.instead:
            holds &= np.isin(action, cells.names.alike(cells.names.action(departure.instead)))
        if not holds.any():
            raise UpcardError(
                f'the departure "{departure}" of {count.name} never comes about: '
                f"{moves.name} does not {departure.instead or 'leave it'} there, "
                "or an earlier departure takes its place"
            )
        from_count[holds] = departure.at
        for other in cells.names.alike(cells.names.action(departure.action)):
            may = holds & ((cells.mask[:, :, moves.state] & other.bit) != 0)
            (action if departure.below else then)[may] = other
    row_of, together = packed(np.concatenate([action, from_count, then], axis=3))
    parts = [np.ascontiguousarray(part).reshape(-1) for part in np.split(together, 3, axis=1)]
    return replace(
        moves,
        name=f"{moves.name} by {count.name}",
        play=play._replace(row_of=row_of.astype(np.uint64), action=parts[0]),
        from_count=parts[1],
        then=parts[2],
    )
