"""The documents are true: generated pages are fresh, and every example shows what happens."""

from __future__ import annotations

import hmac
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from shell import upcard
from upcard import GAME_IDS
from upcard.cards import DECK
from upcard.rules.vocabulary import page
from upcard.table import shoe

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_vocabulary_page_is_what_the_schema_says() -> None:
    assert (ROOT / "docs/vocabulary.md").read_text() == page(), "run `make docs`"


def console_examples() -> list[tuple[str, str, str]]:
    """Page, command and shown output of every `$ upcard ...` in a console block."""
    found = []
    for path in PAGES:
        for block in re.findall(r"```console\n(.*?)```", path.read_text(), re.DOTALL):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                if command.startswith("upcard "):
                    found.append((path.relative_to(ROOT).as_posix(), command, output))
    return found


@pytest.mark.parametrize(("place", "command", "shown"), console_examples())
def test_console_examples_print_what_they_show(
    place: str, command: str, shown: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`...` stands for anything."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("UPCARD_HOME", str(tmp_path))
    done = upcard(*shlex.split(command)[1:])
    printed = (done.out + done.err).strip()
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    assert re.fullmatch(pattern, printed, re.DOTALL), f"{place}: {command} printed:\n{printed}"


def test_the_documented_shuffle_is_the_real_one() -> None:
    """A third party with docs/shuffle.md alone finds the order of the cards."""
    page = (ROOT / "docs/shuffle.md").read_text()
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 20
    checker: dict[str, Any] = {}
    exec(code, checker)
    cards = [str(card) for card in DECK] * 6
    secret = shoe.secret_from("a third party")
    for number, words in ((1, ()), (2, ("luck",)), (12, ("one", "two words"))):
        seed = shoe.shoe_seed(secret, number)
        message = f"upcard/1/shoe/{number}".encode()
        assert seed == hmac.new(bytes.fromhex(secret), message, "sha256").hexdigest()
        order = checker["order"](bytes.fromhex(seed), words, cards)
        assert tuple(order) == shoe.shuffled(cards, seed, words)
        assert checker["is_as_promised"](bytes.fromhex(seed), shoe.commitment(seed))
        again = checker["order"](bytes.fromhex(seed), words, cards, "discards/1")
        assert tuple(again) == shoe.shuffled(cards, seed, words, shoe.reshuffle(1))


def test_the_pages_have_examples() -> None:
    assert {place for place, _, _ in console_examples()} >= {"README.md", "docs/game-files.md"}


def test_the_readme_names_every_game() -> None:
    text = (ROOT / "README.md").read_text()
    assert all(f"`{game}`" in text for game in GAME_IDS)
