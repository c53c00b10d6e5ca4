"""Mistakes: what they cost, added up, by kind, and the worst of them."""

from __future__ import annotations

import msgspec
import pytest

from coach_rounds import questions
from conftest import compiled
from upcard.coach import (
    Coach,
    CoachAdvice,
    Follower,
    SessionReview,
    judge,
    review_of,
    together,
)
from upcard.coach.advice import ranked
from upcard.coach.review import WORST
from upcard.table import commands as cm
from upcard.table.engine import Outcome
from upcard.table.plain_tables import BASE
from upcard.table.session import Session
from upcard.table.shoe import secret_from


def advice(
    values: dict[str, float],
    *,
    kind: str = "hard",
    wager: int = 1000,
    number: int = 1,
    seat: int = 1,
) -> CoachAdvice:
    return CoachAdvice(
        game="blackjack",
        round=number,
        position=seat,
        kind=kind,
        cards=("Ts", "6d"),
        total="16",
        up="9h",
        wager=wager,
        actions=ranked(values, wager) if values else (),
    )


SIXTEEN = {"hit": -0.5045, "stand": -0.5425, "surrender": -0.5}


def test_a_mistake_costs_the_difference_to_the_best() -> None:
    found = advice(SIXTEEN)
    assert found.best == "surrender"
    assert judge(found, "surrender") is None
    mistake = judge(found, "stand")
    assert mistake is not None
    assert (mistake.best, mistake.cost, mistake.wager) == ("surrender", 42, 1000)
    assert mistake.cost_percent == pytest.approx(4.25)
    assert mistake.kind == "surrender"
    assert judge(found, "split") is None  # it has no price, so nothing is known of it


def test_equals_are_both_best() -> None:
    found = advice({"hit": 0.1, "stand": 0.1 - 1e-12})
    assert [value.best for value in found.actions] == [True, True]
    assert judge(found, "stand") is None


def test_fees_are_taken_off() -> None:
    values = ranked({"hit": 0.1, "double": 0.15}, 1000, {"double": 100})
    assert [(one.action, one.cents) for one in values] == [("hit", 100), ("double", 50)]


def test_a_review_adds_up() -> None:
    review = SessionReview()
    review = review.after(advice(SIXTEEN), "stand")
    review = review.after(advice({"insure": -0.07, "decline": 0.0}, kind="insurance"), "decline")
    review = review.after(advice({"hit": 0.2, "stand": 0.1}, seat=2), "hit")
    review = review.after(advice({"hit": 0.2, "stand": 0.1}, number=2), "stand")
    review = review.after(advice({}, number=2), "hit")
    found = review.summary()
    assert (found.decisions, found.right, found.unpriced, found.hands) == (4, 2, 1, 3)
    assert found.cost == round(42.5 + 100)
    assert found.cost_per_100_hands == round(100 * 142.5 / 3)
    kinds = {one.kind: (one.decisions, one.right, one.cost) for one in found.kinds}
    assert kinds == {"hard": (2, 1, 100), "insurance": (1, 1, 0), "surrender": (1, 0, 42)}
    assert [(hand.taken, hand.best, hand.cost) for hand in found.worst] == [
        ("stand", "hit", 100),
        ("stand", "surrender", 42),
    ]
    again = msgspec.json.decode(msgspec.json.encode(review), type=SessionReview)
    assert again == review
    assert msgspec.to_builtins(found)["worst"][0]["cards"] == ("Ts", "6d")


def test_every_box_of_a_round_is_a_hand() -> None:
    """Also one with a natural, or a decision that has no price."""
    session = Session(compiled("blackjack"))
    opening: tuple[cm.Command, ...] = (
        cm.OpenTable(table="one", secret=secret_from("hands")),
        cm.BuyIn(player="Ann", amount=10**7),
        cm.Sit(player="Ann", seat=1),
    )
    for command in opening:
        assert isinstance(session.do(command), Outcome)
    boxes, rounds, asked = (1, 3), 40, set()
    for number in range(rounds):
        for seat in boxes:
            wagered = cm.PlaceWagers(player="Ann", position=seat, wagers={BASE: 1000})
            assert isinstance(session.do(wagered), Outcome)
        assert isinstance(session.do(cm.Deal()), Outcome)
        while (question := session.question) is not None:
            asked.add((number, question.position))
            texts = [action.text for action in question.actions]
            text = "stand" if "stand" in texts else "decline"
            decided = cm.parse_decision(text, player="Ann", position=question.position)
            assert isinstance(session.do(decided), Outcome)
    found = review_of(Coach(session.engine), session.entries, "Ann").summary()
    assert len(asked) < found.hands == rounds * len(boxes)
    assert found.cost_per_100_hands == pytest.approx(100 * found.cost / found.hands, abs=1)
    unpriced = SessionReview().after(advice({}), "hit")
    assert (unpriced.hands, unpriced.unpriced) == (1, 1)


