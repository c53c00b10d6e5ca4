"""Prices in the store, and results against them: the arithmetic, and what chance makes of it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
import sqlalchemy as sa

import upcard
from depth import deep
from service.houses import in_loop
from upcard import tables_for
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.service import schema
from upcard.service.api.operator import WagerResults
from upcard.service.pricing import (
    POINTS,
    Pair,
    Part,
    Placed,
    Price,
    PriceBook,
    Prices,
    Progress,
    Shared,
    WagerPrice,
    account_of,
    merged,
    part_of,
    placed_at,
    points,
    priced,
    prices_of,
    sizes_of,
)
from upcard.service.store import Store
from upcard.web.pages.operator import EXPLAINED

EVEN = Prices({BASE: WagerPrice({0: Price(-0.01, 1.1)}), "side": WagerPrice({0: Price(-0.1, 5.0)})})


def _at(prices: Prices, size: int, wager: str = BASE) -> Price:
    found = prices.wagers[wager].at(size)
    assert found is not None
    return found


def test_prices_go_by_the_size_where_amounts_are_fixed() -> None:
    assert sizes_of(tables_for("blackjack")) == ()
    assert sizes_of(tables_for("games-of-chance-blackjack")) == (200, 400)
    sizes = sizes_of(tables_for("ten-sticks-21"))
    assert sizes == (500, 1_000, 1_500, 2_000, 4_000, 8_000, 50_000)


def test_every_wager_has_a_price_and_a_tie_costs_the_small_wager_more() -> None:
    prices = prices_of(priced(tables_for("games-of-chance-blackjack")))
    assert set(prices.wagers) == {BASE, "insurance"}
    assert _at(prices, 200).ev < _at(prices, 300).ev < _at(prices, 400).ev < 0
    assert "exact" in _at(prices, 200).method


@pytest.mark.parametrize(
    ("game", "wager"), [("blackjack", "insurance"), ("blackjack-tie", "tie-21"), ("twisted-21", "")]
)
def test_prices_are_those_of_the_odds(game: str, wager: str) -> None:
    prices, odds = prices_of(priced(tables_for(game))), upcard.game(game).odds()
    assert set(prices.wagers) == set(odds.wagers)
    for one in (BASE, wager or BASE):
        assert _at(prices, 500, one).ev == pytest.approx(odds.wagers[one].ev, abs=1e-9)
        assert _at(prices, 500, one).sd == pytest.approx(odds.wagers[one].sd, abs=1e-9)


def test_a_tie_is_priced_by_play_for_the_base_wager_alone() -> None:
    """Whoever plays for a tie of 21 takes more than a base wager a round; the page says so."""
    together = upcard.game("blackjack-tie").odds(bet=500, wagers={"tie-21": 1}).combined
    assert together is not None
    price = _at(prices_of(priced(tables_for("blackjack-tie"))), 500, "tie-21").ev
    assert price == pytest.approx(together.ordinary.wagers["tie-21"], abs=1e-9)
    assert price < -0.1 < 1 < together.adapted.ev
    assert "priced by that play" in " ".join((WagerResults.__doc__ or "").split())
    assert "priced by that play" in EXPLAINED


def test_payments_in_whole_chips_have_prices_by_how_they_are_rounded() -> None:
    """Of $5 a natural wins $7 and not $7.50, of $6 it wins $9."""
    game = upcard.game("blackjack", chip=100)
    assert sizes_of(tables_for("blackjack", {"chip": "50"})) == (), "half of a dollar is a chip"
    prices = prices_of(priced(game.tables))
    exact = _at(prices_of(priced(tables_for("blackjack"))), 600).ev
    for size in (600, 1_200, 40_000):
        assert _at(prices, size).ev == pytest.approx(exact, abs=1e-9)
    played = game.simulate(1_000_000, bet=500, policy="optimal", threads=1).wagers[BASE].figures
    assert abs(played.ev - _at(prices, 500).ev) < 4 * played.stderr
    assert abs(played.ev - exact) > 4 * played.stderr
    for size in (700, 2_500, 9_900):  # between the sizes that are priced
        own = game.odds(bet=size).wagers[BASE]
        assert _at(prices, size).ev == pytest.approx(own.ev, abs=2e-4)
        assert _at(prices, size).sd == pytest.approx(own.sd, abs=0.01)
    assert prices.wagers[BASE].at(650) is None, "no such wager is rounded like another"


def test_insurance_is_priced_also_where_the_smallest_wager_cannot_be_insured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("upcard.service.pricing.sizes_of", lambda _: (100,))
    tables = tables_for("blackjack", {"chip": "100", "table_minimum": "100"})
    assert (
        tables.settlement.largest("insurance", 100)
        == 0
        < tables.settlement.largest("insurance", 1_000)
    )
    # 96 of the 311 cards under an ace are tens, which pay 2 to 1.
    assert _at(prices_of(priced(tables)), 500, "insurance").ev == pytest.approx(3 * 96 / 311 - 1)
    assert "insurance" in upcard.game("blackjack", chip=100, table_minimum=100).odds().wagers


def test_prizes_for_lights_are_no_part_of_a_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many are won goes by how long players stay: they are 4.5 points of a $5 wager at most."""
    monkeypatch.setattr("upcard.service.pricing.sizes_of", lambda _: (500, 1_000))
    game = upcard.game("ten-sticks-21")
    prices = prices_of(priced(game.tables))
    price = _at(prices, 500)
    result = game.simulate(1_000_000, bet=500, policy="optimal", threads=1)
    played, prizes = result.wagers[BASE].figures, result.prizes()
    assert prizes is not None
    assert prizes.value == pytest.approx(0.0446, abs=0.001)
    assert abs(played.ev - prizes.value - price.ev) < 4 * played.stderr
    lights = game.odds(bet=1_000).lights
    assert lights is not None
    assert _at(prices, 1_000).ev == pytest.approx(lights.base_ev, abs=1e-9)
    assert lights.ev == pytest.approx(0.01479, abs=1e-5), "with prizes"


