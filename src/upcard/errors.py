"""What goes wrong, said in one sentence each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upcard.text import cited


class UpcardError(Exception):
    """A refused or failed request. Its text is one clear sentence for a person."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is said in a line each. A line feed in a sentence comes from what it quotes."""
        return (str(self),)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a game file or a setting, and where."""

    file: str
    path: str
    message: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = f"{self.file}: {self.path}: " if self.path else f"{self.file}: "
        if self.file in self.message and not self.path:
            place = ""
        return place + self.message + cited(self.clauses)


class ProblemsError(UpcardError):
    """A description that cannot be used, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.sentences))

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(map(str, self.problems))
