"""Everything public is documented: it has a docstring, and stands in the reference."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

import upcard

ROOT = Path(__file__).parents[2]
REFERENCE: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/api_reference.py"))
PUBLIC: dict[str, Any] = REFERENCE["public"]()
PAGE = (ROOT / "docs/api.md").read_text()


def entry(name: str) -> str:
    """The part of the page about one name."""
    _, found, rest = PAGE.partition(f"\n### {name}\n")
    assert found, f"docs/api.md has nothing about {name}: run `make docs`"
    return re.split(r"\n##+ ", rest)[0]


def test_the_page_is_what_the_docstrings_say() -> None:
    assert REFERENCE["page"]() == PAGE, "run `make docs`"


def test_every_public_name_is_there() -> None:
    assert set(PUBLIC) >= set(upcard.__all__) - {"GAME_IDS"}
    assert all(hasattr(upcard, name) for name in upcard.__all__)
    assert set(dir(upcard)) >= set(upcard.__all__)
    assert "`upcard.GAME_IDS`" in PAGE


def test_what_public_functions_give_back_is_public() -> None:
    given = {"Odds", "WagerOdds", "Chart", "Cell", "Advice", "Result", "WagerResult", "Readings"}
    assert given | {"RuleSheet", "BoxHand", "Legal", "Reason", "Question", "Refusal"} <= set(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_is_documented(name: str) -> None:
    found, part = PUBLIC[name], entry(name)
    own = vars(found).get("__doc__") if isinstance(found, type) else found.__doc__
    assert own, f"{name} has no docstring"
    assert own.strip().splitlines()[0].split(">>>")[0].strip() in part
    if isinstance(found, type):
        for member, value in REFERENCE["members"](found):
            words = REFERENCE["function_of"](value).__doc__
            assert words, f"{name}.{member} has no docstring"
            assert f"- `{member}" in part
            assert words.strip().splitlines()[0] in part, f"{name}.{member}"


def test_an_undocumented_name_would_be_found() -> None:
    """The walk over classes sees methods, properties and what is inherited from our own."""

    class Something:
        def told(self) -> None:
            """Told."""

        def untold(self) -> None: ...

        @property
        def value(self) -> None: ...

        def _hidden(self) -> None: ...

    assert [name for name, _ in REFERENCE["members"](Something)] == ["told", "untold", "value"]
    assert "Shown" in PUBLIC
