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
from service.houses import in_loop
from upcard import tables_for
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.service import schema
from upcard.service.pricing import (
    POINTS,
    Part,
    Placed,
    Price,
    PriceBook,
    Progress,
    WagerPrice,
    account_of,
    by_wager,
    merged,
    placed_at,
    points,
    priced,
    sizes_of,
)
from upcard.service.store import Store

EVEN = {BASE: WagerPrice({0: Price(-0.01, 1.1)}), "side": WagerPrice({0: Price(-0.1, 5.0)})}


def test_prices_go_by_the_size_where_amounts_are_fixed() -> None:
    assert sizes_of(tables_for("blackjack")) == ()
    assert sizes_of(tables_for("games-of-chance-blackjack")) == (200, 400)
    low, middle, high = sizes_of(tables_for("ten-sticks-21"))
    assert (low, high) == (500, 50_000)
    assert middle % 100 == 0


def test_every_wager_has_a_price_and_a_tie_costs_the_small_wager_more() -> None:
    prices = by_wager(priced(tables_for("games-of-chance-blackjack")))
    assert set(prices) == {BASE, "insurance"}
    assert prices[BASE].at(200).ev < prices[BASE].at(400).ev < 0
    assert prices[BASE].at(200).ev < prices[BASE].at(300).ev < prices[BASE].at(400).ev
    assert "exact" in prices[BASE].at(200).method


def test_simulated_rounds_are_as_far_from_theory_as_their_error_says() -> None:
    game = upcard.game("games-of-chance-blackjack")
    prices = by_wager(priced(game.tables))
    placed = []
    for stake in (200, 400):
        found = game.simulate(200_000, seed=7, bet=stake, threads=1).wagers[BASE].figures
        net = round(found.ev * stake * found.made)
        placed.append(Placed("t", BASE, stake, found.made, found.made * stake, net))
        alone = account_of("t", placed[-1:], prices, house_banks=True).wagers[BASE]
        errors = (prices[BASE].at(stake).ev - found.ev) * math.sqrt(found.made)
        assert alone.z == pytest.approx(errors / prices[BASE].at(stake).sd, abs=1e-3)
        assert abs(found.sd - prices[BASE].at(stake).sd) < 0.01
    total = account_of("t", placed, prices, house_banks=True).total
    assert abs(total.z) < 4
    assert total.expected is not None
    assert total.win == -sum(one.net for one in placed)


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
        account = account_of("t", placed, {"side": price}, house_banks=True)
        found.append(account.wagers["side"].z)
    assert abs(np.mean(found)) < 0.2
    assert abs(np.std(found) - 1) < 0.1


def test_a_win_by_hand() -> None:
    placed = [
        Placed("t", BASE, 1_000, 4, 5_000, -1_500),
        Placed("t", "side", 100, 3, 300, 200),
    ]
    found = account_of("t", placed, EVEN, house_banks=True)
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
    found = account_of("t", placed, EVEN, house_banks=True)
    assert found.wagers["new"].expected is None
    assert math.isnan(found.wagers["new"].z)
    assert found.total.expected is None
    assert found.total.win == 400
    assert math.isnan(account_of("t", [], EVEN, house_banks=True).total.z)


def test_prizes_belong_to_the_base_wager_and_fees_to_the_house() -> None:
    placed = [
        Placed("t", BASE, 500, 10, 5_000, -2_000),
        Placed("t", "prize", 0, 1, 0, 5_000),
        Placed("t", "fees", 0, 10, 0, -450),
    ]
    found = account_of("t", placed, EVEN, house_banks=True)
    assert found.wagers[BASE].win == 2_000 - 5_000
    assert (found.fees, found.prizes, found.win) == (450, 5_000, -3_000 + 450)


def test_where_players_bank_the_house_wins_its_fees_alone() -> None:
    placed = [
        Placed("t", BASE, 500, 10, 5_000, -2_000),
        Placed("t", "bank", 5_000, 10, 5_000, 2_000),
        Placed("t", "fees", 0, 20, 0, -700),
    ]
    found = account_of("t", placed, EVEN, house_banks=False)
    assert (found.win, found.fees, found.bank) == (700, 700, 2_000)
    curve = points([merged([_part(1, *placed)])], EVEN, house_banks=False)
    assert (curve[-1].win, curve[-1].expected, curve[-1].deviation) == (700, 700.0, 0.0)


def _part(last: int, *placed: Placed) -> Part:
    part = Part(last, {})
    for one in placed:
        part.add(one)
    return part


def test_a_long_progress_keeps_its_sums_in_few_parts() -> None:
    progress = Progress("t")
    rows = [
        (number, Placed("t", BASE, 500 * (1 + number % 3), 1, 500, (-1) ** number * number))
        for number in range(1, 5_001)
    ]
    for start in range(0, len(rows), 700):
        progress.add(rows[start : start + 700])
    assert progress.last == 5_000
    assert len(progress.parts) <= 2 * POINTS
    assert sum(one.count for one in progress.placed) == 5_000
    assert sum(one.net for one in progress.placed) == sum(one.net for _, one in rows)
    curve = points(progress.parts, EVEN, house_banks=True)
    total = account_of("t", progress.placed, EVEN, house_banks=True).total
    assert curve[0].round == 0
    assert curve[-1].round == 5_000
    assert curve[-1].win == total.win
    assert curve[-1].expected == pytest.approx(total.expected)
    assert curve[-1].deviation == pytest.approx(total.deviation)
    assert [point.round for point in curve] == sorted({point.round for point in curve})


# ---------------------------------------------------------------------- in the store


def _result(
    number: int, wager: str, stake: int, net: int, player: str = "Ann"
) -> dict[str, object]:
    return {
        "table_id": "t",
        "round": number,
        "position": 1,
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
        _result(1, BASE, 500, 750, "Ben"),
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
    by_size = sorted(progress.placed, key=lambda one: (one.wager, one.stake))
    assert by_size == expected
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
    assert await book.of("print") == {}
    book.want("print", "a-game", {"decks": "2"})
    book.want("print", "a-game", {"decks": "2"})
    await book.ready()
    assert asked == ["a-game {'decks': '2'}"]
    assert (await book.of("print"))[BASE].at(500) == Price(-0.02, 1.1, "by hand")
    other = PriceBook(store, work)
    other.want("print", "a-game", {"decks": "2"})
    await other.ready()
    assert len(asked) == 1
    assert set(await other.of("print")) == {BASE, "side"}
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
    assert await book.of("one") == {}
    assert set(await book.of("two")) == {BASE}
    assert "one" in book.failed
    store.close()


def test_parts_of_the_same_kind_and_size_come_together() -> None:
    one = Placed("t", BASE, 500, 1, 500, -500)
    found = merged([_part(1, one), _part(4, one, replace(one, stake=100, action=100))])
    assert found.last == 4
    assert found.placed[BASE, 500] == Placed("t", BASE, 500, 2, 1_000, -1_000)
    assert found.placed[BASE, 100].count == 1
