"""The array machine: whole rounds of any game from arrays, in a row or stopping at decisions."""
