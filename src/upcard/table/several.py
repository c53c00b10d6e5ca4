"""What only several records together show: a table with two stories, a secret used twice, levers
that add up, and in which of them something was noted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from upcard.compile.tables import GameTables
from upcard.table import events as ev
from upcard.table.bots import DealersStrategy, StrategyOf
from upcard.table.conduct import FailedError, judged, levers
from upcard.table.notation import Record
from upcard.table.proof import Noted, noted_checks
from upcard.table.verify import Check
from upcard.text import counted, listed

LISTED = 5
"""At most so many copies are named; the rest are counted."""


class Named(NamedTuple):
    """A record with the name of its file; `weighable` as its conduct was."""

    name: str
    tables: GameTables
    record: Record
    weighable: bool = True

    @property
    def opened(self) -> ev.TableOpened | None:
        events = self.record.log.events
        return next((event for event in events if isinstance(event, ev.TableOpened)), None)


def verify_together(
    records: Sequence[Named], noted: Noted, plays: StrategyOf = DealersStrategy
) -> tuple[Check, ...]:
    checks = [_tables(records), _secrets(records), _conduct(_once(records), plays)]
    return (*checks, *_noted(records, noted))


def _tables(records: Sequence[Named]) -> Check:
    """Two records of one table: one may be an earlier copy of the other, but not another story."""
    for one, other in combinations(records, 2):
        if not _one_table(one, other):
            continue
        short, long = sorted((one, other), key=lambda named: len(named.record.log.entries))
        if not _begins(short, long):
            pairs = zip(short.record.log.events, long.record.log.events, strict=False)
            same = next((place for place, (a, b) in enumerate(pairs, 1) if a != b), 0)
            where = f"from event {same} on" if same else "in their times or signatures"
            return Check(
                "tables",
                False,
                f"{one.name} and {other.name} are of the same table, {_table(one)}, and tell "
                f"different stories {where}",
            )
    longest = _once(records)
    copies = [
        f"{short.name} is the beginning of {long.name}"
        for short in records
        for long in longest
        if short is not long and _one_table(short, long)
    ]
    if len(copies) > LISTED:
        copies[LISTED:] = [f"{len(copies) - LISTED} more are copies or beginnings of others"]
    found = "; ".join(copies) or f"{counted(len(records), 'record')}, each of a table of its own"
    return Check("tables", True, found)


def _table(named: Named) -> str:
    return named.opened.table if named.opened else ""


def _once(records: Sequence[Named]) -> list[Named]:
    """The records without copies: of a table only the longest, which has all the others have."""
    found: list[Named] = []
    for named in sorted(records, key=lambda named: -len(named.record.log.entries)):
        if not any(_one_table(named, other) for other in found):
            found.append(named)
    return found


def _one_table(one: Named, other: Named) -> bool:
    """Whether two records claim to be of one table: by its secret, or by its name and key."""
    if one.opened is None or other.opened is None:
        return False
    keys = {named.record.chain.key for named in (one, other) if named.record.chain}
    signed_alike = len(keys) == 1 and "" not in keys
    same_secret = one.opened.secret == other.opened.secret
    return one.opened.table == other.opened.table and (same_secret or signed_alike)


def _begins(short: Named, long: Named) -> bool:
    """Whether one record is an earlier copy of another."""
    if short.record.chain is not None and long.record.chain is not None:
        return short.record.chain.head in {seal.head for seal in long.record.chain.seals}
    count = len(short.record.log.entries)
    return tuple(short.record.log.events) == tuple(
        event for entry in long.record.log.entries[:count] for event in entry.events
    )


def _secrets(records: Sequence[Named]) -> Check:
    """Tables with one secret deal the same shoes: whoever saw the first knows the others."""
    by_secret: dict[str, dict[str, str]] = defaultdict(dict)
    for named in records:
        opened = named.opened
        if opened is not None and not (opened.dealt_from or opened.scripted):
            by_secret[opened.secret].setdefault(opened.table, named.name)
    for names in by_secret.values():
        if len(names) > 1:
            who = listed(names.values(), "and")
            return Check("secrets", False, f"{who} have the same secret, so their shoes are alike")
    return Check("secrets", True, "no two live tables have the same secret")


def _conduct(records: Sequence[Named], plays: StrategyOf) -> Check:
    """Levers too few to be judged in one record may not be in many."""
    try:
        weighed = [named for named in records if named.weighable]
        found = [
            lever for named in weighed for lever in levers(named.tables, named.record.log, plays)
        ]
        return Check("together", True, judged(found))
    except FailedError as error:
        return Check("together", False, str(error))


def _noted(records: Sequence[Named], noted: Noted) -> Iterator[Check]:
    """What was noted must be found in one of the records."""
    single = [Noted(promises=(promise,)) for promise in noted.promises]
    single += [Noted(head=noted.head)] if noted.head else []
    for one in single:
        tried = [(named.name, noted_checks(named.record, one)[0]) for named in records]
        where, check = next(((n, c) for n, c in tried if c.holds), tried[0])
        if check.holds:
            yield check._replace(found=f"{where}: {check.found}")
        else:
            yield check._replace(found=f"none of the records has it: {check.found}")
