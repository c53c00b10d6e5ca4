"""Trials: the simulator playing the solver's play, compared with the exact values."""
