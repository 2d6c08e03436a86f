"""The rules of a diagnosis: each looks for one kind of loss, and proposes a mend that it has tried on the schedule."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from pipec.inspect import mends
from pipec.inspect.execution import MAX_SHUFFLED_STEP, LoopTreeNode, StageCounts
from pipec.inspect.finding import Finding
from pipec.inspect.mends import Mend, plain_name
from pipec.inspect.subject import Subject
from pipec.ir.expr import FuncCall
from pipec.ir.walk import postorder
from pipec.records import dataclass
from pipec.target import LINE_BYTES

MIN_SHARE = 0.04
"""Of the time of a run: Funcs that take less are not worth a change."""
MIN_RECOMPUTATION = 1.4
MIN_INLINED_CYCLES = 5.0
"""Of a point, computed alone: what takes less is recomputed faster than loaded."""
GOOD_RECOMPUTATION = 1.2
USABLE_CACHE = 0.8
LAST_CACHE_BYTES_PER_THREAD = 16 * 2**20
"""Of the last cache, at most: that of a server is shared with other programs."""
MAX_TASK_OVERHEAD = 0.2
"""Of the time of a task, for handing it out."""
MIN_SERIAL_SECONDS = 1e-4
MIN_BALANCE = 0.8
MIN_WASTE = 0.05


@dataclass(frozen=True, eq=False)
class Evidence:
    """A subject, the share of each Func in the time of a run, and the seconds of a run, measured or estimated."""

    subject: Subject
    shares: dict[str, float]
    seconds: float

    def share(self, func: str) -> float:
        """The share of a Func."""
        return self.shares.get(func, 0.0)

    def stage_share(self, stage: StageCounts) -> float:
        """The share of a stage: that of its Func, divided by the estimated cycles of the stages."""
        machine = self.subject.machine
        stages = [other for other in self.subject.execution.stages.values() if other.func == stage.func]
        cycles = {id(other): other.evaluations * other.cycles(machine) for other in stages}
        return self.share(stage.func) * cycles[id(stage)] / (sum(cycles.values()) or 1.0)

    def stages(self) -> Iterator[StageCounts]:
        """The stages whose time counts, the most expensive first."""
        shares = [(self.stage_share(stage), stage) for stage in self.subject.execution.stages.values()]
        yield from [s for share, s in sorted(shares, key=lambda pair: -pair[0]) if share >= MIN_SHARE]

    def consumers(self, func: str) -> list[StageCounts]:
        """The stages with loops of their own that read a Func."""
        stages = self.subject.execution.stages.values()
        return [stage for stage in stages if stage.func != func and any(a.name == func for a in stage.accesses)]

    def finding(self, kind: str, stage: StageCounts, text: str, mend: Mend | str, **numbers: float) -> Finding:
        """The finding about a stage."""
        words, schedule = (mend.text, mend.schedule) if isinstance(mend, Mend) else (mend, None)
        return Finding(kind, stage.func, stage.name, text, words, self.stage_share(stage), numbers, schedule)


Rule = Callable[[Evidence], Iterator[Finding]]


def recomputed(evidence: Evidence) -> Iterator[Finding]:
    """Values that are computed more than once, since tiles that overlap compute them each."""
    subject = evidence.subject
    for stage in evidence.stages():
        ratio = subject.recomputation(stage.func)
        if stage.stage or ratio < MIN_RECOMPUTATION or stage.func in subject.definition.outputs:
            continue
        outer = [loop for loop in stage.loops if loop.func != stage.func]
        where = f"inside {outer[-1].func}'s loop {plain_name(outer[-1].name)}" if outer else "there"
        text = f"{stage.func} is computed {ratio:.1f} times: the boxes that are computed {where} overlap."
        mend = _less_recomputation(evidence, stage, outer, ratio)
        if mend is not None:
            rest = mend.execution.evaluations_of(stage.func) / subject.whole.evaluations_of(stage.func)
            text += f" With the change it is computed {rest:.1f} times."
            yield evidence.finding("recomputed", stage, text, mend, recomputation=ratio, afterwards=rest)


def _less_recomputation(evidence: Evidence, stage: StageCounts, outer: list[LoopTreeNode], ratio: float) -> Mend | None:
    """Sliding along loops further out inside the parallel one, then larger tiles, then the whole Func at once."""
    subject = evidence.subject
    consumers = {consumer.func: consumer for consumer in evidence.consumers(stage.func)}
    best: tuple[float, Mend] | None = None
    candidates = []
    for loop in reversed(outer[:-1]):
        if loop.func in consumers:
            candidates.append(mends.stored_in(subject, stage.func, consumers[loop.func], loop.name))
        if loop.loop == "parallel":
            break
    for consumer in consumers:
        candidates += mends.larger_tiles(subject, consumer)
    candidates.append(mends.computed_whole(subject, stage.func))
    for mend in candidates:
        if mend is None or _largest_tile(mend) > USABLE_CACHE * subject.machine.l2:
            continue
        rest = mend.execution.evaluations_of(stage.func) / subject.whole.evaluations_of(stage.func)
        if rest <= GOOD_RECOMPUTATION:
            return mend
        if rest < 0.8 * ratio and (best is None or rest < best[0]):
            best = rest, mend
    return None if best is None else best[1]


def inlined(evidence: Evidence) -> Iterator[Finding]:
    """Funcs without loops of their own that are expensive, and computed at each of many uses."""
    subject = evidence.subject
    execution = subject.execution
    for func, count in execution.inlined.items():
        once = subject.whole.stages.get((func, 0))
        readers = [stage for stage in execution.stages.values() if func in _inlined_into(subject, stage.func)]
        if once is None or not once.evaluations or not readers:
            continue
        ratio, consumer = count / once.evaluations, max(readers, key=lambda s: evidence.share(s.func))
        if ratio < 2 or once.cycles(subject.machine) < MIN_INLINED_CYCLES or evidence.share(consumer.func) < MIN_SHARE:
            continue
        options = [mends.computed_in(subject, func, consumer, loop.name) for loop in _row_loops(consumer)]
        good = [
            m
            for m in (*options, mends.computed_whole(subject, func))
            if m is not None and m.execution.evaluations_of(func) < 0.7 * count and not _gathers(m, func)
        ]
        if good:
            rest = good[0].execution.evaluations_of(func) / once.evaluations
            text = (
                f"{func} is inlined, and computed {ratio:.1f} times for each of its points, {once.operations}"
                f" operations each, inside {consumer.name}. With the change it is computed {rest:.1f} times."
            )
            yield evidence.finding(
                "inlined", consumer, text, good[0], recomputation=ratio, operations=once.operations, afterwards=rest
            )


def _gathers(mend: Mend, func: str) -> bool:
    """Whether a Func is read at coordinates that depend on values: in vectors, computing it again may be faster."""
    accesses = [a for stage in mend.execution.stages.values() for a in stage.accesses if a.name == func]
    return any(access.strides is None for access in accesses)


def _inlined_into(subject: Subject, func: str) -> set[str]:
    """The Funcs without loops of their own that a Func reads, directly or through others of them."""
    result: set[str] = set()
    pending = [func]
    while pending:
        for stage in subject.definition.funcs[pending.pop()].stages:
            called = {node.name for node in postorder(*stage.roots) if isinstance(node, FuncCall)}
            pending += [name for name in called - result if name in subject.execution.inlined]
            result |= {name for name in called if name in subject.execution.inlined}
    return result


def _row_loops(consumer: StageCounts) -> list[LoopTreeNode]:
    """The loops of a stage in which a producer may be computed by tiles or strips: the innermost parallel one first."""
    own = [loop for loop in consumer.loops if loop.func == consumer.func and loop.loop in ("parallel", "for")]
    threads = [loop for loop in own if loop.loop == "parallel"]
    return threads[-1:] if threads else []


def scalar(evidence: Evidence) -> Iterator[Finding]:
    """Loops without vectors, and why."""
    subject = evidence.subject
    for stage in evidence.stages():
        own = [(loop, move) for loop, move in zip(stage.loops, stage.movements, strict=True) if loop.func == stage.func]
        if stage.lanes > 1 or not own or stage.loops[-1].loop.startswith("gpu"):
            continue
        lanes = mends.native_lanes(subject, stage.bytes_per_point)
        dense = [loop for loop, move in own if move is not None and move[:1] == (1,) and not any(move[1:])]
        innermost = own[-1][0]
        definition = subject.definition.funcs[stage.func].stages[stage.stage]
        reductions = {loop.name for loop in definition.rvars}
        numbers = {"lanes": float(lanes), "trips": innermost.trips}
        if dense:
            if dense[-1].trips < lanes:
                continue
            mend = mends.vectorized(subject, stage, dense[-1].name)
            why = "nothing in the schedule vectorizes it"
            if dense[-1] is not innermost:
                why = f"its inner loop {plain_name(innermost.name)} does not run along the rows in memory"
            text = f"The inner loop of {stage.name} is scalar, because {why}; a vector has {lanes} lanes."
            if mend is not None:
                yield evidence.finding("scalar", stage, text, mend, **numbers)
            elif dense[-1].name in reductions:
                rvar = plain_name(dense[-1].name)
                by_hand = f"write the update with a Var in the place of {rvar}, if its points do not need one another"
                yield evidence.finding("scalar", stage, text, by_hand, **numbers)
        elif reductions:
            scatters = own[-1][1] is None
            if scatters and stage.is_parallel:
                continue
            why = (
                "it scatters: where it writes depends on values"
                if scatters
                else f"it is a reduction over {', '.join(sorted(reductions))}, whose iterations need the ones before"
            )
            text = f"The inner loop of {stage.name} is scalar, because {why}."
            outer = plain_name(own[0][0].name)
            mend_text = (
                f"compute partial results by threads: partial = {stage.name}.rfactor({outer}, u); "
                f"partial.compute_root().update().parallel(u)"
                if scatters
                else f"{stage.name}.atomic().vectorize({plain_name(innermost.name)}, {lanes}), which sums in lanes"
            )
            yield evidence.finding("scalar", stage, text, mend_text, **numbers)


def serial(evidence: Evidence) -> Iterator[Finding]:
    """Loops that one thread runs while others have nothing to do."""
    subject = evidence.subject
    for stage in evidence.stages():
        outer = stage.loops[:1]
        seconds = evidence.seconds * evidence.stage_share(stage)
        if subject.threads < 2 or stage.is_parallel or not outer or seconds < MIN_SERIAL_SECONDS:
            continue
        if outer[0].func != stage.func:
            continue  # reported for the Func whose loop is outermost
        text = f"{stage.name} runs on one of {subject.threads} threads: none of its loops is parallel."
        mend = mends.parallel(subject, stage, outer[0])
        reduction = {loop.name for loop in subject.definition.funcs[stage.func].stages[stage.stage].rvars}
        if mend is not None:
            yield evidence.finding("serial", stage, text, mend, threads=subject.threads)
        elif reduction:
            var = plain_name(outer[0].name)
            words = f"partial = {stage.name}.rfactor({var}, u); partial.compute_root().update().parallel(u)"
            yield evidence.finding("serial", stage, text, words, threads=subject.threads)


def tasks(evidence: Evidence) -> Iterator[Finding]:
    """Parallel loops whose iterations are too few for the threads, or too short."""
    subject = evidence.subject
    for stage in evidence.stages():
        loops = [loop for loop in stage.loops if loop.loop == "parallel" and loop.func == stage.func]
        if not loops:
            continue
        total = math.prod([loop.trips for loop in loops])
        launches = loops[0].entered
        rounds = math.ceil(total / subject.threads) * subject.threads
        var = plain_name(loops[-1].name)
        seconds = evidence.seconds * evidence.stage_share(stage) * subject.threads / max(1.0, total * launches)
        if total and total / rounds < MIN_BALANCE and total < 4 * subject.threads:
            text = (
                f"The parallel loop {var} of {stage.name} has {total:.0f} iterations for {subject.threads} threads:"
                f" threads are idle for {1 - total / rounds:.0%} of it."
            )
            words = f"make the tasks smaller, so that there are many for each thread: split {var} by a smaller factor"
            yield evidence.finding("few tasks", stage, text, words, tasks=total, threads=subject.threads)
        elif subject.machine.task > MAX_TASK_OVERHEAD * seconds and total > 16 * subject.threads:
            count = f"The {total * launches:.0f} tasks of the parallel loop {var} of {stage.name}"
            text = f"{count} take {1e6 * seconds:.2f} us each."
            strip = max(2, math.ceil(100 * subject.machine.task / max(seconds, 1e-9)))
            words = (
                f"{stage.name}.split({var}, {var}o, {var}i, {strip}).parallel({var}o) in the place of parallel({var})"
            )
            yield evidence.finding("small tasks", stage, text, words, tasks=total * launches, seconds=seconds)


def cache(evidence: Evidence) -> Iterator[Finding]:
    """Tiles whose intermediate values do not fit into the cache of a core."""
    subject = evidence.subject
    limit = USABLE_CACHE * subject.machine.l2
    for node in subject.execution.root.walk():
        if node.kind != "loop" or evidence.share(node.func) < MIN_SHARE:
            continue
        inside = _tile_bytes(node)
        if inside <= limit:
            continue
        stage = subject.execution.stages.get((node.func, node.stage))
        if stage is None:
            continue
        smaller = (m for m in mends.smaller_tiles(subject, node.func, inside / limit))
        mend = next((m for m in smaller if _largest_tile(m) <= limit), None)
        if mend is None:
            continue
        text = (
            f"A tile of {stage.name}'s loop {plain_name(node.name)} stores {_megabytes(inside)} of intermediate values,"
            f" more than the {_megabytes(subject.machine.l2)} of the second cache."
        )
        yield evidence.finding("cache", stage, text, mend, bytes=inside, cache=subject.machine.l2)


def _tile_bytes(node: LoopTreeNode) -> float:
    """Bytes that live at once in an iteration of a loop."""
    return _live(node.children)


def _live(nodes: list[LoopTreeNode]) -> float:
    return max([(n.bytes if n.kind == "store" else 0) + _live(n.children) for n in nodes], default=0.0)


def _largest_tile(mend: Mend) -> float:
    return max([_tile_bytes(node) for node in mend.execution.root.walk() if node.kind == "loop"], default=0.0)


def _megabytes(count: float) -> str:
    return f"{count / 2**20:.1f} MB" if count >= 2**20 else f"{count / 2**10:.0f} KB"


def memory(evidence: Evidence) -> Iterator[Finding]:
    """Funcs that are stored whole and leave the caches before they are read again."""
    subject = evidence.subject
    last_cache = min(subject.machine.l3, LAST_CACHE_BYTES_PER_THREAD * subject.threads)
    for func, storage in subject.execution.storages.items():
        consumers = evidence.consumers(func)
        if storage.depth or storage.bytes <= last_cache or len(consumers) != 1:
            continue
        consumer = consumers[0]
        rows = [loop for loop in consumer.loops if loop.func == consumer.func and loop.loop == "parallel"]
        mend = mends.computed_in(subject, func, consumer, rows[-1].name) if rows else None
        once = subject.whole.evaluations_of(func)
        if mend is None or mend.execution.evaluations_of(func) > MIN_RECOMPUTATION * once:
            continue
        if mend.execution.storages[func].bytes > USABLE_CACHE * subject.machine.l2:
            continue
        text = (
            f"{func} is {_megabytes(storage.bytes)} large, more than the {_megabytes(last_cache)} of the last cache"
            f" that a run can count on: it goes to memory and comes back for {consumer.name}. In tiles it stays in the"
            " second cache."
        )
        yield evidence.finding("memory", consumer, text, mend, bytes=storage.bytes, cache=last_cache)


def false_sharing(evidence: Evidence) -> Iterator[Finding]:
    """Threads that write to the same lines of memory."""
    for stage in evidence.stages():
        for loop, move in zip(stage.loops, stage.movements, strict=True):
            if loop.loop != "parallel" or move is None or not move or loop.trips < 2:
                continue
            step = abs(move[0]) * stage.bytes_per_point
            if not 0 < step < LINE_BYTES or any(move[1:]):
                continue
            var = plain_name(loop.name)
            text = (
                f"Threads share lines of memory: neighbouring iterations of the parallel loop {var} of {stage.name}"
                f" write {step} bytes apart, and a line has {LINE_BYTES}."
            )
            rows = [o for o, m in zip(stage.loops, stage.movements, strict=True) if m is not None and any(m[1:])]
            words = (
                f"run another loop in parallel: {stage.name}.parallel({plain_name(rows[0].name)})"
                if rows
                else (f"{stage.name}.split({var}, {var}o, {var}i, {LINE_BYTES}).parallel({var}o)")
            )
            yield evidence.finding("false sharing", stage, text, words, bytes=step, line=LINE_BYTES)


def gather(evidence: Evidence) -> Iterator[Finding]:
    """Vectors whose lanes come from places far apart."""
    subject = evidence.subject
    for stage in evidence.stages():
        if stage.lanes < 2:
            continue
        scattered = [a for a in stage.accesses if a.strides is not None and a.lane_step is None]
        scattered += [a for a in stage.accesses if (a.lane_step or 0) > MAX_SHUFFLED_STEP]
        if scattered:
            access = scattered[0]
            assert access.strides is not None
            d = next(k for k, step in enumerate(access.strides) if step and (k or step > MAX_SHUFFLED_STEP))
            vector = next(loop for loop in reversed(stage.loops) if loop.loop == "vectorized")
            var = plain_name(vector.name.rpartition(".")[0] or vector.name)
            text = (
                f"{len(scattered)} of {len(stage.accesses)} loads of {stage.name} are gathers: its lanes run along"
                f" {var}, along which {access.name} is read with a step of {access.strides[d]} in dimension {d}, not"
                " along its rows."
            )
            args = subject.definition.funcs[access.name].args if access.name in subject.definition.funcs else ()
            words = f"vectorize the loop that runs along dimension 0 of {access.name}"
            if args and d < len(args):
                order = [args[d], *[arg for arg in args if arg != args[d]]]
                words += f", or store it in another order: {access.name}.reorder_storage({', '.join(order)})"
            yield evidence.finding("gather", stage, text, words, gathers=len(scattered), loads=len(stage.accesses))
        data = [a for a in stage.accesses if a.strides is None and not _is_table(subject, a.name)]
        if data:
            count = f"{len(data)} of {len(stage.accesses)} loads of {stage.name}"
            text = f"{count} are gathers: where they read depends on values."
            table = f"make {data[0].name} smaller (vectors look up tables of 256 bytes in registers)"
            words = f"{table}, or compute what it holds"
            yield evidence.finding("gather", stage, text, words, gathers=len(data), loads=len(stage.accesses))


def _is_table(subject: Subject, name: str) -> bool:
    """Whether a Func or image is a table of bytes, which vectors look up in registers."""
    storage = subject.execution.storages.get(name)
    return storage is not None and storage.bytes <= 256


def tails(evidence: Evidence) -> Iterator[Finding]:
    """Loops that compute more than is needed, since the extent is no multiple of the factor of a split."""
    subject = evidence.subject
    for stage in evidence.stages():
        if stage.stage or stage.func not in subject.definition.outputs:
            continue
        waste = subject.recomputation(stage.func) - 1
        if waste < MIN_WASTE:
            continue
        better = [m for m in mends.smaller_tiles(subject, stage.func, 2.0)]
        once = subject.whole.evaluations_of(stage.func)
        mend = min(better, key=lambda m: m.execution.evaluations_of(stage.func), default=None)
        if mend is None or mend.execution.evaluations_of(stage.func) / once - 1 > 0.6 * waste:
            continue
        extents = " x ".join([str(extent) for _, extent in subject.sizes.outputs[stage.func]])
        text = (
            f"{waste:.0%} of the points of {stage.func} are computed twice: {extents} is no multiple of the tiles, and"
            " the last tile of a row is moved back so that it ends with it."
        )
        yield evidence.finding("tail", stage, text, mend, waste=waste)


RULES: tuple[Rule, ...] = (
    recomputed,
    inlined,
    scalar,
    serial,
    tasks,
    cache,
    memory,
    false_sharing,
    gather,
    tails,
)