def test_simulated_rounds_are_as_far_from_theory_as_their_error_says() -> None:
    game = upcard.game("games-of-chance-blackjack")
    prices = prices_of(priced(game.tables))
    placed = []
    for stake in (200, 400):
        found = game.simulate(200_000, seed=7, bet=stake, threads=1).wagers[BASE].figures
        net = round(found.ev * stake * found.made)
        placed.append(Placed("t", BASE, stake, found.made, found.made * stake, net))
        alone = account_of("t", _part(1, placed[-1]), prices, house_banks=True).wagers[BASE]
        errors = (_at(prices, stake).ev - found.ev) * math.sqrt(found.made)
        assert alone.z == pytest.approx(errors / _at(prices, stake).sd, abs=1e-3)
        assert abs(found.sd - _at(prices, stake).sd) < 0.01
    total = account_of("t", _part(1, *placed), prices, house_banks=True).total
    assert abs(total.z) < 4
    assert total.expected is not None
    assert total.win == -sum(one.net for one in placed)


@pytest.mark.parametrize(
    ("game", "seats", "wagers"),
    [
        ("blackjack", 5, {}),
        pytest.param("blackjack", 7, {}, marks=deep),
        pytest.param("pure-spanish-21.5", 5, {"match": 1}, marks=deep),
    ],
)
def test_full_tables_swing_as_the_simulated_ones(
    game: str, seats: int, wagers: dict[str, float]
) -> None:
    """Boxes share the dealer's hand, and wagers of a box its cards."""
    played = upcard.game(game)
    prices = prices_of(priced(played.tables))
    result = played.simulate(400_000, bet=500, seats=seats, wagers=wagers, policy="optimal")
    _, sd = result.figures.together("table")
    stakes = {BASE: 500} | {wager: round(500 * ratio) for wager, ratio in wagers.items()}
    box = [Placed("t", wager, stake, 1, stake, 0) for wager, stake in stakes.items()]
    rows = [(position, one) for position in range(seats) for one in box]
    total = account_of("t", part_of(1, rows), prices, house_banks=True).total
    assert total.deviation == pytest.approx(sd.value, rel=0.01)
    apart = sum((stake * _at(prices, stake, wager).sd) ** 2 for wager, stake in stakes.items())
    assert math.sqrt(seats * apart) < 0.9 * sd.value


