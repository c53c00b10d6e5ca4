"""The player-dealer's side: exact results, random rounds of a table, and the live table itself."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

from banked_games import banked_game
from chance import dice
from conftest import compiled
from depth import deep
from shell import refusal, upcard
from unit.test_table_play import PURE, Table
from upcard import GameTables, tables_for
from upcard.cards import Card
from upcard.compile.bets import usual_bet
from upcard.compile.context import Action
from upcard.compile.observers import MatchObserver
from upcard.compile.pay_rows import LOSES, NO_ROW
from upcard.errors import UpcardError
from upcard.fees.quote import quote
from upcard.fees.schedules import load_fee_book
from upcard.round.setup import TableSetup
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import base_value
from upcard.solve.observers import card_wager
from upcard.solve.result import Progress, silent
from upcard.solve.rounds import round_ends
from upcard.solve.solution import BASE, Solution
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.settle import up_symbol
from upcard.trial.bank import BankReport, Desk, bank, bank_grid, fee_line, wager_sizes
from upcard.trial.bank_rounds import BankRounds

TABLE = ({"base": 2500, "match": 500}, {"base": 1000})
EXAMPLE = ("bank", PURE, "--seat", "base=25,match=5", "--seat", "base=10")
FAR = 4.0
"""Standard errors that a figure may be off."""
FEW = 40_000
BOOK = load_fee_book(PURE)


DESKS: dict[str, Desk] = {}


def desk(tables: GameTables, progress: Progress) -> Desk:
    """A game is solved once for tests that follow each other; two at a time are kept."""
    if tables.fingerprint not in DESKS:
        while len(DESKS) >= 2:
            del DESKS[next(iter(DESKS))]
        DESKS[tables.fingerprint] = Desk(tables, progress)
    return DESKS[tables.fingerprint]


@pytest.fixture(autouse=True)
def _solve_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.trial.bank.Desk", desk)


@lru_cache(maxsize=2)
def solved(**settings: object) -> tuple[BaseGame, Solution]:
    tables = compiled(PURE, **settings)
    known = desk(tables, silent)
    return known.game, known.solution({BASE: usual_bet(tables)})


@cache
def example() -> BankReport:
    return bank(compiled(PURE), TABLE, schedules=BOOK.schedules)


class KeptTables(BankRounds):
    """What a table pays is worked out once for every amount that the bank puts up."""

    def table(self, limit: int | None) -> TableSetup:
        kept = vars(self).setdefault("_kept", {})
        if limit not in kept:
            kept[limit] = super().table(limit)
        found: TableSetup = kept[limit]
        return found


def rounds_of(*seats: dict[str, int], **settings: object) -> BankRounds:
    game, solution = solved(**settings)
    return KeptTables(game, seats, [solution], [0] * len(seats))


# ------------------------------------------------------------------------- against exact results


def test_the_gross_result_is_what_the_players_lose() -> None:
    _, solution = solved()
    match = card_wager(compiled(PURE), "match")
    report = example()
    assert report.gross.ev == pytest.approx(-3500 * solution.ev - 500 * match.ev, abs=1e-9)
    assert report.gross.ev == report.unlimited_ev
    assert (report.action, report.gross.ev_error, report.cut_share) == (4000, 0.0, 0.0)
    assert report.seats[0][1].player_ev == pytest.approx(match.ev, abs=1e-12)
    assert "1,000,000 random rounds" in report.gross.method


def test_random_rounds_have_the_exact_means() -> None:
    report = example()
    for wagers, sampled in zip(report.seats, report.sample.wagers, strict=True):
        for one in wagers:
            mean, error = sampled[one.wager]
            assert abs(mean - one.bank_ev) < FAR * error, one
    together = report.sample.seats[-1]
    assert abs(together.mean - report.unlimited_ev) < FAR * together.mean_error


def test_one_seat_swings_like_the_exact_base_game() -> None:
    game, solution = solved()
    exact = round_ends(game, solution, solution.ev)
    sample = rounds_of({"base": 100}).sample(500_000).seats[0]
    error = math.hypot(sample.sd_error / 100, exact.error)
    assert abs(sample.sd / 100 - exact.sd) < FAR * error


def product_of_base_and_match() -> float:
    """The exact average of base result times match result, one unit each, card by card."""
    game, solution = solved()
    alphabet = game.tables.alphabet
    observer = game.tables.observers["match"]
    assert isinstance(observer, MatchObserver)
    ups = [card for card in alphabet.cards if card.suit == "s"]
    copies = alphabet.decks
    left = len(alphabet.cards) * copies - 1
    total = 0.0
    for up in ups:
        found = solution.ups[alphabet.symbol(up)]
        for one in alphabet.cards:
            for two in alphabet.cards:
                first = copies - (one == up)
                ways = first * (copies - (two == up) - (two == one))
                node = game.graph.find(alphabet.symbol(one), alphabet.symbol(two))
                row = observer.row_of((one, two), (up,))
                odds = LOSES if row == NO_ROW else observer.rows[row].odds
                total += ways * float(odds) * float(found.early[node])
    return total / len(ups) / (left * (left - 1))


def test_base_and_match_of_one_seat_belong_together_as_counted() -> None:
    game, solution = solved()
    base = round_ends(game, solution, solution.ev)
    match = card_wager(game.tables, "match")
    between = product_of_base_and_match() - solution.ev * match.ev
    exact = math.sqrt(base.sd**2 + match.sd**2 + 2 * between)
    sample = rounds_of({"base": 100, "match": 100}).sample(400_000).seats[0]
    assert abs(sample.sd / 100 - exact) < FAR * (sample.sd_error / 100 + base.error)


def test_seats_against_one_dealer_swing_more_than_alone() -> None:
    alone, both = (s.sd for s in rounds_of({"base": 100}, {"base": 100}).sample(FEW).seats)
    assert 1.5 * alone < both < 2 * alone


@pytest.mark.parametrize("rounding", ["down", "up"])
def test_chips_are_in_the_exact_result(rounding: str) -> None:
    """$5 at 6 to 5 is a whole number of dollars, half of it is none."""
    tables = compiled(PURE, chip=100, rounding=rounding)
    report = bank(tables, [{"base": 500}], rounds=400_000)
    plain = -500 * solved()[1].ev
    assert (report.gross.ev > plain) == (rounding == "down")
    mean, error = report.sample.wagers[0][BASE]
    assert abs(mean - report.gross.ev) < FAR * error


@pytest.mark.parametrize(
    "settings",
    [
        {"surrender": "early"},
        {"match_by": "both-cards"},
        {"soft17": "stand", "double_double": False},
    ],
)
def test_other_rules_have_the_exact_means_too(settings: dict[str, object]) -> None:
    report = bank(compiled(PURE, **settings), [{"base": 1000, "match": 1000}] * 2, rounds=200_000)
    for wagers, sampled in zip(report.seats, report.sample.wagers, strict=True):
        for one in wagers:
            mean, error = sampled[one.wager]
            assert abs(mean - one.bank_ev) < FAR * error, one


# ------------------------------------------------------------------------- against the live table


class Live:
    """A live table on which every seat follows a solution; the bank sits at position 1."""

    def __init__(self, *seats: dict[str, int], **settings: Any) -> None:
        self.game, self.solution = solved(**settings)
        self.seats = seats
        self.table = Table(PURE, **settings)
        for position in range(1, len(seats) + 2):
            self.table.sit(f"P{position}", position, chips=10**11)

    def play(self, cards: list[str], amount: int) -> int:
        """What a bank of that amount wins or loses with these cards."""
        table = self.table
        while (offer := table.state.offer) is not None and offer.player != "P1":
            table.do(cm.DeclineBank(player=offer.player))
        table.bank("P1", amount)
        for position, wagers in enumerate(self.seats, 2):
            table.do(cm.PlaceWagers(player=f"P{position}", position=position, wagers=wagers))
        table.stack(" ".join(cards))
        events = table.deal() + table.finish(self.answer)
        return next(e.net for e in events if isinstance(e, ev.BankReturned))

    def answer(self, question: Question) -> str:
        here = self.table.state.round
        assert here is not None
        look = self.table.engine.look
        box = here.box(question.position)
        assert box is not None
        hand = box.hands[question.hand]
        symbols = [look.symbol[card] for card in hand.cards]
        found = self.solution.ups[up_symbol(look, here)]
        if question.phase == "early-surrender":
            folds = found.early_choice[self.game.graph.find(*symbols)] == Action.SURRENDER
            return "surrender" if folds else "decline"
        doubles = look.tables.contexts.contexts[hand.context].doubles
        if len(box.hands) == 1:
            choice = found.choice[doubles, self.game.graph.find(*symbols)]
            return Action(int(choice)).text
        if Action.SPLIT in question.actions:
            return "split"
        plan = next(plan for plan in self.game.pairs if plan.pair == symbols[0])
        roles = found.splits[plan.node].choices[len(box.hands) - 2]
        choice = roles[min(question.hand, 1)][doubles, plan.graph.find(*symbols[1:])]
        return Action(int(choice)).text


SEATS = ({"base": 2500, "match": 500}, {"base": 10000}, {"base": 500, "match": 2000})


@pytest.mark.chance
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"bank_cover": "each-way"},
        pytest.param({"bank_cover": "exhausted-ends"}, marks=deep),
        {"bank_cover": "exhausted-ends", "natural_paid": "at-once"},
        pytest.param({"bank_cover": "by-wagers"}, marks=deep),
        {"bank_cover": "by-wagers", "natural_paid": "at-once", "surrender": "until-exposed"},
        {"natural_paid": "at-once"},
        {"surrender": "early", "match_by": "both-cards", "chip": 100},
    ],
)
def test_a_limited_bank_settles_like_the_live_table(settings: dict[str, object]) -> None:
    """PS-T2, PS-O8, PS-M9: the same cards, the same play, the same result to the cent."""
    live, rounds = Live(*SEATS, **settings), rounds_of(*SEATS, **settings)
    chance = dice(str(settings))
    deck = [str(card) for card in live.game.tables.alphabet.cards] * 6
    cut = 0
    for number in range(120):
        # Every other shoe is rich in naturals, pairs and low cards that are doubled.
        cards = [card for card in deck if number % 2 or card[0] in "A2368K"]
        chance.shuffle(cards)
        cards = cards[:90]
        amount = 100 * chance.choice((10, 25, 60, 100, 250, 10**6))
        numbers = [Card.parse(card).number for card in cards]
        net, limited = rounds.one_round(numbers, amount)
        assert limited == live.play(cards, amount), (cards, amount)
        assert abs(limited) <= amount
        cut += limited != net.sum()
        if amount == 10**8:
            assert limited == net.sum()
    assert cut > 20
    played = [type(event) for event in live.table.session.events]
    assert all(played.count(kind) for kind in (ev.HandSplit, ev.HandRescued, ev.HandDoubled))


def test_parts_of_a_wager_that_chips_would_round_are_not_simulated() -> None:
    """SR-6: $1.20 for $1 of a wager is no whole number of quarters. Who covers all has no parts."""
    tables = compiled(PURE, bank_cover="by-wagers", chip=25)
    with pytest.raises(UpcardError, match=r"parts of a wager, such as \$1, do not pay whole chips"):
        bank(tables, TABLE, limit=5100, rounds=FEW)
    assert bank(tables, TABLE, rounds=FEW).limit is None


@pytest.mark.parametrize("cover", ["net", "each-way", "exhausted-ends", "by-wagers"])
def test_no_measure_lets_the_bank_move_more_than_it_put_up(cover: str) -> None:
    """PS-O8, SR-6: and the smaller the bank, the less its results are spread."""
    small = bank(compiled(PURE, bank_cover=cover), TABLE, limit=5000, rounds=FEW)
    large = bank(compiled(PURE, bank_cover=cover), TABLE, limit=20_000, rounds=FEW)
    assert small.cut_share > large.cut_share > 0
    assert small.gross.sd < large.gross.sd <= 20_000


def test_a_bank_that_covers_everything_is_not_limited() -> None:
    report = bank(compiled(PURE), TABLE, limit=10**9, rounds=FEW)
    assert (report.cut_share, report.gross.ev) == (0.0, report.unlimited_ev)


def test_a_limited_bank_loses_less_than_it_would() -> None:
    small = bank(compiled(PURE), TABLE, limit=5000, rounds=FEW)
    large = bank(compiled(PURE), TABLE, limit=20_000, rounds=FEW)
    assert small.cut_share > large.cut_share > 0
    assert small.gross.sd < large.gross.sd
    assert small.gross.ev_error > large.gross.ev_error > 0
    assert abs(small.sample.limited.mean - small.gross.ev) < FAR * small.sample.limited.mean_error


# ------------------------------------------------------------------------------------------ fees


def test_every_schedule_has_a_line_that_is_its_quote() -> None:
    report = example()
    assert [line.schedule.id for line in report.schedules] == list(range(1, 53))
    for line in report.schedules:
        schedule = line.schedule
        fits = all(schedule.table_min <= c <= schedule.table_max for c in (2500, 500, 1000))
        assert (line.problem == "limits") == (not fits)
        if not fits:
            assert re.search("wager of .* is (above|below) the m.* of", line.note)
            assert (line.fee, line.player_fees, line.net_ev) == (None, None, None)
            assert (line.net_edge, line.share_of_action, line.share_of_gross) == (None, None, None)
            continue
        costs = quote(schedule, TABLE)
        assert line.fee == costs.player_dealer.fee
        assert line.player_fees == costs.total - costs.player_dealer.fee
        assert line.net_ev == report.gross.ev - costs.player_dealer.fee
        assert line.share_of_action == costs.player_dealer.fee / 4000


def test_a_fee_that_is_not_settled_is_told_in_its_line() -> None:
    line = fee_line(compiled(PURE), BOOK.schedule(41), [{"base": 25000}], 500.0)
    assert (line.problem, line.fee) == ("unsettled", None)
    assert "does not settle the player-dealer fee" in line.note
    chosen = compiled(PURE, fee_resolution="higher-fee")
    line = fee_line(chosen, BOOK.schedule(41), [{"base": 25000}], 500.0)
    assert (line.problem, line.fee, line.net_ev) == ("", 400, 100.0)
    assert "by the resolution higher-fee" in line.note


def test_no_share_of_a_win_that_is_none() -> None:
    line = fee_line(compiled(PURE), BOOK.schedule(1), [{"base": 1000}], -5.0)
    assert line.share_of_gross is None
    assert line.net_ev == -55.0


def test_players_fees_go_by_the_reading() -> None:
    seats = [{"base": 5000, "match": 20000}]
    by_base = fee_line(compiled(PURE), BOOK.schedule(46), seats, 0.0)
    both = fee_line(compiled(PURE, fee_basis="base-and-bonus"), BOOK.schedule(46), seats, 0.0)
    assert by_base.player_fees == quote(BOOK.schedule(46), seats).seats[0].fee
    assert both.note == ""


# ------------------------------------------------------------------------------------- the overview


def test_the_overview_has_all_players_and_sizes() -> None:
    overview = bank_grid(compiled(PURE), rounds=FEW)
    cells = overview.cells
    assert [(cell.wager, cell.players) for cell in cells] == [
        (wager, players) for wager in (300, 600, 1500, 20000) for players in range(1, 7)
    ]
    each = -solved()[1].ev
    for cell in cells:
        assert cell.gross.ev == pytest.approx(cell.action * each)
        assert cell.fees is not None
        assert cell.fees.net_ev == cell.gross.ev - (cell.fees.fee or 0)
    assert cells[7].gross.sd == pytest.approx(2 * cells[1].gross.sd)
    assert wager_sizes(compiled(PURE), BOOK.schedule(50)) == (10000, 20000, 50000)


# ------------------------------------------------------------------------------------- the verb


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.trial.bank.ROUNDS", FEW)


@pytest.mark.usefixtures("few_rounds")
def test_the_verb_prints_the_table_and_the_fee() -> None:
    done = upcard(*EXAMPLE)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 100
    assert "insures" not in done.out, "there is no insurance in this game"
    for text in ("seat 2", "$0.90", "+2.2409%", "Schedule 1", "-$1.00", "-$0.10", "[PS-F1]"):
        assert text in done.out


@pytest.mark.usefixtures("few_rounds")
def test_the_verb_as_data() -> None:
    data = upcard(*EXAMPLE, "--json").data
    assert {"game", "version", "fingerprint", "settings", "seconds"} < set(data)
    assert data["seats"][0]["wagers"]["match"]["amount"] == 500
    assert data["action"] == 4000
    figures = {"ev", "ev_error", "edge", "favours_player", "sd", "error", "method"}
    assert set(data["gross"]) == figures
    assert data["gross"]["ev"] == pytest.approx(example().gross.ev)
    assert data["gross"]["sd"] == pytest.approx(example().gross.sd, rel=0.05)
    (line,) = data["schedules"]
    assert line["net_ev"] == pytest.approx(data["gross"]["ev"] - 100)
    assert (line["schedule"], line["player_dealer_fee"], line["player_fees"]) == (1, 100, 0)
    assert line["fee_share_of_action"] == 0.025


@pytest.mark.usefixtures("few_rounds")
def test_the_verb_with_all_schedules_and_a_limited_bank() -> None:
    done = upcard(*EXAMPLE, "--schedule", "all", "--bank", "100")
    assert done.status == 0
    refused = [s for s in BOOK.schedules if not s.table_min <= 500 <= 2500 <= s.table_max]
    assert done.out.count("outside limits") == len(refused) > 0
    assert "With $100 put up" in done.out
    assert max(map(len, done.out.splitlines()[8:])) <= 100


@pytest.mark.usefixtures("few_rounds")
def test_the_verb_names_players_fees() -> None:
    done = upcard("bank", PURE, "--seat", "base=50,match=10", "--schedule", "42")
    assert "Players pay $1 in fees besides" in done.out


@pytest.mark.usefixtures("few_rounds")
def test_the_verb_says_what_is_not_settled_among_all() -> None:
    done = upcard("bank", PURE, "--seat", "base=250", "--schedule", "all")
    assert "not settled" in done.out
    assert "Note: schedule 41 does not settle" in done.out


@pytest.mark.usefixtures("few_rounds")
def test_the_overview_as_text_and_as_data() -> None:
    done = upcard("bank", PURE, "--schedule", "46")
    assert done.status == 0
    assert "Schedule 46" in done.out
    assert max(map(len, done.out.splitlines()[3:-2])) <= 80
    data = upcard("bank", PURE, "--json").data
    assert (data["schedule"], len(data["grid"])) == (1, 24)
    assert data["grid"][0]["fees"]["player_dealer_fee"] == 50


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--seat", "bse=10"), 'no wager "bse" .* did you mean "base"'),
        (("--seat", "match=5"), r"a match wager needs a base wager \[PS-M3\]"),
        (("--seat", "base=150c"), r"a base wager of \$1.50 is not a positive multiple of \$1"),
        (("--seat", "base=0"), "not a positive multiple"),
        (("--seat", "base"), "is not a wager"),
        (("--seat", "base=10,base=5"), "given twice"),
        (("--seat", "base=1000"), r"above the maximum of \$200 \[PS-D11, PS-M5\]"),
        (("--seat", "base=10,match=1"), r"below the minimum of \$3 \[PS-D11, PS-M5\]"),
        (("--seat", "base=5", "--schedule", "46"), r"below the minimum of \$10 \[PS-D11, PS-M5\]"),
        (("--seat", "base=10", "--schedule", "99"), "there is no schedule 99"),
        (("--seat", "base=10", "--schedule", "some"), 'a number or "all", not "some"'),
        (("--seat", "base=250", "--schedule", "41"), "does not settle the player-dealer fee"),
        (("--seat", "base=10", "--bank", "1.50"), r"a bank of \$1.50 is not a positive multiple"),
        (("--seat", "base=10", "--bank", "0"), r"a bank of \$0 is not"),
        (("--seat", "base=10", "--bank", str(10**18)), "at most .1,000,000,000, and this is more"),
        (("--seat", f"base={10**18}"), "at most .1,000,000,000, and this is more"),
        (("--bank", "10"), "--bank is for given wagers"),
        (("--schedule", "all"), "--schedule all is for given wagers"),
        (("--seat", "base=10,match=5", "--set", "match=false"), 'no wager "match"'),
        (("--seat", "base=10") * 2 + ("--set", "positions=1"), "positions may be 2 to 7"),
        (
            ("--seat", "base=10") * 2 + ("--set", "positions=2"),
            (
                r"1 seat can play, not 2, since the table has 2 positions, of which the "
                r"player-dealer's gets no cards \[PS-TABLE, PS-T2, PS-D1, PS-M8\]"
            ),
        ),
        (("--seat", "base=10") * 7, "1 to 6 seats can play, not 7"),
    ],
)
def test_what_no_table_takes_is_refused_in_a_sentence(
    arguments: tuple[str, ...], says: str
) -> None:
    with pytest.raises(UpcardError, match=says):
        raise UpcardError(refusal("bank", PURE, *arguments))


def test_house_games_have_no_player_dealer() -> None:
    said = refusal("bank", "blackjack", "--seat", "base=10")
    assert "the house banks Blackjack" in said
    with pytest.raises(UpcardError, match="the house banks Blackjack: there is no player-dealer"):
        bank(compiled("blackjack"), [{"base": 1000}])
    assert PURE in said


# ------------------------------------------------------------------------------ games of one's own


def banked(
    tmp_path: Path, parent: str, cover: str = "limited", measure: str = "net", **settings: str
) -> GameTables:
    return tables_for(str(banked_game(tmp_path, parent, cover=cover, measure=measure)), settings)


@pytest.mark.parametrize(
    ("parent", "wagers"),
    [
        ("blackjack-tie", {"base": 1000, "left-side": 500, "tie-20": 200}),
        ("games-of-chance-blackjack", {"base": 200}),
        ("games-of-chance-blackjack", {"base": 400}),
        ("twisted-21", {"base": 500}),
    ],
)
def test_any_game_with_a_player_dealer(tmp_path: Path, parent: str, wagers: dict[str, int]) -> None:
    report = bank(banked(tmp_path, parent), [wagers, {"base": wagers["base"]}], rounds=200_000)
    assert report.schedules == ()
    for own, sampled in zip(report.seats, report.sample.wagers, strict=True):
        for one in own:
            mean, error = sampled[one.wager]
            assert abs(mean - one.bank_ev) < FAR * error, one


@pytest.mark.parametrize(
    ("parent", "wagers"),
    [
        ("ten-sticks-21", {"base": 500}),
        ("twisted-21", {"base": 500, "stud-bonus": 100, "stud-poker": 500}),
    ],
)
def test_bonus_cards_and_poker_hands_can_be_banked(
    tmp_path: Path, parent: str, wagers: dict[str, int]
) -> None:
    """Whatever the machine can play has a bank's side, limited or not."""
    tables = banked(tmp_path, parent)
    report = bank(tables, [wagers], rounds=300_000)
    for one in report.seats[0]:
        mean, error = report.sample.wagers[0][one.wager]
        assert abs(mean - one.bank_ev) < FAR * error, one
    assert report.gross.ev_error == 0
    small = bank(tables, [wagers], limit=1000, rounds=FEW)
    assert 0 < small.cut_share < 1


