"""Kernels: functions that numba compiles, kept on disk from the second run on.

Numba keeps a compiled kernel for as long as its own file is the same, though it holds the code of
every kernel that it calls and the value of every constant, wherever they are from. Here it is kept
for as long as all of those are the same: what runs is always what the source says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from operator import attrgetter
from types import CodeType
from typing import Any, Literal, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit

P = ParamSpec("P")
R = TypeVar("R")

_stamps: dict[object, str] = {}
"""Digests of kernels with everything that is compiled into them, by their Python functions."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A function over numbers and arrays, compiled at its first call and cached on disk."""
    return cast("Callable[P, R]", _compiled(function))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A small part of kernels, put into each of them as if it stood there."""
    return cast("Callable[P, R]", _compiled(function, "always"))


def _compiled(function: Callable[..., Any], inline: Literal["never", "always"] = "never") -> Any:
    _stamps[function] = stamp = _stamp(function)
    found: Any = njit(cache=True, nogil=True, inline=inline)(function)
    try:
        kept = vars(attrgetter("_cache._cache_file")(found))
        kept["_source_stamp"] = (kept["_source_stamp"], stamp)
    except (AttributeError, KeyError):  # a numba that keeps it elsewhere: better slow than wrong
        return njit(nogil=True, inline=inline)(function)
    return found


def _stamp(function: Callable[..., Any]) -> str:
    found = hashlib.sha256()
    for part in _parts(function.__code__):
        found.update(part.encode())
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            found.update(f"{name}={_value(function.__globals__[name])};".encode())
    return found.hexdigest()


def _parts(code: CodeType) -> Iterator[str]:
    """What a function does, without where it stands."""
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)
        else:  # a set has another order in every process
            yield repr(sorted(constant) if isinstance(constant, frozenset) else constant)


def _names(code: CodeType) -> set[str]:
    inside = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(_names, inside))


def _value(value: Any) -> str:
    """Of a name that a kernel uses: what of it is compiled into the kernel."""
    called = getattr(value, "py_func", value)
    if callable(called) and not isinstance(called, type):
        return _stamps.get(called, "")
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, (bool, int, float, str, bytes, tuple, np.generic)):
        return repr(value)
    return repr(getattr(value, "_fields", ""))  # of a bundle; numba knows the types inside
