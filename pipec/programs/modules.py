"""Modules: parts of schedule programs for one Func, and the program that is composed of them for a whole pipeline.

A module is a function of the sampler and a Func. It draws how the Func is computed and applies directives; drawing that
nothing is done is among its options, so that programs can use it everywhere.
"""

from __future__ import annotations

from pipec.func.directives.loop_level import LoopLevel, VarOrRVar
from pipec.func.directives.stage import Stage
from pipec.func.functions.func import Func
from pipec.func.functions.var import Var
from pipec.ir.stmt import LoopKind
from pipec.programs.sampler import Program, Sampler
from pipec.schedule.fields import INLINED, ROOT
from pipec.schedule.schedule import Loop

Scheduled = Func | Stage
MIN_TILED_EXTENT = 16
"""Shorter dimensions are not tiled."""


def sequence(*programs: Program) -> Program:
    """Returns the program that runs some programs one after the other.

    >>> both = hl.programs.sequence(lambda s: s.sample_categorical([1, 2]), hl.programs.standard)
    """

    def program(s: Sampler) -> None:
        for part in programs:
            part(s)

    return program


def compute(s: Sampler, func: Func) -> LoopLevel:
    """Draws where a Func is computed, computes it there, and returns the place. Schedule its consumers before."""
    location = s.sample_location(func)
    func.compute_at(location)
    return location


def tile(s: Sampler, func: Func, levels: int = 1, dimensions: int = 2) -> None:
    """Draws tiles of so many levels for the first dimensions of a Func: sizes, and whether there are any."""
    dims = [arg for arg in func.args() if s.extent(func, arg) >= MIN_TILED_EXTENT][:dimensions]
    if not dims or not s.sample_categorical([True, False], [3, 1], f"tiled {func.name()}"):
        return
    natural = s.natural_lanes(func)
    first = func.args()[0].name()
    sizes = {
        dim.name(): s.sample_tile(func, dim, levels, natural if dim.name() == first else 1, max_inner=256)
        for dim in dims
    }
    inner: list[Var] = []
    for level in range(levels):
        names = [_part(dim, level) for dim in dims]
        for dim, new in zip(dims, names, strict=True):
            func.split(_part(dim, level - 1), _part(dim, level - 1), new, sizes[dim.name()][level])
        inner = names + inner
    untiled = [arg for arg in func.args() if arg.name() not in sizes]
    outer = [_part(dim, level) for level in reversed(range(-1, levels - 1)) for dim in dims]
    func.reorder(*inner[: len(dims)], *untiled, *outer)


def _part(dim: Var, level: int) -> Var:
    """The loop inside so many levels of tiles: the dimension itself outside of all."""
    return dim if level < 0 else Var(f"{dim.name()}_{level + 1}")


def vectorize(s: Sampler, func: Func, stage: int = 0) -> None:
    """Draws how many lanes the innermost pure loop of a stage is vectorized by, in whole vector registers; 1: none."""
    loops = [loop for loop in s.loops(func, stage) if loop.kind is LoopKind.SERIAL]
    pure = [loop for loop in loops if not loop.reduction]
    natural = s.natural_lanes(func)
    if not pure or s.extent(func, func.args()[0]) < 2:
        return
    lanes = s.sample_categorical([natural, 2 * natural, 1], [4, 2, 1], f"lanes {_label(func, stage)}")
    if lanes > 1:
        target = _stage(func, stage)
        innermost = Var(pure[-1].name)
        if loops[-1].reduction:
            target.reorder(innermost, *[_var(loop) for loop in reversed(loops) if loop.reduction])
        target.vectorize(innermost, lanes)


def unroll(s: Sampler, func: Func, stage: int = 0) -> None:
    """Draws how often the innermost loop of a stage that is still serial is unrolled; 1: not at all."""
    serial = [loop for loop in s.loops(func, stage) if loop.kind is LoopKind.SERIAL]
    if len(serial) < 2:
        return
    factor = s.sample_categorical([1, 2, 4, 8], [4, 2, 1, 1], f"unroll {_label(func, stage)}")
    if factor > 1:
        _stage(func, stage).unroll(_var(serial[-1]), factor)


def parallel(s: Sampler, func: Func, stage: int = 0) -> None:
    """Draws whether the outermost loop of a stage, or the two outermost ones together, run on many threads."""
    loops = s.loops(func, stage)
    if not loops or loops[0].reduction or loops[0].kind is not LoopKind.SERIAL:
        return
    both = len(loops) > 2 and not loops[1].reduction and loops[1].kind is LoopKind.SERIAL
    options = ["outermost", *(["two"] if both else []), "none"]
    choice = s.sample_categorical(options, [4, *([1] if both else []), 1], f"parallel {_label(func, stage)}")
    target, outer = _stage(func, stage), Var(loops[0].name)
    if choice == "two":
        target.fuse(Var(loops[1].name), outer, outer)
    if choice != "none":
        target.parallel(outer)


def dot_products(s: Sampler, func: Func, stage: int) -> None:
    """Draws how many iterations of the innermost RVar of an associative update are combined in one vector; 1: none.

    Where a machine has instructions for it, products of small integers that are summed in a larger type become them.
    """
    info = s.stages(func)[stage]
    loops = [loop for loop in s.loops(func, stage) if loop.reduction and loop.kind is LoopKind.SERIAL]
    if not info.atomic or not loops:
        return
    natural = s.natural_lanes(func)
    lanes = s.sample_categorical([1, natural, 4 * natural], [2, 1, 1], f"dot products {_label(func, stage)}")
    if lanes > 1:
        target, innermost = _stage(func, stage), _var(loops[-1])
        target.reorder(innermost, *[_var(loop) for loop in reversed(s.loops(func, stage)) if loop is not loops[-1]])
        target.atomic().vectorize(innermost, lanes)


def standard(s: Sampler) -> None:
    """The program for any pipeline: of each Func, consumers first, the compute level, tiles, vectors and threads."""
    for name, func in s.funcs.items():
        info = s.problem.dag.funcs[name]
        at_root = info.output
        if not info.output:
            level = compute(s, func).level()
            if level == INLINED:
                continue
            at_root = level == ROOT
        if at_root:
            tile(s, func, levels=s.sample_categorical([1, 2], [3, 1], f"levels {name}"))
        vectorize(s, func)
        unroll(s, func)
        if at_root:
            parallel(s, func)
        for stage in range(1, len(info.stages)):
            _update(s, func, stage, at_root)


def _update(s: Sampler, func: Func, stage: int, at_root: bool) -> None:
    loops = s.loops(func, stage)
    if any([not loop.reduction for loop in loops]):
        vectorize(s, func, stage)
        if at_root:
            parallel(s, func, stage)
    else:
        dot_products(s, func, stage)


def _stage(func: Func, stage: int) -> Scheduled:
    return func.update(stage - 1) if stage else func


def _var(loop: Loop) -> VarOrRVar:
    return VarOrRVar(loop.name, loop.reduction)


def _label(func: Func, stage: int) -> str:
    return f"{func.name()}.update({stage - 1})" if stage else func.name()
