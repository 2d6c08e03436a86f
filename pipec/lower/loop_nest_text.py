"""The loop nest that a schedule gives, as text in the form of Halide's print_loop_nest."""

from __future__ import annotations

from pipec.bounds.simplify import Simplifier
from pipec.func.functions.definition import PipelineDef, stage_dims
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Expr
from pipec.ir.stmt import (
    GPU_KINDS,
    Allocate,
    Assert,
    AtomicUpdate,
    Block,
    For,
    IfThenElse,
    LetStmt,
    PrefetchLoad,
    ProducerConsumer,
    Provide,
    Realize,
    Report,
    Stmt,
)
from pipec.ir.walk import substitute
from pipec.lower.lower import make_plan
from pipec.lower.planning.build_statement import build_statement
from pipec.lower.planning.nest import LoopItem
from pipec.lower.planning.plan import LoweringPlan
from pipec.schedule.fields import OUTERMOST, StageRef
from pipec.schedule.names import qualified_names
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape


def loop_nest_text(definition: PipelineDef, schedule: Schedule) -> str:
    """Returns the loops, with what is computed, stored and used in them; constant intervals as `in [first, last]`.

    A loop that runs exactly once is left out, unless a GPU runs it.
    """
    plan = make_plan(definition, schedule)
    writer = _Writer(loop_names(plan, schedule), {name: func.original for name, func in plan.funcs.items()})
    writer.moved = _moved_storage(plan)
    writer.write(build_statement(plan)[0], 0)
    return "".join(f"{line}\n" for line in writer.lines)


def loop_names(plan: LoweringPlan, schedule: Schedule) -> dict[str, str]:
    """Returns the displayed name of each loop: the path of names from the Func's own variable."""
    names: dict[str, str] = {}
    for func in plan.funcs.values():
        for nest in func.nests:
            shape = StageShape(StageRef(nest.func, nest.stage, nest.path), stage_dims(func.definition, nest.stage))
            paths = qualified_names(schedule, shape)
            names.update((item.name, paths[item.var]) for item in nest.items if isinstance(item, LoopItem))
            for outer in nest.fused_around():
                if (outer.func, outer.stage) == (nest.func, nest.stage):
                    shared = [item for item in outer.items if isinstance(item, LoopItem)]
                    names.update((item.name, _fused(paths[item.var])) for item in shared)
    return names


def _moved_storage(plan: LoweringPlan) -> dict[str, str]:
    """Returns the Funcs stored inside a version of a stage although the schedule stores them around all versions."""
    moved: dict[str, str] = {}
    for name, func in plan.funcs.items():
        nest = func.store_level.nest
        if nest is not None and nest.runs is not TRUE and func.store_level.position < 0:
            if func.schedule.store.var not in (OUTERMOST, "") and func.store_level != func.compute_level:
                moved[name] = nest.func
    return moved


def _fused(path: str) -> str:
    *origins, name = path.split(".")
    return ".".join([*origins, "fused", name])


class _Writer:
    def __init__(self, names: dict[str, str], funcs: dict[str, str]) -> None:
        self.names = names
        self.funcs = funcs
        self.moved: dict[str, str] = {}
        self.lines: list[str] = []
        self.lets: dict[str, Expr] = {}
        self.simplify = Simplifier()

    def line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def write(self, stmt: Stmt, depth: int) -> None:
        match stmt:
            case LetStmt(name=name, value=value, body=body):
                self.lets[name] = self.resolved(value)
                self.write(body, depth)
            case IfThenElse(then=then, otherwise=otherwise):
                # The versions of a specialized stage in order.
                self.write(then, depth)
                if otherwise is not None:
                    self.write(otherwise, depth)
            case Allocate(body=body) | AtomicUpdate(body=body) | Report(body=body):
                self.write(body, depth)
            case Realize(name=name, body=body):
                if name not in self.moved and not _computed_at_once(body, name):
                    self.line(depth, f"store {self.funcs[name]}:")
                    depth += 1
                self.write(body, depth)
            case Block(stmts=stmts):
                self.sequence(stmts, depth)
            case ProducerConsumer(name=name, body=body):
                # Funcs that the schedule stores around all versions are shown there, not in each version.
                for stored in dict.fromkeys(self.funcs[inner] for inner, outer in self.moved.items() if outer == name):
                    self.line(depth, f"store {stored}:")
                    depth += 1
                self.line(depth, f"produce {self.funcs[name]}:")
                self.write(body, depth + 1)
            case For():
                self.loop(stmt, depth)
            case Provide(name=name):
                self.line(depth, f"{self.funcs[name]}(...) = ...")

    def resolved(self, value: Expr) -> Expr:
        """Returns the value without lets."""
        return self.simplify(substitute(value, self.lets))

    def sequence(self, stmts: tuple[Stmt, ...], depth: int) -> None:
        """Writes statements in order; those after the production of a Func consume it."""
        rest = [stmt for stmt in stmts if not (isinstance(stmt, (Assert, Report)) or _prefetches(stmt))]
        for at, stmt in enumerate(rest):
            self.write(stmt, depth)
            produced = stmt
            while isinstance(produced, ProducerConsumer) and produced.is_producer and at + 1 < len(rest):
                self.line(depth, f"consume {self.funcs[produced.name]}:")
                depth += 1
                produced = produced.body

    def loop(self, loop: For, depth: int) -> None:
        first, extent = constant(self.resolved(loop.minimum)), constant(self.resolved(loop.extent))
        if extent == 1 and loop.kind not in GPU_KINDS:
            self.write(loop.body, depth)
            return
        interval = "" if first is None or extent is None else f" in [{first}, {first + extent - 1}]"
        self.line(depth, f"{loop.kind.value} {self.names.get(loop.name, loop.name)}{interval}:")
        self.write(loop.body, depth + 1)


def _prefetches(stmt: Stmt) -> bool:
    """Returns whether a statement consists of prefetches."""
    while isinstance(stmt, (IfThenElse, For)):
        stmt = stmt.then if isinstance(stmt, IfThenElse) else stmt.body
    return isinstance(stmt, PrefetchLoad) or (isinstance(stmt, Block) and all(map(_prefetches, stmt.stmts)))


def _computed_at_once(body: Stmt, name: str) -> bool:
    """Returns whether no loop is between the storage of a Func and its production."""
    pending: list[Stmt] = [body]
    while pending:
        stmt = pending.pop()
        match stmt:
            case ProducerConsumer(name=produced) if produced == name:
                return True
            case ProducerConsumer(body=ProducerConsumer() as inner):
                pending.append(inner)
            case LetStmt(body=inner) | Realize(body=inner) | Allocate(body=inner) | IfThenElse(then=inner):
                pending.append(inner)
            case Block(stmts=stmts):
                pending.extend(stmts)
    return False
