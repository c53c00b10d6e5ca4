"""What every legal action is worth for one hand against one up card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from upcard.cards import RANK_NAMES, Card
from upcard.compile.bets import wagers_of
from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.base import BaseGame
from upcard.solve.graph import BUST
from upcard.solve.lights import lights_aim
from upcard.solve.parts import BASE, INSURANCE, UpCard
from upcard.solve.play import NEVER
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode
from upcard.text import counted


@dataclass(frozen=True)
class Advice:
    """Values of the legal actions in base units, the best first.

    `before_check` says whether they hold before the dealer's check (the chance of a natural is in
    them) or after it came up empty. `natural` is the chance that the check finds one, `insurance`
    what a unit of insurance is worth, where it is offered.
    """

    tables: GameTables
    cards: tuple[Card, ...]
    up: Card
    actions: Mapping[Action, float]
    before_check: bool
    natural: float
    insurance: float | None
    mode: Mode
    bet: int
    doubles: int
    ratios: Mapping[str, float]
    light: float

    @property
    def best(self) -> Action:
        return next(iter(self.actions))


def advise(
    tables: GameTables,
    cards: Sequence[Card],
    up: Card,
    *,
    removed: Sequence[Card] = (),
    ratios: Mapping[str, float] | None = None,
    bet: int | None = None,
    doubles: int = 0,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Advice:
    """Price every legal action of a hand; `removed` are other cards known to be out of the shoe.

    >>> from upcard import tables_for
    >>> hand = advise(tables_for("blackjack"), [Card("T", "s"), Card("6", "d")], Card("9", "h"))
    >>> hand.best.text, round(hand.actions[hand.best], 4)
    ('surrender', -0.5)
    """
    bet = wagers_of(tables, bet, ratios)[BASE]
    check_cards(tables, cards, up, removed)
    symbols = [tables.alphabet.symbol(card) for card in cards]
    top = tables.alphabet.symbol(up)
    game = BaseGame(
        tables, removed=[tables.alphabet.symbol(card) for card in removed], progress=progress
    )
    if not 0 <= doubles < len(game.contexts):
        most = counted(len(game.contexts) - 1, "double")
        raise UpcardError(f"a hand takes at most {most} in {tables.name}, not {doubles}")
    extra = {wager: ratio for wager, ratio in (ratios or {}).items() if wager in tables.payoffs}
    aim = replace(lights_aim(game, bet), extra=extra)
    found = game.solve_up(top, aim, mode)
    node = _node(game, cards, symbols)
    values, before = _values(game, found, node, doubles, aim.lights[0])
    if not values:
        raise UpcardError(f"there is nothing to decide with {_shown(cards)} against {up}")
    ranked = dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))
    return Advice(
        tables=tables,
        cards=tuple(cards),
        up=up,
        actions=ranked,
        before_check=before,
        natural=_natural(game, node, top) if tables.dealer.checks[top] else 0.0,
        insurance=_insurance(game, node, top),
        mode=mode,
        bet=bet,
        doubles=doubles,
        ratios=ratios or {},
        light=aim.lights[0],
    )


def check_cards(
    tables: GameTables, cards: Sequence[Card], up: Card, removed: Sequence[Card]
) -> None:
    """Refuse hands that the shoe cannot hold."""
    decks = tables.alphabet.decks
    for card in (*cards, up, *removed):
        if tables.alphabet.symbol(card) < 0:
            raise UpcardError(f"{tables.name} is dealt without {RANK_NAMES[card.rank]}s")
    for card, copies in Counter((*cards, up, *removed)).items():
        if copies > decks:
            raise UpcardError(
                f"{card} comes {counted(copies, 'time')}, "
                f"and the shoe of {counted(decks, 'deck')} has {decks} of it"
            )
    if len(cards) < 2:
        raise UpcardError(f"a hand has at least two cards, not {len(cards)}")


def _node(game: BaseGame, cards: Sequence[Card], symbols: Sequence[int]) -> int:
    """The hand's node; bonus cards before the last decision were kept."""
    graph = game.graph
    node = 0
    for number, symbol in enumerate(symbols):
        while graph.child[node, symbol] == NONE and graph.keep[node] != NONE:
            node = int(graph.keep[node])
        after = int(graph.child[node, symbol])
        if after < 0:
            shown = _shown(cards[: number + 1])
            over = after == BUST or number + 1 == len(cards)
            why = "the hand is over with its last card" if over else "the hand ended before that"
            raise UpcardError(f"there is nothing to decide with {shown}: {why}")
        node = after
    return node


def _values(
    game: BaseGame, found: UpCard, node: int, doubles: int, light: float
) -> tuple[dict[Action, float], bool]:
    graph = game.graph
    worth = found.worth[doubles, node]
    values = {action: float(worth[action]) for action in Action if worth[action] != NEVER}
    if doubles or not game.first_nodes[node]:
        return values, False
    if game.trades_first and graph.keep[node] != NONE:
        early = found.early
        values = {Action.KEEP: float(early[graph.keep[node]])}
        if graph.trade[node] != NONE:
            values[Action.TRADE] = float(early[graph.trade[node]]) + light
        return values, True
    folding = found.early_gain[node]
    if not game.may_fold(found.up)[graph.state[node]]:
        return values, False
    natural = float(found.natural[node])
    lost = game.against_natural(found, node)
    values = {action: natural * lost + (1 - natural) * value for action, value in values.items()}
    values[Action.SURRENDER] = max(values.values()) + float(folding)
    return values, True


def _insurance(game: BaseGame, node: int, up: int) -> float | None:
    """What a unit of insurance is worth with this hand."""
    tables = game.tables
    if not game.first_nodes[node] or not game.may("insurance", Action.INSURE, up).any():
        return None
    chance = _natural(game, node, up)
    pays = max(float(odds) for odds in tables.payoffs[INSURANCE].odds[0])
    return chance * pays - (1 - chance)


def _natural(game: BaseGame, node: int, up: int) -> float:
    """The chance that the hole card makes a natural, seen before any check."""
    left = game.counts - game.graph.taken[node]
    left[up] -= 1
    return float(left[game.tables.dealer.natural[up]].sum() / left.sum())


def _shown(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)
