"""Measuring schedules: children that compile them, check their pixels and time them, one pipeline after the other."""

from pipec.autoschedule.measure.candidate import TrialLimits
from pipec.autoschedule.measure.measurer import Measurer
from pipec.autoschedule.measure.task import ImageSource, Task, task_of
from pipec.autoschedule.measure.trial import Status, Trial

__all__ = ["ImageSource", "TrialLimits", "Measurer", "Status", "Task", "Trial", "task_of"]
