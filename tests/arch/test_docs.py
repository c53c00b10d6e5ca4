"""The documents are true: generated pages are fresh, and every example shows what happens."""

from __future__ import annotations

import hmac
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from shell import upcard
from upcard import GAME_IDS, Action, tables_for
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


@pytest.mark.usefixtures("solved_once")
@pytest.mark.parametrize(("place", "command", "shown"), console_examples())
def test_console_examples_print_what_they_show(
    place: str, command: str, shown: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`...` stands for anything. What an example writes does not stay in the repository."""
    folder = tmp_path / "repository"
    folder.mkdir()
    for path in ROOT.iterdir():
        (folder / path.name).symlink_to(path)
    monkeypatch.chdir(folder)
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


def test_the_tutorial_shows_the_files_that_it_speaks_of() -> None:
    page = (ROOT / "docs/first-game.md").read_text()
    shown = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    names = re.findall(r"\]\(\.\./(examples/friday[^)]*)\)", page)
    assert shown == [(ROOT / name).read_text() for name in names]
    assert len(shown) == 2


def test_the_glossary_has_the_words_of_the_game() -> None:
    page = (ROOT / "docs/glossary.md").read_text()
    heads = {
        word
        for head in re.findall(r"^- \*\*(.*?)\*\*", page, re.MULTILINE)
        for word in head.split(", ")
    }
    kinds = {"ruled", "option", "reading", "assumed"}
    missing = {action.text for action in Action} | kinds
    assert {word for word in missing if word not in heads and f"**{word}**" not in page} == set()
    steps = {kind for game in GAME_IDS for kind in tables_for(game).round_plan.kinds}
    assert {step for step in steps if not re.search(rf"\b{step}\b", page)} == set()
    for section in page.split("\n## ")[1:]:
        words = [head.lower() for head in re.findall(r"^- \*\*(.*?)\*\*", section, re.MULTILINE)]
        assert words, section[:40]
        assert len(words) == len(set(words))


def test_every_link_of_the_pages_leads_somewhere() -> None:
    for path in PAGES:
        text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path}: {target}"


def test_every_page_is_linked_from_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if f"({page})" not in text} == set()


def test_the_picture_is_drawn_well() -> None:
    picture = ElementTree.parse(ROOT / "docs/architecture.svg").getroot()
    texts = " ".join(picture.itertext())
    folders = {path.parent.name for path in (ROOT / "src/upcard").glob("*/__init__.py")}
    small = {"fees", "games"}
    assert {part for part in folders - small if not re.search(rf"\b{part}\b", texts)} == set()


def test_the_readme_names_every_game() -> None:
    text = (ROOT / "README.md").read_text()
    assert all(f"`{game}`" in text for game in GAME_IDS)
