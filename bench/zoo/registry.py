"""All pipelines of the zoo, by name."""

from __future__ import annotations

from bench.zoo import colour
from bench.zoo.entry import Entry

ZOO: dict[str, Entry] = {entry.name: entry for module in (colour,) for entry in module.ENTRIES}
