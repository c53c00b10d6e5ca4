"""Whether a record holds: the server's own check in words, and how a stranger checks without it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from upcard.service.specs import HouseError
from upcard.text import counted, sentence_case
from upcard.web.dom import change_text, link, press, tag
from upcard.web.shell import STATIC, crumbs, heading

if TYPE_CHECKING:
    from upcard.service.specs import TableInfo
    from upcard.table.verify import Check

ASKS = {
    "chain": "Is the record whole, in its order and unchanged?",
    "fingerprint": "Is it the game that it says it is?",
    "shuffle": "Were the cards shuffled as promised before the first was dealt?",
    "legality": "Did every act follow the rules?",
    "money": "Is every cent accounted for?",
    "conduct": "Did the house keep its hands off the cards?",
}
"""What every check asks."""
OFFLINE = (
    "Offline in verify.html a stranger can repeat the checks of the chain, its seals, the "
    "promises, the shuffles and the sums of money; the fingerprint, the legality of every act and "
    "the payments need the command upcard verify."
)
"""Which checks a stranger can repeat by what means."""


class Facts(NamedTuple):
    """What a stranger notes: the key of the house, the head of the record, promises by shoe."""

    key: str
    head: str
    promises: tuple[tuple[int, str], ...]
    entries: int


class Verify:
    """The page; the check is made when the page is open, so that nobody waits for a blank one."""

    def __init__(
        self, info: TableInfo, facts: Facts, check: Callable[[], Awaitable[Sequence[Check]]]
    ) -> None:
        self.check = check
        at = quote(info.id)
        with tag("div", None, "page"):
            crumbs(("Lobby", "/"), (info.name, f"/table/{at}"), ("History", f"/table/{at}/history"))
            heading("Verify", f"{info.name}: is its record true?")
            with tag("div", None, "two"):
                with tag("section", None, "panel", testid="own-check"):
                    tag("h2", "The house checks itself")
                    self.state = tag("p", "Checking…", "soft", role="status")
                    self.list = tag("ul", None, "checks")
                    self.again = tag("div", None, "buttons")
                with tag("section", None, "panel stack"):
                    self._stranger(info, facts)

    def _stranger(self, info: TableInfo, facts: Facts) -> None:
        at = quote(info.id)
        tag("h2", "Check it without trusting the house")
        tag("p", OFFLINE, "small soft", testid="who-checks")
        with tag("ol", None, "stack counted"):
            with tag("li"):
                tag("p", "While you play, note the promise of the shoe, the key and the head.")
            with tag("li"):
                tag("p", "Take the record. It holds every card that may be told by now.")
                with tag("div", None, "buttons"):
                    tag(
                        "a",
                        "Download the record",
                        "button",
                        href=f"/api/tables/{at}/record",
                        download="",
                        testid="download",
                    )
            with tag("li"):
                tag(
                    "p",
                    "Open the checking page. It is one file without anything from outside: save "
                    "it, cut the line, and let it check the record.",
                )
                with tag("div", None, "buttons"):
                    link(
                        "Open the checking page",
                        f"{STATIC}/verify.html",
                        "button main",
                        testid="checker",
                    )
                    tag(
                        "a",
                        "Save it",
                        "button",
                        href=f"{STATIC}/verify.html",
                        download="verify.html",
                    )
            with tag("li"):
                tag("p", "Or by the command line, on a machine of your own:")
                tag("code", f"upcard verify {info.game}-{info.id}.jsonl", "break")
        with tag("dl", None, "facts long", testid="facts"):
            _fact("Key of the house", facts.key)
            _fact(f"Head after {counted(facts.entries, 'entry', 'entries')}", facts.head)
            for shoe, promise in facts.promises:
                _fact(f"Promise of shoe {shoe}", promise)

    async def run(self) -> None:
        """Check, and tell."""
        self.list.clear()
        self.again.clear()
        change_text(self.state, "Checking…")
        try:
            checks = await self.check()
        except HouseError as error:
            change_text(self.state, f"{sentence_case(str(error))}.")
            self._offer_again()
            return
        holds = all(one.holds for one in checks)
        words = "Everything holds." if holds else "Something does not hold."
        change_text(self.state, words)
        self.state.classes(replace="good" if holds else "bad")
        with self.list:
            for one in checks:
                self._told(one)
        self._offer_again()

    def _offer_again(self) -> None:
        with self.again:
            press("Check again", self.run, testid="check-again")

    def _told(self, one: Check) -> None:
        with tag("li", None, "" if one.holds else "failed", testid=f"check-{one.name}"):
            tag("span", "✓" if one.holds else "✗", "mark", aria_hidden="true")
            with tag("div"):
                tag("h3", ASKS.get(one.name, one.name))
                verdict = "Yes" if one.holds else "No"
                if one.holds and not one.proven:
                    verdict = "Nothing shows otherwise"
                tag("p", f"{verdict}: {one.found}", "small soft break")


def _fact(label: str, text: str) -> None:
    with tag("dt", label):
        copy = f"Copy: {label}"
        tag("button", "Copy", "button quiet", type="button", data_copy=text, aria_label=copy)
    tag("dd", text, "hash")
