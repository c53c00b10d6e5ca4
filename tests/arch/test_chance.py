"""Every run of the tests draws the same; only `make fuzz` draws anew."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent


def unseeded(source: str) -> Iterator[str]:
    """Calls that draw by no seed: of `random` itself, or of generators made without one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name, given_seed = ast.unparse(node.func), bool(node.args or node.keywords)
            module, _, function = name.rpartition(".")
            made = function in ("Random", "default_rng")
            if (made and not given_seed) or (module in ("random", "np.random") and not made):
                yield name


@pytest.mark.parametrize("file", sorted(TESTS.rglob("*.py")), ids=lambda file: file.name)
def test_no_test_draws_without_a_seed(file: Path) -> None:
    assert list(unseeded(file.read_text())) == []


def test_unseeded_draws_are_noticed() -> None:
    source = "random.choice(x); random.Random(); np.random.default_rng(); np.random.rand(3)"
    assert len(list(unseeded(source))) == 4
    assert list(unseeded("random.Random(1).choice(x); np.random.default_rng(seed=2)")) == []


def drawn() -> list[int]:
    """What a property is shown."""
    seen: list[int] = []

    @given(st.integers())
    def look(number: int) -> None:
        seen.append(number)

    look()
    return seen


def test_examples_do_not_depend_on_what_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    numbers = ", ".join(str(10**6 + 7 * n) for n in range(200))
    (tmp_path / "many_constants.py").write_text(f"NUMBERS = [{numbers}]\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("many_constants")
    assert drawn() == before


SHOW = "import chance; print(chance.dice(1).random(), chance.numbers(1).random(), chance.word('a'))"


def test_dice_are_fixed_but_in_a_search() -> None:
    def shown(**more: str) -> str:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("UPCARD_FUZZ")}
        return subprocess.check_output(
            [sys.executable, "-c", SHOW], env=environment | more, cwd=TESTS, text=True
        )

    searched = shown(UPCARD_FUZZ="1")
    assert shown() == shown(CI="1") != searched
    assert searched == shown(UPCARD_FUZZ="1") != shown(UPCARD_FUZZ="2")


PROPERTY = """
import pytest
from chance import dice

@pytest.mark.chance
@pytest.mark.parametrize("what", ["a", "b c"])
def test_less(what):
    assert dice(what).random() < {limit}

def test_not_of_chance():
    raise AssertionError
"""


@pytest.mark.parametrize(("limit", "status", "rounds"), [(1, 0, 1), (0, 1, 2)])
def test_a_search_says_what_it_found_and_how_to_see_it(
    limit: int, status: int, rounds: int, tmp_path: Path
) -> None:
    (tmp_path / "test_something.py").write_text(PROPERTY.format(limit=limit))
    script = str(ROOT / "scripts" / "fuzz.py")
    words = [sys.executable, script, "--rounds", str(rounds), "--seed", "7", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == status, done.stdout + done.stderr
    assert f"round {rounds}, seed {6 + rounds}: " in done.stdout
    assert f"round {rounds + 1}, " not in done.stdout
    if status:
        assert "UPCARD_FUZZ=7 .venv/bin/pytest --hypothesis-seed=7 '" in done.stdout
        assert "test_something.py::test_less[b c]'" in done.stdout
    assert "test_not_of_chance" not in done.stdout
