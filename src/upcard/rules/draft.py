"""Drafts: games that can be played and priced before every value has its source."""

from __future__ import annotations

from collections.abc import Collection

from upcard.text import counted

NAMED = 3
"""So many of the values without a source are named in a sentence."""


def draft_words(missing: Collection[str]) -> str:
    """What everything that is made of a draft says about it.

    >>> draft_words(["shoe.decks"])
    'DRAFT: 1 value has no source yet: shoe.decks; upcard check --draft lists it'
    """
    if not missing:
        return "DRAFT: every value has its source; without draft = true in its file it is none"
    some = ", ".join(list(missing)[:NAMED]) + (", ..." if len(missing) > NAMED else "")
    have, them = ("has", "it") if len(missing) == 1 else ("have", "them")
    return (
        f"DRAFT: {counted(len(missing), 'value')} {have} no source yet: {some}; "
        f"upcard check --draft lists {them}"
    )
