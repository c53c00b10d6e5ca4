"""The rules in words: every value of a game as part of a sentence, with where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from upcard.compile.explain import play, results, setting
from upcard.compile.explain.phrases import SentenceDraft
from upcard.rules.load import RuleSet
from upcard.rules.paths import covers
from upcard.rules.provenance import Kind
from upcard.rules.schema import GameRules


class Sentence(NamedTuple):
    """A rule in words, the keys it speaks of, and their provenance."""

    section: str
    words: str
    keys: tuple[str, ...]
    clauses: tuple[str, ...]
    options: tuple[str, ...]
    readings: tuple[str, ...]
    assumed: bool
    rows: tuple[tuple[str, str], ...] = ()
    """Lines of a pay table that follow the sentence."""


def sentences(rules: RuleSet) -> tuple[Sentence, ...]:
    """The rule sheet, sentence by sentence in the order of its sections."""
    drafts = (
        (section, draft) for section, writer in _SECTIONS.items() for draft in writer(rules.game)
    )
    traced = (_traced(rules, section, draft) for section, draft in drafts)
    return (*_identity(rules), *(sentence for sentence in traced if sentence is not None))


def _identity(rules: RuleSet) -> Iterator[Sentence]:
    """Clauses about the game as a whole: its name, and the game that it leans on."""
    for clause_id, clause in rules.game.clauses.items():
        keys = tuple(key for key in ("extends", "name", "also_known_as") if key in clause.sets)
        if keys:
            yield Sentence("The game", clause.says, keys, (clause_id,), (), (), assumed=False)


def _traced(rules: RuleSet, section: str, draft: SentenceDraft) -> Sentence | None:
    paths = [path for path in rules.values if any(covers(key, path) for key in draft.keys)]
    if not paths and not draft.always:
        return None
    origins = [rules.provenance[path] for path in paths]

    def names(kind: Kind) -> tuple[str, ...]:
        return tuple(dict.fromkeys(origin.name for origin in origins if origin.kind == kind))

    return Sentence(
        section=section,
        words=draft.words,
        keys=tuple(paths),
        clauses=rules.cites(*paths),
        options=names("option"),
        readings=names("reading"),
        assumed=bool(origins) and all(origin.kind == "assumed" for origin in origins),
        rows=draft.rows,
    )


_SECTIONS: dict[str, Callable[[GameRules], Iterator[SentenceDraft]]] = {
    "Cards": setting.cards,
    "Table": setting.table,
    "Wagers and fees": setting.wagering,
    "Deal": play.deal,
    "Bonus cards and lights": play.bonus_cards,
    "Player": play.player,
    "Dealer": play.dealer,
    "Who wins": results.outcomes,
    "Side wagers": results.side_wagers,
}
