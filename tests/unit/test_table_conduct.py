"""The house cannot bend an honest shoe, and `verify` counts and judges what it does to one."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest

import chance
from bot_sessions import CHIPS, do
from boxes import further_boxes
from conftest import compiled
from unit.test_table_irregularities import MISTAKES
from upcard import GAME_IDS
from upcard.players import RankedStrategy, basic_strategy
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.bots import Bot
from upcard.table.conduct import UNLIKELY, FailedError, Lever, conduct, judged, levers, ranked
from upcard.table.engine import Engine, Outcome
from upcard.table.judge import Refusal
from upcard.table.plain_tables import BASE
from upcard.table.session import Entry, Log, Session
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.verify import verify

ROUNDS = 150
Moment = Callable[[TableState], bool]


def seated(game: str, secret: str, *, scripted: bool) -> Session:
    session = Session(compiled(game))
    do(session, cm.OpenTable(table="t", secret=secret_from(secret), scripted=scripted))
    for seat, name in enumerate(("Ann", "Bo"), 1):
        do(session, cm.BuyIn(player=name, amount=CHIPS))
        do(session, cm.Sit(player=name, seat=seat))
    return session


def open_round(session: Session) -> None:
    money = session.engine.look.money
    if "bank" in session.engine.look.steps:
        while (offer := session.state.offer) is not None and offer.player == "Ann":
            do(session, cm.DeclineBank(player="Ann"))
        do(session, cm.TakeBank(player="Bo", amount=CHIPS // 4))
    least = min(money.wagers[BASE].amounts, default=0) or money.wagers[BASE].minimum
    do(session, cm.PlaceWagers(player="Ann", position=1, wagers={BASE: least}))
    for further in further_boxes(session.engine, session.state):
        do(session, further)


# ------------------------------------------------------------------ what a live table refuses


@pytest.mark.parametrize("command", MISTAKES, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("game", ["blackjack", "pure-spanish-21.5", "games-of-chance-blackjack"])
def test_a_live_table_makes_no_mistakes(game: str, command: cm.Command) -> None:
    session = seated(game, "live", scripted=False)
    strategy = basic_strategy(session.engine.tables)

    def refused() -> None:
        outcome = session.do(command)
        assert isinstance(outcome, Refusal)
        assert "only at a table that was opened as scripted" in outcome.reason
        assert outcome.clauses or game != "blackjack"

    refused()
    open_round(session)
    refused()
    do(session, cm.Deal())
    while question := session.question:
        refused()
        bot = Bot(session.engine, question.player, wager=0, strategy=strategy)
        do(session, bot.answer(session.state, question))
    refused()


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_table_does_not_close_on_a_word(game: str) -> None:
    """Whoever knows the seed knows the order when the last word is given: too late to close."""
    session = seated(game, "word", scripted=False)
    do(session, cm.MixSeed(player="Ann", seed="seven"))
    do(session, cm.MixSeed(player="Bo", seed="magpies"))
    outcome = session.do(cm.CloseTable())
    assert isinstance(outcome, Refusal)
    assert outcome.reason.startswith("Ann and Bo are at the table, and its shoe is not done")
    do(session, cm.Leave(player="Bo"))
    assert str(session.do(cm.CloseTable())).startswith("Ann is at the table")
    do(session, cm.Leave(player="Ann"))
    do(session, cm.CloseTable())
    (lever,) = levers(compiled(game), session.log())
    assert lever.kind == "shoe closed before its end"
    assert lever.spread > 0, "it was weighed"
    assert conduct(compiled(game), session.log()).startswith("1 shoe closed before its end: ")


def test_a_table_does_not_close_in_the_middle_of_a_shoe() -> None:
    session = seated("blackjack", "middle", scripted=False)
    do(session, cm.MixSeed(player="Ann", seed="seven"))
    play_out(session)
    do(session, cm.Leave(player="Ann"))
    outcome = session.do(cm.CloseTable())
    assert isinstance(outcome, Refusal)
    assert outcome.reason.endswith("a table closes between two shoes, or when everybody has left")
    do(session, cm.Leave(player="Bo"))
    do(session, cm.CloseTable())
    assert len(list(levers(compiled("blackjack"), session.log()))) == 1


def test_a_table_closes_between_two_shoes() -> None:
    session = seated("twisted-21", "between", scripted=False)
    do(session, cm.MixSeed(player="Ann", seed="seven"))
    play_out(session)
    do(session, cm.CloseTable())
    assert list(levers(compiled("twisted-21"), session.log())) == []


def play_out(session: Session) -> None:
    open_round(session)
    do(session, cm.Deal())
    while question := session.question:
        strategy = basic_strategy(session.engine.tables)
        bot = Bot(session.engine, question.player, wager=0, strategy=strategy)
        do(session, bot.answer(session.state, question))


# ------------------------------------------------------------------ what verify makes of it


def played(moment: Moment, *, rounds: int = ROUNDS) -> Log:
    """A scripted table of blackjack where a card is found face up whenever the moment is right."""
    session = seated("blackjack", "bent", scripted=True)
    strategy = basic_strategy(session.engine.tables)
    while session.state.rounds < rounds:
        open_round(session)
        do(session, cm.Deal())
        while question := session.question:
            if moment(session.state):
                do(session, cm.FindFaceUp())
            bot = Bot(session.engine, question.player, wager=0, strategy=strategy)
            do(session, bot.answer(session.state, question))
    return session.log()


class Peeking:
    """A house that looks: it plays the round out both ways and takes what the player likes less."""

    def __init__(self) -> None:
        self.engine = Engine(compiled("blackjack"))
        self.strategy = basic_strategy(self.engine.tables)

    def __call__(self, state: TableState) -> bool:
        outcome = self.engine.act(state, cm.FindFaceUp())
        if not isinstance(outcome, Outcome):
            return False
        return self.chips_after(outcome.state) < self.chips_after(state)

    def chips_after(self, state: TableState) -> int:
        while question := self.engine.question(state):
            bot = Bot(self.engine, question.player, wager=0, strategy=self.strategy)
            outcome = self.engine.act(state, bot.answer(state, question))
            assert isinstance(outcome, Outcome)
            state = outcome.state
        return state.chips("Ann")


def test_a_house_that_picks_its_moments_is_found() -> None:
    """As in the trial that turned the house's result round, with all ticks but this one."""
    log = played(Peeking())
    checks = {
        check.name: check for check in verify(compiled("blackjack"), log, plays=basic_strategy)
    }
    assert [name for name, check in checks.items() if not check.holds] == ["conduct"]
    words = checks["conduct"].found
    assert "cards found face up: worth $" in words
    assert "made blindly that would happen once in" in words


