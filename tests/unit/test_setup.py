"""Set-up says what it does, and shows pip's lines only when pip fails."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from browsers import BROWSERS

ROOT = Path(__file__).parents[2]
NOISE = "WARNING: Location 'file:///somewhere/simple/x/' is ignored: it is no directory."
PYTHON = """#!/bin/sh
case "$*" in
    --version) echo "Python 3.11.0" ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m pip install "*)
        echo "Collecting numpy"
        echo "{noise}" >&2
        [ {status} = 0 ] || echo "ERROR: no numpy here"
        exit {status} ;;
    "-m upcard prepare")
        echo "Compiling"
        exit {compiling} ;;
esac
"""


def set_up(folder: Path, status: int, compiling: int = 0) -> subprocess.CompletedProcess[str]:
    """Set-up with a Python whose pip and whose compiling end with these statuses."""
    python = folder / "python"
    python.write_text(PYTHON.format(noise=NOISE, status=status, compiling=compiling))
    python.chmod(0o755)
    return subprocess.run(
        [ROOT / "scripts" / "setup", folder / "venv"],
        env=os.environ | {"PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_steps_are_said_and_warnings_are_not(tmp_path: Path) -> None:
    done = set_up(tmp_path, 0)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line[:3] for line in lines] == ["Set", "1/4", "2/4", "3/4", "4/4", "Rea"]
    assert lines[4] == "4/4  Compiling"
    assert NOISE in (tmp_path / "venv" / "setup.log").read_text()


def test_set_up_goes_on_without_compiled_kernels(tmp_path: Path) -> None:
    done = set_up(tmp_path, 0, compiling=1)
    assert done.returncode == 0
    assert "compiled when it is first used" in done.stdout
    assert done.stdout.endswith("Ready.\n")


def test_set_up_looks_for_the_browsers_that_tests_take() -> None:
    script = (ROOT / "scripts" / "system-packages").read_text()
    assert f"for name in {' '.join(BROWSERS)}; do" in script


@pytest.mark.parametrize("status", [1, 2])
def test_a_failed_installation_shows_why(tmp_path: Path, status: int) -> None:
    done = set_up(tmp_path, status)
    assert done.returncode == 1
    assert "ERROR: no numpy here" in done.stderr
    assert NOISE not in done.stderr
    assert "Ready" not in done.stdout
