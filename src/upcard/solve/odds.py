"""The odds of a game: every wager on offer, with its method and error."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np

from upcard.compile.bets import wagers_of
from upcard.compile.context import Action, Phase
from upcard.compile.deal import Receiver
from upcard.compile.ends import EndKind
from upcard.compile.payoff import LooksAt, Payoff
from upcard.compile.tables import GameTables
from upcard.pages.page import Printer, Shown
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay, solve_basic
from upcard.solve.bonuses import BonusOdds, bonus_odds
from upcard.solve.given_up import check_adapted, gives_up_third
from upcard.solve.hands_and_shoes import MOST_TRADES_SPLIT
from upcard.solve.lights import (
    LongRun,
    Stay,
    base_value,
    lights_aim,
    long_run,
    prize_value,
    stay,
)
from upcard.solve.observers import card_wager
from upcard.solve.prizes import PrizesReport, prizes_report
from upcard.solve.result import (
    EXACT,
    REAL_SHOE,
    Counted,
    Progress,
    Return,
    WagerOdds,
    counted_wager,
    silent,
    with_skewness,
)
from upcard.solve.round_figures import (
    DealerHands,
    all_dealer_hands,
    average_stake,
    dealer_hands,
)
from upcard.solve.rounds import SEED, RoundEnds, SplitRounds, round_ends, splits_of
from upcard.solve.shoeless import shoeless
from upcard.solve.solution import BASE, INSURANCE, Aim, Floats, Solution
from upcard.solve.split import Mode
from upcard.solve.suits import suits_gain
from upcard.text import counted


@dataclass(frozen=True)
class StakeOdds:
    """What a whole stake is worth: `ev` in base units, `edge` over all that is staked.

    `wagers` has every wager that rides on the hand, staked or not: what a unit of it would win.
    """

    ev: float
    edge: float
    wagers: Mapping[str, float]


@dataclass(frozen=True)
class Combined:
    """A set of wagers together: play adapted to all of them, and ordinary play of the base."""

    ratios: Mapping[str, float]
    adapted: StakeOdds
    ordinary: StakeOdds


@dataclass(frozen=True)
class FirstHand:
    """The value of a first hand against an up card, and how likely they are."""

    cards: str
    up: str
    chance: float
    ev: float


@dataclass(frozen=True)
class BaseReport:
    """The base game in detail. Values are in base units."""

    ev: float
    basic_ev: float
    by_up: Mapping[str, float]
    by_first_hand: tuple[FirstHand, ...]
    ends: RoundEnds
    outcomes: Mapping[str, float]
    split_chance: float
    dealer: DealerHands
    """What the dealer ends with, by what is shown."""
    dealer_hands: Mapping[str, float]
    """The same whatever is shown."""
    suits_gain: float = 0.0
    """What looking at the suits of the first cards adds to the best play by ranks."""

    @property
    def basic_cost(self) -> float:
        """What basic play gives away against optimal play."""
        return self.ev - self.basic_ev


@dataclass(frozen=True)
class Exchange:
    """Two boxes that exchange cards: how often they do, what one box would be worth if they never
    did, the deviation of both together, and what play looks at.
    """

    chance: float
    never_ev: float
    together_sd: float
    together_error: float
    looks_at: str


@dataclass(frozen=True, repr=False)
class Odds(Shown):
    """Everything about a game's prices, with what they hold for."""

    tables: GameTables
    bet: int
    mode: Mode
    strategy: str
    endless: bool
    seconds: float
    wagers: Mapping[str, WagerOdds]
    base: BaseReport
    by_bet: Mapping[int, float]
    combined: Combined | None
    lights: LongRun | None
    stay: Stay | None
    exchange: Exchange | None = None
    prizes: PrizesReport | None = None
    third_cards_given_up: tuple[str, ...] = ()
    """Wagers priced with a third card in every case, some of which this play gives up."""
    bonuses: tuple[BonusOdds, ...] = ()
    """Every bonus of the main wager; none where two boxes exchange cards."""

    def show(self, out: Printer) -> None:
        """Print every wager, and the base game in detail, on a console or a page."""
        from upcard.solve.odds_page import show_odds

        show_odds(self, out)

    def __repr__(self) -> str:
        others = counted(len(self.wagers) - 1, "other wager")
        edge = f"base edge {self.wagers[BASE].edge:+.4%}"
        return f"<Odds of {self.tables.ref}, {self.strategy} play: {edge}, {others}>"


