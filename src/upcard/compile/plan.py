"""RoundPlan and MoneyPlan: the order of a round, and who owes what to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from upcard.compile.context import ContextAutomaton, Phase
from upcard.compile.deal import (
    DealSlot,
    DealtCard,
    Face,
    Receiver,
    build_passes,
    deal_slots,
)
from upcard.compile.observers import uses_community
from upcard.compile.phases import RoundStep, build_steps
from upcard.fees.quote import Quote, Wagers, quote
from upcard.fees.schedules import FeeBook, FeeSchedule
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules, Irregularities, offered_wagers
from upcard.rules.wagers import HandWager, TieWager, Wager


class Shuffle(StrEnum):
    CUT_CARD = "cut-card"
    EVERY_ROUND = "every-round"


class Starts(StrEnum):
    """Who gets the first card and acts first."""

    DEALERS_LEFT = "dealers-left"
    BANKS_LEFT = "banks-left"


class EmptyPositions(StrEnum):
    SKIPPED = "skipped"
    DEALT_AND_DISCARDED = "dealt-and-discarded"


class HitCards(StrEnum):
    """Where players' further cards come from."""

    SHOE = "shoe"
    OWN_PICKED = "own-cards-picked"
    OWN_IN_ORDER = "own-cards-in-order"


class DealerDraws(StrEnum):
    """Where the dealer's further cards come from."""

    SHOE = "shoe"
    OWN_CARDS = "own-cards"


class DealerFinishes(StrEnum):
    """When the dealer's hand is completed."""

    IF_IT_MATTERS = "if-it-matters"
    ALWAYS = "always"


class Banker(StrEnum):
    HOUSE = "house"
    PLAYER_DEALER = "player-dealer"


class Cover(StrEnum):
    FULL = "full"
    LIMITED = "limited"


class CoverMeasure(StrEnum):
    """What counts towards a limited bank."""

    NET = "net"
    """Its running net: what it has collected pays winners too."""
    EACH_WAY = "each-way"
    """Gains and losses, each by itself."""
    EXHAUSTED_ENDS = "exhausted-ends"
    """Its running net, and once that is all it put up, nothing is settled any more."""
    BY_WAGERS = "by-wagers"
    """What is wagered, in the order of settlement; its running net on top of that."""


class NaturalPaid(StrEnum):
    IN_ORDER = "in-order"
    AT_ONCE = "at-once"


class ActionFrom(StrEnum):
    FIRST_SEAT = "first-seat"
    ACTION_BUTTON = "action-button"


class Backline(StrEnum):
    """Wagers on another player's spot, and whether they follow doubles and splits."""

    NONE = "none"
    MAY_STAY = "may-stay"
    MUST_MATCH = "must-match"


class ShareOf(StrEnum):
    """Whose base wagers limit bonus wagers: each box its own, or a player's all together."""

    BOX = "box"
    PLAYER = "player"


class FlatPer(StrEnum):
    """Whom a fixed amount is charged: every hand, or a player once a round."""

    HAND = "hand"
    PLAYER = "player"


class FeeResolution(StrEnum):
    """What is charged where the printed schedule gives no single fee."""

    REFUSE = "refuse"
    LOWER_FEE = "lower-fee"
    HIGHER_FEE = "higher-fee"
    NOTHING = "nothing"
    """Nothing where no row holds the amount; of two rows that do, neither is chosen."""

    @property
    def words(self) -> str:
        return {
            FeeResolution.REFUSE: "No round is dealt.",
            FeeResolution.LOWER_FEE: "The lower of the fees in question.",
            FeeResolution.HIGHER_FEE: "The higher of the fees in question.",
            FeeResolution.NOTHING: "Nothing, if no row holds the amount.",
        }[self]


