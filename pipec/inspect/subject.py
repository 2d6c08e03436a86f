"""What is inspected: a pipeline with its schedule, sizes and machine, and its inputs for runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from pipec.autoschedule.cost.host_machine import host_machine, with_caches
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.build_dag import Sizes
from pipec.autoschedule.dag.estimates import Like, estimated
from pipec.autoschedule.measure.task import Task, all_at_root, task_of
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import freeze, is_buffer, schedule_of
from pipec.func.functions.function import Function
from pipec.func.math.target_query import for_target
from pipec.inspect.execution import Execution, executed, output_boxes
from pipec.ir.program import Program
from pipec.jit.runtime.library import default_threads
from pipec.lower.lower import lower
from pipec.lower.required_boxes import RegionQuery
from pipec.pipeline.calls.runnable import jit_target
from pipec.pipeline.pipeline import Pipeline
from pipec.records import dataclass
from pipec.schedule.schedule import Schedule
from pipec.target import Target


@dataclass(frozen=True, eq=False)
class Subject:
    """A pipeline to be inspected. `like`: as given to `subject_of`, for the inputs of runs."""

    outputs: tuple[Function, ...]
    definition: PipelineDef
    bindings: Mapping[str, Any]
    schedule: Schedule
    sizes: Sizes
    target: Target
    threads: int
    like: Like = None

    @cached_property
    def machine(self) -> MachineModel:
        """The rates of this machine, and the sizes of its caches."""
        return with_caches(host_machine())

    @cached_property
    def execution(self) -> Execution:
        """What the schedule makes of the pipeline at these sizes."""
        return executed(self.definition, self.schedule, self.sizes, self.threads)

    @cached_property
    def whole(self) -> Execution:
        """The pipeline with every Func computed once, whole: what the schedule is compared with."""
        return executed(self.definition, all_at_root(self.definition), self.sizes, self.threads)

    @cached_property
    def program(self) -> Program:
        """The loops after all passes of lowering."""
        return lower(self.definition, self.schedule, self.target)

    @cached_property
    def required(self) -> dict[str, list[tuple[int, int]]]:
        """The box of each Func that its consumers need of it, where it is computed whole."""
        query = RegionQuery(self.definition, all_at_root(self.definition))
        boxes, images = output_boxes(self.definition, self.sizes), self.sizes.images
        return query.root_storage(boxes, self.sizes.scalars, images)

    @cached_property
    def task(self) -> Task:
        """Inputs and outputs for runs: those that are bound or given by `like`, else random ones."""
        arrays: dict[str, Any] = {}
        named = self.like if isinstance(self.like, Mapping) else dict.fromkeys(self.definition.images, self.like)
        for name, value in named.items():
            if value is None:
                continue
            is_pixels = isinstance(value, Buffer) or (
                as_array(value) is not None and not isinstance(value, list | tuple)
            )
            free = name in self.definition.images and not isinstance(self.bindings.get(name), Buffer)
            if is_pixels and free and len(self.sizes.images.get(name, ())) == Buffer(value).dimensions():
                arrays[name] = value
        sizes = {name: [extent for _, extent in box] for name, box in self.sizes.outputs.items()}
        pipeline = Pipeline._of(*self.outputs)
        return task_of(pipeline, sizes, arrays=arrays, values=dict(self.sizes.scalars), target=self.target)

    def recomputation(self, func: str) -> float:
        """How often each value of a Func is computed on average, over all its stages."""
        once = self.whole.evaluations_of(func)
        return self.execution.evaluations_of(func) / once if once else 1.0


def subject_of(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    target: Target | None = None,
    schedule: Schedule | None = None,
) -> Subject:
    """The pipeline of these outputs, as it would run; `like` and `sizes` as in `Pipeline.autoschedule`.

    `schedule`: in the place of the one that the Funcs have.
    """
    chosen = jit_target(target)
    definition, bindings = freeze(outputs)
    definition = for_target(definition, chosen)
    own = schedule_of(outputs) if schedule is None else schedule
    expected = estimated(outputs, definition, bindings, own, like, sizes)
    unsized = [n for n, b in bindings.items() if is_buffer(b) and n not in expected.images]
    if unsized:
        expected = _with_required_images(definition, expected, unsized)
    return Subject(tuple(outputs), definition, bindings, own, expected, chosen, default_threads(), like)


def _with_required_images(definition: PipelineDef, sizes: Sizes, names: Sequence[str]) -> Sizes:
    """The sizes with the boxes that are read of images about which nothing else is known."""
    query = RegionQuery(definition, all_at_root(definition))
    required = query.boxes(output_boxes(definition, sizes), sizes.scalars, sizes.images)
    images = {**sizes.images, **{name: tuple(required[name]) for name in names if name in required}}
    return Sizes(sizes.outputs, images, sizes.scalars)
