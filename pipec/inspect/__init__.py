"""What explains a pipeline to its author: profiles, diagnoses, the schedule explorer and the execution visualiser.

In: outputs, their schedule and sizes, runs and traces. Out: findings, reports, pages of HTML and animations.
"""
