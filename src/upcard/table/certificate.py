"""One page that says what the check of a record found, what it proves, and what it cannot know."""

from __future__ import annotations

import textwrap
from typing import Any

from upcard.compile.tables import GameTables
from upcard.money import format_cents
from upcard.table import events as ev
from upcard.table.chain import Chain
from upcard.table.notation import Record
from upcard.table.proof import is_closed
from upcard.table.session import Log
from upcard.table.verify import Check
from upcard.text import counted, printable

WIDTH = 80
LISTED = 5
"""At most so many players and shoes are named; the rest are counted."""

TRUE = (
    "every card came in the order that was promised, every act was legal, and every cent is "
    "accounted for"
)
UNTOUCHED = "nothing in the record was changed, taken out or put in since it was signed"
END = (
    "whether entries are missing at the end of a record whose table is not closed: compare the "
    "head with one noted at the table (--head)"
)
WHOSE = "whose the signing key is: compare it with one noted at the table (--key)"
WHEN = (
    "whether a promise was shown before the shoe was dealt: compare it with one noted then "
    "(--promise)"
)
WHO = "who sat at the table: somebody who knew the secret can have been among the players"
UNCHAINED = "whether the record was changed where no rule shows it: it has no chain"


def certificate(
    name: str, sha256: str, record: Record, tables: GameTables, checks: tuple[Check, ...], day: str
) -> dict[str, Any]:
    """Everything on the page as plain data.

    `sha256` is that of the bytes which were checked, `day` when the check was made.
    """
    log, chain = record
    holds = all(check.holds for check in checks)
    return {
        "certificate": 1,
        "checked": day,
        "holds": holds,
        "file": name,
        "sha256": sha256,
        "game": tables.ref,
        "game_file": log.game_file,
        "name": tables.title,
        "fingerprint": tables.fingerprint,
        "settings": dict(log.settings),
        **_session(log),
        **_chained(chain),
        "checks": [check._asdict() for check in checks],
        "proves": _proves(chain, checks) if holds and log.entries else [],
        "cannot_know": [END, WHOSE, WHEN, WHO, *(() if chain else (UNCHAINED,))],
    }


def _proves(chain: Chain | None, checks: tuple[Check, ...]) -> list[str]:
    """Only what no check left open."""
    open_ = {check.name for check in checks if not check.proven}
    proven = [] if open_ & {"shuffle", "legality", "money", "conduct"} else [TRUE]
    return proven + ([UNTOUCHED] if chain is not None and chain.key else [])


def _chained(chain: Chain | None) -> dict[str, Any]:
    return {"key": chain.key if chain else "", "head": chain.head if chain else ""}


def _session(log: Log) -> dict[str, Any]:
    opened = next((e for e in log.events if isinstance(e, ev.TableOpened)), None)
    times = [entry.at for entry in log.entries if entry.at]
    seeds = {e.shoe: e.seed for e in log.events if isinstance(e, ev.ShoeOpened)}
    return {
        "table": opened.table if opened else "",
        "scripted": bool(opened and opened.scripted),
        "dealt_from_text": bool(opened and opened.dealt_from),
        "first": times[0] if times else "",
        "last": times[-1] if times else "",
        "closed": is_closed(log),
        "rounds": sum(isinstance(event, ev.RoundEnded) for event in log.events),
        "players": _players(log),
        "shoes": [
            {"shoe": e.shoe, "promise": e.commitment, "seed": seeds.get(e.shoe, "")}
            for e in log.events
            if isinstance(e, ev.ShoeCommitted)
        ],
    }