def test_what_nobody_wagers_takes_no_other_wagers_place(tmp_path: Path) -> None:
    """Insurance is offered and left out: the base wager is the last one, and all there is."""
    tables = banked(tmp_path, "blackjack", measure="by-wagers")
    table = TableSetup(tables, 500, by_seat=({"base": 500},), bank=2000)
    assert table.columns == ("base",)
    assert (table.amounts_in_units * table.unit).tolist() == [[500]]
    large = bank(tables, [{"base": 500}], limit=100_000, rounds=FEW)
    assert (large.cut_share, large.gross.ev) == (0.0, large.unlimited_ev)
    assert bank(tables, [{"base": 500}], limit=500, rounds=FEW).gross.sd <= 500


def test_prizes_are_no_part_of_what_a_bank_covers_by_amounts_wagered(tmp_path: Path) -> None:
    """Prizes for lights are the house's."""
    tables = banked(tmp_path, "ten-sticks-21", measure="by-wagers", decks="1")
    large = bank(tables, [{"base": 1000}], limit=100_000, rounds=FEW)
    assert (large.cut_share, large.gross.ev) == (0.0, large.unlimited_ev)
    small = bank(tables, [{"base": 1000}], limit=1000, rounds=FEW)
    assert small.cut_share > 0
    assert small.gross.sd <= 1000


