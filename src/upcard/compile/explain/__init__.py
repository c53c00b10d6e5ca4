"""The rules in words: every value of a game as part of a sentence, with where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from upcard.compile.explain import play, results, setting, wagering
from upcard.compile.explain.phrases import SentenceDraft
from upcard.rules.load import RuleSet
from upcard.rules.provenance import POINT, Kind, Provenance, base_of


class Sentence(NamedTuple):
    """A rule in words, the keys it speaks of, and their provenance.

    `clauses` are those that say it. `moot` are keys whose values mean nothing beside the others.
    """

    section: str
    words: str
    keys: tuple[str, ...]
    clauses: tuple[str, ...]
    options: tuple[str, ...]
    readings: tuple[str, ...]
    assumed: bool
    rows: tuple[tuple[str, str], ...] = ()
    """Lines of a pay table that follow the sentence."""
    moot: tuple[str, ...] = ()
    unsourced: bool = False
    """Whether a draft has no source yet for what it says."""


def sentences(rules: RuleSet) -> tuple[Sentence, ...]:
    """The rule sheet, sentence by sentence in the order of its sections."""
    drafts = ((section, draft) for section, writer in _SECTIONS.items() for draft in writer(rules))
    traced = (_traced(rules, section, draft) for section, draft in drafts)
    return (*_identity(rules), *(sentence for sentence in traced if sentence is not None))


def _identity(rules: RuleSet) -> Iterator[Sentence]:
    """Clauses about the game as a whole: its name, and the game that it leans on."""
    for clause_id, clause in rules.game.clauses.items():
        keys = tuple(key for key in ("extends", "name", "also_known_as") if key in clause.sets)
        # What an extended game says of itself is not said of this one.
        if keys and rules.lineage[clause_id] == rules.game.id:
            yield Sentence("The game", clause.says, keys, (clause_id,), (), (), assumed=False)


def _traced(rules: RuleSet, section: str, draft: SentenceDraft) -> Sentence | None:
    found = {key: origin for wanted in draft.keys for key, origin in _origins(rules, wanted)}
    spoken = any(POINT in key for key in found) if draft.own else found or draft.always
    if not spoken:
        return None
    origins = found.values()

    def names(kind: Kind) -> tuple[str, ...]:
        return tuple(dict.fromkeys(origin.name for origin in origins if origin.kind == kind))

    clauses = tuple(dict.fromkeys(clause for origin in origins for clause in origin.said_by))
    if draft.assumed or (draft.absent and any(origin.kind == "option" for origin in origins)):
        clauses = ()
    ruled = found and all(origin.kind == "ruled" for origin in origins)
    if ruled and not clauses and all(key.startswith("floor.") for key in found):
        return None  # The clause is not in force.
    moot = {path for key in draft.moot for path in rules.below.get(key, ())}
    return Sentence(
        section=section,
        words=draft.words,
        keys=tuple(dict.fromkeys(map(base_of, found))),
        clauses=clauses,
        options=names("option"),
        readings=names("reading"),
        assumed=draft.assumed or all(origin.kind == "assumed" for origin in origins),
        rows=draft.rows,
        moot=tuple(path for path in rules.values if path in moot) if moot else (),
        unsourced=any(origin.kind == "unsourced" for origin in origins),
    )


def _origins(rules: RuleSet, wanted: str) -> Iterator[tuple[str, Provenance]]:
    """The values below a key with their provenance, or a point with its own or its key's."""
    if POINT in wanted and wanted in rules.provenance:
        yield wanted, rules.provenance[wanted]
        return
    for path in rules.below.get(base_of(wanted), ()):
        if path in rules.provenance:
            yield path, rules.provenance[path]


_SECTIONS: dict[str, Callable[[RuleSet], Iterator[SentenceDraft]]] = {
    "Cards": setting.cards,
    "Table": setting.table,
    "Bank": setting.bank,
    "Wagers": wagering.wagering,
    "Collection fees": wagering.fees,
    "Deal": play.deal,
    "Bonus cards and lights": play.bonus_cards,
    "Player": play.player,
    "Dealer": play.dealer,
    "Who wins": results.outcomes,
    "Side wagers": results.side_wagers,
    "Mistakes of the deal": play.mistakes,
}
