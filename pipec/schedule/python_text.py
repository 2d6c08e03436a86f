"""Schedules as Python: the calls on Funcs that make them."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Iterable

from pipec.errors import ScheduleError
from pipec.ir import expr as nodes
from pipec.ir.expr import Binary, Const, Expr, Intrinsic, ParameterRef
from pipec.ir.stmt import LoopKind
from pipec.schedule.as_given import as_given
from pipec.schedule.directive import (
    AlignBounds,
    AlignExtent,
    AlignStorage,
    AllowRaces,
    Async,
    Atomic,
    Bound,
    BoundStorage,
    ComputeAt,
    ComputeWith,
    DebugToFile,
    Directive,
    Estimate,
    ExpectBounds,
    FoldStorage,
    Fuse,
    HoistStorage,
    LoopLevel,
    Mark,
    Memoize,
    PartitionLoop,
    Prefetch,
    Rename,
    Reorder,
    ReorderStorage,
    Rfactor,
    RingBuffer,
    SingleThread,
    Specialize,
    SpecializeFail,
    Split,
    StageRef,
    StoreAt,
    StoreIn,
    StreamStores,
    Trace,
    TraceTag,
    Unscheduled,
)
from pipec.schedule.schedule import Schedule, version_of
from pipec.schedule.shape import OUTERMOST
from pipec.schedule.tails import automatic_tail

_WIDTH = 110
_MARKS = {
    LoopKind.PARALLEL: "parallel",
    LoopKind.VECTORIZED: "vectorize",
    LoopKind.UNROLLED: "unroll",
    LoopKind.GPU_BLOCK: "gpu_blocks",
    LoopKind.GPU_THREAD: "gpu_threads",
    LoopKind.GPU_LANE: "gpu_lanes",
}
_SUFFIX = {LoopKind.PARALLEL: "p", LoopKind.VECTORIZED: "v", LoopKind.UNROLLED: "u"}


def to_python(schedule: Schedule) -> str:
    """Statements that make `schedule` when executed with `hl` and the Funcs under the names of `python_names`."""
    return _Writer(as_given(schedule)).text()


def python_names(names: Iterable[str], taken: Iterable[str] = ("hl",)) -> dict[str, str]:
    """A Python variable for each name: the name itself where that can be."""
    used = set(taken)
    result: dict[str, str] = {}
    for name in names:
        word = re.sub(r"\W", "_", name, flags=re.ASCII)
        if not word or word[0].isdigit() or keyword.iskeyword(word):
            word = f"_{word}"
        while word in used:
            word += "_"
        used.add(word)
        result[name] = word
    return result


class _Writer:
    """One rendering of a schedule."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        # Before each split, what was said about its stage: that decides what Auto stands for.
        self.before: dict[int, Schedule] = {}
        # The condition of each specialisation.
        self.conditions: dict[StageRef, Expr] = {}
        stages: dict[StageRef, tuple[Directive, ...]] = {}
        for at, directive in enumerate(schedule.directives):
            stage = getattr(directive, "stage", None)
            if isinstance(stage, StageRef):
                known = stages.get(stage, ())
                self.before[at] = Schedule(known)
                if isinstance(directive, Specialize):
                    version, inherited = version_of(directive, known)
                    self.conditions[version], stages[version] = directive.condition, tuple(inherited)
                stages[stage] = (*known, directive)
        self.reductions = _reductions(schedule)
        levels = [d.level for d in schedule.directives if isinstance(d, ComputeAt | StoreAt | HoistStorage)]
        made = [d.intermediate for d in schedule.directives if isinstance(d, Rfactor)]
        self.funcs = python_names(dict.fromkeys([*schedule.funcs(), *(lv.func for lv in levels if lv.func), *made]))
        # Variables are found while the calls are written; a Var and an RVar of one name are two variables.
        self.variables: dict[tuple[str, bool], str] = {}
        self.parameters: dict[str, str] = {}

    def text(self) -> str:
        statements = self._statements()
        lines = [*self._declarations(), *statements]
        return "\n".join(lines) + "\n" if lines else ""

    def _declarations(self) -> list[str]:
        plain = [(n, word) for (n, reduction), word in self.variables.items() if not reduction and n != OUTERMOST]
        lines = []
        if len(plain) > 1 and all(re.fullmatch(r"\S+", n) for n, _ in plain):
            # repr, so that no name ends the text.
            lines.append(f'{", ".join(w for _, w in plain)} = hl.vars({_quoted(" ".join(n for n, _ in plain))})')
        else:
            lines += [f"{word} = hl.Var({name!r})" for name, word in plain]
        return lines + [f"{w} = hl.RVar({n!r})" for (n, reduction), w in self.variables.items() if reduction]

    def _statements(self) -> list[str]:
        statements: list[str] = []
        subject, line = "", ""
        directives = list(self.schedule.directives)
        at = 0
        while at < len(directives):
            directive = directives[at]
            call, used = self._call(directives, at)
            receiver = self._receiver(directive)
            if isinstance(directive, Rfactor):
                receiver = f"{self.funcs[directive.intermediate]} = {receiver}"
            if receiver != subject or len(line) + len(call) > _WIDTH:
                statements.append(line)
                subject, line = receiver, receiver
            line += call
            at += used
            if isinstance(directive, Specialize | SpecializeFail):
                # What follows on the same line would be about what specialize gives, which is the version.
                subject = subject + call if isinstance(directive, Specialize) else ""
        return [s for s in [*statements, line] if s]

    def _receiver(self, directive: Directive) -> str:
        stage = getattr(directive, "stage", None)
        if stage is None:
            return self.funcs[directive.func]  # type: ignore[attr-defined]
        assert isinstance(stage, StageRef)
        return self._stage(stage)

    def _stage(self, stage: StageRef) -> str:
        if stage.path:
            parent = StageRef(stage.func, stage.stage, stage.path[:-1])
            if stage not in self.conditions:
                raise ScheduleError(
                    f"Error: The schedule has directives for specialization {stage.path[-1]} of {stage}, but gives no"
                    " condition for it."
                )
            return f"{self._stage(parent)}.specialize({self._condition(self.conditions[stage])})"
        word = self._source(stage.func)
        return word if stage.stage == 0 else f"{word}.update({stage.stage - 1})"

    def _call(self, directives: list[Directive], at: int) -> tuple[str, int]:
        """The call for the directive number `at`, and how many directives it stands for."""
        directive = directives[at]
        if isinstance(directive, Split):
            return self._tile(directives, at) or self._split_and_mark(directives, at) or (self._split(directive, at), 1)
        return self._stage_call(directive) or self._storage_call(directive) or self._func_call(directive), 1

    def _tile(self, directives: list[Directive], at: int) -> tuple[str, int] | None:
        """Two splits and the reorder that tile(...) makes of them."""
        first, second, order = [*directives[at : at + 3], None, None][:3]
        if not (isinstance(first, Split) and isinstance(second, Split) and isinstance(order, Reorder)):
            return None
        stage = first.stage
        tails = self._tail(first, at), self._tail(second, at + 1)
        if (second.stage, order.stage) != (stage, stage) or tails[0] != tails[1]:
            return None
        if order.variables != (first.inner, second.inner, first.outer, second.outer):
            return None
        names = [first.old, second.old, first.outer, second.outer, first.inner, second.inner]
        words = [self._variable(stage, name) for name in names]
        if names[:2] == names[2:4]:
            del words[2:4]
        numbers = [self._expr(first.factor), self._expr(second.factor)]
        return f".tile({', '.join(words + numbers)}{tails[0]})", 3

    def _split_and_mark(self, directives: list[Directive], at: int) -> tuple[str, int] | None:
        """The split and mark that vectorize(x, 8), unroll(x, 2) or parallel(x, 4) make."""
        split, mark = [*directives[at : at + 2], None][:2]
        if not (isinstance(split, Split) and isinstance(mark, Mark)) or mark.kind not in _SUFFIX:
            return None
        marked = split.outer if mark.kind is LoopKind.PARALLEL else split.inner
        hidden = re.fullmatch(re.escape(f"{split.old}.{_SUFFIX[mark.kind]}") + r"\d*", split.inner)
        if mark.stage != split.stage or split.old != split.outer or mark.var != marked or not hidden:
            return None
        word = self._variable(split.stage, split.old)
        return f".{_MARKS[mark.kind]}({word}, {self._expr(split.factor)}{self._tail(split, at)})", 2

    def _split(self, split: Split, at: int) -> str:
        words = [self._variable(split.stage, name) for name in (split.old, split.outer, split.inner)]
        return f".split({', '.join(words)}, {self._expr(split.factor)}{self._tail(split, at)})"

    def _tail(self, split: Split, at: int) -> str:
        """The tail as an argument, or nothing when it is what Auto gives."""
        reduction = split.old in self.reductions[split.stage]
        if split.tail is automatic_tail(self.before[at], split.stage, split.old, reduction, split.factor):
            return ""
        return f", hl.TailStrategy.{split.tail.name}"

    def _stage_call(self, directive: Directive) -> str:
        match directive:
            case Fuse(stage=stage, inner=inner, outer=outer, fused=fused):
                return f".fuse({', '.join(self._variable(stage, name) for name in (inner, outer, fused))})"
            case Rename(stage=stage, old=old, new=new):
                return f".rename({self._variable(stage, old)}, {self._variable(stage, new)})"
            case Reorder(stage=stage, variables=variables):
                return f".reorder({', '.join(self._variable(stage, name) for name in variables)})"
            case Mark(stage=stage, var=var, kind=kind):
                return f".{_MARKS.get(kind, 'serial')}({self._variable(stage, var)})"
            case SingleThread():
                return ".gpu_single_thread()"
            case AllowRaces():
                return ".allow_race_conditions()"
            case Rfactor(stage=stage, rvars=rvars, variables=variables):
                pairs = zip(rvars, variables, strict=True)
                words = [f"({self._variable(stage, rvar)}, {self._pure(var)})" for rvar, var in pairs]
                return f".rfactor([{', '.join(words)}])"
            case Unscheduled():
                return ".unscheduled()"
            case ComputeWith():
                return self._compute_with(directive)
            case Specialize(condition=condition):
                return f".specialize({self._condition(condition)})"
            case SpecializeFail(message=message):
                return f".specialize_fail({message!r})"
            case Atomic(override=override):
                return f".atomic({'True' if override else ''})"
            case PartitionLoop(stage=stage, var=var, policy=policy):
                return f".partition({self._variable(stage, var)}, hl.Partition.{policy.name})"
            case Prefetch(stage=stage, source=source, at=at, from_=from_, offset=offset):
                names = self._source(source), self._variable(stage, at), self._variable(stage, from_)
                return f".prefetch({', '.join(names)}, {self._expr(offset)})"
        return ""

    def _func_call(self, directive: Directive) -> str:
        match directive:
            case ComputeAt(level=level):
                return self._place("compute", level)
            case StoreAt(level=level):
                return self._place("store", level)
            case HoistStorage(level=level):
                return self._place("hoist_storage", level)
            case AlignExtent(var=var, modulus=multiple):
                return f".align_extent({self._pure(var)}, {self._expr(multiple)})"
            case Bound(var=var, minimum=None, extent=extent):
                return f".bound_extent({self._pure(var)}, {self._optional(extent)})"
            case Bound(var=var, minimum=minimum, extent=extent):
                return f".bound({self._pure(var)}, {self._optional(minimum)}, {self._optional(extent)})"
            case ExpectBounds(var=var, minimum=low, extent=size):
                return f".expect_bounds({self._pure(var)}, {self._expr(low)}, {self._expr(size)})"
            case AlignBounds(var=var, modulus=modulus, remainder=remainder):
                return f".align_bounds({self._pure(var)}, {modulus}{f', {remainder}' if remainder else ''})"
            case Estimate(var=var, minimum=low, extent=size):
                return f".set_estimate({self._pure(var)}, {self._expr(low)}, {self._expr(size)})"
        return self._observing_call(directive)

    def _observing_call(self, directive: Directive) -> str:
        match directive:
            case Async():
                return ".async_()"
            case Trace(what=what):
                return f".trace_{what.value}()"
            case TraceTag(tag=tag):
                return f".add_trace_tag({tag!r})"
            case Memoize(eviction=eviction):
                return f".memoize({'' if eviction is None else f'hl.EvictionKey({self._expr(eviction)})'})"
            case DebugToFile(path=path):
                return f".debug_to_file({path!r})"
        raise AssertionError(f"no Python form for {directive}")

    def _compute_with(self, directive: ComputeWith) -> str:
        strategies = [(var, "AlignStart") for var in directive.starts] + [(var, "AlignEnd") for var in directive.ends]
        words = [
            (self._variable(directive.stage, var), f"hl.LoopAlignStrategy.{strategy}") for var, strategy in strategies
        ]
        if [var for var, _ in strategies] == [directive.var]:
            align = f", {words[0][1]}"
        else:
            align = f", [{', '.join(f'({var}, {word})' for var, word in words)}]" if words else ""
        var = "hl.Var.outermost()" if directive.var == OUTERMOST else self._variable(directive.stage, directive.var)
        return f".compute_with({self._stage(directive.other)}, {var}{align})"

    def _storage_call(self, directive: Directive) -> str:
        match directive:
            case RingBuffer(extent=extent):
                return f".ring_buffer({self._expr(extent)})"
            case StoreIn(memory=memory):
                return f".store_in(hl.MemoryType.{memory.name})"
            case StreamStores(past_cache=past_cache):
                return f".stream_stores({'' if past_cache else False})"
            case ReorderStorage(variables=variables):
                return f".reorder_storage({', '.join(self._pure(name) for name in variables)})"
            case FoldStorage(var=var, factor=factor, forward=forward):
                return f".fold_storage({self._pure(var)}, {self._expr(factor)}{'' if forward else ', False'})"
            case AlignStorage(var=var, alignment=alignment):
                return f".align_storage({self._pure(var)}, {alignment})"
            case BoundStorage(var=var, extent=extent):
                return f".bound_storage({self._pure(var)}, {self._expr(extent)})"
        return ""

    def _source(self, name: str) -> str:
        return self.funcs.get(name) or python_names([name])[name]

    def _place(self, action: str, level: LoopLevel) -> str:
        if level.is_root:
            return f".{action}_root()"
        if level.is_inlined:
            return f".{action}_inline()"
        func = self.funcs[level.func]
        word = self._level_variable(level)
        method = action if action == "hoist_storage" else f"{action}_at"
        if level.stage is None:
            return f".{method}({func}, {word})"
        return f".{method}(hl.LoopLevel({func}, {word}, {level.stage}))"

    def _level_variable(self, level: LoopLevel) -> str:
        if level.var == OUTERMOST:
            return "hl.Var.outermost()"
        reduction = "$" in level.var or any(
            level.var in names for ref, names in self.reductions.items() if ref.func == level.func
        )
        return self._declared(level.var, reduction)

    def _variable(self, stage: StageRef, name: str) -> str:
        return self._declared(name, name in self.reductions[stage])

    def _pure(self, name: str) -> str:
        return self._declared(name, False)

    def _declared(self, name: str, reduction: bool) -> str:
        key = name, reduction
        if key not in self.variables:
            taken = ["hl", *self.funcs.values(), *self.variables.values(), *self.parameters.values()]
            self.variables[key] = python_names([name], taken)[name]
        return self.variables[key]

    def _condition(self, e: Expr) -> str:
        text = self._expr(e)
        return text[1:-1] if isinstance(e, Binary) else text

    def _optional(self, e: Expr | None) -> str:
        return "None" if e is None else self._expr(e)

    def _expr(self, e: Expr) -> str:
        match e:
            case Const():
                return _constant(e)
            case ParameterRef(name=name):
                return self._parameter(name)
            case nodes.Min(a=a, b=b) | nodes.Max(a=a, b=b):
                return f"hl.{e.SYMBOL}({self._expr(a)}, {self._expr(b)})"
            case nodes.Div(a=a, b=b):
                return f"({self._expr(a)} // {self._expr(b)})"
            case nodes.And(a=a, b=b) | nodes.Or(a=a, b=b):
                return f"({self._expr(a)} {e.SYMBOL[0]} {self._expr(b)})"
            case Binary(a=a, b=b):
                return f"({self._expr(a)} {e.SYMBOL} {self._expr(b)})"
            case nodes.Not(value=value):
                return f"(~{self._expr(value)})"
            case nodes.Cast(type=type_, value=value):
                return f"hl.cast(hl.{type_.code().name}({type_.nbits}), {self._expr(value)})"
            case nodes.Select(condition=condition, true_value=yes, false_value=no):
                return f"hl.select({self._expr(condition)}, {self._expr(yes)}, {self._expr(no)})"
            case Intrinsic(name=name, args=args):
                return f"hl.{name}({', '.join(self._expr(a) for a in args)})"
        return str(e)


    def _parameter(self, name: str) -> str:
        """A Param, or a property of a buffer."""
        found = re.fullmatch(r"(.+)\.(min|extent|stride)\.(\d+)", name)
        if found:
            buffer, what, dimension = found.groups()
            owner = f"{self.funcs[buffer]}.output_buffer()" if buffer in self.funcs else self._argument(buffer)
            return f"{owner}.dim({dimension}).{what}()"
        return self._argument(name)

    def _argument(self, name: str) -> str:
        """A Param or an ImageParam."""
        if name not in self.parameters:
            self.parameters[name] = python_names([name], ["hl", *self.funcs.values()])[name]
        return self.parameters[name]


