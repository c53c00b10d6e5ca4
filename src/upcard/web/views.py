"""Every page with what it shows, from the house."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

import msgspec
import sqlalchemy as sa
from fastapi import Request
from nicegui import ui

from upcard.service import schema
from upcard.service.api.history import checked, reviewed
from upcard.service.house_games import game_ids, need_game
from upcard.service.records import TableRow, list_tables
from upcard.service.specs import Account, HouseError, TableSpec
from upcard.table.view import PUBLIC, view
from upcard.web.dom import link, tag
from upcard.web.feed import Feed
from upcard.web.making import Draft
from upcard.web.pages import (
    create,
    drill,
    history,
    lobby,
    me,
    rules,
    sign_in,
    verify,
)
from upcard.web.pages import (
    operator as operators,
)
from upcard.web.pages import (
    session as sessions,
)
from upcard.web.pages.me import AtTable, Rounds
from upcard.web.shell import STATIC, crumbs, heading, shell
from upcard.web.visitors import account_now, known_of, owner_of, seats_of, visitor_of
from upcard.web.words import moment

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from upcard.service.accounts import Known
    from upcard.service.api.desk import Desk
    from upcard.service.specs import RoundInfo, TableInfo
    from upcard.table.verify import Check
    from upcard.web.doing import Doing

T = TypeVar("T")
CURVE_ROUNDS = 100
"""One's own rounds that the balance curve shows."""
PEOPLE = 50
"""Accounts that are listed at a time."""
RECORDS = 100
"""Tables that the checking page lists, the newest."""
SLOW_PAUSE = 3.0
"""Seconds between two looks of a page that adds much up."""


