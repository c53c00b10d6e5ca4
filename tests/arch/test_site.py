"""The documents as a site: it builds, every page is in it, and the generated ones are current."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from conftest import compiled
from depth import deep
from upcard import GAME_IDS

ROOT = Path(__file__).parents[2]
COMMANDS: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/command_reference.py"))
GAMES: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/game_pages.py"))
KNOWN: dict[str, Any] = COMMANDS["commands"]()
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
}


def built(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", *map(str, arguments))
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)


def test_the_site_builds_and_asks_nobody_for_anything(tmp_path: Path) -> None:
    """Broken links and anchors, and pages that are missing from the navigation, are errors."""
    done = built("--site-dir", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = [*tmp_path.rglob("*.html")]
    assert len(pages) > len(TEXTS) - 2  # the README is not in it
    fetched = re.compile(r'<(?:script|img|link rel="stylesheet")[^>]*(?:src|href)="(?:https?:)?//')
    assert [page.name for page in pages if fetched.search(page.read_text())] == []
    for name in ("examples/session.jsonl.html", "CONTRIBUTING.html"):
        assert (tmp_path / "repository" / name).is_file()
    assert "do-h" in (tmp_path / "games/blackjack.html").read_text()


def test_what_is_broken_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    broken = "# One\n\n[a](nowhere.md) [b](#nothing) [c](two.md#nothing)\n"
    (tmp_path / "docs/index.md").write_text(broken)
    (tmp_path / "docs/two.md").write_text("# Two\n")
    config = f"INHERIT: {ROOT}/mkdocs.yml\nhooks: []\nextra_css: []\nnav: [index.md]\n"
    (tmp_path / "mkdocs.yml").write_text(config)
    done = built("--config-file", tmp_path / "mkdocs.yml", "--site-dir", tmp_path / "site")
    assert done.returncode == 1
    for fault in ("'nowhere.md'", "'#nothing'", "'two.md#nothing'", "not included in the"):
        assert fault in done.stderr, done.stderr
    assert "Aborted with 4 warnings" in done.stderr + done.stdout


def test_pages_of_the_repository_read_alike_in_the_site() -> None:
    hooks = runpy.run_path(str(ROOT / "scripts/site_hooks.py"))
    lists = "Two:\n- one\n  - more\n\n  ```sh\n  - code\n  ```\n1. first\n   again\n"
    shown = "Two:\n\n- one\n    - more\n\n    ```sh\n    - code\n    ```\n1. first\n    again\n"
    assert hooks["set_in"](lists) == shown
    home = PurePosixPath("docs/guides/designer.md")
    words = "[a](../../CONTRIBUTING.md#x) [b](../odds.md) [c](../../examples/verify.mjs) [d](no.md)"
    assert hooks["led"](f"{words}\n```\n{words}\n```", home, "guides/designer.md") == (
        "[a](../repository/CONTRIBUTING.md#x) [b](../odds.md) "
        f"[c](../repository/examples/verify.mjs.md) [d](no.md)\n```\n{words}\n```"
    )


# ---------------------------------------------------------------------------------- commands


def test_the_page_of_commands_is_what_the_commands_say() -> None:
    assert COMMANDS["page"]() == TEXTS["docs/commands.md"], "run `make docs`"


@pytest.mark.parametrize("name", KNOWN)
def test_every_command_and_option_is_documented(name: str) -> None:
    command = KNOWN[name]
    _, found, rest = TEXTS["docs/commands.md"].partition(f"\n### `upcard {name}`\n")
    entry = rest.partition("\n### ")[0]
    assert found
    assert command.help, f"upcard {name} has no help"
    for parameter in command.params:
        if parameter.name == "help":
            continue
        assert parameter.help, f"upcard {name}: {parameter.name} has no help"
        signs = [*parameter.opts, *parameter.secondary_opts]
        if parameter.param_type_name == "option":
            assert [sign for sign in signs if not re.search(rf"`?{sign}\b", entry)] == []
        assert parameter.help.split("\n")[0].replace("|", "\\|") in entry


def written_commands() -> Iterator[tuple[str, str, bool]]:
    """Page, command and whether it is whole: every `upcard ...` in code that no test runs."""
    for page, text in TEXTS.items():
        if page.startswith("docs/games/") or page == "docs/commands.md":
            continue  # generated
        for block in re.findall(r"^ *```(?:sh)?\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE):
            lines = re.sub(r"\\\n *", "", block)  # a line may go on in the next one
            for line in re.findall(r"^ *(?:\$ |\.venv/bin/)?upcard (.*)$", lines, re.MULTILINE):
                yield page, line, True
        prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)
        for span in re.findall(r"`upcard ([a-z][^`]*)`", prose):
            yield page, span.replace("\n", " "), False


def mistake(line: str, *, is_whole: bool) -> str:
    """What is wrong with a command, as the command line itself would say."""
    words = shlex.split(line, comments=True)
    for length in (3, 2, 1):
        name = " ".join(words[:length])
        if name in KNOWN:
            try:
                KNOWN[name].make_context(name, words[length:])
            except Exception as error:
                is_short = type(error).__name__ in ("MissingParameter", "BadOptionUsage")
                return "" if is_short and not is_whole else f"{error}"
            return ""
    groups = {" ".join(name.split()[:length]) for name in KNOWN for length in (1, 2)}
    return "" if line in groups else "there is no such verb"


def test_commands_that_are_only_shown_are_written_right() -> None:
    shown = [*written_commands()]
    wrong = [(page, line, found) for page, line, w in shown if (found := mistake(line, is_whole=w))]
    assert wrong == []
    assert len(shown) > 100


def test_a_stale_command_would_be_found() -> None:
    assert "--sett" in mistake("odds blackjack --sett decks=1", is_whole=True)
    assert mistake("odds", is_whole=True)
    assert not mistake("odds", is_whole=False)
    assert "verb" in mistake("price blackjack", is_whole=False)
    assert mistake("odds blackjack --split-mode XYZ", is_whole=True)


# ------------------------------------------------------------------------------------- games


def test_the_pages_of_the_games_have_their_rules() -> None:
    """Head, rules and fingerprint of every game; the figures are compared below."""
    texts = {game: TEXTS.get(f"docs/games/{game}.md", "") for game in GAME_IDS}
    for game, text in texts.items():
        tables = compiled(game)
        assert GAMES["is_current"](text, tables), f"{game}: run `make docs`"
        assert text == GAMES["page"](tables, GAMES["figures_on"](text)), f"{game}: run `make docs`"
    assert TEXTS["docs/games/index.md"] == GAMES["overview"](texts), "run `make docs`"
    written = {Path(page).stem for page in TEXTS if page.startswith("docs/games/")}
    assert written == {*GAME_IDS, "index"}


LONG = ("ten-sticks-21", "pure-spanish-21.5")


@pytest.mark.usefixtures("solved_once")
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=deep if game in LONG else ()) for game in GAME_IDS]
)
def test_the_pages_of_the_games_have_the_figures_of_the_solver(game: str) -> None:
    shown = GAMES["figures_on"](TEXTS[f"docs/games/{game}.md"])
    assert shown == GAMES["figures"](compiled(game)), f"{game}: run `make docs FIGURES=all`"


# ------------------------------------------------------------------------ README and numbers


def test_the_readme_opens_with_a_table_a_chart_and_what_to_type() -> None:
    first = TEXTS["README.md"].partition("\n## ")[0]
    pictures = re.findall(r"!\[[^\]]{20,}\]\((docs/pictures/[a-z]+\.(?:png|svg))\)", first)
    assert pictures == ["docs/pictures/table.png", "docs/pictures/chart.svg"]
    assert all((ROOT / picture).is_file() for picture in pictures)
    assert re.findall(r"^(?:make|\.venv/bin/upcard) ([a-z]+)", first, re.MULTILINE) == [
        "run",
        "test",
        "odds",
        "simulate",
    ]
    assert first.index("simulate") < 2000


def test_the_side_wagers_are_counted_right() -> None:
    tested = runpy.run_path(str(ROOT / "tests/anchors/test_published_side_wagers.py"))
    figures = tested["FIGURES"]
    wagers = {side.partition("=")[0] for _, _, side, *_ in figures}
    by = Counter(publisher for _, publisher, *_ in figures)
    words = (
        f"{len(figures)} published edges of all {len(wagers)} packaged [side wagers]",
        f"{by['Wizard of Odds']} of the Wizard of",
        f"{by['E. Jacobson']} of Eliot Jacobson, {by['discountgambling.net']} of discountgambling",
    )
    assert [part for part in words if part not in TEXTS["docs/numbers.md"]] == []
    packaged = {path.stem for path in (ROOT / "src/upcard/games/side").glob("*.toml")}
    assert wagers == packaged - {"clauses"}


def test_the_figures_beside_published_ones_are_those_of_the_tests() -> None:
    """Every figure that docs/numbers.md says was found is tested, or stands on a game's page."""
    page = TEXTS["docs/numbers.md"]
    beside, _, _ = page.partition("## Sources")[0].partition("### Five games")
    tested = "".join(path.read_text() for path in (ROOT / "tests/anchors").glob("*.py"))
    games = "".join(text for page, text in TEXTS.items() if page.startswith("docs/games/"))
    found = re.findall(r"\d\.\d{4,}", beside)
    assert len(found) > 40
    untested = [figure for figure in found if figure not in tested and f"{figure}%" not in games]
    assert untested == []
