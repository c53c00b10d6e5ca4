"""Signing in while the password is changed: what the old one opened does not outlive it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from service.doors import PASSWORD
from service.houses import in_loop
from upcard.service import accounts as module
from upcard.service.accounts import Accounts, Known
from upcard.service.passwords import Passwords
from upcard.service.specs import HouseError
from upcard.service.store import Store

NEW, OTHER = "a new password", "another password"
Meanwhile = Callable[[], Awaitable[object]]


class Slow(Passwords):
    """Passwords that take a while to verify: something else happens in it, once."""

    def __init__(self) -> None:
        super().__init__(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.meanwhile: Meanwhile | None = None

    async def fits(self, password: str, known: str | None) -> bool:
        found = await super().fits(password, known)
        if self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            await act()
        return found


class House:
    """Accounts, with one of somebody who has signed in."""

    def __init__(self, url: str) -> None:
        store = Store(url)
        store.migrate()
        self.passwords = Slow()
        self.accounts = Accounts(store, passwords=self.passwords)

    async def open(self) -> None:
        opened = await self.accounts.register("Clara", PASSWORD)
        self.clara = await self.known(opened.token)

    async def known(self, token: str) -> Known:
        found = await self.accounts.whose(token)
        assert found is not None
        return found

    async def sessions(self) -> list[str]:
        return [one.id for one in await self.accounts.sessions(self.clara.account)]


@asynccontextmanager
async def a_house(url: str) -> AsyncIterator[House]:
    house = House(url)
    await house.open()
    try:
        yield house
    finally:
        house.accounts.store.close()


@in_loop
async def test_the_old_password_opens_nothing_after_it_was_changed(database: str) -> None:
    async with a_house(database) as house:
        accounts = house.accounts
        house.passwords.meanwhile = lambda: accounts.change_password(house.clara, PASSWORD, NEW)
        with pytest.raises(HouseError, match="do not belong together") as error:
            await accounts.sign_in("Clara", PASSWORD)
        assert error.value.code == "forbidden"
        assert await house.sessions() == [house.clara.session]
        assert (await accounts.sign_in("Clara", NEW)).account == house.clara.account


@in_loop
async def test_a_password_that_was_set_meanwhile_is_not_changed_by_the_old_one(
    database: str,
) -> None:
    """Else a thief who is just being locked out would lock out the owner."""
    async with a_house(database) as house:
        accounts = house.accounts
        thief = await house.known((await accounts.sign_in("Clara", PASSWORD)).token)
        house.passwords.meanwhile = lambda: accounts.change_password(house.clara, PASSWORD, NEW)
        with pytest.raises(HouseError, match="was changed in the meantime"):
            await accounts.change_password(thief, PASSWORD, OTHER)
        assert await house.sessions() == [house.clara.session]
        await accounts.sign_in("Clara", NEW)
        with pytest.raises(HouseError):
            await accounts.sign_in("Clara", OTHER)


@in_loop
async def test_a_password_is_changed_with_its_sessions_or_not_at_all(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(database) as house:
        accounts = house.accounts
        other = await accounts.sign_in("Clara", PASSWORD)
        told: list[list[str]] = []
        accounts.on_closed.append(lambda sessions: told.append(list(sessions)))

        def fail(*_: object) -> list[str]:
            raise HouseError("the store is away", "unavailable")

        with monkeypatch.context() as away:
            away.setattr(module, "_close_sessions", fail)
            with pytest.raises(HouseError, match="is away"):
                await accounts.change_password(house.clara, PASSWORD, NEW)
            with pytest.raises(HouseError, match="is away"):
                await accounts.set_password(house.clara.account, NEW)
        assert await accounts.whose(other.token) is not None
        third = await accounts.sign_in("Clara", PASSWORD)
        assert told == []
        await accounts.change_password(house.clara, PASSWORD, NEW)
        assert [set(one) for one in told] == [{other.session, third.session}]
        await accounts.set_password(house.clara.account, OTHER)
        assert told[1:] == [[house.clara.session]]


@in_loop
async def test_an_account_without_a_password_gets_its_first(database: str) -> None:
    async with a_house(database) as house:
        accounts = house.accounts
        code = await accounts.once(await accounts.add_staff("Olga", "operator"))
        olga = await house.known((await accounts.use_once(code)).token)
        await accounts.change_password(olga, "", NEW)
        with pytest.raises(HouseError, match="another one"):
            await accounts.change_password(olga, "", OTHER)
        await accounts.store.run(
            lambda connection: connection.execute(sa.text("UPDATE accounts SET password = NULL"))
        )
        with pytest.raises(HouseError, match="do not belong together"):
            await accounts.sign_in("Olga", NEW)