@dataclass(frozen=True)
class ShoePlan:
    """How the cards are shuffled, cut and burned."""

    shuffle: Shuffle
    penetration: float
    cut_margin: int
    burn: int

    @property
    def shuffles_every_round(self) -> bool:
        return self.shuffle is Shuffle.EVERY_ROUND

    def cut(self, count: int) -> int:
        """The place of the cut card in a shoe of so many cards; behind all if there is none."""
        if self.shuffles_every_round:
            return count
        margin = min(self.cut_margin, count // 2)
        return min(max(round(count * self.penetration), margin), count - margin)


@dataclass(frozen=True)
class RoundPlan:
    """The typed steps of a round, in order.

    `passes` is the initial deal: each entry goes once round all positions that are dealt to,
    starting at `starts`. With `by_position`, a position gets all its cards before the next. With
    `discards_rest`, what is left of the shoe then is put away. Every player has so many `boxes`
    with equal wagers, or as many as each likes if that is 0.
    """

    steps: tuple[RoundStep, ...]
    passes: tuple[DealtCard, ...]
    by_position: bool
    starts: Starts
    shoe: ShoePlan
    positions: int
    several_boxes: bool
    boxes: int
    own_seat_first: bool
    empty_positions: EmptyPositions
    hit_cards: HitCards
    dealer_draws_from: DealerDraws
    dealer_finishes: DealerFinishes
    community_seen: bool
    discards_rest: bool
    irregularities: Irregularities | None

    @cached_property
    def kinds(self) -> tuple[Phase, ...]:
        return tuple(step.kind for step in self.steps)

    def context_of(self, phase: str, own: int) -> int:
        """The context in which a phase asks a hand that is in its own.

        Bonus cards may be decided in a turn: then that phase is no step of the round.
        """
        step = self._by_phase.get(phase)
        return own if step is None else step.context_of(own)

    def step(self, phase: str) -> RoundStep:
        """The step of a phase that the round has."""
        return self._by_phase[phase]

    @cached_property
    def _by_phase(self) -> Mapping[str, RoundStep]:
        return {step.kind: step for step in self.steps}

    @property
    def exchanges(self) -> bool:
        """Whether a player's boxes may exchange cards before the turns."""
        return Phase.EXCHANGE in self.kinds

    @property
    def starts_at_the_bank(self) -> bool:
        """Whether the first card goes to the bank's left, not to the dealer's."""
        return self.starts is Starts.BANKS_LEFT

    @property
    def players_draw_own_cards(self) -> bool:
        """Whether a player's further cards are the own down cards, not those of the shoe."""
        return self.hit_cards is not HitCards.SHOE

    @property
    def players_pick(self) -> bool:
        """Whether players choose which down card comes next."""
        return self.hit_cards is HitCards.OWN_PICKED

    @property
    def dealer_draws_own_cards(self) -> bool:
        return self.dealer_draws_from is DealerDraws.OWN_CARDS

    @property
    def dealer_always_finishes(self) -> bool:
        """Whether the dealer completes a hand that no wager depends on any more."""
        return self.dealer_finishes is DealerFinishes.ALWAYS

    def dealt(self, to: Receiver, face: Face | None = None) -> int:
        """How many cards of the first deal one receiver gets, all or those that lie so."""
        return sum(part.to is to and face in (None, part.face) for part in self.passes)

    @cached_property
    def first_cards(self) -> int:
        """How many cards a position gets face up before anybody is asked."""
        return self.dealt(Receiver.POSITION, "up")

    def slots(self, taken: Sequence[bool]) -> tuple[DealSlot, ...]:
        """The first deal card by card, for places in dealing order with or without a wager."""
        to_empty = self.empty_positions is EmptyPositions.DEALT_AND_DISCARDED
        return tuple(
            deal_slots(self.passes, taken, by_position=self.by_position, to_empty=to_empty)
        )


@dataclass(frozen=True)
class WagerPlan:
    """A wager on offer and its limits, in cents; a maximum of 0 is none."""

    id: str
    name: str
    mandatory: bool
    needs: str | None
    minimum: int
    maximum: int
    amounts: tuple[int, ...]


@dataclass(frozen=True)
class FeePlan:
    """The fee schedule in force, the book with all others, and the wagers that pay by it."""

    schedule: FeeSchedule
    players_by: str
    players_per: str
    on_added_wagers: bool
    resolution: FeeResolution
    book: FeeBook
    wagers: tuple[str, ...]

    @property
    def refuses(self) -> bool:
        """Whether a fee is refused that the printed schedule does not settle."""
        return self.resolution is FeeResolution.REFUSE

    def quote(
        self,
        seats: Sequence[Wagers],
        *,
        schedule: FeeSchedule | None = None,
        numbers: Sequence[int] | None = None,
        players: Sequence[str] | None = None,
        limits: bool = False,
    ) -> Quote:
        """The fees of a round under this schedule, or under another by the same readings.

        Every seat has a player of its own unless `players` names whose it is. Wagers that a table
        has taken are quoted without `limits`.
        """
        return quote(
            schedule or self.schedule,
            seats,
            basis=self.players_by,
            per=self.players_per,
            resolution=None if self.refuses else self.resolution,
            numbers=numbers,
            players=players,
            limits=limits,
            more=self.wagers,
        )


@dataclass(frozen=True)
class MoneyPlan:
    """Who banks, what may be wagered, the order of settlement, rounding and fees.

    `added_amounts` are the only ones for doubles for less and insurance; empty: any.
    """

    bank: Banker
    turns: int
    cover: Cover
    cover_measure: CoverMeasure
    natural_paid: NaturalPaid
    order: tuple[str, ...]
    action_from: ActionFrom
    backline: Backline
    proposition_players: bool
    wagers: Mapping[str, WagerPlan]
    unit: int
    added_amounts: tuple[int, ...]
    chip: int
    rounding: str
    bonus_share: Fraction | None
    bonus_share_of: ShareOf
    insurance_share: Fraction | None
    flat_per: FlatPer
    fees: FeePlan | None

    def added_at_most(self, amount: int) -> int:
        """The largest wager up to an amount that may be added in a round; 0 if there is none."""
        return added_at_most(self.added_amounts, amount)

    @property
    def boxes_share(self) -> bool:
        """Whether all boxes of a player share one limit of bonus wagers."""
        return self.bonus_share is not None and self.bonus_share_of is ShareOf.PLAYER

    @property
    def house_banks(self) -> bool:
        return self.bank is Banker.HOUSE

    @property
    def bank_is_limited(self) -> bool:
        """Whether the bank covers no more than it put up."""
        return self.cover is Cover.LIMITED

    @property
    def covers_each_way(self) -> bool:
        """Whether what a limited bank has collected does not pay winners too."""
        return self.cover_measure is CoverMeasure.EACH_WAY

    @property
    def exhaustion_ends(self) -> bool:
        """Whether all wagers are returned once a limited bank has paid out all it put up."""
        return self.cover_measure is CoverMeasure.EXHAUSTED_ENDS

    @property
    def covers_by_wagers(self) -> bool:
        """Whether a limited bank covers wagers by their amounts, and only that is at risk."""
        return self.cover_measure is CoverMeasure.BY_WAGERS

    @property
    def naturals_at_once(self) -> bool:
        """Whether a limited bank pays naturals before all others."""
        return self.natural_paid is NaturalPaid.AT_ONCE

    @property
    def has_action_button(self) -> bool:
        return self.action_from is ActionFrom.ACTION_BUTTON

    @property
    def takes_backline(self) -> bool:
        """Whether a player may back another's hand."""
        return self.backline is not Backline.NONE

    @property
    def backline_must_match(self) -> bool:
        """Whether who backs a hand follows its doubles and splits."""
        return self.backline is Backline.MUST_MATCH

    @property
    def flat_once(self) -> bool:
        """Whether a fixed amount is charged once a player and round, not for every hand."""
        return self.flat_per is FlatPer.PLAYER


def added_at_most(allowed: Sequence[int], amount: int) -> int:
    """The largest of the allowed amounts up to one; none named is any."""
    return max((one for one in allowed if one <= amount), default=0) if allowed else amount


def build_round_plan(rules: RuleSet, contexts: ContextAutomaton) -> RoundPlan:
    game = rules.game
    return RoundPlan(
        steps=build_steps(rules, contexts),
        passes=tuple(build_passes(game)),
        by_position=game.deal.order == "by-position",
        starts=Starts(game.deal.starts),
        shoe=ShoePlan(
            shuffle=Shuffle(game.shoe.shuffle),
            penetration=game.shoe.penetration,
            cut_margin=game.shoe.cut_margin,
            burn=game.shoe.burn,
        ),
        positions=game.table.positions,
        several_boxes=game.table.several_boxes,
        boxes=game.table.boxes,
        own_seat_first=game.table.own_seat_first,
        empty_positions=EmptyPositions(game.table.empty_positions),
        hit_cards=HitCards(game.player.hit_cards),
        dealer_draws_from=DealerDraws(game.dealer.draws_from),
        dealer_finishes=DealerFinishes(game.dealer.finishes),
        community_seen=game.deal.community_seen,
        discards_rest=game.deal.rest_discarded and uses_community(game),
        irregularities=game.irregularities,
    )


def build_money_plan(rules: RuleSet) -> MoneyPlan:
    game = rules.game
    return MoneyPlan(
        bank=Banker(game.bank.by),
        turns=game.bank.turns,
        cover=Cover(game.bank.cover),
        cover_measure=CoverMeasure(game.bank.cover_measure),
        natural_paid=NaturalPaid(game.bank.natural_paid),
        order=tuple(wager for wager in game.bank.order if wager in offered_wagers(game)),
        action_from=ActionFrom(game.bank.action_from),
        backline=Backline(game.bank.backline),
        proposition_players=game.bank.proposition_players,
        wagers={plan.id: plan for plan in _wagers(rules)},
        unit=game.limits.unit,
        added_amounts=game.limits.amounts if game.limits.added == "printed" else (),
        chip=game.limits.chip,
        rounding=game.limits.rounding,
        bonus_share=Fraction(game.limits.bonus_share) if game.limits.bonus_share else None,
        bonus_share_of=ShareOf(game.limits.bonus_share_of),
        insurance_share=Fraction(game.insurance.at_most) if game.insurance.offered else None,
        flat_per=FlatPer(game.outcomes.tie_costs_per),
        fees=_fees(rules),
    )


def _wagers(rules: RuleSet) -> Iterator[WagerPlan]:
    game = rules.game
    schedule = rules.fee_schedule
    limits = game.limits
    low, high = limits.minimum, limits.maximum
    if limits.posted == "fee-schedule" and schedule is not None:
        low, high = schedule.table_min, schedule.table_max
    for wager_id in offered_wagers(game):
        wager = game.wagers.get(wager_id)
        if wager is None:
            continue  # insurance: a share of the base wager, see `insurance_share`
        needs = _needs(game, wager)
        # The house's minimum is for the main wager; a posted schedule's limits are for every spot.
        free = needs is not None and limits.posted == "here"
        shared = needs is not None and limits.bonus_share is not None
        yield WagerPlan(
            id=wager_id,
            name=wager.name,
            mandatory=isinstance(wager, HandWager),
            needs=needs,
            minimum=limits.unit if free else low,
            maximum=wager.maximum or high,
            amounts=() if shared else limits.amounts,
        )


def _needs(game: GameRules, wager: Wager) -> str | None:
    match wager:
        case HandWager():
            return None
        case TieWager():
            return game.ties.needs if game.ties else None
        case _:
            return wager.needs


def _fees(rules: RuleSet) -> FeePlan | None:
    fees, book, schedule = rules.game.fees, rules.fee_book, rules.fee_schedule
    if fees is None or book is None or schedule is None:
        return None
    return FeePlan(
        schedule,
        fees.players_by,
        fees.players_per,
        fees.on_added_wagers,
        FeeResolution(fees.resolution),
        book,
        tuple(wager for wager in offered_wagers(rules.game) if wager in rules.game.wagers),
    )
