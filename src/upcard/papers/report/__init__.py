"""The mathematical report of a game: all its figures in one document, and how to repeat them."""
