"""Papers made of prices: what-if tables, targets, comparisons."""
