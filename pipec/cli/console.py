"""What commands print: JSON or lines, in colour on a terminal only."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

COLOURS = {"red": 31, "green": 32, "yellow": 33, "bold": 1}


def has_colour(stream: Any = None) -> bool:
    """Returns whether a stream is a terminal that shows colours; NO_COLOR and TERM=dumb say that it does not."""
    stream = sys.stdout if stream is None else stream
    return bool(stream.isatty()) and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def coloured(text: str, colour: str) -> str:
    """Returns the text in a colour, or as it is where that is not shown."""
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if has_colour() else text


def report(facts: Mapping[str, Any], as_json: bool) -> None:
    """Prints facts as a JSON object, or a line each with spaces for the underscores of their names."""
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    width = max(len(name) for name in facts)
    for name, value in facts.items():
        print(f"{name.replace('_', ' '):{width}}  {value}")
