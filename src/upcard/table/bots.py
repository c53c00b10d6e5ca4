"""Bots: a simple sound way to play any game, found from its tables.

The policy looks ahead as if the shoe were endless: it knows the chances of the dealer's results for
every up card, and takes the action with the best expectation. It minds its own hand only, not side
wagers and not the cards already gone. Where exact strategies exist, give a `Bot` that chooser.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property

from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.table import commands as cm
from upcard.table.clerk import Question
from upcard.table.engine import Engine
from upcard.table.lookup import BASE, INSURANCE, Lookup
from upcard.table.settle import up_symbol
from upcard.table.state import Hand, TableState

Chooser = Callable[[TableState, Question], Action]


class EndlessPolicy:
    """The best action in an endless shoe, by looking ahead. Values are in starting wagers.

    >>> from upcard import tables_for
    >>> policy = EndlessPolicy(Lookup(tables_for("blackjack")))
    >>> look = policy.look
    >>> ten, six = look.symbol["Ts"], look.symbol["6s"]
    >>> sixteen = look.tables.hands.after(ten, six)
    >>> policy.best(sixteen, look.turn, ten, (Action.HIT, Action.STAND)).text
    'hit'
    >>> policy.best(sixteen, look.turn, six, (Action.HIT, Action.STAND)).text
    'stand'
    """

    def __init__(self, look: Lookup) -> None:
        self.look = look
        counts = look.tables.alphabet.counts.tolist()
        self.chance: list[float] = [count / sum(counts) for count in counts]
        self.value = cache(self._value)
        self.results = cache(self._results)
        self.stands = cache(self._stands)

    def best(self, state: int, context: int, up: int, actions: tuple[Action, ...]) -> Action:
        """The action with the highest expectation; of equals the first."""
        return max(actions, key=lambda action: self.act(state, context, up, action))

    def act(self, state: int, context: int, up: int, action: Action) -> float:
        """What one action is worth."""
        stake = self.look.tables.contexts.contexts[context].stake
        match action:
            case Action.STAND:
                return stake * self.stands(self.look.player_class[state], up)
            case Action.HIT | Action.DOUBLE | Action.REDOUBLE:
                after = self.look.after[context][action]
                return self._draw(state, after, up)
            case Action.SPLIT:
                aces = self.look.aces[self.look.pair[state]]
                after = self.look.after_split[context][aces]
                return 2 * self._draw(self.look.split_to[state], after, up)
            case Action.SURRENDER:
                return self.stands(self.look.tables.class_index["surrendered"], up)
            case Action.RESCUE:
                return -float(self.look.tables.contexts.contexts[context].rescue_forfeits)
            case Action.KEEP:
                return self.value(self.look.keep[state], context, up)
            case Action.TRADE:
                return self.light_value + self._draw(
                    self.look.trade[state], context, up, keeps=True
                )
            case Action.INSURE:
                return self._insurance(up)
            case Action.DECLINE:
                return self._played_on(state, context, up)

    def _played_on(self, state: int, context: int, up: int) -> float:
        """A hand that was not surrendered before the check; insurance declined costs nothing."""
        if self.look.tables.contexts.contexts[context].phase != "early-surrender":
            return 0.0
        found = self._chance_of_natural(up)
        payoff = self.look.tables.payoffs[BASE]
        classes = self.look.tables.dealer.classes
        natural = next(number for number, c in enumerate(classes) if c.kind == "natural")
        lost = float(payoff.odds[self.look.player_class[state]][natural])
        played: float = self.value(state, self.look.turn, up)
        return found * lost + (1 - found) * played

    @cached_property
    def light_value(self) -> float:
        """A light's share of the prize, in wagers of the least size."""
        carry = self.look.tables.carry
        if carry is None:
            return 0.0
        least = self.look.money.wagers[BASE].minimum or self.look.money.unit
        return float(carry.prize[-1]) / len(carry.next) / least

    def _value(self, state: int, context: int, up: int) -> float:
        """What a hand is worth when it is the player's turn."""
        if self.look.bust[state]:
            stake = self.look.tables.contexts.contexts[context].stake
            return stake * self.stands(self.look.player_class[state], up)
        if self.look.owed[state]:
            return self._draw(state, context, up)
        actions = self.look.actions(state, context, up)
        return max(self.act(state, context, up, action) for action in actions)

    def _draw(self, state: int, context: int, up: int, *, keeps: bool = False) -> float:
        """The average over the next card; with `keeps`, a further marked card is not traded."""
        total = 0.0
        for symbol, after in enumerate(self.look.next[state]):
            if after == NONE:
                continue
            if keeps and self.look.pending[after] and self.look.keep[after] != NONE:
                after = self.look.keep[after]
            total += self.chance[symbol] * self.value(after, context, up)
        return total

    def _stands(self, player_class: int, up: int) -> float:
        """A final class against all results of the dealer, for one unit."""
        payoff = self.look.tables.payoffs[BASE]
        least = self.look.money.wagers[BASE]
        unit = min(least.amounts, default=least.minimum) or self.look.money.unit
        return sum(
            chance
            * (float(payoff.odds[player_class][result]) + payoff.flat[player_class][result] / unit)
            for result, chance in self.results(up).items()
        )

    def _results(self, up: int) -> dict[int, float]:
        """The chances of the dealer's final classes once the check has found nothing."""
        start = self.look.dealer_next[self.look.tables.dealer.start][up]
        found: dict[int, float] = {}

        def draw(state: int, chance: float, first: bool) -> None:
            if not self.look.draws[state]:
                final = self.look.final[state]
                found[final] = found.get(final, 0.0) + chance
                return
            for symbol, after in enumerate(self.look.dealer_next[state]):
                known = first and self.look.checks[up] and self.look.dealer_natural[up][symbol]
                if not known:
                    draw(after, chance * self.chance[symbol], first=False)

        draw(start, 1.0, first=True)
        whole = sum(found.values())
        return {result: chance / whole for result, chance in found.items()}

    def _chance_of_natural(self, up: int) -> float:
        naturals = self.look.dealer_natural[up]
        return sum(self.chance[hole] for hole, is_natural in enumerate(naturals) if is_natural)

    def _insurance(self, up: int) -> float:
        chance = self._chance_of_natural(up)
        odds = max(float(odds) for odds in self.look.tables.payoffs[INSURANCE].odds[0])
        expected: float = chance * odds - (1 - chance)
        return expected


