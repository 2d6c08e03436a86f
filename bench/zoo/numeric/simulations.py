"""Simulations: time steps of physics, chemistry and cells on grids."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np
from scipy.ndimage import convolve, correlate1d, laplace

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, pictures, total

HEAT_STEPS, DIFFUSION = 5, 0.12


def build_heat(hl: ModuleType) -> Algorithm:
    """Steps of the heat equation in a volume that loses no heat, with constant sources."""
    start, source = (hl.ImageParam(hl.Float(32), 3, name) for name in ("start", "source"))
    stages, args = Stages(hl), hl.vars("x y z")
    bounds = [(0, start.dim(k).extent()) for k in range(3)]
    heat = start
    for step in range(HEAT_STEPS):
        edges = hl.BoundaryConditions.repeat_edge(heat, bounds)
        around = [
            edges[tuple(arg + d if k == axis else arg for k, arg in enumerate(args))]
            for axis in range(3)
            for d in (-1, 1)
        ]
        value = heat[args] + hl.f32(DIFFUSION) * (total(around) - 6.0 * heat[args]) + source[args]
        heat = stages.define(f"heat_{step}", args, value)
    return Algorithm(heat, {"start": start, "source": source}, stages=stages)


def heat_inputs(size: Sizes) -> dict[str, Array]:
    start = noise(size[::-1], np.float32, 0, 1)
    return {"start": start, "source": noise(size[::-1], np.float32, -0.02, 0.02, seed=1)}


def heat(images: Mapping[str, Array]) -> Array:
    values = images["start"].astype(np.float64)
    for _ in range(HEAT_STEPS):
        values = values + DIFFUSION * laplace(values, mode="nearest") + images["source"]
    return values.astype(np.float32)


WAVE_STEPS = 6
SECOND = (-1 / 12, 4 / 3, -5 / 2, 4 / 3, -1 / 12)  # derivative of fourth order


def build_wave(hl: ModuleType) -> Algorithm:
    """Leapfrog steps of the wave equation with a speed for each place and a damping border."""
    now, before, speed = (hl.ImageParam(hl.Float(64), 2, name) for name in ("now", "before", "speed"))
    stages, (x, y) = Stages(hl), hl.vars("x y")
    bounds = [(0, now.width()), (0, now.height())]
    border = hl.min(x, y, now.width() - 1 - x, now.height() - 1 - y)
    away = hl.f64(hl.max(20 - border, 0)) * hl.f64(0.01)
    damping = stages.define("damping", (x, y), hl.exp(-away * away))
    past, present = before, now
    for step in range(WAVE_STEPS):
        around = hl.BoundaryConditions.constant_exterior(present, hl.f64(0), bounds)
        curvature = total(
            [hl.f64(w) * (around[x + k, y] + around[x, y + k]) for k, w in zip(range(-2, 3), SECOND, strict=True)]
        )
        value = present[x, y] * hl.f64(2) - past[x, y] * damping[x, y] + speed[x, y] * curvature
        past, present = present, stages.define(f"wave_{step}", (x, y), value * damping[x, y])
    return Algorithm(present, {"now": now, "before": before, "speed": speed}, stages=stages)


def wave_inputs(size: Sizes) -> dict[str, Array]:
    images = pictures(np.float64, -1, 1, "now", "before")(size)
    return {**images, "speed": noise(size[::-1], np.float64, 0.05, 0.3, seed=2)}


def wave(images: Mapping[str, Array]) -> Array:
    past, present = images["before"], images["now"]
    y, x = (np.minimum(np.arange(n), np.arange(n)[::-1]) for n in present.shape)
    damping = np.exp(-((np.maximum(20 - np.minimum(y[:, None], x), 0) * 0.01) ** 2))
    for _ in range(WAVE_STEPS):
        curvature = sum(correlate1d(present, SECOND, axis, mode="constant") for axis in (0, 1))
        past, present = present, (2 * present - past * damping + images["speed"] * curvature) * damping
    return present


FEED, KILL, FAST, SLOW, REACTIONS = 0.037, 0.06, 0.2, 0.1, 6


def build_gray_scott(hl: ModuleType) -> Algorithm:
    """Two substances that react and diffuse at different speeds on a torus; the second one after some steps."""
    first, second = (hl.ImageParam(hl.Float(32), 2, name) for name in ("first", "second"))
    stages, (x, y) = Stages(hl), hl.vars("x y")
    bounds = [(0, first.width()), (0, first.height())]
    state = stages.define("start", (x, y), (first[x, y], second[x, y]))
    for step in range(REACTIONS):
        around = hl.BoundaryConditions.repeat_image(state, bounds)
        curvatures = [total([around[x + dx, y + dy][k] for dx, dy in CROSS]) - 4.0 * state[x, y][k] for k in (0, 1)]
        u, v = state[x, y][0], state[x, y][1]
        reaction = u * v * v
        u_next = u + hl.f32(FAST) * curvatures[0] - reaction + hl.f32(FEED) * (1.0 - u)
        v_next = v + hl.f32(SLOW) * curvatures[1] + reaction - hl.f32(FEED + KILL) * v
        state = stages.define(f"state_{step}", (x, y), (u_next, v_next))
    output = stages.define("output", (x, y), state[x, y][1])
    return Algorithm(output, {"first": first, "second": second}, stages=stages)


CROSS = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def gray_scott(images: Mapping[str, Array]) -> Array:
    u, v = (images[name].astype(np.float64) for name in ("first", "second"))
    for _ in range(REACTIONS):
        reaction = u * v**2
        u, v = (
            u + FAST * laplace(u, mode="wrap") - reaction + FEED * (1 - u),
            v + SLOW * laplace(v, mode="wrap") + reaction - (FEED + KILL) * v,
        )
    return v.astype(np.float32)


GENERATIONS = 8


def build_life(hl: ModuleType) -> Algorithm:
    """Conway's cells on a torus: columns of three are added, then rows of three."""
    start = hl.ImageParam(hl.UInt(8), 2, "start")
    stages, (x, y) = Stages(hl), hl.vars("x y")
    cells, bounds = start, [(0, start.width()), (0, start.height())]
    for k in range(GENERATIONS):
        around = hl.BoundaryConditions.repeat_image(cells, bounds)
        column = stages.define(f"column_{k}", (x, y), around[x, y - 1] + around[x, y] + around[x, y + 1])
        count = column[x - 1, y] + column[x, y] + column[x + 1, y]
        alive = (count == 3) | ((count == 4) & (around[x, y] == 1))
        cells = stages.define(f"cells_{k}", (x, y), hl.select(alive, hl.u8(1), hl.u8(0)))
    return Algorithm(cells, {"start": start}, stages=stages)


