"""All pipelines of the zoo, by name: what the modules of `images` and `numeric` have as ENTRIES."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from bench.zoo import images, numeric
from bench.zoo.entry import Entry
from bench.zoo.gradients import gradients

MODULES = [
    module
    for folder in (images, numeric)
    for info in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}.")
    if hasattr(module := import_module(info.name), "ENTRIES")
]
PIPELINES: dict[str, Entry] = {entry.name: entry for module in MODULES for entry in module.ENTRIES}
GRADIENTS: dict[str, Entry] = {entry.name: entry for entry in gradients(PIPELINES.values())}
ZOO: dict[str, Entry] = PIPELINES | GRADIENTS