def test_wagers_of_one_box_share_its_cards() -> None:
    """A tie of 18 wins on the left side as well."""
    game = upcard.game("blackjack-tie")
    prices = prices_of(priced(game.tables))
    figures = game.simulate(400_000, policy="optimal", threads=1).figures
    column = figures.table.column
    for pair in (("left-side", "tie-18"), ("right-side", "tie-20"), (BASE, "left-side")):
        one, other = map(column, pair)
        found, error = figures.covariance()[one][other], figures.covariance_errors()[one][other]
        assert prices.shared[pair].same_box == pytest.approx(found, abs=6 * error), pair
    assert prices.shared["left-side", "tie-18"].same_box > 10


def test_deviations_of_random_wagers_are_standard() -> None:
    """Wagers of many sizes drawn from a side wager's exact chances: z is as it should be."""
    odds = upcard.game("blackjack-tie").odds().wagers["left-side"]
    price = WagerPrice({0: Price(odds.ev, odds.sd)})
    pays = np.array([float(row.pays) for row in odds.returns])
    chances = np.array([row.probability for row in odds.returns])
    dice = np.random.default_rng(21)
    found = []
    for _ in range(400):
        placed = []
        for stake in (100, 500, 2_500):
            won = dice.choice(pays, size=400, p=chances / chances.sum())
            placed.append(Placed("t", "side", stake, 400, 400 * stake, round(won.sum() * stake)))
        account = account_of("t", _part(1, *placed), Prices({"side": price}), house_banks=True)
        found.append(account.wagers["side"].z)
    assert abs(np.mean(found)) < 0.2
    assert abs(np.std(found) - 1) < 0.1


def test_a_win_by_hand() -> None:
    placed = [
        Placed("t", BASE, 1_000, 4, 5_000, -1_500),
        Placed("t", "side", 100, 3, 300, 200),
    ]
    found = account_of("t", _part(1, *placed), EVEN, house_banks=True)
    base = found.wagers[BASE]
    assert (base.win, base.staked, base.action, base.expected) == (1_500, 4_000, 5_000, 40.0)
    assert base.deviation == pytest.approx(math.sqrt(4) * 1_000 * 1.1)
    assert base.z == pytest.approx((1_500 - 40) / 2_200)
    assert base.hold == 1_500 / 4_000
    total = found.total
    assert (total.win, total.expected) == (1_300, 70.0)
    assert total.variance == pytest.approx(4 * 1_100**2 + 3 * 500**2)


def test_what_has_no_price_has_no_expectation() -> None:
    placed = [Placed("t", BASE, 500, 1, 500, -500), Placed("t", "new", 100, 1, 100, 100)]
    found = account_of("t", _part(1, *placed), EVEN, house_banks=True)
    assert found.wagers["new"].expected is None
    assert math.isnan(found.wagers["new"].z)
    assert found.total.expected is None
    assert found.total.win == 400
    assert math.isnan(account_of("t", Part(), EVEN, house_banks=True).total.z)


def test_prizes_are_apart_and_fees_the_houses() -> None:
    placed = [
        Placed("t", BASE, 500, 10, 5_000, -2_000),
        Placed("t", "prize", 0, 1, 0, 5_000),
        Placed("t", "fees", 0, 10, 0, -450),
    ]
    found = account_of("t", _part(1, *placed), EVEN, house_banks=True)
    assert found.wagers[BASE].win == found.total.win == 2_000
    assert (found.fees, found.prizes, found.win) == (450, 5_000, 2_000 + 450)
    curve = points([_part(1, *placed)], EVEN, house_banks=True)
    assert (curve[-1].win, curve[-1].expected) == (2_450, 450 + 50.0)


