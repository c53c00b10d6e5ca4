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

_ALPHABETS = {
    # As Europe and Vietnam write: neither letters of phonetics nor those that are only variants.
    "Latin": (
        "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u0137\u0139-\u013e\u0141-\u0148"
        "\u014a-\u017e\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u1e9e\u1ea0-\u1ef9"
    ),
    "Greek": "\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce",
    # Slavic languages, and those of Central Asia.
    "Cyrillic": (
        "\u0400-\u045f\u0490-\u0493\u0496\u0497\u049a\u049b\u04a2\u04a3\u04ae-\u04b3\u04b6\u04b7"
        "\u04ba\u04bb\u04d8\u04d9\u04e2\u04e3\u04e8\u04e9\u04ee\u04ef"
    ),
    "Armenian": "\u0531-\u0556\u0561-\u0586",
    "Georgian": "\u10d0-\u10f0",
    "Hebrew": "\u05d0-\u05ea",
    "Arabic": (
        "\u0621-\u063a\u0641-\u064a\u0679\u067e\u0686\u0688\u0691\u0698\u06a9\u06af\u06ba\u06be"
        "\u06c1\u06cc\u06d2"
    ),
    "Devanagari": "\u0901-\u0963\u0971-\u097f",
    "Bengali": "\u0981-\u09e3",
    "Tamil": "\u0b82-\u0bd7",
    "Telugu": "\u0c01-\u0c63",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Chinese and Japanese": "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff",
    "Korean": "\uac00-\ud7a3",
}
"""Letters that names are written with. Whatever is in no alphabet here, such as Lisu, Cherokee or
the mathematical letters, has too many that are drawn just like a Latin one."""

_ACCENTS = "\u0300-\u0304\u0306-\u030c\u0323-\u0328"
"""Accents that are left where a letter with one is no character of its own."""
_WITH_ALL = re.escape(f"{SIGNS} ") + "0-9" + _ACCENTS
_IN_ONE = tuple(re.compile(f"[{letters}{_WITH_ALL}]*") for letters in _ALPHABETS.values())
_IN_ANY = re.compile(f"[{''.join(_ALPHABETS.values())}{_WITH_ALL}]*")

_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u04cf\u0432\u043a"
    "\u043c\u043d\u0442\u03b1\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c4\u03c7\u03b2\u03b5\u03b7"
    "\u03b6\u03bc",
    "aeopcyxijshdlbkmhtaopyniktxbehzm",
)
"""Small letters of the Cyrillic and Greek alphabets, and the Latin ones that they, or their
capitals, look like."""

_LOOKS = _ALIKE | str.maketrans(
    # I, l, 1 and a stroke; O and 0; the two crossed capitals D; one more Cyrillic y.
    "l1|\u01310\u00f0\u04af"
    # Armenian letters and their capitals.
    "\u0585\u0578\u057d\u0570\u0575\u0581\u0566\u056c\u057f"
    # Arabic letters that Persian and Urdu write with signs of their own.
    "\u0649\u06cc\u06a9\u06be\u06c1"
    # Japanese signs for sounds that are drawn as Chinese words are, or as each other.
    "\u30a8\u30ab\u30bf\u30c8\u30cb\u30cf\u30ed\u30d8\u30fc",
    "iiiio\u0111y"
    "onuhjgqis"
    "\u064a\u064a\u0643\u0647\u0647"
    "\u5de5\u529b\u5915\u535c\u4e8c\u516b\u53e3\u3078\u4e00",
)

_MARKS_IN_A_ROW = 2


def key_of(name: str) -> str:
    r"""By what somebody is found: the name without regard to case, width and accents of form.

    >>> key_of("Ann") == key_of("\uff21\uff2e\uff2e") == key_of("\u0410nn"), key_of("Zoë")
    (True, 'zoë')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return re.sub(r"[\s_.'-]+", " ", folded.translate(_ALIKE)).strip()


def look_of(name: str) -> str:
    """What nobody else may have: the name as it looks in a hurry, one sign for all that look alike.

    It may be another name, as of Clara and Ciara: I and l are one, and so are I and i.

    >>> look_of("CIara") == look_of("Clara"), look_of("B0b") == look_of("BOB"), look_of("Zoë")
    (True, True, 'zoë')
    """
    key = key_of(name).replace("\u0307", "")  # a dot over an i, which has one
    bare = unicodedata.normalize("NFD", key).translate(_LOOKS)
    return unicodedata.normalize("NFC", bare)


_OWN = frozenset(map(look_of, RESERVED))


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
    if unseen(name):
        raise HouseError("a name shows all its characters: this one has some that nobody sees")
    _need_one_alphabet(name)
    ends = _kind(name[0]) in "LN" and (_kind(name[-1]) in "LMN" or name[-1] in ENDINGS)
    if not ends or not any(sign.isalpha() for sign in name):
        raise HouseError("a name begins and ends with a letter or digit, and has a letter in it")
    if _has_many_marks(name):
        raise HouseError("a name has no more than two accents on a letter")
    look = look_of(name)
    if look in _OWN or look.split()[0] == look_of(GUEST):
        raise HouseError(f'"{name}" is a name of the house\'s own: choose another')
    return name


def _need_one_alphabet(name: str) -> None:
    if not _IN_ANY.fullmatch(name) or not all(map(str.isprintable, name)):
        raise HouseError(
            f"a name has letters, digits, blanks and {' '.join(SIGNS)} only, and the letters are "
            f"of one of these alphabets: {', '.join(_ALPHABETS)}"
        )
    if not any(letters.fullmatch(name) for letters in _IN_ONE):
        raise HouseError("a name is written in one alphabet, so that it looks like no other")


def _kind(sign: str) -> str:
    return unicodedata.category(sign)[0]


def _has_many_marks(name: str) -> bool:
    count = 0
    for sign in name:
        count = count + 1 if _kind(sign) == "M" else 0
        if count > _MARKS_IN_A_ROW:
            return True
    return False
