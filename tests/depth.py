"""How deep `make test` looks: at one case of each kind; `make proofs` looks at all others.

A proof that takes long is marked `deep` if a quicker test shows the same thing of another case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

deep = pytest.mark.deep


def one_of_each(cases: Iterable[Any], kind: Callable[[Any], Hashable]) -> list[Any]:
    """Cases of one argument each, of which those are deep that are not the first of their kind."""
    seen: set[Hashable] = set()
    found = []
    for case in cases:
        own = kind(case)
        found.append(pytest.param(case, marks=deep if own in seen else ()))
        seen.add(own)
    return found
