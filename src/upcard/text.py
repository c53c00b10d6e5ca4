"""Words that sentences are made of."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_LEFT_OUT = "... "
"""Stands for the middle of a text that is too long."""


def as_text(value: object) -> str:
    """A value as game files and settings write it.

    >>> as_text(True), as_text(0.75), as_text("hit")
    ('true', '0.75', 'hit')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def printable(text: str) -> str:
    r"""A text that does nothing to a terminal: what cannot be printed is written out.

    >>> print(printable("Ann\x1b[2K"))
    Ann\x1b[2K
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)
"""What Unicode calls printable and a screen shows as nothing: the default ignorable characters
that are no controls, and two signs that are empty."""


def unseen(text: str) -> str:
    r"""The first printable character of a text that shows as nothing, "" if there is none.

    >>> unseen("Ann\u3164") == "\u3164", unseen("Zoë ♠")
    (True, '')
    """
    found = _UNSEEN.search(text)
    return found.group() if found else ""


def shortened(text: str, most: int = 800) -> str:
    """A text of at most so many characters: of a longer one the middle is left out.

    >>> shortened("abcdefghijklmnopqrstuvwxyz", 12)
    'abcd... wxyz'
    """
    if len(text) <= most:
        return text
    kept = (most - len(_LEFT_OUT)) // 2
    return f"{text[:kept]}{_LEFT_OUT}{text[-kept:]}"


def cited(clauses: Iterable[str]) -> str:
    """Clause ids as they stand behind a sentence.

    >>> cited(["PS-O3", "PS-O3a"])
    ' [PS-O3, PS-O3a]'
    """
    ids = ", ".join(clauses)
    return f" [{ids}]" if ids else ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like a mistyped one, if any is like it at all."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return close[0] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """
    >>> did_you_mean("soft71", ["soft17", "decks"])
    '; did you mean "soft17"?'
    """
    guess = nearest(word, known)
    return f'; did you mean "{guess}"?' if guess else ""


def counted(number: int, one: str, many: str = "") -> str:
    """
    >>> counted(1, "light"), counted(3, "light"), counted(2, "punch", "punches")
    ('1 light', '3 lights', '2 punches')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(items: Iterable[object], last: str = "or") -> str:
    """
    >>> listed(["late", "early", "none"])
    'late, early or none'
    """
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def sentence_case(words: str) -> str:
    """
    >>> sentence_case("the bank is up")
    'The bank is up'
    """
    return words[:1].upper() + words[1:]


def with_article(name: str) -> str:
    """
    >>> with_article("ace"), with_article("Pure Spanish 21.5")
    ('an ace', 'a Pure Spanish 21.5')
    """
    return f"{'an' if name[:1] in 'aeio' else 'a'} {name}"