def odds(
    tables: GameTables,
    *,
    bet: int | None = None,
    ratios: Mapping[str, float] | None = None,
    strategy: str = "optimal",
    mode: Mode = "CDP",
    endless: bool = False,
    rounds: float | None = None,
    progress: Progress = silent,
) -> Odds:
    """Price every wager of a game off the top of a fresh shoe."""
    began = time.perf_counter()
    bet = wagers_of(tables, bet, ratios)[BASE]
    check_adapted(tables, ratios or ())
    if tables.round_plan.exchanges:
        from upcard.solve.joint_odds import joint_odds

        return joint_odds(
            tables,
            bet=bet,
            ratios=ratios or {},
            strategy=strategy,
            mode=mode,
            endless=endless,
            progress=progress,
        )
    game = BaseGame(tables, endless=endless, progress=progress)
    solver = Solver(game, mode, progress)
    optimal = solver.optimal(bet)
    basic, _ = solver.basic(optimal)
    played = optimal if strategy == "optimal" else basic
    lights = long_run(game, played, optimal, progress=progress) if tables.carry else None
    base = solver.report(played, optimal, basic)
    wagers = {BASE: solver.base_wager(played, base)}
    for wager in tables.payoffs:
        if wager not in (BASE, INSURANCE):
            wagers[wager] = solver.tie_wager(wager, played)
    priced = counted_wagers(game, progress, endless=endless)
    wagers = {w: (wagers | priced)[w] for w in (*tables.payoffs, *tables.observers)}
    return Odds(
        tables=tables,
        bet=bet,
        mode=played.mode,
        strategy=strategy,
        endless=endless,
        wagers=wagers,
        base=base,
        by_bet=solver.by_bet(strategy),
        combined=solver.combined(played, ratios, wagers) if ratios else None,
        lights=lights,
        stay=stay(game, optimal, rounds, progress=progress) if rounds is not None else None,
        prizes=solver.prizes(played) if tables.prizes else None,
        third_cards_given_up=tuple(w for w in tables.observers if gives_up_third(game, w, played)),
        bonuses=bonus_odds(game, played),
        seconds=time.perf_counter() - began,
    )


def counted_wagers(game: BaseGame, progress: Progress, *, endless: bool) -> dict[str, WagerOdds]:
    """Wagers that no play changes."""
    tables = game.tables
    found = {}
    if INSURANCE in tables.payoffs:
        found[INSURANCE] = insurance(game)  # by its own units, whatever the bet
    for wager in tables.observers:
        found[wager] = _finite(card_wager(tables, wager, progress), endless=endless)
    return found


def _finite(found: WagerOdds, *, endless: bool) -> WagerOdds:
    """A wager on cards, which is always counted in the real shoe."""
    return replace(found, method=f"{found.method}{REAL_SHOE}") if endless else found


