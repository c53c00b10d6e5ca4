"""Dotted paths into a game file, such as `dealer.soft17`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from upcard.rules.head import HEADER
from upcard.rules.schema import INDEX

Data = dict[str, Any]


def leaves(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every value below a table with its path; a list is one value.

    >>> list(leaves({"shoe": {"decks": 6, "removed": ["T"]}}))
    [('shoe.decks', 6), ('shoe.removed', ['T'])]
    """
    for key, value in data.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, Mapping):
            yield from leaves(value, path)
        else:
            yield path, value


def rule_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the rules themselves, without the header and the index of provenance."""
    rules = {key: value for key, value in data.items() if key not in (*HEADER, *INDEX)}
    return dict(leaves(rules))


def get(data: Mapping[str, Any], path: str) -> Any:
    """The value at a path; KeyError if there is none."""
    node: Any = data
    for key in split(path, data):
        node = node[key]
    return node


def exists(data: Mapping[str, Any], path: str) -> bool:
    """Whether there is a value at a path; of an item of a list, whether there is the list."""
    try:
        get(data, path.partition("[")[0])
    except (KeyError, TypeError):
        return False
    return True


def put(data: Data, path: str, value: Any) -> None:
    *tables, key = split(path, data)
    node = data
    for table in tables:
        node = node.setdefault(table, {})
    node[key] = value


def drop(data: Data, path: str) -> None:
    """Take out the value at a path, if there is one."""
    *tables, key = split(path, data)
    node: Any = data
    for table in tables:
        node = node.get(table, {}) if isinstance(node, dict) else {}
    if isinstance(node, dict):
        node.pop(key, None)


def split(path: str, data: Mapping[str, Any]) -> list[str]:
    """The keys of a path. An id may itself contain dots, so known keys are tried first."""
    keys: list[str] = []
    node: Any = data
    rest = path
    while rest:
        known = node if isinstance(node, Mapping) else {}
        key = rest
        while key not in known and "." in key:
            key = key.rpartition(".")[0]
        keys.append(key)
        rest = rest[len(key) + 1 :]
        node = known.get(key)
    return keys


def covers(prefix: str, path: str) -> bool:
    """Whether a path is the prefix itself or lies below it."""
    return path == prefix or path.startswith(f"{prefix}.")


def above(path: str) -> Iterator[str]:
    """Every prefix that covers a path, the path itself among them.

    >>> list(above("shoe.decks"))
    ['shoe', 'shoe.decks']
    """
    for place, letter in enumerate(path):
        if letter == ".":
            yield path[:place]
    yield path


def merge(parent: Mapping[str, Any], child: Mapping[str, Any]) -> Data:
    """The parent with the child's differences; lists are replaced, tables are merged."""
    merged: Data = dict(parent)
    for key, value in child.items():
        inherited = merged.get(key)
        if isinstance(inherited, Mapping) and isinstance(value, Mapping):
            merged[key] = merge(inherited, value)
        else:
            merged[key] = value
    return merged
