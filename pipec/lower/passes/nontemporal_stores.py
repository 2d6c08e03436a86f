"""Non-temporal stores: the outputs that the schedule stores past the cache, or never stores so."""

from __future__ import annotations

from pipec.errors import ScheduleError
from pipec.func.functions.definition import PipelineDef
from pipec.ir.expr import Load
from pipec.ir.stmt import Stmt
from pipec.ir.walk import postorder
from pipec.lower.planning.names import output_buffers
from pipec.schedule.placement import func_schedule
from pipec.schedule.schedule import Schedule
from pipec.schedule.storage import StreamStores


def nontemporal_stores(definition: PipelineDef, schedule: Schedule, body: Stmt) -> tuple[tuple[str, bool], ...]:
    """The output buffers with a `stream_stores` directive, and whether it asks for stores past the cache.

    Raises ScheduleError for a Func that cannot be stored so.
    """
    requests: list[tuple[str, bool]] = []
    for func in definition.funcs.values():
        streamed = func_schedule(schedule, func.name).last(StreamStores)
        if streamed is None:
            continue
        if func.name not in definition.outputs:
            raise _refuse(func.name, "it is no output of the pipeline")
        requests += [(buffer, streamed.past_cache) for buffer in output_buffers(func)]
    streamed_buffers = {buffer: streamed for buffer, streamed in requests if streamed}
    if streamed_buffers:
        for node in postorder(body):
            if isinstance(node, Load) and node.buffer in streamed_buffers:
                raise _refuse(node.buffer, "the pipeline reads it")
    return tuple(requests)


def _refuse(func: str, reason: str) -> ScheduleError:
    return ScheduleError(
        f"Error: {func} can't be stored past the cache by stream_stores(): {reason}.\n"
        "Only outputs that are written once and not read can; leave stream_stores() out, or move what updates or uses "
        "the Func to another one."
    )
