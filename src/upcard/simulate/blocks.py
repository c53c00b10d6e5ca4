"""Blocks of rounds: each from its own stream of random numbers, added up in whole numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from upcard.jit import inlined, kernel, part, stage, within
from upcard.round.count_kernel import true_count
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import (
    END,
    STATE,
    STEP,
    BankTerms,
    Bools,
    Carried,
    Codes,
    Counting,
    Cut,
    InsurancePlay,
    Ints,
    Kept,
    Machine,
    MachineShoe,
    Out,
    RoundRules,
    Sides,
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
ONE, CELL = np.uint64(1), np.uint64(4)
LANES = np.uint64(4)
"""Sums are kept by turns in so many lanes, so that one need not wait for another."""

some_rounds = within(play_rounds)


class Sums(NamedTuple):
    """What blocks add up to, in units of money.

    A column more than there are stands for everything that is staked. By block: `total[block,
    column]`, `made[block, level, column]`, the wagers made, and `bank_total[block]`.
    `cross[block, one, other]` are sums of products. `results` counts results of a seat's round from
    `lowest` on, in steps of two to the power `shift`. `depth_results[place, result, lane]` and
    `count_results` count those of the base wager by place, and are empty where that is not enough
    to know its sums by place; `results` is empty where it would be the same once more. `table` is
    all seats together and `bank` what the bank won, as number, sum and squares; `by_depth` and
    `by_count` have those by column, and what was staked; `depth_of[cards gone]` is the part of the
    shoe. Some are sums by turns.
    """

    total: Ints
    made: Ints
    bank_total: Ints
    cross: Ints
    wins: Ints
    results: Ints
    depth_results: Ints
    count_results: Ints
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

    Without any there are 0 `rounds`: they are looked at between chunks, so one kernel serves both.
    They follow the first seat, or the bank. `path[session, point]` is what they have after each
    part of the session; `ended[session]` the round in which they were ruined, 0 if they were not.
    `in_kind` is the column of prizes that are no money, which nobody wagers, -1 without any.
    """

    rounds: int
    bankroll: int
    least: int
    follows_bank: bool
    in_kind: int
    path: Ints
    ended: Ints


@part
def add_up(
    out: Out, rounds: int, seats: int, block: int, insured: int, staked: Bools, sums: Sums
) -> None:
    """Add some rounds to the sums; the last column becomes what is staked together."""
    net, slots = out.net, rounds * seats
    columns = len(net) - 1
    alone = True
    for column in range(1, columns):
        alone = alone and not staked[column]
    # With nothing but the base wager staked, the last column would be the first.
    last = 0 if alone else columns
    if not alone:
        net[columns, :slots] = 0
        for column in range(columns):
            if staked[column]:
                for slot in range(slots):
                    net[columns, slot] += net[column, slot]
    for one in range(columns if alone else columns + 1):
        if one == 1 and len(out.insured) > 0:
            add_insured(out, insured, block, sums)
            continue
        for other in range(one + 1):
            product = 0
            if other == 1 and len(out.insured) > 0:
                for number in range(insured):
                    slot = out.insured_at[number]
                    product += net[one, slot] * net[1, slot]
            else:
                for slot in range(slots):
                    product += net[one, slot] * net[other, slot]
            sums.cross[block, one, other] += product
        whole, won = 0, 0
        for slot in range(slots):
            whole += net[one, slot]
            won += net[one, slot] > 0
        sums.total[block, one] += whole
        sums.wins[one] += won
        if one == last:
            if sums.results.size > 0:
                count_together(net[last], slots, sums)
            # The last product is that with itself.
            add_table(net[last], rounds, seats, whole, product, sums)
            if alone:
                sums.total[block, columns] += whole
                sums.wins[columns] += won
    if alone:
        net[columns, :slots] = net[0, :slots]


@part
def add_insured(out: Out, insured: int, block: int, sums: Sums) -> None:
    """Add insurance, of which there is little."""
    net = out.net
    with_base, squares, whole, won = 0, 0, 0, 0
    for number in range(insured):
        slot = out.insured_at[number]
        result = net[1, slot]
        with_base += result * net[0, slot]
        squares += result * result
        whole += result
        won += result > 0
    sums.cross[block, 1, 0] += with_base
    sums.cross[block, 1, 1] += squares
    sums.total[block, 1] += whole
    sums.wins[1] += won


@part
def count_together(together: Ints, slots: int, sums: Sums) -> None:
    """Count how often each result came of everything that a seat has staked."""
    results, lowest, shift = sums.results, sums.lowest, sums.shift
    for slot in range(np.uint64(slots)):
        results[slot % LANES, np.uint64((together[slot] - lowest) >> shift)] += 1


@part
def add_table(
    together: Ints, rounds: int, seats: int, whole: int, squares: int, sums: Sums
) -> None:
    """Add everything that seats have staked to the table's sums."""
    sums.table[N] += rounds
    sums.table[SUM] += whole
    if seats > 1:
        squares = 0
        for number in range(rounds):
            won = 0
            for seat in range(seats):
                won += together[number * seats + seat]
            squares += won * won
    sums.table[SQUARES] += squares


