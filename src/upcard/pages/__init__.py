"""What results show of themselves: on a terminal, as plain text, and in a notebook."""
