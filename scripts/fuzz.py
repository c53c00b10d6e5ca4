"""The open-ended search: all tests that draw at random, with new seeds until the time is up.

Each round is one run of pytest with a seed of its own, from which everything in it follows.
Whatever a round prints is kept in the folder .fuzz; a find is said with the command that shows it
again. Exit status: 0 if nothing was found, 1 for finds, 2 if no test could be run.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import secrets
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parents[1]
FOLDER = HERE / ".fuzz"
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
PASSED = re.compile(r"(\d+) passed")
TESTS_RAN = (0, 1)
NO_TEST = 5
INTERRUPTED = 130


@dataclass
class Search:
    """What has been looked at, and what was found: test and seed."""

    tests: list[str]
    until: float
    passed: int = 0
    rounds: int = 0
    finds: list[tuple[str, int]] = field(default_factory=list)

    def round(self, seed: int) -> bool:
        """All tests once; false if there was nothing to run."""
        begun, log = time.monotonic(), FOLDER / f"{seed}.log"
        with log.open("w") as file:
            status = subprocess.run(
                command(seed, self.tests, "--color=no"),
                cwd=HERE,
                env=environment(seed) | {"UPCARD_FUZZ_UNTIL": str(self.until)},
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
        text = log.read_text(errors="replace")
        took = time.monotonic() - begun
        ran = sum(map(int, PASSED.findall(text)[-1:]))
        if status == NO_TEST and time.time() >= self.until:
            return True
        if status in TESTS_RAN:
            found = FAILED.findall(text) if status else []
        elif status < 0:  # a crash of the interpreter, in whatever test it was
            found = self.tests
        else:
            say(f"pytest could not run the tests; see {log.relative_to(HERE)}")
            return False
        self.rounds += 1
        self.passed += ran
        self.finds += [(test, seed) for test in found]
        say(f"round {self.rounds}, seed {seed}: {ran} passed, {len(found)} found, {took:.0f} s")
        for test in found:
            say(f"  {shown(seed, test)}")
        return True


def command(seed: int, tests: list[str], *more: str) -> list[str]:
    pytest = [sys.executable, "-m", "pytest", "-q", "-m", "chance", "-p", "no:cacheprovider"]
    here = ["-c", str(HERE / "pyproject.toml"), "--rootdir", str(HERE)]
    return [*pytest, *here, "--tb=short", f"--hypothesis-seed={seed}", *more, *tests]


def environment(seed: int) -> dict[str, str]:
    return os.environ | {"UPCARD_FUZZ": str(seed), "COLUMNS": "400"}


def shown(seed: int, test: str) -> str:
    """The command that shows a find again."""
    return f"UPCARD_FUZZ={seed} .venv/bin/pytest --hypothesis-seed={seed} {quoted(test)}"


def quoted(text: str) -> str:
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=600, help="how long to search")
    parser.add_argument("--rounds", type=int, help="end after so many rounds, however quick")
    parser.add_argument("--seed", type=int, help="the first round's seed; drawn if not given")
    parser.add_argument("tests", nargs="*", default=["tests"], help="where, as for pytest")
    return parser.parse_args()


def main() -> int:
    """Search, and say what was found."""
    asked = wanted()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    FOLDER.mkdir(exist_ok=True)
    seconds = asked.seconds if asked.rounds is None else math.inf
    search = Search(asked.tests, time.time() + seconds)
    how_long = f"{seconds:g} s" if asked.rounds is None else f"{asked.rounds} rounds"
    say(f"Searching for {how_long} from seed {seed}; all output goes to .fuzz/")
    status = 0
    try:
        while time.time() < search.until and search.rounds != asked.rounds:
            if not search.round(seed + search.rounds):
                return 2
    except KeyboardInterrupt:
        status = INTERRUPTED
    say(f"{search.rounds} rounds, {search.passed} tests passed, {len(search.finds)} found.")
    for test, found in sorted(set(search.finds)):
        say(f"  {shown(found, test)}")
    return 1 if search.finds else status


if __name__ == "__main__":
    sys.exit(main())