def test_a_house_that_gives_up_bad_shoes_is_found() -> None:
    """Over many tables: it writes a player's leaving whenever the next round would lose."""
    tables = compiled("blackjack")
    peek = Peeking()
    found: list[Lever] = []
    for number in range(120):
        session = seated("blackjack", f"table {number}", scripted=False)
        do(session, cm.MixSeed(player="Ann", seed=f"word {number}"))
        ahead = session.engine.act(
            session.state, cm.PlaceWagers(player="Ann", position=1, wagers={BASE: 500})
        )
        assert isinstance(ahead, Outcome)
        dealt = session.engine.act(ahead.state, cm.Deal())
        assert isinstance(dealt, Outcome)
        if peek.chips_after(dealt.state) > CHIPS:
            for name in ("Ann", "Bo"):
                do(session, cm.Leave(player=name))
            do(session, cm.CloseTable())
        found += levers(tables, session.log(), basic_strategy)
    assert len(found) > 20
    with pytest.raises(FailedError, match="shoes closed before their end: worth"):
        judged(found)


@pytest.mark.chance
def test_shoes_given_up_are_weighed_with_the_boxes_that_were_played() -> None:
    """Five boxes: what the house escapes hangs on all of them, not on a single one."""
    tables = compiled("blackjack")
    strategy = basic_strategy(tables)
    names = [f"P{seat}" for seat in range(1, 6)]
    dice = chance.dice("five boxes")
    found: list[Lever] = []
    while len(found) < 20:
        session = Session(tables)
        do(session, cm.OpenTable(table="t", secret=secret_from(str(dice.random()))))
        for seat, name in enumerate(names, 1):
            do(session, cm.BuyIn(player=name, amount=CHIPS))
            do(session, cm.Sit(player=name, seat=seat))
            do(session, cm.MixSeed(player=name, seed=str(dice.random())))
        for _ in range(3):
            ahead = Session.resumed(tables, session.log())
            won = round_of_five(ahead, names, strategy)
            if won < -3000:  # the house lets everybody "leave", and closes
                for name in names:
                    do(session, cm.Leave(player=name))
                do(session, cm.CloseTable())
                found += levers(tables, session.log(), basic_strategy)
                break
            round_of_five(session, names, strategy)
    with pytest.raises(FailedError, match="20 shoes closed before their end"):
        judged(found)


