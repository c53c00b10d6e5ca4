"""What a person sees of a round, for words and for pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from upcard.cards import DECK, Card
from upcard.compile.context import Action
from upcard.compile.hands import total_name
from upcard.compile.tables import GameTables
from upcard.envs.setup import Setup
from upcard.envs.stepping import Told
from upcard.round.kernel_types import (
    ACES,
    CODE_BITS,
    DOUBLES,
    DREW,
    FACE_DEALER,
    HAND,
    HANDS,
    MASK,
    NODE,
    OF_DEALER,
    SEAT,
    STAGE,
    Here,
    Ints,
    Pause,
    Returns,
    Stops,
)


@dataclass(frozen=True)
class ShownCard:
    """A card that lies face up; a bonus card is marked."""

    card: Card
    marked: bool


@dataclass(frozen=True)
class ShownHand:
    """A hand of the player; `active` if it is asked for a decision."""

    cards: tuple[ShownCard, ...]
    total: str
    bust: bool
    active: bool
    doubles: int
    marker: bool = False
    """Whether the house has staked the hand."""


@dataclass(frozen=True)
class ShownRound:
    """A round as it lies on the table.

    `lights` is how many there are, 0 in games without any. `nets` are cents by wager, once the
    round is over; before there are actions to choose from.
    """

    name: str
    phase: Pause
    dealer: tuple[ShownCard, ...]
    hidden: int
    dealer_result: str
    hands: tuple[ShownHand, ...]
    lights: int
    lit: int
    legal: tuple[Action, ...]
    nets: dict[str, int]

    @property
    def is_over(self) -> bool:
        return self.phase is Pause.OVER


class Rounds(Protocol):
    """Rounds side by side, as an environment has them."""

    setup: Setup
    stops: Stops
    here: Here
    held: Returns
    lit: Ints


def shown_cards(setup: Setup, codes: Iterable[int]) -> tuple[ShownCard, ...]:
    """
    >>> from upcard.envs.setup import set_up
    >>> setup = set_up("blackjack", None, None, None, fees=False, shoe="fresh", penalty=1)
    >>> [str(one.card) for one in shown_cards(setup, setup.deck[:3])]
    ['As', '2s', '3s']
    """
    marked = setup.table.marked
    return tuple(ShownCard(DECK[setup.card(code)], bool(marked[_symbol(code)])) for code in codes)


def shown_dealer(rounds: Rounds, number: int) -> tuple[tuple[ShownCard, ...], int]:
    """The dealer's cards, and how many lie face down: none at the end."""
    setup, row = rounds.setup, rounds.stops.rows[number]
    rules, dealt = setup.table.rules, int(setup.faces[OF_DEALER])
    begins = number * rules.room + rules.seats * rules.most
    is_over = row[STAGE] == Pause.OVER
    face_up = int(setup.faces[FACE_DEALER])
    # One down card is turned up; a dealer who draws the own cards has the others among those drawn.
    at_end = min(dealt, face_up + 1) if setup.dealer_draws_own_cards else dealt
    up = at_end if is_over else face_up
    codes = [*rounds.here.cards[begins : begins + up], *rounds.stops.drawn[number, : row[DREW]]]
    return shown_cards(setup, codes), 0 if is_over else dealt - up


def shown(rounds: Rounds, told: Told, number: int) -> ShownRound:
    """One round of many."""
    setup, row = rounds.setup, rounds.stops.rows[number]
    tables = setup.tables
    dealer, hidden = shown_dealer(rounds, number)
    result = int(told.dealer[number])
    is_over = row[STAGE] == Pause.OVER
    nets = zip(setup.columns, told.net[:, number].tolist(), strict=True)
    return ShownRound(
        name=tables.title,
        phase=Pause(int(row[STAGE])),
        dealer=dealer,
        hidden=hidden,
        dealer_result=tables.dealer.classes[result].name if result >= 0 else "",
        hands=tuple(
            _hand(rounds, number, box, hand)
            for box in range(setup.table.seats)
            for hand in range(_hands(rounds, number, box))
        ),
        lights=0 if tables.carry is None else len(tables.carry.next),
        lit=int(rounds.lit[number]),
        legal=() if is_over else tuple(action for action in Action if row[MASK] & action.bit),
        nets=dict(nets) if is_over else {},
    )


def _hands(rounds: Rounds, number: int, box: int) -> int:
    """How many hands a box has: one until its turn, and as it was left after that."""
    row = rounds.stops.rows[number]
    if box == row[SEAT]:
        return int(row[HANDS])
    return int(rounds.here.hands[number * rounds.setup.table.seats + box]) if box < row[SEAT] else 1


def _hand(rounds: Rounds, number: int, box: int, hand: int) -> ShownHand:
    tables, stops = rounds.setup.tables, rounds.stops
    row = stops.rows[number]
    here, held = rounds.here, rounds.held
    mine = number * rounds.setup.table.seats + box
    codes = held.held[mine, hand, : held.holds[mine, hand]]
    active = box == row[SEAT] and hand == row[HAND] and row[STAGE] != Pause.OVER
    level = int(row[DOUBLES] if active else here.doubles[mine, hand])
    began = box < row[SEAT] or (box == row[SEAT] and hand <= row[HAND])
    doubles = tables.effects.doubles_at(level) if began else 0
    state = int(row[NODE]) if active else _state(tables, codes.tolist(), doubles)
    return ShownHand(
        cards=shown_cards(rounds.setup, codes),
        total=total_text(tables, state),
        bust=state >= 0 and bool(tables.hands.bust[state]),
        active=active,
        doubles=doubles,
        marker=hand > 0 and _is_marked(tables, row, box, hand, level),
    )


def _is_marked(tables: GameTables, row: Ints, box: int, hand: int, level: int) -> bool:
    """Whether the house has staked a further hand of a box: of those that wait and of the one in
    turn bits say it, and of those that are over their level.
    """
    behind = hand - int(row[HAND])
    if box == row[SEAT] and behind >= 0:
        return int(row[ACES]) >> (1 + behind) & 1 == 1
    return 0 < tables.effects.marker_level <= level


def total_text(tables: GameTables, state: int) -> str:
    """A hand's total as people say it, empty for no hand.

    >>> from upcard import tables_for
    >>> tables = tables_for("blackjack")
    >>> total_text(tables, tables.hands.after(0, 6)), total_text(tables, -1)
    ('soft 18', '')
    """
    if state < 0:
        return ""
    soft = "soft " if tables.hands.soft[state] else ""
    return f"{soft}{total_name(int(tables.hands.total[state]))}"


def _state(tables: GameTables, codes: Sequence[int], doubles: int) -> int:
    """The state of a hand that is not asked any more, bonus cards being kept; -1 for none."""
    hands, effects = tables.hands, tables.effects
    state = hands.start
    raising = np.flatnonzero(effects.raises)
    for place, code in enumerate(codes):
        if place >= len(codes) - doubles:  # the last cards came by doubles
            state = int(effects.leads[raising[0], state])
        state = int(hands.next[state, _symbol(code)])
        while state >= 0 and hands.keep[state] >= 0:
            state = int(hands.keep[state])
        if state < 0:
            break
    return state


def _symbol(code: int) -> int:
    return int(code) & ((1 << CODE_BITS) - 1)