class Views:
    """The pages of a house; feeds tell them when something changed."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.house = desk.house
        self.feed = Feed()
        self.slow_feed = Feed(SLOW_PAUSE)
        self._listed: list[TableInfo] | None = None
        self._leave: Callable[[], None] | None = None

    def open(self) -> None:
        def changed(info: TableInfo) -> None:
            self._listed = None
            self.feed.changed(info)
            self.slow_feed.changed(info)

        self._leave = self.house.lobby.listen(changed)
        asyncio.get_running_loop().run_in_executor(None, _warm)

    def close(self) -> None:
        if self._leave is not None:
            self._leave()

    def _watch(self, watcher: Callable[[], Awaitable[None]], feed: Feed | None = None) -> None:
        """Have a page brought up to date as long as somebody looks at it."""
        client = ui.context.client
        known = feed or self.feed

        async def told() -> None:
            if client.has_socket_connection:
                with client:
                    await watcher()

        client.on_connect(lambda: known.watch(client.id, told))
        client.on_delete(lambda: known.leave(client.id))

    def _need(self, request: Request) -> Known:
        known = known_of(request)
        if known is None:
            raise HouseError("sign in first", "forbidden")
        return known

    def doing(self, request: Request) -> Doing:
        """What a page has worked out for its visitor: counted, and one thing at a time."""
        owner = owner_of(request)

        async def doing(work: Callable[..., T], *args: object) -> T:
            self.desk.need("steps", owner)
            async with self.desk.stepping:
                return await asyncio.to_thread(work, *args)

        return doing

    # ------------------------------------------------------------------ lobby and tables

    async def lobby(self, request: Request) -> None:
        visitor = await visitor_of(self.house, request)
        tables = await self.house.tables()
        with shell(visitor, "", here="/"):
            page = lobby.Lobby(tables, seats_of(self.house, visitor.account))

        async def update() -> None:
            page.update(self.listed(), seats_of(self.house, visitor.account))

        self._watch(update)

    def listed(self) -> list[TableInfo]:
        """The tables as all open lobbies show them: put in order once for each change."""
        if self._listed is None:
            self._listed = lobby.in_order(self.house.lobby.tables.values())
        return self._listed

    async def create(self, request: Request, game: str = "") -> None:
        visitor = await visitor_of(self.house, request)
        draft = Draft(game if game in game_ids() else game_ids()[0])
        with shell(visitor, "Create a table", here="/tables/new"):
            create.Maker(draft, self.doing(request))

    async def rules_of_game(self, request: Request, game: str) -> None:
        tables = need_game(game)
        visitor = await visitor_of(self.house, request)
        with shell(visitor, f"Rules of {tables.title}", game=game):
            rules.rules_page(tables, None)

    async def rules_of_table(self, request: Request, table: str) -> None:
        running = await self.house.running(table)
        info = running.info
        visitor = await visitor_of(self.house, request)
        with shell(visitor, f"Rules of {info.name}", game=info.game, where=info.name):
            rules.rules_page(running.tables, info)

    # ------------------------------------------------------------------ history

    async def history(self, request: Request, table: str) -> None:
        running = await self.house.running(table)
        info = running.info
        visitor = await visitor_of(self.house, request)
        known = known_of(request)
        player = _name_at(running.people, known.account if known else None)
        names = history.wager_names(
            {wager: plan.name for wager, plan in running.tables.money.wagers.items()}
        )

        async def older(before: int) -> Sequence[RoundInfo]:
            self.desk.need("requests", owner_of(request))
            return await self.house.rounds(table, before=before, limit=history.PAGE)

        rounds = await self.house.rounds(table, limit=history.PAGE)
        with shell(visitor, f"History of {info.name}", game=info.game, where=info.name):
            history.TableHistory(info, names, rounds, player, older)

    async def session(self, request: Request, table: str) -> None:
        """All that somebody decided at one table, judged."""
        known = self._need(request)
        info = await self.house.info(table)
        visitor = await visitor_of(self.house, request)
        found = await self._reviewed(known.account, table)
        with shell(visitor, f"Session at {info.name}", game=info.game, where=info.name):
            with tag("div", None, "page"):
                crumbs(("Lobby", "/"), (info.name, f"/table/{quote(table)}"))
                heading("Your session", sessions.review_words(found.summary))
                sessions.summary_part(found)

    async def _reviewed(self, account: Account, table: str = "") -> sessions.Reviewed:
        return sessions.reviewed(await reviewed(self.house, account.id, table))

    async def verify(self, request: Request, table: str) -> None:
        owner = owner_of(request)
        self.desk.need("work", owner)
        running = await self.house.running(table)
        info = running.info
        visitor = await visitor_of(self.house, request)
        title, rows = await self.house.record_rows(table)
        async with self.desk.checking:
            key = self.house.key.public
            facts = await asyncio.to_thread(_facts, title, [row.data for row in rows], key)
        shoe = view(running.engine, running.state, PUBLIC).shoe
        if shoe is not None and shoe.commitment:
            promises = {**dict(facts.promises), shoe.number: shoe.commitment}
            facts = facts._replace(promises=tuple(promises.items()))
        may_quote = info.status == "closed"

        counted = True  # the first check comes with the page

        async def check() -> Sequence[Check]:
            nonlocal counted
            if not counted:
                self.desk.need("work", owner)
            counted = False
            async with self.desk.checking:
                found = await checked(self.house, table)
            # Where something does not hold, the words may quote cards that nobody has seen yet.
            return [
                one if one.holds or may_quote else one._replace(found="it does not hold")
                for one in found
            ]

        with shell(visitor, f"Verify {info.name}", game=info.game, where=info.name):
            page = verify.Verify(info, facts, check)
        _when_connected(page.run)

    async def checker(self, request: Request) -> None:
        """The page that checks a record without the house."""
        visitor = await visitor_of(self.house, request)
        tables = await self._records()
        with shell(visitor, "Check a record"), tag("div", None, "page"):
            heading("Check a record", "Every card and every cent can be checked by anybody.")
            with tag("div", None, "panel stack"):
                tag(
                    "p",
                    "The checking page is one file without anything from outside. Save it, cut the "
                    "line if you like, and give it a record.",
                )
                with tag("div", None, "buttons"):
                    link("Open the checking page", f"{STATIC}/verify.html", "button main large")
                    file = f"{STATIC}/verify.html"
                    tag("a", "Save it", "button large", href=file, download="verify.html")
            with tag("section", None, "part"):
                tag("h2", "Records")
                with tag("ul", None, "round-list scroll below"):
                    for row in tables:
                        with (
                            tag("li"),
                            tag("a", None, "round", href=f"/table/{quote(row.id)}/verify"),
                        ):
                            tag("span", need_game(row.game).name, "small soft")
                            tag("span", row.name)
                            tag("span", row.status, "small soft")
                            tag("span", moment(row.opened), "small soft when")

    async def _records(self) -> list[TableRow]:
        """The newest tables that are listed, open or closed; none of them has to be read for it."""
        rows = await self.house.store.read(list_tables, closed=True)
        listed = [row for row in rows if msgspec.json.decode(row.spec, type=TableSpec).listed]
        return sorted(listed, key=lambda row: row.opened, reverse=True)[:RECORDS]

    # ------------------------------------------------------------------ one's own

    async def me(self, request: Request) -> None:
        known = self._need(request)
        account, accounts = known.account, self.house.accounts
        rounds = await self._results(account, CURVE_ROUNDS)

        async def older(last: RoundInfo) -> Rounds:
            self.desk.need("requests", owner_of(request))
            await account_now(self.house, request)
            before = (last.table, last.round)
            return await self._rounds_of(account, await self._results(account, me.LAST, before))

        purse = await accounts.purse(account)
        shown = purse.movements[: me.SHOWN_MOVEMENTS]
        moved = [one.table for one in shown if one.table]
        own = me.Own(
            account=account,
            purse=purse,
            standing=await accounts.standing(account),
            rounds=rounds,
            shown=await self._rounds_of(account, rounds[: me.LAST]),
            older=older,
            reviewed=await self._reviewed(account),
            sessions=await accounts.sessions(account),
            tokens=await accounts.sessions(account, "token"),
            session=known.session,
            has_password=await self.house.store.read(_has_password, account.id),
            chips=await self._chips_of(account),
            table_names=await self.house.store.read(_table_names, moved),
        )
        with shell(await visitor_of(self.house, request), "My play", here="/me"):
            me.me_page(own)

    async def _chips_of(self, account: Account) -> list[AtTable]:
        """The tables at which somebody has chips or a seat; wagers in play are not counted."""
        found = []
        for table in await self.house.store.read(_tables_bought_at, account.id):
            try:
                running = await self.house.running(table)
            except HouseError:
                continue  # it cannot be opened now
            name = running.name_of(account.id, account.name)
            player, chips = running.state.player(name), running.state.chips(name)
            # Whoever has wagered everything still sits there.
            if chips > 0 or (player is not None and player.seat):
                found.append(AtTable(table, running.info.name, chips))
        return found

    async def _results(
        self, account: Account, limit: int, before: tuple[str, int] | None = None
    ) -> list[RoundInfo]:
        return await self.house.results_of(account.id, limit=limit, before=before)

    async def _rounds_of(self, account: Account, rounds: Sequence[RoundInfo]) -> Rounds:
        """Rounds of somebody with the tables that they were at, and whether there are more."""
        tables: dict[str, TableInfo] = {}
        for table in dict.fromkeys(info.table for info in rounds):
            try:
                tables[table] = await self.house.info(table)
            except HouseError:
                continue
        last = (rounds[-1].table, rounds[-1].round) if rounds else None
        more = bool(rounds) and bool(await self._results(account, 1, last))
        return Rounds(rounds, tables, more=more)

    async def sign_in(self, request: Request, then: str = "/", link: str = "") -> None:
        visitor = await visitor_of(self.house, request)
        page = sign_in.own_page(then)
        with shell(visitor, "Sign in"):
            used = link == "used"
            sign_in.door(new=False, then=page, guest=visitor.is_guest, link_used=used)

    async def register(self, request: Request, then: str = "/") -> None:
        visitor = await visitor_of(self.house, request)
        with shell(visitor, "Register"):
            sign_in.door(new=True, then=sign_in.own_page(then), guest=visitor.is_guest)

    # ------------------------------------------------------------------ drill

    async def drills(self, request: Request) -> None:
        with shell(await visitor_of(self.house, request), "Drill", here="/drill"):
            drill.all_drills()

    async def drill(self, request: Request, game: str, kind: str = "") -> None:
        from upcard.coach import Drill, drill_kinds

        tables = need_game(game)
        kinds = drill_kinds(tables)
        chosen = kind if kind in kinds else kinds[0]
        visitor = await visitor_of(self.house, request)
        with shell(visitor, f"Drill {tables.title}", here="/drill", game=game):
            page = drill.DrillPage(tables, Drill(tables, chosen), kinds, self.doing(request))
        _when_connected(page.next)

    # ------------------------------------------------------------------ the operator

    async def operator(self, request: Request, closed: bool = False) -> None:
        known = self._need(request)
        if not known.account.is_staff:
            raise HouseError("this page is for operators and auditors", "forbidden")
        visitor = await visitor_of(self.house, request)
        report = await self.report(closed=closed)

        async def find(search: str, after: str = "") -> operators.People:
            if not (await account_now(self.house, request)).is_staff:
                raise HouseError("this page is for operators and auditors", "forbidden")
            self.desk.need("requests", owner_of(request))
            return await self._people(search, after)

        with shell(visitor, "Operator", here="/operator"):
            page = operators.OperatorPage(
                report,
                may_act=known.account.role == "operator",
                own=known.account.id,
                closed=closed,
                find=find,
            )

        async def update() -> None:
            if (await account_now(self.house, request)).is_staff:
                page.update(await self.report(people=False, closed=closed))

        self._watch(update, self.slow_feed)

    async def report(self, *, people: bool = True, closed: bool = False) -> operators.HouseReport:
        """All tables with their ledgers and their results against theory, as the API has them."""
        found = await self.desk.reports.tables(closed=closed)
        found.sort(key=lambda one: -one.info.rounds)  # those that nobody plays at last
        accounts = await self._people() if people else operators.People()
        return operators.HouseReport(found, accounts)

    async def _people(self, search: str = "", after: str = "") -> operators.People:
        some = PEOPLE + 1
        found = await self.house.accounts.listed(search=search, after=after, limit=some)
        return operators.People(found[:PEOPLE], more=len(found) > PEOPLE)


def _when_connected(act: Callable[[], Awaitable[None]]) -> None:
    """Do something as soon as a page is open."""
    client = ui.context.client
    begun = False

    async def connected() -> None:
        nonlocal begun
        if not begun:  # a line that comes back is no new page
            begun = True
            with client:
                await act()

    client.on_connect(connected)


def _name_at(people: dict[str, str], account: Account | None) -> str:
    """The name that somebody has, or had, at a table."""
    if account is None:
        return ""
    return next((name for name, owner in people.items() if owner == account.id), "")


def _has_password(connection: sa.Connection, account: str) -> bool:
    """Whether somebody can sign in with a password; nobody but the owner is shown it."""
    own = sa.select(schema.accounts.c.password).where(schema.accounts.c.id == account)
    return connection.execute(own).scalar() is not None


def _tables_bought_at(connection: sa.Connection, account: str) -> list[str]:
    """The tables that are not closed and at which somebody ever bought chips."""
    purse, tables = schema.purse.c, schema.tables.c
    found = (
        sa.select(tables.id)
        .where(
            tables.status != "closed",
            tables.id.in_(sa.select(purse.table_id).where(purse.account == account)),
        )
        .order_by(tables.opened, tables.id)
    )
    return list(connection.execute(found).scalars())


def _table_names(connection: sa.Connection, ids: Sequence[str]) -> dict[str, str]:
    tables = schema.tables.c
    found = sa.select(tables.id, tables.name).where(tables.id.in_(ids))
    return {row.id: row.name for row in connection.execute(found)}


def _facts(title: bytes, entries: list[bytes], key: str) -> verify.Facts:
    """What may be told of a record: its public part."""
    from upcard.service.public_record import is_public, parse_public, public_record
    from upcard.table import events as ev
    from upcard.table.notation import parse_record

    public = public_record(title + b"\n" if not title.endswith(b"\n") else title, entries)
    parse = parse_public if is_public(public.data) else parse_record
    record = parse(public.data, "record")
    promises = tuple(
        (event.shoe, event.commitment)
        for event in record.log.events
        if isinstance(event, ev.ShoeCommitted)
    )
    head = record.chain.head if record.chain is not None else ""
    return verify.Facts(key, head, promises[-3:], public.entries)


def _warm() -> None:
    """Compile what every page needs, before somebody waits for it."""
    for game in game_ids():
        need_game(game)
