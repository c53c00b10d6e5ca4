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
PRINT = "from high import high; print(high(1), *high.stats.cache_hits.values())"


def result(folder: Path, *, step: int, constant: int) -> str:
    """What a kernel in one file comes to, with what it uses in other files; and cache hits."""
    (folder / "low.py").write_text(LOW.format(step=step))
    (folder / "constant.py").write_text(CONSTANT.format(constant=constant))
    done = subprocess.run(
        [sys.executable, "-c", PRINT],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.strip()


def test_a_kernel_is_compiled_anew_if_what_it_uses_changes(tmp_path: Path) -> None:
    (tmp_path / "high.py").write_text(HIGH)
    assert result(tmp_path, step=1, constant=10) == "20"
    assert result(tmp_path, step=1, constant=10) == "20 1", "it is kept on disk"
    assert result(tmp_path, step=2, constant=10) == "30"
    assert result(tmp_path, step=2, constant=50) == "150"
    assert result(tmp_path, step=1, constant=10) == "20"
