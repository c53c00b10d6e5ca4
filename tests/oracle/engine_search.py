"""The live engine itself, over every order of a tiny deck: the check of the odds oracle.

A round of one box is played on a scripted table. The shoe is stacked card by card: when the engine
asks for a card that is not there yet, each of those left comes in turn, with its chance. That is
the same as stacking every order of the deck, for the engine never looks ahead.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import OutOfCardsError, Question
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.view import Viewer, redacted

from .odds_one import NONE
from .odds_split import Chooser, Hand, Policy, Resplit, Spot, always, by_policy

ANN = "Ann"
BANK = "Bo"
SEAT = 1
BANKS_SEAT = 2
PURSE = 10**9
SPLITS = (Action.SPLIT, Action.FREE_SPLIT)


class Line(NamedTuple):
    """A round as far as it has come: what lies in the shoe unseen is still open.

    `seen` are the events since the last decision, `lights` the lights lit so far.
    """

    state: TableState
    left: tuple[str, ...]
    chance: Fraction
    seen: tuple[ev.Event, ...]
    lights: int


class Table:
    """A scripted table with one box, and the deck from which its shoe is stacked."""

    def __init__(
        self,
        tables: GameTables,
        cards: Sequence[str],
        bet: int,
        wagers: Mapping[str, int] | None = None,
        light: Fraction = Fraction(0),
        drops: tuple[Action, ...] = (),
    ) -> None:
        self.tables = tables
        self.engine = Engine(tables)
        self.cards = tuple(cards)
        self.bet = bet
        self.wagers = {"base": bet, **(wagers or {})}
        self.light = light
        self.drops = drops
        self.viewer = Viewer("player", ANN)
        symbols = enumerate(tables.alphabet.symbols)
        self.marked = next((number for number, symbol in symbols if symbol.marked), NONE)

    def symbol(self, card: str) -> int:
        return self.engine.look.symbol[card]

    # ------------------------------------------------------------------ the shoe, lazily

    def deal(self) -> Iterator[Line]:
        """Every way in which the first cards can come."""
        for card, chance in self.coming(self.cards):
            yield from self.deal_from((card,), chance)

    def deal_from(self, stacked: tuple[str, ...], chance: Fraction = Fraction(1)) -> Iterator[Line]:
        """The same with some cards on top of the shoe."""
        state = NEW_TABLE
        for command in self.commands(stacked):
            outcome = self.engine.act(state, command)
            assert isinstance(outcome, Outcome), outcome
            state = outcome.state
        left = Counter(self.cards) - Counter(stacked)
        return self.act(Line(state, tuple(left.elements()), chance, (), 0), cm.Deal())

    def coming(self, left: tuple[str, ...]) -> Iterator[tuple[str, Fraction]]:
        """The cards that may come next, one of each kind."""
        assert left, "the deck is too small: choose one that never runs out"
        alike: dict[int, list[str]] = {}
        for card in left:
            alike.setdefault(self.symbol(card), []).append(card)
        for cards in alike.values():
            yield cards[0], Fraction(len(cards), len(left))

    def commands(self, stacked: tuple[str, ...]) -> Iterator[cm.Command]:
        banked = "bank" in self.tables.round_plan.kinds
        positions = (SEAT, BANKS_SEAT) if banked else (SEAT,)
        yield cm.OpenTable(
            table="tiny", secret=secret_from("tiny"), positions=positions, scripted=True
        )
        yield cm.BuyIn(player=ANN, amount=PURSE)
        yield cm.Sit(player=ANN, seat=SEAT)
        if banked:
            yield cm.BuyIn(player=BANK, amount=PURSE)
            yield cm.Sit(player=BANK, seat=BANKS_SEAT)
        yield cm.StackShoe(cards=stacked)
        if banked:
            yield cm.DeclineBank(player=ANN)
            yield cm.TakeBank(player=BANK, amount=PURSE // 2)
        yield cm.PlaceWagers(player=ANN, position=SEAT, wagers=self.wagers)

    def act(self, line: Line, command: cm.Command) -> Iterator[Line]:
        """Every way in which a round can go on after a command, up to the next question."""
        first = self.engine.first_event(line.state, command)
        state = self.engine.evolve(line.state, first)
        return self.run(line._replace(state=state, seen=(first,)))

    def run(self, line: Line) -> Iterator[Line]:
        """As `Engine.run`, which leaves off where a card is missing; here every card comes."""
        state, seen = line.state, list(line.seen)
        while True:
            try:
                coming = self.engine.clerk.upcoming(state)
            except OutOfCardsError:
                break
            if coming is None or isinstance(coming, Question):
                lights = sum(isinstance(event, ev.LightLit) for event in seen)
                yield line._replace(state=state, seen=tuple(seen), lights=line.lights + lights)
                return
            seen.append(coming)
            state = self.engine.evolve(state, coming)
        order = state.shoe.order
        for card, chance in self.coming(line.left):
            left = list(line.left)
            left.remove(card)
            yield from self.run(
                line._replace(
                    state=replace(state, shoe=replace(state.shoe, order=(*order, card))),
                    left=tuple(left),
                    chance=line.chance * chance,
                    seen=tuple(seen),
                )
            )

    def sight(self, line: Line) -> tuple[object, ...]:
        """What the player has seen of the last events: cards that play alike look alike."""
        return tuple(
            self.alike(msgspec.to_builtins(redacted(event, self.viewer))) for event in line.seen
        )

    def alike(self, found: object) -> object:
        match found:
            case str():
                return self.engine.look.symbol.get(found, found)
            case dict():
                return tuple((key, self.alike(part)) for key, part in found.items())
            case list() | tuple():
                return tuple(map(self.alike, found))
            case _:
                return found

    # ------------------------------------------------------------------ decisions and money

    def question(self, line: Line) -> Question | None:
        question = self.engine.question(line.state)
        if question is None:
            return None
        actions = tuple(action for action in question.actions if action not in self.drops)
        return replace(question, actions=actions)

    def decide(self, line: Line, question: Question, action: Action) -> Iterator[Line]:
        decision = cm.parse_decision(action.text, player=ANN, position=question.position)
        return self.act(line, decision)

    def spot(self, line: Line, question: Question, gone: tuple[int, ...] = ()) -> Spot:
        """The question as the oracle puts it; `gone` are cards that the hand has traded."""
        here = line.state.round
        assert here is not None
        asked = here.boxes[0].hands[question.hand]
        hand = Hand(asked.state, asked.context, self.own(line, question), gone)
        return Spot(hand, self.up(line), None, question.actions, question.hand == 0)

    def own(self, line: Line, question: Question) -> tuple[int, ...]:
        here = line.state.round
        assert here is not None
        return tuple(map(self.symbol, here.boxes[0].hands[question.hand].cards))

    def up(self, line: Line) -> int:
        here = line.state.round
        assert here is not None
        return self.symbol(here.dealer.cards[0])

    def won(self, line: Line) -> Fraction:
        """The result of a round that is over, in base wagers, with the value of its lights."""
        here = line.state.round
        assert here is not None
        assert here.over
        assert not here.void
        (box,) = here.boxes
        settled = [stake.settled for hand in box.hands for stake in hand.stakes]
        settled += [bet.settled for bet in box.sides]
        cents = 0
        for one in settled:
            assert one is not None
            assert not one.uncovered
            cents += one.won - one.collected
        if self.engine.tables.prizes:
            cents += sum(amount for _, _, amount in here.prizes)
        return Fraction(cents, self.bet) + line.lights * self.light

    def natural_found(self, line: Line) -> bool:
        here = line.state.round
        return here is not None and here.dealer.natural


class SuitedTable(Table):
    """A table at which cards of one rank are told apart; with `sees` by the player too."""

    sees = False

    def coming(self, left: tuple[str, ...]) -> Iterator[tuple[str, Fraction]]:
        for card, count in Counter(left).items():
            yield card, Fraction(count, len(left))

    def alike(self, found: object) -> object:
        return found if self.sees and isinstance(found, str) else super().alike(found)


def search(
    tables: GameTables,
    cards: Sequence[str],
    bet: int,
    wagers: Mapping[str, int] | None = None,
    light: Fraction = Fraction(0),
) -> Fraction:
    """The most that can be won on average, never splitting and never insured, in base wagers.

    Rounds are told apart only by what the player has seen; in each such class the action that is
    best on average is taken for all of them.
    """
    table = Table(tables, cards, bet, wagers, light, drops=(*SPLITS, Action.INSURE))
    return best_play(table)


def best_play(table: Table) -> Fraction:
    """The most that can be won on average at a table."""
    return _best(table, list(table.deal()))


def _best(table: Table, lines: list[Line]) -> Fraction:
    """The sum over lines that the player has seen alike until just before."""
    total = Fraction(0)
    classes: dict[tuple[object, ...], list[tuple[Line, Question]]] = {}
    for line in lines:
        question = table.question(line)
        if question is None:
            total += line.chance * table.won(line)
        else:
            key = (table.sight(line), question)
            classes.setdefault(key, []).append((line, question))
    for alike in classes.values():
        total += max(
            _best(table, [after for line, asked in alike for after in table.decide(line, asked, a)])
            for a in alike[0][1].actions
        )
    return total


def play_out(
    tables: GameTables,
    cards: Sequence[str],
    policy: Policy,
    bet: int = 1000,
    wagers: Mapping[str, int] | None = None,
    light: Fraction = Fraction(0),
) -> Fraction:
    """What a policy wins on average. Pairs of split hands are split again where that is asked."""
    table = Table(tables, cards, bet, wagers, light, drops=(Action.INSURE,))
    (worth,) = _follow(table, by_policy(policy), table.deal(), [always])
    return worth


def play_out_split(
    tables: GameTables,
    cards: Sequence[str],
    pair: tuple[str, str],
    up: str,
    choose: Chooser,
    bet: int = 1000,
    wagers: Mapping[str, int] | None = None,
    light: Fraction = Fraction(0),
) -> Fraction:
    """What a split of these cards wins on average if there is no check or it finds nothing."""
    (worth,) = play_out_splits(tables, cards, pair, up, choose, [always], bet, wagers, light)
    return worth


def play_out_splits(
    tables: GameTables,
    cards: Sequence[str],
    pair: tuple[str, str],
    up: str,
    choose: Chooser,
    resplits: Sequence[Resplit],
    bet: int = 1000,
    wagers: Mapping[str, int] | None = None,
    light: Fraction = Fraction(0),
) -> list[Fraction]:
    """The same for each of some ways to split again: what they do alike is played out once."""
    table = Table(tables, cards, bet, wagers, light, drops=(Action.INSURE,))
    first, second = pair
    dealt = list(table.deal_from((first, up, second)))
    lines = [line for line in _past_insurance(table, dealt) if not table.natural_found(line)]
    chance = sum((line.chance for line in lines), Fraction(0))
    return [worth / chance for worth in _follow(table, _splitting(choose), lines, resplits)]


def _past_insurance(table: Table, lines: list[Line]) -> Iterator[Line]:
    for line in lines:
        question = table.question(line)
        if question is not None and question.actions == (Action.DECLINE,):
            yield from table.decide(line, question, Action.DECLINE)
        else:
            yield line


def _splitting(choose: Chooser) -> Chooser:
    return lambda spot: split_of(spot.legal) or choose(spot)


def split_of(actions: Sequence[Action]) -> Action | None:
    """The action that splits, whoever stakes the new hand; None where nothing is split."""
    return next((action for action in actions if action in SPLITS), None)


def _follow(
    table: Table,
    choose: Chooser,
    lines: Iterator[Line] | list[Line],
    resplits: Sequence[Resplit],
    hand: int = 0,
    gone: tuple[int, ...] = (),
) -> list[Fraction]:
    """The sums over lines, one for each way to split again.

    `gone` are cards that a hand has traded since it was dealt or split.
    """
    alike, apart = Fraction(0), [Fraction(0)] * len(resplits)
    for line in lines:
        question = table.question(line)
        if question is None:
            alike += line.chance * table.won(line)
            continue
        here = line.state.round
        assert here is not None
        hands = len(here.boxes[0].hands)
        split = split_of(question.actions)
        may = hands > 1 and split is not None
        answers = [may and resplit(question.hand == 0, hands) for resplit in resplits]
        for again in sorted(set(answers)):
            ways = [way for way, answer in enumerate(answers) if answer is again]
            actions = question.actions
            if hands > 1 and not again:
                actions = tuple(action for action in actions if action not in SPLITS)
            action = split if again and split is not None else actions[0]
            traded = gone if question.hand == hand else ()
            if not again and len(actions) > 1:
                action = choose(table.spot(line, replace(question, actions=actions), traded))
            if action is Action.TRADE:
                traded = (*traded, table.marked)
            elif action in SPLITS:
                traded = ()
            after = table.decide(line, question, action)
            same = [resplits[way] for way in ways]
            found = _follow(table, choose, after, same, question.hand, traded)
            for way, worth in zip(ways, found, strict=True):
                apart[way] += worth
    return [alike + worth for worth in apart]
