"""Counts: shipped and from files, departures from the play, and what a count is worth."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from conftest import compiled
from upcard import GameTables
from upcard.cards import DECK, Card
from upcard.compile.context import Action, Origin
from upcard.compile.hands import NONE
from upcard.errors import UpcardError
from upcard.round.count import LOWEST, Count, Departure, Level
from upcard.round.kernel_types import NO_INDEX, Bytes
from upcard.round.policy import ChartPlay, ChartSpot, MimicPlay, Moves, OpenPlay, by_state
from upcard.round.setup import TableSetup
from upcard.simulate.count_file import SHIPPED, check_ramp, load_count, with_departures
from upcard.simulate.figures import Figures
from upcard.simulate.job import Job

BLACKJACK = "blackjack"
SPANISH = "pure-spanish-21.5"
CHANCE = "games-of-chance-blackjack"
FILE = """
name = "mine"
divide = "decks"
insurance = 3
[weights]
2 = 0.5
T = -1
Tc = -1.25
[ramp]
-1 = 1
1 = 2
4 = 8.5
[[departures]]
hand = "16"
up = "T"
from = 0
action = "stand"
[[departures]]
hand = "12"
up = "4"
below = -1
cards = 2
instead = "stand"
action = "hit"
"""


TABLES = compiled(BLACKJACK)


def plain(state: int, up: int) -> tuple[Action, ...]:
    """Aces and eights split, ten and eleven double; stand on 17, on 12 against a small card."""
    hands, symbols = TABLES.hands, TABLES.alphabet.symbols
    total, pair = int(hands.total[state]), int(hands.pair_symbol[state])
    found = [Action.SPLIT] if pair != NONE and symbols[pair].name in "A8" else []
    if total in (20, 22) and not hands.soft[state]:
        found.append(Action.DOUBLE)
    small = symbols[up].low < 14 and not symbols[up].is_ace
    enough = 36 if hands.soft[state] else 24 if small else 34
    return (*found, *((Action.HIT,) if total < enough else ()), Action.STAND)


@cache
def moves() -> Moves:
    """A simple play that is fast to make: no solution, and no file."""
    states, ups = range(len(TABLES.hands)), range(len(TABLES.alphabet))
    chart = {ChartSpot(state, 0, up): plain(state, up) for state in states for up in ups}
    return by_state(TABLES, ChartPlay("plain", chart, {}))


def written(folder: Path, text: str) -> str:
    file = folder / "count.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def refused(folder: Path, text: str, tables: GameTables = TABLES, bet: int | None = None) -> str:
    with pytest.raises(UpcardError) as error:
        load_count(written(folder, text), tables, bet)
    assert "\n" not in str(error.value)
    return str(error.value).replace(str(folder / "count.toml"), "count.toml")


# ------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_counts_are_balanced_where_they_are_divided(name: str) -> None:
    count = load_count(name, TABLES)
    assert count.name == name
    assert count.ramp == (Level(LOWEST, Fraction(1)),)
    whole = sum(count.weight(card) for card in DECK)
    assert whole == (0 if count.divides else 400)


def test_a_file_says_everything_about_a_count(tmp_path: Path) -> None:
    count = load_count(written(tmp_path, FILE), TABLES, 1000)
    assert (count.name, count.divides, count.insures_from) == ("mine", True, 3)
    cards = ("2h", "Td", "Tc", "9s")
    assert [count.weight(Card.parse(card)) for card in cards] == [50, -100, -125, 0]
    assert count.ramp == (
        Level(LOWEST, Fraction(1)),
        Level(-1, Fraction(1)),
        Level(1, Fraction(2)),
        Level(4, Fraction(17, 2)),
    )
    assert count.departures == (
        Departure("16", "T", 0, "stand"),
        Departure("12", "4", -1, "hit", below=True, cards=2, instead="stand"),
    )


def test_counts_that_differ_in_anything_have_different_identities(tmp_path: Path) -> None:
    changes = [
        ('"mine"', '"other"'),
        ('"decks"', '"nothing"'),
        ("insurance = 3", ""),
        ("0.5", "0.51"),
        ("1 = 2\n", "1 = 3\n"),
        ("from = 0", "from = 1"),
        ("below = -1", "from = -1"),
        ("cards = 2", "cards = 3"),
        ('instead = "stand"', ""),
    ]
    texts = [FILE, *(FILE.replace(*change) for change in changes)]
    assert len(set(texts)) == len(texts)
    found = {tuple(load_count(written(tmp_path, text), TABLES).identity) for text in texts}
    assert len(found) == len(texts)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "mine"', "", "count.toml: name: missing: a text"),
        ("insurance", "insurence", 'count.toml: insurence: unknown key "insurence"; did you mean'),
        ("insurance = 3", "insurance = 2.5", "count.toml: insurance: 2.5 is not allowed here"),
        ('"decks"', '"cards"', 'count.toml: divide: "cards" is not allowed here: one of "decks"'),
        ("2 = 0.5", "1 = 0.5", 'count.toml: weights.1: "1" is not a rank of A 2 3 '),
        ("2 = 0.5", "Tx = 0.5", 'count.toml: weights.Tx: "Tx" is not a rank of A 2 3 '),
        ("2 = 0.5", "2 = 0.125", "count.toml: weights.2: a weight has at most two decimals"),
        ("2 = 0.5", "2 = nan", "count.toml: weights.2: null is not allowed here"),
        ("2 = 0.5", "2 = 1000", "count.toml: weights.2: 1000 is not allowed here: a number from"),
        ("2 = 0.5", '2 = "x"', 'count.toml: weights.2: "x" is not allowed here: a number from'),
        ("2 = 0.5", "2 = ", "count.toml is not valid TOML: "),
        ("2 = 0.5\nT = -1\nTc = -1.25\n", "", "count.toml: weights: a count has a weight for one"),
        ("1 = 2\n", "x = 2\n", 'count.toml: ramp.x: a true count is a whole number, not "x"'),
        (
            "1 = 2\n",
            "9 = 2\n",
            "count.toml: ramp.4: the levels of a ramp ascend, and 9 is before 4",
        ),
        ("1 = 2\n", "1 = nan\n", "count.toml: ramp.1: null is not allowed here: a number over 0"),
        ("1 = 2\n", "1 = 0\n", "count.toml: ramp.1: 0 is not allowed here: a number over 0"),
        ("-1 = 1\n", "-9999999999 = 1\n", "count.toml: ramp.-9999999999: no count goes that far"),
        ("4 = 8.5", "4 = 8.125", "count.toml: ramp.4: a level's number of base wagers has at most"),
        (
            "4 = 8.5",
            "4 = 8.55",
            "count.toml: ramp.4: 8.55 times $10: a base wager of $85.50 is not",
        ),
        ("4 = 8.5", "4 = 60", "count.toml: ramp.4: 60 times $10: a base wager of $600 is above"),
        ("from = 0", "", 'count.toml: departures[1]: a departure has either "from" or "below"'),
        ("from = 0", "from = 0\nbelow = 0", "count.toml: departures[1]: a departure has either"),
        ("from = 0", "from = 127", "count.toml: departures[1].from: 127 is not allowed here"),
        (
            'hand = "16"',
            'hand = "61"',
            "count.toml: departures[1] (stand with 61 against T from 0 on): no hand of Blackjack",
        ),
        ('up = "T"', 'up = "X"', "count.toml: departures[1] (stand with 16 against X from 0 on): "),
        ('action = "stand"', 'action = "sit"', "count.toml: departures[1] (sit with 16 against T "),
        (
            'action = "stand"',
            'action = "split"',
            "count.toml: departures[1] (split with 16 against T from 0 on): no hand that comes up",
        ),
        ('instead = "stand"', 'instead = "sit"', "count.toml: departures[2] (hit instead of sit "),
        ("cards = 2", "cards = 4", "count.toml: departures[2] (hit instead of stand with 12 of 4"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(
    old: str, new: str, words: str, tmp_path: Path
) -> None:
    assert old in FILE
    assert refused(tmp_path, FILE.replace(old, new, 1), bet=1000).startswith(words)


def test_what_is_no_count_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UpcardError) as error:
        load_count("hilo", TABLES)
    assert str(error.value).startswith(
        'there is no count "hilo"; did you mean "hi-lo"? (the counts'
    )
    with pytest.raises(UpcardError, match=r"^there is no file .*none\.toml$"):
        load_count(str(tmp_path / "none.toml"), TABLES)
    without = compiled(BLACKJACK, insurance=False)
    words = refused(tmp_path, FILE, without)
    assert words == "count.toml: insurance: Blackjack has no insurance"


@pytest.mark.parametrize(
    ("game", "bet", "bets", "words"),
    [
        (SPANISH, 1000, "3/2", ""),
        (
            SPANISH,
            500,
            "3/2",
            "ramp.2: 1.5 times $5: a base wager of $7.50 is not a positive multiple of $1",
        ),
        (
            SPANISH,
            10000,
            "3",
            "ramp.2: 3 times $100: a base wager of $300 is above the maximum of $200",
        ),
        (CHANCE, 200, "2", ""),
        (CHANCE, 200, "3", "ramp.2: 3 times $2: a base wager is $2 or $4, not $6 [GC-AMT]"),
        (
            SPANISH,
            300,
            "1/3",
            "ramp.2: 0.333333 times $3: a base wager of $1 is below the minimum of $3",
        ),
    ],
)
def test_a_ramp_keeps_to_the_wagers_that_a_game_takes(
    game: str, bet: int, bets: str, words: str
) -> None:
    count = load_count("hi-lo", compiled(game))
    ramp = (*count.ramp, Level(2, Fraction(bets)))
    try:
        check_ramp(replace(count, ramp=ramp), compiled(game), bet)
        found = ""
    except UpcardError as error:
        found = str(error)
    assert found.startswith(words)
    assert bool(found) == bool(words)


# -------------------------------------------------------------------------------------- departures


class Cells:
    """What is done by the count, with cards in a context."""

    def __init__(self, found: Moves, tables: GameTables = TABLES) -> None:
        self.tables = tables
        self.found = found

    def _of(self, part: Bytes, cards: str, up: str, hands: int) -> int:
        alphabet, contexts = self.tables.alphabet, self.tables.contexts
        context = contexts.index(origin=Origin.INITIAL if hands == 1 else Origin.SPLIT, hands=hands)
        state = self.tables.hands.after(*map(alphabet.index, cards.split()))
        row = int(self.found.play.row_of[0, 0, context])
        rows = part.reshape(-1, len(alphabet), self.found.play.nodes)
        return int(rows[row, alphabet.index(up), state])

    def __call__(self, cards: str, up: str, hands: int = 1) -> tuple[str, int, str]:
        parts = (self.found.play.action, self.found.from_count, self.found.then)
        first, at, then = (self._of(part, cards, up, hands) for part in parts)
        return Action(first).text, at, Action(then).text


def departing(*departures: Departure) -> Moves:
    count = Count("mine", {"T": Fraction(-1)}, departures=departures)
    return with_departures(TABLES, moves(), count)


def test_a_departure_holds_for_its_hand_against_its_card_alone() -> None:
    at = Cells(departing(Departure("16", "T", 0, "stand")))
    assert at("9 7", "T") == at("9 5 2", "T") == at("9 7", "T", 2) == ("hit", 0, "stand")
    assert at("9 7", "9") == ("hit", NO_INDEX, "hit")
    assert at("9 6", "T") == ("hit", NO_INDEX, "hit")
    assert at("8 8", "T") == ("split", NO_INDEX, "split")


def test_a_departure_below_a_count_is_the_other_way_round() -> None:
    at = Cells(departing(Departure("12", "4", -1, "hit", below=True, cards=2)))
    assert at("9 3", "4") == ("hit", -1, "stand")
    assert at("4 6 2", "4") == ("stand", NO_INDEX, "stand")


def test_no_departure_where_its_action_is_not_legal() -> None:
    at = Cells(departing(Departure("9", "2", 1, "double"), Departure("16", "9", 5, "surrender")))
    assert at("5 4", "2") == at("5 4", "2", 2) == ("hit", 1, "double")
    assert at("4 3 2", "2") == ("hit", NO_INDEX, "hit")
    assert at("9 7", "9") == ("hit", 5, "surrender")
    assert at("9 7", "9", 2) == ("hit", NO_INDEX, "hit")


def test_rows_that_contexts_shared_are_told_apart_where_only_one_departs() -> None:
    """Four hands are the most: a fourth split is no departure, though the play was the same."""
    mimic = by_state(TABLES, MimicPlay(TABLES))
    two, three, four = (
        TABLES.contexts.index(origin=Origin.SPLIT, hands=hands) for hands in (2, 3, 4)
    )
    row_of = mimic.play.row_of[0, 0]
    assert row_of[two] == row_of[three] == row_of[four]
    count = Count("mine", {}, departures=(Departure("T,T", "6", 5, "split"),))
    found = with_departures(TABLES, mimic, count)
    row_of = found.play.row_of[0, 0]
    assert row_of[two] == row_of[three] != row_of[four]
    at = Cells(found)
    assert at("T T", "6") == at("T T", "6", 2) == at("T T", "6", 3) == ("stand", 5, "split")
    assert at("T T", "6", 4) == ("stand", NO_INDEX, "stand")
    assert len(found.play.action) == len(found.then) == len(found.from_count)
    shape = (-1, len(TABLES.alphabet), found.play.nodes)
    rows = found.play.row_of[0].astype(np.int64)
    asked = found.from_count.reshape(shape)[rows] != NO_INDEX
    legal = TABLES.legal.mask.transpose(1, 2, 0)[None] >> found.then.reshape(shape)[rows] & 1
    assert legal[asked].all()


def test_a_departure_takes_the_place_of_one_action_if_it_says_so() -> None:
    split = Departure("8,8", "T", 2, "stand", instead="split")
    at = Cells(departing(split))
    assert at("8 8", "T") == ("split", 2, "stand")
    assert at("8 8", "T", 4) == ("hit", NO_INDEX, "hit")
    with pytest.raises(UpcardError, match="never comes about: plain does not surrender there"):
        departing(split._replace(instead="surrender"))


def test_of_two_departures_the_first_counts_and_none_may_be_useless() -> None:
    surrender, stand = (Departure("15", "T", 0, "surrender"), Departure("15", "T", 4, "stand"))
    at = Cells(departing(surrender, stand))
    assert at("9 6", "T") == ("hit", 0, "surrender")
    assert at("9 4 2", "T") == ("hit", 4, "stand")
    with pytest.raises(UpcardError, match="an earlier departure takes its place"):
        departing(stand, surrender)


def test_without_departures_the_play_stays_and_chance_has_none() -> None:
    assert with_departures(TABLES, moves(), load_count("hi-lo", TABLES)) is moves()
    by_chance = by_state(TABLES, OpenPlay())
    count = Count("mine", {}, departures=(Departure("16", "T", 0, "stand"),))
    with pytest.raises(UpcardError, match="random leaves its play to chance"):
        with_departures(TABLES, by_chance, count)


# --------------------------------------------------------------------------------- what it is worth


@cache
def played(*departures: Departure, insures_from: int | None, blocks: int) -> Figures:
    """A shoe of six decks to the cut card, counted by hi-lo."""
    hi_lo = load_count("hi-lo", TABLES)
    ramp = (*hi_lo.ramp, Level(2, Fraction(4)))
    count = replace(hi_lo, ramp=ramp, departures=departures, insures_from=insures_from)
    table = TableSetup(TABLES, 1000, fresh=False, count=count)
    job = Job(table, with_departures(TABLES, moves(), count), seed=11, short=True)
    return Figures(job, job.play(0, blocks, job.block_rounds))


def pooled(figures: Figures, wager: str, low: int, high: int) -> tuple[float, float]:
    """The mean and its error over true counts from one to another, by rounds."""
    parts = [
        (rounds, found[wager])
        for count, rounds, found in figures.by_count()
        if low <= count <= high and wager in found
    ]
    whole = sum(rounds for rounds, _ in parts)
    mean = sum(rounds * found.value for rounds, found in parts) / whole
    error = math.sqrt(sum((rounds * found.stderr) ** 2 for rounds, found in parts)) / whole
    return mean, error


def test_high_counts_are_better_than_low_ones() -> None:
    assert TABLES.alphabet.decks == 6
    figures = played(insures_from=3, blocks=300)
    high, high_error = pooled(figures, "base", 3, 40)
    low, low_error = pooled(figures, "base", -40, -3)
    assert high - low > 10 * math.hypot(high_error, low_error)
    # Half a percent for each true count is the rule of thumb.
    assert 0.02 < high - low < 0.08


def test_insurance_pays_from_three_on_and_not_before() -> None:
    by_count = played(insures_from=3, blocks=300).wager(1)
    assert by_count.wager == "insurance"
    assert by_count.made > 1000
    assert by_count.mean.low > 0
    always = played(insures_from=None, blocks=300).wager(1)
    assert always.made > by_count.made
    assert always.mean.high < 0


def test_departures_change_rounds_where_the_count_says_so() -> None:
    """Standing on everything from +2 on is far worse there, and nothing changes elsewhere."""
    base = played(insures_from=3, blocks=300)
    stands = [
        Departure(str(total), up.name, 2, "stand")
        for total in range(5, 12)
        for up in TABLES.alphabet.symbols
    ]
    worse = played(*stands, insures_from=3, blocks=300)
    before, error = pooled(base, "base", 3, 40)
    after, other_error = pooled(worse, "base", 3, 40)
    assert after < before - 10 * math.hypot(error, other_error)
    before, error = pooled(base, "base", -40, -3)
    after, other_error = pooled(worse, "base", -40, -3)
    assert abs(after - before) < 4 * math.hypot(error, other_error)
