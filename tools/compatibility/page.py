"""The page about compatibility: percentages, and what is missing with the reason."""

from __future__ import annotations

import contextlib
import fnmatch
import io
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import halide
import halide.imageio

import pipec
from tools.compatibility.names import find, public_names, refuses, tiers
from tools.compatibility.reasons import PROBES, REASONS

_USERS = {
    1: "tutorials 1-14, applications, generators",
    2: "correctness tests, tutorials 15-24",
    3: "none of Halide's own Python programs",
}


def missing() -> dict[str, str]:
    """The names of the wheel that pipec lacks, or has only to say so -> why."""
    refused = set(_refused_when_called())
    result = {}
    for name in all_names():
        value = find(pipec, name)
        if value is None or refuses(value) or name in refused:
            result[name] = reason(name)
    return result


def all_names() -> list[str]:
    return public_names(halide)


def reason(name: str) -> str:
    for pattern, text in REASONS.items():
        if fnmatch.fnmatchcase(name, pattern):
            return text
    raise LookupError(f"pipec lacks {name}: add it, or the reason why not to tools/compatibility/reasons.py")


def unused_reasons(names: Iterable[str]) -> list[str]:
    """The patterns that no missing name needs."""
    return sorted(set(REASONS) - {next(p for p in REASONS if fnmatch.fnmatchcase(name, p)) for name in names})


def _refused_when_called() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        result = [pattern for pattern, code in PROBES.items() if _refuses_call(code, str(Path(folder) / "file"))]
    return [name for pattern in result for name in all_names() if fnmatch.fnmatchcase(name, pattern)]


def _refuses_call(code: str, path: str) -> bool:
    hl: Any = pipec
    x, y = hl.vars("x y")
    i, g, f = hl.ImageParam(hl.Int(32), 2, "i"), hl.Func("g"), hl.Func("f")
    r = hl.RDom([(0, 4)], "r")
    g[x, y] = i[x, y] + 1
    f[x, y] = g[x, y]
    f[x, y] += r
    names = {"hl": hl, "x": x, "y": y, "i": i, "g": g, "f": f, "p": hl.Pipeline(f), "path": path}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
    except hl.NotSupportedError:
        return True
    except hl.HalideError:
        return False  # it works, and has something to say against this use of it
    return False


def page() -> str:
    """The page as Markdown."""
    lacking, tier_of = missing(), tiers()
    names = all_names()
    lines = [
        "# Compatibility with Halide's Python API",
        "",
        f"Every public name of the `halide` {version('halide')} wheel - functions, classes, methods, operators, values"
        " of enumerations - against",
        "pipec's. A name counts as present when it works; those that exist only to say that they are not supported are",
        "counted as missing. `python -m tools.compatibility` writes this page.",
        "",
        "| Tier | Used by | Names | In pipec | |",
        "|---|---|---|---|---|",
    ]
    for tier, users in _USERS.items():
        lines.append(_row(str(tier), users, [name for name in names if tier_of.get(name, 3) == tier], lacking))
    lines += [_row("all", "", names, lacking), ""]
    for tier, users in _USERS.items():
        mine = [name for name in names if tier_of.get(name, 3) == tier and name in lacking]
        lines += [f"## Missing in tier {tier}: used by {users}", ""]
        lines += _by_reason(mine, lacking) if mine else ["Nothing.", ""]
    return "\n".join(lines)


def _row(tier: str, users: str, names: list[str], lacking: dict[str, str]) -> str:
    have = sum(name not in lacking for name in names)
    # Rounded down: 100 % means all.
    return f"| {tier} | {users} | {len(names)} | {have} | {int(1000 * have / len(names)) / 10:.1f} % |"


def _by_reason(names: list[str], lacking: dict[str, str]) -> list[str]:
    lines = []
    for text in sorted({lacking[name] for name in names}):
        listed = ", ".join([f"`{name}`" for name in names if lacking[name] == text])
        lines.append(f"- {text[0].upper()}{text[1:]}: {listed}")
    return [*lines, ""]
