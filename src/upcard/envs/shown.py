"""What a person sees of a round, for words and for pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upcard.cards import DECK, Card
from upcard.compile.context import Action
from upcard.compile.hands import total_name
from upcard.compile.tables import GameTables
from upcard.envs.bundles import DOUBLES, DREW, HAND, HANDS, MASK, NODE, STAGE, Envs, Phase, Told
from upcard.envs.setup import Setup
from upcard.simulate.bundles import CODE_BITS


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


@dataclass(frozen=True)
class Shown:
    """A round as it lies on the table.

    `lights` is how many there are, 0 in games without any. `nets` are cents by wager, once the
    round is over; before there are actions to choose from.
    """

    name: str
    phase: Phase
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
        return self.phase is Phase.OVER


def shown_cards(setup: Setup, codes: Iterable[int]) -> tuple[ShownCard, ...]:
    """
    >>> from upcard.envs.setup import set_up
    >>> setup = set_up("blackjack", None, None, None, fees=False, shoe="fresh", penalty=1)
    >>> [str(one.card) for one in shown_cards(setup, setup.deck[:3])]
    ['As', '2s', '3s']
    """
    marked = setup.before.marked
    return tuple(ShownCard(DECK[setup.card(code)], bool(marked[_symbol(code)])) for code in codes)


def shown_dealer(setup: Setup, envs: Envs, number: int) -> tuple[tuple[ShownCard, ...], int]:
    """The dealer's cards, and how many lie face down: none at the end."""
    row, layout = envs.rows[number], setup.layout
    begins = number * layout.room + layout.most
    is_over = row[STAGE] == Phase.OVER
    at_end = min(layout.dealer, 2) if layout.dealer_own_cards else layout.dealer
    up = at_end if is_over else layout.dealer_up
    codes = [*envs.cards[begins : begins + up], *envs.drawn[number, : row[DREW]]]
    return shown_cards(setup, codes), 0 if is_over else layout.dealer - up


def shown(setup: Setup, envs: Envs, told: Told, number: int) -> Shown:
    """One round of many."""
    tables, row = setup.tables, envs.rows[number]
    dealer, hidden = shown_dealer(setup, envs, number)
    result = int(told.dealer[number])
    is_over = row[STAGE] == Phase.OVER
    nets = zip(setup.columns, told.net[:, number].tolist(), strict=True)
    return Shown(
        name=tables.name,
        phase=Phase(int(row[STAGE])),
        dealer=dealer,
        hidden=hidden,
        dealer_result=tables.dealer.classes[result].name if result >= 0 else "",
        hands=tuple(_hand(setup, envs, number, hand) for hand in range(row[HANDS])),
        lights=0 if tables.carry is None else len(tables.carry.next),
        lit=int(envs.lit[number]),
        legal=() if is_over else tuple(action for action in Action if row[MASK] & action.bit),
        nets=dict(nets) if is_over else {},
    )


def _hand(setup: Setup, envs: Envs, number: int, hand: int) -> ShownHand:
    row = envs.rows[number]
    codes = envs.held[number, hand, : envs.holds[number, hand]]
    active = hand == row[HAND] and row[STAGE] != Phase.OVER
    doubles = int(row[DOUBLES] if active else envs.doubled[number, hand])
    state = int(row[NODE]) if active else _state(setup.tables, codes)
    return ShownHand(
        cards=shown_cards(setup, codes),
        total=total_text(setup.tables, state),
        bust=state >= 0 and bool(setup.tables.hands.bust[state]),
        active=active,
        doubles=doubles if hand <= row[HAND] else 0,
    )


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


def _state(tables: GameTables, codes: Iterable[int]) -> int:
    """The state of a hand that is not asked any more, bonus cards being kept; -1 for none."""
    hands = tables.hands
    state = hands.start
    for code in codes:
        state = int(hands.next[state, _symbol(code)])
        while state >= 0 and hands.keep[state] >= 0:
            state = int(hands.keep[state])
        if state < 0:
            break
    return state


def _symbol(code: int) -> int:
    return int(code) & ((1 << CODE_BITS) - 1)
