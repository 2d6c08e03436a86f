"""Random programs under random schedules: `python -m tests.fuzz --minutes 10`."""
