"""`python -m tools.dead_code` lists the code of pipec that neither pipec nor apps, bench or tests name."""

from __future__ import annotations

import sys
from pathlib import Path

import vulture

ROOT = Path(__file__).parent.parent
READERS = ("pipec", "apps", "bench", "tests", "tools", "training", "docs/tutorials")
# Rows of tables and enumerations of Halide, addressed by position or by name.
TABLES = (
    "target/names.py",
    "autoschedule/features/features.py",
    "jit/runtime/call_table.py",
    "jit/runtime/device_tables.py",
    "pipeline/observation/trace_event.py",
)
# Called by Python, torch, notebooks or other processes.
HOOKS = frozenset(
    "__getattr__ __dir__ __call__ __match_args__ __eq__ __delattr__ __init_subclass__ extra_repr"
    " _render_traceback_".split()
)
# Halide's API in C++, which the wheel's Python API lacks, and its names for files and features.
API = frozenset(
    "number_of_dimensions as_vector arg_infos memoization_cache_set_size f16 print_ is_expr scalar_def".split()
)
# Written for ctypes and llvmlite, which read them.
FOREIGN = frozenset("data_layout UNALIGNED_HOST".split())


def unused() -> list[str]:
    """Returns a line for each unused name of pipec: file, line, kind and name."""
    search = vulture.Vulture()
    search.scavenge([str(ROOT / folder) for folder in READERS])
    lines = []
    for item in search.get_unused_code(min_confidence=60):
        path = Path(item.filename).relative_to(ROOT)
        if path.parts[0] != "pipec" or path.as_posix().endswith(TABLES) or item.name in HOOKS | API | FOREIGN:
            continue
        if item.name.startswith("on_") and path.name.endswith("child.py") or item.name in _wheel_names():
            continue
        lines.append(f"{path}:{item.first_lineno}: unused {item.typ} {item.name}")
    return lines


def _wheel_names() -> frozenset[str]:
    """All names of the halide wheel and of its classes: those are the public API."""
    import halide

    classes = [value for value in vars(halide).values() if isinstance(value, type)]
    return frozenset(dir(halide)).union(*map(dir, classes))


def main() -> int:
    """Prints what is unused; returns 1 if there is any."""
    lines = unused()
    print("\n".join(lines) or "no unused code")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
