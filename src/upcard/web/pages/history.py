"""What happened: the rounds of a table, each to be opened on the felt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from upcard.text import counted
from upcard.web import words
from upcard.web.curve import balance_curve
from upcard.web.dom import link, press, tag
from upcard.web.shell import crumbs, empty, heading

if TYPE_CHECKING:
    from nicegui.element import Element

    from upcard.service.specs import RoundInfo, TableInfo

PAGE = 50


def own_net(info: RoundInfo, player: str) -> int | None:
    """What a round brought a player; None if the player had no part in it."""
    mine = [result.net for result in info.results if result.player == player]
    return sum(mine) if mine else None


def round_words(info: RoundInfo, names: dict[str, str], player: str = "") -> str:
    """A round in one line: who played, and what the wagers of a player came to."""
    if player:
        mine = [result for result in info.results if result.player == player]
        return ", ".join(
            f"{names.get(one.wager, one.wager)} {words.signed(one.net)}" for one in mine
        )
    totals: dict[str, int] = {}
    for result in info.results:
        totals[result.player] = totals.get(result.player, 0) + result.net
    return ", ".join(f"{name} {words.signed(net)}" for name, net in totals.items())


class TableHistory:
    """The rounds of a table; older ones come when they are asked for."""

    def __init__(
        self,
        info: TableInfo,
        names: dict[str, str],
        rounds: Sequence[RoundInfo],
        player: str,
        older: Callable[[int], Awaitable[Sequence[RoundInfo]]],
    ) -> None:
        self.info = info
        self.names = names
        self.player = player
        self.older = older
        at = quote(info.id)
        with tag("div", None, "page"):
            crumbs(("Lobby", "/"), (info.name, f"/table/{at}"))
            with heading("History", f"{info.name}, {counted(info.rounds, 'round')}"):
                with tag("div", None, "buttons"):
                    link("Verify", f"/table/{at}/verify", "button main", testid="verify")
                    tag(
                        "a",
                        "Download the record",
                        "button",
                        testid="download",
                        href=f"/api/tables/{at}/record",
                        download="",
                    )
                    link("Rules", f"/table/{at}/rules", "button")
            if not rounds:
                empty("No round is over yet.", ("To the table", f"/table/{at}"), ("Lobby", "/"))
                return
            mine = [net for one in reversed(rounds) if (net := own_net(one, player)) is not None]
            if len(mine) > 1:
                title = "Your last rounds here" if len(rounds) == PAGE else "Your rounds here"
                tag("h2", title, "above")
                balance_curve(mine, label="Your balance at this table")
            with tag("section", None, "part"):
                tag("h2", "Rounds")
                tag("p", "Open one to see it again on the felt, step by step.", "soft")
                self.list = tag(
                    "ol",
                    None,
                    "round-list scroll below",
                    testid="rounds",
                )
                self.more = tag("div", None, "buttons below")
            self._add(rounds)

    def _add(self, rounds: Sequence[RoundInfo]) -> None:
        with self.list:
            for one in rounds:
                self._row(one)
        self.more.clear()
        if rounds and rounds[-1].round > 1:
            last = rounds[-1].round

            async def more() -> None:
                self._add(await self.older(last))

            with self.more:
                press("Older rounds", more, testid="older")

    def _row(self, one: RoundInfo) -> None:
        net = own_net(one, self.player)
        with tag("li"), _opened(self.info.id, one.round):
            tag("span", f"{one.round}", "figure soft")
            if net is None:
                tag("span", "watched" if self.player else "", "soft small")
            else:
                tag("span", words.signed(net), f"amount {words.tone(net)}")
            tag("span", round_words(one, self.names, self.player if net is not None else ""))
            tag("span", words.moment(one.ended), "soft small when")


def _opened(table: str, number: int) -> Element:
    return tag(
        "a",
        None,
        "round",
        testid=f"round-{number}",
        href=f"/table/{quote(table)}/round/{number}",
    )


def wager_names(wagers: dict[str, str]) -> dict[str, str]:
    """Names of everything that a round may bring."""
    extra = {"insurance": "Insurance", "fees": "fees", "bank": "as the bank", "prize": "prize"}
    return {**extra, **wagers}
