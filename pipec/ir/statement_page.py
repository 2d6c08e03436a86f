"""A statement as one static HTML page: loops, allocations and branches can be folded away."""

from __future__ import annotations

from html import escape

from pipec.ir import stmt as s
from pipec.ir.printer import statement_lines

_STYLE = """\
body { font: 14px/1.4 monospace; margin: 1em; color: #222; background: #fff }
details { border-left: 1px solid #ccc; margin-left: .3em; padding-left: 1.2em }
summary { margin-left: -1.2em; cursor: pointer }
summary:hover { background: #eef }
p { margin: 0 0 0 0; white-space: pre-wrap; padding-left: 2em; text-indent: -2em }
.loop { color: #05a } .parallel { color: #a30 } .memory { color: #060 } .check { color: #999 }
"""
_CLASSES: dict[type, str] = {s.For: "loop", s.Allocate: "memory", s.Realize: "memory", s.Assert: "check"}


def statement_page(root: s.Stmt, title: str) -> str:
    """The page. Statements with a body are `details` elements, open at first."""
    out = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>',
        _STYLE + "</style></head><body>",
        f"<h1>{escape(title)}</h1>",
    ]
    # How deep each open `details` element lies.
    depths: list[int] = []
    lines = list(statement_lines(root))
    for number, (depth, text, node) in enumerate(lines):
        while depths and depths[-1] >= depth:
            out.append("</details>")
            depths.pop()
        following = lines[number + 1][0] if number + 1 < len(lines) else -1
        kind = _class_of(node)
        if following > depth:
            out.append(f"<details open><summary{kind}>{escape(text)}</summary>")
            depths.append(depth)
        else:
            out.append(f"<p{kind}>{escape(text)}</p>")
    out += ["</details>"] * len(depths)
    return "\n".join([*out, "</body></html>", ""])


def _class_of(node: s.Stmt | None) -> str:
    if isinstance(node, s.For) and node.kind is s.LoopKind.PARALLEL:
        return ' class="parallel"'
    found = _CLASSES.get(type(node))
    return f' class="{found}"' if found else ""
