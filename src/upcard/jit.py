"""Kernels: functions that numba compiles, kept on disk from the second run on.

Numba keeps a compiled kernel for as long as its own file is the same, though it holds the code of
every kernel that it calls and the value of every constant, wherever they are from. Here it is kept
for as long as all of those are the same: what runs is always what the source says. Processes that
compile at the same time write one after the other, where numba alone could mix up their kernels.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from threading import RLock
from types import CodeType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit
from numba.core.runtime.nrt import rtsys

P = ParamSpec("P")
R = TypeVar("R")

_options: dict[object, str] = {}
"""How kernels are compiled, by their Python functions."""
_stamps: dict[object, str] = {}
"""Digests of kernels with everything that is compiled into them, by their Python functions."""
_one_stamp = RLock()
"""Who looks whether a kernel is kept may do so while another thread does."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A function over numbers and arrays, compiled at its first call and cached on disk."""
    return cast("Callable[P, R]", _compiled(function))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A small part of kernels, put into each of them as if it stood there."""
    return cast("Callable[P, R]", _compiled(function, inline="always"))


def lasting(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that makes no array, nor do those that it calls.

    Nobody can let go of an array meanwhile, so numba need not count who holds which. Counting is
    slow: each count is locked against other threads, and a loop may do it for every card.
    """
    return cast("Callable[P, R]", _compiled(function, **_LASTING))


def summing(function: Callable[P, R]) -> Callable[P, R]:
    """A lasting kernel that adds up many numbers, in whatever order the processor is quickest.

    Its last digit may then be another on another machine.
    """
    return cast("Callable[P, R]", _compiled(function, **_LASTING, fastmath={"reassoc"}))


def part(function: Callable[P, R]) -> Callable[P, R]:
    """A part of kernels that nobody else calls, which makes it quicker to compile.

    Unlike what is `inlined` it has arguments of its own, so that what stands behind `is not None`
    is left out where None is passed.
    """
    return cast("Callable[P, R]", _inner(function, _PART))


def within(lasting_kernel: Callable[P, R]) -> Callable[P, R]:
    """A lasting kernel for other kernels to call: quicker to compile with them, as `part` is.

    It has the kernel's own stamp, whether or not somebody imports what calls it so.
    """
    function: Callable[P, R] = attrgetter("py_func")(lasting_kernel)
    return cast("Callable[P, R]", njit(nogil=True, **_LASTING, **_PART)(function))


def stage(function: Callable[P, R]) -> Callable[P, R]:
    """A part of a lasting kernel, put in the place of its call once it is compiled."""
    return cast("Callable[P, R]", _inner(function, _STAGE))


def is_compiled(kernel: Callable[..., Any], given: Sequence[Any]) -> bool:
    """Whether a kernel need not be compiled for what it is given: it is loaded, or kept on disk."""
    found: Any = kernel
    types = tuple(map(found.typeof_pyval, given))
    if types in found.overloads:
        return True
    try:
        key_of, load = attrgetter("_cache._index_key", "_cache._cache_file._load_index")(found)
    except AttributeError:  # a numba that keeps it elsewhere
        return False
    return key_of(types, found.targetctx.codegen()) in load()


_LASTING: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}
_PART: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_STAGE = {**_LASTING, **_PART, "forceinline": True}


def _inner(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A function that is kept with the kernels that call it."""
    _options[function] = str(options)
    return njit(nogil=True, **options)(function)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    _options[function] = str(options)
    found: Any = njit(cache=True, nogil=True, **options)(function)
    try:
        file = attrgetter("_cache._cache_file")(found)
        kept = vars(file)
        kept["_load_index"] = _if_the_same(function, kept, attrgetter("_load_index")(file))
        kept["save"] = _one_at_a_time(file.save, Path(kept["_index_path"]))
        cache = attrgetter("_cache")(found)
        vars(cache)["load_overload"] = _loaded_alone(cache)
    except (AttributeError, KeyError):  # a numba that keeps it elsewhere: better slow than wrong
        return njit(nogil=True, **options)(function)
    return found


def _if_the_same(
    function: Callable[..., Any], kept: dict[str, Any], load: Callable[[], dict[Any, str]]
) -> Callable[[], dict[Any, str]]:
    """What is kept of a kernel: nothing, if it was made of other source, or with bundles that have
    other names now.

    The source is looked at when the kernel is first used: what it calls may stand below it. Numba
    reads all that is kept before it looks whether it is still the same source.
    """
    own_file = kept["_source_stamp"]

    def loaded() -> dict[Any, str]:
        with _one_stamp:
            kept["_source_stamp"] = (own_file, _stamp(function))
        try:
            return load()
        except (AttributeError, ImportError, EOFError, pickle.UnpicklingError):
            return {}

    return loaded


def _loaded_alone(cache: Any) -> Callable[[Any, Any], Any]:
    """Load a kernel that is kept, and no more.

    Numba would first import all that it knows how to compile, a tenth of a second of modules. It
    does so again when something is compiled; what is kept needs only the counts of arrays.
    """
    find, guarded = attrgetter("_load_overload", "_guard_against_spurious_io_errors")(cache)

    def loaded(signature: Any, target: Any) -> Any:
        rtsys.initialize(target)
        with guarded():
            return find(signature, target)

    return loaded


def _one_at_a_time(save: Callable[..., None], index: Path) -> Callable[..., None]:
    """Save a kernel while no other process does: both would take the same name for it."""

    def saved(*given: Any) -> None:
        with _locked(index.with_suffix(".lock")):
            save(*given)

    return saved


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # a system without such locks: as numba does it
        yield
        return
    with path.open("w") as file:
        with suppress(OSError):  # a file system without them
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _stamp(function: Callable[..., Any]) -> str:
    """A digest of a kernel; to be asked for only once all that it calls is there."""
    if function not in _stamps:
        _stamps[function] = ""  # for one that calls itself
        found = hashlib.sha256(_options[function].encode())
        for text in _parts(function.__code__):
            found.update(text.encode())
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                found.update(f"{name}={_value(function.__globals__[name])};".encode())
        _stamps[function] = found.hexdigest()
    return _stamps[function]


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
        if called not in _options:
            return ""
        options = getattr(value, "targetoptions", {})
        return _stamp(called) + repr(sorted(options.items()))
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, (bool, int, float, str, bytes, tuple, np.generic)):
        return repr(value)
    return repr(getattr(value, "_fields", ""))  # of a bundle; numba knows the types inside
