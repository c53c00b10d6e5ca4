"""One player's box in play: hands, what is asked, and what an action or a card leads to.

Everything is looked up in `GameTables`: which actions are legal, what they do, and where a card
leads. Like the live table, a box goes on by itself until somebody is asked or a card is due.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from upcard.cards import Card
from upcard.compile.action_rows import WHOLE_HAND
from upcard.compile.bonuses import suit_bit
from upcard.compile.context import Action, Phase
from upcard.compile.effects import BY_CARDS, GOES_ON
from upcard.compile.hands import NONE, points
from upcard.compile.legal import Reason
from upcard.compile.phases import RoundStep
from upcard.compile.shows import DealerShows
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.text import listed


@dataclass(frozen=True)
class BoxHand:
    """One hand of a box. It is not changed: every action and every card make a new one.

    `gap` is the place of a card that was traded away, where its replacement goes.
    """

    tables: GameTables = field(repr=False, compare=False)
    cards: tuple[Card, ...]
    state: int
    context: int
    waits: bool = False
    gap: int | None = None
    ends_as: int = GOES_ON

    @property
    def total(self) -> int | float:
        """What the hand counts, such as 16 or 21.5."""
        return points(int(self.tables.hands.total[self.state]))

    @property
    def soft(self) -> bool:
        """Whether an ace counts high."""
        return bool(self.tables.hands.soft[self.state])

    @property
    def natural(self) -> bool:
        """Whether the hand is a natural."""
        return bool(self.tables.hands.natural[self.state])

    @property
    def bust(self) -> bool:
        """Whether the hand is over the limit."""
        return bool(self.tables.hands.bust[self.state])

    @property
    def doubles(self) -> int:
        """How often the hand was doubled, by whoever staked it."""
        here = self.tables.contexts.contexts[self.context]
        return here.doubles + here.free_doubles

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to the hand before it is compared."""
        return self.ends_as != GOES_ON

    @property
    def result(self) -> str:
        """What the hand ended as: a total, `bust`, `natural`, `surrendered` ...; "" before."""
        return self.tables.player_classes[self.ends_as].word if self.is_over else ""

    @property
    def at_stake(self) -> int:
        """Base wagers that lie on the hand; of one that has ended, those it can still lose."""
        at_stake, level = self.tables.effects.at_stake, self._level
        return int(at_stake[self.ends_as, level] if self.is_over else at_stake[:, level].max())

    @property
    def markers(self) -> int:
        """Base wagers that the house has staked on the hand: they win, and are not lost."""
        return int(self.tables.effects.house[self._level])

    @property
    def _level(self) -> int:
        return self.tables.effects.stake_level(self.context)

    @property
    def needs_card(self) -> bool:
        """Whether the next thing to happen to the hand is a card."""
        first, owed = self.tables.round_plan.first_cards, bool(self.tables.hands.owed[self.state])
        return not self.is_over and (self.waits or owed or len(self.cards) < first)

    def __str__(self) -> str:
        words = " ".join(map(str, self.cards))
        return f"{words} ({self.total})" if len(self.cards) > 1 else words

    def dealt(self, card: Card) -> BoxHand:
        """The hand after a card."""
        after = int(self.tables.hands.next[self.state, self.tables.alphabet.symbol(card)])
        if after == NONE:
            raise UpcardError(f"{self.tables.name} deals no card to {self}")
        place = len(self.cards) if self.gap is None else self.gap
        cards = (*self.cards[:place], card, *self.cards[place:])
        return replace(self, cards=cards, state=after, waits=False, gap=None)

    def by_cards(self) -> BoxHand:
        """The hand as it ends by its cards alone."""
        found = int(self.tables.hands.player_class[self.state])
        if found != NONE:
            suits = 0
            for card in self.cards:
                suits |= suit_bit(card)
            found = self.tables.final_class(found, suits, self.doubles)
        return replace(self, ends_as=found)