def round_of_five(session: Session, names: list[str], strategy: RankedStrategy) -> int:
    """What the house wins from five boxes."""
    for position, name in enumerate(names, 1):
        do(session, cm.PlaceWagers(player=name, position=position, wagers={BASE: 1000}))
    count = len(list(session.events))
    do(session, cm.Deal())
    while question := session.question:
        bot = Bot(session.engine, question.player, wager=0, strategy=strategy)
        do(session, bot.answer(session.state, question))
    settled = [e for e in list(session.events)[count:] if isinstance(e, ev.WagerSettled)]
    return sum(event.collected - event.won for event in settled)


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_shoe_given_up_can_be_weighed_in_every_game(game: str) -> None:
    session = seated(game, "given up", scripted=False)
    do(session, cm.MixSeed(player="Ann", seed="a word"))
    if game != "twisted-21":  # which has a new shoe for every round
        play_out(session)
    for name in ("Ann", "Bo"):
        do(session, cm.Leave(player=name))
    do(session, cm.CloseTable())
    (lever,) = levers(compiled(game), session.log())
    assert lever.spread > 0


@pytest.mark.parametrize("leaning_first", [True, False])
def test_a_box_that_leans_on_another_is_weighed_with_it(leaning_first: bool) -> None:
    """BT-5, SR-51: by itself the table would refuse it, and nothing would be weighed."""
    tables = compiled("blackjack-tie", bonus_limit="player")
    session = Session(tables)
    do(session, cm.OpenTable(table="t", secret=secret_from("leaning")))
    do(session, cm.BuyIn(player="Ann", amount=CHIPS))
    do(session, cm.Sit(player="Ann", seat=1))
    do(session, cm.MixSeed(player="Ann", seed="a word"))
    leaning = {BASE: 500, "tie-20": 1500}
    do(session, cm.PlaceWagers(player="Ann", position=1, wagers={BASE: 1000}))
    do(session, cm.PlaceWagers(player="Ann", position=3, wagers=leaning))
    if leaning_first:  # what is placed again lies behind the others
        do(session, cm.PlaceWagers(player="Ann", position=1, wagers={BASE: 1100}))
    do(session, cm.Deal())
    while question := session.question:
        bot = Bot(session.engine, question.player, wager=0)
        do(session, bot.answer(session.state, question))
    do(session, cm.Leave(player="Ann"))
    do(session, cm.CloseTable())
    (lever,) = levers(tables, session.log())
    assert lever.spread > 0


def test_words_are_in_before_the_first_wager() -> None:
    """Otherwise the house deals after the word that it likes best, and has many orders to choose
    from though every word is an honest one.
    """
    session = seated("blackjack", "words", scripted=False)
    do(session, cm.MixSeed(player="Ann", seed="one"))
    open_round(session)
    refused = session.do(cm.MixSeed(player="Bo", seed="two"))
    assert isinstance(refused, Refusal)
    assert "before the first wager lies on the layout" in refused.reason
    do(session, cm.PlaceWagers(player="Ann", position=1, wagers={}))
    do(session, cm.MixSeed(player="Bo", seed="two"))


def test_a_house_that_does_not_look_is_not() -> None:
    rng = random.Random("blind")
    log = played(lambda state: bool(state.shoe.left) and rng.random() < 0.3)
    found = conduct(compiled("blackjack"), log)
    assert "cards found face up: worth " in found
    assert found.endswith("chance explains it")
    assert all(check.holds for check in verify(compiled("blackjack"), log))


def test_blind_mistakes_are_worth_nothing_in_the_long_run() -> None:
    """The differences cancel out: their mean is within three standard errors of nothing."""
    rng = random.Random("blind again")
    log = played(lambda state: bool(state.shoe.left) and rng.random() < 0.5, rounds=400)
    found = list(levers(compiled("blackjack"), log))
    assert len(found) > 150
    total = sum(lever.gained for lever in found)
    assert abs(total) < 3 * sum(lever.spread for lever in found) ** 0.5
    assert any(lever.gained > 0 for lever in found)
    assert any(lever.gained < 0 for lever in found)