def _players(log: Log) -> list[dict[str, Any]]:
    """What everybody bought and cashed, in cents, and who is still there."""
    bought: dict[str, int] = {}
    cashed: dict[str, int] = {}
    there: set[str] = set()
    for event in log.events:
        if isinstance(event, ev.ChipsBought):
            bought[event.player] = bought.get(event.player, 0) + event.amount
            there.add(event.player)
        elif isinstance(event, ev.ChipsCashed):
            cashed[event.player] = cashed.get(event.player, 0) + event.amount
            there.discard(event.player)
    return [
        {"player": name, "bought": amount, "cashed": cashed.get(name), "there": name in there}
        for name, amount in bought.items()
    ]


def certificate_text(data: dict[str, Any]) -> str:
    """The page as plain text."""
    verdict = "THE RECORD HOLDS" if data["holds"] else "THE RECORD DOES NOT HOLD"
    table = f"{data['table']}{', scripted' if data['scripted'] else ''}"
    seeded = ", dealt from a given text" if data["dealt_from_text"] else ""
    end = "closed" if data["closed"] else "not closed"
    lines = [
        "CERTIFICATE OF A SESSION".center(WIDTH).rstrip(),
        verdict.center(WIDTH).rstrip(),
        "",
        *_row("Checked", f"{data['checked']} by upcard verify"),
        *_row("File", data["file"]),
        *_row("SHA-256", data["sha256"]),
        *_row("Game", f"{data['name']} ({data['game']}){_own_file(data['game_file'])}"),
        *_row("Rules", data["fingerprint"]),
        *_row("Settings", _settings(data["settings"])),
        *_row("Table", f"{table}{seeded}"),
        *_row("Time", f"{data['first'] or 'not recorded'} to {data['last'] or 'not recorded'}"),
        *_row("Rounds", f"{data['rounds']}, table {end}"),
        *_row("Key", data["key"] or "none: not signed"),
        *_row("Head", data["head"] or "none: not chained"),
        "",
        "Players",
        *_some([_player(player) for player in data["players"]], "player"),
        "",
        "Shoes: promise and seed",
        *_some([_shoe(shoe) for shoe in data["shoes"]], "shoe"),
        "",
        "Checks",
        *(line for check in data["checks"] for line in _check(check)),
        "",
    ]
    if data["proves"]:
        lines += ["This proves that", *_points(data["proves"])]
    lines += ["It cannot know", *_points(data["cannot_know"])]
    return "\n".join(map(printable, lines)) + "\n"


def _row(name: str, words: str) -> list[str]:
    return textwrap.wrap(words, WIDTH, initial_indent=f"{name:9} ", subsequent_indent=" " * 10)


def _own_file(name: str) -> str:
    return f", from the game file {name}, not as it comes with Upcard" if name else ""


def _settings(settings: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items()) or "the usual ones"


def _player(player: dict[str, Any]) -> list[str]:
    words = f"  {player['player']}: bought {format_cents(player['bought'])}"
    if player["cashed"] is not None:
        words += f", cashed {format_cents(player['cashed'])}"
    return [words + (", still at the table" if player["there"] else "")]


def _shoe(shoe: dict[str, Any]) -> list[str]:
    return [f"  {shoe['shoe']:>4}  {shoe['promise']}", f"        {shoe['seed'] or 'not opened'}"]


def _some(parts: list[list[str]], what: str) -> list[str]:
    """The first parts, so that everything stays on a page; the JSON has them all."""
    more = len(parts) - LISTED
    rest = [f"  and {counted(more, f'{what} more', f'{what}s more')}"] if more > 0 else []
    return [line for part in parts[:LISTED] for line in part] + (rest if parts else ["  none"])


def _check(check: dict[str, Any]) -> list[str]:
    word = ("holds" if check["proven"] else "open") if check["holds"] else "FAILS"
    return textwrap.wrap(
        check["found"],
        WIDTH,
        initial_indent=f"  {word:6}{check['name']:12} ",
        subsequent_indent=" " * 21,
    )


def _points(sentences: list[str]) -> list[str]:
    return [
        line
        for sentence in sentences
        for line in textwrap.wrap(sentence, WIDTH, initial_indent="  - ", subsequent_indent="    ")
    ]
