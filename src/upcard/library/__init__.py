"""Upcard as a programmer expects it: `upcard.game(...)` and what hangs on it."""
