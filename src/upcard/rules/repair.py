"""What can still be said of a game file that departs from the vocabulary.

What has no place in the vocabulary is taken out and what is missing stands in from the house game;
then the rest can be checked, but for what may only be a consequence of that.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Collection

from upcard.errors import Problem
from upcard.rules import paths, registry
from upcard.rules.head import HEADER
from upcard.rules.schema import INDEX
from upcard.rules.validate import shape_problems

HOUSE_GAME = "blackjack"
_ENTRIES = (*INDEX, "wagers", "paytables")
"""Tables of entries: one with a mistake is left out whole."""
_PASSES = 4
"""Taking out and standing in, and the same once more for what they laid bare."""


def repaired(data: paths.Data, file: str) -> tuple[paths.Data, frozenset[str]] | None:
    """A sound form of a file, and the paths that were touched; None if there is no saving it."""
    house = registry.find(HOUSE_GAME).data
    found = copy.deepcopy(data)
    touched: set[str] = set()
    for _ in range(_PASSES):
        problems = shape_problems(found, file)
        if not problems:
            return found, frozenset(touched)
        for problem in problems:
            path = _unit(problem.path, found)
            touched.add(path)
            if paths.exists(found, path):
                paths.drop(found, path)
            elif paths.exists(house, path):
                paths.put(found, path, copy.deepcopy(paths.get(house, path)))
    return None


def _unit(path: str, data: paths.Data) -> str:
    """What is taken out because of a mistake at a path: an entry whole, a list whole."""
    path = path.partition("[")[0]
    first, *rest = paths.split(path, data)
    return f"{first}.{rest[0]}" if first in _ENTRIES and rest else path


def speaks_of(problem: Problem, touched: Collection[str]) -> bool:
    """Whether a problem may only be a consequence of what was touched."""
    for path in touched:
        if paths.covers(path, problem.path) or paths.covers(problem.path, path):
            return True
        word = rf"(?<![\w.-]){re.escape(path)}(?![\w-])"
        if path not in HEADER and re.search(word, f"{problem.path} {problem.message}"):
            return True
    return False


def index_is_whole(touched: Collection[str]) -> bool:
    """Whether all that says where values come from is there as it was written."""
    return not any(path.partition(".")[0] in INDEX for path in touched)
