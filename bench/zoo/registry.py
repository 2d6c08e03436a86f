"""All pipelines of the zoo, by name."""

from __future__ import annotations

from bench.zoo import (
    burst,
    camera,
    colour,
    corners,
    denoise,
    edges,
    flow,
    histograms,
    integrals,
    morphology,
    networks,
    projections,
    pyramids,
    quantized,
    resampling,
    scans,
    scatters,
    simulations,
    solvers,
    spaces,
    statistics,
    stereo,
    transformers,
    transforms,
    warps,
    wavelets,
)
from bench.zoo.entry import Entry
from bench.zoo.gradients import gradients

MODULES = (
    burst,
    camera,
    colour,
    corners,
    denoise,
    edges,
    flow,
    histograms,
    integrals,
    morphology,
    networks,
    projections,
    pyramids,
    quantized,
    resampling,
    scans,
    scatters,
    simulations,
    solvers,
    spaces,
    statistics,
    stereo,
    transformers,
    transforms,
    warps,
    wavelets,
)
PIPELINES: dict[str, Entry] = {entry.name: entry for module in MODULES for entry in module.ENTRIES}
GRADIENTS: dict[str, Entry] = {entry.name: entry for entry in gradients(PIPELINES.values())}
ZOO: dict[str, Entry] = PIPELINES | GRADIENTS
