"""Names that look like staff, or like somebody else."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from alembic import command

from service.doors import PASSWORD, Time, cheap_passwords, new_accounts
from service.houses import in_loop
from upcard.service import schema
from upcard.service.accounts import Accounts
from upcard.service.names import check_name, key_of, look_of
from upcard.service.specs import HouseError
from upcard.service.store import Store


@pytest.mark.parametrize(
    "name",
    [
        "\ua4f3\ua4d1\ua4f0\ua4e3\ua4ee\ua4d4\ua4f3\ua4e3",  # OPERATOR in Lisu
        "\ua4ee\ua4e0\ua4e0",  # ANN in Lisu
        "\u13aaNN",  # a Cherokee A
        "\u13aa\ua4e0\ua4e0",  # Cherokee and Lisu
        "Oper\u0251tor",  # a letter of phonetics
        "Dea\u01c0er",  # a click
        "\U0001d400nn",  # a mathematical letter
        "\uff21nn",  # a wide one
        "\u1d00nn",  # a small capital
        "Ann\u0660",  # an Arabic digit
        "A\u0332nn",  # a line below
        "Ann\u4e00",  # a Chinese word behind Latin letters
        "\u0410\u03bd\u03bd",  # Cyrillic and Greek
        "\uac00\u4e00",  # Korean and Chinese
    ],
)
def test_letters_of_no_alphabet_or_of_two_are_refused(name: str) -> None:
    with pytest.raises(HouseError, match="alphabet"):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("0perator", "0PERAT0R", "DeaIer", "Dea1er", "B0T", "FInn", "F1nn", "C1eo", "1ayout"),
        *("adm\u0131n", "admi\u0307n"),  # an i without its dot, and one with another
        *("\u0392\u039f\u03a4", "\u0412\u041e\u0422"),  # BOT in Greek and in Cyrillic
    ],
)
def test_names_that_look_like_the_house_are_refused(name: str) -> None:
    with pytest.raises(HouseError, match="of the house's own"):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Zoë", "Łukasz", "Şükrü I\u015f\u0131k", "Ștefan", "Nguyễn Thị Ánh", "Bjørn", "Ẹ̀bùn"),
        *("Ελένη", "Ђорђе", "Әлия", "Արմեն", "ნინო", "דוד", "محمد", "پروین", "नीता", "রবি"),
        *("கமலா", "సీత", "สมชาย", "山田 太郎", "さくら", "ユーザー", "민수", "Ann 7 ♠"),
    ],
)
def test_the_alphabets_of_many_people_are_taken(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Clara", ["CIara", "C1ara", "CLARA", "ciara"]),
        ("Bobo", ["B0bo", "BOB0", "\u0412\u043e\u0412\u043e"]),
        ("Bill", ["BiIl", "B111", "Bi\u0131l", "Bi\u0307ll"]),
        ("Noël", ["NOËI", "N0ël"]),
        ("coc", ["\u0441\u043e\u0441"]),  # Latin, and Cyrillic all through
        ("\u0401\u0441", ["Ëc"]),
        ("\u30ed\u30ab", ["\u53e3\u529b"]),  # sounds of Japanese, and words that are drawn so
    ],
)
@in_loop
async def test_nobody_gets_a_name_that_looks_like_somebodys(
    sqlite_url: str, first: str, then: list[str]
) -> None:
    accounts = new_accounts(sqlite_url, Time())
    opened = await accounts.register(first, PASSWORD)
    guest = await accounts.guest()
    known = await accounts.whose(guest.token)
    for name in then:
        with pytest.raises(HouseError, match="is taken"):
            await accounts.register(name, PASSWORD)
        with pytest.raises(HouseError, match="is taken"):
            await accounts.register(name, PASSWORD, guest=known)
    assert (await accounts.sign_in(first.upper(), PASSWORD)).account == opened.account
    accounts.store.close()


def test_names_that_only_resemble_each_other_are_two() -> None:
    pairs = (("Zoe", "Zoë"), ("Ann", "Anna"), ("Ann", "Ann ♠"), ("Bo", "B o"), ("Jan", "Ian"))
    for one, other in pairs:
        assert look_of(one) != look_of(other)
        assert key_of(one) != key_of(other)


@in_loop
async def test_who_registered_before_stays_and_keeps_the_name(database: str) -> None:
    """Two who looked alike before this was minded both sign in; a third does not come."""
    store = Store(database)
    config = store.migrations()
    with store.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    passwords = cheap_passwords()
    hashed = await passwords.hashed(PASSWORD)
    lisu = "\ua4ee\ua4e0\ua4e0"
    names = ("Clara", "CIara", "Bob", lisu, "Guest 100001")

    def fill(connection: sa.Connection) -> None:
        for number, name in enumerate(names):
            role = "guest" if name.startswith("Guest") else "player"
            values = {"id": f"{9 - number}", "name": name, "key": key_of(name), "role": role}
            day = f"2026-05-0{number + 1}T12:00:00.000Z"
            insert = sa.insert(schema.accounts).values(**values, password=hashed, created=day)
            connection.execute(insert)

    store.run_now(fill)
    store.migrate()
    accounts = Accounts(store, passwords=passwords)
    for number, name in enumerate(names[:4]):
        opened = await accounts.sign_in(name.lower(), PASSWORD)
        assert (opened.account.id, opened.account.name) == (f"{9 - number}", name)
    for name in ("C1ara", "clara", "ciara", "B0b", "BOB"):
        with pytest.raises(HouseError, match="is taken"):
            await accounts.register(name, PASSWORD)
    for name in ("Dora", "Anne"):
        await accounts.register(name, PASSWORD)
    assert [one.name for one in await accounts.listed(search="clara")] == ["Clara"]
    assert len(await accounts.listed()) == len(names) + 2
    store.close()
