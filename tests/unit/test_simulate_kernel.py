"""Random numbers and cards of the simulator: every order of the shoe as likely as any other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pytest

from conftest import Tables
from depth import deep
from upcard.compile.context import Action, Context
from upcard.jit import kernel
from upcard.round.count import NO_COUNT
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import AT, CODE_BITS, LEFT, STATE, STEP, WAITING, Ints, Kept, Words
from upcard.round.machines import machine_of, swift, whole_machine
from upcard.round.policy import MimicPlay, OpenPlay, Policy, by_state
from upcard.round.setup import TableSetup
from upcard.round.shoe import begin_stream, below
from upcard.simulate.count_file import load_count
from upcard.simulate.job import Job
from upcard.trial.bank_rounds import NOTHING_STACKED

FAR = 4.5
"""Standard errors; seeds are fixed, so a test either always passes or never."""
Cell = TypeVar("Cell", bound=Hashable)
SYMBOLS = (1 << CODE_BITS) - 1


class Dealing:
    """A table that is dealt round after round, with a look into the shoe after each."""

    def __init__(
        self, table: TableSetup, seed: int = 1, block: int = 0, policy: Policy | None = None
    ) -> None:
        self.table = table
        self.moves = by_state(table.tables, policy or MimicPlay(table.tables))
        self.shoe = table.shoe()
        self.out, self.machine = table.out(1), machine_of(table, self.moves, 1)
        begin_stream(self.shoe.now, np.uint64(seed), np.uint64(block))

    def round(self) -> None:
        play_rounds(self.machine, self.shoe, self.out, 1, None)

    def deals(self, rounds: int) -> Iterator[list[int]]:
        """The first cards of rounds from a full shoe, as codes."""
        first = len(self.table.rules.deal_to)
        for _ in range(rounds):
            self.round()
            yield self.shoe.deck[:first].tolist()


class GivesUp(MimicPlay):
    """Surrenders whatever it may, before the check too."""

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        gives_up = legal & Action.SURRENDER.bit
        return Action.SURRENDER if gives_up else super().act(state, context, up, legal)

    def early(self, state: int, up: int, legal: int) -> int:
        gives_up = legal & Action.SURRENDER.bit
        return Action.SURRENDER if gives_up else super().early(state, up, legal)


@pytest.mark.parametrize(
    ("game", "settings", "always"),
    [
        ("pure-spanish-21.5", {}, True),
        ("pure-spanish-21.5", {"surrender": "early"}, True),
        ("blackjack", {}, False),
    ],
)
def test_whether_a_dealer_finishes_a_hand_that_nothing_depends_on(
    tables: Tables, game: str, settings: dict[str, object], always: bool
) -> None:
    """SR-1 (PS-D14, PS-M7): the cards leave the shoe; the house's dealer leaves them there."""
    table = TableSetup(tables(game, **settings), 500, seats=2)
    dealing, dealer = Dealing(table, policy=GivesUp(table.tables)), table.tables.dealer
    # With every part, if only as nothing: this kernel is compiled already, for bankers.
    dealing.machine = whole_machine(table, dealing.moves, table.kept(1))._replace(
        insurance=None, stacked=NOTHING_STACKED
    )
    finished = 0
    for _ in range(300):
        dealing.round()
        deck = [int(code) & SYMBOLS for code in dealing.shoe.deck]
        state = dealer.after(deck[2], deck[5])
        used = 6
        while dealer.draws[state]:
            state = int(dealer.next[state, deck[used]])
            used += 1
        out = int(dealing.shoe.now[AT]) - 1
        assert out in ((used,) if always else (6, used))
        finished += out > 6
    assert (finished > 150) == always


def far(seen: Counter[Cell], expected: Mapping[Cell, float]) -> float:
    """How far the chi-square of counts is from what it should be, in its standard errors."""
    assert set(seen) <= set(expected)
    square = sum((seen[cell] - n) ** 2 / n for cell, n in expected.items())
    freedom = len(expected) - 1
    return (square - freedom) / math.sqrt(2 * freedom)


