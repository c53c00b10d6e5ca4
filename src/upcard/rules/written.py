"""Values as a game file writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any


def toml(value: Any) -> str:
    """A value as TOML writes it on one line.

    >>> toml({"from": 1, "a b": [True, 0.5, "x"]})
    '{ from = 1, "a b" = [true, 0.5, "x"] }'
    """
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(key)} = {toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """A key, in quotes if it needs them."""
    is_bare = bool(key) and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if is_bare else json.dumps(key)
