"""The command line without a new process: arguments in, exit status and text out."""

from __future__ import annotations

import io
import json
import sys
from typing import Any, NamedTuple
from unittest import mock

from upcard.cli import main


class Done(NamedTuple):
    """A command that has run."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


def upcard(*arguments: str, stdin: str | bytes = "", encoding: str = "utf-8") -> Done:
    """Run a command in a pipe of the given encoding."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, newline="\n") for _ in range(2))
    streams: dict[str, Any] = {
        "argv": ["upcard", *arguments],
        "stdin": io.TextIOWrapper(io.BytesIO(given), "utf-8"),
        "stdout": out,
        "stderr": err,
    }
    status = 0
    with mock.patch.multiple(sys, **streams):
        try:
            main()
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else int(bool(leaving.code))
    texts = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    return Done(status, *texts)


def refusal(*arguments: str, stdin: str | bytes = "") -> str:
    """The one sentence of a command that must fail and print nothing else."""
    done = upcard(*arguments, stdin=stdin)
    assert done.status == 1
    assert done.out == ""
    assert done.err.startswith("upcard: ")
    assert done.err.count("\n") == 1, done.err
    return done.err.removeprefix("upcard: ").rstrip("\n")
