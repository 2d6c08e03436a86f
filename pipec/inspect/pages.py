"""Pages of HTML that hold all they need: style, script and data in one file."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any


def page(kind: str, title: str, data: Mapping[str, Any]) -> str:
    """The page `web/KIND.html` with its script, the common style and script, and data for the script as JSON."""
    folder = files("pipec.inspect") / "web"
    # In a script element only its own end tag, and what opens a comment, have a meaning.
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    parts = {
        "<!--{{head}}-->\n": (folder / "head.html").read_text("utf-8"),
        "{{title}}": html.escape(title),
        "/*{{style}}*/": (folder / "style.css").read_text("utf-8"),
        "/*{{common}}*/": (folder / "common.js").read_text("utf-8"),
        "/*{{script}}*/": (folder / f"{kind}.js").read_text("utf-8"),
        "{{data}}": text,
    }
    result = (folder / f"{kind}.html").read_text("utf-8")
    for mark, part in parts.items():
        result = result.replace(mark, part)
    return result


def in_notebook(text: str, height: int) -> str:
    """The page as an element of a notebook: in a frame of its own, so that neither disturbs the other."""
    style = f"width:100%;height:{height}px;border:1px solid #8884"
    return f'<iframe srcdoc="{html.escape(text)}" style="{style}" sandbox="allow-scripts"></iframe>'