class Bot:
    """A player that decides by itself.

    `wager` is what it puts on the base game, `bank` what it puts up when the bank is offered (0: it
    declines). Bots at one table may share a policy, which remembers what it has worked out.
    """

    def __init__(
        self,
        engine: Engine,
        name: str,
        *,
        wager: int,
        bank: int = 0,
        chooser: Chooser | None = None,
        policy: EndlessPolicy | None = None,
    ) -> None:
        self.engine = engine
        self.name = name
        self.wager = wager
        self.bank = bank
        self.policy = policy or EndlessPolicy(engine.look)
        self.chooser = chooser or self.choose

    def choose(self, state: TableState, question: Question) -> Action:
        hand = self._hand(state, question)
        here = state.round
        assert here is not None
        context = self.engine.look.phase_context(question.phase, hand.context)
        up = up_symbol(self.engine.look, here)
        return self.policy.best(hand.state, context, up, question.actions)

    def _hand(self, state: TableState, question: Question) -> Hand:
        box = state.round.box(question.position) if state.round else None
        assert box is not None
        return box.hands[question.hand]

    def answer(self, state: TableState, question: Question) -> cm.AnyDecision:
        """The bot's decision, one that it can pay for."""
        affordable = tuple(
            action for action in question.actions if self._can_pay(state, question, action)
        )
        asked = Question(
            question.phase, question.position, question.hand, question.player, affordable
        )
        action = self.chooser(state, asked)
        return cm.parse_decision(action.text, player=self.name, position=question.position)

    def _can_pay(self, state: TableState, question: Question, action: Action) -> bool:
        """Whether the bot has the chips that an action takes."""
        box = state.round.box(question.position) if state.round else None
        assert box is not None
        stake = box.hands[question.hand].stakes[0]
        cost = {
            Action.DOUBLE: stake.start,
            Action.SPLIT: stake.start,
            Action.REDOUBLE: stake.total,
            Action.INSURE: self.engine.look.most_insurance(box),
        }.get(action, 0)
        return state.chips(self.name) >= cost

    def open_round(self, state: TableState, position: int) -> cm.Command | None:
        """What the bot does before the cards: a wager at its seat if it can, else nothing."""
        if state.stage != "wagers" or self.wager > state.chips(self.name):
            return None
        if state.bank is not None and state.bank.player == self.name:
            return None
        return cm.PlaceWagers(player=self.name, position=position, wagers={BASE: self.wager})

    def take_bank(self, state: TableState) -> cm.TakeBank | cm.DeclineBank:
        """The answer to an offer of the bank."""
        unit = self.engine.look.money.unit
        amount = min(self.bank, state.chips(self.name) // 2 // unit * unit)
        if amount > 0:
            return cm.TakeBank(player=self.name, amount=amount)
        return cm.DeclineBank(player=self.name)
