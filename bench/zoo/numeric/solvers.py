"""Iterative solvers: systems of equations, deconvolution and optimal transport."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from scipy.ndimage import correlate1d, laplace, zoom

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.numeric.layers import reduced
from bench.zoo.pieces import Stages, pictures, repeat_edge, total

STAR = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def star(image: Any, x: Any, y: Any) -> Any:
    """The sum of the four neighbours."""
    return total([image[x + dx, y + dy] for dx, dy in STAR])


def zero_outside(hl: ModuleType, func: Any, width: Any, height: Any, kind: Any) -> Any:
    return hl.BoundaryConditions.constant_exterior(func, hl.cast(kind, 0), [(0, width), (0, height)])


CLONE_STEPS = 12


def build_poisson_clone(hl: ModuleType) -> Algorithm:
    """Where the mask is set, the picture whose differences are the source's and that fits the target around."""
    target, source = (hl.ImageParam(hl.Float(32), 2, name) for name in ("target", "source"))
    mask = hl.ImageParam(hl.UInt(8), 2, "mask")
    stages, (x, y) = Stages(hl), hl.vars("x y")
    size = target.width(), target.height()
    edges = repeat_edge(hl, source, *size)
    guidance = stages.define("guidance", (x, y), 4.0 * edges[x, y] - star(edges, x, y))
    image = target
    for k in range(CLONE_STEPS):
        mean = (star(repeat_edge(hl, image, *size), x, y) + guidance[x, y]) * 0.25
        image = stages.define(f"step_{k}", (x, y), hl.select(mask[x, y] > 127, mean, target[x, y]))
    return Algorithm(image, {"target": target, "source": source, "mask": mask}, stages=stages)


def clone_inputs(size: Sizes) -> dict[str, Array]:
    images = pictures(np.float32, 0, 1, "target", "source")(size)
    return {**images, "mask": noise(size[::-1], np.uint8, 0, 255, seed=2)}


def poisson_clone(images: Mapping[str, Array]) -> Array:
    target, inside = images["target"].astype(np.float64), images["mask"] > 127
    guidance, image = -laplace(images["source"].astype(np.float64), mode="nearest"), target
    for _ in range(CLONE_STEPS):
        image = np.where(inside, image + (laplace(image, mode="nearest") + guidance) / 4, target)
    return image.astype(np.float32)


VOLUME_STEPS, SMOOTHING = 4, 2 / 3


def build_variable_poisson(hl: ModuleType) -> Algorithm:
    """Weighted Jacobi steps for a volume whose conductivity varies; the value is zero outside."""
    guess, force, conductivity = (hl.ImageParam(hl.Float(64), 3, n) for n in ("guess", "force", "conductivity"))
    stages, args = Stages(hl), hl.vars("x y z")
    bounds = [(0, guess.dim(k).extent()) for k in range(3)]
    edges = hl.BoundaryConditions.repeat_edge(conductivity)

    def moved(func: Any, axis: int, step: int) -> Any:
        return func[tuple(arg + step if k == axis else arg for k, arg in enumerate(args))]

    faces = [
        stages.define(f"face_{'xyz'[k]}", args, (edges[args] + moved(edges, k, -1)) * hl.f64(0.5)) for k in range(3)
    ]
    diagonal = stages.define("diagonal", args, total([f[args] + moved(f, k, 1) for k, f in enumerate(faces)]))
    image = guess
    for step in range(VOLUME_STEPS):
        around = hl.BoundaryConditions.constant_exterior(image, hl.f64(0), bounds)
        flows = [
            face[args] * moved(around, k, -1) + moved(face, k, 1) * moved(around, k, 1) for k, face in enumerate(faces)
        ]
        residual = force[args] + total(flows) - diagonal[args] * image[args]
        image = stages.define(f"step_{step}", args, image[args] + hl.f64(SMOOTHING) * residual / diagonal[args])
    return Algorithm(image, {"guess": guess, "force": force, "conductivity": conductivity}, stages=stages)


def variable_inputs(size: Sizes) -> dict[str, Array]:
    images = pictures(np.float64, -1, 1, "guess", "force")(size)
    return {**images, "conductivity": noise(size[::-1], np.float64, 0.1, 3, seed=2)}


