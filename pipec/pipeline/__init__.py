"""Pipelines: definitions and schedules compiled and run."""

from pipec.pipeline.calls.arguments import Argument, ArgumentKind
from pipec.pipeline.calls.callable import Callable
from pipec.pipeline.calls.device_buffer import host_supports_target_device
from pipec.pipeline.emission.compile_to import compile_standalone_runtime
from pipec.pipeline.emission.module import Module, link_modules
from pipec.pipeline.pipeline import Pipeline, evaluate, evaluate_may_gpu

__all__ = [
    "Argument",
    "ArgumentKind",
    "Callable",
    "Module",
    "Pipeline",
    "compile_standalone_runtime",
    "evaluate",
    "evaluate_may_gpu",
    "host_supports_target_device",
    "link_modules",
]