class Solver:
    """Solutions of one game and what is read off them."""

    def __init__(self, game: BaseGame, mode: Mode, progress: Progress = silent) -> None:
        self.game = game
        self.tables = game.tables
        self.mode = mode
        self.progress = progress

    def optimal(self, bet: int, extra: Mapping[str, float] | None = None) -> Solution:
        aim = lights_aim(self.game, bet)
        return self.game.solve(
            Aim(bet=bet, extra=extra or {}, lights=aim.lights),
            mode=self.mode,
            progress=self.progress,
        )

    def basic(self, optimal: Solution) -> tuple[Solution, BasicPlay]:
        return solve_basic(self.game, optimal, progress=self.progress)

    def prizes(self, played: Solution) -> PrizesReport:
        """The prizes of hands under a play, beside the same kind of play without them."""
        aim = replace(played.aim, prizes=0.0)
        alone = self.game.solve(aim, mode=self.mode, progress=self.progress)
        if played.play == "basic":
            alone, _ = self.basic(alone)
        return prizes_report(self.game, played, alone)

    def method(self, solution: Solution) -> str:
        """How a solution is worked out; basic play has one play for all hands, as in CDZ-."""
        return self.method_of(solution.mode)

    def method_of(self, mode: str) -> str:
        """How values are worked out in a mode."""
        if not self.game.pairs:
            return EXACT
        many = self.game.by_trade and self.game.bonus_cards > MOST_TRADES_SPLIT
        rare = f" (trades of a split after the first {MOST_TRADES_SPLIT} left out)" if many else ""
        return f"{EXACT}, splits {mode}{rare}"

    def base_ev(self, solution: Solution) -> float:
        """A round's result with its lights, fixed amounts charged as the rules say."""
        if solution.play == "optimal" and seen_cards(self.tables):
            return self._with_cards_seen(solution)
        if self.tables.carry is not None:
            return prize_value(self.game, solution)
        ev = solution.ev - self.riding(solution)
        return ev + self.charged_once(solution)[0]

    def _with_cards_seen(self, solution: Solution) -> float:
        """The value of play that looks at the community cards: an average over all of them."""
        symbols = range(len(self.game.counts))
        counts = self.game.counts.tolist()
        whole = comb(sum(counts), seen_cards(self.tables))
        total = 0.0
        for cards in combinations_with_replacement(symbols, seen_cards(self.tables)):
            ways = prod(comb(counts[symbol], cards.count(symbol)) for symbol in set(cards))
            if ways:
                game = BaseGame(self.tables, removed=cards, endless=self.game.step == 0)
                seen = game.solve(solution.aim, mode=self.mode)
                total += ways / whole * (seen.ev - self.riding(seen))
        return total

    def riding(self, solution: Solution) -> float:
        """The part of a solution's value that further wagers bring."""
        return sum(
            ratio * self.unit_ev(wager, solution) for wager, ratio in solution.aim.extra.items()
        )

    def unit_ev(self, wager: str, solution: Solution) -> float:
        """What a unit of a wager on how hands end wins, wagers of split hands included."""
        paid = self.game.known.pays(wager)
        return float((hands_ended(self.tables, wager, solution) * paid).sum())

    def charged_once(self, solution: Solution) -> tuple[float, float]:
        """What is gained where a fixed amount is charged once a player, and its error."""
        if not self.tables.settlement[BASE].flat_once or not self.game.pairs:
            return 0.0, 0.0
        gained = error = 0.0
        machine = SplitRounds(self.game, solution.aim.bet)
        for split, chance in splits_of(solution):
            drawn = machine.sample(split, chance)
            more = drawn.results - drawn.each_hand
            gained += chance * float(more.mean())
            error += chance**2 * float(more.var()) / len(more)
        return gained, float(np.sqrt(error))

    def by_bet(self, strategy: str) -> dict[int, float]:
        """The base value at each wager that the table takes, where the amount matters."""
        if not self.tables.has_fixed_amounts:
            return {}
        found = {}
        for amount in self.tables.money.wagers[BASE].amounts:
            solution = self.optimal(amount)
            played = solution if strategy == "optimal" else self.basic(solution)[0]
            found[amount] = self.base_ev(played)
        return found

    def report(self, played: Solution, optimal: Solution, basic: Solution) -> BaseReport:
        game, tables = self.game, self.tables
        names = [symbol.name for symbol in tables.alphabet.symbols]
        shown = tables.dealer.shown.names
        hands = []
        for up, found in played.ups.items():
            for one, two, node, chance in game.deal_chances(up):
                cards = f"{names[one]} {names[two]}"
                likely = found.chance * chance
                hands.append(FirstHand(cards, shown[up], likely, float(found.early[node])))
        own = base_value(game, played) + self.charged_once(played)[0]
        ends = round_ends(game, played, own)
        return BaseReport(
            ev=self.base_ev(optimal),
            basic_ev=self.base_ev(basic),
            by_up={shown[up]: found.ev for up, found in played.ups.items()},
            by_first_hand=tuple(hands),
            ends=ends,
            outcomes=outcomes(tables, played),
            split_chance=sum(chance for *_, chance in splits_of(played)),
            dealer=(dealer := dealer_hands(game)),
            dealer_hands=all_dealer_hands(game, dealer),
            suits_gain=suits_gain(game, optimal),
        )

    def base_wager(self, played: Solution, base: BaseReport) -> WagerOdds:
        ev = base.ev if played.play == "optimal" else base.basic_ev
        method = self.method(played)
        if base.ends.error:
            method += f"; deviation and hit frequency: {base.ends.method}"
        _, once = self.charged_once(played)
        if once:
            method += f"; once-a-player charges of split hands by random rounds, error {once:.1e}"
        if self.tables.has_prizes:
            method += "; prizes are in the value, not in deviation and hit frequency"
        if seen_cards(self.tables):
            method += "; but for the value, play that does not look at the community cards"
        return WagerOdds(
            wager=BASE,
            name=self.tables.money.wagers[BASE].name,
            ev=ev,
            sd=base.ends.sd,
            hit_frequency=base.ends.wins,
            method=method,
            error=base.ends.error,
            strategy=_strategy(played),
            returns=(),
            skewness=base.ends.skewness,
            stake=average_stake(self.game, played),
        )

    def tie_wager(self, wager: str, solution: Solution) -> WagerOdds:
        """A wager on how the first hand ends against the dealer's, or every hand."""
        payoff = self.tables.payoffs[wager]
        of_hands = payoff.per is LooksAt.EACH_HAND
        chances = unsplit_rounds(solution) if of_hands else first_hands(solution)
        found: dict[str, tuple[Fraction, float]] = {}
        for player, row in enumerate(payoff.odds):
            for dealer, pays in enumerate(row):
                event = payoff.event(player, dealer) or ("loses" if pays < 0 else "push")
                if pays > 0 and not payoff.rows:
                    event = f"both {self._named(player)}"
                before = found.get(event, (pays, 0.0))[1]
                found[event] = (pays, before + float(chances[player, dealer]))
        printed = {row.event: row.printed for row in payoff.rows}
        rows = [
            Return(event, pays, printed.get(event, f"{pays} to 1" if pays > 0 else ""), 0, chance)
            for event, (pays, chance) in found.items()
            if chance > 0
        ]
        rows.sort(key=lambda row: (-row.pays, row.event))
        if of_hands and self.game.pairs:
            return self._each_tie_wager(wager, solution, rows)
        ev = sum(row.contribution for row in rows)
        square = sum(float(row.pays) ** 2 * row.probability for row in rows)
        priced = WagerOdds(
            wager=wager,
            name=self.tables.money.wagers[wager].name,
            ev=ev,
            sd=float(np.sqrt(square - ev * ev)),
            hit_frequency=sum(row.probability for row in rows if row.pays > 0),
            method=self.method(solution),
            error=0.0,
            strategy=_strategy(solution),
            returns=tuple(rows),
        )
        return with_skewness(priced)

    def _each_tie_wager(
        self, wager: str, solution: Solution, unsplit: Sequence[Return]
    ) -> WagerOdds:
        """A wager that every hand of a split has; its value is worked out, and so are rounds
        without a split, while the sums that a split can come to are those of random rounds.
        """
        ev, paid = self.unit_ev(wager, solution), self.game.known.pays(wager)
        results: dict[int, float] = {}
        variance_error, rounds = 0.0, 0
        machine = SplitRounds(self.game, solution.aim.bet)
        for split, chance in splits_of(solution):
            drawn = machine.by_hands(split, chance, paid)
            rounds += len(drawn)
            variance_error += chance**2 * float((drawn**2).var()) / len(drawn)
            for value, count in zip(*np.unique(np.round(drawn), return_counts=True), strict=True):
                net = int(value)
                results[net] = results.get(net, 0.0) + chance * int(count) / len(drawn)
        after = [
            Return(f"split, {net:+d} in all", Fraction(net), "", 0, chance)
            for net, chance in sorted(results.items(), reverse=True)
        ]
        rows = (*unsplit, *after)
        square = sum(float(row.pays) ** 2 * row.probability for row in rows)
        sd = math.sqrt(max(0.0, square - ev * ev))
        by_chance = f"; what a split comes to in all by {rounds:,} random rounds (seed {SEED})"
        priced = WagerOdds(
            wager=wager,
            name=self.tables.money.wagers[wager].name,
            ev=ev,
            sd=sd,
            hit_frequency=sum(row.probability for row in rows if row.pays > 0),
            method=self.method(solution) + (by_chance if rounds else ""),
            error=math.sqrt(variance_error) / (2 * sd) if sd else 0.0,
            strategy=_strategy(solution),
            returns=rows,
            stake=float(hands_ended(self.tables, wager, solution).sum()),
        )
        return with_skewness(priced)

    def _named(self, player: int) -> str:
        """A final class as the table calls it."""
        found = self.tables.player_classes[player]
        return self.tables.natural_name if found.is_natural else found.name

    def combined(
        self,
        ordinary: Solution,
        ratios: Mapping[str, float] | None,
        wagers: Mapping[str, WagerOdds],
    ) -> Combined:
        ratios = ratios or {}
        riding = {wager: ratio for wager, ratio in ratios.items() if wager in self.tables.payoffs}
        fixed = {w: wagers[w].ev for w in ratios if w not in riding}
        adapted = self.optimal(ordinary.aim.bet, riding)
        return Combined(
            ratios,
            self._stake(adapted, ratios, fixed),
            self._stake(ordinary, ratios, fixed),
        )

    def played_for(self, bet: int, ratios: Mapping[str, float]) -> StakeOdds:
        """A stake with wagers on how hands end, by the play that suits all of it."""
        return self._stake(self.optimal(bet, ratios), ratios, {})

    def _stake(
        self, solution: Solution, ratios: Mapping[str, float], fixed: Mapping[str, float]
    ) -> StakeOdds:
        found = {BASE: self.base_ev(solution), **fixed}
        for wager in self.tables.payoffs:
            if wager not in (BASE, INSURANCE):
                found[wager] = self.unit_ev(wager, solution)
        ev = found[BASE] + sum(ratio * found[wager] for wager, ratio in ratios.items())
        return StakeOdds(ev, -ev / (1 + sum(ratios.values())), found)


