"""Random pipelines from seeds: of one version the same in every process and for ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from pipec.autoschedule.measure.task import ImageSource, Task, task_of
from pipec.autoschedule.random_pipelines import (
    convolution,
    pointwise,
    reductions,
    resampling,
)
from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import LARGE, USUAL, PipelineBuilder, Scale, Unsuitable
from pipec.autoschedule.random_pipelines.layer import Layer
from pipec.errors import ArgumentError
from pipec.func.functions.freeze import reachable
from pipec.func.functions.names import local_names
from pipec.records import dataclass

VERSION = 2
"""Unless another is named: of version 3 are images that are larger than caches, of version 1 what archives have."""
MIN_STAGES, MAX_STAGES = 3, 14

Maker = Callable[[PipelineBuilder], None]
# What a pipeline of a theme mostly consists of: stages, and how likely each is. The types of its inputs.
_FLOAT: dict[Maker, float] = {
    convolution.tree_stage: 3,
    convolution.row_stage: 3,
    convolution.patch_stage: 2,
    convolution.channels_stage: 1.5,
    pointwise.unary_stage: 2,
    pointwise.activation_stage: 1,
    pointwise.binary_stage: 4,
    resampling.pooling_stage: 1,
    resampling.downsample_stage: 1.5,
    resampling.upsample_stage: 1.5,
    resampling.resize_stage: 1,
    resampling.pyramid_stage: 0.7,
    reductions.scan_stage: 1,
    reductions.statistics_stage: 0.7,
    reductions.tile_histogram_stage: 0.5,
    pointwise.tuple_stage: 1,
    pointwise.channel_stage: 1,
    pointwise.luminance_stage: 1,
    pointwise.colour_matrix_stage: 1,
    pointwise.border_stage: 1,
    pointwise.quantize_stage: 0.5,
    convolution.median_stage: 0.7,
    convolution.extremum_stage: 0.7,
}
_INTEGER: dict[Maker, float] = {
    convolution.tree_stage: 3,
    convolution.row_stage: 3,
    convolution.patch_stage: 2,
    convolution.channels_stage: 1,
    pointwise.unary_stage: 1.5,
    pointwise.binary_stage: 4,
    pointwise.fixed_point_stage: 4,
    pointwise.colour_matrix_stage: 2,
    pointwise.luminance_stage: 2,
    pointwise.channel_stage: 1,
    pointwise.tuple_stage: 1,
    resampling.pooling_stage: 1,
    resampling.downsample_stage: 1.5,
    resampling.upsample_stage: 1.5,
    resampling.pyramid_stage: 0.7,
    pointwise.table_stage: 2,
    pointwise.gather_stage: 1,
    pointwise.slice_stage: 1,
    pointwise.border_stage: 1,
    convolution.median_stage: 2,
    convolution.extremum_stage: 1.5,
    reductions.integral_stage: 1,
    reductions.best_stage: 1,
    reductions.equalize_stage: 0.7,
}
_STATISTICS: dict[Maker, float] = {
    reductions.scan_stage: 2,
    reductions.integral_stage: 2,
    reductions.equalize_stage: 2,
    reductions.tile_histogram_stage: 2,
    reductions.grid_stage: 1.5,
    reductions.best_stage: 1,
    reductions.statistics_stage: 2,
    convolution.row_stage: 2,
    pointwise.binary_stage: 3,
    pointwise.unary_stage: 1,
    pointwise.fixed_point_stage: 1,
    pointwise.table_stage: 1,
    pointwise.gather_stage: 1,
    pointwise.luminance_stage: 1,
    resampling.downsample_stage: 1,
}
_NETWORK: dict[Maker, float] = {convolution.network_stage: 5, pointwise.unary_stage: 0.1}
_MATRIX: dict[Maker, float] = {
    convolution.matrix_stage: 3,
    pointwise.unary_stage: 1,
    pointwise.activation_stage: 1,
    pointwise.binary_stage: 2,
    reductions.statistics_stage: 1,
}
_PYRAMID: dict[Maker, float] = {
    resampling.pyramid_stage: 3,
    pointwise.binary_stage: 2,
    pointwise.unary_stage: 1.5,
    convolution.row_stage: 1,
    pointwise.border_stage: 0.5,
    pointwise.luminance_stage: 1,
}
_SUMS: dict[Maker, float] = {
    reductions.extremes_stage: 1.5,
    reductions.projection_stage: 1,
    reductions.moments_stage: 3,
    reductions.correlation_stage: 3,
    reductions.class_means_stage: 1.5,
    reductions.statistics_stage: 1,
    reductions.equalize_stage: 1,
    convolution.row_stage: 1.5,
    pointwise.binary_stage: 2,
    pointwise.unary_stage: 1,
    pointwise.luminance_stage: 1,
}
# Theme -> how likely it is, its stages, the types of its inputs.
_Themes = Mapping[str, tuple[float, Mapping[Maker, float], Sequence[str]]]
_FIRST_THEMES: _Themes = {
    "float": (5, _FLOAT, ["f32", "f32", "f32", "u8"]),
    "integer": (5, _INTEGER, ["u8", "u8", "u16", "i16"]),
    "mixed": (3, {**_FLOAT, **_INTEGER, **_STATISTICS}, ["u8", "u16", "f32"]),
    "statistics": (2, _STATISTICS, ["u8", "u8", "u16", "f32"]),
    "pyramid": (1.5, _PYRAMID, ["f32", "u8", "u16"]),
    "network": (1, _NETWORK, []),
    "matrix": (1, _MATRIX, []),
}
_SECOND_THEMES: _Themes = {**_FIRST_THEMES, "sums": (4, _SUMS, ["f32", "f32", "u8", "u16"])}
# Of networks and matrices the sizes are their own.
_LARGE_THEMES: _Themes = {name: of for name, of in _SECOND_THEMES.items() if name not in ("network", "matrix")}
THEMES: Mapping[int, _Themes] = {1: _FIRST_THEMES, 2: _SECOND_THEMES, 3: _LARGE_THEMES}
"""Of each version."""
SCALES: Mapping[int, Scale] = {1: USUAL, 2: USUAL, 3: LARGE}
# Kinds that did not fit in a row before the pipeline is taken as it is.
_PATIENCE = 60


@dataclass(frozen=True)
class RandomPipeline:
    """A pipeline with the sizes of its outputs, by the name of the Func; estimates of all sizes have been set."""

    seed: int
    version: int
    theme: str
    outputs: list[hl.Func]
    sizes: Mapping[str, tuple[int, ...]]
    images: Mapping[str, hl.ImageParam]
    stages: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name by which archives refer to the pipeline."""
        return f"random-{self.version}-{self.seed}"

    @property
    def description(self) -> str:
        """One line of text: name, theme, sizes, stages."""
        sizes = ", ".join(["x".join(map(str, size)) for size in self.sizes.values()])
        return f"{self.name}: {self.theme}, {sizes}: {' '.join(self.stages)}"

    def pipeline(self) -> hl.Pipeline:
        """Returns a Pipeline of the outputs."""
        return hl.Pipeline(self.outputs)

    def task(self) -> Task:
        """The task of the measurer, with random inputs drawn from the seed."""
        return task_of(self.pipeline(), self.sizes, seed=self.seed)


