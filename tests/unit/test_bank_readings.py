"""What readings cost a player's bank, against the bank's own figures and the live table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banked_games import banked_game
from chance import dice
from conftest import compiled
from shell import upcard
from solved import readings_once
from unit.test_bank import SEATS, Live
from unit.test_table_play import PURE, Table
from upcard import Card, GameTables, tables_for
from upcard.compile.bets import usual_bet
from upcard.compile.context import Action
from upcard.envs import RoundVectorEnv
from upcard.errors import UpcardError
from upcard.fees.quote import quote
from upcard.fees.schedules import load_fee_book
from upcard.money import BASE
from upcard.round.count import LOWEST, NO_COUNT, Level
from upcard.round.settle import settle_insurance
from upcard.round.setup import TableSetup
from upcard.solve.readings import BankFigure, BankSide, Readings, TablesFor
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.trial.bank import Desk, bank
from upcard.trial.bank_readings import bank_side, price_all_readings

pytestmark = pytest.mark.usefixtures("solved_once")

FEW = 20_000
TABLE = ({"base": 2500, "match": 500}, {"base": 2500}, {"base": 1000})
PLAYERS = ("Ann", "Ann", "Bo")
LIMIT = 5000


def load(settings: Mapping[str, str]) -> GameTables:
    return tables_for(PURE, settings)


@cache
def priced() -> Readings:
    return price_all_readings(load, rounds=FEW)


@cache
def named(reading: str) -> BankSide:
    return bank_side(load, reading, seats=TABLE, players=PLAYERS, bank=LIMIT, rounds=FEW)


def side(found: Readings, name: str) -> BankSide:
    (reading,) = (one for one in found.readings if one.id == name)
    assert reading.bank is not None
    assert not reading.matters
    return reading.bank


@pytest.mark.parametrize(
    ("reading", "answer"), [("bank_cover", "each-way"), ("natural_paid", "at-once")]
)
def test_a_limited_bank_is_priced_as_the_bank_itself_is(reading: str, answer: str) -> None:
    """The same rounds: each figure is that of `upcard bank` under the answer."""
    found = named(reading).answers
    for one in (next(iter(found)), answer):
        told = bank(compiled(PURE, **{reading: one}), TABLE, limit=LIMIT, rounds=FEW)
        value = found[one]["bank"]
        assert value.value == pytest.approx(told.gross.ev, abs=1e-6)
        assert value.error == pytest.approx(told.gross.ev_error, rel=1e-6)
    change = found[answer]["bank"]
    assert change.change is not None
    # Common random rounds: the change is known far better than either figure.
    assert abs(change.change) > 3 * change.change_error > 0
    assert change.change_error < change.error


def test_every_reading_that_changes_no_odds_says_what_was_looked_at() -> None:
    found = priced()
    told = {one.id: one.bank for one in found.readings if one.bank is not None}
    assert {one.id for one in found.readings if not one.matters} == set(told)
    changes = {"fee_basis", "fee_per", "bank_cover", "natural_paid", "backline"}
    assert {name for name, one in told.items() if one.matters} == changes
    same = told["hand_of_21"]
    assert same.rounds == FEW
    assert not any(same.answers.values())
    # Schedule 1: $3 to $200, so five minimums, on the Match wager as well; all of it is put up.
    assert same.table.seats == ({"base": 1500, "match": 1500},) * 3
    assert (same.table.players, same.table.bank) == (PLAYERS, 9000)


def test_sr_8_fees_by_circle_and_by_player() -> None:
    """PS-F3, SR-8: schedule 46, worked out by hand at the table that is told."""
    told = side(priced(), "fee_per")
    assert told.having == {"fee_schedule": "46"}
    assert told.table.seats == ({"base": 5000, "match": 5000},) * 3
    # Three circles of $50 pay $1 each; Ann's $100 together are still in $50-$100 for $1.
    assert told.answers["circle"]["player_fees"].value == 300
    assert told.answers["player"]["player_fees"] == BankFigure(200, 0.0, -100, 0.0)
    basis = side(priced(), "fee_basis")
    # $30 pays 50 cents; $60 together $1.
    assert basis.table.seats[0] == {"base": 3000, "match": 3000}
    assert basis.answers["base"]["player_fees"].value == 150
    assert basis.answers["base-and-bonus"]["player_fees"] == BankFigure(300, 0.0, 150, 0.0)


def test_sr_9_what_is_collected_without_a_row() -> None:
    """PS-F5, SR-9: the option fee_resolution, at a table that falls into a gap."""
    (option,) = priced().options
    told = option.bank
    assert told is not None
    assert option.id == "fee_resolution"
    assert set(told.answers) == {"refuse", "lower-fee", "higher-fee", "nothing"}
    schedule = load_fee_book(PURE).schedule(int(told.having["fee_schedule"]))
    with pytest.raises(UpcardError, match="does not settle"):
        quote(schedule, told.table.seats)
    for answer in ("lower-fee", "higher-fee", "nothing"):
        costs = quote(schedule, told.table.seats, resolution=answer)
        assert told.answers[answer]["bank_fee"].value == costs.player_dealer.fee
    assert told.answers["refuse"]["bank_fee"].value is None


def test_a_schedule_that_somebody_chose_is_kept() -> None:
    told = bank_side(load, "fee_per", {"fee_schedule": "1"}, rounds=FEW)
    assert (told.having, told.matters, told.table.schedule) == ({}, False, 1)
    chosen = bank_side(load, "fee_per", {"fee_schedule": "48"}, rounds=FEW)
    assert (chosen.having, chosen.matters, chosen.table.schedule) == ({}, True, 48)


def test_named_seats_are_kept() -> None:
    told = named("fee_per")
    assert (told.matters, told.having) == (False, {})
    assert (told.table.seats, told.table.players, told.table.bank) == (TABLE, PLAYERS, LIMIT)


# ------------------------------------------------------------------------- against the live table


class Backed:
    """A live table on which somebody backs the only seat, and decisions follow a script."""

    def __init__(self, amount: int, **settings: Any) -> None:
        self.amount = amount
        self.table = Table(PURE, **settings)
        for position in (1, 2, 3):
            self.table.sit(f"P{position}", position, chips=10**11)

    def play(self, cards: list[str], bank: int, answer: Any) -> tuple[int, int, int]:
        """What a backline wager brought the bank; what could not be covered; what could."""
        table = self.table
        while (offer := table.state.offer) is not None and offer.player != "P1":
            table.do(cm.DeclineBank(player=offer.player))
        table.bank("P1", bank)
        wagers = {BASE: self.amount}
        table.do(cm.PlaceWagers(player="P2", position=2, wagers=wagers))
        table.do(cm.BackWagers(player="P3", position=2, wagers=wagers))
        table.stack(" ".join(cards))
        settled = [
            event
            for event in table.deal() + table.finish(answer)
            if isinstance(event, ev.WagerSettled)
        ]
        backed = sum(e.collected - e.won for e in settled if e.player == "P3")
        return backed, sum(e.uncovered for e in settled), sum(e.won + e.collected for e in settled)


@pytest.mark.chance
@pytest.mark.parametrize("backline", ["may-stay", "must-match"])
def test_a_backline_wager_fares_as_at_the_live_table(backline: str) -> None:
    """PS-W8: the same cards and the same play, whether it follows doubles and splits or not."""
    seats = ({"base": 2500},)
    live = Live(*seats, backline=backline)
    backed = Backed(2500, backline=backline)
    live.table = backed.table
    desk = Desk(compiled(PURE, backline=backline), lambda *_: None)
    rounds = desk.rounds(seats)
    chance = dice(backline)
    deck = [str(card) for card in live.game.tables.alphabet.cards] * 6
    differs = 0
    for number in range(150):
        cards = [card for card in deck if number % 2 or card[0] in "A2368K"]
        chance.shuffle(cards)
        cards = cards[:60]
        table = rounds.table(10**9)
        shoe = table.shoe([Card.parse(card).number for card in cards])
        found = rounds.play(table, 1, shoe, in_order=True)
        brought, _, _ = backed.play(cards, 10**9, live.answer)
        assert int(found.backed[0]) == brought, cards
        differs += brought != int(found.wagers[0, 0, 0])
    assert (differs > 10) is (backline == "may-stay")


@pytest.mark.chance
@pytest.mark.parametrize("cover", ["net", "each-way"])
def test_what_is_not_covered_is_what_the_live_table_says(cover: str) -> None:
    """PS-M9: won or collected, and the rest of it, to the cent."""
    live = Live(*SEATS, bank_cover=cover)
    rounds = Desk(compiled(PURE, bank_cover=cover), lambda *_: None).rounds(SEATS)
    deck = [str(card) for card in live.game.tables.alphabet.cards] * 6
    chance = dice(cover)
    short = 0
    for _ in range(60):
        chance.shuffle(deck)
        cards, amount = deck[:90], 100 * chance.choice((10, 25, 60, 100))
        table = rounds.table(amount)
        shoe = table.shoe([Card.parse(card).number for card in cards])
        found = rounds.play(table, 1, shoe, in_order=True)
        before = len(list(live.table.session.events))
        live.play(cards, amount)
        events = list(live.table.session.events)[before:]
        settled = [event for event in events if isinstance(event, ev.WagerSettled)]
        moved = sum(event.won + event.collected for event in settled)
        missing = sum(event.uncovered for event in settled)
        assert (int(found.moved[0]), int(found.due[0] - found.moved[0])) == (moved, missing)
        short += missing > 0
    assert short > 10


# ------------------------------------------------------------------------------------- other games


@pytest.mark.parametrize("cover", ["limited", "full"])
def test_any_game_with_a_player_dealer(tmp_path: Path, cover: str) -> None:
    path = str(banked_game(tmp_path, "games-of-chance-blackjack", cover=cover))
    told = bank_side(lambda chosen: tables_for(path, chosen), "hand_of_21", rounds=2_000)
    assert (told.table.schedule, told.having, told.matters) == (None, {}, False)
    assert told.table.seats == ({"base": 200},) * 3


def test_a_house_game_has_no_banks_side() -> None:
    def house(chosen: Mapping[str, str]) -> GameTables:
        return compiled("games-of-chance-blackjack", **chosen)

    with pytest.raises(UpcardError, match="there is no player-dealer"):
        price_all_readings(house, bank=1)
    with pytest.raises(UpcardError, match="there is no player-dealer"):
        bank_side(house, "hand_of_21")


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.trial.bank_readings.ROUNDS", 2_000)


IN_DOLLARS = {"chip": "100"}
WHY = "parts of a wager, such as $5, do not pay whole chips of $1"


def cover_in_dollars(
    settings: Mapping[str, str] = IN_DOLLARS, reading: str = "bank_cover", load: TablesFor = load
) -> BankSide:
    return bank_side(
        load, reading, settings, seats=TABLE, players=PLAYERS, bank=LIMIT, rounds=2_000
    )


@cache
def usual_cover_in_dollars() -> BankSide:
    return cover_in_dollars()


def test_an_answer_that_is_not_simulated_leaves_the_others_their_figures() -> None:
    """SR-6: $1.20 for $1 of a wager is no whole number of dollars."""
    found = usual_cover_in_dollars()
    assert list(found.not_simulated) == ["by-wagers"]
    assert WHY in found.not_simulated["by-wagers"]
    assert found.answers["by-wagers"] == {}
    for answer in ("net", "each-way", "exhausted-ends"):
        told = bank(compiled(PURE, chip=100, bank_cover=answer), TABLE, limit=LIMIT, rounds=2_000)
        assert found.answers[answer]["bank"].value == pytest.approx(told.gross.ev, abs=1e-6)
    assert found.answers["each-way"]["bank"].change is not None


def test_no_answer_is_simulated_by_a_measure_that_is_not() -> None:
    found = cover_in_dollars({**IN_DOLLARS, "bank_cover": "by-wagers"}, "natural_paid")
    assert set(found.not_simulated) == set(found.answers) == {"in-order", "at-once"}
    assert not found.matters


def test_figures_without_a_change_where_the_default_is_not_simulated() -> None:
    names = {"net": "by-wagers", "by-wagers": "net"}

    def swapped(settings: Mapping[str, str]) -> GameTables:
        cover = settings.get("bank_cover", "net")
        return load({**settings, "bank_cover": names.get(cover, cover)})

    found = cover_in_dollars(load=swapped)
    assert list(found.not_simulated) == ["net"]
    usual = usual_cover_in_dollars()
    by_wagers, net = found.answers["by-wagers"]["bank"], usual.answers["net"]["bank"]
    assert (by_wagers.value, by_wagers.change) == (net.value, None)


@pytest.mark.usefixtures("few_rounds")
def test_the_verb_says_what_is_not_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the odds of a cent's chip: which odds there are is nothing to the bank's side."""

    def usual(load: TablesFor, settings: Mapping[str, str], **_: Any) -> Readings:
        return replace(readings_once(load), tables=load(settings))

    monkeypatch.setattr("upcard.trial.bank_readings.price_readings", usual)
    done = upcard("readings", PURE, "--set", "chip=1")
    assert (done.status, done.err) == (0, "")
    assert "not simulated: rounds with a bank that covers by" in " ".join(done.out.split())