def life(images: Mapping[str, Array]) -> Array:
    cells, ring = images["start"], np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    for _ in range(GENERATIONS):
        count = convolve(cells, ring, mode="wrap")
        cells = ((count == 3) | ((count == 2) & (cells == 1))).astype(np.uint8)
    return cells


VELOCITIES = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
SHARES = [4 / 9, *[1 / 9] * 4, *[1 / 36] * 4]
COLLISION, FLUID_STEPS = 1.2, 3


def build_lattice_boltzmann(hl: ModuleType) -> Algorithm:
    """A fluid on a torus as nine populations (x, y, velocity): each moves, then all of a place tend to equilibrium."""
    start = hl.ImageParam(hl.Float(32), 3, "start")
    stages, (x, y, q) = Stages(hl), hl.vars("x y q")
    bounds = [(0, start.width()), (0, start.height()), (hl.Expr(), hl.Expr())]
    populations = start
    for step in range(FLUID_STEPS):
        around = hl.BoundaryConditions.repeat_image(populations, bounds)
        moved = [around[x - vx, y - vy, k] for k, (vx, vy) in enumerate(VELOCITIES)]
        streamed = stages.define(f"streamed_{step}", (x, y, q), hl.mux(q, moved))
        here = [streamed[x, y, k] for k in range(len(VELOCITIES))]
        density = total(here)
        flow = [total([p * v[axis] for p, v in zip(here, VELOCITIES, strict=True) if v[axis]]) for axis in (0, 1)]
        moments = stages.define(f"moments_{step}", (x, y), (density, flow[0] / density, flow[1] / density))
        rho, ux, uy = (moments[x, y][k] for k in range(3))
        along = hl.mux(q, [vx * ux + vy * uy for vx, vy in VELOCITIES]) * 3.0
        equilibrium = hl.mux(q, [hl.f32(share) for share in SHARES]) * rho
        equilibrium *= 1.0 + along + 0.5 * along * along - 1.5 * (ux * ux + uy * uy)
        value = streamed[x, y, q] + hl.f32(COLLISION) * (equilibrium - streamed[x, y, q])
        populations = stages.define(f"populations_{step}", (x, y, q), value)
    return Algorithm(populations, {"start": start}, stages=stages)