def seen_cards(tables: GameTables) -> int:
    """Community cards that lie face up while hands are played."""
    return tables.round_plan.dealt(Receiver.COMMUNITY, "up")


def _strategy(solution: Solution) -> str:
    return "total-dependent" if solution.play == "basic" else "composition-dependent optimal"


def first_hands(solution: Solution) -> Floats:
    """How often the first hand of a box ends as what against which hand of the dealer."""
    return np.asarray(_by_doubles(solution).sum(axis=0))


def unsplit_rounds(solution: Solution) -> Floats:
    """How often a hand that is not split ends as what against which hand of the dealer."""
    return np.asarray(sum(up.chance * up.ends.hands.sum(axis=0) for up in solution.ups.values()))


def hands_ended(tables: GameTables, wager: str, solution: Solution) -> Floats:
    """How often hands end that a wager goes by: `[first or other, player's class, dealer's]`."""
    first = first_hands(solution)
    if tables.payoffs[wager].per is not LooksAt.EACH_HAND:
        return np.array((first, np.zeros_like(first)))
    others = np.zeros_like(first)
    for up in solution.ups.values():
        for node, chance in up.split_chance.items():
            others += up.chance * chance * up.splits[node].others.hands.sum(axis=0)
    return np.array((first, others))


def _by_doubles(solution: Solution) -> Floats:
    """How often the first hand of a box ends after how many doubles as what against which."""
    total: Floats | None = None
    for up in solution.ups.values():
        found = up.chance * up.ends.hands
        for node, chance in up.split_chance.items():
            found = found + up.chance * chance * up.splits[node].first.hands
        total = found if total is None else total + found
    assert total is not None
    return total


