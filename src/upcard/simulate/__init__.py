"""The simulator: rounds of the array machine in great numbers, added up, the same everywhere."""
