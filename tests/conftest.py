"""Shared by all tests: compiled games, each compiled once; chance that is the same for all."""

from __future__ import annotations

import gc
import getpass
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import chance
import shared
from depth import deep, is_of_a_further_game, is_shown_elsewhere
from upcard import GameTables, tables_for

if TYPE_CHECKING:
    from web.serving import Serving

chance.load_profile()
shared.share()

NEW_OBJECTS = 50_000
"""After every 700, as usual, the search for garbage takes a tenth of the time of most tests."""
gc.set_threshold(NEW_OBJECTS)

SOLVED = Path(tempfile.gettempdir()) / f"upcard-tests-{getpass.getuser()}"
"""Strategies that bots play in tests, worked out once for all of them and all that they start."""

OWN = (
    "COLUMNS LINES FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TTY_COMPATIBLE "
    "TTY_INTERACTIVE UPCARD_HOME XDG_DATA_HOME PYTHONIOENCODING PYTHONUTF8 PYTHONWARNINGS TZ"
)
"""What somebody may have set for themselves, and what would change what the tests see."""
for _name in OWN.split():
    os.environ.pop(_name, None)
os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", UPCARD_CACHE=str(SOLVED))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells start what runs in the background so, and the commands under test would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

Tables = Callable[..., GameTables]


@lru_cache(maxsize=32)
def _tables(reference: str, settings: tuple[tuple[str, str], ...]) -> GameTables:
    return tables_for(reference, dict(settings))


def compiled(reference: str, **settings: object) -> GameTables:
    """Tables of a game with some settings, e.g. `compiled("blackjack", decks=8)`."""
    texts = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in settings.items()
    }
    return _tables(reference, tuple(sorted(texts.items())))


@pytest.fixture(scope="session")
def tables() -> Tables:
    return compiled


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The one house of this process that serves pages: NiceGUI has one application."""
    from web.serving import Serving

    found = Serving(tmp_path_factory.mktemp("house"))
    yield found
    found.stop()


@pytest.fixture
def solved_once(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Verbs answer the same question of exact odds from what was solved before."""
    from solved import answer_once

    own = tmp_path_factory.getbasetemp()
    is_one_of_several = "PYTEST_XDIST_WORKER" in os.environ
    answer_once(monkeypatch, (own.parent if is_one_of_several else own) / "solved")


UNTRACED = ("anchors", "differential", "oracle", "perft", "property")
"""Folders whose tests go the same ways thousands of times: tracing would take longer than they do.

What they cover the other tests cover too, or the gate of the coverage shows it.
"""


WAITING = (
    "web/test_*.py",
    "service/test_client.py",
    "service/test_every_byte.py",
    "service/test_faults.py",
    "service/test_house.py",
    "service/test_pages.py",
    "service/test_serve.py",
    "service/test_store.py",
    "service/test_two_servers.py",
    "unit/test_felt_*.py",
    "unit/test_jit.py",
    "unit/test_play_terminal.py",
    "unit/test_papers_cluster.py",
    "unit/test_play_writers.py",
    "unit/test_process.py",
    "unit/test_second_verifier.py",
    "unit/test_simulate_cluster.py",
    "unit/test_verify_page.py",
)
"""Tests that mostly wait: for browsers, servers, workers, other processes, a database."""


OF_EVERY_GAME = ("anchors", "rulebook")
"""Folders whose tests say what a game is by its rules: all of them look at every game."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Heavy tests are not traced. A search goes in any order: it may end at any time.

    Tests of what all games have in common look at `FIRST_GAMES`; `make proofs` at the others.
    """
    for item in items:
        if item.path.parent.name not in OF_EVERY_GAME and is_of_a_further_game(item):
            item.add_marker(deep)
        if is_shown_elsewhere(item):
            item.add_marker(deep)
        if item.path.parent.name in UNTRACED:
            item.add_marker(pytest.mark.no_cover)
    if chance.FUZZ:
        chance.dice("order").shuffle(items)
    else:
        items[:] = waiting_beside(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def pytest_collection_finish() -> None:
    """Half a million objects are here to stay once all tests are found: no search looks at them."""
    gc.collect()
    gc.freeze()


def waiting_beside(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Tests in an order that has the last of several workers begin with those that wait.

    Each begins with its share of all tests, in order, and later takes over from the end of what
    another has left. So tests that compute keep the cores busy while others wait, and what waits
    has its browser and its servers in one process.
    """
    paths = {path for path in {item.path for item in items} if any(map(path.match, WAITING))}
    waiting = [item for item in items if item.path in paths]
    others = [item for item in items if item.path not in paths]
    before = min(len(items) * (workers - 1) // workers, len(others))
    return [*others[:before], *waiting, *others[before:]]


@pytest.fixture(scope="module", autouse=True)
def _forget() -> Iterator[None]:
    """Forget with a module what its tests have worked out once: whole solutions take gigabytes."""
    yield
    for name, module in list(sys.modules.items()):
        if name.rpartition(".")[2].startswith("test_"):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def give_back() -> None:
    """Search for garbage when memory has grown: solutions are few objects of many megabytes."""
    global _in_use
    if _PAGES.exists() and (used := _used()) > _in_use + MUCH:
        if used > TOO_MUCH:
            shared.forget()
        gc.collect()
        _in_use = _used()


def _used() -> int:
    """Bytes of memory that this process has."""
    return int(_PAGES.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


_PAGES = Path("/proc/self/statm")
MUCH = 300 * 2**20
TOO_MUCH = 2500 * 2**20
"""Three workers and what they start find room in 12 gigabytes."""
_in_use = 0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> bool | None:
    """Leave out what a search has no time for."""
    gc.set_threshold(NEW_OBJECTS)  # a house that was opened in this process has one of its own
    give_back()
    return True if chance.time_is_up() else None
