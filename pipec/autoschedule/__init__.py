"""Finding schedules: a space of plans, cost models, strategies, measuring."""
