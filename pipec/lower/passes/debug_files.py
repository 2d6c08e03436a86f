"""debug_to_file: Reports of where the elements of a Func are, once all of it has been computed.

produce f { f(x) = x }  -->  produce f { f(x) = x; report (f.min, f.extent, address of f(f.min), ...) }
"""

from __future__ import annotations

from pipec.errors import NotSupportedError, ScheduleError
from pipec.ir import build
from pipec.ir.build import block
from pipec.ir.expr import TRUE, Expr, FuncCall, Intrinsic
from pipec.ir.program import Notice
from pipec.ir.stmt import ProducerConsumer, Realize, Report, Stmt
from pipec.ir.types import INT32, UInt
from pipec.lower.passes.tracing import produced_box
from pipec.lower.planning.names import buffer_symbol
from pipec.lower.planning.plan import FuncPlan, LoweringPlan
from pipec.lower.statements import map_statements
from pipec.schedule.observation import DebugToFile

_ADDRESS = UInt(64)


def with_debug_files(stmt: Stmt, plan: LoweringPlan, notices: list[Notice]) -> Stmt:
    """The statement of a whole plan with these Reports; their meanings are appended to `notices`."""
    if not any(DebugToFile in func.schedule for func in plan.funcs.values()):
        return stmt
    return _Writer(plan, notices).statement(stmt)


class _Writer:
    def __init__(self, plan: LoweringPlan, notices: list[Notice]) -> None:
        self.plan, self.notices = plan, notices
        self.boxes: dict[str, list[tuple[Expr, Expr]]] = {}

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Realize):
            self.boxes[stmt.name] = list(stmt.bounds)
        if isinstance(stmt, ProducerConsumer):
            func = self.plan.funcs[stmt.name]
            if file := func.schedule.last(DebugToFile):
                body = block([self.statement(stmt.body), self.report(func, file.path)])
                return ProducerConsumer(stmt.name, stmt.is_producer, body)
        return map_statements(stmt, self.statement)

    def report(self, func: FuncPlan, path: str) -> Stmt:
        name = func.definition.name
        if len(func.definition.types) > 1:
            raise ScheduleError(
                f"Error: debug_to_file doesn't handle functions with multiple values yet: Func {name} is a Tuple. "
                "Write each element through a Func of its own."
            )
        (kind,) = func.definition.types
        if kind.is_bfloat() or (kind.floating and kind.nbits == 16 and not path.endswith(".npy")):
            raise NotSupportedError(
                f"Error: Func {name} of type {kind} cannot be written to {path}. Cast it to float32."
            )
        box = self.box(func)
        corner = [low for low, _ in box]
        points = [corner]
        for d in range(len(box)):
            points.append([build.add(low, 1) if d == other else low for other, low in enumerate(corner)])
        calls = [FuncCall(kind, name, tuple(point), 0, None) for point in points]
        values = [part for pair in box for part in pair]
        values += [Intrinsic(_ADDRESS, "address_of", (call,)) for call in calls]
        facts = {"func": name, "path": path, "dimensions": str(len(box)), "type": f"{kind.code().value} {kind.nbits}"}
        types = [INT32] * (2 * len(box)) + [_ADDRESS] * len(calls)
        self.notices.append(Notice("file", tuple(types), tuple(facts.items())))
        return Report(len(self.notices) - 1, tuple(values), TRUE, "", build.NOTHING)

    def box(self, func: FuncPlan) -> list[tuple[Expr, Expr]]:
        """Minimum and extent of what has been computed, in each dimension."""
        name, args = func.definition.name, func.definition.args
        if func.is_output:
            return [(buffer_symbol(name, "min", d), buffer_symbol(name, "extent", d)) for d in range(len(args))]
        if func.store_level == func.compute_level:
            return self.boxes[name]
        return produced_box(self.plan, func)
