"""The lobby: every game one click away, and the tables that are open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from upcard.service.house_games import game_ids, need_game
from upcard.text import counted
from upcard.web import words
from upcard.web.dom import ask, change_text, link, tag
from upcard.web.pictures import felt_picture
from upcard.web.shell import heading

if TYPE_CHECKING:
    from nicegui.element import Element

    from upcard.service.specs import TableInfo


def game_limits(tables: Sequence[TableInfo]) -> Mapping[str, str]:
    """The stakes of every game's open tables, from the least to the most."""
    found: dict[str, tuple[int, int]] = {}
    for info in tables:
        low, high = found.get(info.game, (info.minimum, info.maximum))
        found[info.game] = min(low, info.minimum), max(high, info.maximum)
    return {game: words.limits(low, high) for game, (low, high) in found.items()}


def in_order(tables: Iterable[TableInfo]) -> list[TableInfo]:
    """Tables with people first, then by game, then the oldest first."""
    places = {game: place for place, game in enumerate(game_ids())}

    def rank(info: TableInfo) -> tuple[bool, int, str, str]:
        people = any(not seat.bot for seat in info.seats)
        return not people, places.get(info.game, len(places)), info.opened, info.id

    return sorted((info for info in tables if info.listed and info.status != "closed"), key=rank)


class Lobby:
    """The parts of the page that change while somebody looks at it."""

    def __init__(self, tables: Sequence[TableInfo], own: Collection[str] = ()) -> None:
        self.rows: dict[str, TableRow] = {}
        self.playing: dict[str, Element] = {}
        limits = game_limits(tables)
        with tag("div", None, "page lobby"):
            heading("Sit down. The first card is a click away.", _WELCOME)
            with tag("ul", None, "games", testid="games"):
                for game in game_ids():
                    self._card(game, limits.get(game, ""))
            with tag(
                "section", None, "part tables", testid="tables", aria_labelledby="open-tables"
            ):
                with tag("div", None, "head"):
                    tag("h2", "Open tables", id="open-tables")
                    tag("span", None, "space")
                    link("Create a table", "/tables/new", "button", testid="create-table")
                with tag("div", None, "row columns", aria_hidden="true"):
                    for title in ("Table", "Seats", "Limits", "Rounds", ""):
                        tag("span", title)
                self.list = tag("div")
                self.none = tag("p", "No table is open.", "empty")
        self.update(in_order(tables), own)

    def _card(self, game: str, limits: str) -> None:
        tables = need_game(game)
        with tag("li", None, "game", testid=f"game-{game}", data_game=game):
            with tag("div", None, "picture"):
                felt_picture(game)
            with tag("div", None, "words"):
                tag("h2", tables.title)
                tag("p", tables.head.draft or tables.head.summary)
            with tag("div", None, "foot"):
                ask(
                    "Play",
                    "/api/play",
                    "button main large",
                    body={"game": game},
                    then="/table/{id}",
                    testid=f"play-{game}",
                    aria_label=f"Play {tables.name}",
                )
                link("Rules", f"/rules/{game}", "button quiet", testid=f"rules-{game}")
                link("Drill", f"/drill/{game}", "button quiet", testid=f"drill-{game}")
                tag("span", None, "space")
                with tag("div", None, "small soft number"):
                    self.playing[game] = tag("div", "")
                    tag("div", limits, "figure")

    def update(self, shown: Sequence[TableInfo], own: Collection[str]) -> None:
        """Show what the house is now, tables in their order; nothing moves that did not change."""
        for table in self.rows.keys() - {info.id for info in shown}:
            self.rows.pop(table).line.delete()
        for place, info in enumerate(shown):
            if info.id in self.rows:
                self.rows[info.id].update(info, mine=info.id in own)
            else:
                with self.list:
                    self.rows[info.id] = TableRow(info, mine=info.id in own)
                if place < len(self.list.default_slot.children) - 1:
                    self.rows[info.id].line.move(target_index=place)
        self.none.set_visibility(not shown)
        people = Counter(info.game for info in shown for seat in info.seats if not seat.bot)
        for game, element in self.playing.items():
            change_text(element, f"{people[game]} playing" if people[game] else "")


_WELCOME = "Games of the 21 family, for play money. No account is needed."


class TableRow:
    """An open table in one line."""

    def __init__(self, info: TableInfo, *, mine: bool) -> None:
        at = quote(info.id)
        self.line = tag("article", None, "row", testid=f"table-{info.id}", data_game=info.game)
        with self.line:
            with tag("div"):
                tag("h3", info.name, "name")
                tag("p", words.joined((info.game_name, words.pace(info))), "game-name")
            with tag("div"):
                self.seats = tag("div", None, "seats", role="img")
                self.who = tag("span", "", "who")
            tag("span", words.limits(info.minimum, info.maximum), "figure")
            self.rounds = tag("span", "", "figure soft")
            with tag("div", None, "buttons"):
                self.join = ask(
                    "Join",
                    f"/api/tables/{at}/sit",
                    "button main",
                    body={},
                    then=f"/table/{at}",
                    testid=f"join-{info.id}",
                    aria_label=f"Join {info.name}",
                )
                self.back = link(
                    "Go on",
                    f"/table/{at}",
                    "button main",
                    testid=f"go-on-{info.id}",
                    aria_label=f"Go on at {info.name}",
                )
                self.watch = link(
                    "Watch",
                    f"/table/{at}",
                    "button",
                    testid=f"watch-{info.id}",
                    aria_label=f"Watch {info.name}",
                )
                link(
                    "Rules",
                    f"/table/{at}/rules",
                    "button quiet",
                    aria_label=f"Rules of {info.name}",
                )
        self.shown: object = None
        self.update(info, mine=mine)

    def update(self, info: TableInfo, *, mine: bool) -> None:
        """Show how the table is now; `mine` is a table where the viewer sits."""
        seen = (info.seats, info.positions, info.status, mine)
        change_text(self.rounds, counted(info.rounds, "round"))
        if seen == self.shown:
            return
        self.shown = seen
        self.seats.clear()
        taken = {seat.seat: seat for seat in info.seats}
        with self.seats:
            for number in range(1, info.positions + 1):
                seat = taken.get(number)
                kind = "" if seat is None else " bot" if seat.bot else " person"
                tag("span", None, f"seat{kind}")
        self.seats.props["aria-label"] = words.seats_words(info)
        paused = "paused, " if info.status == "paused" else ""
        change_text(self.who, paused + words.people(info.seats))
        self.join.set_visibility(not mine and info.free_seats > 0 and info.status == "open")
        self.back.set_visibility(mine)
        self.watch.set_visibility(not mine)
