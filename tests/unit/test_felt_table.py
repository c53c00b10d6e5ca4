"""The table of the felt in node, under the real Vue: whatever comes in whatever order.

What a browser shows only by bad luck (an answer that comes late, a click too many, a line that
breaks while cards fly) is done here on purpose.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import nicegui
import pytest

import upcard

NODE = shutil.which("node")
MODULES = Path(upcard.__file__).parent / "web" / "felt" / "modules"
CHECKS = Path(__file__).with_name("felt_table.mjs")
VUE = Path(nicegui.__file__).parent / "static" / "vue.esm-browser.prod.js"
NAMES = re.findall(r'^  async "(.+)"\(\)', CHECKS.read_text(), re.MULTILINE)

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where `import "vue"` finds the Vue that the pages have."""
    folder = tmp_path_factory.mktemp("felt")
    shutil.copytree(MODULES, folder / "m")
    vue = folder / "node_modules" / "vue"
    vue.mkdir(parents=True)
    shutil.copy(VUE, vue / "index.js")
    (vue / "package.json").write_text('{"name": "vue", "type": "module", "main": "index.js"}')
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(CHECKS, folder)
    return folder


def run(place: Path, *names: str) -> str:
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(place / CHECKS.name), *names], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr[:3000]
    return done.stdout


def test_every_check_is_made(place: Path) -> None:
    assert json.loads(run(place)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_table(place: Path, name: str) -> None:
    assert run(place, name) == "1"