def test_pairs_of_stakes_by_hand() -> None:
    """Two boxes of $5, one of them with $2 behind it and $1 on the side."""
    rows = [
        (1, Placed("t", BASE, 500, 1, 500, 0)),
        (4, Placed("t", BASE, 500, 1, 500, 0)),
        (4, Placed("t", BASE, 200, 1, 200, 0)),
        (4, Placed("t", "side", 100, 1, 100, 0)),
        (4, Placed("t", "fees", 0, 1, 0, -50)),
    ]
    part = part_of(1, rows)
    assert part.pairs == {
        Pair(BASE, BASE, same_box=False): 500 * 700,
        Pair(BASE, BASE, same_box=True): 500 * 200,
        Pair(BASE, "side", same_box=False): 500 * 100,
        Pair(BASE, "side", same_box=True): 700 * 100,
    }
    shared = {(BASE, BASE): Shared(0.5, 1.21), (BASE, "side"): Shared(0.1, -0.2)}
    found = account_of("t", part, replace(EVEN, shared=shared), house_banks=True)
    # What lies on one hand wins and loses as one wager of $7.
    own = 1.21 * (500**2 + 700**2) + 2 * 0.5 * 500 * 700
    assert found.wagers[BASE].variance == pytest.approx(own)
    assert found.wagers["side"].variance == pytest.approx(500**2)
    both = own + 500**2 + 2 * (0.1 * 50_000 - 0.2 * 70_000)
    assert found.total.variance == pytest.approx(both)
    twice = merged([part, part])
    assert twice.pairs[Pair(BASE, BASE, same_box=False)] == 2 * 500 * 700


def test_where_players_bank_the_house_wins_its_fees_alone() -> None:
    placed = [
        Placed("t", BASE, 500, 10, 5_000, -2_000),
        Placed("t", "bank", 5_000, 10, 5_000, 2_000),
        Placed("t", "fees", 0, 20, 0, -700),
    ]
    found = account_of("t", _part(1, *placed), EVEN, house_banks=False)
    assert (found.win, found.fees, found.bank) == (700, 700, 2_000)
    curve = points([_part(1, *placed)], EVEN, house_banks=False)
    assert (curve[-1].win, curve[-1].expected, curve[-1].deviation) == (700, 700.0, 0.0)


def _part(last: int, *placed: Placed) -> Part:
    """Wagers that did not lie on the table together."""
    part = Part(last)
    for one in placed:
        part.add(one)
    return part


def test_a_long_progress_keeps_its_sums_in_few_parts() -> None:
    progress = Progress("t")
    rounds = [
        part_of(number, [(1, Placed("t", BASE, 500 * (1 + number % 3), 1, 500, (-1) ** number))])
        for number in range(1, 5_001)
    ]
    for start in range(0, len(rounds), 700):
        progress.add(rounds[start : start + 700])
    assert progress.last == 5_000
    assert len(progress.parts) <= 2 * POINTS
    assert sum(one.count for one in progress.whole.placed.values()) == 5_000
    assert progress.whole.last == 5_000
    assert sum(one.net for one in progress.whole.placed.values()) == 0
    curve = points(progress.parts, EVEN, house_banks=True)
    total = account_of("t", progress.whole, EVEN, house_banks=True).total
    assert curve[0].round == 0
    assert curve[-1].round == 5_000
    assert curve[-1].win == total.win
    assert curve[-1].expected == pytest.approx(total.expected)
    assert curve[-1].deviation == pytest.approx(total.deviation)
    assert [point.round for point in curve] == sorted({point.round for point in curve})


# ---------------------------------------------------------------------- in the store


def _result(
    number: int, wager: str, stake: int, net: int, player: str = "Ann", position: int = 1
) -> dict[str, object]:
    return {
        "table_id": "t",
        "round": number,
        "position": position,
        "player": player,
        "wager": wager,
        "account": "",
        "stake": stake,
        "action": stake,
        "net": net,
        "ended": f"2026-01-01T00:{number:02}:00.000Z",
    }


def _write(connection: sa.Connection, *rows: dict[str, object]) -> None:
    connection.execute(schema.results.insert(), rows)