@pytest.mark.usefixtures("few_rounds")
def test_the_verb() -> None:
    seats = ("--seat", "ann:base=15", "--seat", "ann:base=20", "--seat", "base=30")
    done = upcard("readings", PURE, *seats, "--bank", "50")
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 100
    assert "won or lost, but not covered" in done.out
    assert "against *" in done.out
    assert "nothing for the bank or in fees at this table: ann $15;" in " ".join(done.out.split())
    refused = upcard("readings", PURE, "--seat", "base=5000")
    assert refused.status == 1
    assert "outside" in refused.err or "above" in refused.err
    assert "no player-dealer" in upcard("readings", "blackjack", "--bank", "50").err


# ----------------------------------------------------------------------------- SR-32: small wagers


def test_gc_amt_sr_32_a_wager_too_small_to_be_insured() -> None:
    """GC-AMT: of a ramp from $2 to $4 only the larger wager is insured."""
    tables = compiled("games-of-chance-blackjack", added_wagers="printed")
    assert "insurance" not in TableSetup(tables, 200).columns
    assert TableSetup(tables, 400).amounts(0)["insurance"] == 200
    assert usual_bet(tables) == 200
    ramp = (Level(LOWEST, Fraction(1)), Level(0, Fraction(2)))
    table = TableSetup(tables, 200, count=replace(NO_COUNT, ramp=ramp), insures=True)
    assert [table.amounts(level)["insurance"] for level in (0, 1)] == [0, 200]
    out = table.out(2)
    insurance = table.insurance()
    assert insurance is not None
    out.up[:] = int(np.flatnonzero(insurance.offered)[0])
    out.level[:] = [0, 1]
    assert settle_insurance(insurance, out, 2, 1, table.rules.natural_class, True) == 1
    assert out.insured_at[0] == 1
    assert (out.net[1] * table.unit).tolist() == [0, -200]


@pytest.mark.parametrize(("bet", "asked"), [(200, False), (400, True)])
def test_gc_amt_sr_32_an_environment_asks_about_insurance_only_if_it_can_be_made(
    bet: int, *, asked: bool
) -> None:
    """GC-AMT: half of $2 is no printed amount."""
    tables = compiled("games-of-chance-blackjack", added_wagers="printed")
    env = RoundVectorEnv(tables, num_envs=500, bet=bet)
    observed, told = env.reset(seed=1)
    seen = 0
    for _ in range(12):
        mask = np.asarray(told["action_mask"])
        seen += int(mask[:, Action.INSURE].sum())
        observed, _, _, _, told = env.step(mask.argmax(axis=1))
    assert len(observed) > 0
    assert (seen > 0) is asked
