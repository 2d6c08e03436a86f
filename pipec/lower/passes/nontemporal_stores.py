"""What the schedule says about stores past the cache, by output buffer."""

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
    """Each output buffer with a wish, and whether it goes past the cache; ScheduleError where it cannot."""
    wishes: list[tuple[str, bool]] = []
    for func in definition.funcs.values():
        streamed = func_schedule(schedule, func.name).last(StreamStores)
        if streamed is None:
            continue
        if func.name not in definition.outputs:
            raise _refuse(func.name, "it is no output of the pipeline")
        wishes += [(buffer, streamed.past_cache) for buffer in output_buffers(func)]
    wanted = {buffer: streamed for buffer, streamed in wishes if streamed}
    if wanted:
        for node in postorder(body):
            if isinstance(node, Load) and node.buffer in wanted:
                raise _refuse(node.buffer, "the pipeline reads it again")
    return tuple(wishes)


def _refuse(func: str, reason: str) -> ScheduleError:
    return ScheduleError(
        f"Error: {func} can't be stored past the cache by stream_stores(): {reason}.\n"
        "Only outputs that are written once and not read can; leave stream_stores() out, or move what updates or uses "
        "the Func to another one."
    )