@pytest.fixture(scope="module")
def blackjack(tables: Tables) -> TableSetup:
    return TableSetup(tables("blackjack"), 500)


@pytest.fixture(scope="module")
def deals(blackjack: TableSetup) -> list[list[int]]:
    assert blackjack.cut is None, "six decks do not run out in a round"
    return list(Dealing(blackjack, seed=11).deals(40_000))


def test_every_card_comes_to_every_place(deals: list[list[int]]) -> None:
    for place in range(4):
        seen = Counter((deal[place] >> CODE_BITS,) for deal in deals)
        expected = {(number,): len(deals) / 52 for number in range(52)}
        assert abs(far(seen, expected)) < FAR, f"place {place}"


def test_two_cards_come_together_as_often_as_they_should(
    deals: list[list[int]], blackjack: TableSetup
) -> None:
    """Without replacement: the first card makes its like rarer."""
    alphabet = blackjack.tables.alphabet
    held = Counter(int(alphabet.of_card[card.number]) for card in alphabet.cards)
    cards = {symbol: 6 * n for symbol, n in held.items()}
    whole = sum(cards.values())
    expected = {
        (one, other): len(deals) * a * (b - (one == other)) / (whole * (whole - 1))
        for one, a in cards.items()
        for other, b in cards.items()
    }
    for first, second in ((0, 1), (0, 2), (1, 3), (2, 3)):
        seen = Counter((deal[first] & SYMBOLS, deal[second] & SYMBOLS) for deal in deals)
        assert abs(far(seen, expected)) < FAR, f"places {first} and {second}"


def test_rounds_one_after_the_other_are_independent(deals: list[list[int]]) -> None:
    cells = [(a, b) for a in range(52) for b in range(52)]
    seen = Counter((one[0] >> CODE_BITS, other[0] >> CODE_BITS) for one, other in pairwise(deals))
    assert abs(far(seen, dict.fromkeys(cells, (len(deals) - 1) / len(cells)))) < FAR


def test_blocks_and_seeds_are_independent(blackjack: TableSetup) -> None:
    """The first cards of the same rounds of neighbouring blocks, and of neighbouring seeds."""
    firsts = [
        [deal[0] & SYMBOLS for deal in Dealing(blackjack, seed, block).deals(6_000)]
        for seed, block in ((1, 0), (1, 1), (2, 0))
    ]
    counted = Counter(int(symbol) for symbol in blackjack.tables.alphabet.of_card)
    share = {symbol: n / 52 for symbol, n in counted.items()}
    expected = {(a, b): 6_000 * share[a] * share[b] for a in share for b in share}
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert firsts[one] != firsts[other]
        seen = Counter(zip(firsts[one], firsts[other], strict=True))
        assert abs(far(seen, expected)) < FAR


def test_a_shoe_deals_every_card_once(tables: Tables) -> None:
    """To the cut card and no further than a round; never a card twice."""
    table = TableSetup(tables("blackjack", decks=2), 500, fresh=False)
    cut, full = table.cut, table.shoe().deck[: table.shoe_size]
    assert cut is not None
    dealing = Dealing(table)
    shoes = Counter[int]()
    before, gone = full.copy(), 0
    for _ in range(20_000):
        dealing.round()
        # One card more lies ready, which nobody has seen.
        deck = dealing.shoe.deck[: table.shoe_size]
        dealt = int(dealing.shoe.now[AT]) - 1
        assert sorted(deck.tolist()) == sorted(full.tolist())
        if dealt > gone:
            # The cards of earlier rounds of this shoe stay where they are.
            np.testing.assert_array_equal(deck[:gone], before[:gone])
            assert gone <= cut.at, "a round began behind the cut card"
        else:
            assert gone > cut.at, "the shoe was shuffled before the cut card"
            shoes[int(deck[cut.burn] >> CODE_BITS)] += 1
        before, gone = deck.copy(), dealt
    expected = {(card,): sum(shoes.values()) / 52 for card in range(52)}
    assert sum(shoes.values()) > 1_000
    seen = Counter({(card,): n for card, n in shoes.items()})
    assert abs(far(seen, expected)) < FAR


