"""What a server does with garbage: memory that only Python's own search for it gives back.

A command of the command line ends before it has made much of it, so it hardly looks
(`upcard.__main__`). A server goes on for months.
"""

from __future__ import annotations

import gc

NEW_OBJECTS = 5_000
"""After how many of them a server looks for garbage: some times a minute with a thousand lines."""


def tend() -> None:
    """From now on look often, and never again through what is there to stay.

    What was loaded to begin with is most of what there is: to look through all of it takes a third
    of a second, in which nobody is served.
    """
    gc.collect()
    gc.freeze()
    # All is searched when a quarter has come to what the last whole search found: now to little.
    gc.collect()
    gc.set_threshold(NEW_OBJECTS)
