"""How often bonuses are paid and what they bring: against counts by hand, every order of a tiny
deck through the live table, and random rounds.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from depth import deep
from differential.test_bonuses_against_engine import BET, OWN, by_engine, by_solver
from upcard import GameTables, tables_for
from upcard.compile.ends import NO_BONUS
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import Stacked
from upcard.round.machines import whole_machine
from upcard.round.setup import FRESH_CUT, TableSetup
from upcard.round.shoe import begin_stream
from upcard.solve.base_game import BaseGame
from upcard.solve.bonuses import bonus_odds
from upcard.solve.lights import base_value
from upcard.solve.moves import solved_moves
from upcard.solve.odds import odds
from upcard.solve.solution import Aim


def test_a_blackjack_of_diamonds_is_as_frequent_as_counted_by_hand() -> None:
    """SF-NAT: an ace and a ten-value card of diamonds among two cards of one deck."""
    found = odds(tables_for("super-fun-21"))
    first = found.bonuses[0]
    hands = Fraction(1 * 4, comb(52, 2))
    assert first.name == "blackjack of diamonds"
    assert first.hands == first.unsplit == pytest.approx(float(hands), abs=1e-15)
    assert first.contribution == pytest.approx(float(2 * hands), abs=1e-15)
    assert first.more == pytest.approx(float(hands), abs=1e-15), "other blackjacks pay even money"


def test_suits_part_a_hand_as_its_cards_are_in_the_shoe() -> None:
    """SP-B3: one 6-7-8 in 64 is of spades; sevens of one suit get fewer with each."""
    found = {row.name: row for row in odds(tables_for("spanish-21")).bonuses}
    whole = sum(found[f"6-7-8{suit}"].hands for suit in (" of spades", " of one suit", ""))
    assert found["6-7-8 of spades"].hands == pytest.approx(whole / 64, rel=1e-12)
    assert found["6-7-8 of one suit"].hands == pytest.approx(whole * 3 / 64, rel=1e-12)
    sevens = sum(found[f"7-7-7{suit}"].hands for suit in (" of spades", " of one suit", ""))
    assert found["7-7-7 of spades"].hands == pytest.approx(sevens * comb(6, 3) / comb(24, 3))


TINY = (
    OWN
    + """
