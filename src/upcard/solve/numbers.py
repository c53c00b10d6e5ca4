"""Keys numbered in the order in which they were first met."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel
from upcard.solve.graph import FREE, place_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]

_FEWEST = 1 << 12
"""Places of the first hash table."""
_GROWTH = 4
_REPEATED = 2
"""How often keys come again that are numbered at once, about."""
_MORE_ROWS = 1.5


def with_room(rows: Floats, used: int, wanted: int) -> Floats:
    """Rows with room for so many, those in use as before."""
    if wanted <= len(rows):
        return rows
    found = np.empty((max(wanted, int(_MORE_ROWS * len(rows))), *rows.shape[1:]))
    found[:used] = rows[:used]
    return found


class Numbers:
    """The keys that were met so far; the number of one is its place among them."""

    def __init__(self) -> None:
        self._table: Shorts = np.full(_FEWEST, FREE, dtype=np.int32)
        self._met: Ints = np.empty(_FEWEST // 2, dtype=np.int64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def keys(self) -> Ints:
        """By their numbers."""
        return self._met[: self._count]

    def of(self, keys: Ints) -> Ints:
        """The number of every key; new ones get theirs."""
        if self._count == 0:
            self._make_room(len(keys) // _REPEATED)
        own = np.empty_like(keys)
        row = 0
        while True:
            row, self._count = number_keys(keys, row, self._table, self._met, self._count, own)
            if row == len(keys):
                return own
            self._make_room(_GROWTH * self._count)

    def of_further(self, keys: Ints, same: Shorts, before: Ints) -> Ints:
        """The number of every key, where those of some are known: key `row` is the one that had
        `before[same[row]]`, unless that is negative.
        """
        own = np.empty_like(keys)
        row = 0
        while True:
            row, self._count = number_further(
                keys, same, before, row, self._table, self._met, self._count, own
            )
            if row == len(keys):
                return own
            self._make_room(_GROWTH * self._count)

    def _make_room(self, wanted: int) -> None:
        """Room for at least so many keys."""
        room = len(self._met)
        while room < wanted:
            room *= 2
        if room > len(self._met):
            known = self.keys
            self._table = np.full(2 * room, FREE, dtype=np.int32)
            self._met = np.empty(room, dtype=np.int64)
            number_keys(known, 0, self._table, self._met, 0, np.empty_like(known))


@kernel
def number_keys(
    keys: Ints, row: int, table: Shorts, met: Ints, count: int, own: Ints
) -> tuple[int, int]:
    """Number keys from a row on, those never met before by the next numbers, while there is room.

    Gives the row that comes next, and how many were met.
    """
    while row < len(keys):
        place = place_of(keys[row], table, met)
        if table[place] == FREE:
            if count == len(met):
                break
            table[place] = count
            met[count] = keys[row]
            count += 1
        own[row] = table[place]
        row += 1
    return row, count


@kernel
def number_further(
    keys: Ints,
    same: Shorts,
    before: Ints,
    row: int,
    table: Shorts,
    met: Ints,
    count: int,
    own: Ints,
) -> tuple[int, int]:
    """Number keys as `number_keys` does, where those that are known need not be looked up."""
    while row < len(keys):
        if same[row] >= 0:
            own[row] = before[same[row]]
        else:
            place = place_of(keys[row], table, met)
            if table[place] == FREE:
                if count == len(met):
                    break
                table[place] = count
                met[count] = keys[row]
                count += 1
            own[row] = table[place]
        row += 1
    return row, count
