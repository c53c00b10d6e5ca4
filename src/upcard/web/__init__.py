"""The pages of the house online."""
