"""The space of plans for CPUs."""

from __future__ import annotations

from pipec.autoschedule.dag.dag import StageInfo
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.space.cpu import moves, strips
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.edits import placed
from pipec.autoschedule.space.plan import Placement, Plan
from pipec.autoschedule.space.space import Choice, Space
from pipec.schedule.schedule import Schedule


class CpuSpace(Space):
    """Loops, vectors and threads of a CPU."""

    def start(self) -> Plan:
        return fallback(self.dag)

    def children(self, plan: Plan, func: str) -> list[Plan]:
        return moves.children(self.dag, plan, func)

    def neighbours(self, plan: Plan, func: str) -> list[Plan]:
        return moves.neighbours(self.dag, plan, func)

    def placed(self, plan: Plan, func: str, placement: Placement) -> Plan:
        return placed(self.dag, plan, func, placement)

    def emit(self, plan: Plan) -> Schedule:
        return emit(self.dag, plan)

    def problems(self, plan: Plan) -> list[str]:
        return problems(self.dag, plan)

    def targets(self) -> list[StageInfo]:
        return strips.targets(self.dag)

    def choices(self, stage: StageInfo) -> list[Choice]:
        return strips.choices(self.dag, stage)
