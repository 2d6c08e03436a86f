"""Which dimensions of Funcs are required whole where these are computed, whatever tiles are around."""

from __future__ import annotations

from pipec.autoschedule.dag import Access, Dag, StageInfo
from pipec.autoschedule.inlining import Inlining
from pipec.autoschedule.paths import readers
from pipec.autoschedule.plan import FULL, Plan, Site, Where


class WholeDimensions:
    """The answers for one plan."""

    def __init__(self, dag: Dag, plan: Plan, inlining: Inlining) -> None:
        self.dag, self.plan, self.inlining = dag, plan, inlining
        self.inlined = frozenset([name for name in dag.funcs if plan[name].where is Where.INLINE])
        self._known: dict[tuple[str, int, Site], bool] = {}

    def is_required(self, func: str, d: int) -> bool:
        """Whether all of dimension `d` is computed at once, by loops and coordinates that are seen to cover it."""
        site = self.plan[func].compute
        return site is None or (self.plan[func].store is None and self._at(func, d, site))

    def _at(self, func: str, d: int, site: Site) -> bool:
        key = func, d, site
        if key not in self._known:
            self._known[key] = all(
                self._reads_all(load, d, stage, site)
                for reader in readers(self.dag, self.plan, func)
                for stage in (self.inlining.stage(*reader, self.inlined),)
                for load in stage.loads
                if load.name == func
            )
        return self._known[key]

    def _reads_all(self, load: Access, d: int, stage: StageInfo, site: Site) -> bool:
        info, row = self.dag.funcs[load.name], load.jacobian[d]
        if row is not None:
            moving = [j for j, factor in enumerate(row) if factor]
            if len(moving) != 1 or row[moving[0]] != 1 or stage.loops[moving[0]].extent != info.extent[d]:
                return False
        elif load.values and load.low[d] <= info.minimum[d] and load.high[d] >= info.minimum[d] + info.extent[d] - 1:
            moving = list(load.values[d])
        else:
            return False
        return all(self._covers(stage, j, site) for j in moving)

    def _covers(self, stage: StageInfo, loop: int, site: Site) -> bool:
        """Whether one iteration of `site` has all of a stage's loop."""
        if stage.loops[loop].reduction:
            return stage.loops[loop].constant and (stage.func, stage.number) != (site.func, site.stage)
        if (stage.func, stage.number) != (site.func, site.stage):
            return self.plan[stage.func].store is None and self._at(stage.func, loop, site)
        tiles = self.plan[site.func].nests[site.stage].tiles[: site.level + 1]
        return all(tile[loop] == FULL for tile in tiles) and self.is_required(stage.func, loop)
