"""Measuring schedules: child processes compile them, check their pixels and time them, one pipeline after the other.

In: a Task, and schedules for it. Out: Trials, which a database stores.
"""

from pipec.autoschedule.measure.candidate import TrialLimits
from pipec.autoschedule.measure.measurer import Measurer, Measuring
from pipec.autoschedule.measure.task import ImageSource, Task, task_of
from pipec.autoschedule.measure.trial import Status, Trial

__all__ = ["ImageSource", "TrialLimits", "Measurer", "Measuring", "Status", "Task", "Trial", "task_of"]
