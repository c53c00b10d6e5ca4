"""Blocks of rounds: each from its own stream of random numbers, added up in whole numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from upcard.jit import kernel
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import (
    END,
    HIDDEN,
    RUNNING,
    STATE,
    STEP,
    BankTerms,
    Bools,
    Carried,
    Chance,
    Codes,
    Counting,
    Crowd,
    Cut,
    EarlyPlay,
    EffectFlags,
    Here,
    InsurancePlay,
    Ints,
    Kept,
    MachineShoe,
    Out,
    OwnCards,
    Play,
    RoundRules,
    Sides,
    Stakes,
)
from upcard.round.settle import settle_bank, settle_insurance, settle_sides
from upcard.round.shoe import begin_stream, below

CHUNK = 2048
CHUNK_WITH_CARDS = 512
"""Rounds whose results are kept before they are added up, without and with their cards: as many as
a core has at hand, and enough to make up for calling the kernel."""

DEPTHS = 20
"""Parts of a shoe by how much of it is gone."""
FURTHEST = 15
"""True counts from here on, up or down, are taken together."""
COUNTS = 2 * FURTHEST + 1
N, SUM, SQUARES, STAKED = range(4)


class Sums(NamedTuple):
    """What blocks add up to, in units of money.

    A column more than there are stands for everything that is staked. By block: `total[block,
    column]`, `made[block, level, column]`, the wagers made, and `bank_total[block]`.
    `cross[block, one, other]` are sums of products. `results` counts results of a seat's round from
    `lowest` on, in steps of two to the power `shift`. `table` is all seats together and `bank` what
    the bank won, as number, sum and squares; `by_depth` and `by_count` have those by column, and
    what was staked; `depth_of[cards gone]` is the part of the shoe.
    """

    total: Ints
    made: Ints
    bank_total: Ints
    cross: Ints
    wins: Ints
    results: Ints
    lowest: int
    shift: int
    table: Ints
    bank: Ints
    by_depth: Ints
    by_count: Ints
    depth_of: Ints
    void: Ints


class Sessions(NamedTuple):
    """Players who come with some money and leave after some rounds, or when it is gone.

    They follow the first seat, or the bank. `path[session, point]` is what they have after each
    part of the session; `ended[session]` the round in which they were ruined, 0 if they were not.
    """

    rounds: int
    bankroll: int
    least: int
    follows_bank: bool
    path: Ints
    ended: Ints


@kernel
def add_up(net: Ints, rounds: int, seats: int, block: int, staked: Bools, sums: Sums) -> None:
    """Add some rounds to the sums; the last column becomes what is staked together."""
    columns = len(net) - 1
    slots = rounds * seats
    cross, wins, total = sums.cross, sums.wins, sums.total
    alone = True
    for column in range(1, columns):
        alone = alone and not staked[column]
    # With nothing but the base wager staked, the last column would be the first.
    last = 0 if alone else columns
    if not alone:
        for slot in range(slots):
            net[columns, slot] = 0
        for column in range(columns):
            if staked[column]:
                for slot in range(slots):
                    net[columns, slot] += net[column, slot]
    summed, squared = 0, 0
    for one in range(columns if alone else columns + 1):
        for other in range(one + 1):
            product = 0
            for slot in range(slots):
                product += net[one, slot] * net[other, slot]
            cross[block, one, other] += product
        if one == last:
            squared = product  # the last product is that with itself
        whole = 0
        won = 0
        for slot in range(slots):
            whole += net[one, slot]
            won += net[one, slot] > 0
        total[block, one] += whole
        if one == last:
            summed = whole
        wins[one] += won
        if alone and one == 0:
            total[block, columns] += whole
            wins[columns] += won
    results, lowest, shift = sums.results, sums.lowest, sums.shift
    # Two counts by turns: one need not wait for the other to be written.
    for slot in range(slots):
        results[slot & 1, (net[last, slot] - lowest) >> shift] += 1
    table = sums.table
    table[N] += rounds
    table[SUM] += summed
    if seats == 1:
        table[SQUARES] += squared
    else:
        squares = 0
        for number in range(rounds):
            together = 0
            for seat in range(seats):
                together += net[last, number * seats + seat]
            squares += together * together
        table[SQUARES] += squares
    if alone:
        for slot in range(slots):
            net[columns, slot] = net[0, slot]


@kernel
def add_by(
    place: Ints, out: Out, rounds: int, seats: int, amount: Ints, prizes: int, by: Ints
) -> None:
    """Add rounds to sums by the place of each of them; insurance only where there was some.

    Prizes are the base wager's.
    """
    net, insured, level = out.net, out.insured, out.level
    columns = len(net) - 1
    has_insurance = len(insured) > 0
    for column in range(columns):
        only_insured = has_insurance and column == 1
        with_prizes = column == 0 and prizes >= 0
        for number in range(rounds):
            # Always written down at once: places change too often to be guessed.
            here = np.uint64(place[number])
            for slot in range(number * seats, (number + 1) * seats):
                if only_insured and not insured[slot]:
                    continue
                won = net[column, slot]
                if with_prizes:
                    won += net[prizes, slot]
                by[here, column, N] += 1
                by[here, column, STAKED] += amount[level[slot], column]
                by[here, column, SUM] += won
                by[here, column, SQUARES] += won * won


@kernel
def count_wagers(out: Out, rounds: int, seats: int, insured: bool, made: Ints) -> None:
    """Add the wagers that were made, by level; insurance only where it was taken."""
    level, taken = out.level, out.insured
    levels, columns = made.shape
    for one in range(levels):
        count, uninsured = 0, 0
        for slot in range(rounds * seats):
            count += level[slot] == one
        if insured:
            for slot in range(rounds * seats):
                uninsured += (level[slot] == one) & (not taken[slot])
        for column in range(columns):
            made[one, column] += count
        if insured:
            made[one, 1] -= uninsured


@kernel
def follow(
    sessions: Sessions, out: Out, rounds: int, seats: int, number: int, done: int, has: int
) -> int:
    """Go on with a session for some rounds; what the player has then."""
    columns = len(out.net) - 1
    points = sessions.path.shape[1]
    for one in range(rounds):
        played = done + one + 1
        if sessions.ended[number] == 0:
            if sessions.follows_bank:
                has += out.bank[one]
            else:
                has += out.net[columns, one * seats]
            if has < sessions.least:
                sessions.ended[number] = played
        reached = played * points // sessions.rounds
        for point in range((played - 1) * points // sessions.rounds, reached):
            sessions.path[number, point] = has
    return has


@kernel
def play_blocks(
    rules: RoundRules,
    effects: EffectFlags,
    play: Play,
    shoe: MachineShoe,
    fresh: Codes,
    stakes: Stakes,
    here: Here,
    out: Out,
    staked: Bools,
    amount: Ints,
    sums: Sums,
    seed: np.uint64,
    first: int,
    blocks: int,
    block_rounds: int,
    last: int,
    cut: Cut | None,
    early: EarlyPlay | None,
    insurance: InsurancePlay | None,
    decided: InsurancePlay | None,
    carried: Carried | None,
    counting: Counting | None,
    chance: Chance | None,
    kept: Kept | None,
    crowd: Crowd | None,
    own: OwnCards | None,
    sides: Sides | None,
    bank: BankTerms | None,
    sessions: Sessions | None,
) -> None:
    """Play blocks, the last of which may be shorter, and add them up.

    `decided` is insurance that is taken here and not there.
    """
    seats = rules.seats
    prizes = -1
    if carried is not None:
        prizes = carried.column
    for block in range(blocks):
        begin_stream(shoe.now, seed, np.uint64(first + block))
        shoe.deck[: shoe.size] = fresh
        shoe.now[END] = np.uint64(0)
        if carried is not None:
            # In the long run every number of lights is as likely as any other, or nearly so.
            for seat in range(seats):
                state, chosen = below(shoe.now[STATE], shoe.now[STEP], np.uint64(len(carried.next)))
                shoe.now[STATE] = state
                carried.lit[seat] = np.int64(chosen)
        if counting is not None:
            counting.running[RUNNING] = 0
            counting.running[HIDDEN] = 0
        left = block_rounds if block + 1 < blocks else last
        session = block * (block_rounds // sessions.rounds) if sessions is not None else 0
        done = 0
        has = sessions.bankroll if sessions is not None else 0
        while left > 0:
            rounds = min(len(out.up), left)
            if sessions is not None:
                rounds = min(rounds, sessions.rounds - done)
                if done == 0:
                    has = sessions.bankroll
                    shoe.now[END] = np.uint64(0)
                    if carried is not None:
                        carried.lit[:] = 0
            sums.void[0] += play_rounds(
                rules,
                effects,
                play,
                shoe,
                stakes,
                here,
                out,
                rounds,
                cut,
                early,
                decided,
                carried,
                counting,
                chance,
                kept,
                crowd,
                own,
                None,
                None,
            )
            if sides is not None and kept is not None:
                settle_sides(sides, kept, out.result, out.level, out.net, seats)
            if insurance is not None:
                taken = settle_insurance(
                    insurance, out, rounds, seats, rules.natural_class, decided is None
                )
            if bank is not None and kept is not None:
                settle_bank(bank, kept, out, seats, rules.natural_class)
            add_up(out.net, rounds, seats, block, staked, sums)
            if counting is None:
                sums.made[block, 0] += rounds * seats
                if insurance is not None:
                    sums.made[block, 0, 1] += taken - rounds * seats
            else:
                count_wagers(out, rounds, seats, insurance is not None, sums.made[block])
                for number in range(rounds):
                    out.true_count[number] = (
                        max(-FURTHEST, min(FURTHEST, out.true_count[number])) + FURTHEST
                    )
                add_by(out.true_count, out, rounds, seats, amount, prizes, sums.by_count)
            if cut is not None:
                if cut.at > 0:
                    for number in range(rounds):
                        out.depth[number] = sums.depth_of[out.depth[number]]
                    add_by(out.depth, out, rounds, seats, amount, prizes, sums.by_depth)
            if bank is not None:
                sums.bank[N] += rounds
                for number in range(rounds):
                    won = out.bank[number]
                    sums.bank[SUM] += won
                    sums.bank[SQUARES] += won * won
                    sums.bank_total[block] += won
            if sessions is not None:
                has = follow(sessions, out, rounds, seats, session, done, has)
                done += rounds
                if done == sessions.rounds:
                    done = 0
                    session += 1
            left -= rounds