@part
def count_results(place: Ints, won: Ints, slots: int, lowest: int, results: Ints) -> None:
    """Count how often each result came, by the place of each round of a seat."""
    cells, bins = results.reshape(-1), np.uint64(results.shape[1])
    for slot in range(np.uint64(slots)):
        cell = np.uint64(place[slot]) * bins + np.uint64(won[slot] - lowest)
        cells[cell * LANES + slot % LANES] += 1


@part
def add_by(
    place: Ints,
    out: Out,
    slots: int,
    insured: int,
    amount: Ints,
    prizes: int,
    lowest: int,
    results: Ints,
    by: Ints,
) -> None:
    """Add rounds of seats to sums by the place of each of them.

    The first so many of `out.insured_at` were insured. Prizes are the base wager's.
    """
    net, level, cells, amounts = out.net, out.level, by.reshape(-1), amount.reshape(-1)
    columns, places = np.uint64(by.shape[0]), np.uint64(by.shape[1])
    for column in range(columns):
        first = column * places
        if column == ONE and len(out.insured) > 0:
            for number in range(insured):
                taken = np.uint64(out.insured_at[number])
                cell = (first + np.uint64(place[taken])) * LANES
                staked = amounts[np.uint64(level[taken]) * columns + column]
                add_to(cells, cell, net[column, taken], staked)
        elif column == np.uint64(0) and results.size > 0:
            count_results(place, net[0], slots, lowest, results)
        elif column == np.uint64(0) and prizes >= 0:
            for slot in range(np.uint64(slots)):
                cell = (first + np.uint64(place[slot])) * LANES + slot % LANES
                staked = amounts[np.uint64(level[slot]) * columns + column]
                add_to(cells, cell, net[column, slot] + net[np.uint64(prizes), slot], staked)
        else:
            for slot in range(np.uint64(slots)):
                cell = (first + np.uint64(place[slot])) * LANES + slot % LANES
                staked = amounts[np.uint64(level[slot]) * columns + column]
                add_to(cells, cell, net[column, slot], staked)


@inlined
def add_to(cells: Ints, cell: np.uint64, won: int, staked: int) -> None:
    """One more result for a number, a sum, squares, and what was staked."""
    at = cell * CELL
    cells[at] += 1
    cells[at + np.uint64(SUM)] += won
    cells[at + np.uint64(SQUARES)] += won * won
    cells[at + np.uint64(STAKED)] += staked


