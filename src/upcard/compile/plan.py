"""RoundPlan and MoneyPlan: the order of a round, and who owes what to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from upcard.compile.observers import uses_community
from upcard.fees.schedules import FeeSchedule
from upcard.rules.index import StepKind
from upcard.rules.load import RuleSet
from upcard.rules.schema import Game, Irregularities, offered_wagers
from upcard.rules.wagers import HandWager, ShowdownWager, TableWager, TieWager, Wager


class Step(NamedTuple):
    """A step of the round and the clauses behind it."""

    kind: StepKind
    words: str
    clauses: tuple[str, ...]


class DealtCard(NamedTuple):
    """One card of the initial deal to every position, to the dealer or to the middle."""

    to: Literal["position", "dealer", "community"]
    face: Literal["up", "down"]


@dataclass(frozen=True)
class ShoePlan:
    """How the cards are shuffled, cut and burned."""

    shuffle: str
    penetration: float
    cut_margin: int
    burn: int
    exhausted: str

    def cut(self, count: int) -> int:
        """The place of the cut card in a shoe of so many cards; behind all if there is none."""
        if self.shuffle == "every-round":
            return count
        margin = min(self.cut_margin, count // 2)
        return min(max(round(count * self.penetration), margin), count - margin)


@dataclass(frozen=True)
class RoundPlan:
    """The typed steps of a round, in order.

    `passes` is the initial deal: each entry goes once round all positions that are dealt to,
    starting at `starts`. With `by_position`, a position gets all its cards before the next.
    """

    steps: tuple[Step, ...]
    passes: tuple[DealtCard, ...]
    by_position: bool
    starts: str
    shoe: ShoePlan
    positions: int
    several_boxes: bool
    empty_positions: str
    hit_cards: str
    dealer_draws_from: str
    community_seen: bool
    irregularities: Irregularities | None

    @property
    def kinds(self) -> tuple[StepKind, ...]:
        return tuple(step.kind for step in self.steps)


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
    """The fee schedule in force."""

    schedule: FeeSchedule
    players_by: str
    on_added_wagers: bool
    resolution: str


@dataclass(frozen=True)
class MoneyPlan:
    """Who banks, what may be wagered, the order of settlement, rounding and fees."""

    bank: str
    turns: int
    offered: str
    button: bool
    cover: str
    cover_measure: str
    natural_paid: str
    order: tuple[str, ...]
    action_from: str
    backline: str
    proposition_players: bool
    players_bets: bool
    wagers: Mapping[str, WagerPlan]
    unit: int
    chip: int
    rounding: str
    bonus_share: Fraction | None
    insurance_share: Fraction | None
    doubles_for_less: bool
    flat_per: str
    fees: FeePlan | None


def build_round_plan(rules: RuleSet) -> RoundPlan:
    game = rules.game
    return RoundPlan(
        steps=tuple(_steps(rules)),
        passes=tuple(_passes(game)),
        by_position=game.deal.order == "by-position",
        starts=game.deal.starts,
        shoe=ShoePlan(
            shuffle=game.shoe.shuffle,
            penetration=game.shoe.penetration,
            cut_margin=game.shoe.cut_margin,
            burn=game.shoe.burn,
            exhausted=game.shoe.exhausted,
        ),
        positions=game.table.positions,
        several_boxes=game.table.several_boxes,
        empty_positions=game.table.empty_positions,
        hit_cards=game.player.hit_cards,
        dealer_draws_from=game.dealer.draws_from,
        community_seen=game.deal.community_seen,
        irregularities=game.irregularities,
    )


def _steps(rules: RuleSet) -> Iterator[Step]:
    """The steps this game has, with the clauses that name each of them."""
    game = rules.game
    trades = game.bonus_card is not None and game.bonus_card.choice == "keep-or-trade"
    # Otherwise they are decided in each player's own turn.
    trades_first = game.bonus_card is not None and game.bonus_card.when == "before-insurance"
    checks = game.dealer.checks != "none"
    showdowns = any(w.settled == "after-game" for w in _card_wagers(game))
    trading = "Bonus cards among the first two are kept or traded."
    offered: list[tuple[StepKind, str, bool]] = [
        ("bank", "A player-dealer is designated and puts up the bank.", game.bank.by != "house"),
        ("wagers", "Wagers are placed.", True),
        ("fees", "Collection fees are taken and dropped.", game.fees is not None),
        ("deal", "The first cards are dealt.", True),
        ("trades", trading, trades and trades_first),
        ("insurance", "Insurance is offered.", game.insurance.offered),
        (
            "early-surrender",
            "Hands may be surrendered before the dealer's check.",
            game.surrender.when == "early" and checks,
        ),
        ("peek", "The dealer looks for a natural; if there is one, the hands end.", checks),
        ("turns", "Players act in turn, one hand finished before the next.", True),
        ("reveal", "The dealer's down card is turned up.", game.deal.dealer_down > 0),
        ("dealer", "The dealer's hand is completed.", True),
        ("settle", "Wagers are paid and collected, seat by seat.", True),
        ("stud-round", "Wagers on the cards themselves are settled.", showdowns),
        ("rotate", "The bank is offered to the next player.", game.bank.by != "house"),
    ]
    for kind, words, present in offered:
        if present:
            named = f"step:{kind}"
            clauses = tuple(cid for cid, clause in game.clauses.items() if named in clause.sets)
            yield Step(kind, words, clauses)


def _card_wagers(game: Game) -> Iterator[TableWager | ShowdownWager]:
    for wager_id in offered_wagers(game):
        wager = game.wagers.get(wager_id)
        if isinstance(wager, TableWager | ShowdownWager):
            yield wager


def _passes(game: Game) -> Iterator[DealtCard]:
    deal = game.deal
    player = [DealtCard("position", "up")] * deal.player_up
    player += [DealtCard("position", "down")] * deal.player_down
    dealer = [DealtCard("dealer", "up")] * deal.dealer_up
    dealer += [DealtCard("dealer", "down")] * deal.dealer_down
    if deal.order == "by-position":
        yield from (*player, *dealer)
    else:
        for number in range(max(len(player), len(dealer))):
            yield from (*player[number : number + 1], *dealer[number : number + 1])
    if uses_community(game):
        face: Literal["up", "down"] = "up" if deal.community_seen else "down"
        yield from [DealtCard("community", face)] * deal.community


def build_money_plan(rules: RuleSet) -> MoneyPlan:
    game = rules.game
    return MoneyPlan(
        bank=game.bank.by,
        turns=game.bank.turns,
        offered=game.bank.offered,
        button=game.bank.button,
        cover=game.bank.cover,
        cover_measure=game.bank.cover_measure,
        natural_paid=game.bank.natural_paid,
        order=tuple(wager for wager in game.bank.order if wager in offered_wagers(game)),
        action_from=game.bank.action_from,
        backline=game.bank.backline,
        proposition_players=game.bank.proposition_players,
        players_bets=game.bank.players_bets,
        wagers={plan.id: plan for plan in _wagers(rules)},
        unit=game.limits.unit,
        chip=game.limits.chip,
        rounding=game.limits.rounding,
        bonus_share=Fraction(game.limits.bonus_share) if game.limits.bonus_share else None,
        insurance_share=Fraction(game.insurance.at_most) if game.insurance.offered else None,
        doubles_for_less=game.double.for_less,
        flat_per=game.outcomes.tie_costs_per,
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
            mandatory=isinstance(wager, HandWager) and wager.mandatory,
            needs=needs,
            minimum=limits.unit if free else low,
            maximum=wager.maximum or high,
            amounts=() if shared else limits.amounts,
        )


def _needs(game: Game, wager: Wager) -> str | None:
    match wager:
        case HandWager():
            return None
        case TieWager():
            return game.ties.needs if game.ties else None
        case _:
            return wager.needs


def _fees(rules: RuleSet) -> FeePlan | None:
    fees, schedule = rules.game.fees, rules.fee_schedule
    if fees is None or schedule is None:
        return None
    return FeePlan(schedule, fees.players_by, fees.on_added_wagers, fees.resolution)
