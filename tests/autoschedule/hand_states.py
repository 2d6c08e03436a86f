"""The hand schedules of applications as states: what the space must be able to say."""

from __future__ import annotations

from collections.abc import Callable

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import FULL, INLINED, FuncPlacement, Nest, NestLevel, State, Where


class Draft:
    """A state in the making; Funcs go by the names of the program, without what makes them unique."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag
        self.names = {name.partition("$")[0]: name for name in dag.funcs}
        self.placements: dict[str, FuncPlacement] = {}

    def nest_level(self, func: str, level: int, stage: int = 0) -> NestLevel:
        return NestLevel(self.names[func], stage, level)

    def root(self, func: str, *nests: Nest) -> None:
        self.placements[self.names[func]] = FuncPlacement(Where.ROOT, nests=nests)

    def at(
        self,
        func: str,
        nest_level: NestLevel,
        *nests: Nest,
        store: NestLevel | None = None,
        storage: tuple[int, ...] = (),
    ) -> None:
        self.placements[self.names[func]] = FuncPlacement(Where.AT, nest_level, store, nests, storage)

    def state(self) -> State:
        """With all Funcs that were not mentioned inlined."""
        return State({**dict.fromkeys(self.dag.funcs, INLINED), **self.placements})


def nest(*tiles, order=None, vector=0, lanes=16, parallel=(), atomic=False) -> Nest:
    order = tuple(range(len(tiles[0]))) if order is None else order
    return Nest(tiles, order, vector, lanes, parallel, atomic)


def blur(state: Draft) -> None:
    state.root("blur_y", nest((FULL, 32), (32, 1), lanes=32, parallel=(1,)))
    state.at("blur_x", state.nest_level("blur_y", 1), nest((32, 1), lanes=32), store=state.nest_level("blur_y", 0))


def unsharp(state: Draft) -> None:
    rows = ((FULL, 32, FULL), (FULL, 1, FULL), (16, 1, 1))
    state.root("unsharp", nest(*rows, order=(0, 2, 1), parallel=(1,)))
    for name in ("gray", "blur_y", "ratio"):
        state.at(name, state.nest_level("unsharp", 1), nest((16, 1)), store=state.nest_level("unsharp", 0))


def mat_mul(state: Draft) -> None:
    state.root("mat_mul", nest((64, FULL), (64, 6), parallel=(0,)))
    state.at("panel", state.nest_level("mat_mul", 0), nest((64, 1)))
    state.at("product", state.nest_level("mat_mul", 1), nest((64, 6)), nest((64, 6, 1)))


def conv_layer(state: Draft) -> None:
    state.root("conv_layer", nest((FULL, FULL, 1), (FULL, 6, 1), parallel=(2,)))
    state.at("total", state.nest_level("conv_layer", 1), nest((64, 6, 1)), nest((64, 6, 1, 1, 1, 1)))


def stencil_chain(state: Draft) -> None:
    for last in (7, 15, 23, 31):
        name = f"stage_{last}" if last < 31 else "stencil_chain"
        state.root(name, nest((FULL, 128), (FULL, 2), (32, 2), order=(1, 0), lanes=32, parallel=(1,)))
        for k in range(last - 7, last):
            state.at(f"stage_{k}", state.nest_level(name, 1), nest((32, 2), lanes=32), store=state.nest_level(name, 0))
        if last == 7:
            state.at("padded", state.nest_level(name, 1), nest((32, 1), lanes=32), store=state.nest_level(name, 0))


def max_filter(state: Draft) -> None:
    strips = ((256, 128, 1), (FULL, 1, 1), (16, 1, 1))
    state.root("max_filter", nest(*strips, parallel=(1, 2)))
    for name in state.names:
        if name.startswith("level_"):
            state.at(name, state.nest_level("max_filter", 1), nest((16, 1, 1)), store=state.nest_level("max_filter", 0))
        elif name.startswith("slice_"):
            state.at(name, state.nest_level("max_filter", 1), nest((16, 1, 1)))


def nl_means(state: Draft) -> None:
    state.root("nl_means", nest((256, 64, FULL), (16, 1, FULL), order=(2, 0, 1), parallel=(1,)))
    tile = state.nest_level("nl_means", 0)
    state.at("padded", tile, nest((16, 1, 1)))
    update = nest((FULL, FULL, 1, 1), (FULL, 1, 1, 1), (16, 1, 1, 1))
    state.at("total", tile, nest((16, 1)), update)
    row = state.nest_level("total", 1, stage=1)
    state.at("difference", row, nest((16, 1, 1, 1)), store=state.nest_level("total", 0, stage=1))
    state.at("down", row, nest((16, 1, 1, 1)))


def iir_blur(state: Draft) -> None:
    squares = nest((FULL, 64, 1), (16, 16, 1), order=(0, 1, 2), parallel=(1, 2))
    for name in ("first", "second"):
        if name == "first":
            state.root(name, squares)
        else:
            state.root(name, squares)
        scan = nest((FULL, FULL, FULL, 1), (16, 1, 1, 1), order=(0, 1, 2, 3))
        state.at(
            f"blurred_{name}",
            state.nest_level(name, 0),
            nest((16, 1, 1)),
            nest((16, 1, 1)),
            scan,
            scan,
        )


def camera_pipe(state: Draft) -> None:
    out = ((FULL, 32, FULL), (FULL, 2, FULL), (64, 1, FULL))
    state.root("camera_pipe", nest(*out, order=(2, 0, 1), lanes=64, parallel=(1,)))
    state.root("matrix", nest((4, 1), lanes=4))
    state.root("curve", nest((1,), vector=None, lanes=1))
    pair, strip = state.nest_level("camera_pipe", 1), state.nest_level("camera_pipe", 0)
    state.at("denoised", pair, nest((32, 1), lanes=32), store=strip)
    state.at("planes", pair, nest((64, 1, FULL), order=(2, 0, 1), lanes=64), store=strip)
    for name in ("green_at_red", "green_at_blue"):
        state.at(name, pair, nest((32, 1), lanes=32), store=strip)
    state.at("curved", pair, nest((64, 2, FULL), order=(2, 0, 1), lanes=64), store=strip)
    tile = state.nest_level("curved", 0)
    state.at("corrected", tile, nest((64, 1, FULL), order=(2, 0, 1), lanes=64))
    state.at("demosaiced", tile, nest((64, 2, FULL), order=(2, 0, 1), lanes=64))
    for colour in ("red", "blue"):
        for place in ("red_row", "blue_row"):
            state.at(f"{colour}_at_{place}", tile, nest((32, 1), lanes=32))
    for name in ("red_at_blue", "blue_at_red"):
        state.at(name, tile, nest((32, 1), lanes=32))


def resize(state: Draft) -> None:
    state.root("resize", nest((FULL, 16, 1), (16, 16, 1), order=(0, 2, 1), parallel=(1,)))
    channel, square = state.nest_level("resize", 0), state.nest_level("resize", 1)
    turned = nest((16, 16, 1), order=(1, 0, 2), vector=1)
    sums = nest((16, 16, 1, 1), order=(1, 0, 3, 2), vector=1)
    state.at("across", square, turned, sums, storage=(1, 0, 2))
    state.at("turned", channel, turned, storage=(1, 0, 2))
    state.at("down", state.nest_level("turned", 0), nest((16, 16, 1)), nest((16, 16, 1, 1), order=(0, 1, 3, 2)))
    for axis in "xy":
        state.root(f"weights_{axis}", nest((1, 16), vector=1))
        state.at(f"total_{axis}", state.nest_level(f"weights_{axis}", 0), nest((16,)), nest((16, 1)))
    state.root("begin", nest((16,)))


def bilateral_grid(state: Draft) -> None:
    state.root("bilateral_grid", nest((FULL, 8), (FULL, 1), (16, 1), parallel=(1,)))
    strip, row, pixels = (state.nest_level("bilateral_grid", level) for level in range(3))
    state.root("blur_x", nest((FULL, FULL, 1), (16, 1, 1), parallel=(2,)))
    state.at("blur_z", state.nest_level("blur_x", 0), nest((16, 1, 1)))
    sums = nest((FULL, 1, 1, 1, 1, 1), order=(0, 1, 2, 4, 5, 3), vector=None, lanes=1)
    state.at("grid", state.nest_level("blur_x", 0), nest((1, 16, 1, 1), order=(1, 0, 2, 3), vector=1), sums)
    state.at("blur_y", strip, nest((16, 1, 1)))
    state.at("row", row, nest((16, 1, 1)))
    state.at("below", pixels, nest((16, 1)))
    state.at("near", pixels, nest((4, 1, 1), lanes=4))


HAND_STATES: dict[str, Callable[[Draft], None]] = {
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


def hand_state(name: str, dag: Dag) -> State:
    draft = Draft(dag)
    HAND_STATES[name](draft)
    return draft.state()
