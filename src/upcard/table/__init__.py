"""The live table: commands in, events out, and the state is always the fold of the log."""