def test_only_the_worst_are_kept() -> None:
    review = SessionReview()
    for number in range(3 * WORST):
        review = review.after(advice({"hit": number / 100, "stand": 0.0}, number=number), "stand")
    assert len(review.worst) == WORST
    costs = [hand.cost for hand in review.worst]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] == 10 * (3 * WORST - 1)
    assert review.summary().cost == sum(10 * number for number in range(3 * WORST))


def test_who_does_what_the_coach_says_makes_no_mistake() -> None:
    good, bad = SessionReview(), SessionReview()
    for met in questions(compiled("pure-spanish-21.5"), 60):
        found = Coach(met.session.engine).advise(met.state, met.question, met.seen)
        good = good.after(found, found.best)
        bad = bad.after(found, found.actions[-1].action)
    assert good.decisions == good.right == 60
    assert good.summary().cost == 0
    assert bad.right == 0
    assert bad.summary().cost > 0


def test_a_record_is_followed_and_insurance_counts_for_its_amount() -> None:
    session = Session(compiled("blackjack"))
    commands: tuple[cm.Command, ...] = (
        cm.OpenTable(table="one", secret=secret_from("one"), scripted=True),
        cm.BuyIn(player="Ann", amount=100_000),
        cm.BuyIn(player="Bo", amount=100_000),
        cm.Sit(player="Ann", seat=1),
        cm.Sit(player="Bo", seat=2),
        cm.StackShoe(
            cards=("9s", "Ks", "Ah", "9d", "9h", "5c", "2s", "3s", "4s", "5s", "6s", "7s")
        ),
        cm.PlaceWagers(player="Ann", position=1, wagers={BASE: 1000}),
        cm.PlaceWagers(player="Bo", position=2, wagers={BASE: 1000}),
        cm.Deal(),
        cm.Insure(player="Ann", position=1, amount=100),
        cm.Insure(player="Bo", position=2),
        cm.Stand(player="Ann", position=1),
    )
    for command in commands:
        outcome = session.do(command)
        assert isinstance(outcome, Outcome), outcome
    coach = Coach(session.engine)
    ann, bo = (review_of(coach, session.entries, name) for name in ("Ann", "Bo"))
    tens, cards = 95, 312 - 5
    worth = (2 * tens - (cards - tens)) / cards
    assert ann.decisions == 2
    assert bo.decisions == 1
    costs = {hand.kind: hand.cost for hand in ann.worst}
    assert costs["insurance"] == round(-worth * 100)
    assert [hand.cost for hand in bo.worst] == [round(-worth * 500)]


def test_several_sessions_are_added_up() -> None:
    first = SessionReview().after(advice(SIXTEEN), "stand").after(advice(SIXTEEN, seat=2), "hit")
    second = SessionReview().after(advice(SIXTEEN, wager=5000), "stand")
    second = second.after(advice({}), "stand")
    both = together([first, second])
    assert (both.decisions, both.right, both.hands, both.unpriced) == (3, 0, 3, 1)
    assert both.lost == pytest.approx(first.lost + second.lost)
    assert [hand.wager for hand in both.worst] == [5000, 1000, 1000]
    assert both.kinds[0].decisions == 3
    assert together([]) == SessionReview()


def test_what_a_clock_decided_is_nobodys_mistake() -> None:
    tables = compiled("blackjack")
    met = next(questions(tables, 1))
    session = met.session
    follower = Follower(Coach(session.engine), met.question.player)
    decided = cm.parse_decision("stand", player=met.question.player, position=met.question.position)
    for entry in session.entries:
        follower.add(entry)
    before = follower.review
    outcome = session.do(decided)
    assert isinstance(outcome, Outcome)
    follower.add(session.entries[-1], judged=False)
    assert follower.review == before
    assert follower.state == session.state
