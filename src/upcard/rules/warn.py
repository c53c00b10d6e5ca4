"""What is allowed in a game file and yet not as it should be."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.errors import Problem
from upcard.rules.head import HEADER
from upcard.rules.load import RuleSet
from upcard.rules.schema import INDEX, GameRules
from upcard.shape import fields_of

SECTIONS = frozenset(fields_of(GameRules)) - {*HEADER, *INDEX}
"""The tables of rules at the top of a file."""


def warnings(rules: RuleSet) -> Iterator[Problem]:
    """What a reviewer would ask about."""
    for name, clause in rules.game.clauses.items():
        for target in clause.sets if rules.lineage[name] == rules.game.id else ():
            if target in SECTIONS:
                below = ", ".join(f'"{path}"' for path in rules.below.get(target, ()))
                yield Problem(
                    rules.file,
                    f"clauses.{name}.sets",
                    f'"{target}" claims a whole table, whatever is written there later: name the '
                    f"values that the clause speaks of, of {below}",
                )
    if rules.game.draft and not rules.unsourced:
        words = "every value has its source: take the line out, and nothing says DRAFT any more"
        yield Problem(rules.file, "draft", words)
