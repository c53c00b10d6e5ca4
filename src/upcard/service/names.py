"""Names of people: what they may be, and when two are the same to the eye.

A name stands at tables, in records and on pages of others, so it can do nothing there: letters,
digits, blanks between words and a few signs, and nothing that would let one name pass for another.
"""

from __future__ import annotations

import re
import unicodedata

from upcard.players.company import BANKER, NAMES
from upcard.service.specs import HouseError
from upcard.text import unseen

SHORTEST, LONGEST = 2, 24
SUITS = "♠♥♦♣"
SIGNS = f"-_.'{SUITS}"
ENDINGS = f".{SUITS}"
GUEST = "Guest"
"""Names of guests begin with it, and no others."""

RESERVED = (
    *NAMES,
    BANKER,
    "House prop",
    *("admin", "auditor", "bank", "bot", "cashier", "croupier", "dealer", "everybody", "fee box"),
    *("guest", "house", "layout", "nobody", "operator", "prize fund", "staff", "system", "upcard"),
    *("you",),
)

_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u04cf\u0432\u043a"
    "\u043c\u043d\u0442\u03b1\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c4\u03c7\u03b2\u03b5\u03b7"
    "\u03b6\u03bc",
    "aeopcyxijshdlbkmhtaopyniktxbehzm",
)
"""Small letters of the Cyrillic and Greek alphabets, and the Latin ones that they, or their
capitals, look like."""

_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN")
"""Alphabets whose letters can be taken for each other's: a name is written in one of them."""

_MARKS_IN_A_ROW = 2


def key_of(name: str) -> str:
    r"""What is unique: the name without regard to case, width, accents of form and look-alikes.

    >>> key_of("Ann") == key_of("\uff21\uff2e\uff2e") == key_of("\u0410nn"), key_of("Zoë")
    (True, 'zoë')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return re.sub(r"[\s_.'-]+", " ", folded.translate(_ALIKE)).strip()


def tidy(name: str) -> str:
    """A name as it is kept: composed, with single blanks between words."""
    return re.sub(" +", " ", unicodedata.normalize("NFC", name)).strip(" ")


def check_name(name: str) -> str:
    """The name as it is kept, or one sentence about what is wrong with it.

    >>> check_name(" Zoë ")
    'Zoë'
    """
    name = tidy(name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise HouseError(f"a name has {SHORTEST} to {LONGEST} characters")
    for sign in name:
        _need_plain(sign)
    if unseen(name):
        raise HouseError("a name shows all its characters: this one has some that nobody sees")
    ends = _kind(name[0]) in "LN" and (_kind(name[-1]) in "LMN" or name[-1] in ENDINGS)
    if not ends or not any(sign.isalpha() for sign in name):
        raise HouseError("a name begins and ends with a letter or digit, and has a letter in it")
    if _has_many_marks(name):
        raise HouseError("a name has no more than two accents on a letter")
    alphabets = {alphabet for sign in name if (alphabet := _alphabet(sign))}
    if len(alphabets) > 1:
        raise HouseError("a name is written in one alphabet, so that it looks like no other")
    key = key_of(name)
    if key in map(key_of, RESERVED) or key.split()[0] == key_of(GUEST):
        raise HouseError(f'"{name}" is a name of the house\'s own: choose another')
    return name


def _kind(sign: str) -> str:
    return unicodedata.category(sign)[0]


def _need_plain(sign: str) -> None:
    if (
        _kind(sign) not in "LM"
        and unicodedata.category(sign) != "Nd"
        and sign not in SIGNS
        and sign != " "
    ):
        raise HouseError(f"a name has letters, digits, blanks and {' '.join(SIGNS)} only")


def _has_many_marks(name: str) -> bool:
    count = 0
    for sign in name:
        count = count + 1 if _kind(sign) == "M" else 0
        if count > _MARKS_IN_A_ROW:
            return True
    return False


def _alphabet(sign: str) -> str:
    """The alphabet of a letter, among those that can be mixed up; "" for everything else."""
    word = unicodedata.name(sign, "").partition(" ")[0]
    return word if word in _ALPHABETS else ""
