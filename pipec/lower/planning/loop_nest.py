"""The loop nest of a stage, from its definition and its schedule: loops, lets of split variables, guards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.bounds.conditions import conjuncts, inequalities, likely
from pipec.bounds.exact import MAX_ADDED
from pipec.bounds.interval import Interval
from pipec.bounds.linear import Linear, from_linear
from pipec.bounds.simplify import Simplifier
from pipec.errors import ScheduleError
from pipec.func.functions.definition import FuncDef, StageDef, stage_dims, stage_shape
from pipec.ir import build
from pipec.ir.build import all_of, constant
from pipec.ir.expr import (
    FALSE,
    TRUE,
    Effect,
    Expr,
    ExternValue,
    FuncCall,
    ImageCall,
    Min,
    Undef,
    const,
    variable,
)
from pipec.ir.stmt import LoopKind, Partition
from pipec.ir.tensor import marked
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, substitute
from pipec.lower.planning.clone_per_site import Stage
from pipec.lower.planning.effects import separate_effects
from pipec.lower.planning.extern_stage import box_of_call, loops_around_call
from pipec.lower.planning.names import bound_symbols
from pipec.lower.planning.nest import GuardItem, Item, LetItem, LoopItem, LoopNest, collect_calls
from pipec.lower.planning.versions import Version, versions_of
from pipec.records import dataclass
from pipec.schedule.execution import PartitionLoop, Prefetch
from pipec.schedule.loops import Fuse, Rename
from pipec.schedule.placement import func_schedule
from pipec.schedule.races import loops_in_order, updates_collide
from pipec.schedule.schedule import Loop, Schedule, StageLoops, stage_loops
from pipec.schedule.split import Split, TailStrategy
from pipec.schedule.tensorize import Tensorize, tensor_operands

_GUARDED = {
    TailStrategy.GuardWithIf,
    TailStrategy.Predicate,
    TailStrategy.PredicateLoads,
    TailStrategy.PredicateStores,
    TailStrategy.ShiftInwardsAndBlend,
    TailStrategy.RoundUpAndBlend,
}


@dataclass
class _Span:
    """The minimum and extent of a loop variable, and the effects in their expressions.

    `in_block`: the variable is the inner one of a split, or a part of it: past its end are values of the next block.
    """

    minimum: Expr
    extent: Expr
    effects: tuple[Effect, ...] = ()
    in_block: bool = False

    @property
    def interval(self) -> Interval:
        """All values."""
        return Interval.of_extent(self.minimum, self.extent)

    @property
    def last(self) -> Expr:
        """The last value."""
        return self.interval.ends[1]


def build_nests(
    func: FuncDef,
    number: int,
    schedule: Schedule,
    owners: Mapping[str, Stage],
    exact_tails: bool,
    simplify: Simplifier,
) -> list[LoopNest]:
    """Returns a nest for each version of stage `number`; with `exact_tails` no split exceeds its interval.

    `owners`: for each Func without a compute level the only stage that reads it.
    """
    # Each loop of the program has a name of its own.
    symbols: set[str] = set()
    versions = versions_of(func.stages[number])
    if any(not version.failure for version in versions):
        versions = tuple([version for version in versions if not version.failure])
    # The last version is most like the stage without specialisations, and its loops get the plain names.
    builders = [
        _NestBuilder(func, number, version, schedule, owners, exact_tails, simplify, symbols)
        for version in reversed(versions)
    ]
    if number == 0 and func.extern is not None:
        return [builder.build_extern() for builder in builders][::-1]
    return [builder.build() for builder in builders][::-1]


class _NestBuilder:
    def __init__(
        self,
        func: FuncDef,
        number: int,
        version: Version,
        schedule: Schedule,
        owners: Mapping[str, Stage],
        exact: bool,
        simplify: Simplifier,
        used_symbols: set[str],
    ) -> None:
        self.func = func
        self.number = number
        self.version = version
        self.stage: StageDef = version.stage
        self.exact = exact
        self.simplify = simplify
        self.placement = func_schedule(schedule, func.name)
        self.schedule = schedule
        self.own_producers = {name for name, stage in owners.items() if stage == (func.name, number, version.path)}
        dims = stage_dims(func, number)
        shape = self.shape = stage_shape(func, number, version.path)
        self.loops: StageLoops = stage_loops(schedule, shape.ref, dims)
        self.in_order = loops_in_order(schedule, shape)
        self.atomic = updates_collide(schedule, shape)
        directives = schedule.of_stage(shape.ref)
        self.partitions = {d.var: d.policy for d in directives if isinstance(d, PartitionLoop)}
        self.prefetches = [d for d in directives if isinstance(d, Prefetch)]
        self.spans: dict[str, _Span] = {}
        # Lets and guards; each is placed as soon as the names that it mentions are defined.
        self.waiting: list[LetItem | GuardItem] = []
        # The loops that a guard must be inside of, besides those that its condition mentions.
        self.loops_around: dict[GuardItem, set[str]] = {}
        # The schedule may use a name again (split x into x and xi): each use gets a symbol of its own.
        self.symbols: dict[str, str] = {}
        self.used_symbols = used_symbols
        self.split_later = _split_later(self.loops)
        self.values = {dim.name: variable(self.fresh(dim.name)) for dim in dims}

    def fresh(self, var: str) -> str:
        """Returns a new symbol, which the schedule's name `var` stands for from now on."""
        symbol = stem = f"{self.func.name}.s{self.number}.{var}"
        count = 0
        while symbol in self.used_symbols:
            count += 1
            symbol = f"{stem}.{count}"
        self.used_symbols.add(symbol)
        self.symbols[var] = symbol
        return symbol

    def build_extern(self) -> LoopNest:
        """Returns the nest of an extern stage: the loops around the call of its function."""
        around, inside = loops_around_call(self.func, self.loops)
        self._transform()
        items = self._place(around, [])
        ranges = {self.symbols[loop.name]: self.spans[loop.name].interval for loop in inside}
        box, guards = box_of_call(list(self.values.values()), self.waiting, ranges)
        items += guards
        lows, highs = zip(*[map(self.simplify, interval.ends) for interval in box], strict=True) if box else ((), ())
        nest = LoopNest(self.func.name, self.number, items, tuple(lows), (), TRUE, ends=tuple(highs))
        value = self.stage.values[0]
        assert isinstance(value, ExternValue)
        nest.extern = value
        nest.func_calls = {operand.name: [] for operand in value.operands if isinstance(operand, FuncCall)}
        return self._of_version(nest)

    def build(self) -> LoopNest:
        """Returns the nest."""
        self._transform()
        conditions = []
        for part in conjuncts(self._expr(self.stage.predicate)):
            (condition,), effects = separate_effects([part])
            conditions.append(condition)
            if effects or constant(condition) != 1:
                self._guard(condition, effects)
        items = self._place(self.loops.loops, conditions)
        assert not self.waiting, self.waiting
        count = len(self.stage.args)
        roots, effects = separate_effects([self._expr(e) for e in (*self.stage.args, *self._values())])
        args, values = tuple(roots[:count]), tuple(roots[count:])
        nest = LoopNest(self.func.name, self.number, items, args, values, all_of(conditions))
        nest.effects = effects
        nest.atomic = self.atomic
        collect_calls(nest)
        return self._of_version(nest)

    def _of_version(self, nest: LoopNest) -> LoopNest:
        """Returns the nest with what the version of the stage adds."""
        nest.path, nest.condition = self.version.path, self.version.condition
        nest.assumptions = self.version.assumptions
        nest.runs = FALSE if self.version.failure else self.version.runs
        nest.prefetches = self.prefetches
        return nest

    def _transform(self) -> None:
        """Gives each loop of the schedule a symbol and a span, and each loop that it replaces a let."""
        self._initial_spans()
        for position, transform in enumerate(self.loops.transforms):
            if isinstance(transform, Split):
                self._split(transform, position in self.split_later)
            elif isinstance(transform, Fuse):
                self._fuse(transform, position in self.split_later)
            elif isinstance(transform, Rename):
                self._rename(transform)
        for loop in self.loops.loops:
            if loop.name not in self.spans:
                # Of gpu_single_thread().
                self.spans[loop.name] = _Span(const(0), const(1))
                self.fresh(loop.name)

    def _values(self) -> tuple[Expr, ...]:
        """Returns the values of the stage, marked where a tensor intrinsic computes them."""
        tensorize = next((d for d in self.schedule.of_stage(self.shape.ref) if isinstance(d, Tensorize)), None)
        if tensorize is None:
            return self.stage.values
        intrinsic, operands = tensor_operands(self.schedule, self.shape, tensorize)
        loops = [variable(self.symbols[name]) for name in tensorize.variables]
        return (marked(self.stage.values[0], intrinsic, loops, operands),)

    def _guard(self, condition: Expr, effects: tuple[Effect, ...]) -> None:
        """Adds the guard of a where-condition: after the producers that it reads, inside the loops that change them."""
        guard = GuardItem(condition, effects, speculatable=self._has_elements() and not effects)
        around: set[str] = set()
        nodes = [node for root in (condition, *effects) for node in postorder(root)]
        for name in {node.name for node in nodes if isinstance(node, FuncCall)}:
            level = func_schedule(self.schedule, name).compute
            is_inside = (
                level.func == self.func.name and level.stage in (None, self.number) and level.var in self.symbols
            )
            if name == self.func.name or name in self.own_producers:
                around.update(self.symbols[loop.name] for loop in self.loops.loops)
            elif is_inside:
                around.add(self.symbols[level.var])
            guard.reads_producers |= is_inside or name in self.own_producers
        self.waiting.append(guard)
        self.loops_around[guard] = around

    def _has_elements(self) -> bool:
        """Returns whether each point of the pure dimensions has an element of its own, which has a value."""
        is_initialized = not any(isinstance(value, Undef) for value in self.func.stages[0].values)
        args = zip(self.func.args, self.stage.args, strict=True)
        return is_initialized and all(variable(name) is arg for name, arg in args)

    def _expr(self, e: Expr) -> Expr:
        return self.simplify(substitute(e, self.values))

    def _initial_spans(self) -> None:
        for loop in self.stage.rvars:
            (minimum, extent), effects = separate_effects([self._expr(loop.minimum), self._expr(loop.extent)])
            self.spans[loop.name] = _Span(minimum, extent, effects)
        for name in self.func.args:
            bounds = bound_symbols(self.func, self.placement, self.number, name)
            self.spans[name] = _Span(bounds.ends[0], self.simplify(bounds.extent))

    def _split(self, split: Split, split_later: bool) -> None:
        old_symbol = self.symbols.pop(split.old)
        old = self.spans.pop(split.old)
        factor = self.version.assumptions.apply(self.simplify(split.factor))
        extent = self.simplify(old.extent)
        outer_extent = self.simplify(_rounded_up(extent, factor))
        self.spans[split.outer] = _Span(const(0), outer_extent, old.effects, old.in_block)
        self.spans[split.inner] = _Span(const(0), factor, in_block=True)
        outer, inner = variable(self.fresh(split.outer)), variable(self.fresh(split.inner))
        base = build.add(build.mul(outer, factor), old.minimum)
        tail = self._tail(split.tail, extent, factor, old.in_block)
        last = self.simplify(old.last)
        if tail is TailStrategy.ShiftInwards:
            name = f"{old_symbol}.base"
            self.waiting.append(LetItem(name, self.simplify(Min(base, build.sub(build.add(last, 1), factor)))))
            base = variable(name)
        domain = Interval(old.minimum, last)
        value = LetItem(old_symbol, self.simplify(build.add(base, inner)), domain=domain, factor=factor)
        if split_later:
            # Even where this split comes out even, a split of its parts may take them past their ends.
            value.factor = None
        self.waiting.append(value)
        if tail in _GUARDED:
            value.upper_limit = last
            self.waiting.append(GuardItem(likely(build.le(variable(value.name), last))))

    def _tail(self, tail: TailStrategy, extent: Expr, factor: Expr, in_block: bool) -> TailStrategy:
        """Returns what a split does where `factor` does not divide `extent`."""
        size, step = constant(extent), constant(factor)
        is_constant = size is not None and step is not None and step > 0
        if extent is factor or is_constant and size % step == 0:  # type: ignore[operator]
            return TailStrategy.RoundUp
        if self.exact:
            return TailStrategy.GuardWithIf
        if tail in _GUARDED or not in_block:
            return tail
        # A block computes nothing of the next one: both may run at once, and producers are not computed for it.
        fits = is_constant and step <= size  # type: ignore[operator]
        return TailStrategy.ShiftInwards if fits and self.number == 0 else TailStrategy.GuardWithIf

    def _fuse(self, fuse: Fuse, split_later: bool) -> None:
        inner_symbol, outer_symbol = self.symbols.pop(fuse.inner), self.symbols.pop(fuse.outer)
        inner, outer = self.spans.pop(fuse.inner), self.spans.pop(fuse.outer)
        self._check_product(fuse, inner.extent, outer.extent)
        extent = self.simplify(build.mul(inner.extent, outer.extent))
        self.spans[fuse.fused] = _Span(const(0), extent, outer.effects + inner.effects, outer.in_block)
        fused = variable(self.fresh(fuse.fused))
        for symbol, span, value in (
            (inner_symbol, inner, build.mod(fused, inner.extent)),
            (outer_symbol, outer, build.div(fused, inner.extent)),
        ):
            whole = Interval(span.minimum, self.simplify(span.last))
            # A split of the fused variable may take it past its end, and so the outer one past its own.
            extremes = None if symbol == outer_symbol and split_later else whole
            self.waiting.append(LetItem(symbol, self.simplify(build.add(value, span.minimum)), extremes, domain=whole))

    def _check_product(self, fuse: Fuse, inner: Expr, outer: Expr) -> None:
        """Raises a ScheduleError for constant extents whose product no int32 holds; the program checks others."""
        first, second = build.constant(inner), build.constant(outer)
        if first is not None and second is not None and first * second > INT32.max_value():
            raise ScheduleError(
                f"Error: Loop {fuse.fused} of Func {self.func.name} has {int(first * second)} iterations, more than"
                f" 2^31 - 1. Fuse fewer variables, or split them first. ({self.stage.location})"
            )

    def _rename(self, rename: Rename) -> None:
        symbol = self.symbols.pop(rename.old)
        self.symbols[rename.new] = symbol
        self.spans[rename.new] = self.spans.pop(rename.old)

    def _place(self, loops: Sequence[Loop], conditions: list[Expr]) -> list[Item]:
        """Returns the loops, outermost first, each followed by the lets and guards that need it."""
        items: list[Item] = []
        own = set(self.symbols.values())
        own.update(item.name for item in self.waiting if isinstance(item, LetItem))
        defined: set[str] = set()
        self._place_ready(items, own, defined)
        for inside, loop in reversed(list(enumerate(loops))):
            span = self.spans[loop.name]
            name = self.symbols[loop.name]
            kind = LoopKind.SERIAL if loop.name in self.in_order else loop.kind
            item = LoopItem(name, loop.name, self.simplify(span.minimum), self.simplify(span.extent), kind)
            item.effects = span.effects
            item.partition = self.partitions.get(loop.name, Partition.Auto)
            for condition in conditions:
                _limit(item, condition, own - defined)
            items.append(item)
            defined.add(name)
            # The grid of a kernel is one: conditions come inside of all its loops.
            in_grid = kind is LoopKind.GPU_BLOCK and inside > 0 and loops[inside - 1].kind is LoopKind.GPU_BLOCK
            self._place_ready(items, own, defined, not in_grid)
        return items

    def _place_ready(self, items: list[Item], own: set[str], defined: set[str], guards: bool = True) -> None:
        """Appends the lets, and the guards if `guards` is true, whose own names are all defined."""
        progress = True
        while progress:
            progress = False
            for item in self.waiting:
                if isinstance(item, LetItem) and (free_variables(item.value) & own) <= defined:
                    items.append(item)
                    defined.add(item.name)
                    progress = True
            self.waiting = [item for item in self.waiting if item not in items]
        if not guards:
            return
        ready = [item for item in self.waiting if isinstance(item, GuardItem) and self._needs(item, own) <= defined]
        # What reads a Func comes last: the others may keep the coordinates in its bounds.
        ready.sort(key=lambda guard: (guard.reads_producers, _reads(guard.condition)))
        items += ready
        self.waiting = [item for item in self.waiting if item not in ready]

    def _needs(self, guard: GuardItem, own: set[str]) -> frozenset[str]:
        return (free_variables(guard.condition) & own) | self.loops_around.get(guard, set())


