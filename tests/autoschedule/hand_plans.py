"""The hand schedules of applications as plans: what the space must be able to say."""

from __future__ import annotations

from collections.abc import Callable

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.plan import FULL, INLINED, Nest, Placement, Plan, Site, Where


class Draft:
    """A plan in the making; Funcs go by the names of the program, without what makes them unique."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag
        self.names = {name.partition("$")[0]: name for name in dag.funcs}
        self.placements: dict[str, Placement] = {}

    def site(self, func: str, level: int, stage: int = 0) -> Site:
        return Site(self.names[func], stage, level)

    def root(self, func: str, *nests: Nest) -> None:
        self.placements[self.names[func]] = Placement(Where.ROOT, nests=nests)

    def at(self, func: str, site: Site, *nests: Nest, store: Site | None = None, storage: tuple[int, ...] = ()) -> None:
        self.placements[self.names[func]] = Placement(Where.AT, site, store, nests, storage)

    def plan(self) -> Plan:
        """With all Funcs that were not mentioned inlined."""
        return Plan({**dict.fromkeys(self.dag.funcs, INLINED), **self.placements})


def nest(*tiles, order=None, vector=0, lanes=16, parallel=(), atomic=False) -> Nest:
    order = tuple(range(len(tiles[0]))) if order is None else order
    return Nest(tiles, order, vector, lanes, parallel, atomic)


def blur(plan: Draft) -> None:
    plan.root("blur_y", nest((FULL, 32), (32, 1), lanes=32, parallel=(1,)))
    plan.at("blur_x", plan.site("blur_y", 1), nest((32, 1), lanes=32), store=plan.site("blur_y", 0))


def unsharp(plan: Draft) -> None:
    rows = ((FULL, 32, FULL), (FULL, 1, FULL), (16, 1, 1))
    plan.root("unsharp", nest(*rows, order=(0, 2, 1), parallel=(1,)))
    for name in ("gray", "blur_y", "ratio"):
        plan.at(name, plan.site("unsharp", 1), nest((16, 1)), store=plan.site("unsharp", 0))


def mat_mul(plan: Draft) -> None:
    plan.root("mat_mul", nest((64, FULL), (64, 6), parallel=(0,)))
    plan.at("panel", plan.site("mat_mul", 0), nest((64, 1)))
    plan.at("product", plan.site("mat_mul", 1), nest((64, 6)), nest((64, 6, 1)))


def conv_layer(plan: Draft) -> None:
    plan.root("conv_layer", nest((FULL, FULL, 1), (FULL, 6, 1), parallel=(2,)))
    plan.at("total", plan.site("conv_layer", 1), nest((64, 6, 1)), nest((64, 6, 1, 1, 1, 1)))


def stencil_chain(plan: Draft) -> None:
    for last in (7, 15, 23, 31):
        name = f"stage_{last}" if last < 31 else "stencil_chain"
        plan.root(name, nest((FULL, 128), (FULL, 2), (32, 2), order=(1, 0), lanes=32, parallel=(1,)))
        for k in range(last - 7, last):
            plan.at(f"stage_{k}", plan.site(name, 1), nest((32, 2), lanes=32), store=plan.site(name, 0))
        if last == 7:
            plan.at("padded", plan.site(name, 1), nest((32, 1), lanes=32), store=plan.site(name, 0))


def max_filter(plan: Draft) -> None:
    strips = ((256, 128, 1), (FULL, 1, 1), (16, 1, 1))
    plan.root("max_filter", nest(*strips, parallel=(1, 2)))
    for name in plan.names:
        if name.startswith("level_"):
            plan.at(name, plan.site("max_filter", 1), nest((16, 1, 1)), store=plan.site("max_filter", 0))
        elif name.startswith("slice_"):
            plan.at(name, plan.site("max_filter", 1), nest((16, 1, 1)))


def nl_means(plan: Draft) -> None:
    plan.root("nl_means", nest((256, 64, FULL), (16, 1, FULL), order=(2, 0, 1), parallel=(1,)))
    tile = plan.site("nl_means", 0)
    plan.at("padded", tile, nest((16, 1, 1)))
    update = nest((FULL, FULL, 1, 1), (FULL, 1, 1, 1), (16, 1, 1, 1))
    plan.at("total", tile, nest((16, 1)), update)
    row = plan.site("total", 1, stage=1)
    plan.at("difference", row, nest((16, 1, 1, 1)), store=plan.site("total", 0, stage=1))
    plan.at("down", row, nest((16, 1, 1, 1)))


def iir_blur(plan: Draft) -> None:
    squares = nest((FULL, 64, 1), (16, 16, 1), order=(0, 1, 2), parallel=(1, 2))
    for name in ("first", "second"):
        if name == "first":
            plan.root(name, squares)
        else:
            plan.root(name, squares)
        scan = nest((FULL, FULL, FULL, 1), (16, 1, 1, 1), order=(0, 1, 2, 3))
        plan.at(
            f"blurred_{name}",
            plan.site(name, 0),
            nest((16, 1, 1)),
            nest((16, 1, 1)),
            scan,
            scan,
        )


def camera_pipe(plan: Draft) -> None:
    out = ((FULL, 32, FULL), (FULL, 2, FULL), (64, 1, FULL))
    plan.root("camera_pipe", nest(*out, order=(2, 0, 1), lanes=64, parallel=(1,)))
    plan.root("matrix", nest((4, 1), lanes=4))
    plan.root("curve", nest((1,), vector=None, lanes=1))
    pair, strip = plan.site("camera_pipe", 1), plan.site("camera_pipe", 0)
    plan.at("denoised", pair, nest((32, 1), lanes=32), store=strip)
    plan.at("planes", pair, nest((64, 1, FULL), order=(2, 0, 1), lanes=64), store=strip)
    for name in ("green_at_red", "green_at_blue"):
        plan.at(name, pair, nest((32, 1), lanes=32), store=strip)
    plan.at("curved", pair, nest((64, 2, FULL), order=(2, 0, 1), lanes=64), store=strip)
    tile = plan.site("curved", 0)
    plan.at("corrected", tile, nest((64, 1, FULL), order=(2, 0, 1), lanes=64))
    plan.at("demosaiced", tile, nest((64, 2, FULL), order=(2, 0, 1), lanes=64))
    for colour in ("red", "blue"):
        for place in ("red_row", "blue_row"):
            plan.at(f"{colour}_at_{place}", tile, nest((32, 1), lanes=32))
    for name in ("red_at_blue", "blue_at_red"):
        plan.at(name, tile, nest((32, 1), lanes=32))


def resize(plan: Draft) -> None:
    plan.root("resize", nest((FULL, 16, 1), (16, 16, 1), order=(0, 2, 1), parallel=(1,)))
    channel, square = plan.site("resize", 0), plan.site("resize", 1)
    turned = nest((16, 16, 1), order=(1, 0, 2), vector=1)
    sums = nest((16, 16, 1, 1), order=(1, 0, 3, 2), vector=1)
    plan.at("across", square, turned, sums, storage=(1, 0, 2))
    plan.at("turned", channel, turned, storage=(1, 0, 2))
    plan.at("down", plan.site("turned", 0), nest((16, 16, 1)), nest((16, 16, 1, 1), order=(0, 1, 3, 2)))
    for axis in "xy":
        plan.root(f"weights_{axis}", nest((1, 16), vector=1))
        plan.at(f"total_{axis}", plan.site(f"weights_{axis}", 0), nest((16,)), nest((16, 1)))
    plan.root("begin", nest((16,)))


def bilateral_grid(plan: Draft) -> None:
    plan.root("bilateral_grid", nest((FULL, 8), (FULL, 1), (16, 1), parallel=(1,)))
    strip, row, pixels = (plan.site("bilateral_grid", level) for level in range(3))
    plan.root("blur_x", nest((FULL, FULL, 1), (16, 1, 1), parallel=(2,)))
    plan.at("blur_z", plan.site("blur_x", 0), nest((16, 1, 1)))
    sums = nest((FULL, 1, 1, 1, 1, 1), order=(0, 1, 2, 4, 5, 3), vector=None, lanes=1)
    plan.at("grid", plan.site("blur_x", 0), nest((1, 16, 1, 1), order=(1, 0, 2, 3), vector=1), sums)
    plan.at("blur_y", strip, nest((16, 1, 1)))
    plan.at("row", row, nest((16, 1, 1)))
    plan.at("below", pixels, nest((16, 1)))
    plan.at("near", pixels, nest((4, 1, 1), lanes=4))


HAND_PLANS: dict[str, Callable[[Draft], None]] = {
    make.__name__: make
    for make in (
        blur,
        unsharp,
        mat_mul,
        conv_layer,
        stencil_chain,
        max_filter,
        nl_means,
        iir_blur,
        camera_pipe,
        resize,
        bilateral_grid,
    )
}


def hand_plan(name: str, dag: Dag) -> Plan:
    draft = Draft(dag)
    HAND_PLANS[name](draft)
    return draft.plan()
