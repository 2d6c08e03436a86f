"""Pipelines: definitions and schedules compiled and run."""

from pipec.pipeline.arguments import Argument, ArgumentKind
from pipec.pipeline.callable import Callable
from pipec.pipeline.module import Module
from pipec.pipeline.pipeline import Pipeline, evaluate, evaluate_may_gpu

__all__ = ["Argument", "ArgumentKind", "Callable", "Module", "Pipeline", "evaluate", "evaluate_may_gpu"]
