"""What rounds add up to: whole numbers only, so that sums are the same in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.object_]
"""Python's whole numbers, which never overflow."""


def exact(numbers: npt.ArrayLike) -> Counts:
    """Numbers of fixed size as whole numbers without a limit."""
    return np.array(numbers, dtype=object)


@dataclass
class Totals:
    """Named arrays of whole numbers, and counts by value.

    >>> one = Totals({"rounds": exact([3])}, {"round": Counter({-500: 2, 500: 1})})
    >>> both = one + one
    >>> both.sums["rounds"].tolist(), both.counts["round"][-500]
    ([6], 4)
    >>> Totals.from_data(both.to_data()) == both
    True
    """

    sums: dict[str, Counts] = field(default_factory=dict)
    counts: dict[str, Counter[int]] = field(default_factory=dict)

    def __add__(self, other: Totals) -> Totals:
        found = Totals(dict(self.sums), {name: Counter(own) for name, own in self.counts.items()})
        for name, numbers in other.sums.items():
            found.sums[name] = found.sums[name] + numbers if name in found.sums else numbers
        for name, counted in other.counts.items():
            found.counts.setdefault(name, Counter()).update(counted)
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and self.to_data() == other.to_data()

    @property
    def rounds(self) -> int:
        return int(self.sums["rounds"][0]) if "rounds" in self.sums else 0

    def to_data(self) -> dict[str, Any]:
        """Everything as JSON has it; numbers as text, since some are larger than JSON's."""
        return {
            "sums": {name: _texts(numbers.tolist()) for name, numbers in self.sums.items()},
            "counts": {
                name: {str(value): str(count) for value, count in sorted(own.items())}
                for name, own in self.counts.items()
            },
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Totals:
        return cls(
            {name: exact(_numbers(texts)) for name, texts in data["sums"].items()},
            {
                name: Counter({int(value): int(count) for value, count in own.items()})
                for name, own in data["counts"].items()
            },
        )


def _texts(numbers: Any) -> Any:
    return [_texts(one) for one in numbers] if isinstance(numbers, list) else str(numbers)


def _numbers(texts: Any) -> Any:
    return [_numbers(one) for one in texts] if isinstance(texts, list) else int(texts)
