"""What the next round is worth from a shoe, to somebody who has seen some of its cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from upcard.cards import Card
from upcard.coach.advice import Said
from upcard.coach.asked import riding
from upcard.coach.lights import light_values
from upcard.compile.bets import usual_bet
from upcard.compile.context import Action, Phase
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.pages.figures import wager_name
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import base_value, lights_in_a_round
from upcard.solve.observers import card_wager
from upcard.solve.odds import Solver, insurance
from upcard.solve.solution import Aim, Solution
from upcard.solve.split import Mode
from upcard.solve.two_boxes import check_one_box
from upcard.text import sentence_case

if TYPE_CHECKING:
    from upcard.table.state import TableState

LYING = "what lies on the layout"
LAST = "the wagers of the last round"
LEAST = "the smallest wager"
TOGETHER = "together"


class Ahead(NamedTuple):
    """The wagers that a round is priced for, in cents, whose they are, and at which seats."""

    wagers: Mapping[str, int]
    of: str
    seats: tuple[int, ...] = ()


def wagers_ahead(
    state: TableState, player: str, before: Mapping[str, int] | None = None
) -> Ahead | None:
    """What a player wagers in the next round: what lies there by now, else what was wagered last.

    `before` is what somebody remembers who sat out the last round. With several boxes it is the
    own seat that counts.
    """
    own = state.player(player)
    seat = own.seat if own is not None else 0
    bets = [bet for bet in state.bets if bet.player == player and bet.wagers.get(BASE)]
    bets.sort(key=lambda bet: (bet.position != seat, bet.backline, bet.position))
    if bets:
        return Ahead(bets[0].wagers, LYING, tuple(bet.position for bet in bets))
    last = _last_wagers(state, player, seat) or before
    return Ahead(last, LAST) if last and last.get(BASE) else None


def _last_wagers(state: TableState, player: str, seat: int) -> dict[str, int]:
    boxes = state.round.boxes if state.round is not None else ()
    for box in sorted(boxes, key=lambda box: box.position != seat):
        base = [stake.start for stake in box.hands[0].stakes if stake.player == player]
        if base:
            sides = [side for side in box.sides if side.player == player]
            placed = {side.wager: side.amount for side in sides if side.wager != INSURANCE}
            return {**placed, BASE: base[0]}
    return {}


class WagerWorth(Said, frozen=True):
    """A wager of the next round: what it wins on average, in percent of its first stake.

    `cents` are for a stake of `bet`, the least where nothing was wagered. Where it is not priced,
    `words` say why.
    """

    wager: str
    name: str
    percent: float | None = None
    bet: int = 0
    cents: int | None = None
    method: str = ""
    words: str = ""


class NextRound(Said, frozen=True):
    """What every wager is worth in the next round, for the best play of those that are made.

    With `fresh` it is dealt from a new shoe, else from one of which `unseen` cards are not known.
    `bet` is the base wager that it is priced for, and `of` says whence that is. Where play goes by
    other wagers too, `together` is what all that are made are worth.
    """

    game: str
    bet: int
    unseen: int
    fresh: bool
    of: str = ""
    lit: int = 0
    wagers: tuple[WagerWorth, ...] = ()
    together: WagerWorth | None = None
    words: str = ""
    notes: tuple[str, ...] = ()

    def worth_of(self, wager: str) -> WagerWorth | None:
        """What is known of a wager."""
        return next((worth for worth in self.wagers if worth.wager == wager), None)


def round_ahead(
    tables: GameTables,
    left: Mapping[Card, int],
    *,
    fresh: bool,
    bet: int | None = None,
    extra: Mapping[str, float] | None = None,
    lit: int = 0,
    mode: Mode = "CDP",
) -> NextRound:
    """The next round from what is left of the shoe, as far as anybody knows.

    `extra` are wagers on how the hand ends, in base wagers.
    """
    ratios = extra or {}
    amount = usual_bet(tables) if bet is None else bet
    found = NextRound(game=tables.id, bet=amount, unseen=sum(left.values()), fresh=fresh, lit=lit)
    try:
        check_one_box(tables, "the next round")
        aim = Aim(bet=amount, extra=ratios, lights=light_values(tables.carry, amount, lit))
        wagers = _Wagers(tables, left, aim, mode).all()
    except UpcardError as error:
        return replace(found, words=f"{sentence_case(str(error))}.")
    found = replace(found, wagers=wagers, notes=_notes(tables, ratios))
    made = {wager: round(ratio * amount) for wager, ratio in ratios.items()}
    return sized(tables, found, {**made, BASE: amount})


def priced_for(tables: GameTables, bet: int) -> int | None:
    """The bet that a round has to be priced for; None where one price holds for all."""
    # Payments in whole chips are a larger or smaller part of the wager, by its size.
    return bet if tables.has_fixed_amounts or tables.money.chip > 1 else None


def sized(
    tables: GameTables, found: NextRound, wagers: Mapping[str, int], of: str = ""
) -> NextRound:
    """A round that is priced, in money for these wagers; the others for the least."""
    bet = wagers[BASE]
    worths = []
    for worth in found.wagers:
        amount = wagers.get(worth.wager) or _least(tables, worth.wager, bet)
        if worth.wager == INSURANCE and not amount:
            continue  # its share of this wager is no amount that the table takes
        cents = None if worth.percent is None else round(worth.percent / 100 * amount)
        worths.append(replace(worth, bet=amount, cents=cents))
    together = _together(tables, worths, wagers)
    return replace(found, bet=bet, of=of, wagers=tuple(worths), together=together)


def _together(
    tables: GameTables, worths: Iterable[WagerWorth], wagers: Mapping[str, int]
) -> WagerWorth | None:
    """All that is wagered on one hand, where play goes by more than the base wager."""
    made = [worth for worth in worths if wagers.get(worth.wager)]
    if not made or not riding(tables, wagers) or any(worth.percent is None for worth in made):
        return None
    bet = sum(worth.bet for worth in made)
    won = sum((worth.percent or 0) / 100 * worth.bet for worth in made)
    return WagerWorth(
        wager=TOGETHER,
        name="All together",
        percent=100 * won / bet,
        bet=bet,
        cents=round(won),
        method=made[0].method,
    )


def _least(tables: GameTables, wager: str, bet: int) -> int:
    if wager == INSURANCE:
        return tables.settlement.largest(INSURANCE, bet)
    plan, unit = tables.money.wagers[wager], tables.money.unit
    return min(plan.amounts) if plan.amounts else -(-max(plan.minimum, 1) // unit) * unit


class _Wagers:
    """The wagers of one round, priced."""

    def __init__(self, tables: GameTables, left: Mapping[Card, int], aim: Aim, mode: Mode) -> None:
        self.tables = tables
        self.left = left
        counts = [0] * len(tables.alphabet)
        for card, copies in left.items():
            counts[tables.alphabet.symbol(card)] += copies
        self.game = BaseGame(tables, counts=counts)
        self.aim = aim
        self.solver = Solver(self.game, mode)
        self.solution = self.game.solve(self.aim, mode=mode)

    def all(self) -> tuple[WagerWorth, ...]:
        found = [self._worth(BASE, self._base(self.solution), self._base_method)]
        for wager in self.tables.payoffs:
            if wager == INSURANCE:
                found.append(self._insurance())
            elif wager != BASE:
                odds = self.solver.tie_wager(wager, self.solution)
                found.append(self._worth(wager, odds.ev, f"{odds.method}, {self._play}"))
        return (*found, *map(self._on_cards, self.tables.observers))

    def _insurance(self) -> WagerWorth:
        offers = self.game.may
        ups = [up for up, copies in enumerate(self.game.counts) if copies]
        if not any(offers(Phase.INSURANCE, Action.INSURE, up).any() for up in ups):
            words = "No card with which it is offered is left."
            return WagerWorth(wager=INSURANCE, name=INSURANCE.capitalize(), words=words)
        method = "exact, over all up cards with which it is offered"
        return self._worth(INSURANCE, insurance(self.game).ev, method)

    def _base(self, solution: Solution) -> float:
        """The result of the base wager, with lights for what they are worth."""
        if self.tables.carry is None:
            return self.solver.base_ev(solution)
        lights = lights_in_a_round(self.game, solution)
        return base_value(self.game, solution) + self.game.light_value(lights, self.aim)

    @property
    def _play(self) -> str:
        return f"play for {'all that is wagered' if self.aim.extra else 'the base wager'}"

    @property
    def _base_method(self) -> str:
        method = self.solver.method(self.solution)
        method = f"{method}, {self._play}" if self.aim.extra else method
        return method if self.tables.carry is None else f"{method}, lights for their share"

    def _on_cards(self, wager: str) -> WagerWorth:
        try:
            odds = card_wager(self.tables, wager, shoe=self.left)
        except UpcardError as error:
            name = self.tables.money.wagers[wager].name
            return WagerWorth(wager=wager, name=name, words=f"{sentence_case(str(error))}.")
        over = self.tables.settlement[wager].lost_when_over
        late = ", without what is lost when the hand goes over" if over else ""
        return self._worth(wager, odds.ev, f"{odds.method}{late}")

    def _worth(self, wager: str, ev: float, method: str) -> WagerWorth:
        name = wager_name(self.tables, wager)
        return WagerWorth(wager=wager, name=name, percent=100 * float(ev), method=method)


def _notes(tables: GameTables, made: Mapping[str, float]) -> tuple[str, ...]:
    notes = []
    if {*tables.payoffs} - {*made, BASE, INSURANCE}:
        notes.append("Of a wager that is not made, more may be won by playing for it.")
    if tables.money.fees is not None:
        notes.append("Collection fees come on top.")
    if not tables.money.house_banks:
        notes.append("Values are as if the bank could pay and collect every wager in full.")
    return tuple(notes)
