"""Strategy charts: known basic strategy, completeness, and agreement with the priced play."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from conftest import compiled
from upcard import GAME_IDS, tables_for
from upcard.compile.bets import usual_bet
from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.round.policy import shoe_gives
from upcard.solve.base_game import BaseGame
from upcard.solve.chart import Chart, draw_chart
from upcard.solve.chart_drawing import Drawing
from upcard.solve.odds import Solver
from upcard.solve.play import NEVER

BLACKJACK = "blackjack"
TWISTED = "twisted-21"
SPANISH = "pure-spanish-21.5"
STICKS = "ten-sticks-21"


@cache
def chart(game: str, **settings: str) -> Chart:
    return _chart(game, tuple(sorted(settings.items())))


@cache
def _chart(game: str, settings: tuple[tuple[str, str], ...]) -> Chart:
    return draw_chart(compiled(game, **dict(settings)))


def does(found: Chart, section: str, hand: str, up: str, cards: int = 2) -> str:
    return found.cell(section, hand, up, cards).action.text


@pytest.mark.parametrize(
    ("section", "hand", "up", "action"),
    [
        ("hard", "8", "6", "hit"),
        ("hard", "9", "2", "hit"),
        ("hard", "9", "3", "double"),
        ("hard", "11", "T", "double"),
        ("hard", "11", "A", "hit"),
        ("hard", "12", "3", "hit"),
        ("hard", "12", "4", "stand"),
        ("hard", "13", "2", "stand"),
        ("hard", "15", "9", "hit"),
        ("hard", "15", "T", "surrender"),
        ("hard", "16", "9", "surrender"),
        ("hard", "16", "T", "surrender"),
        ("hard", "16", "A", "surrender"),
        ("hard", "16", "8", "hit"),
        ("hard", "17", "A", "stand"),
        ("soft", "A,2", "5", "double"),
        ("soft", "A,6", "2", "hit"),
        ("soft", "A,7", "2", "stand"),
        ("soft", "A,7", "6", "double"),
        ("soft", "A,7", "9", "hit"),
        ("soft", "A,8", "6", "stand"),
        ("pairs", "4,4", "5", "split"),
        ("pairs", "5,5", "9", "double"),
        ("pairs", "8,8", "T", "split"),
        ("pairs", "9,9", "7", "stand"),
        ("pairs", "9,9", "9", "split"),
        ("pairs", "T,T", "6", "stand"),
        ("pairs", "A,A", "A", "split"),
    ],
)
def test_basic_strategy_of_six_decks(section: str, hand: str, up: str, action: str) -> None:
    """Dealer stands on soft 17, double after split, late surrender: as every book prints it."""
    assert does(chart(BLACKJACK), section, hand, up) == action


def test_what_changes_where_the_dealer_hits_soft_17() -> None:
    found = chart(BLACKJACK, soft17="hit")
    assert does(found, "hard", "11", "A") == "double"
    assert does(found, "hard", "15", "A") == "surrender"
    assert does(found, "soft", "A,7", "2") == "double"
    assert does(found, "soft", "A,8", "6") == "double"


def test_hands_of_more_cards_have_rows_of_their_own() -> None:
    found = chart(BLACKJACK)
    assert does(found, "hard", "11", "6", cards=3) == "hit"
    assert does(found, "soft", "A,7", "6", cards=3) == "stand"
    assert does(found, "hard", "16", "T", cards=3) == "stand"
    assert not found.by_count


def test_fallbacks_and_rankings() -> None:
    found = chart(BLACKJACK)
    cell = found.cell("hard", "16", "9")
    assert cell.ranking[:2] == (Action.SURRENDER, Action.HIT)
    assert cell.fallback is Action.HIT
    assert found.cell("soft", "A,7", "6").fallback is Action.STAND
    assert found.cell("pairs", "8,8", "T").fallback is Action.HIT
    assert found.cell("hard", "12", "2", cards=3).ranking == (Action.HIT, Action.STAND)


def test_early_surrender_comes_before_the_check() -> None:
    found = chart(BLACKJACK, surrender="early")
    for hand in ("5", "7", "12", "17"):
        cell = found.cell("hard", hand, "A")
        assert cell.action is Action.SURRENDER
        assert cell.before_check
    assert found.cell("hard", "10", "A").action is Action.HIT
    assert found.cell("pairs", "8,8", "A").before_check
    assert not found.cell("hard", "16", "9").before_check


def test_a_game_that_counts_cards_is_charted_by_them() -> None:
    found = chart(TWISTED)
    assert found.by_count
    hard = found.section("hard")
    assert hard is not None
    assert {row.cards for row in hard.rows} == {2, 3, 4}
    assert does(found, "hard", "12", "3", cards=3) == "hit"
    assert does(found, "hard", "12", "3", cards=4) == "stand"
    assert found.section("pairs") is None


def test_doubled_hands_stand_double_again_or_are_rescued() -> None:
    found = chart(SPANISH)
    assert [section.doubles for section in found.sections if section.id.endswith("hard")] == [
        0,
        1,
        2,
        3,
    ]
    assert does(found, "doubled-1-hard", "11", "6", cards=3) == "redouble"
    assert does(found, "doubled-1-hard", "16", "C", cards=3) == "rescue"
    assert does(found, "doubled-1-hard", "20", "6", cards=3) == "stand"
    last = found.section("doubled-3-hard")
    assert last is not None
    actions = {cell.action.text for row in last.rows for cell in row.cells.values()}
    assert actions == {"stand", "rescue"}


def test_bonus_cards_are_kept_or_traded() -> None:
    found = chart(STICKS)
    first = found.section("trade-first")
    assert first is not None
    assert {row.pending for row in first.rows} == {1, 2}
    cell = found.cell("trade-first", "16", "T")
    assert (cell.action, cell.before_check) == (Action.TRADE, True)
    assert does(found, "trade-first", "soft 21", "T") == "keep"
    assert does(found, "trade-later", "16", "T", cards=3) == "trade"
    assert does(found, "doubled-1-trade-later", "21", "6", cards=3) == "keep"
    assert found.section("trade-split") is not None
    assert ("T", ("T", "T*")) in found.columns


def test_the_ace_is_the_last_column() -> None:
    assert chart(BLACKJACK).ups == ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
    assert chart(SPANISH).ups[-2:] == ("C", "A")
    ranks = chart(BLACKJACK, split="rank")
    assert ranks.ups[-5:] == ("T", "J", "Q", "K", "A")
    assert ("T", ("T", "J", "Q", "K")) in ranks.columns


def test_first_cards_that_are_better_played_by_themselves() -> None:
    found = chart(BLACKJACK)
    cards = {(d.cards, d.up): d for d in found.differences}
    assert cards["T,2", "4"].better is Action.HIT
    assert 0 < cards["T,2", "4"].gain < 0.01
    assert all(d.gain > 0 and 0 < d.chance < 1 for d in found.differences)
    gains = sum(d.gain * d.chance for d in found.differences)
    assert gains <= found.ev - found.basic_ev + 1e-9
    assert len(chart(TWISTED).differences) > len(found.differences)


def test_hands_that_only_a_split_gives() -> None:
    """A ten with an ace is a natural, but after a split it is asked like any 21."""
    found = chart(BLACKJACK, decks="1", hand_of_21="asks")
    assert does(found, "soft", "A,T", "6") == "stand"
    own = chart(STICKS, decks="1", trade_time="own-turn", hand_of_21="asks")
    assert own.section("trade-split") is not None
    assert not own.cell("trade-first", "16", "T").before_check
    for section in own.sections:
        states = [row.state for row in section.rows]
        assert len(states) == len(set(states))


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_state_that_needs_a_decision_has_one(game: str) -> None:
    found = chart(game)
    tables = compiled(game)
    hands = tables.hands
    rows = {
        (section.doubles, row.total, row.soft, row.cards, row.pending): row
        for section in found.sections
        for row in section.rows
        if not row.pair
    }
    pairs = {row.state: row for section in found.sections for row in section.rows if row.pair}
    given = found.section("exchange")
    pairs |= {row.state: row for row in given.rows} if given else {}
    start = tables.contexts.index()
    seen, waiting = {hands.start}, [hands.start]
    dealt = shoe_gives(tables)
    while waiting:
        state = waiting.pop()
        if dealt is not None and state not in dealt:
            continue
        after = [*hands.next[state], hands.keep[state], hands.trade[state], hands.replaced[state]]
        for further in map(int, after):
            if further >= 0 and further not in seen:
                seen.add(further)
                waiting.append(further)
        pair = int(hands.pair_symbol[state])
        for up in range(len(tables.dealer.shown)):
            if not tables.dealer.ends[up].any():  # a natural that all see
                continue
            mask = int(tables.legal.mask[state, start, up])
            if mask & (mask - 1) == 0:
                continue
            key = (0, int(hands.total[state]), bool(hands.soft[state]), int(hands.cards[state]))
            row = pairs.get(state) if pair >= 0 or hands.replaced[state] >= 0 else None
            row = row or rows[*key, int(hands.pending[state])]
            cell = row.cells[tables.dealer.shown.names[up]]
            assert cell.action is cell.ranking[0]
            legal = {action for action in Action if mask & action.bit}
            assert legal <= {*cell.ranking, Action.SURRENDER}


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        (BLACKJACK, {"decks": "2"}),
        (BLACKJACK, {"decks": "1", "surrender": "early"}),
        (SPANISH, {}),
        (TWISTED, {}),
    ],
)
def test_the_chart_is_the_play_that_was_priced(game: str, settings: dict[str, str]) -> None:
    """Every hand that basic play brings about is played as the chart says."""
    tables = compiled(game, **settings)
    solver = Solver(BaseGame(tables), "CDP")
    basic, play = solver.basic(solver.optimal(usual_bet(tables)))
    drawing = Drawing(solver.game, play)
    compared = 0
    for up, found in basic.ups.items():
        for doubles, node in np.argwhere(found.reach > 0).tolist():
            cell = drawing.cell(int(solver.game.graph.state[node]), up, doubles)
            if cell is None or not (found.worth[doubles, node] != NEVER).any():
                continue
            if cell.before_check:
                assert found.early_choice[node] == Action.SURRENDER
            else:
                assert found.choice[doubles, node] == cell.action, (up, node, doubles)
            compared += 1
    assert compared > 500


def test_side_wagers_change_the_chart_only_where_they_ride_on_the_hand() -> None:
    tables = compiled("blackjack-tie")
    riding = draw_chart(tables, ratios={"tie-20": 1.0})
    plain = chart("blackjack-tie")
    assert riding.sections != plain.sections
    assert draw_chart(compiled(SPANISH), ratios={"match": 1.0}).sections == chart(SPANISH).sections


def test_refusals() -> None:
    with pytest.raises(UpcardError, match=r"a base wager is \$2 or \$4, not \$3 \[GC-AMT\]"):
        draw_chart(compiled("games-of-chance-blackjack"), bet=300)
    with pytest.raises(UpcardError, match="no side wager"):
        draw_chart(compiled(BLACKJACK), ratios={"match": 1.0})
    with pytest.raises(KeyError):
        chart(BLACKJACK).cell("hard", "16", "J")


def test_hands_of_a_split_that_do_not_split_again() -> None:
    """The first hand keeps the chance of its bonus wager alive; the others have none."""
    tables = tables_for("blackjack-tie")
    riding = draw_chart(tables, ratios={"tie-18": 1.0}).resplits
    twos = {(found.hands, found.first, found.others) for found in riding if found.pair == "2,2"}
    assert twos == {(2, True, False), (3, True, False)}
    assert draw_chart(tables).resplits == ()
