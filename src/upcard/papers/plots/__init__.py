"""Plots of what verbs print as tables: each draws the figures of its table, and no others."""