[bonuses]
paid = "{paid}"
after_double = {doubled}
rows = [
    {{ name = "red sevens", ranks = ["7", "7", "7"], suits = "one-colour", pays = "{red}:100" }},
    {{ name = "7-7-6", ranks = ["6", "7", "7"], suits = "one-colour", pays = "{mixed}:100" }},
    {{ name = "three cards", cards = 3, total = {{ from = 18 }}, pays = "{three}:100" }},
]
"""
)
DECK = ["7s", "7h", "7d", "6s", "8s", "5h", "Ks"]


@pytest.mark.parametrize(
    ("paid", "doubled"),
    [
        ("at-once", "true"),
        ("if-it-wins", "false"),
        pytest.param("at-once", "false", marks=deep),
        pytest.param("if-it-wins", "true", marks=deep),
    ],
)
def test_what_a_row_brings_is_what_the_live_table_pays_more_for_more(
    paid: str, doubled: str, tmp_path: Path
) -> None:
    """A hundredth more for a row changes no play: the whole game gains as many hundredths as there
    are wagers on such hands, in every order of a tiny deck at the live table.
    """
    usual = {"red": 900, "mixed": 500, "three": 200}

    def tables(**more: int) -> GameTables:
        file = tmp_path / f"{'-'.join(more)}.toml"
        file.write_text(TINY.format(paid=paid, doubled=doubled, **usual | more))
        return tables_for(str(file), {"decks": "1"})

    game, _ = by_solver(tables(), DECK)
    found = bonus_odds(game, game.solve(Aim(bet=BET), mode="none"))
    before = by_engine(tables(), DECK, sees=False)
    assert [row.name for row in found] == ["red sevens", "7-7-6", "three cards"]
    assert sum(row.hands for row in found) > 0.05
    for row, (key, pays) in zip(found, usual.items(), strict=True):
        assert row.split == 0
        gained = 100 * (by_engine(tables(**{key: pays + 1}), DECK, sees=False) - before)
        assert row.contribution == pytest.approx(float(gained * pays / 100), abs=1e-12)
        assert row.plain == pytest.approx(float(gained), abs=1e-12)
        if doubled == "false":
            assert row.hands == pytest.approx(float(gained), abs=1e-12)


GAMES = [
    ("spanish-21", {}),
    pytest.param("pontoon", {"decks": "4"}, marks=deep),
    ("super-fun-21", {}),
]
ROUNDS, SEED, CHUNK = 2_000_000, 5, 4096


@pytest.mark.parametrize(("name", "settings"), GAMES, ids=str)
def test_random_rounds_have_as_many_of_every_bonus(name: str, settings: dict[str, str]) -> None:
    """Split hands and doubled ones among them, card by card with their suits."""
    tables = tables_for(name, settings)
    game = BaseGame(tables)
    played = game.solve(Aim(bet=1000), mode="CDZ-")
    found = bonus_odds(game, played)
    # What the simulator plays looks at the number of hands so far, which is nothing in CDZ-.
    table = TableSetup(tables, 1000)
    kept, out, shoe = table.kept(CHUNK), table.out(CHUNK), table.shoe()
    begin_stream(shoe.now, np.uint64(SEED), np.uint64(0))
    machine = whole_machine(table, solved_moves(game, "optimal", played), kept)._replace(
        cut=FRESH_CUT, insurance=None, stacked=Stacked(cards=0, endless=False)
    )
    alone: Counter[int] = Counter()
    split: Counter[int] = Counter()
    rounds = 0
    row_of = np.array([ended.row for ended in tables.player_classes])
    while rounds < ROUNDS:
        play_rounds(machine, shoe, out, CHUNK, None)
        rounds += CHUNK
        hands = np.arange(kept.most_hands) < kept.hands[:, None]
        rows = np.where(hands, row_of[kept.final.reshape(-1, kept.most_hands)], NO_BONUS)
        alone.update(rows[kept.hands == 1].reshape(-1).tolist())
        split.update(rows[kept.hands > 1].reshape(-1).tolist())
    for number, row in enumerate(found):
        for counted, expected in ((alone[number], row.unsplit), (split[number], row.split)):
            # Hands of one split are alike, so that more than one may come at once.
            error = sqrt(3 * expected * rounds)
            assert abs(counted - expected * rounds) < 4 * error + 1e-9, (row.name, counted)
    assert sum(split[number] for number in range(len(found))) > 0


def test_bonuses_and_the_rest_make_the_value(tmp_path: Path) -> None:
    """A game whose bonuses pay one hundredth more has their hands' hundredth more, all rows
    together, doubles and splits included; play changes so little that the second order is nothing.
    """
    more = OWN.replace("super-fun-21", "spanish-21") + "[bonuses]\nrows = [\n"
    tables = tables_for("spanish-21")
    assert tables.bonuses is not None
    game = BaseGame(tables)
    played = game.solve(Aim(bet=1_000_000), mode="CDZ-")
    for row, conditions in zip(tables.bonuses.rows, CONDITIONS, strict=True):
        pays = row.pays + Fraction(1, 1000)
        more += f'{{ name = "{row.name}", {conditions}, '
        more += f'pays = "{pays.numerator}:{pays.denominator}" }},\n'
    file = tmp_path / "more.toml"
    file.write_text(more + "]\n")
    richer = BaseGame(tables_for(str(file)))
    gained = base_value(richer, richer.solve(Aim(bet=1_000_000), mode="CDZ-"))
    gained -= base_value(game, played)
    hands = sum(row.hands for row in bonus_odds(game, played))
    assert gained == pytest.approx(hands / 1000, rel=1e-3)


SIX, SEVEN = 'ranks = ["6", "7", "8"]', 'ranks = ["7", "7", "7"]'
CONDITIONS = (
    f'{SIX}, suits = "s"',
    f'{SIX}, suits = "one"',
    SIX,
    f'{SEVEN}, suits = "s"',
    f'{SEVEN}, suits = "one"',
    SEVEN,
    "total = 21, cards = 5",
    "total = 21, cards = 6",
    "total = 21, cards = { from = 7 }",
)
