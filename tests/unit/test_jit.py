"""Compiled kernels are those of the source, whichever file of it changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LOW = "from upcard.jit import inlined\n@inlined\ndef low(x: int) -> int:\n    return x + {step}\n"
CONSTANT = "CONSTANT = {constant}\n"
HIGH = (
    "from constant import CONSTANT\nfrom low import low\nfrom upcard.jit import kernel\n"
    "@kernel\ndef high(x: int) -> int:\n    return low(x) * CONSTANT\n"
)
STAGES = (
    "from upcard.jit import {kind}\n@{kind}\ndef low(x: int) -> int:\n    return below(x)\n"
    "@{kind}\ndef below(x: int) -> int:\n    return x + {{step}}\n"
)
"""What a kernel calls may stand below it."""
PRINT = "from high import high; print(high(1), *high.stats.cache_hits.values())"


def places(folder: Path) -> dict[str, str]:
    """The environment of a process that imports from a folder too."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), *sys.path))}


def printed(folder: Path, code: str) -> list[str]:
    """The lines that a process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**places(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.splitlines()


def result(folder: Path, *, step: int, constant: int = 10) -> str:
    """What a kernel in one file comes to, with what it uses in other files; and cache hits."""
    (folder / "low.py").write_text(LOW.format(step=step))
    (folder / "constant.py").write_text(CONSTANT.format(constant=constant))
    (line,) = printed(folder, PRINT)
    return line


def test_a_kernel_is_compiled_anew_if_what_it_uses_changes(tmp_path: Path) -> None:
    (tmp_path / "high.py").write_text(HIGH)
    assert result(tmp_path, step=1, constant=10) == "20"
    assert result(tmp_path, step=1, constant=10) == "20 1", "it is kept on disk"
    assert result(tmp_path, step=2, constant=10) == "30"
    assert result(tmp_path, step=2, constant=50) == "150"
    assert result(tmp_path, step=1, constant=10) == "20"


def test_a_kernel_is_the_same_whoever_has_it_within_another(tmp_path: Path) -> None:
    """What one process has compiled serves another that has imported more."""
    (tmp_path / "high.py").write_text(
        "from upcard.jit import lasting\n@lasting\ndef high(x: int) -> int:\n    return x + 1\n"
    )
    (tmp_path / "outer.py").write_text(
        "from high import high\nfrom upcard.jit import kernel, within\ninner = within(high)\n"
        "@kernel\ndef outer(x: int) -> int:\n    return inner(x) * 10\n"
    )
    assert printed(tmp_path, PRINT) == ["2"]
    assert printed(tmp_path, f"import outer; {PRINT}") == ["2 1"]
    assert printed(tmp_path, "from outer import outer; print(outer(1))") == ["20"]
    assert printed(tmp_path, PRINT) == ["2 1"]


CALLED = ("stage", "part", "kernel", "inlined")


def test_a_kernel_is_compiled_anew_if_what_is_called_by_what_it_calls_changes(
    tmp_path: Path,
) -> None:
    """Whatever kind of function that is: each has a kernel of its own, all in one process."""

    def results(step: int) -> list[str]:
        for kind in CALLED:
            text = STAGES.format(kind=kind).format(step=step)
            (tmp_path / f"low_{kind}.py").write_text(text)
        return printed(tmp_path, "; ".join(PRINT.replace("high i", f"high_{k} i") for k in CALLED))

    (tmp_path / "constant.py").write_text(CONSTANT.format(constant=10))
    for kind in CALLED:
        (tmp_path / f"high_{kind}.py").write_text(HIGH.replace("from low", f"from low_{kind}"))
    assert results(step=1) == ["20"] * len(CALLED)
    assert results(step=1) == ["20 1"] * len(CALLED), "they are kept on disk"
    assert results(step=2) == ["30"] * len(CALLED)


BUNDLE = "from typing import NamedTuple\nclass {name}(NamedTuple):\n    x: int\n"
BUNDLED = "from upcard.jit import kernel\n@kernel\ndef high(bundle):\n    return bundle.x + 1\n"


def test_a_bundle_that_is_renamed_is_no_harm_to_what_is_kept(tmp_path: Path) -> None:
    (tmp_path / "high.py").write_text(BUNDLED)
    found = []
    for name in ("Old", "New", "New"):
        (tmp_path / "bundle.py").write_text(BUNDLE.format(name=name))
        code = f"from bundle import {name}; from high import high; print(high({name}(4)), "
        found += printed(tmp_path, code + "*high.stats.cache_hits.values())")
    assert found == ["5", "5", "5 1"]


SLOW = """
import sys, time
import numpy as np
from high import high
file = high._cache._cache_file
load = file._load_index
def slowly():
    found = load()
    time.sleep(0.2)  # long enough for another process to come between
    return found
file._load_index = slowly
for kind in sys.argv[1:]:
    high(np.dtype(kind).type(1))
print(sum(high.stats.cache_hits.values()), sum(high.stats.cache_misses.values()))
"""
KINDS = ["int8", "int32", "int64", "uint8", "uint32", "float64"]


def test_processes_that_compile_at_once_lose_no_kernel(tmp_path: Path) -> None:
    (tmp_path / "high.py").write_text(HIGH)
    (tmp_path / "low.py").write_text(LOW.format(step=1))
    (tmp_path / "constant.py").write_text(CONSTANT.format(constant=10))

    def compiling(kinds: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", SLOW, *kinds],
            cwd=tmp_path,
            env=places(tmp_path),
            stdout=subprocess.PIPE,
            text=True,
        )

    both = [compiling(KINDS[:3]), compiling(KINDS[3:])]
    assert [one.communicate()[0].split() for one in both] == [["0", "3"]] * 2
    assert compiling(KINDS).communicate()[0].split() == ["6", "0"], "all are kept on disk"
