"""The page of the lobby, when there are many tables."""

from __future__ import annotations

from typing import Any

import msgspec
from nicegui.client import Client
from nicegui.page import page

from upcard.service.specs import SeatInfo, TableInfo, TableSpec
from upcard.web.pages.lobby import Lobby
from upcard.web.views import Views
from web.serving import Serving


class Counted:
    """A table that counts how often its id is looked at."""

    looks = 0

    def __init__(self, info: TableInfo) -> None:
        self.info = info

    def __getattr__(self, name: str) -> Any:
        Counted.looks += name == "id"
        return getattr(self.info, name)


def _tables(like: TableInfo, count: int) -> list[TableInfo]:
    return [msgspec.structs.replace(like, id=f"t{number:05}") for number in range(count)]


def _new(serving: Serving) -> TableInfo:
    spec = TableSpec("blackjack", seconds=0, wager_seconds=0)
    return serving.call(serving.house.open_table(spec, None))


def test_what_is_looked_at_grows_as_the_tables_do(serving: Serving) -> None:
    like = _new(serving)

    async def looks(count: int) -> int:
        with Client(page(""), request=None):
            shown: list[Any] = [Counted(info) for info in _tables(like, count)]
            lobby = Lobby(shown)
            Counted.looks = 0
            lobby.update(shown, set())
            return Counted.looks

    few, many = serving.call(looks(20)), serving.call(looks(80))
    assert many == 4 * few


def test_rows_come_and_go_with_the_tables(serving: Serving) -> None:
    like = _new(serving)

    async def look() -> None:
        with Client(page(""), request=None):
            tables = _tables(like, 4)
            lobby = Lobby(tables[:3], {"t00001"})
            assert list(lobby.rows) == ["t00000", "t00001", "t00002"]
            seats = (SeatInfo(1, "Ann", bot=False), SeatInfo(2, "Ada", bot=True))
            taken = msgspec.structs.replace(tables[3], seats=seats)
            lobby.update([taken, tables[1]], set())
            assert set(lobby.rows) == {"t00001", "t00003"}
            lines = [lobby.rows[name].line for name in ("t00003", "t00001")]
            assert lobby.list.default_slot.children == lines, "people first"
            assert lobby.playing["blackjack"]._text == "1 playing"  # noqa: SLF001
            lobby.update([], set())
            assert not lobby.rows
            assert lobby.none.visible

    serving.call(look())


def test_the_tables_are_put_in_order_once_for_all_pages(serving: Serving) -> None:
    async def look() -> None:
        views = Views(serving.app.state.desk)
        views.open()
        try:
            first = views.listed()
            assert views.listed() is first
            assert [info.id for info in first] == [info.id for info in views.listed()]
            info = await serving.house.open_table(TableSpec("blackjack"), None)
            assert info.id in {one.id for one in views.listed()}
            hidden = await serving.house.open_table(TableSpec("blackjack", listed=False), None)
            assert hidden.id not in {one.id for one in views.listed()}
        finally:
            views.close()

    serving.call(look())
