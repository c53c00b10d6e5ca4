"""docs/design/one-round.md lists every place that knows an action, and no place that is gone."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/design/one-round.md").read_text()
SOURCE = ROOT / "src/upcard"
HEADING = re.compile(r"^### .*\(`(src/[\w/]+)`\)$", re.MULTILINE)
PLACE = re.compile(r"`([\w/]+\.py)`(?:: ((?:`\w+`(?:, )?)+))?")


def places() -> dict[Path, list[str]]:
    """The files of the tables, each with the names that it is listed for."""
    found: dict[Path, list[str]] = {}
    headings = list(HEADING.finditer(PAGE))
    ends = [*(heading.start() for heading in headings[1:]), PAGE.index("## The machine")]
    for heading, end in zip(headings, ends, strict=True):
        for line in PAGE[heading.end() : end].splitlines():
            if line.startswith("| `"):
                for file, names in PLACE.findall(line.split("|")[1]):
                    own = found.setdefault(ROOT / heading[1] / file, [])
                    own += re.findall(r"`(\w+)`", names)
    return found


def test_every_place_is_there() -> None:
    assert len(places()) > 20
    for file, names in places().items():
        text = file.read_text()
        for name in names:
            defined = rf"^\s*(?:def|class) {name}\b|^{name}\b.* ="
            assert re.search(defined, text, re.MULTILINE), f"{file.name} has no {name}"


def test_no_other_place_names_an_action() -> None:
    """What the compiler makes of actions is theirs to say; everybody else walks the rows."""
    named = {
        file
        for file in SOURCE.rglob("*.py")
        if SOURCE / "compile" not in file.parents
        if re.search(r"\bAction\.[A-Z]{2,}\b", _without_docstrings(file.read_text()))
    }
    assert named - places().keys() == set()


def _without_docstrings(text: str) -> str:
    return re.sub(r'"""[\s\S]*?"""', "", text)
