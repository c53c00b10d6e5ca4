"""Ids of commands, and how one says by itself that it is new.

A command acts once, however often it is sent, so whether its id has acted must be known before
anything is decided: how long a decision takes tells something of the cards. The store knows all
ids, memory those of a table's last entries. An id such as "@41-7f3a" says that it was made when the
table had 41 entries; the house takes none that names a later entry than there is, so what it led to
is behind entry 41, and where memory has every entry from there on, memory is enough to ask.
"""

from __future__ import annotations

import re

_AFTER = re.compile(r"@([0-9]{1,15})-")


def made_after(id_: str) -> int | None:
    """The entry that an id says it was made after, if it says so.

    >>> made_after("@41-7f3a"), made_after("@41"), made_after("7f3a"), made_after("@²-7f3a")
    (41, None, None, None)
    """
    found = _AFTER.match(id_)
    return int(found[1]) if found is not None else None