def test_fixed_amounts_are_not_simulated_in_parts(tmp_path: Path) -> None:
    tables = banked(tmp_path, "games-of-chance-blackjack", measure="by-wagers")
    with pytest.raises(UpcardError, match="where a result moves a fixed amount"):
        bank(tables, [{"base": 400}], limit=1000, rounds=FEW)
    assert bank(tables, [{"base": 400}], rounds=FEW).limit is None


def test_players_play_for_prizes_by_the_size_of_their_wager(tmp_path: Path) -> None:
    """A prize is a fixed amount: beside $100 it is worth little, and the play goes by that."""
    tables = banked(tmp_path, "ten-sticks-21")
    known = desk(tables, silent)
    small, large = known.solution({BASE: usual_bet(tables)}), known.solution({BASE: 10_000})
    assert large.aim.bet == 10_000 != small.aim.bet
    (base,) = bank(tables, [{BASE: 10_000}], rounds=FEW).seats[0]
    assert base.bank_ev == -10_000 * base_value(known.game, large, 10_000)
    assert base.bank_ev < -10_000 * base_value(known.game, small, 10_000)
    assert known.scales(usual_bet(tables), usual_bet(tables))
    assert not known.scales(usual_bet(tables), 10_000)


def test_chips_and_fixed_amounts_do_not_go_with_the_wager(tmp_path: Path) -> None:
    assert desk(compiled(PURE), silent).scales(300, 600)
    assert not desk(compiled(PURE, chip=100), silent).scales(300, 600)
    assert not desk(banked(tmp_path, "games-of-chance-blackjack"), silent).scales(200, 400)