def test_every_card_is_as_likely_in_the_middle_of_a_shoe_and_at_the_cut_card(
    tables: Tables,
) -> None:
    """The last two that come before a shuffle too."""
    table = TableSetup(tables("blackjack", decks=2), 500, fresh=False)
    cut = table.cut
    assert cut is not None
    dealing = Dealing(table)
    seen = Counter[tuple[int, int]]()
    gone, shoes = cut.at + 2, 0
    while shoes < 3_000:
        dealing.round()
        if int(dealing.shoe.now[AT]) < gone:
            shoes += 1
            for place in (cut.at // 2, cut.at, cut.at + 1):
                seen[place, int(dealing.shoe.deck[place] >> CODE_BITS)] += 1
        gone = int(dealing.shoe.now[AT])
    places = (cut.at // 2, cut.at, cut.at + 1)
    expected = {(place, card): shoes / 52 for place in places for card in range(52)}
    assert abs(far(seen, expected)) < FAR


class Motley(MimicPlay):
    """Takes one legal action here and another there, so that all of them are taken."""

    name = "motley"

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        actions = [action for action in Action if legal & action.bit]
        return actions[(5 * state + 3 * up + context.doubles) % len(actions)]


@pytest.mark.parametrize(
    ("game", "settings", "counted"),
    [
        ("blackjack", {"surrender": "late"}, False),
        pytest.param("blackjack", {"surrender": "late"}, True, marks=deep),
        pytest.param("blackjack-tie", {}, False, marks=deep),
    ],
)
def test_a_hand_that_walks_comes_to_what_one_comes_to_move_by_move(
    tables: Tables, game: str, settings: dict[str, object], counted: bool
) -> None:
    """The engine's rounds prove the kernel's turns; a walk is those, looked up beforehand."""
    rules, rounds = tables(game, **settings), 20_000
    count = load_count("hi-lo", rules) if counted else NO_COUNT
    table = TableSetup(rules, 500, fresh=not counted, count=count)
    moves = swift(table, by_state(rules, Motley(rules)))
    assert moves.walk is not None
    assert (moves.walk.begin == LEFT).any()  # pairs that are split
    found = []
    for walk in (moves.walk, None):
        machine, shoe, out = machine_of(table, moves, rounds), table.shoe(), table.out(rounds)
        begin_stream(shoe.now, np.uint64(5), np.uint64(0))
        play_rounds(machine._replace(walk=walk), shoe, out, rounds, None)
        kept = machine.kept or table.kept(0)
        found.append([shoe.now, shoe.deck[: shoe.size], *out, kept.hands, kept.cards])
        found[-1] += [_of_hands(kept, part) for part in (kept.final, kept.doubles, kept.claims)]
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(np.unique(found[0][2])) > 8  # doubled, split, surrendered


def _of_hands(kept: Kept, part: Ints) -> Ints:
    """Without the places that had no hand."""
    by_slot = part.reshape(-1, kept.most_hands)
    return np.where(np.arange(kept.most_hands) < kept.hands[:, None], by_slot, 0)


def test_a_hand_walks_only_where_cards_alone_lead_it(tables: Tables) -> None:
    rules = tables("blackjack")
    mimic = by_state(rules, MimicPlay(rules))
    plain, short = (
        TableSetup(rules, 500),
        TableSetup(tables("blackjack", decks=1), 500, fresh=False),
    )
    assert swift(plain, mimic).walk is not None
    assert short.may_run_out
    for table, moves in (
        (replace(plain, seats=2), mimic),
        (short, by_state(short.tables, MimicPlay(short.tables))),
        (plain, by_state(rules, OpenPlay())),
        (plain, replace(mimic, from_count=np.zeros(1, dtype=np.int8))),
    ):
        assert swift(table, moves).walk is None


@pytest.mark.parametrize("counted", [False, pytest.param(True, marks=deep)])
def test_a_shoe_that_cannot_run_out_is_dealt_as_one_that_could(
    tables: Tables, counted: bool
) -> None:
    """The engine's rounds prove the kernel with `Returns`; most shoes to a cut card have none."""
    rules = tables("blackjack")
    count = load_count("hi-lo", rules) if counted else NO_COUNT
    table = TableSetup(rules, 500, fresh=False, count=count)
    assert not table.may_run_out
    found = []
    for returns in (None, table.returns()):
        dealing = Dealing(table)
        machine = dealing.machine._replace(returns=returns)
        assert dealing.machine.returns is None
        out = table.out(20_000)
        assert play_rounds(machine, dealing.shoe, out, 20_000, None) == 0
        found.append((out, dealing.shoe))
    (out, shoe), (other, another) = found
    np.testing.assert_array_equal(shoe.now, another.now)
    np.testing.assert_array_equal(shoe.deck[: shoe.size], another.deck[: shoe.size])
    for name in ("net", "up", "result", "depth", "running"):
        np.testing.assert_array_equal(getattr(out, name), getattr(other, name))
    cut = table.cut
    assert cut is not None
    assert cut.at - 10 < out.depth.max() <= cut.at, "shoes are dealt to the cut card"
    assert out.running.any() == counted


def test_the_card_that_waits_is_the_next_one(tables: Tables) -> None:
    table = TableSetup(tables("blackjack", decks=2), 500, fresh=False)
    dealing = Dealing(table)
    dealing.round()  # before the first one no card waits
    followed = 0
    for _ in range(500):
        waiting, at = int(dealing.shoe.now[WAITING]), int(dealing.shoe.now[AT])
        dealing.round()
        if int(dealing.shoe.now[AT]) > at:
            first = dealing.machine.here.cards[dealing.table.rules.deal_to[0]]
            assert int(first) == waiting
            followed += 1
    assert followed > 300


# ------------------------------------------------------------------------------------------ streams


def test_streams_differ() -> None:
    now: Words = np.zeros(5, dtype=np.uint64)
    seen = set()
    for seed in (0, 1, 2, 2**63, 2**64 - 1):
        for block in range(400):
            begin_stream(now, np.uint64(seed), np.uint64(block))
            assert int(now[STEP]) % 2 == 1
            turns = int(now[STEP]) ^ (int(now[STEP]) >> 1)
            assert turns.bit_count() >= 24, "too few changes between bits mix badly"
            seen.add((int(now[STATE]), int(now[STEP])))
    assert len(seen) == 5 * 400


@kernel
def _drawn(now: Words, size: np.uint64, found: Ints) -> None:
    state = now[STATE]
    for number in range(len(found)):
        state, chosen = below(state, now[STEP], size)
        found[number] = np.int64(chosen)


@pytest.mark.parametrize("size", [1, 2, 3, 52, 312, 3 * 2**30])
def test_numbers_below_a_size(size: int) -> None:
    """Also for a size that leaves a third of the 2^32 numbers over."""
    now: Words = np.zeros(5, dtype=np.uint64)
    begin_stream(now, np.uint64(3), np.uint64(size))
    found = np.zeros(60_000, dtype=np.int64)
    _drawn(now, np.uint64(size), found)
    assert 0 <= found.min() <= found.max() < size
    parts = min(size, 312)
    seen = Counter((int(part),) for part in found * parts // size)
    if size > 1:
        expected = {(part,): len(found) / parts for part in range(parts)}
        assert abs(far(seen, expected)) < FAR


def test_a_block_is_the_same_wherever_it_is_played(blackjack: TableSetup) -> None:
    job = Job(blackjack, by_state(blackjack.tables, MimicPlay(blackjack.tables)), seed=4)
    parts = [job.play(number, 1, job.block_rounds) for number in range(3)]
    whole = job.play(0, 3, job.block_rounds)
    assert parts[0] + parts[1] + parts[2] == whole
    assert len({str(part.to_data()) for part in parts}) == 3
    again = Job(job.table, job.moves, seed=5).play(0, 3, job.block_rounds)
    assert again != whole
    assert Job(job.table, job.moves, seed=4 + 2**64).play(0, 3, job.block_rounds) == whole
