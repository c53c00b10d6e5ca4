"""The simulator: whole rounds of any game from arrays, at machine speed, the same everywhere."""