@pytest.mark.parametrize("command", MISTAKES, ids=lambda command: type(command).__name__)
def test_every_kind_of_mistake_is_counted(command: cm.Command) -> None:
    session = seated("blackjack", "kinds", scripted=True)
    for _ in range(30):
        open_round(session)
        done = not isinstance(command, cm.DrawInError) and not isinstance(
            session.do(command), Refusal
        )
        do(session, cm.Deal())
        while question := session.question:
            do(session, cm.Stand(player=question.player, position=question.position))
        if done or not isinstance(session.do(command), Refusal):
            break
    open_round(session)
    do(session, cm.Deal())
    (lever,) = levers(compiled("blackjack"), session.log())
    assert lever.spread == lever.gained**2
    found = conduct(compiled("blackjack"), session.log())
    assert found.startswith(f"a scripted table, where shoes may be stacked: 1 {lever.kind}: worth ")


def test_a_mistake_in_a_live_record_of_old_is_found() -> None:
    """Tables of an earlier version let the house order one."""
    log = played(lambda _: False, rounds=1)
    entries = list(log.entries)
    opened = entries[0].events[0]
    assert isinstance(opened, ev.TableOpened)
    fields = {name: getattr(opened, name) for name in opened.__struct_fields__}
    live = ev.TableOpened(**(fields | {"scripted": False}))
    entries[0] = Entry(None, (live, *entries[0].events[1:]))
    entries.append(Entry(cm.FindFaceUp(), (ev.CardFoundFaceUp(card="As"),)))
    old = Log(log.game, log.fingerprint, log.settings, tuple(entries))
    with pytest.raises(FailedError, match="card found face up at a table that is not scripted"):
        conduct(compiled("blackjack"), old)


def test_mistakes_at_a_stacked_shoe_are_counted_but_prove_nothing() -> None:
    session = seated("blackjack", "stacked", scripted=True)
    do(session, cm.StackShoe(cards=("9s", "Ks", "6h", "8s", "Td", "2c", "9c")))
    open_round(session)
    do(session, cm.FindFaceUp())
    assert list(levers(compiled("blackjack"), session.log())) == [Lever("card found face up")]
    checks = {check.name: check for check in verify(compiled("blackjack"), session.log())}
    assert checks["conduct"].holds
    assert not checks["conduct"].proven
    assert not checks["shuffle"].proven
    assert "1 card found face up" in checks["conduct"].found


@pytest.mark.parametrize(
    "values",
    [
        [0.0] * 32 + [-50_000.0],  # a bonus wager that is won once in a while
        [500.0] * 20 + [-500.0] * 12 + [-9_000.0],
        [float(number) for number in range(33)],
        [-500.0, 500.0] * 16 + [0.0],
    ],
)
def test_shoes_closed_blindly_fail_as_seldom_as_promised(values: list[float]) -> None:
    """Exactly: every shuffle is as likely the real one, and all sums of so many shoes are gone
    through.
    """
    found = [ranked(real, values[:n] + values[n + 1 :]) for n, real in enumerate(values)]
    assert abs(sum(lever.score for lever in found)) < 1e-6, "nothing on average"
    assert all(lever.spread == pytest.approx(found[0].spread) for lever in found)
    unit = math.sqrt(found[0].spread)
    for lever in found:
        assert judged([lever]).endswith("chance explains it"), "one proves nothing"
    once = Counter(round(lever.score / unit, 9) for lever in found)
    sums: dict[float, float] = {0.0: 1.0}
    for number in range(1, 41):
        longer: dict[float, float] = {}
        for total, chance_ in sums.items():
            for score, count in once.items():
                key = round(total + score, 6)
                longer[key] = longer.get(key, 0.0) + chance_ * count / len(found)
        sums = longer
        far = math.sqrt(2 * math.log(1 / UNLIKELY) * number)
        assert sum(share for total, share in sums.items() if total > far) <= UNLIKELY


def test_levers_add_up() -> None:
    """One is nothing; a hundred in the same direction are not chance."""
    one = Lever("card found face up", 1000.0, 1000.0, 1000.0**2)
    assert judged([one]).endswith("worth $10 to the house (z +1.0); chance explains it")
    with pytest.raises(FailedError, match=r"100 cards found face up: worth \$1,000"):
        judged([one] * 100)
    back = one._replace(gained=-1000.0, score=-1000.0)
    assert "z -10.0" in judged([back] * 100), "what the house gives away is its own business"
