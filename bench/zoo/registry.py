"""All pipelines of the zoo, by name."""

from __future__ import annotations

from bench.zoo.entry import Entry
from bench.zoo.gradients import gradients
from bench.zoo.images import (
    burst,
    camera,
    colour,
    corners,
    denoise,
    edges,
    flow,
    histograms,
    morphology,
    pyramids,
    resampling,
    spaces,
    stereo,
    warps,
)
from bench.zoo.numeric import (
    integrals,
    networks,
    projections,
    quantized,
    scans,
    scatters,
    simulations,
    solvers,
    statistics,
    transformers,
    transforms,
    wavelets,
)

MODULES = (
    burst,
    camera,
    colour,
    corners,
    denoise,
    edges,
    flow,
    histograms,
    morphology,
    pyramids,
    resampling,
    spaces,
    stereo,
    warps,
    integrals,
    networks,
    projections,
    quantized,
    scans,
    scatters,
    simulations,
    solvers,
    statistics,
    transformers,
    transforms,
    wavelets,
)
PIPELINES: dict[str, Entry] = {entry.name: entry for module in MODULES for entry in module.ENTRIES}
GRADIENTS: dict[str, Entry] = {entry.name: entry for entry in gradients(PIPELINES.values())}
ZOO: dict[str, Entry] = PIPELINES | GRADIENTS
