"""Collection fees: the schedules as printed, what is wrong with them, what a round costs."""