def lattice_inputs(size: Sizes) -> dict[str, Array]:
    shares = np.array(SHARES, np.float32)[:, None, None]
    return {"start": shares * noise(size[::-1], np.float32, 0.8, 1.2)}


def lattice_boltzmann(images: Mapping[str, Array]) -> Array:
    populations, velocities = images["start"].astype(np.float64), np.array(VELOCITIES)
    shares = np.array(SHARES)[:, None, None]
    for _ in range(FLUID_STEPS):
        populations = np.stack([np.roll(p, v[::-1], (0, 1)) for p, v in zip(populations, VELOCITIES, strict=True)])
        density = populations.sum(axis=0)
        flow = np.einsum("qd,qyx->dyx", velocities, populations) / density
        along = 3 * np.einsum("qd,dyx->qyx", velocities, flow)
        equilibrium = shares * density * (1 + along + along**2 / 2 - 1.5 * (flow**2).sum(axis=0))
        populations = populations + COLLISION * (equilibrium - populations)
    return populations.astype(np.float32)


def cells(size: Sizes) -> dict[str, Array]:
    return {"start": np.random.default_rng(0).integers(0, 2, size[::-1], np.uint8)}


ENTRIES = (
    Entry(
        name="heat",
        kind="simulation",
        source="the seven-point stencil of the heat equation, as in Pochoir and Devito",
        build=build_heat,
        inputs=heat_inputs,
        reference=heat,
        bench_size=(192, 192, 160),
        test_size=(37, 23, 19),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="wave",
        kind="simulation",
        source="Devito's acoustic wave propagator, fourth order in space",
        build=build_wave,
        inputs=wave_inputs,
        reference=wave,
        bench_size=(1200, 1000),
        test_size=(93, 77),
        tolerance=1e-9,
    ),
    Entry(
        name="gray_scott",
        kind="simulation",
        source="Pearson, Complex patterns in a simple system, 1993",
        build=build_gray_scott,
        inputs=pictures(np.float32, 0, 0.8, "first", "second"),
        reference=gray_scott,
        bench_size=(1024, 1024),
        test_size=(93, 77),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="life",
        kind="simulation",
        source="Gardner, The fantastic combinations of John Conway's new solitaire game life, 1970",
        build=build_life,
        inputs=cells,
        reference=life,
        bench_size=(4096, 3000),
        test_size=(93, 77),
    ),
    Entry(
        name="lattice_boltzmann",
        kind="simulation",
        source="Qian, d'Humieres and Lallemand, Lattice BGK models for Navier-Stokes equation, 1992: D2Q9",
        build=build_lattice_boltzmann,
        inputs=lattice_inputs,
        reference=lattice_boltzmann,
        bench_size=(512, 384, 9),
        test_size=(45, 37, 9),
        tolerance=1e-4,
    ),
)
