"""What rounds are played with: the source that they depend on, and the libraries under it.

Two machines can have one version of upcard and yet other code: an edited file, a build from another
branch, another numba. A build names all of it, so that it can be compared: between the machines of
a cluster, and between a checkpoint and the run that goes on with it.

The source is every module that a worker's task can reach by imports of upcard. Games come compiled
with a job, and a job's identity has the fingerprint of its tables, so game files are no part of it.
"""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import msgspec

from upcard.errors import UpcardError
from upcard.text import counted, listed

PACKAGE = "upcard"
PLAYED_FROM = ("upcard.simulate.job", "upcard.simulate.cluster")
"""Where a worker's task begins."""
LIBRARIES = ("numpy", "numba", "llvmlite")
MOST_NAMED = 3
"""Files named in a sentence."""


class Build(msgspec.Struct, frozen=True):
    """Digests of the source by file, and versions of what lies under it."""

    code: dict[str, str]
    libraries: dict[str, str]

    @property
    def digest(self) -> str:
        """All of it in one short text."""
        data = msgspec.json.encode([sorted(self.code.items()), sorted(self.libraries.items())])
        return hashlib.sha256(data).hexdigest()[:16]

    def other_code(self, other: Build) -> str:
        """Which files are not the same, in words; empty if all are.

        >>> ours, theirs = Build({"a.py": "1", "b.py": "2"}, {}), Build({"a.py": "3"}, {})
        >>> ours.other_code(theirs), ours.other_code(ours)
        ('a.py and b.py', '')
        """
        names = sorted(self.code.keys() | other.code.keys())
        differ = [name for name in names if self.code.get(name) != other.code.get(name)]
        if len(differ) > MOST_NAMED:
            rest = counted(len(differ) - MOST_NAMED + 1, "other file")
            differ = [*differ[: MOST_NAMED - 1], rest]
        return listed(differ, "and")

    def other_libraries(self, other: Build) -> str:
        """Which versions the other build has that are not the same, in words.

        >>> ours, theirs = Build({}, {"numpy": "2.4.6"}), Build({}, {"numpy": "2.0.0"})
        >>> ours.other_libraries(theirs), ours.other_libraries(ours)
        ('numpy 2.0.0 and not 2.4.6', '')
        """
        names = sorted(self.libraries.keys() | other.libraries.keys())
        found = []
        for name in names:
            here, there = self.libraries.get(name, "none"), other.libraries.get(name, "none")
            if here != there:
                found.append(f"{name} {there} and not {here}")
        return ", ".join(found)

    def seal(self, identity: Mapping[str, Any]) -> str:
        """What a result carries: this code played a job of this identity."""
        data = msgspec.json.encode([self.digest, dict(identity)], order="deterministic")
        return hashlib.sha256(data).hexdigest()


def own_build(begins: tuple[str, ...] = PLAYED_FROM) -> Build:
    """The build of this process, by the modules that its work begins with.

    It is looked at once: a file that changes later is not what runs.
    """
    return _build_from(begins)


@cache
def _build_from(begins: tuple[str, ...]) -> Build:
    code = {}
    for name in _reached(begins):
        source = _source(name)
        assert source is not None
        # A checkout may have the line ends of its system.
        text = source[1].replace(b"\r\n", b"\n")
        code[source[0]] = hashlib.sha256(text).hexdigest()[:16]
    libraries = {library: version(library) for library in LIBRARIES}
    return Build(code, {"python": platform.python_version(), **libraries})


def _reached(begins: tuple[str, ...]) -> list[str]:
    """Every module of upcard that a task imports, and what those import."""
    found: set[str] = set()
    waiting = list(begins)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        source = _source(name)
        if source is None:
            continue  # a name inside a module
        found.add(name)
        parent = name.rpartition(".")[0]
        waiting += [parent] if parent else []
        waiting += [one for one in imports_of(source[1]) if one.split(".")[0] == PACKAGE]
    if not found.issuperset(begins):
        raise UpcardError(
            "upcard is installed without its source, so results on a cluster or in a checkpoint "
            "cannot say what made them: install it as a wheel or from a checkout"
        )
    return sorted(found)


def _source(name: str) -> tuple[str, bytes] | None:
    """The file of a module, from the package's folder on, and what is in it."""
    folder = files(PACKAGE)
    parts = name.split(".")[1:]
    for place in ([*parts, "__init__.py"], [*parts[:-1], f"{parts[-1]}.py"] if parts else []):
        file = folder.joinpath(*place)
        if place and file.is_file():
            return "/".join(place), file.read_bytes()
    return None


def imports_of(source: bytes) -> Iterator[str]:
    r"""The modules that a file imports, anywhere in it; and names, which may be modules.

    Statements are found by how they are written: parsing them takes six times as long.

    >>> text = "if TYPE_CHECKING:\n    import a\ndef f():\n    from b import (\n        c,\n    )\n"
    >>> list(imports_of(text.encode()))
    ['b', 'b.c']
    """
    text = _FOR_TYPES.sub("", source.decode().replace("\r\n", "\n"))
    for module, listed_names, names, plain in _IMPORT.findall(text):
        if module:
            yield module
            for name in _COMMENT.sub("", listed_names or names).split(","):
                yield from (f"{module}.{word}" for word in name.split()[:1])
        else:
            yield from (name.split()[0] for name in _COMMENT.sub("", plain).split(","))


_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:(?:[ \t].*)?\n)*", re.MULTILINE)
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]+))"
    r"|import[ \t]+([^\n]+))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#[^\n]*")
