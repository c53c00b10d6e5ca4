"""examples/verify.mjs and the script of verify.html: what both have is the same, word for word.

Each is one file that a stranger saves and reads, so they share by copy. What only looks alike is
named here with its reason; a change in one of them that the other does not get fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRIMITIVES = {"sha256", "hmac", "randomNumbers", "isStrong"}
"""Node has hashes and big numbers from bytes; a page has to write them out."""
PUBLIC = {
    "shoeRules",
    "Table.counts",
    "Table.constructor",
    "Table.follow",
    "Table.takeNextCard",
    "effects.TableOpened",
    "effects.ShoeCommitted",
    "effects.ShoeShuffled",
    "effects.ShoeOpened",
}
"""The page reads public records too, whose secret nobody has, and shows the shoes."""
WHOLES = {"Table", "Table.effects"}
"""Compared part by part."""


def definitions(script: str) -> dict[str, str]:
    """What a script defines by name, without comments and white space."""
    found: dict[str, list[str]] = {}
    bare = (re.sub(r"(^|\s)//.*$", "", line).rstrip() for line in script.splitlines())
    _cut((line for line in bare if line and not line.lstrip().startswith("/**")), 0, "", found)
    for name in ("Table", "Round"):
        _cut(found[name][1:-1], 2, f"{name}.", found)
    _cut(found["Table.effects"][1:-1], 2, "effects.", found)
    return {name: " ".join(" ".join(lines).split()) for name, lines in found.items()}


def _cut(lines: Iterable[str], indent: int, before: str, found: dict[str, list[str]]) -> None:
    name = ""
    for line in lines:
        begins = re.match(rf" {{{indent}}}(?:(?:const|function\*?|class|static) )?(\w+)", line)
        if begins is not None:
            name = before + begins[1]
        if name:
            found.setdefault(name, []).append(line[indent:])


def _scripts() -> tuple[dict[str, str], dict[str, str]]:
    page = (ROOT / "src/upcard/web/static/verify.html").read_text()
    begin = "globalThis.UpcardVerifier = (() => {\n"
    script = page[page.index(begin) + len(begin) :].partition("</script>")[0]
    program = (ROOT / "examples/verify.mjs").read_text()
    return definitions(program), definitions(re.sub(r"^  ", "", script, flags=re.MULTILINE))


def test_what_both_verifiers_have_is_the_same() -> None:
    program, page = _scripts()
    both = program.keys() & page.keys() - {"for"}
    assert len(both) > 60
    assert {"shuffle", "cutOf", "Round", "effects.DiscardsShuffled", "GAMES"} <= both
    different = {name for name in both if program[name] != page[name]}
    assert different == PRIMITIVES | PUBLIC | WHOLES