def variable_poisson(images: Mapping[str, Array]) -> Array:
    image, wide = images["guess"], np.pad(images["conductivity"], 1, mode="edge")
    inner = (slice(1, -1),) * 3
    steps = [(axis, step) for axis in range(3) for step in (1, -1)]
    faces = [((wide + np.roll(wide, step, axis)) / 2)[inner] for axis, step in steps]
    diagonal = sum(faces)
    for _ in range(VOLUME_STEPS):
        around = np.pad(image, 1)
        flows = (face * np.roll(around, step, axis)[inner] for face, (axis, step) in zip(faces, steps, strict=True))
        image = image + SMOOTHING * (images["force"] + sum(flows) - diagonal * image) / diagonal
    return image


SWEEPS, RELAXATION = 4, 1.6


def build_red_black(hl: ModuleType) -> Algorithm:
    """Successive over-relaxation in turns for the places of a chessboard; the value is zero outside."""
    guess, force = (hl.ImageParam(hl.Float(32), 2, name) for name in ("guess", "force"))
    stages, (x, y) = Stages(hl), hl.vars("x y")
    image = guess
    for half in range(2 * SWEEPS):
        around = zero_outside(hl, image, guess.width(), guess.height(), hl.Float(32))
        mean = (star(around, x, y) + force[x, y]) * 0.25
        relaxed = image[x, y] + hl.f32(RELAXATION) * (mean - image[x, y])
        name = f"{'black' if half % 2 else 'red'}_{half // 2}"
        image = stages.define(name, (x, y), hl.select((x + y) % 2 == half % 2, relaxed, image[x, y]))
    return Algorithm(image, {"guess": guess, "force": force}, stages=stages)


def red_black(images: Mapping[str, Array]) -> Array:
    image, force = images["guess"].astype(np.float64), images["force"]
    y, x = np.indices(image.shape)
    for half in range(2 * SWEEPS):
        change = RELAXATION / 4 * (laplace(image, mode="constant") + force)
        image = np.where((x + y) % 2 == half % 2, image + change, image)
    return image.astype(np.float32)


CG_STEPS, STIFFNESS = 3, 8.0


def build_conjugate_gradient(hl: ModuleType) -> Algorithm:
    """Steps towards the smooth picture u with u - 8 Laplacian(u) equal to the given one."""
    image = hl.ImageParam(hl.Float(64), 2, "image")
    stages, (x, y) = Stages(hl), hl.vars("x y")
    width, height = image.width(), image.height()

    def applied(name: str, func: Any) -> Any:
        edges = repeat_edge(hl, func, width, height)
        value = func[x, y] * hl.f64(1 + 4 * STIFFNESS) - hl.f64(STIFFNESS) * star(edges, x, y)
        return stages.define(name, (x, y), value)

    def dot(name: str, first: Any, second: Any) -> Any:
        r, s = hl.RDom([(0, width)], f"r_{name}"), hl.RDom([(0, height)], f"s_{name}")
        rows = reduced(stages, f"rows_{name}", (y,), hl.f64(0), first[r, y] * second[r, y])
        return reduced(stages, name, (), hl.f64(0), rows[s])

    def plus(name: str, func: Any, factor: Any, direction: Any) -> Any:
        return stages.define(name, (x, y), func[x, y] + factor * direction[x, y])

    solution = image
    residual = plus("residual", image, hl.f64(-1), applied("applied", image))
    direction, square = residual, dot("square", residual, residual)
    for k in range(CG_STEPS):
        image_of = applied(f"applied_{k}", direction)
        length = square[()] / dot(f"curvature_{k}", direction, image_of)[()]
        step = stages.define(f"step_{k}", (), length)
        solution = plus(f"solution_{k}", solution, step[()], direction)
        if k < CG_STEPS - 1:
            residual = plus(f"residual_{k}", residual, -step[()], image_of)
            square, before = dot(f"square_{k}", residual, residual), square
            direction = plus(f"direction_{k}", residual, square[()] / before[()], direction)
    return Algorithm(solution, {"image": image}, stages=stages)


def conjugate_gradient(images: Mapping[str, Array]) -> Array:
    solution = image = images["image"]

    def applied(values: Array) -> Array:
        return values - STIFFNESS * laplace(values, mode="nearest")

    direction = residual = image - applied(image)
    for _ in range(CG_STEPS):
        image_of = applied(direction)
        step = np.vdot(residual, residual) / np.vdot(direction, image_of)
        solution, after = solution + step * direction, residual - step * image_of
        direction = after + np.vdot(after, after) / np.vdot(residual, residual) * direction
        residual = after
    return solution


FINE_STEPS, COARSE_STEPS, WEIGHT = 2, 4, 0.8


