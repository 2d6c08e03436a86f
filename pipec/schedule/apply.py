"""Checked application of directives: each gives a new Schedule or raises a ScheduleError that says what is legal."""

from __future__ import annotations

from pipec.schedule.fusion import (
    compute_with,
)
from pipec.schedule.gpu import gpu_single_thread, gpu_tile
from pipec.schedule.hints import (
    async_,
    atomic,
    hoist_storage,
    memoize,
    partition,
    prefetch,
    ring_buffer,
)
from pipec.schedule.loops import (
    allow_race_conditions,
    fuse,
    mark,
    parallel,
    rename,
    reorder,
    serial,
    split,
    tile,
    unroll,
    unscheduled,
    vectorize,
)
from pipec.schedule.observation import debug_to_file, trace, trace_tag
from pipec.schedule.placement import (
    compute_at,
    compute_inline,
    compute_root,
    store_at,
    store_root,
)
from pipec.schedule.shape import FuncShape, StageShape
from pipec.schedule.specialize import (
    specialize,
    specialize_fail,
)
from pipec.schedule.storage import (
    align_bounds,
    align_extent,
    align_storage,
    bound,
    bound_extent,
    bound_storage,
    estimate,
    expect_bounds,
    fold_storage,
    reorder_storage,
    store_in,
    stream_stores,
)

__all__ = [
    "FuncShape",
    "StageShape",
    "align_bounds",
    "align_extent",
    "align_storage",
    "allow_race_conditions",
    "async_",
    "atomic",
    "bound",
    "bound_extent",
    "bound_storage",
    "compute_at",
    "compute_inline",
    "compute_root",
    "compute_with",
    "debug_to_file",
    "estimate",
    "expect_bounds",
    "fold_storage",
    "fuse",
    "gpu_single_thread",
    "gpu_tile",
    "hoist_storage",
    "mark",
    "memoize",
    "parallel",
    "partition",
    "prefetch",
    "rename",
    "reorder",
    "reorder_storage",
    "ring_buffer",
    "serial",
    "specialize",
    "specialize_fail",
    "split",
    "store_at",
    "store_in",
    "store_root",
    "stream_stores",
    "tile",
    "trace",
    "trace_tag",
    "unroll",
    "unscheduled",
    "vectorize",
]