def _constant(e: Const) -> str:
    if e.type.boolean:
        return str(bool(e.value))
    return repr(e.value) if math.isfinite(e.value) else f'float("{e.value}")'


def _quoted(text: str) -> str:
    """The text as Python, in double quotes where that can be."""
    return f'"{text}"' if re.fullmatch(r"[\w.$ ]*", text, re.ASCII) else repr(text)


def _reductions(schedule: Schedule) -> dict[StageRef, set[str]]:
    """The names of RVars in each stage: those of a reduction domain hold a `$`, the others come from them."""
    found: dict[StageRef, set[str]] = {}
    for stage in schedule.scheduled_stages():
        names = found.setdefault(stage, set())
        for directive in schedule.of_stage(stage):
            if stage.stage > 0:
                names |= _derived(directive, names)
            if isinstance(directive, Rfactor):
                found[StageRef(directive.intermediate, 1)] = set(names)
    return found


def _derived(directive: Directive, known: set[str]) -> set[str]:
    def reduction(name: str) -> bool:
        return "$" in name or name in known

    match directive:
        case Split(old=old, outer=outer, inner=inner):
            return {old, outer, inner} if reduction(old) else set()
        case Fuse(inner=inner, outer=outer, fused=fused):
            sources = {name for name in (inner, outer) if reduction(name)}
            return {*sources, fused} if sources else set()
        case Rename(old=old, new=new):
            return {old, new} if reduction(old) else set()
        case Reorder(variables=variables):
            return {name for name in variables if reduction(name)}
        case Mark(var=var):
            return {var} if reduction(var) else set()
        case Rfactor(rvars=rvars):
            return set(rvars)
    return set()
