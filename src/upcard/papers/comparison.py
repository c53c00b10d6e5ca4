"""Two games side by side: what their wagers are worth, and every rule in which they differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upcard.compile.bets import wagers_of
from upcard.compile.explain import Sentence
from upcard.compile.tables import GameTables
from upcard.money import BASE
from upcard.pages.page import Printer, Shown
from upcard.solve.readings import Evs, price_all
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode


@dataclass(frozen=True)
class RuleDifference:
    """What each of two games says about the same thing; nothing where a game does not have it."""

    section: str
    one: tuple[Sentence, ...]
    other: tuple[Sentence, ...]


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Two games: what a unit of every wager is worth in each, and the rules that differ."""

    one: GameTables
    other: GameTables
    bets: tuple[int, int]
    mode: Mode
    evs: tuple[Evs, Evs]
    differences: tuple[RuleDifference, ...]
    same: int
    """Rules that both have in the same words."""

    @property
    def wagers(self) -> tuple[str, ...]:
        """The wagers of either game."""
        return tuple(dict.fromkeys(wager for evs in self.evs for wager in evs))

    def show(self, out: Printer) -> None:
        """Print the edges and the rules side by side on a console or a page."""
        from upcard.papers.comparison_page import show_comparison

        show_comparison(self, out)

    def __repr__(self) -> str:
        return (
            f"<Comparison of {self.one.ref} and {self.other.ref}: "
            f"{len(self.differences)} differences, {self.same} rules alike>"
        )


def compare(
    one: GameTables,
    other: GameTables,
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Comparison:
    """Compare two games, each priced with its own best play.

    >>> from upcard import tables_for
    >>> found = compare(tables_for("blackjack"), tables_for("blackjack", {"soft17": "hit"}))
    >>> [difference.other[0].words for difference in found.differences]
    ['The dealer hits soft 17.']
    """
    bets = wagers_of(one, bet)[BASE], wagers_of(other, bet)[BASE]
    progress(one.name, 0.0)
    ours = price_all(one, bets[0], mode)
    progress(other.name, 0.5)
    evs = ours, price_all(other, bets[1], mode)
    progress("comparison", 1.0)
    differences, same = rule_differences(one.rulebook.sentences, other.rulebook.sentences)
    return Comparison(one, other, bets, mode, evs, differences, same)


def rule_differences(
    one: Iterable[Sentence], other: Iterable[Sentence]
) -> tuple[tuple[RuleDifference, ...], int]:
    """The rules that differ, those that speak of the same keys together, and how many do not.

    Sentences that say the same are the same rule, whatever clause is behind them.
    """
    ours, theirs = list(one), list(other)
    said = {_said(sentence) for sentence in theirs}
    alike = {_said(sentence) for sentence in ours} & said
    left = [sentence for sentence in theirs if _said(sentence) not in alike]
    found: list[RuleDifference] = []
    for sentence in ours:
        if _said(sentence) in alike:
            continue
        keys = set(sentence.keys)
        same_topic = [
            candidate
            for candidate in left
            if candidate.section == sentence.section and keys & set(candidate.keys)
        ]
        left = [candidate for candidate in left if candidate not in same_topic]
        before = found[-1] if found else None
        if not same_topic and before is not None and _one_topic(before, sentence):
            found[-1] = RuleDifference(before.section, (*before.one, sentence), before.other)
        else:
            found.append(RuleDifference(sentence.section, (sentence,), tuple(same_topic)))
    found += [RuleDifference(sentence.section, (), (sentence,)) for sentence in left]
    order = {
        section: n for n, section in enumerate(dict.fromkeys(s.section for s in (*ours, *theirs)))
    }
    return tuple(sorted(found, key=lambda difference: order[difference.section])), len(alike)


def _said(sentence: Sentence) -> tuple[str, tuple[tuple[str, str], ...]]:
    return sentence.words, sentence.rows


def _one_topic(difference: RuleDifference, sentence: Sentence) -> bool:
    """Whether a sentence is about what the other game has said in that difference already."""
    keys = {key for other in difference.other for key in other.keys}
    return difference.section == sentence.section and bool(keys & set(sentence.keys))
