"""Where the command line starts, as `upcard` and as `python -m upcard`."""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130


def main() -> None:
    """Load the command line and run a command."""
    # Loading takes a moment, in which Ctrl-C finds nobody who could take it kindly.
    waits = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if waits:
        signal.signal(signal.SIGINT, _leave)
    from upcard.cli import main as run

    if waits:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
