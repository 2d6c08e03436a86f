"""Pipelines of tasks in worker processes: pickled by their definition, compiled once in each process."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import threading
from collections.abc import Iterable, Mapping
from typing import Any

from pipec.jit.runtime.library import runtime
from pipec.pipeline.pipeline import Pipeline
from pipec.pipeline.queries import Box, output_buffers
from pipec.scale.reduction_programs import (
    merging_program,
    part_program,
    stage_program,
    value_name,
    with_value_images,
)
from pipec.scale.windows import WindowedPipeline, program_of
from pipec.target import Target

# Workers keep the machine code of so many pipelines; the compile cache on disk has the others.
MAX_PIPELINES = 64
# What a task computes of a reduction: one strip from the values before it, one strip alone, or the merge of both.
STRIP_PROGRAMS = {"strip": stage_program, "part": part_program, "merge": merging_program}

_compiled: dict[str, WindowedPipeline] = {}
_lock = threading.Lock()


class PortablePipeline:
    """A pipeline for windows of `images`, whose sizes are `whole`, that computes parts of `box`.

    `digest` identifies it. `threads`: the most that one task uses; None for as many as its process has.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        images: Iterable[str],
        whole: Mapping[str, Box],
        box: Box,
        scalars: Mapping[str, Any],
        target: Target | None,
        digest: str,
        threads: int | None = None,
    ) -> None:
        self._pipeline: Pipeline | bytes = pipeline
        self._images, self._whole, self._box, self._scalars = list(images), dict(whole), list(box), dict(scalars)
        self._target, self._digest, self._threads = target, digest, threads
        # Reductions whose values are images; the kind of a STRIP_PROGRAM, its Func and stage.
        self._reduced: tuple[str, ...] = ()
        self._strip: tuple[str, str, int] | None = None
        self._key = self._identity()

    def _identity(self) -> str:
        facts = sorted(self._whole.items()), self._box, self._target, self._reduced, self._strip
        return " ".join(map(str, (self._digest, *facts)))

    def _changed(self, **fields: Any) -> PortablePipeline:
        other = PortablePipeline.__new__(PortablePipeline)
        other.__dict__.update({**self.__dict__, **fields})
        other._key = other._identity()
        return other

    def with_values(self, func: str, box: Box) -> PortablePipeline:
        """The pipeline that reads the values of a reduction, in `box`, from images."""
        names = [value_name(func, at) for at in range(len(self.windowed().definition.funcs[func].types))]
        whole = {**self._whole, **{name: list(box) for name in names}}
        return self._changed(_images=[*self._images, *names], _whole=whole, _reduced=(*self._reduced, func))

    def of_strip(self, kind: str, func: str, stage: int, box: Box) -> PortablePipeline:
        """The pipeline of a kind in STRIP_PROGRAMS for one stage of a reduction, whose values lie in `box`."""
        return self._changed(_strip=(kind, func, stage), _box=list(box))

    @property
    def threads(self) -> int | None:
        """The most threads of a task in this process."""
        return self._threads if self._threads is not None else task_threads()

    def windowed(self) -> WindowedPipeline:
        """The pipeline of this process, made at the first call."""
        windowed = _compiled.get(self._key)
        if windowed is not None:
            return windowed
        with _lock:
            windowed = _compiled.get(self._key)
            if windowed is None:
                while len(_compiled) >= MAX_PIPELINES:
                    del _compiled[next(iter(_compiled))]
                limit_to_worker()
                windowed = _compiled[self._key] = self._new_windowed()
            return windowed

    def _new_windowed(self) -> WindowedPipeline:
        pipeline = pickle.loads(self._pipeline) if isinstance(self._pipeline, bytes) else self._pipeline
        program = program_of(pipeline, self._target)
        for func in self._reduced:
            program = with_value_images(program, func)
        images = self._images
        whole = dict(self._whole)
        if self._strip is not None:
            kind, func, stage = self._strip
            program = STRIP_PROGRAMS[kind](program, func, stage)
            images = [name for name in images if name in program.definition.images]
        whole.update({name: self._box for name, _, _ in output_buffers(program.definition)})
        return WindowedPipeline(program, images, whole, self._scalars)

    def compiled(self) -> WindowedPipeline:
        """The pipeline of this process with its machine code."""
        windowed = self.windowed()
        if "compiled" not in windowed.__dict__:
            with _lock:
                _ = windowed.compiled
        return windowed

    def __getstate__(self) -> dict[str, Any]:
        data = self._pipeline if isinstance(self._pipeline, bytes) else pickle.dumps(self._pipeline)
        return {**self.__dict__, "_pipeline": data}

    def __dask_tokenize__(self) -> str:
        return self._key


# Threads


def limit_to_worker() -> None:
    """In a process that dask.distributed started, all calls together use as many threads as it gave the worker.

    Several workers on a machine would else each use all of its cores. PIPEC_NUM_THREADS decides otherwise.
    """
    worker = _distributed_worker()
    if worker is None or worker.nanny is None or os.environ.get("PIPEC_NUM_THREADS"):
        return
    runtime().set_threads(min(runtime().threads(), worker.state.nthreads))


def task_threads() -> int | None:
    """The threads of a task: one in a process of a pool, which has as many processes as there are cores."""
    in_pool = multiprocessing.parent_process() is not None and _distributed_worker() is None
    return 1 if in_pool and not os.environ.get("PIPEC_NUM_THREADS") else None


def _distributed_worker() -> Any:
    """The worker of dask.distributed whose task this thread runs; None outside of one."""
    module = sys.modules.get("distributed")
    if module is None:
        return None
    try:
        return module.get_worker()
    except ValueError:
        return None
