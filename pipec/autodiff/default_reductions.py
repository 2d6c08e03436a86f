"""Schedules of reductions of many values into few elements: sums of parts, held in registers where they fit."""

from __future__ import annotations

from math import prod

from pipec.autodiff.default_loops import Dims
from pipec.func.directives.stage import Stage
from pipec.func.functions.func import Func
from pipec.func.functions.names import numbered_name
from pipec.func.functions.rdom import RVar
from pipec.func.functions.var import Var

# Parts for each thread, so that all end at about the same time.
TASKS = 4
# So many sums are held in registers, with room for what is added to them.
REGISTERS = 25
# A private copy of all elements for each thread may cost that many times what atomics for each value would.
COPIES = 2
# All elements of a dimension with at most so many are a vector, when a scatter adds to them at once.
SHORT = 16
# Where a copy for each thread takes this share of the time, threads rather take dimensions of the elements.
MANY = 8


class Reduction:
    """An associative update: the names and sizes of its loops, innermost first, and of its pure dimensions.

    `numbers`: innermost loops over updates that became one, unrolled always; `fixed`: the pure dimensions of which the
    size is sure.
    """

    def __init__(
        self, stage: Stage, loops: Dims, pure: Dims, numbers: Dims, lanes: int, threads: int, fixed: set[str]
    ) -> None:
        self.stage, self.pure, self.numbers = stage, pure, numbers
        self.names, self.loops = [name for name, _ in loops], [extent for _, extent in loops]
        self.lanes, self.threads, self.fixed = lanes, threads, fixed

    def scatter(self, elements: int) -> bool:
        """Threads add to copies of their own, where these are few to elements apart, at last atomically.

        Whether there are copies, so that what is left of the stage adds them up.
        """
        values = prod([*self.loops, *[extent for _, extent in (*self.pure, *self.numbers)]])
        short = next((name for name, extent in self.pure if 1 < extent <= SHORT), None)
        if short is not None and elements * self.threads <= COPIES * values:
            self._across(short)
            return True
        apart = MANY * elements > values and self.pure and self.pure[-1][1] >= self.threads
        if apart or self.threads == 1:
            if self.threads > 1:
                self.stage.parallel(Var(self.pure[-1][0]))
            near = self._places_in_vectors(self.stage, self.names[0], self.loops[0])
            self.stage.reorder(*near, *[RVar(name) for name, _ in self.numbers])
            self.unroll_numbers(self.stage)
            return False
        if elements * self.threads > COPIES * values:
            self.stage.atomic().parallel(RVar(self.names[-1]))
            self.unroll_numbers(self.stage)
            return False
        parts, part = self._parts(self.threads)
        update = parts.update()
        near = self._places_in_vectors(update, self.names[0], self.loops[0])
        update.reorder(*near, *self._loops_of(parts), *[Var(name) for name, _ in self.pure], part).parallel(part)
        self.unroll_numbers(update)
        return True

    def _across(self, short: str) -> None:
        """Vectors along a short dimension, which all values of an iteration share: they are innermost in copies."""
        parts, part = self._parts(self.threads)
        lanes = 1 << (dict(self.pure)[short] - 1).bit_length()
        names = [name for name in parts.function.args if name not in (short, part.name())]
        parts.reorder_storage(Var(short), *map(Var, names), part)
        parts.reorder(Var(short), *map(Var, names), part).vectorize(Var(short), min(self.lanes, lanes))
        update = parts.update()
        outer = [Var(name) for name, _ in self.pure if name != short]
        update.reorder(Var(short), *self._loops_of(parts), *outer, part).vectorize(Var(short), min(self.lanes, lanes))
        if self.threads > 1:
            parts.parallel(part)
            update.parallel(part)
        self.unroll_numbers(update)

    def unroll_numbers(self, stage: Stage) -> None:
        """Write out what became one update, so that what its places and values share is computed once."""
        for name, _ in self.numbers:
            stage.unroll(RVar(name))

    def _places_in_vectors(self, stage: Stage, name: str, extent: int) -> list[RVar]:
        """Places and values as vectors along the innermost loop, where it is long enough; the loop over lanes."""
        if extent < self.lanes:
            return []
        inner = RVar()
        stage.atomic().split(RVar(name), RVar(name), inner, self.lanes).vectorize(inner)
        return [inner]

    def factor(self) -> None:
        """Sums of parts of the outermost long loop; inside of one, sums of the lanes of vectors."""
        parts, part = self._parts(TASKS * self.threads if self.threads > 1 else 1)
        stage = parts.update()
        stage.reorder(*[Var(name) for name, _ in self.pure], part)
        if self.threads > 1:
            stage.parallel(part)
        if self.loops[0] >= 2 * self.lanes:
            stage = self._lanes(parts, stage, part)
        self.unroll_numbers(stage)

    def _parts(self, count: int) -> tuple[Func, Var]:
        """The update as sums of parts, each a slice of the longest of the outer loops."""
        loops = self.loops
        at = max(range(len(loops)), key=lambda k: (loops[k] >= count, loops[k] >= self.threads, k))
        far, near, part = RVar(), RVar(), Var(numbered_name("part"))
        chunk = -(-loops[at] // count)
        self.stage.split(RVar(self.names[at]), far, near, chunk)
        self.names[at], loops[at] = near.name(), chunk
        return self.stage.rfactor([(far, part)]).compute_root(), part

    def _lanes(self, parts: Func, stage: Stage, part: Var) -> Stage:
        """Sums of lanes, for as many elements at once as fit into registers; the stage that does all the work."""
        block, size = [], 1
        for name, extent in self.pure:
            if size * extent > REGISTERS or name not in self.fixed:
                break
            block.append(Var(name))
            size *= extent
        rest = [Var(name) for name, _ in self.pure[len(block) :]]
        first = self._loops_of(parts)[len(self.numbers)]
        inner, outer, lane = RVar(), RVar(), Var(numbered_name("lane"))
        stage.split(first, outer, inner, self.lanes)
        sums = stage.rfactor([(inner, lane)])
        stage.reorder(inner, *block, *rest, part)
        sums.compute_at(parts, rest[0] if rest else part)
        sums.reorder_storage(lane, *[Var(name) for name in sums.function.args if name != lane.name()]).vectorize(lane)
        update = sums.update()
        update.reorder(lane, *block, *self._loops_of(sums)).vectorize(lane)
        for var in block:
            sums.unroll(var)
            update.unroll(var)
        return update

    @staticmethod
    def _loops_of(func: Func) -> list[RVar]:
        return [RVar(loop.name) for loop in func.function.stages[1].rvars]
