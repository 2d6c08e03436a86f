"""The ways to a schedule of a zoo pipeline that are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Arguments of `Pipeline.autoschedule`.
OWN: Mapping[str, Mapping[str, Any]] = {
    "trivial": {"strategy": "trivial"},
    "grouping": {"strategy": "grouping"},
    "li2018": {"strategy": "li2018"},
    "found": {"verify": False},
    "default": {},
}
TUNED = "tuned"
BEST = "best known"
"""The schedule in `bench/zoo/best/`: from long tuning or by hand."""
HAND = "hand"
WHEEL = ("Mullapudi2016", "Adams2019", "Li2018")