def random_pipeline(seed: int, version: int = VERSION, max_stages: int = MAX_STAGES, shrink: int = 1) -> RandomPipeline:
    """The random pipeline of this seed. `shrink`: divide its sizes by about this, for tests.

    The idea is that of the random programs of A. Adams et al., Learning to optimize Halide with tree search and random
    programs, SIGGRAPH 2019; the stages are our own.
    """
    if version not in THEMES:
        raise ArgumentError(f"Error: This pipec makes random pipelines of versions 1 to {max(THEMES)}, not {version}.")
    if max_stages < MIN_STAGES:
        raise ArgumentError(f"Error: Random pipelines have at least {MIN_STAGES} stages, not {max_stages}.")
    with local_names():
        random = Random(f"pipec random pipeline {version} {seed}")
        themes = THEMES[version]
        theme = random.choices(list(themes), [weight for weight, _, _ in themes.values()])[0]
        while True:
            b = PipelineBuilder(random, max_stages, shrink, SCALES[version])
            _, kinds, types = themes[theme]
            if types:
                _inputs(b, random.choice(types))
            # Small ones mostly: more of them can be measured in the same time.
            _grow(b, kinds, round(random.triangular(MIN_STAGES, max_stages, MIN_STAGES)))
            outputs = _outputs(b) if b.kinds else []
            if len(reachable([layer.func.function for layer in outputs])) >= MIN_STAGES:
                return _finished(b, seed, version, theme, outputs)


def _inputs(b: PipelineBuilder, type: str) -> None:
    r = b.random
    width, height = b.size()
    shapes: list[tuple[int, ...]] = [(width, height)] if r.random() < 0.5 else [(width, height, 3)]
    if r.random() < 0.4:
        shapes.append((width, height))
    for shape in shapes:
        b.image(type, shape, interleaved=len(shape) == 3 and r.random() < 0.3)


def _grow(b: PipelineBuilder, kinds: Mapping[Maker, float], stages: int) -> None:
    """Adds stages of these kinds up to a number, or until nothing more fits."""
    makers, weights = list(kinds), list(kinds.values())
    misses = 0
    while b.stages < stages and misses < _PATIENCE:
        maker = b.random.choices(makers, weights)[0]
        try:
            maker(b)
        except Unsuitable:
            misses += 1
            continue
        b.kinds.append(maker.__name__.removesuffix("_stage"))
        misses = 0


def _outputs(b: PipelineBuilder) -> list[Layer]:
    """Returns the outputs: the layers that nothing reads, joined to one where that is possible, else two at most."""
    ends = [layer for layer in b.unread if isinstance(layer.func, hl.Func) and layer in b.layers and _is_stage(layer)]
    last = ends[-1] if ends else b.layers[-1]
    rest = [layer for layer in ends if layer is not last]
    for other in rest[-2:]:
        if last.dimensions in (2, 3) and other.dimensions in (2, 3) and b.random.random() < 0.7:
            last = pointwise.joined(b, last, other)
        elif b.random.random() < 0.3 and not _depends(last, other) and not _depends(other, last):
            return [last, other]
    return [last]


def _depends(layer: Layer, other: Layer) -> bool:
    return other.func.function in reachable([layer.func.function])


def _is_stage(layer: Layer) -> bool:
    """Whether it is a stage, not the border of an input."""
    return bool(layer.func.name().rpartition("_")[2].isdigit())


def _finished(b: PipelineBuilder, seed: int, version: int, theme: str, outputs: Sequence[Layer]) -> RandomPipeline:
    """Estimates of all sizes: of outputs as they were made, of inputs what these need."""
    sizes: dict[str, tuple[int, ...]] = {}
    for layer in outputs:
        sizes[layer.func.name()] = layer.extents
        layer.func.set_estimates([(0, extent) for extent in layer.extents])
    funcs = [layer.func for layer in outputs]
    task = task_of(hl.Pipeline(funcs), sizes)
    images: dict[str, Any] = {}
    for image in b.images:
        source = task.images.get(image.name())
        if isinstance(source, ImageSource):
            image.set_estimates(list(source.box))
            images[image.name()] = image
    return RandomPipeline(seed, version, theme, funcs, sizes, images, tuple(b.kinds))