def outcomes(tables: GameTables, solution: Solution) -> dict[str, float]:
    """How often the first hand ends how: by the words that the table uses for results."""
    return outcomes_of(tables, _by_doubles(solution))


def outcomes_of(tables: GameTables, chances: Floats) -> dict[str, float]:
    """The same from chances by doubles and the player's and the dealer's final class."""
    chances = shoeless(tables).spread(chances, endless=False)
    payoff = tables.payoffs[BASE]
    found: dict[str, float] = {}
    if payoff.doubled is not None:
        _add_outcomes(tables, payoff.doubled, chances[1:].sum(axis=0), found)
        chances = chances[:1]
    _add_outcomes(tables, payoff, chances.sum(axis=0), found)
    return found


def _add_outcomes(
    tables: GameTables, payoff: Payoff, chances: Floats, found: dict[str, float]
) -> None:
    for player, row in enumerate(payoff.odds):
        ended = tables.player_classes[player]
        for dealer, pays in enumerate(row):
            chance = float(chances[player, dealer])
            if chance == 0:
                continue
            name = "push" if pays == 0 else "won" if pays > 0 else "lost"
            if pays == 0 and payoff.flat[player][dealer]:
                name = "tied"
            if ended.is_given_up:
                name = ended.word
            elif ended.kind is EndKind.BUST and pays < 0:
                name = "busted"
            elif ended.is_natural and pays > 0:
                name = "natural"
            found[name] = found.get(name, 0.0) + chance


