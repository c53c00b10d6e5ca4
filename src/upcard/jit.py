"""Kernels: functions that numba compiles, kept on disk from the second run on."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A function over numbers and arrays, compiled at its first call and cached on disk."""
    return cast("Callable[P, R]", njit(cache=True, nogil=True)(function))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A small part of kernels, put into each of them as if it stood there."""
    return cast("Callable[P, R]", njit(cache=True, nogil=True, inline="always")(function))