POKER = {"base": 500, "stud-poker": 500}


def test_a_wager_that_a_bust_loses_has_its_value_from_rounds(tmp_path: Path) -> None:
    stays = bank(banked(tmp_path, "twisted-21"), [POKER], rounds=FEW)
    path = tmp_path / "banked.toml"
    game = path.read_text().replace('"bank"]', '"bank", "wagers.stud-poker.after_bust"]')
    path.write_text(
        game.replace("[clauses]", '[wagers.stud-poker]\nafter_bust = "lost"\n[clauses]')
    )
    report = bank(tables_for(str(path)), [POKER], rounds=FEW)
    assert report.gross.ev_error > 0 == stays.gross.ev_error
    assert report.seats[0][1].error > 0
    assert "exact but for stud-poker" in report.gross.method
    assert report.gross.ev - stays.gross.ev > 10 * report.gross.ev_error


def test_what_no_bank_takes_is_refused(tmp_path: Path) -> None:
    tie = banked(tmp_path, "blackjack-tie", cover="full")
    with pytest.raises(UpcardError, match="covers every wager"):
        bank(tie, [{"base": 500}], limit=1000)
    with pytest.raises(UpcardError, match=r"a base wager of \$4 is below the minimum of \$5"):
        bank(tie, [{"base": 400}])
    with pytest.raises(
        UpcardError, match=r"together are \$6 and may not exceed the base wager of \$5 \[BT-5\]"
    ):
        bank(tie, [{"base": 500, "tie-20": 600}])
    with pytest.raises(UpcardError, match="at least one seat"):
        bank(tie, [])
    with pytest.raises(UpcardError, match="the base wager is mandatory"):
        bank(tie, [{}])
    with pytest.raises(UpcardError, match=r"a base wager is \$2 or \$4"):
        bank(banked(tmp_path, "games-of-chance-blackjack"), [{"base": 300}])


@pytest.mark.usefixtures("few_rounds")
def test_a_game_without_fees_has_no_schedule(tmp_path: Path) -> None:
    banked(tmp_path, "blackjack-tie")
    path = str(tmp_path / "banked.toml")
    assert "no collection fees" in refusal("bank", path, "--schedule", "3")
    done = upcard("bank", path)
    assert (done.status, "Schedule" in done.out, "nobody insures" in done.out) == (0, False, True)
    data = upcard("bank", path, "--json").data
    assert "nobody insures" in data["grid"][0]["gross"]["method"]
    assert (data["schedule"], data["grid"][0]["fees"]) == (None, None)
