"""GameTables for single lookups: plain lists instead of arrays, and what a table derives from them.

Reading one cell of a list is several times faster than one of an array, and a live table reads
cells one at a time.
"""

from __future__ import annotations

from functools import cached_property

from upcard.cards import Card
from upcard.compile.bonuses import suit_bit
from upcard.compile.card_observer import CardObserver
from upcard.compile.context import Action, Phase
from upcard.compile.effects import BY_CARDS, Step
from upcard.compile.hands import NONE
from upcard.compile.shows import told_names
from upcard.compile.tables import GameTables
from upcard.money import BASE as BASE
from upcard.money import INSURANCE as INSURANCE
from upcard.table.sign import Sign, sign_of
from upcard.table.state import STOOD, Box, TableHand


class PlainTables:
    """One game's tables as a live table needs them."""

    def __init__(self, tables: GameTables) -> None:
        self.tables = tables
        self.plan = tables.round_plan
        self.money = tables.money
        self.settlement = tables.settlement
        self.deck = tuple(str(card) for card in tables.alphabet.cards)
        self.symbol = {card: tables.alphabet.symbol(Card.parse(card)) for card in self.deck}
        hands = tables.hands
        self.start = hands.start
        self.next: list[list[int]] = hands.next.tolist()
        self.total: list[int] = hands.total.tolist()
        self.soft: list[bool] = hands.soft.tolist()
        self.natural: list[bool] = hands.natural.tolist()
        self.bust: list[bool] = hands.bust.tolist()
        self.pending: list[int] = hands.pending.tolist()
        self.owed: list[bool] = hands.owed.tolist()
        self.light: list[list[int]] = hands.light.tolist()
        self.player_class: list[int] = hands.player_class.tolist()
        self.mask: list[list[list[int]]] = tables.legal.mask.tolist()
        self.after: list[list[int]] = tables.contexts.next.tolist()
        self.turn = tables.contexts.index()
        dealer = tables.dealer
        self.dealer_next: list[list[int]] = dealer.next.tolist()
        self.draws: list[bool] = dealer.draws.tolist()
        self.final: list[int] = dealer.final_class.tolist()
        self.dealer_total: list[int] = dealer.total.tolist()
        self.checks: list[bool] = dealer.checks.tolist()
        self.dealer_natural: list[list[bool]] = dealer.natural.tolist()
        self.natural_looks = dealer.looks
        shown = dealer.shown
        self.face_up, self.tells = shown.face_up, bool(shown.told)
        self.shown_of: list[list[int]] | None = None if shown.is_up_card else shown.of.tolist()
        names, told_of = told_names(tables), shown.told_of.tolist()
        self.told_symbol = {name: told_of.index(n) for n, name in enumerate(names) if n in told_of}
        """For every group that is told, a symbol of it."""
        self.told = {card: names[told_of[self.symbol[card]]] for card in self.deck if names}
        """What is told of a down card."""
        self.marked = [symbol.marked for symbol in tables.alphabet.symbols]
        self.steps = self.plan.kinds
        self.first_step = [step.before_cards for step in self.plan.steps].index(False)
        self.turns_step = self.steps.index(Phase.TURNS)
        self.first_cards = self.plan.first_cards
        self.card = {card: Card.parse(card) for card in self.deck}
        self.follows_thirds = any(
            isinstance(observer, CardObserver) and observer.looks_at_third
            for observer in tables.observers.values()
        )
        self.natural_class = tables.class_index.get("natural", NONE)
        self.any_class = [int(ends.argmax()) for ends in dealer.ends]
        effects = tables.effects
        self.portions: list[list[int]] = effects.portions.tolist()
        self.standing = tuple(a for a in Action if effects.ends_as[a] == BY_CARDS)
        chosen = zip(effects.ends_as.tolist(), effects.ends_early_as.tolist(), strict=True)
        self.ended_as: dict[str, tuple[int, int]] = {
            tables.player_classes[in_turn].name: (in_turn, early)
            for in_turn, early in chosen
            if in_turn >= 0
        }
        self.is_turn = [context.is_turn for context in tables.contexts.contexts]
        self.ending = {action: self._ending(action) for action in Action}
        self.doubles = [context.doubles for context in tables.contexts.contexts]
        self.suit = {card: suit_bit(self.card[card]) for card in self.deck}
        self._steps: dict[tuple[int, int, Action], Step] = {}
        self._depends: dict[tuple[str, int], bool] = {}
        self._settled: dict[tuple[str, int, int | None], bool] = {}

    def by_cards(self, hand: TableHand) -> int:
        """What a hand is by its cards."""
        found = self.player_class[hand.state]
        if self.tables.bonuses is None or found == NONE:
            return found
        suits = 0
        for card in filter(None, hand.cards):
            suits |= self.suit[card]
        return self.tables.final_class(found, suits, self.doubles[hand.context])

    def won_by(self, player_class: int) -> str:
        """What a hand that has won is called: by its bonus, or a natural."""
        bonuses = self.tables.bonuses
        bonus = bonuses.names[player_class] if bonuses else ""
        is_natural = self.tables.player_classes[player_class].is_natural
        return bonus or (self.tables.natural_name if is_natural else "")

    def _ending(self, action: Action) -> str:
        """What a hand is called that an action ended: it stood, or its class was chosen."""
        final = self.tables.effects.ends_as[action]
        return self.tables.player_classes[final].name if final >= 0 else STOOD

    def step(self, state: int, context: int, action: Action) -> Step:
        """What an action comes to, see `Effects.step`."""
        key = (state, context, action)
        if key not in self._steps:
            self._steps[key] = self.tables.effects.step(state, context, action)
        return self._steps[key]

    @cached_property
    def sign(self) -> Sign:
        """The sign at the table, which every view shows."""
        return sign_of(self.tables)

    def lights_position(self, position: int) -> int:
        """The position that lights are bound to, 0 if they are not."""
        carry = self.tables.carry
        return position if carry is not None and carry.bound_to_position else 0

    def can_take(self, box: Box, action: Action) -> bool:
        """Whether a wager that an action makes comes to a chip at all."""
        wager = self.tables.effects.wager[action]
        return not wager or self.largest(wager, box) > 0

    def largest(self, wager: str, box: Box) -> int:
        """The most that a box may put on a wager that is a share of its base wager."""
        return self.settlement.largest(wager, box.hands[0].stakes[0].start)

    def actions(self, state: int, context: int, up: int) -> tuple[Action, ...]:
        mask = self.mask[state][context][up]
        return _ACTIONS[mask]

    def is_settled(self, wager: str, player_class: int, up: int | None = None) -> bool:
        key = (wager, player_class, up)
        if key not in self._settled:
            self._settled[key] = self.tables.is_settled(wager, player_class, up)
        return self._settled[key]

    def depends(self, wager: str, player_class: int) -> bool:
        """Whether the dealer completes a hand because of a wager, whatever the up card."""
        key = (wager, player_class)
        if key not in self._depends:
            self._depends[key] = self.tables.depends(wager, player_class)
        return self._depends[key]

    @cached_property
    def reachable(self) -> list[frozenset[int]]:
        """For every state of the dealer's hand the classes that it can end as."""
        found: dict[int, frozenset[int]] = {}

        def explore(state: int) -> frozenset[int]:
            if state not in found:
                found[state] = (
                    frozenset().union(
                        *(explore(after) for after in self.dealer_next[state] if after != NONE)
                    )
                    if self.draws[state]
                    else frozenset((self.final[state],))
                )
            return found[state]

        return [explore(state) for state in range(len(self.draws))]

    @property
    def full_shoe(self) -> tuple[str, ...]:
        return self.deck * self.tables.alphabet.decks

    def name_of(self, wager: str) -> str:
        return self.money.wagers[wager].name if wager in self.money.wagers else wager.capitalize()


_ACTIONS = tuple(
    tuple(action for action in Action if mask & action.bit) for mask in range(1 << len(Action))
)
