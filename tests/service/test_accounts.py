"""Accounts: guests, names, passwords, sessions, tokens, roles and own limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from service.doors import PASSWORD, Time, new_accounts
from upcard.service import records, schema
from upcard.service.accounts import Accounts, Known, SignedIn
from upcard.service.names import check_name, key_of
from upcard.service.specs import HouseError

Story = Callable[[Accounts, Time], Coroutine[Any, Any, None]]


@pytest.fixture
def told(sqlite_url: str) -> Callable[[Story], None]:
    """Runs a story with accounts of its own."""
    return lambda story: _run(sqlite_url, story)


@pytest.fixture
def told_anywhere(database: str) -> Callable[[Story], None]:
    """The same on either database."""
    return lambda story: _run(database, story)


def _run(url: str, story: Story) -> None:
    time = Time()
    accounts = new_accounts(url, time)
    try:
        asyncio.run(story(accounts, time))
    finally:
        accounts.store.close()


async def known(accounts: Accounts, opened: SignedIn) -> Known:
    found = await accounts.whose(opened.token)
    assert found is not None
    return found


async def refused(work: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(HouseError) as error:
        await work
    return str(error.value)


# ------------------------------------------------------------------ names


@pytest.mark.parametrize("name", ["Zoë", "O'Neil", "J. R.", "Müller-Lüdenscheidt", "Игорь", "明子"])
def test_names_of_all_the_world_are_taken(name: str) -> None:
    assert check_name(f" {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "<b>Ann</b>",
        "Ann&amp;",
        'Ann"',
        "Ann`",
        "{{7*7}}",
        "Ann\u202enaej",
        "Ann\u200b",
        "Ann\x00",
        "Ann\n",
        "Ann\u3164",
        "Ann\ufe0f",
        "=SUM(A1)",
        "@Ann",
        "-Ann",
        "_",
        "12",
        "A",
        "A" * 25,
        "A\u0301\u0301\u0301\u0301nn",
        "\u0410nn",  # a Cyrillic capital, with Latin letters behind it
        "Ada",
        "ADA",
        "prop",
        "Dealer",
        "Guest 123456",
        "guest.x",
        "Operator",
    ],
)
def test_names_that_could_do_something_are_refused(name: str) -> None:
    with pytest.raises(HouseError) as error:
        check_name(name)
    assert "<" not in str(error.value)


def test_names_are_the_same_to_the_eye_whatever_their_letters() -> None:
    assert key_of("Boxer") == key_of("BOXER") == key_of("\uff22oxer") == key_of("Bo\u0445er")
    assert key_of("Ann B") == key_of("ann_b") != key_of("annb")


def test_a_name_is_had_once(told_anywhere: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        await accounts.register("Zoë", PASSWORD)
        said = await refused(accounts.register("ZOË", PASSWORD))
        assert "is taken" in said
        assert (await accounts.by_name("zoë")).name == "Zoë"

    told_anywhere(story)


# ------------------------------------------------------------------ in and out


def test_a_guest_who_registers_keeps_purse_and_history(
    told_anywhere: Callable[[Story], None],
) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        guest = await accounts.guest()
        assert guest.account.role == "guest"
        assert guest.account.name.startswith("Guest ")
        movement = records.Movement(guest.account.id, -2500, "chips bought")
        await accounts.store.run(records.move, movement, accounts.now(), "t1", 3)
        closed: list[str] = []
        accounts.on_closed.append(closed.extend)
        player = await accounts.register("Zoë", PASSWORD, guest=await known(accounts, guest))
        assert (player.account.id, player.account.role) == (guest.account.id, "player")
        purse = await accounts.purse(player.account)
        assert purse.money == records.FIRST_PURSE - 2500
        assert [one.why for one in purse.movements] == ["chips bought", "welcome"]
        assert await accounts.whose(guest.token) is None, "the old cookie is of no more use"
        assert closed == [guest.session]

    told_anywhere(story)


def test_a_registered_player_makes_another_account(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        one = await accounts.register("Zoë", PASSWORD)
        two = await accounts.register("Yan", PASSWORD, guest=await known(accounts, one))
        assert one.account.id != two.account.id
        assert await accounts.whose(one.token) is not None

    told(story)


def test_a_guest_registers_once(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        guest = await known(accounts, await accounts.guest())
        await accounts.register("Zoë", PASSWORD, guest=guest)
        assert "registered already" in await refused(
            accounts.register("Yan", PASSWORD, guest=guest)
        )

    told(story)


def test_unknown_names_take_the_same_work_and_words(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        await accounts.register("Zoë", PASSWORD)
        compared: list[str] = []

        class Counting(PasswordHasher):
            def verify(self, hash: str | bytes, password: str | bytes) -> Any:  # noqa: A002
                compared.append(str(hash).split("$")[3])
                return super().verify(hash, password)

        accounts.passwords.hasher = Counting(time_cost=1, memory_cost=8, parallelism=1)
        wrong = await refused(accounts.sign_in("Zoë", "another password"))
        nobody = await refused(accounts.sign_in("Nobody", "another password"))
        guest = await accounts.guest()
        none = await refused(accounts.sign_in(guest.account.name, "another password"))
        assert wrong == nobody == none
        assert len(compared) == 3
        assert len(set(compared)) == 1, "the same parameters, so the same time"
        assert (await accounts.sign_in("zOË", PASSWORD)).account.name == "Zoë"

    told(story)


@pytest.mark.parametrize("password", ["short", "x" * 201, "aaaaaaaaaa"])
def test_poor_passwords_are_refused(told: Callable[[Story], None], password: str) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        assert "password" in await refused(accounts.register("Zoë", password))

    told(story)


def test_what_opens_a_session_is_not_in_the_store(
    told: Callable[[Story], None], tmp_path: Path
) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        opened = await accounts.register("Zoë", PASSWORD)
        token = await accounts.new_token(opened.account, "bot")
        code = await accounts.once(opened.account)
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        assert opened.session.encode() in kept
        for secret in (opened.token, token.token, code, PASSWORD):
            assert len(secret) > 12
            assert secret.encode() not in kept

    told(story)


def test_sessions_end(told_anywhere: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, time: Time) -> None:
        opened = await accounts.register("Zoë", PASSWORD)
        other = await accounts.sign_in("Zoë", PASSWORD)
        time.pass_by(days=14)
        assert not await accounts.renew(await known(accounts, opened)), "half of it is left"
        time.pass_by(days=2)
        assert await accounts.renew(await known(accounts, opened))
        time.pass_by(days=15)
        assert await accounts.whose(other.token) is None, "it is over"
        assert (await known(accounts, opened)).session == opened.session
        assert await accounts.closed_among([opened.session, other.session]) == [other.session]
        await accounts.sign_out(opened.session)
        assert await accounts.whose(opened.token) is None
        assert await accounts.whose("") is None
        assert await accounts.whose("\ud800") is None

    told_anywhere(story)


def test_tokens_are_made_listed_and_revoked(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        mine = (await accounts.register("Zoë", PASSWORD)).account
        others = (await accounts.register("Yan", PASSWORD)).account
        token = await accounts.new_token(mine, "my bot")
        (listed,) = await accounts.sessions(mine, "token")
        assert (listed.label, listed.id) == ("my bot", token.session)
        assert "no such session" in await refused(accounts.close_session(others, token.session))
        assert await accounts.whose(token.token) is not None
        await accounts.close_session(mine, token.session)
        assert await accounts.whose(token.token) is None
        assert await accounts.sessions(mine, "token") == []
        guest = await accounts.guest()
        assert "register" in await refused(accounts.new_token(guest.account, ""))
        # A request of a session that has been closed since it was let in.
        opened = await accounts.sign_in("Zoë", PASSWORD)
        await accounts.new_token(mine, "in time", by=opened.session)
        await accounts.close_session(mine, opened.session)
        late = accounts.new_token(mine, "late", by=opened.session)
        assert "closed in the meantime" in await refused(late)
        assert [one.label for one in await accounts.sessions(mine, "token")] == ["in time"]

    told(story)


def test_a_new_password_closes_all_other_sessions(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        first = await accounts.register("Zoë", PASSWORD)
        second = await accounts.sign_in("Zoë", PASSWORD)
        token = await accounts.new_token(first.account, "")
        me = await known(accounts, second)
        said = await refused(accounts.change_password(me, "not the old one", "a new password"))
        assert "another one" in said
        await accounts.change_password(me, PASSWORD, "a new password")
        assert await accounts.whose(second.token) is not None
        assert await accounts.whose(first.token) is None
        assert await accounts.whose(token.token) is None
        await refused(accounts.sign_in("Zoë", PASSWORD))
        await accounts.sign_in("Zoë", "a new password")

    told(story)


def test_a_link_works_once_and_for_a_day(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, time: Time) -> None:
        staff = await accounts.add_staff("Operator", "operator")
        code, late = await accounts.once(staff), await accounts.once(staff)
        assert await accounts.whose(code) is None, "it is no token"
        opened = await accounts.use_once(code)
        assert opened.account.role == "operator"
        await refused(accounts.use_once(code))
        await accounts.change_password(await known(accounts, opened), "", "a first password")
        time.pass_by(hours=25)
        await refused(accounts.use_once(late))
        await refused(accounts.use_once(opened.token))

    told(story)


# ------------------------------------------------------------------ roles


def test_the_last_operator_stays_one(told_anywhere: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        boss = await accounts.add_staff("Operator", "operator")
        player = (await accounts.register("Zoë", PASSWORD)).account
        guest = (await accounts.guest()).account
        assert "needs an operator" in await refused(accounts.set_role(boss.id, "player"))
        await refused(accounts.set_role(guest.id, "auditor"))
        await refused(accounts.set_role("nobody", "auditor"))
        await accounts.set_role(player.id, "operator")
        assert (await accounts.set_role(boss.id, "auditor")).role == "auditor"
        assert [one.name for one in await accounts.operators()] == ["Zoë"]
        assert {one.name for one in await accounts.listed()} == {"Operator", "Zoë", guest.name}

    told_anywhere(story)


# ------------------------------------------------------------------ money and limits


def test_a_purse_is_filled_up_to_the_first_money(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, _: Time) -> None:
        guest = (await accounts.guest()).account
        assert "is full" in await refused(accounts.refill(guest))
        movement = records.Movement(guest.id, -999, "chips bought")
        await accounts.store.run(records.move, movement, accounts.now(), None, None)
        assert (await accounts.refill(guest)).money == records.FIRST_PURSE

    told(story)


def test_lower_limits_hold_at_once_and_higher_ones_after_a_day(
    told_anywhere: Callable[[Story], None],
) -> None:
    async def story(accounts: Accounts, time: Time) -> None:
        who = (await accounts.guest()).account
        first = await accounts.set_limits(who, loss=5000, minutes=60)
        assert (first.loss, first.minutes, first.pending) == (5000, 60, None)
        lower = await accounts.set_limits(who, loss=2000, minutes=60)
        assert (lower.loss, lower.pending) == (2000, None)
        mixed = await accounts.set_limits(who, loss=None, minutes=30)
        assert (mixed.loss, mixed.minutes) == (2000, 30)
        assert mixed.pending is not None
        time.pass_by(hours=23)
        assert (await accounts.limits(who)).loss == 2000
        time.pass_by(hours=1)
        after = await accounts.limits(who)
        assert (after.loss, after.minutes, after.pending) == (None, 30, None)
        for loss, minutes in ((-1, None), (None, 1441)):
            await refused(accounts.set_limits(who, loss=loss, minutes=minutes))

    told_anywhere(story)


def test_a_second_thought_takes_back_a_raise(told: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, time: Time) -> None:
        who = (await accounts.guest()).account
        await accounts.set_limits(who, loss=2000, minutes=None)
        await accounts.set_limits(who, loss=9000, minutes=None)
        assert (await accounts.set_limits(who, loss=2000, minutes=None)).pending is None
        time.pass_by(hours=48)
        assert (await accounts.limits(who)).loss == 2000

    told(story)


def test_the_day_counts_what_was_lost_today(told_anywhere: Callable[[Story], None]) -> None:
    async def story(accounts: Accounts, time: Time) -> None:
        who = (await accounts.guest()).account

        def result(connection: Any, number: int, net: int) -> None:
            row = {"table_id": "t", "round": number, "position": 1, "player": "x", "wager": "base"}
            row |= {"account": who.id, "stake": 500, "action": 500, "net": net}
            connection.execute(schema.results.insert().values(**row, ended=accounts.now()))

        await accounts.store.run(result, 1, -700)
        time.pass_by(hours=24)
        await accounts.store.run(result, 2, -500)
        await accounts.store.run(result, 3, 200)
        standing = await accounts.standing(who)
        assert (standing.lost, standing.limits.loss) == (300, None)

    told_anywhere(story)