def _split_later(loops: StageLoops) -> set[int]:
    """Returns the positions of the transforms whose results a later split may take past their ends."""
    extents: dict[str, int | float | None] = {}
    uneven: set[int] = set()
    for position, transform in enumerate(loops.transforms):
        if isinstance(transform, Split):
            factor, extent = constant(transform.factor), extents.get(transform.old)
            if not factor or extent is None or extent % factor:
                uneven.add(position)
            extents[transform.outer], extents[transform.inner] = None, factor
        elif isinstance(transform, Rename):
            extents[transform.new] = extents.get(transform.old)
    positions: set[int] = set()
    beyond: set[str] = set()  # the variables that go past their ends, by the names that they have at this point
    for position, transform in reversed(list(enumerate(loops.transforms))):
        reached = not beyond.isdisjoint(transform.results())
        beyond.difference_update(transform.results())
        if reached:
            positions.add(position)
        if isinstance(transform, Split) and (reached or position in uneven):
            beyond.add(transform.old)
        elif isinstance(transform, Rename) and reached:
            beyond.add(transform.old)
        elif isinstance(transform, Fuse) and reached:
            beyond.add(transform.outer)
    return positions


def _reads(e: Expr) -> bool:
    return any(isinstance(node, (FuncCall, ImageCall)) for node in postorder(e))


def _rounded_up(extent: Expr, factor: Expr) -> Expr:
    """A quotient, rounded up: of a large factor, or one that is not known, without a sum that may overflow."""
    size = constant(factor)
    if size is not None and size <= MAX_ADDED:
        return build.div(build.add(extent, build.sub(factor, 1)), factor)
    rest = build.select(build.ne(build.mod(extent, factor), 0), const(1), const(0))
    return build.add(build.div(extent, factor), rest)


def _limit(item: LoopItem, condition: Expr, inner: set[str]) -> None:
    """Adds the bound that a comparison puts on the loop variable in terms of the variables outside it."""
    forms = inequalities(condition)
    if forms is None or len(forms) > 1:
        return
    (form,) = forms
    own = variable(item.name)
    coefficient = form.terms.get(own)
    if coefficient not in (1, -1):
        return
    rest = Linear(form.constant, {atom: c for atom, c in form.terms.items() if atom is not own})
    if any(not free_variables(atom).isdisjoint(inner) for atom in rest.terms):
        return
    if coefficient == 1:
        item.lower_limits.append(from_linear(rest.times(-1), INT32))
    else:
        item.upper_limits.append(from_linear(rest, INT32))
