"""Bonus wagers of every hand of a split: what a split puts up, and what becomes of it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from changed_games import changed_rules, problems
from unit.test_table_play import TIE, Table
from upcard import GameTables, compile_game
from upcard.errors import UpcardError
from upcard.round.setup import TableSetup
from upcard.solve.odds import odds
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE
from upcard.table.ledger import LAYOUT
from upcard.table.sentences import sentence
from upcard.table.session import Session
from upcard.table.shoe import secret_from

EACH = {"ties.hands": "each"}


@cache
def _changed(changes: tuple[tuple[str, Any], ...], **settings: str) -> GameTables:
    rules = changed_rules(TIE, dict(changes), settings)
    assert problems(rules) == []
    return compile_game(rules)


def tables_of(**changes: Any) -> GameTables:
    named = {key.replace("__", "."): value for key, value in changes.items()}
    return _changed(tuple({**EACH, **named}.items()))


class EachTable(Table):
    """Ann at seat 1 of a table at which every hand has bonus wagers of its own."""

    def __init__(self, chips: int = 100_000, **changes: Any) -> None:
        self.session = Session(tables_of(**changes))
        self.engine = self.session.engine
        self.do(cm.OpenTable(table="one", secret=secret_from("demo"), scripted=True))
        self.sit("Ann", 1, chips)

    def settled(self, wager: str, player: str = "Ann") -> list[tuple[int, int, str]]:
        """Hand, net and result of every wager of a kind."""
        return [
            (event.hand, event.won - event.collected, event.result)
            for event in self.events
            if isinstance(event, ev.WagerSettled) and (event.wager, event.player) == (wager, player)
        ]

    @property
    def split(self) -> ev.HandSplit:
        return [event for event in self.events if isinstance(event, ev.HandSplit)][-1]


def test_a_split_puts_up_one_more_of_each_bonus_wager() -> None:
    table = EachTable()
    table.bet("Ann", 1, 1000, tie_17=400, left_side=600)
    table.stack("8s 9d 8h 8c Ts 9h")
    table.deal()
    before = table.state.on_layout
    table.answer("split")
    (added,) = table.split.added
    assert dict(added.sides) == {"left-side": 600, "tie-17": 400}
    assert (added.amount, added.total) == (1000, 2000)
    assert table.state.on_layout - before == 2000
    assert table.state.ledger.balance(LAYOUT) == 4000
    assert sentence(table.engine, table.split).endswith("with $10 of bonus wagers beside it.")
    table.finish()
    # 18 against 17 wins, 17 ties: the first hand's bonus wagers lose, the second one's win.
    assert table.settled("tie-17") == [(0, -400, "lost"), (1, 20_000, "won")]
    assert table.settled("left-side") == [(0, -600, "lost"), (1, 10_800, "won")]
    assert table.settled("base") == [(0, 1000, "won"), (1, 0, "push")]
    assert table.state.on_layout == 0
    assert table.state.chips("Ann") == 100_000 + 1000 + 20_000 + 10_800 - 1000


def test_hands_behind_a_second_split_keep_their_wagers() -> None:
    """The first hand splits again: the hand that waited is the third one now."""
    table = EachTable()
    table.bet("Ann", 1, 1000, tie_18=500)
    table.stack("8s 9d 8h 9c 8d Ts 9h Td")
    table.deal()
    table.answer("split")
    table.answer("split")
    here = table.state.round
    assert here is not None
    assert sorted(side.hand for side in here.boxes[0].sides) == [0, 1, 2]
    table.finish()
    # A wager that can win no more is settled at once, so not in the order of the hands.
    assert sorted(table.settled("tie-18")) == [
        (0, 27_500, "won"),
        (1, -500, "lost"),
        (2, 27_500, "won"),
    ]
    assert sorted(table.settled("base")) == [(0, 0, "push"), (1, -1000, "lost"), (2, 0, "push")]


def test_every_hand_is_over_or_stands_by_itself() -> None:
    table = EachTable(ties__over="push")
    table.bet("Ann", 1, 1000, tie_18=500)
    table.stack("8s 9d 8h 9c 7d Kd Th")
    table.deal()
    table.answer("split")
    table.answer("hit")  # 8 7 K
    table.finish()
    assert table.settled("tie-18") == [(0, 0, "push"), (1, 27_500, "won")]


def test_a_bonus_wager_is_not_doubled_with_the_hand() -> None:
    table = EachTable()
    table.bet("Ann", 1, 1000, tie_18=500)
    table.stack("8s 9d 8h 9c 3d 7h Th")
    table.deal()
    table.answer("split")
    table.answer("double")
    table.finish()
    assert table.settled("base") == [(0, 0, "push"), (1, 0, "push")]
    assert table.settled("tie-18") == [(0, 27_500, "won"), (1, 27_500, "won")]


def test_who_cannot_pay_for_all_of_it_does_not_split() -> None:
    table = EachTable(chips=3400)
    table.bet("Ann", 1, 1000, tie_18=500, left_side=400)
    table.stack("8s 9d 8h 8c Ts 9h")
    table.deal()
    command = cm.Split(player="Ann", position=1)
    words = table.refused(command, says="Ann has $15, and the split, with Left side")
    assert "Tie 18 for the new hand takes $19" in words


def test_without_bonus_wagers_a_split_costs_the_base_wager() -> None:
    table = EachTable(chips=2000)
    table.bet("Ann", 1, 1000)
    table.stack("8s 9d 8h 8c Ts 9h")
    table.deal()
    table.answer("split")
    (added,) = table.split.added
    assert added == ev.Added("Ann", 1000)


@pytest.mark.parametrize(("chips", "follows"), [(3000, True), (2900, False)])
def test_backers_follow_with_all_of_it_or_not_at_all(chips: int, follows: bool) -> None:
    table = EachTable(bank__backline="may-stay")
    table.do(cm.BuyIn(player="Dee", amount=chips))
    table.bet("Ann", 1, 1000, tie_17=200)
    table.do(
        cm.BackWagers(player="Dee", position=1, wagers={"base": 1000, "tie-17": 500}, follows=True)
    )
    table.stack("8s 9d 8h 8c Ts 9h")
    table.deal()
    table.answer("split")
    table.finish()
    theirs = [(0, -500, "lost"), (1, 25_000, "won")]
    assert table.settled("tie-17", "Dee") == (theirs if follows else theirs[:1])
    assert table.settled("tie-17") == [(0, -200, "lost"), (1, 10_000, "won")]


@pytest.mark.parametrize(
    ("takes", "second"),
    [("all", -500), ("original", 0), ("original-and-busted", 0), ("each-original", -500)],
)
def test_a_natural_that_comes_late_takes_as_much_of_them_as_of_the_base(
    takes: str, second: int
) -> None:
    table = EachTable(dealer__checks="none", dealer__late_natural_takes=takes)
    table.bet("Ann", 1, 1000, tie_18=500)
    table.stack("8s Td 8h Ac Ts 9h")
    table.deal()
    table.answer("split")
    table.finish()
    assert [net for _, net, _ in table.settled("tie-18")] == [-500, second]
    assert [net for _, net, _ in table.settled("base")] == [-1000, 2 * second]


def test_a_record_comes_to_the_same_state() -> None:
    table = EachTable()
    table.bet("Ann", 1, 1000, tie_18=500)
    table.stack("8s 9d 8h 9c 8d Ts 9h Td")
    table.deal()
    table.finish(lambda question: "split" if "split" in _names(question) else "stand")
    state = NEW_TABLE
    for event in table.session.events:
        state = table.engine.evolve(state, event)
    assert state == table.state


def _names(question: Any) -> list[str]:
    return [action.text for action in question.actions]


# ------------------------------------------------------------------ the rules


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"split.free": ["8"], "bank.by": "house"},
            "ties.hands: the house stakes new hands, and their bonus wagers would be nobody's",
        ),
        (
            {
                "fees": {
                    "book": "pure-spanish-21.5",
                    "schedule": 1,
                    "players_by": "base",
                    "on_added_wagers": True,
                }
            },
            "ties.hands: splits pay a fee, which is for base wagers alone: on_added_wagers = false",
        ),
    ],
)
def test_what_it_cannot_be_combined_with(changes: dict[str, Any], says: str) -> None:
    found = problems(changed_rules(TIE, {**EACH, **changes}))
    assert any(says in problem for problem in found), found


def test_the_rule_sheet_says_it() -> None:
    words = [rule.words for rule in tables_of().rulebook.sentences]
    assert (
        "After a split each hand has bonus wagers of its own: whoever splits puts up one more of "
        "each that lies there, equal to the first, and every hand is settled by itself." in words
    )
    assert "If the hand goes over, a bonus wager loses." in words


def test_a_limited_bank_is_not_simulated() -> None:
    changes = {
        "bank__by": "player-dealer",
        "bank__turns": 1,
        "bank__cover": "limited",
        "table__positions": 3,
        "bank__offered": "clockwise",
        "bank__button": True,
    }
    rules = changed_rules(TIE, {**EACH, **{k.replace("__", "."): v for k, v in changes.items()}})
    setup = TableSetup(compile_game(rules), 1000, {"tie-18": 500}, bank=50_000)
    with pytest.raises(UpcardError, match="every hand of a split has its own bonus wager"):
        assert setup.banker


# ------------------------------------------------------------------ prices


def test_prices_count_every_hand() -> None:
    each, first = (odds(tables) for tables in (tables_of(), _changed((("ties.hands", "first"),))))
    assert each.wagers["base"] == first.wagers["base"]
    for wager in ("left-side", "tie-21"):
        one, other = each.wagers[wager], first.wagers[wager]
        assert one.stake == pytest.approx(1.0278, abs=1e-4)
        assert other.stake == 1
        assert one.ev != other.ev
        assert sum(row.probability for row in one.returns) == pytest.approx(1)
        sampled = sum(row.contribution for row in one.returns)
        assert abs(sampled - one.ev) < 5 * one.sd * 0.02 / 500
        assert "random rounds" in one.method
        assert one.error > 0
    # No hand of a split is a natural: every further wager on one loses.
    lost = each.wagers["tie-blackjack"]
    assert lost.ev == pytest.approx(first.wagers["tie-blackjack"].ev - (lost.stake - 1), abs=1e-9)


def test_play_is_adapted_to_wagers_that_a_split_adds() -> None:
    """Wagers of 20 and 21 beside the base: tens are split more often where each hand has one."""
    chances = {}
    for hands in ("first", "each"):
        tables = _changed((("ties.hands", hands),))
        found = odds(tables, ratios={"tie-21": 1.0})
        assert found.combined is not None
        adapted, ordinary = found.combined.adapted, found.combined.ordinary
        assert adapted.ev >= ordinary.ev
        chances[hands] = adapted.ev
    assert chances["each"] > chances["first"]
