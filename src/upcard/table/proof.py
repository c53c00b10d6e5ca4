"""What a record proves: its chain, all checks of its log, and what somebody noted at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.table import events as ev
from upcard.table.bots import DealersStrategy, StrategyOf
from upcard.table.chain import SHORT, Chain
from upcard.table.notation import Record
from upcard.table.players_cards import Casino
from upcard.table.session import Log
from upcard.table.verify import Check, verify
from upcard.text import counted

FEWEST = 8
"""Fewer digits than these are not worth a comparison."""
ALL = 64


class Noted(NamedTuple):
    """What somebody wrote down at the table: promises of shoes, a head, the table's key.

    Of each the first digits will do, but fewer than `SHORT` prove little.
    """

    promises: tuple[str, ...] = ()
    head: str = ""
    key: str = ""


NOTHING_NOTED = Noted()


def digits(text: str, what: str) -> str:
    """Hexadecimal digits as somebody noted them: blanks, dots and capitals do not matter.

    >>> digits("3F9A 02c1 ...", "--head")
    '3f9a02c1'
    """
    found = re.sub(r"[\s.…·-]", "", text).lower()
    if not re.fullmatch(f"[0-9a-f]{{{FEWEST},{ALL}}}", found):
        raise UpcardError(
            f'{what} "{text}" is not what a table shows: give {FEWEST} to {ALL} hexadecimal digits'
        )
    return found


def verify_record(
    tables: GameTables,
    record: Record,
    noted: Noted = NOTHING_NOTED,
    *,
    casino: Casino | None = None,
    own_key: str = "",
    plays: StrategyOf = DealersStrategy,
) -> tuple[Check, ...]:
    """All checks. `own_key` is a key that is known to be a table's own."""
    log, chain = record
    checks = (chain_check(log, chain, own_key), *verify(tables, log, casino, chain, plays=plays))
    return (*checks, *noted_checks(record, noted))


def noted_checks(record: Record, noted: Noted) -> tuple[Check, ...]:
    """Whether a record has what was noted: one check for each."""
    log, chain = record
    checks = [_promise(log, promise) for promise in noted.promises]
    if noted.head:
        checks.append(_head(log, chain, noted.head))
    if noted.key:
        checks.append(_key(chain, noted.key))
    return tuple(checks)


def is_closed(log: Log) -> bool:
    return any(isinstance(event, ev.TableClosed) for event in log.events)


def chain_check(log: Log, chain: Chain | None, own_key: str) -> Check:
    """Whether every line follows from the one before, and who signed."""
    if chain is None:
        return Check(
            "chain",
            True,
            "unchained: a record of old; a change in it shows only where it breaks a rule",
            proven=False,
        )
    if chain.fault:
        return Check("chain", False, chain.fault)
    events = sum(len(entry.events) for entry in log.entries)
    entries = counted(len(log.entries), "entry", "entries")
    parts = [f"{counted(events, 'event')} in {entries}, each bound to what came before"]
    unchained = sum(not entry.at for entry in log.entries)
    if unchained:
        parts.append(f"the first {counted(unchained, 'entry', 'entries')} from an unchained record")
    if log.entries and log.entries[-1].at:
        parts.append(f"the last of {log.entries[-1].at}")
    parts.append(_signed(chain, own_key))
    if is_closed(log):
        parts.append("it ends with the closing of the table")
    else:
        parts.append("the table is not closed: only a noted head tells whether its end is missing")
    return Check(
        "chain", True, "; ".join(parts), proven=bool(chain.key) and not unchained and is_closed(log)
    )


def _signed(chain: Chain, own_key: str) -> str:
    if not chain.key:
        return "not signed, so whoever has the file could have written it anew"
    if chain.key == own_key:
        return f"signed by the key of the tables here, {chain.key[:SHORT]}"
    return f"signed by the key {chain.key[:SHORT]}: whose it is, who noted it can tell (--key)"


def _noted(
    name: str, noted: str, among: Iterable[str], found: Callable[[str], str], missing: str
) -> Check:
    """Whether what was noted is there."""
    whole = next((one for one in among if one.startswith(noted)), None)
    if whole is None:
        return Check(name, False, f"{noted[:SHORT]}: {missing}")
    few = len(noted) < SHORT
    hint = f"; {len(noted)} digits are too few to prove it: note {SHORT}" if few else ""
    return Check(name, True, f"{noted[:SHORT]} is {found(whole)}{hint}", proven=not few)


def _promise(log: Log, noted: str) -> Check:
    promised = {e.commitment: e.shoe for e in log.events if isinstance(e, ev.ShoeCommitted)}
    opened = {e.shoe for e in log.events if isinstance(e, ev.ShoeOpened)}

    def words(promise: str) -> str:
        shoe = promised[promise]
        now = "opened by its seed" if shoe in opened else "not opened yet"
        return f"the promise of shoe {shoe}, {now}"

    return _noted("promise", noted, promised, words, "no shoe of this record was promised by that")


def _head(log: Log, chain: Chain | None, noted: str) -> Check:
    if chain is None:
        return Check("head", False, "an unchained record has no head to compare")
    by_head = {seal.head: seal for seal in chain.seals}

    def words(head: str) -> str:
        seal = by_head[head]
        after = len(log.entries) - seal.entries
        more = f"{counted(after, 'entry', 'entries')} came later" if after else "nothing came later"
        return f"the head after entry {seal.entries}, in round {seal.round}; {more}"

    missing = "this was never the head: the record is another one, or was cut before it"
    return _noted("head", noted, by_head, words, missing)


def _key(chain: Chain | None, noted: str) -> Check:
    if chain is None or not chain.key:
        return Check("key", False, "the record is not signed")
    other = f"the record is signed by {chain.key[:SHORT]}"
    return _noted("key", noted, [chain.key], lambda _: "the key that signed it", other)
