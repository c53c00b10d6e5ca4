"""What every action is worth for one hand of a split, with all cards that lie there known.

Cards that nobody has seen are exchangeable: whatever the other hands still draw, by whatever play,
leaves this hand and the dealer the same chances. So one hand of a split can be priced by itself,
with the other hands' cards out of the shoe. Only a further split is no matter of one hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from upcard.cards import Card
from upcard.compile.bets import wagers_of
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.compile.typed_cards import check_in_shoe
from upcard.errors import UpcardError
from upcard.solve.advice import Advice
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import lights_aim
from upcard.solve.play import NEVER
from upcard.solve.solution import BASE, Ints


def advise_split(
    tables: GameTables,
    cards: Sequence[Card],
    up: Card,
    *,
    others: Sequence[Card],
    context: int,
    is_first: bool,
    removed: Sequence[Card] = (),
    ratios: Mapping[str, float] | None = None,
    bet: int | None = None,
) -> Advice:
    """Price every action of a hand of a split but a further split.

    `others` are the cards of the box's other hands, `context` is the hand's own; wagers that ride
    on the first hand of a box count for that one.
    """
    bet = wagers_of(tables, bet, ratios)[BASE]
    check_in_shoe(tables, (*cards, up, *others, *removed))
    symbol = tables.alphabet.symbol
    pair, *drawn = map(symbol, cards)
    gone = [symbol(card) for card in (*others, *removed)]
    if pair not in gone or any(one.marked for one in tables.alphabet.symbols):
        raise UpcardError(f"hands of a split are not priced one by one in {tables.name}")
    gone.remove(pair)  # the solver's graph of a split has both cards of the pair out of the shoe
    game = BaseGame(tables, removed=gone)
    plan = next(plan for plan in game.pairs if plan.pair == pair)
    node = 0
    for one in drawn:
        node = int(plan.graph.child[node, one])
    assert node >= 0, "a hand that is asked has not ended"
    here = tables.contexts.contexts[context]
    chain = tables.contexts.doubled(tables.contexts.index(here.phase, here.origin, here.hands))
    extra = {wager: ratio for wager, ratio in (ratios or {}).items() if wager in tables.payoffs}
    aim = replace(lights_aim(game, bet), extra=extra)
    roles = game.pay(aim)
    pay = (roles.first if is_first else roles.other)[: len(chain)]
    top = symbol(up)
    played = game.backward(plan.graph, plan.shoe_of[0, 0], chain, top, pay, aim)
    worth = played.worth[here.doubles, node]
    values = {action: float(worth[action]) for action in Action if worth[action] != NEVER}
    taken = plan.graph.taken[node] + plan.taken
    return Advice(
        tables=tables,
        cards=tuple(cards),
        up=up,
        actions=dict(sorted(values.items(), key=lambda item: (-item[1], item[0]))),
        before_check=False,
        natural=natural_chance(game, taken, top) if tables.dealer.checks[top] else 0.0,
        insurance=None,
        mode="none",
        bet=bet,
        doubles=here.doubles,
        ratios=ratios or {},
        light=aim.lights[0],
        removed=(*others, *removed),
    )


def natural_chance(game: BaseGame, taken: Ints, up: int) -> float:
    """The chance that the hole card makes a natural, seen before any check; `taken` are gone."""
    left = game.counts - taken
    left[up] -= 1
    return float(left[game.tables.dealer.natural[up]].sum() / left.sum())