def build_multigrid(hl: ModuleType) -> Algorithm:
    """A V-cycle of two grids for Poisson's equation: smoothed, corrected from half the size, smoothed again."""
    guess, force = (hl.ImageParam(hl.Float(32), 2, name) for name in ("guess", "force"))
    stages, (x, y) = Stages(hl), hl.vars("x y")
    width, height = guess.width(), guess.height()

    def smoothed(name: str, image: Any, right: Any, steps: int, size: Sequence[Any]) -> Any:
        for k in range(steps):
            around = zero_outside(hl, image, *size, hl.Float(32))
            change = (star(around, x, y) + right[x, y]) * 0.25 - image[x, y]
            image = stages.define(f"{name}_{k}", (x, y), image[x, y] + hl.f32(WEIGHT) * change)
        return image

    image = smoothed("before", guess, force, FINE_STEPS, (width, height))
    around = zero_outside(hl, image, width, height, hl.Float(32))
    residual = stages.define("residual", (x, y), force[x, y] + star(around, x, y) - 4.0 * image[x, y])
    quad = total([residual[2 * x + dx, 2 * y + dy] for dy in (0, 1) for dx in (0, 1)])
    right = stages.define("coarse_force", (x, y), quad)  # the mean, times the square of twice the distance
    coarse = (width // 2, height // 2)
    start = stages.define("start", (x, y), hl.f32(0))
    error = zero_outside(hl, smoothed("coarse", start, right, COARSE_STEPS, coarse), *coarse, hl.Float(32))

    def between(at: Any, values: Any) -> Any:
        return 0.75 * values(at // 2) + 0.25 * values(at // 2 + hl.select(at % 2 == 0, -1, 1))

    rows = stages.define("rows", (x, y), between(y, lambda at: error[x, at]))
    corrected = stages.define("corrected", (x, y), image[x, y] + between(x, lambda at: rows[at, y]))
    image = smoothed("after", corrected, force, FINE_STEPS, (width, height))
    return Algorithm(image, {"guess": guess, "force": force}, stages=stages)


def multigrid(images: Mapping[str, Array]) -> Array:
    def smoothed(image: Array, force: Array, steps: int) -> Array:
        for _ in range(steps):
            image = image + WEIGHT / 4 * (laplace(image, mode="constant") + force)
        return image

    force = images["force"].astype(np.float64)
    image = smoothed(images["guess"].astype(np.float64), force, FINE_STEPS)
    residual = force + laplace(image, mode="constant")
    height, width = residual.shape
    right = residual.reshape(height // 2, 2, width // 2, 2).sum(axis=(1, 3))
    error = np.pad(smoothed(np.zeros_like(right), right, COARSE_STEPS), 1)
    fine = zoom(error, 2, order=1, mode="nearest", grid_mode=True)[2:-2, 2:-2]
    return smoothed(image + fine, force, FINE_STEPS).astype(np.float32)


SPREAD = np.array([0.028, 0.093, 0.214, 0.330, 0.214, 0.093, 0.028], np.float32)
LUCY_STEPS = 4


def build_richardson_lucy(hl: ModuleType) -> Algorithm:
    """Estimates of the sharp picture, each times the blurred quotient of the picture and the blurred estimate."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    stages, args = Stages(hl), hl.vars("x y")
    size, taps = (image.width(), image.height()), [float(tap) for tap in SPREAD]
    estimate = image
    for k in range(LUCY_STEPS):
        blurred = stages.blur(f"blurred_{k}", repeat_edge(hl, estimate, *size), args, taps)
        quotient = stages.define(f"quotient_{k}", args, image[args] / hl.max(blurred[args], hl.f32(1e-4)))
        factor = stages.blur(f"factor_{k}", repeat_edge(hl, quotient, *size), args, taps)
        estimate = stages.define(f"estimate_{k}", args, estimate[args] * factor[args])
    return Algorithm(estimate, {"image": image}, stages=stages)


def richardson_lucy(images: Mapping[str, Array]) -> Array:
    def blurred(values: Array) -> Array:
        return correlate1d(correlate1d(values, SPREAD, 0, mode="nearest"), SPREAD, 1, mode="nearest")

    image = estimate = images["image"].astype(np.float64)
    for _ in range(LUCY_STEPS):
        estimate = estimate * blurred(image / np.maximum(blurred(estimate), 1e-4))
    return estimate.astype(np.float32)


SCALINGS, INVERSE_TEMPERATURE = 5, 6.0


def build_sinkhorn(hl: ModuleType) -> Algorithm:
    """The plan that moves one distribution to another at little cost: rows and columns of a matrix scaled in turns."""
    cost = hl.ImageParam(hl.Float(32), 2, "cost")
    columns, rows = (hl.ImageParam(hl.Float(32), 1, name) for name in ("columns", "rows"))
    stages, (x, y) = Stages(hl), hl.vars("x y")
    kernel = stages.define("kernel", (x, y), hl.exp(cost[x, y] * hl.f32(-INVERSE_TEMPERATURE)))
    column = stages.define("ones", (x,), hl.f32(1))
    for k in range(SCALINGS):
        r, s = hl.RDom([(0, cost.width())], f"r_{k}"), hl.RDom([(0, cost.height())], f"s_{k}")
        across = reduced(stages, f"across_{k}", (y,), hl.f32(0), kernel[r, y] * column[r])
        row = stages.define(f"row_{k}", (y,), rows[y] / across[y])
        down = reduced(stages, f"down_{k}", (x,), hl.f32(0), kernel[x, s] * row[s])
        column = stages.define(f"column_{k}", (x,), columns[x] / down[x])
    plan = stages.define("plan", (x, y), row[y] * kernel[x, y] * column[x])
    return Algorithm(plan, {"cost": cost, "columns": columns, "rows": rows}, stages=stages)


def sinkhorn_inputs(size: Sizes) -> dict[str, Array]:
    columns, rows = (noise((n,), np.float32, 0.2, 1, seed=k) for k, n in enumerate(size))
    cost = noise(size[::-1], np.float32, 0, 1, seed=2)
    return {"cost": cost, "columns": columns * size[1], "rows": rows * size[0]}


def sinkhorn(images: Mapping[str, Array]) -> Array:
    cost, columns, rows = (images[name].astype(np.float64) for name in ("cost", "columns", "rows"))
    kernel = np.exp(-INVERSE_TEMPERATURE * cost)
    column = np.ones_like(columns)
    for _ in range(SCALINGS):
        row = rows / (kernel @ column)
        column = columns / (row @ kernel)
    return (row[:, None] * kernel * column).astype(np.float32)


ENTRIES = (
    Entry(
        name="poisson_clone",
        kind="solver",
        source="Perez, Gangnet and Blake, Poisson image editing, 2003; OpenCV seamlessClone",
        build=build_poisson_clone,
        inputs=clone_inputs,
        reference=poisson_clone,
        bench_size=(1500, 1000),
        test_size=(93, 77),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="variable_poisson",
        kind="solver",
        source="the smoother of HPGMG-FV with variable coefficients",
        build=build_variable_poisson,
        inputs=variable_inputs,
        reference=variable_poisson,
        bench_size=(128, 128, 128),
        test_size=(37, 23, 19),
        tolerance=1e-9,
    ),
    Entry(
        name="red_black",
        kind="solver",
        source="red-black successive over-relaxation: Press et al., Numerical recipes, 19.5",
        build=build_red_black,
        inputs=pictures(np.float32, -1, 1, "guess", "force"),
        reference=red_black,
        bench_size=(2000, 2000),
        test_size=(93, 77),
        tolerance=1e-4,
    ),
    Entry(
        name="conjugate_gradient",
        kind="solver",
        source="Hestenes and Stiefel, Methods of conjugate gradients, 1952",
        build=build_conjugate_gradient,
        inputs=pictures(np.float64, 0, 1, "image"),
        reference=conjugate_gradient,
        bench_size=(1200, 900),
        test_size=(93, 77),
        tolerance=1e-9,
    ),
    Entry(
        name="multigrid",
        kind="solver",
        source="Briggs, Henson and McCormick, A multigrid tutorial, 2000",
        build=build_multigrid,
        inputs=pictures(np.float32, -1, 1, "guess", "force"),
        reference=multigrid,
        bench_size=(1024, 1024),
        test_size=(94, 78),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="richardson_lucy",
        kind="solver",
        source="scikit-image richardson_lucy",
        build=build_richardson_lucy,
        inputs=pictures(np.float32, 0.05, 1, "image"),
        reference=richardson_lucy,
        bench_size=(1280, 960),
        test_size=(93, 77),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="sinkhorn",
        kind="solver",
        source="Cuturi, Sinkhorn distances: lightspeed computation of optimal transport, 2013",
        build=build_sinkhorn,
        inputs=sinkhorn_inputs,
        reference=sinkhorn,
        bench_size=(900, 700),
        test_size=(93, 77),
        tolerance=1e-4,
        differentiable=True,
    ),
)
