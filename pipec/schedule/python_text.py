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
from pipec.schedule.directive import Directive, FuncDirective, StageDirective
from pipec.schedule.fields import OUTERMOST, LevelRef, StageRef
from pipec.schedule.loops import MARK_METHODS, PART_SUFFIXES, Mark, Reorder
from pipec.schedule.rfactor import Rfactor, in_replay_order
from pipec.schedule.schedule import Schedule, version_of
from pipec.schedule.specialize import Specialize
from pipec.schedule.split import Split, automatic_tail

_WIDTH = 110


def to_python(schedule: Schedule) -> str:
    """Statements that make `schedule` when executed with `hl` and the Funcs under the names of `python_names`."""
    return CallWriter(in_replay_order(schedule)).text()


def python_names(names: Iterable[str], reserved: Iterable[str] = ("hl",)) -> dict[str, str]:
    """A Python variable for each name: the name itself where that can be."""
    used = set(reserved)
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


class CallWriter:
    """One rendering of a schedule; the directives ask it how their fields are written."""

    def __init__(self, schedule: Schedule) -> None:
        self.directives = list(schedule.directives)
        # For each directive about a stage the directives of the stage before it: they decide what Auto stands for.
        self._before: dict[int, Schedule] = {}
        # The condition of each specialization.
        self._conditions: dict[StageRef, Expr] = {}
        stages: dict[StageRef, tuple[StageDirective, ...]] = {}
        for at, directive in enumerate(self.directives):
            if isinstance(directive, StageDirective):
                before = stages.get(directive.stage, ())
                self._before[at] = Schedule(before)
                if isinstance(directive, Specialize):
                    version, inherited = version_of(directive, before)
                    self._conditions[version], stages[version] = directive.condition, inherited
                stages[directive.stage] = (*before, directive)
        self._at = 0
        self._reductions = _reductions(schedule)
        levels = [getattr(d, "level", None) for d in self.directives if isinstance(d, FuncDirective)]
        intermediates = [d.intermediate for d in self.directives if isinstance(d, Rfactor)]
        names = [*schedule.funcs(), *[level.func for level in levels if level and level.func], *intermediates]
        self._funcs = python_names(dict.fromkeys(names))
        # Filled while the calls are written; a Var and an RVar of one name are two variables.
        self._variables: dict[tuple[str, bool], str] = {}
        self._parameters: dict[str, str] = {}

    def text(self) -> str:
        """The declarations of variables, then the statements."""
        statements = self._statements()
        lines = [*self._declarations(), *statements]
        return "\n".join(lines) + "\n" if lines else ""

    def _declarations(self) -> list[str]:
        plain = [(n, word) for (n, reduction), word in self._variables.items() if not reduction]
        lines = []
        if len(plain) > 1 and all(re.fullmatch(r"\S+", n) for n, _ in plain):
            # repr, so that no name ends the text.
            lines.append(f"{', '.join(w for _, w in plain)} = hl.vars({_quoted(' '.join(n for n, _ in plain))})")
        else:
            lines += [f"{word} = hl.Var({name!r})" for name, word in plain]
        return lines + [f"{w} = hl.RVar({n!r})" for (n, reduction), w in self._variables.items() if reduction]

    def _statements(self) -> list[str]:
        statements: list[str] = []
        subject, line = "", ""
        while self._at < len(self.directives):
            directive = self.directives[self._at]
            call, count = self._call(directive)
            receiver = self._receiver(directive)
            if receiver != subject or len(line) + len(call) > _WIDTH:
                statements.append(line)
                subject, line = receiver, receiver
            line += call
            self._at += count
            if isinstance(directive, Specialize):
                # What follows on the same line is about the version that specialize returns.
                subject += call
            elif not directive.RETURNS_SUBJECT:
                subject = ""
        return [s for s in [*statements, line] if s]

    def _receiver(self, directive: Directive) -> str:
        subject = directive.subject
        receiver = self.func(subject) if isinstance(subject, str) else self.stage(subject)
        return f"{self.func(directive.intermediate)} = {receiver}" if isinstance(directive, Rfactor) else receiver

    def _call(self, directive: Directive) -> tuple[str, int]:
        """The call for the current directive, and how many directives it stands for."""
        call = (self._tile() or self._split_and_mark()) if isinstance(directive, Split) else None
        return call or (directive.to_call(self), 1)

    def _tile(self) -> tuple[str, int] | None:
        """Two splits and the reorder that tile(...) makes of them."""
        first, second, order = [*self.directives[self._at : self._at + 3], None, None][:3]
        if not (isinstance(first, Split) and isinstance(second, Split) and isinstance(order, Reorder)):
            return None
        stage = first.stage
        tails = self.tail(first), self.tail(second, self._at + 1)
        if (second.stage, order.stage) != (stage, stage) or tails[0] != tails[1]:
            return None
        if order.variables != (first.inner, second.inner, first.outer, second.outer):
            return None
        names = [first.old, second.old, first.outer, second.outer, first.inner, second.inner]
        words = [self.loop(stage, name) for name in names]
        if names[:2] == names[2:4]:
            del words[2:4]
        numbers = [self.expression(first.factor), self.expression(second.factor)]
        return f".tile({', '.join(words + numbers)}{tails[0]})", 3

    def _split_and_mark(self) -> tuple[str, int] | None:
        """The split and mark that vectorize(x, 8), unroll(x, 2) or parallel(x, 4) make."""
        split, mark = [*self.directives[self._at : self._at + 2], None][:2]
        if not (isinstance(split, Split) and isinstance(mark, Mark)) or mark.kind not in PART_SUFFIXES:
            return None
        marked = split.outer if mark.kind is LoopKind.PARALLEL else split.inner
        generated = re.fullmatch(re.escape(f"{split.old}.{PART_SUFFIXES[mark.kind]}") + r"\d*", split.inner)
        if mark.stage != split.stage or split.old != split.outer or mark.var != marked or not generated:
            return None
        word = self.loop(split.stage, split.old)
        return f".{MARK_METHODS[mark.kind]}({word}, {self.expression(split.factor)}{self.tail(split)})", 2

    # Parts of calls, for the `to_call` of directives.

    def tail(self, split: Split, at: int | None = None) -> str:
        """The tail of a split, the current directive or number `at`, as an argument; empty for what Auto gives."""
        reduction = split.old in self._reductions[split.stage]
        before = self._before[self._at if at is None else at]
        if split.tail is automatic_tail(before, split.stage, split.old, reduction, split.factor):
            return ""
        return f", hl.TailStrategy.{split.tail.name}"

    def func(self, name: str) -> str:
        """The variable for a Func or image."""
        return self._funcs.get(name) or python_names([name])[name]

    def stage(self, stage: StageRef) -> str:
        """A Func, an update of it or a specialization of these."""
        if stage.path:
            parent = StageRef(stage.func, stage.stage, stage.path[:-1])
            if stage not in self._conditions:
                raise ScheduleError(
                    f"Error: The schedule has directives for specialization {stage.path[-1]} of {stage}, but gives no"
                    " condition for it."
                )
            return f"{self.stage(parent)}.specialize({self.condition(self._conditions[stage])})"
        word = self.func(stage.func)
        return word if stage.stage == 0 else f"{word}.update({stage.stage - 1})"

    def loop(self, stage: StageRef | str, name: str) -> str:
        """A loop of a stage, as a Var or RVar."""
        return self._declared(name, isinstance(stage, StageRef) and name in self._reductions.get(stage, ()))

    def variable(self, name: str) -> str:
        """A Var."""
        return self._declared(name, False)

    def level(self, level: LevelRef) -> str:
        """The arguments that name a level in the loop nest other than root."""
        if level.is_inlined:
            return "hl.LoopLevel.inlined()"
        reduction = "$" in level.var or any(
            level.var in names for ref, names in self._reductions.items() if ref.func == level.func
        )
        arguments = f"{self.func(level.func)}, {self._declared(level.var, reduction)}"
        return arguments if level.stage is None else f"hl.LoopLevel({arguments}, {level.stage})"

    def _declared(self, name: str, reduction: bool) -> str:
        if name == OUTERMOST:
            return "hl.Var.outermost()"
        key = name, reduction
        if key not in self._variables:
            reserved = ["hl", *self._funcs.values(), *self._variables.values(), *self._parameters.values()]
            self._variables[key] = python_names([name], reserved)[name]
        return self._variables[key]

    def condition(self, e: Expr) -> str:
        """An expression without parentheses around it."""
        text = self.expression(e)
        return text[1:-1] if isinstance(e, Binary) else text

    def expression(self, e: Expr) -> str:
        """An expression of constants, Params and properties of buffers."""
        match e:
            case Const():
                return _constant(e)
            case ParameterRef(name=name):
                return self._parameter(name)
            case nodes.Min(a=a, b=b) | nodes.Max(a=a, b=b):
                return f"hl.{e.SYMBOL}({self.expression(a)}, {self.expression(b)})"
            case nodes.Div(a=a, b=b):
                return f"({self.expression(a)} // {self.expression(b)})"
            case nodes.And(a=a, b=b) | nodes.Or(a=a, b=b):
                return f"({self.expression(a)} {e.SYMBOL[0]} {self.expression(b)})"
            case Binary(a=a, b=b):
                return f"({self.expression(a)} {e.SYMBOL} {self.expression(b)})"
            case nodes.Not(value=value):
                return f"(~{self.expression(value)})"
            case nodes.Cast(type=type_, value=value):
                return f"hl.cast(hl.{type_.code().name}({type_.nbits}), {self.expression(value)})"
            case nodes.Select(condition=condition, true_value=yes, false_value=no):
                return f"hl.select({self.expression(condition)}, {self.expression(yes)}, {self.expression(no)})"
            case Intrinsic(name=name, args=args):
                return f"hl.{name}({', '.join(self.expression(a) for a in args)})"
        return str(e)

    def _parameter(self, name: str) -> str:
        """A Param, or a property of a buffer."""
        match = re.fullmatch(r"(.+)\.(min|extent|stride)\.(\d+)", name)
        if match:
            buffer, what, dimension = match.groups()
            owner = f"{self._funcs[buffer]}.output_buffer()" if buffer in self._funcs else self._argument(buffer)
            return f"{owner}.dim({dimension}).{what}()"
        return self._argument(name)

    def _argument(self, name: str) -> str:
        """A Param or an ImageParam."""
        if name not in self._parameters:
            self._parameters[name] = python_names([name], ["hl", *self._funcs.values()])[name]
        return self._parameters[name]


def _constant(e: Const) -> str:
    if e.type.boolean:
        return str(bool(e.value))
    return repr(e.value) if math.isfinite(e.value) else f'float("{e.value}")'


def _quoted(text: str) -> str:
    """The text as Python, in double quotes where that can be."""
    return f'"{text}"' if re.fullmatch(r"[\w.$ ]*", text, re.ASCII) else repr(text)


def _reductions(schedule: Schedule) -> dict[StageRef, set[str]]:
    """The names of RVars in each stage: those of a reduction domain hold a `$`, the others come from them."""
    reductions: dict[StageRef, set[str]] = {}
    for stage in schedule.scheduled_stages():
        names = reductions.setdefault(stage, set())
        for directive in schedule.of_stage(stage):
            if stage.stage > 0:
                named = {name for name in directive.loops() if "$" in name or name in names}
                names |= named
                if not named.isdisjoint(directive.sources()):
                    names.update(directive.results())
            if isinstance(directive, Rfactor):
                reductions[StageRef(directive.intermediate, 1)] = set(names)
    return reductions