def insurance_worth(game: BaseGame, up: int) -> float:
    """What a unit of insurance is worth under an up card, to one who sees no other card."""
    wins, hits, total = _insured(game, up)
    return float(wins * hits - (total - hits)) / total


def _insured(game: BaseGame, up: int) -> tuple[Fraction, int, int]:
    """What insurance wins, and in how many of all sets of cards that may lie under an up card."""
    tables = game.tables
    wins = tables.payoffs[INSURANCE].won_under(int(game.shown.up[up]))
    left = game.counts.copy()
    first, second = game.shown.up[up], game.shown.down[up]
    left[first] -= int(game.step)
    cards, looks = int(left[second].sum()), tables.dealer.looks
    others = cards - int(left[tables.dealer.natural[first] & second].sum())
    if not game.step:
        return wins, cards**looks - others**looks, cards**looks
    return wins, comb(cards, looks) - comb(others, looks), comb(cards, looks)


def insurance(game: BaseGame) -> WagerOdds:
    """Insurance, per unit of it, averaged over the up cards that it is offered with."""
    tables = game.tables
    hits: dict[Fraction, int] = {}
    total = 0
    for up, first in enumerate(game.shown.up.tolist()):
        if game.may(Phase.INSURANCE, Action.INSURE, up).any():
            wins, found_under, under = _insured(game, up)
            count = int(game.counts[first])
            hits[wins] = hits.get(wins, 0) + count * found_under
            total += count * under
    natural = f"dealer's {tables.natural_name}"
    rows: Sequence[Counted] = (
        *(Counted(natural, wins, f"{wins} to 1", hits[wins]) for wins in sorted(hits)[::-1]),
        Counted("loses", Fraction(-1), "", total - sum(hits.values())),
    )
    found = counted_wager(INSURANCE, "Insurance", rows)
    if game.step:
        return found
    # An endless shoe has chances, but no combinations.
    return replace(found, returns=tuple(row._replace(combinations=0) for row in found.returns))
