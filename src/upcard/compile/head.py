"""What a compiled game says about itself beside its rules: its looks, where it holds, drafts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from upcard.rules.draft import draft_words
from upcard.rules.head import when_and_where
from upcard.rules.load import RuleSet


@dataclass(frozen=True)
class Head:
    """Words and looks; dates are texts such as 2026-01-31, and empty where none is stated.

    `draft` is a sentence that everything made of the game says, if it is a draft; `missing` are
    the values that have no source yet.
    """

    summary: str
    felt: str
    jurisdiction: str
    effective: str
    until: str
    holds: str
    draft: str
    missing: tuple[str, ...]

    @property
    def data(self) -> dict[str, Any]:
        """Where and when the rules hold, and whether they are a draft, for JSON."""
        return {
            "jurisdiction": self.jurisdiction,
            "effective": self.effective or None,
            "until": self.until or None,
            "draft": self.draft,
            "unsourced": self.missing,
        }


def build_head(rules: RuleSet) -> Head:
    game = rules.game
    missing = tuple(rules.unsourced) if game.draft else ()
    return Head(
        summary=game.summary or game.source,
        felt=game.felt,
        jurisdiction=game.jurisdiction,
        effective=str(game.effective or ""),
        until=str(game.until or ""),
        holds=when_and_where(game),
        draft=draft_words(missing) if game.draft else "",
        missing=missing,
    )
