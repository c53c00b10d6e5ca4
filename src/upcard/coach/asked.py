"""A question with everything about it that its player may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import msgspec

from upcard.cards import Card
from upcard.coach.advice import CoachAdvice, kind_of
from upcard.coach.lights import light_values
from upcard.coach.seen import Seen, SeenBox
from upcard.compile.context import Action, Context, Phase
from upcard.compile.hands import total_name
from upcard.compile.shows import DealerShows
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents
from upcard.solve.advice import HeldHand
from upcard.solve.solution import Aim
from upcard.table.acting import own_part, whole
from upcard.table.clerk import Question
from upcard.table.collection import added_fee
from upcard.table.engine import Engine
from upcard.table.judge import RefusedError
from upcard.table.order import partners
from upcard.table.plain_tables import PlainTables
from upcard.table.state import Box, Round, Shoe, SideBet, Stake, TableHand, TableState
from upcard.text import counted, listed

FEW = 20
"""Cards left in the shoe below which it may run out in this round."""


def riding(tables: GameTables, wagers: Mapping[str, int]) -> dict[str, float]:
    """Wagers on how the hand ends, in base wagers: the best play goes by them too."""
    bet = wagers[BASE]
    ride = {wager for wager in tables.payoffs if wager not in (BASE, INSURANCE)}
    return {wager: amount / bet for wager, amount in wagers.items() if amount and wager in ride}


def shoe_note(look: PlainTables, shoe: Shoe, few: int = FEW) -> str:
    """What is not counted of a shoe, "" if nothing: below `few` cards it may run out."""
    if shoe.stacked:
        return "The shoe is stacked; it is taken for a whole one."
    draws = not (look.plan.players_draw_own_cards and look.plan.dealer_draws_own_cards)
    if not draws or shoe.left >= few:
        return ""
    return f"The shoe has {counted(shoe.left, 'card')} left; that it may run out is not counted."


class Asked:
    """A question, the hand that it is about, and the cards that its player has seen.

    Of the state only what everybody sees is looked at; cards come from `seen` alone.
    """

    def __init__(self, engine: Engine, state: TableState, question: Question, seen: Seen) -> None:
        here = state.round
        box = here.box(question.position) if here else None
        assert here is not None
        assert box is not None
        self.engine, self.look, self.tables = engine, engine.look, engine.tables
        self.state: TableState = state
        self.here: Round = here
        self.box: Box = box
        self.hand: TableHand = box.hands[question.hand]
        self.question = question
        self.seen = seen
        self.stake: Stake = next(
            stake for stake in self.hand.stakes if stake.player == question.player
        )

    @property
    def context(self) -> Context:
        """What has been done with the hand."""
        return self.tables.contexts.contexts[self.hand.context]

    @property
    def is_checked(self) -> bool:
        """Whether what comes before the dealer's check is over."""
        return self.look.plan.steps[self.here.step].natural_ends

    # ------------------------------------------------------------------ cards

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """Cards that the player has not seen, by symbol: a down card may be any of them."""
        if self.seen.older:
            raise UpcardError(
                "discards were shuffled in while a card lay face down: it is none of them, and "
                "that is not priced"
            )
        left = Counter(dict.fromkeys(self.look.deck, self.tables.alphabet.decks))
        left.subtract(self.seen.cards)
        if min(left.values()) < 0:
            raise UpcardError(f"more cards were seen than a shoe of {self.tables.name} has")
        counts = [0] * len(self.tables.alphabet)
        for card, number in left.items():
            counts[self.look.symbol[card]] += number
        return tuple(counts)

    @property
    def up(self) -> int:
        """The symbol of the up card."""
        return self.look.symbol[self.seen.up]

    @cached_property
    def shows(self) -> DealerShows:
        """What the dealer shows."""
        return DealerShows(self._parsed(self.seen.dealer), self.seen.told)

    @property
    def may_be_down(self) -> tuple[bool, ...]:
        """By symbol, whether the down card may be such a one, as far as it is told."""
        shown = self.tables.dealer.shown
        return tuple(shown.down[self.shows.number(self.tables)].tolist())

    @cached_property
    def seen_box(self) -> SeenBox:
        box = self.seen.box(self.question.position)
        if box is None or len(box.hands) != len(self.box.hands) or not self.seen.up:
            raise UpcardError("the cards that were seen are not those of this table")
        return box

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The cards of the hand."""
        return tuple(filter(None, self.seen_box.hands[self.question.hand].cards))

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The cards of the box's other hands."""
        hands = enumerate(self.seen_box.hands)
        return tuple(c for n, h in hands if n != self.question.hand for c in h.cards if c)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The cards of hands behind it, which have one each."""
        behind = self.seen_box.hands[self.question.hand + 1 :]
        return tuple(card for hand in behind for card in hand.cards if card)

    @property
    def held(self) -> HeldHand:
        """The hand as the solver knows it."""
        return HeldHand(
            self._parsed(self.cards),
            self.hand.state,
            self.hand.context,
            traded=self._parsed(self.seen_box.traded),
            others=self._parsed(self.others),
            place=self.question.hand,
            waiting=self._parsed(self.waiting),
            markers=self.markers,
        )

    @property
    def markers(self) -> tuple[bool, ...]:
        """Which of the hands behind this one have the house's marker."""
        behind = self.box.hands[self.question.hand + 1 :]
        contexts = self.tables.contexts.contexts
        return tuple(contexts[hand.context].marker for hand in behind)

    @property
    def removed(self) -> tuple[Card, ...]:
        """Every other card that was seen."""
        known = (*self.cards, *self.others, *self.seen_box.traded, *self.seen.dealer)
        rest = Counter(self.seen.cards)
        rest.subtract(known)
        return self._parsed(rest.elements())

    @property
    def pair(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The cards of both boxes of the player, where these may exchange cards."""
        one, other = partners(self.here, self.box)
        found = [self.seen.box(box.position) for box in (one, other)]
        if any(box is None or len(box.hands) != 1 for box in found):
            raise UpcardError("the cards that were seen are not those of this table")
        first, second = (box.hands[0].cards for box in found if box is not None)
        return first, second

    def beside(self, *known: str) -> tuple[Card, ...]:
        """Every card that was seen but these and the up card."""
        rest = Counter(self.seen.cards)
        rest.subtract((*known, self.seen.up))
        return self._parsed(rest.elements())

    @property
    def is_exchange(self) -> bool:
        return self.question.phase == Phase.EXCHANGE

    def _parsed(self, cards: Iterable[str]) -> tuple[Card, ...]:
        return tuple(self.look.card[card] for card in cards)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What the values of the hand depend on."""
        own, traded, others = (
            tuple(sorted(self.look.symbol[card] for card in cards))
            for cards in (self.cards, self.seen_box.traded, self.others)
        )
        aim = self.aim
        place = self.question.hand, self.markers
        hand = (own, traded, others, self.hand.state, self.hand.context, place)
        return (
            hand,
            self.shows.number(self.tables),
            self.unseen,
            aim.bet,
            tuple(sorted(aim.extra.items())),
            aim.lights,
            self._suits,
        )

    @property
    def _suits(self) -> tuple[tuple[str, ...], ...]:
        """The hand's cards and all that were seen of ranks whose suits a bonus goes by, with their
        suits; none where none does. Of a pair the order matters, in which its cards would be
        played, and that of the hands that wait.
        """
        bonuses = self.tables.bonuses
        if bonuses is None or not bonuses.depends_on_suits:
            return ()
        ranks = {rank for named in bonuses.suited.values() for rank in named}
        seen = (card for card in self.seen.cards if self.look.card[card].rank in ranks)
        if self.tables.hands.pair_symbol[self.hand.state] >= 0:
            return self.cards, tuple(sorted(seen)), self.waiting
        return tuple(sorted(self.cards)), tuple(sorted(seen))

    # ------------------------------------------------------------------ money

    @cached_property
    def aim(self) -> Aim:
        """What is played for: the wager, wagers that ride on the hand, and lights."""
        bet = self.stake.wager
        sides = {side.wager: side.amount for side in self.sides}
        return Aim(bet=bet, extra=riding(self.tables, {**sides, BASE: bet}), lights=self.lights)

    @property
    def sides(self) -> Iterator[SideBet]:
        """Side wagers of the player on this box that are not settled."""
        for side in self.box.sides:
            if side.player == self.question.player and side.settled is None:
                yield side

    @property
    def lit(self) -> int:
        """The player's lights that are on."""
        position = self.look.lights_position(self.question.position)
        return self.state.lit(self.question.player, position)

    @property
    def lights(self) -> tuple[float, ...]:
        """What the next light, the one after it ... of this round are worth in wagers."""
        owner = (self.question.player, self.look.lights_position(self.question.position))
        prized = owner in self.here.prized
        return light_values(self.tables.carry, self.stake.wager, self.lit, prized=prized)

    @property
    def is_for_less(self) -> bool:
        """Whether the hand was doubled for less than its wager."""
        stake = Stake(self.stake.player, self.stake.wager)
        actions = (Action.DOUBLE, *(Action.REDOUBLE for _ in self.stake.added))
        for added, action in zip(self.stake.added, actions, strict=False):
            if added != whole(self.tables.effects.stake[action], stake):
                return True
            stake = msgspec.structs.replace(stake, added=(*stake.added, added))
        return len(self.stake.added) < self.context.doubles

    def fee(self, action: Action) -> int:
        """The fee on what an action adds."""
        amount = own_part(self.tables.effects.stake[action], self.stake)
        if not amount:
            return 0
        try:
            return added_fee(self.engine.judge, self.question.position, amount)
        except RefusedError:  # the schedule has none for it, and the table will say so
            return 0

    @property
    def fees(self) -> Mapping[str, int]:
        """The fees of all actions."""
        return {action.text: self.fee(action) for action in self.question.actions}

    # ------------------------------------------------------------------ words

    @property
    def about(self) -> CoachAdvice:
        """What is asked, before anything is priced."""
        look, question = self.look, self.question
        context = look.plan.context_of(question.phase, self.hand.context)
        legal = sum(action.bit for action in question.actions)
        soft = "soft " if look.soft[self.hand.state] else ""
        return CoachAdvice(
            game=self.tables.id,
            round=self.here.number,
            position=question.position,
            hand=question.hand,
            player=question.player,
            phase=question.phase,
            kind=kind_of(self.tables, question.phase, self.hand.state, context, legal),
            cards=tuple(filter(None, self.hand.cards)),
            total=soft + total_name(look.total[self.hand.state]),
            up=self.seen.shows,
            doubles=self.context.doubles + self.context.free_doubles,
            wager=self.stake.wager,
            of="the base wager",
        )

    @property
    def holds_for(self) -> tuple[str, ...]:
        """What is priced, where that is not plain."""
        return tuple(self._holds_for())

    def _holds_for(self) -> Iterator[str]:
        carry = self.tables.carry
        if carry is not None:
            lights = len(carry.next)
            share = format_cents(round(float(carry.prize.sum()) / lights))
            yield (
                f"A light counts for its share of the prize, {share}, as it is worth to somebody "
                f"who plays on; {self.lit} of {lights} are lit."
            )
        if self.context.is_split:
            yield "Of the split, this hand alone is priced."

    @property
    def left_out(self) -> tuple[str, ...]:
        """What is not counted, so that the values are not exact."""
        return tuple(self._left_out())

    def _left_out(self) -> Iterator[str]:
        look, state = self.look, self.state
        if state.bank is not None and not self.engine.clerk.covers(state, self.here):
            yield "Values are as if the bank could pay and collect every wager in full."
        if note := shoe_note(look, state.shoe):
            yield note
        if look.settlement[BASE].flat_once:
            yield "What is charged once a player is counted for every hand."
        fees = look.money.fees
        if fees is not None and fees.on_added_wagers:
            yield "Fees on what later actions add are not counted."
        riding = [look.name_of(s.wager) for s in self.sides if self._is_lost_when_over(s)]
        if riding:
            yield f"{listed(riding, 'and')}, lost too if the hand goes over, is not counted."

    def _is_lost_when_over(self, side: SideBet) -> bool:
        return self.look.settlement[side.wager].lost_when_over

    @property
    def is_insurance(self) -> bool:
        return self.question.phase == Phase.INSURANCE
