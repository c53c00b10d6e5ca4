"""Arrays of compiled tables: typed, and closed to writing."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)


def frozen(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """The same array, never to be written again."""
    array.setflags(write=False)
    return array