@dataclass(frozen=True)
class BoxPlay:
    """A box against what the dealer shows.

    `step` is that of the round, None after the last that asks. `wagers` are those made on
    the way, `gone` the cards that were traded away or exchanged.
    """

    tables: GameTables = field(repr=False, compare=False)
    shows: DealerShows
    hands: tuple[BoxHand, ...]
    step: RoundStep | None
    wagers: tuple[str, ...] = ()
    gone: tuple[Card, ...] = ()

    @classmethod
    def begin(cls, tables: GameTables, cards: tuple[Card, ...], shows: DealerShows) -> BoxPlay:
        """A box with its first cards, before anything is asked."""
        hand = BoxHand(tables, (), tables.hands.start, tables.contexts.index())
        for card in cards:
            hand = hand.dealt(card)
        return cls(tables, shows, (hand,), _asking(tables)[0]).gone_on()

    @property
    def current(self) -> int:
        """The number of the hand that comes next; the last one when all have ended."""
        going = (number for number, hand in enumerate(self.hands) if not hand.is_over)
        return next(going, len(self.hands) - 1)

    @property
    def hand(self) -> BoxHand:
        """The hand that comes next."""
        return self.hands[self.current]

    @property
    def markers(self) -> tuple[bool, ...]:
        """Which of the hands that wait behind this one have the house's marker."""
        contexts = self.tables.contexts.contexts
        return tuple(contexts[hand.context].marker for hand in self.hands[self.current + 1 :])

    @property
    def is_over(self) -> bool:
        """Whether every hand has ended."""
        return self.step is None

    @property
    def needs_card(self) -> bool:
        """Whether the box waits for a card."""
        return self.step is not None and self.hand.needs_card

    @property
    def asked(self) -> tuple[Action, ...]:
        """The actions that are legal now."""
        if self.is_over or self.needs_card:
            return ()
        return self._actions()

    @property
    def asked_about(self) -> str:
        """The step of the round, "" after the last; a bonus card is one's own wherever it comes."""
        if self.step is None:
            return ""
        traded = self.asked and self._is_pending and not self.step.once
        return (Phase.TRADES if traded else self.step.kind).value

    def why(self, action: Action) -> Reason:
        """Why an action is legal or refused now."""
        reason = self.tables.legal.why(self.hand.state, self._context, self._up, action)
        if reason.legal and action not in self.asked:
            words = f"The question is {listed(one.text for one in self.asked)}."
            return Reason(action, legal=False, words=words, clauses=())
        return reason

    def after(self, action: Action) -> BoxPlay:
        """The box after a legal action and all that happens by itself."""
        return self._after(action).gone_on()

    def dealt(self, card: Card) -> BoxPlay:
        """The box after the card that it waits for, and all that happens by itself."""
        return self.having(self.hand.dealt(card)).gone_on()

    def gone_on(self) -> BoxPlay:
        """The box as soon as it waits for an answer or a card, or is over."""
        box = self
        while (coming := box._by_itself()) is not None:
            box = coming
        return box

    # ------------------------------------------------------------------ what happens by itself

    def _by_itself(self) -> BoxPlay | None:
        """What comes next without anybody being asked, None if nothing does."""
        if self.is_over or self.needs_card:
            return None
        step, hand, actions = self.step, self.hand, self._actions()
        assert step is not None
        if not hand.is_over and len(actions) > 1 and set(actions) & set(step.offers):
            return None
        if hand.is_over or step.once or (not self._is_pending and step.kind is not Phase.TURNS):
            return self.next_step()
        if hand.bust or not actions:
            return self.having(hand.by_cards())
        return self._after(actions[0])

    def next_step(self) -> BoxPlay:
        """The box in the following step of the round that asks something."""
        steps = (*_asking(self.tables), None)
        return replace(self, step=steps[steps.index(self.step) + 1])

    # ------------------------------------------------------------------ what an action does

    def _after(self, action: Action) -> BoxPlay:
        """The one place that says what the rows of an action mean for a box."""
        hand, effects = self.hand, self.tables.effects
        does = effects.step(hand.state, self._context, action)
        if does.ends_as == BY_CARDS:
            return self.having(hand.by_cards())
        if does.ends_as != GOES_ON:
            return self.having(replace(hand, ends_as=does.ends_as))
        if self.step is not None and self.step.once:
            made = effects.wager[action]
            wagers = (*self.wagers, made) if made else self.wagers
            return replace(self, wagers=wagers).next_step()
        if does.splits:
            return self._split(does.state, does.context, does.new_context)
        new = replace(hand, state=does.state, context=does.context, waits=does.draws > 0)
        if does.discards == WHOLE_HAND:
            box = replace(self, gone=(*self.gone, *hand.cards))
            return box.having(replace(new, cards=()))
        return self._without_marked(new) if does.discards else self.having(new)

    def _split(self, state: int, context: int, new_context: int) -> BoxPlay:
        """Two hands of one; those that wait now stand in a box of one hand more."""
        hand, number = self.hand, self.current
        pair = tuple(
            replace(hand, cards=(card,), state=state, context=own)
            for card, own in zip(hand.cards, (context, new_context), strict=True)
        )
        contexts = self.tables.contexts.contexts
        many = contexts[context].hands

        def counted(other: BoxHand) -> BoxHand:
            own = contexts[other.context]._replace(hands=many)
            return other if other.is_over else replace(other, context=contexts.index(own))

        before, behind = self.hands[:number], self.hands[number + 1 :]
        return replace(self, hands=(*map(counted, before), *pair, *map(counted, behind)))

    def _without_marked(self, new: BoxHand) -> BoxPlay:
        """The first marked card that waits leaves the hand, and is out of play."""
        alphabet, hand = self.tables.alphabet, self.hand
        marked = [
            place
            for place, card in enumerate(hand.cards)
            if alphabet.symbols[alphabet.symbol(card)].marked
        ]
        place = marked[-int(self.tables.hands.pending[hand.state])]
        cards = (*hand.cards[:place], *hand.cards[place + 1 :])
        box = replace(self, gone=(*self.gone, hand.cards[place]))
        return box.having(replace(new, cards=cards, gap=place))

    # ------------------------------------------------------------------ lookups

    @property
    def _up(self) -> int:
        return self.shows.number(self.tables)

    @property
    def _context(self) -> int:
        own = self.hand.context
        return own if self.step is None else self.step.context_of(own)

    @property
    def _is_pending(self) -> bool:
        return bool(self.tables.hands.pending[self.hand.state])

    def _actions(self) -> tuple[Action, ...]:
        return self.tables.legal.actions(self.hand.state, self._context, self._up)

    def having(self, hand: BoxHand) -> BoxPlay:
        """The box with another hand in the place of the one that comes next."""
        number = self.current
        return replace(self, hands=(*self.hands[:number], hand, *self.hands[number + 1 :]))


def _asking(tables: GameTables) -> tuple[RoundStep, ...]:
    """The steps of a round in which a player may be asked about a hand of one box."""
    steps = tables.round_plan.steps
    return tuple(step for step in steps if step.offers and step.kind is not Phase.EXCHANGE)
