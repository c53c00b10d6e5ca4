"""The documents are true: generated pages are fresh, and every example shows what happens."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from upcard import GAME_IDS
from upcard.rules.vocabulary import page

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
def test_console_examples_print_what_they_show(place: str, command: str, shown: str) -> None:
    """`...` stands for anything."""
    arguments = shlex.split(command)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "upcard", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    printed = (done.stdout + done.stderr).strip()
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    assert re.fullmatch(pattern, printed, re.DOTALL), f"{place}: {command} printed:\n{printed}"


def test_the_pages_have_examples() -> None:
    assert {place for place, _, _ in console_examples()} >= {"README.md", "docs/game-files.md"}


def test_the_readme_names_every_game() -> None:
    text = (ROOT / "README.md").read_text()
    assert all(f"`{game}`" in text for game in GAME_IDS)
