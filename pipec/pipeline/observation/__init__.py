"""Observation of runs: profiles, traces, prints, debug files, statistics and notebook output.

In: reports of machine code. Out: records and text for users.
"""
