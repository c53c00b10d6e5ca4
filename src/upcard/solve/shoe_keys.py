"""Shoes as numbers: which cards are gone, packed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel
from upcard.solve.dealer import DealerChances

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_KEY_BITS = 63


class ShoeKeys:
    """A key for every shoe, by the groups of cards that the dealer's rules tell apart.

    The cards that hands have taken and those gone besides are at least `low` and at most `high`.
    With an up card, a kind from here on, only that one can be asked for.
    """

    def __init__(
        self,
        dealer: DealerChances,
        counts: Ints,
        low: Ints,
        high: Ints,
        *,
        step: float,
        up: int | None,
    ) -> None:
        self.dealer = dealer
        self.step = step
        self.up = None if up is None else dealer.kind_of[up]
        fewest = dealer.in_groups(low)
        bits = [int(most).bit_length() for most in dealer.in_groups(high) - fewest]
        assert sum(bits) <= _KEY_BITS
        self.shift = np.cumsum([0, *bits])
        self.by_symbol = (1 << self.shift)[dealer.group_of]
        self.least = int(fewest @ (1 << self.shift[:-1]))
        """The key of the fewest cards gone, before it is taken off every key."""
        self.most = dealer.in_groups(counts) - fewest
        """The cards of the largest shoe."""

    def shoes(self, keys: Ints) -> Floats:
        """The cards of some shoes."""
        found = np.empty((len(keys), len(self.most)))
        unpack(keys, self.shift, self.most, found)
        return found


@kernel
def unpack(keys: Ints, shift: Ints, most: Ints, shoes: Floats) -> None:
    """What sets of cards leave of `most` cards."""
    for row in range(len(keys)):
        for group in range(len(most)):
            width = shift[group + 1] - shift[group]
            shoes[row, group] = most[group] - (keys[row] >> shift[group] & ((1 << width) - 1))
