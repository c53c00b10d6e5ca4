"""Where the command line starts, as `upcard` and as `python -m upcard`."""

from __future__ import annotations

import atexit
import gc
import os
import signal

INTERRUPTED = 130
NEW_OBJECTS = 100_000
"""After how many of them Python looks for garbage. Loading makes very many and hardly any garbage:
with the usual 700 the search takes 7 to 9 hundredths of the time of `upcard odds blackjack`.
"""


def main() -> None:
    """Load the command line and run a command."""
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)  # nothing is looked for in a process that ends
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
