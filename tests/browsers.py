"""The system's Chromium for tests, if there is one."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first of them that is there, as in `scripts/system-packages`; the shell is the lightest."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Pages live for seconds: what would make long lives quicker is not worth its work.
    "--js-flags=--no-opt --no-maglev --single-threaded-gc",
)


def browser_path() -> str:
    """Where the system's Chromium is; "" where there is none."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), "")
