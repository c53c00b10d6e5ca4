"""Starting stays quick: heavy libraries are imported only where they are used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

WATCH = """
import json, sys
wanted = set()
class Watch:
    def find_spec(self, name, path=None, target=None):
        wanted.add(name.split(".")[0])
        return None
sys.meta_path.insert(0, Watch())
sys.argv = ["upcard", *{arguments!r}]
import io
shown, sys.stdout = sys.stdout, io.StringIO()
try:
    import upcard
    if {arguments!r}:
        from upcard.cli import main
        main()
except SystemExit:
    pass
sys.stdout = shown
print(json.dumps(sorted(wanted)))
"""


@pytest.mark.parametrize("arguments", [[], ["games"], ["games", "--json"], ["fees", "show", "1"]])
def test_heavy_libraries_are_not_even_looked_for(arguments: list[str]) -> None:
    script = WATCH.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    wanted = set(json.loads(done.stdout))
    assert "upcard" in wanted
    assert not wanted & {"numba", "nicegui", "matplotlib", "numpy", "fastapi", "sqlalchemy"}
    if arguments == []:
        assert not wanted & {"typer", "rich", "msgspec"}
