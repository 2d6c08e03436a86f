"""Schedules of reductions of many values into few elements: sums of parts, held in registers where they fit."""

from __future__ import annotations

from math import prod

from pipec.func.func import Func
from pipec.func.names import numbered_name
from pipec.func.rdom import RVar
from pipec.func.stage import Stage
from pipec.func.var import Var

# Parts for each thread, so that all end at about the same time.
TASKS = 4
# So many sums are held in registers, with room for what is added to them.
REGISTERS = 25
# A private copy of all elements for each thread may cost that many times what atomics for each value would.
COPIES = 2
# A dimension with fewer elements is done together inside of the loops of a scatter.
SHORT = 16
# Where a copy for each thread takes this share of the time, threads rather take dimensions of the elements.
MANY = 8


class Reduction:
    """An associative update: the names and sizes of its loops, innermost first, and of its pure dimensions.

    `fixed`: the pure dimensions of which the size is sure.
    """

    def __init__(
        self,
        stage: Stage,
        names: list[str],
        loops: list[int],
        pure: list[tuple[str, int]],
        lanes: int,
        threads: int,
        fixed: set[str],
    ) -> None:
        self.stage, self.names, self.loops, self.pure = stage, names, loops, pure
        self.lanes, self.threads, self.fixed = lanes, threads, fixed

    def scatter(self, elements: int) -> None:
        """Threads add to elements apart where they are many, else to copies of their own, at last atomically."""
        values = prod(self.loops) * prod(extent for _, extent in self.pure)
        if MANY * elements > values and self.pure and self.pure[-1][1] >= self.threads:
            self.stage.parallel(Var(self.pure[-1][0]))
            self._places_in_vectors(self.stage, self.names[0], self.loops[0])
            return
        if elements * self.threads > COPIES * values:
            self.stage.atomic().parallel(RVar(self.names[-1]))
            return
        parts, part = self._parts(self.threads)
        update = parts.update()
        inner = [Var(name) for name, extent in self.pure if extent <= SHORT]
        outer = [Var(name) for name, extent in self.pure if extent > SHORT]
        near = self._places_in_vectors(update, self.names[0], self.loops[0])
        update.reorder(*near, *inner, *self._loops_of(parts), *outer, part).parallel(part)
        for var in inner:
            if var.name() in self.fixed:
                update.unroll(var)

    def _places_in_vectors(self, stage: Stage, name: str, extent: int) -> list[RVar]:
        """Places and values as vectors along the innermost loop, where it is long enough; the loop over lanes."""
        if extent < self.lanes:
            return []
        inner = RVar()
        stage.atomic().split(RVar(name), RVar(name), inner, self.lanes).vectorize(inner)
        return [inner]

    def factor(self) -> None:
        """Sums of parts of the outermost long loop; inside of one, sums of the lanes of vectors."""
        parts, part = self._parts(TASKS * self.threads) if self.threads > 1 else (None, None)
        stage = self.stage if parts is None else parts.update()
        outside = [Var(name) for name, _ in self.pure]
        if parts is not None and part is not None:
            stage.reorder(*outside, part).parallel(part)
        if self.loops[0] >= 2 * self.lanes and parts is not None and part is not None:
            self._lanes(parts, stage, part)

    def _parts(self, count: int) -> tuple[Func, Var]:
        """The update as sums of parts, each a slice of the longest of the outer loops."""
        loops = self.loops
        at = max(range(len(loops)), key=lambda k: (loops[k] >= count, loops[k] >= self.threads, k))
        far, near, part = RVar(), RVar(), Var(numbered_name("part"))
        chunk = -(-loops[at] // count)
        self.stage.split(RVar(self.names[at]), far, near, chunk)
        self.names[at], loops[at] = near.name(), chunk
        return self.stage.rfactor([(far, part)]).compute_root(), part

    def _lanes(self, parts: Func, stage: Stage, part: Var) -> None:
        """Sums of lanes, for as many elements at once as fit into registers."""
        block, size = [], 1
        for name, extent in self.pure:
            if size * extent > REGISTERS or name not in self.fixed:
                break
            block.append(Var(name))
            size *= extent
        rest = [Var(name) for name, _ in self.pure[len(block) :]]
        first = self._loops_of(parts)[0]
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

    @staticmethod
    def _loops_of(func: Func) -> list[RVar]:
        return [RVar(loop.name) for loop in func.function.stages[1].rvars]
