"""Accounts, when the same thing is asked for twice at the same moment, at one server or at two."""

from __future__ import annotations

import asyncio

from service.houses import in_loop, purses
from upcard.service.accounts import Accounts, SignedIn
from upcard.service.records import FIRST_PURSE
from upcard.service.specs import Account, HouseError
from upcard.service.store import Store


async def _pair(url: str) -> tuple[Accounts, Accounts]:
    stores = Store(url), Store(url)
    stores[0].migrate()
    return Accounts(stores[0]), Accounts(stores[1])


async def _close(*accounts: Accounts) -> None:
    for one in accounts:
        one.store.close()


@in_loop
async def test_a_link_that_works_once_works_once(database: str) -> None:
    pair = await _pair(database)
    staff = await pair[0].add_staff("Olga", "operator")
    for _ in range(5):
        code = await pair[0].once(staff)
        answers = await asyncio.gather(
            *(one.use_once(code) for one in pair * 3), return_exceptions=True
        )
        assert sum(isinstance(answer, SignedIn) for answer in answers) == 1
        assert sum(isinstance(answer, HouseError) for answer in answers) == 5
    await _close(*pair)


@in_loop
async def test_a_purse_that_is_filled_at_once_is_filled_once(database: str) -> None:
    pair = await _pair(database)
    account = (await pair[0].guest()).account
    for number in range(5):
        await _spend(pair[0], account, 1000 + number)
        answers = await asyncio.gather(
            *(one.refill(account) for one in pair * 3), return_exceptions=True
        )
        refused = [answer for answer in answers if isinstance(answer, HouseError)]
        assert len(refused) == 5, answers
        assert {str(error) for error in refused} == {
            "your purse is full: there is as much in it as everybody begins with"
        }
        assert (await purses(pair[0].store))[account.id] == FIRST_PURSE
    await _close(*pair)


async def _spend(accounts: Accounts, account: Account, amount: int) -> None:
    from upcard.service import records

    movement = records.Movement(account.id, -amount, "spent")
    await accounts.store.run(records.move, movement, accounts.now(), None, None)


@in_loop
async def test_a_name_belongs_to_one_account(database: str) -> None:
    pair = await _pair(database)
    answers = await asyncio.gather(
        *(one.register("Zoe", "correct horse 9") for one in pair * 2), return_exceptions=True
    )
    assert sum(isinstance(answer, SignedIn) for answer in answers) == 1
    assert all(
        'the name "Zoe" is taken' in str(answer)
        for answer in answers
        if isinstance(answer, BaseException)
    )
    await _close(*pair)


@in_loop
async def test_the_last_operator_stays_one(database: str) -> None:
    pair = await _pair(database)
    ops = [await pair[0].add_staff(name, "operator") for name in ("Olga", "Otto")]
    await asyncio.gather(
        *(one.set_role(op.id, "auditor") for one, op in zip(pair, ops, strict=True)),
        return_exceptions=True,
    )
    assert len(await pair[0].operators()) >= 1
    await _close(*pair)
