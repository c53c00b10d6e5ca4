"""Exact odds: every wager of every game, the best play, and what each reading costs."""
