"""Types are checked beside a command: neither's failure is lost, and mypy speaks last."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "types-beside"
MYPY = '#!/bin/sh\necho "x.py:1: types"\nexit {status}\n'


@pytest.mark.parametrize(("command", "mypy", "both"), [(0, 0, 0), (3, 0, 3), (0, 1, 1), (3, 1, 3)])
def test_both_must_end_well(tmp_path: Path, command: int, mypy: int, both: int) -> None:
    program = tmp_path / "mypy"
    program.write_text(MYPY.format(status=mypy))
    program.chmod(0o755)
    done = subprocess.run(
        [SCRIPT, program, "/bin/sh", "-c", f"echo tests; exit {command}"],
        env={"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (both, "")
    assert done.stdout == "tests\nmypy, which ran beside it:\nx.py:1: types\n"
    assert list(tmp_path.iterdir()) == [program], "nothing is left behind"
