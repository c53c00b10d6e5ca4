"""From a table and a policy to the machine that plays them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from upcard.round.exchange import NO_EXCHANGE
from upcard.round.kernel_types import (
    ALWAYS_INSURES,
    Bools,
    Carried,
    Chance,
    Codes,
    Counting,
    EarlyPlay,
    Glances,
    InsurancePlay,
    Kept,
    Machine,
    NoHole,
    OwnCards,
)
from upcard.round.policy import Moves
from upcard.round.setup import FRESH_CUT, FULL_SHOE, TableSetup
from upcard.round.walk import walk_of


def machine_of(table: TableSetup, moves: Moves, rounds: int = 0) -> Machine:
    """A table with the parts that it has; `rounds` are those that its other wagers look at."""
    rules = table.rules
    if table.cut is None:
        rules = rules._replace(deal_to=table.without_cards_that_go_away)
    kept = table.kept(rounds) if table.keeps else None
    return Machine(
        rules=rules,
        effects=table.effects,
        play=moves.play,
        stakes=table.stakes,
        here=table.here(),
        cut=table.cut,
        returns=table.returns() if table.may_run_out else None,
        early=moves.early,
        carried=table.carried(moves.light),
        counting=table.counting(moves.from_count, moves.then),
        chance=moves.chance,
        kept=kept,
        crowd=table.crowd,
        own=table.own_cards,
        walk=moves.walk,
        dealers=table.dealers_cards(kept) if kept and table.follows_dealer else None,
        thirds=table.third_cards(kept) if kept and table.follows_thirds else None,
        no_hole=table.no_hole,
        bonuses=table.bonus_ends() if table.tables.bonuses else None,
        shown_of=table.shown_of,
        exchange=moves.exchange,
    )


def swift(table: TableSetup, moves: Moves) -> Moves:
    """A policy for many rounds in a row.

    Nothing but a card or the end of the hand is said as plainly as it can be: the kernel looks up
    what any other move does. And where cards alone lead a hand, it walks.
    """
    play, walk = moves.play._replace(action=table.effects.plain[moves.play.action]), None
    others = (moves.early, moves.chance, table.carried(moves.light), table.own_cards, table.crowd)
    apart = (
        table.follows_thirds
        or table.tables.bonuses is not None
        or table.may_run_out
        or table.rules.first_up != 2
        or len(moves.from_count) > 0
    )
    if not apart and others == (None,) * len(others):
        walk = walk_of(table.rules, table.effects, play, table.stakes)
    return replace(moves, play=play, walk=walk)


def whole_machine(table: TableSetup, moves: Moves, kept: Kept, *, side_by_side: int = 1) -> Machine:
    """A table with all parts that any has but a count, if only as nothing.

    So one compiled kernel serves all games, where speed is worth less than starting at once.
    """
    nodes, players = moves.play.nodes, table.seats * side_by_side
    no_action = np.zeros(0, dtype=np.int8)
    no_lights = Carried(
        column=len(table.columns),  # the one behind all, which nobody reads
        next=np.zeros(0, dtype=np.int64),
        prize=np.zeros(0, dtype=np.int64),
        surplus_counts=False,
        light=moves.light,
        lit=np.zeros(players, dtype=np.int64),
        prized=_none(players),
    )
    return machine_of(table, moves)._replace(
        rules=table.rules,
        here=table.here(side_by_side),
        cut=table.cut or FRESH_CUT,
        returns=table.returns(side_by_side),
        early=moves.early or EarlyPlay(False, False, no_action, _none(nodes), _none(nodes)),
        insurance=table.insurance() or no_insurance(table),
        carried=table.carried(moves.light, side_by_side) or no_lights,
        kept=kept,
        walk=None,
        own=table.own_cards or OwnCards(players=False, dealers=False, looks=1),
        dealers=table.dealers_cards(kept),
        thirds=table.third_cards(kept, side_by_side),
        no_hole=table.no_hole or NoHole(False, False, 0, 0, _none(0), _none(0), _none(0)),
        bonuses=table.bonus_ends(side_by_side),
        shown_of=table.any_shown_of,
        exchange=moves.exchange or NO_EXCHANGE,
    )


def countable_machine(table: TableSetup, moves: Moves, rounds: int) -> Machine:
    """A table with all parts that any has, a count too; it plays the very rounds of `machine_of`.

    Cards are as wide as those that are counted, and a shoe that is full every round is dealt as
    such.
    """
    kept = table.kept(rounds)
    kept = kept._replace(cards=wide(kept.cards), drawn=wide(kept.drawn))
    found = whole_machine(table, moves, kept)
    returns, here, slots = found.returns, found.here, len(table.rules.deal_to)
    assert returns is not None
    nobody = Counting(
        running=np.zeros(1, dtype=np.uint64),
        glances=Glances(*(np.zeros(count, dtype=np.uint64) for count in (slots, slots, 1))),
        cards_a_deck=0,
        lowest=0,
        level_at=np.zeros(1, dtype=np.uint64),
        from_count=np.zeros(0, dtype=np.int8),
        then=np.zeros(0, dtype=np.int8),
    )
    counting = table.counting(moves.from_count, moves.then) or nobody
    no_mask = np.zeros(1, dtype=np.uint16)
    return found._replace(
        rules=machine_of(table, moves).rules,
        here=here._replace(cards=wide(here.cards)),
        cut=table.cut or FULL_SHOE,
        returns=returns._replace(held=wide(returns.held)),
        counting=counting._replace(glances=counting.glances or table.glances()),
        chance=moves.chance or Chance(no_mask, no_mask),
        crowd=table.crowd_of([0] * table.seats),
    )


def no_insurance(table: TableSetup) -> InsurancePlay:
    """Insurance that is never offered."""
    return InsurancePlay(
        offered=_none(len(table.tables.dealer.shown)),
        mask=0,
        takes=ALWAYS_INSURES,
        from_count=0,
        pays=np.zeros((1, 2), dtype=np.int64),
    )


def wide(codes: Codes) -> Codes:
    """Cards with room for what they weigh."""
    return codes.astype(np.uint64)


def _none(count: int) -> Bools:
    return np.zeros(count, dtype=np.bool_)