@part
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
                if sessions.in_kind >= 0:
                    has -= out.net[sessions.in_kind, one * seats]
            if has < sessions.least:
                sessions.ended[number] = played
        reached = played * points // sessions.rounds
        for point in range((played - 1) * points // sessions.rounds, reached):
            sessions.path[number, point] = has
    return has


class Wagers(NamedTuple):
    """All wagers but the base, what every column's is by level, and which ones are staked.

    `insurance` is settled wherever it was taken: where the machine decides, or always.
    """

    staked: Bools
    amount: Ints
    sides: Sides | None
    bank: BankTerms | None
    insurance: InsurancePlay | None


class BlockTask(NamedTuple):
    """Blocks of a seed, the last of them with so many rounds; `fresh` is a shoe in order."""

    seed: np.uint64
    first: int
    blocks: int
    block_rounds: int
    last: int
    fresh: Codes


@part
def begin_block(
    seats: int,
    carried: Carried | None,
    counting: Counting | None,
    shoe: MachineShoe,
    task: BlockTask,
    block: int,
) -> None:
    """A stream of its own, a full shoe, no count."""
    begin_stream(shoe.now, task.seed, np.uint64(task.first + block))
    shoe.deck[: shoe.size] = task.fresh
    shoe.now[END] = np.uint64(0)
    if carried is not None:
        # In the long run every number of lights is as likely as any other, or nearly so.
        for seat in range(seats if len(carried.next) > 0 else 0):
            state, chosen = below(shoe.now[STATE], shoe.now[STEP], np.uint64(len(carried.next)))
            shoe.now[STATE] = state
            carried.lit[seat] = np.int64(chosen)
    if counting is not None:
        counting.running[0] = np.uint64(0)


@part
def begin_session(carried: Carried | None, shoe: MachineShoe) -> None:
    """Who comes finds a full shoe and no lights."""
    shoe.now[END] = np.uint64(0)
    if carried is not None:
        carried.lit[:] = 0


@part
def settle_others(
    rules: RoundRules,
    kept: Kept | None,
    decided: InsurancePlay | None,
    sides: Sides | None,
    bank: BankTerms | None,
    insurance: InsurancePlay | None,
    out: Out,
    rounds: int,
) -> int:
    """Settle every wager but the base; how many were insured."""
    seats, natural, taken = rules.seats, rules.natural_class, 0
    if sides is not None:
        if kept is not None:
            settle_sides(sides, kept, out.up, out.result, out.level, out.net, seats)
    if insurance is not None:
        if len(out.insured) > 0:
            taken = settle_insurance(insurance, out, rounds, seats, natural, decided is None)
    if bank is not None:
        if kept is not None:
            settle_bank(bank, kept, out, seats, natural)
    return taken


@part
def add_by_count(
    counting: Counting | None,
    shoe: MachineShoe,
    out: Out,
    slots: int,
    insured: int,
    amount: Ints,
    prizes: int,
    sums: Sums,
) -> None:
    """Add rounds to the sums by true count."""
    if counting is not None:
        counts, size = out.running, np.uint64(shoe.size)
        place_counts(counting, size, counts, out.depth, np.uint64(slots))
        add_by(
            counts,
            out,
            slots,
            insured,
            amount,
            prizes,
            sums.lowest,
            sums.count_results,
            sums.by_count,
        )


@stage
def place_counts(
    counting: Counting, size: np.uint64, counts: Ints, depth: Ints, slots: np.uint64
) -> None:
    """The place among the true counts of every running count."""
    for slot in range(slots):
        count = true_count(counting, size, counts[slot], np.uint64(depth[slot]))
        counts[slot] = max(-FURTHEST, min(FURTHEST, count)) + FURTHEST


@part
def add_by_depth(
    cut: Cut | None,
    out: Out,
    slots: int,
    insured: int,
    amount: Ints,
    prizes: int,
    sums: Sums,
) -> None:
    """Add rounds to the sums by how much of the shoe was gone, if it lasts."""
    if cut is not None:
        if cut.at > 0:
            for slot in range(np.uint64(slots)):
                out.depth[slot] = sums.depth_of[np.uint64(out.depth[slot])]
            add_by(
                out.depth,
                out,
                slots,
                insured,
                amount,
                prizes,
                sums.lowest,
                sums.depth_results,
                sums.by_depth,
            )


@part
def count_wagers(
    insurance: InsurancePlay | None,
    out: Out,
    slots: int,
    insured: int,
    made: Ints,
) -> None:
    """Add the wagers that were made, by level; insurance only where it was taken."""
    for one in range(len(made)):
        count = slots
        if len(made) > 1:
            count = 0
            for slot in range(slots):
                count += out.level[slot] == one
        made[one] += count
        if insurance is not None:
            if len(out.insured) > 0:
                made[one, 1] -= count
    if insurance is not None:
        for number in range(insured):
            made[out.level[out.insured_at[number]], 1] += 1


@part
def add_bank(bank: BankTerms | None, out: Out, rounds: int, block: int, sums: Sums) -> None:
    """Add what a player's bank won."""
    if bank is not None:
        sums.bank[N] += rounds
        for number in range(rounds):
            won = out.bank[number]
            sums.bank[SUM] += won
            sums.bank[SQUARES] += won * won
            sums.bank_total[block] += won


@kernel
def play_blocks(
    machine: Machine,
    shoe: MachineShoe,
    out: Out,
    wagers: Wagers,
    sums: Sums,
    task: BlockTask,
    sessions: Sessions,
) -> None:
    """Play blocks, the last of which may be shorter, and add them up."""
    m, seats = machine, machine.rules.seats
    prizes = prize_column(m.carried, wagers.sides)
    for block in range(task.blocks):
        begin_block(seats, m.carried, m.counting, shoe, task, block)
        left = task.block_rounds if block + 1 < task.blocks else task.last
        session = block * (task.block_rounds // sessions.rounds) if sessions.rounds > 0 else 0
        done = 0
        has = sessions.bankroll
        while left > 0:
            rounds = min(len(out.up), left)
            if sessions.rounds > 0:
                rounds = min(rounds, sessions.rounds - done)
                if done == 0:
                    has = sessions.bankroll
                    begin_session(m.carried, shoe)
            slots = rounds * seats
            sums.void[0] += some_rounds(m, shoe, out, rounds, None)
            insured = settle_others(
                m.rules,
                m.kept,
                m.insurance,
                wagers.sides,
                wagers.bank,
                wagers.insurance,
                out,
                rounds,
            )
            add_up(out, rounds, seats, block, insured, wagers.staked, sums)
            count_wagers(wagers.insurance, out, slots, insured, sums.made[block])
            add_by_count(m.counting, shoe, out, slots, insured, wagers.amount, prizes, sums)
            add_by_depth(m.cut, out, slots, insured, wagers.amount, prizes, sums)
            add_bank(wagers.bank, out, rounds, block, sums)
            if sessions.rounds > 0:
                has = follow(sessions, out, rounds, seats, session, done, has)
                done += rounds
                if done == sessions.rounds:
                    done = 0
                    session += 1
            left -= rounds


@part
def prize_column(carried: Carried | None, sides: Sides | None) -> int:
    """The column of prizes, -1 without any."""
    column = -1
    if sides is not None:
        column = sides.prizes
    if carried is not None:
        if len(carried.next) > 0:
            column = carried.column
    return column