@in_loop
async def test_results_are_read_on_from_round_to_round(database: str) -> None:
    store = Store(database)
    store.migrate()
    progress = Progress("t")
    await store.run(
        _write,
        _result(1, BASE, 500, -500),
        _result(1, BASE, 500, 750, "Ben", 2),
        _result(2, "fees", 0, -50),
    )
    await progress.read_on(store)
    assert progress.last == 2
    await progress.read_on(store)
    await store.run(_write, _result(3, BASE, 1_000, 1_000))
    await progress.read_on(store)
    expected = [
        Placed("t", BASE, 500, 2, 1_000, 250),
        Placed("t", BASE, 1_000, 1, 1_000, 1_000),
        Placed("t", "fees", 0, 1, 0, -50),
    ]
    by_size = sorted(progress.whole.placed.values(), key=lambda one: (one.wager, one.stake))
    assert by_size == expected
    assert progress.whole.pairs == {Pair(BASE, BASE, same_box=False): 500 * 500}
    assert await placed_at(store) == {"t": expected}
    store.close()


@in_loop
async def test_a_game_is_priced_once_for_all_servers(sqlite_url: str) -> None:
    store = Store(sqlite_url)
    store.migrate()
    asked: list[str] = []

    async def work(game: str, settings: Mapping[str, str]) -> dict[str, Price]:
        await asyncio.sleep(0)
        asked.append(f"{game} {dict(settings)}")
        return {"base@500": Price(-0.02, 1.1, "by hand"), "side": Price(-0.1, 4.0, "by hand")}

    book = PriceBook(store, work)
    assert await book.of("print") == Prices()
    book.want("print", "a-game", {"decks": "2"})
    book.want("print", "a-game", {"decks": "2"})
    await book.ready()
    assert asked == ["a-game {'decks': '2'}"]
    assert (await book.of("print")).wagers[BASE].at(500) == Price(-0.02, 1.1, "by hand")
    other = PriceBook(store, work)
    other.want("print", "a-game", {"decks": "2"})
    await other.ready()
    assert len(asked) == 1
    assert set((await other.of("print")).wagers) == {BASE, "side"}
    store.close()


@in_loop
async def test_prices_of_an_older_program_are_worked_out_anew(sqlite_url: str) -> None:
    store = Store(sqlite_url)
    store.migrate()

    def old(connection: sa.Connection) -> None:
        row = {"fingerprint": "print", "wager": BASE, "ev": 0.5, "sd": 9.0, "method": "old"}
        connection.execute(schema.prices.insert(), row)

    async def work(*_: object) -> dict[str, Price]:
        return {BASE: Price(-0.01, 1.0)}

    await store.run(old)
    book = PriceBook(store, work)
    assert await book.of("print") == Prices()
    book.want("print", "a-game", {})
    await book.ready()
    assert _at(await PriceBook(store, work).of("print"), 500).ev == -0.01
    store.close()


@in_loop
async def test_a_game_that_cannot_be_priced_stops_nobody(sqlite_url: str) -> None:
    store = Store(sqlite_url)
    store.migrate()

    async def work(game: str, settings: Mapping[str, str]) -> dict[str, Price]:
        if game == "bad":
            raise UpcardError(f"this cannot be solved with {dict(settings)}")
        return {BASE: Price(-0.01, 1.0)}

    book = PriceBook(store, work)
    book.want("one", "bad", {})
    book.want("two", "good", {})
    await book.ready()
    assert await book.of("one") == Prices()
    assert set((await book.of("two")).wagers) == {BASE}
    assert "one" in book.failed
    store.close()


def test_parts_of_the_same_kind_and_size_come_together() -> None:
    one = Placed("t", BASE, 500, 1, 500, -500)
    found = merged([_part(1, one), _part(4, one, replace(one, stake=100, action=100))])
    assert found.last == 4
    assert found.placed[BASE, 500] == Placed("t", BASE, 500, 2, 1_000, -1_000)
    assert found.placed[BASE, 100].count == 1
