"""Two boxes that exchange cards: one deal and all of them, the coach, bots, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import upcard
from conftest import compiled
from depth import deep
from shell import refusal
from shell import upcard as shell
from upcard import tables_for
from upcard.coach import Coach, Seen
from upcard.compile.context import Action, Phase
from upcard.errors import UpcardError
from upcard.players.company import Company, company_sits
from upcard.round.exchange import NO_EXCHANGE
from upcard.round.policy import MimicPlay, OpenPlay, by_state
from upcard.round.setup import TableSetup
from upcard.simulate.job import Job
from upcard.solve.exchange_advice import advise_exchange
from upcard.solve.exchange_points import hand_points
from upcard.solve.solution import Aim
from upcard.solve.two_boxes import NEVER_EXCHANGED, TwoBoxes
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.shoe import secret_from

ID = "blackjack-switch"


@pytest.fixture(scope="module")
def endless() -> TwoBoxes:
    """The quickest one: no card is ever gone, so that one solution serves all."""
    return TwoBoxes(compiled(ID), aim=Aim(bet=500), endless=True)


def test_without_gone_cards_the_other_box_does_not_matter(endless: TwoBoxes) -> None:
    alone = endless.alone.solve(endless.aim)
    never = endless.together(endless.values(endless.best_boxes), NEVER_EXCHANGED)
    assert never.ev == pytest.approx(alone.ev, abs=1e-12)
    assert endless.optimal.ev > never.ev + 0.09


def test_the_exchange_is_symmetric(endless: TwoBoxes) -> None:
    """Whichever box comes first, and back again: an exchange of exchanged cards is none."""
    play = endless.optimal
    assert np.allclose(play.stay, play.stay.transpose(0, 3, 4, 1, 2), atol=1e-12)
    assert np.allclose(play.switch, play.switch.transpose(0, 3, 4, 1, 2), atol=1e-12)
    ace, ten = (endless.tables.alphabet.index(rank) for rank in "AT")
    switched, dealt = play.switch.transpose(0, 1, 4, 3, 2), play.stay
    naturals = np.zeros(dealt.shape[1:3], dtype=np.bool_)
    naturals[ace, ten] = naturals[ten, ace] = True
    plain = ~(naturals[:, :, None, None] | naturals[None, None])
    assert np.allclose(switched[:, plain], dealt[:, plain], atol=1e-12)
    assert (switched[:, naturals] < dealt[:, naturals]).any()


def test_how_boxes_end_adds_up(endless: TwoBoxes) -> None:
    ends = endless.ends(endless.best_boxes, endless.optimal)
    assert ends.hands.sum() == pytest.approx(1.0, abs=1e-9)
    assert 0.01 < ends.split_chance < 0.03


def test_one_deal_is_priced_as_among_all() -> None:
    """Two decks: the cards of the other box tell."""
    tables = tables_for(ID, {"decks": "2"})
    advice = advise_exchange(tables, "As 6d", "5h Tc", up="6c")
    game = TwoBoxes(tables, aim=Aim(bet=500))
    index = tables.alphabet.index
    a, b, c, d, up = (index(rank) for rank in "A65T6")
    for answer, (first, second) in (
        (Action.DECLINE, ((a, b), (c, d))),
        (Action.SWITCH, ((a, d), (c, b))),
    ):
        worth = 0.0
        for own, other in ((first, second), (second, first)):
            box = game.game_of(other)
            solved = box.solve_up(up, game.aim, "CDP")
            node = box.graph.find(*own)
            if answer is Action.SWITCH:
                node = game.moved(box.graph, node)
            worth += float(solved.value[node, 0])
        assert advice.actions[answer] == pytest.approx(worth, abs=1e-12)


def test_hand_prices_both_boxes() -> None:
    found = shell("hand", ID, "--cards", "Ts 6d / 5h Tc", "--up", "6c", "--json").data
    assert found["best"] == "switch"
    assert [box["cards"] for box in found["after"]["switch"]] == [["Ts", "Tc"], ["5h", "6d"]]
    both = sum(box["ev"] for box in found["after"]["switch"])
    assert found["actions"]["switch"] == pytest.approx(both, abs=1e-15)


@pytest.mark.parametrize(
    ("game", "cards", "words"),
    [
        (ID, "T 6 / 5", "a box has two cards when cards are exchanged, not 1"),
        (ID, "T 6 / 5 T / 9 9", 'two boxes are written with one "/" between them'),
        ("blackjack", "T 6 / 5 T", "boxes of Blackjack do not exchange cards"),
    ],
)
def test_what_is_no_pair_of_boxes_is_refused(game: str, cards: str, words: str) -> None:
    assert words in refusal("hand", game, "--cards", cards, "--up", "6")


def test_points_are_values_of_a_box(endless: TwoBoxes) -> None:
    best = endless.alone.solve(endless.aim)
    kept, exchanged = hand_points(endless, best)
    index = endless.tables.alphabet.index
    natural = endless.number[index("A"), index("T")]
    assert (kept[:, natural] == 100).all()
    assert (exchanged[:, natural] < 100).all()
    others = np.arange(len(endless.pairs)) != natural
    assert (kept[:, others] == exchanged[:, others]).all()


def test_odd_seats_are_refused() -> None:
    with pytest.raises(UpcardError, match="every player of Blackjack Switch has 2 seats"):
        TableSetup(compiled(ID), 500, seats=3).check()


def test_policies_that_see_one_hand_exchange_nothing_or_anything() -> None:
    tables = compiled(ID)
    never, anything = (by_state(tables, play) for play in (MimicPlay(tables), OpenPlay()))
    assert never.exchange is not None
    assert anything.exchange is not None
    assert set(never.exchange.action.tolist()) == {Action.DECLINE}
    assert Action.SWITCH not in anything.exchange.action
    assert by_state(compiled("blackjack"), OpenPlay()).exchange is None
    assert not len(NO_EXCHANGE.action)


@deep
def test_the_kernel_for_all_tables_plays_the_same_rounds() -> None:
    tables = compiled(ID)
    job = Job(TableSetup(tables, 500, seats=2), by_state(tables, OpenPlay()), seed=5)
    assert job.play(0, 1, 2000) == job.play_with_all_parts(0, 1, 2000)


@deep
@pytest.mark.parametrize("policy", ["basic", "optimal", "mimic"])
def test_what_is_simulated_is_what_is_exact(policy: str) -> None:
    found = upcard.game(ID).simulate(2_000_000, policy=policy, seed=3).wagers["base"]
    assert found.z is not None
    assert abs(found.z) < 4


# ---------------------------------------------------------------- the live table


class Bots:
    """A table of bots."""

    def __init__(self) -> None:
        self.engine = Engine(compiled(ID))
        self.state, self.seen = NEW_TABLE, Seen()
        self.events: list[ev.Event] = []
        self.act(cm.OpenTable(table="bots", secret=secret_from("bots")))
        for command in company_sits(self.engine.tables, {1: "Ada", 3: "Ben"}):
            self.act(command)
        self.company = Company(self.engine, ["Ada", "Ben"])

    def act(self, command: cm.Command) -> None:
        outcome = self.engine.act(self.state, command)
        assert isinstance(outcome, Outcome), outcome
        self.state = outcome.state
        self.events += outcome.events
        self.seen = self.seen.after(*outcome.events)

    def deal(self) -> None:
        for command in [*self.company.buy_ins(self.state), *self.company.wagers(self.state)]:
            self.act(command)
        self.act(cm.Deal())


def test_bots_have_two_boxes_each_and_exchange_as_the_coach_would() -> None:
    """Points ignore the cards of the other box, so that the coach differs where little is lost."""
    bots = Bots()
    coach = Coach(bots.engine)
    lost, asked = [], 0
    for _ in range(8):
        bots.deal()
        assert bots.state.round is not None
        assert [box.player for box in bots.state.round.boxes] == ["Ada", "Ada", "Ben", "Ben"]
        while question := bots.engine.question(bots.state):
            decision = bots.company.bots[question.player].answer(bots.state, question)
            if question.phase == Phase.EXCHANGE:
                asked += 1
                advice = coach.advise(bots.state, question, bots.seen)
                assert advice.is_priced
                assert advice.kind == "exchange"
                value = advice.value_of(cm.action_of(decision).text)
                assert value is not None
                lost.append(value.cost_percent)
            bots.act(decision)
    assert asked > 5
    assert max(lost) < 5
    switched = [event for event in bots.events if isinstance(event, ev.CardsSwitched)]
    assert switched


def test_the_library_has_two_boxes_at_a_table() -> None:
    table = upcard.game(ID).table(players=["Ann"], seed="two boxes")
    table.wager(500)
    with pytest.raises(UpcardError, match="every player has 2 boxes in this game"):
        table.deal()
    table.wager(500, position=2).deal()
    assert table.question is None or table.question.phase in (Phase.EXCHANGE, Phase.TURNS)
