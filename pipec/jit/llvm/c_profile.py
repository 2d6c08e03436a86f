"""Counters in object code: what `pipec_profile_run` (runtime/object_profile.c) takes of a pipeline that is profiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.jit.runtime.call_table import ENTRY_SIZE, FIRST_FUNC, HEAD, OVERHEAD_NAME, WAITING_NAME


def counters_name(name: str) -> str:
    """The symbol of the counters of a C function."""
    return f"@{name}.counters"


def profile_text(name: str, funcs: Sequence[str], string: Callable[[str], str]) -> list[str]:
    """The counters of a C function, with the names of their entries."""
    names = [OVERHEAD_NAME, WAITING_NAME, *funcs]
    assert len(names) == FIRST_FUNC + len(funcs)
    entries = ", ".join([f"ptr {string(f'{entry}:')}" for entry in names])
    fields = f"ptr {string(name)}, ptr @{name}.entries, i64 {len(names)}, ptr {counters_name(name)}"
    return [
        "declare void @pipec_profile_run(ptr)",
        f"{counters_name(name)} = internal global [{HEAD + ENTRY_SIZE * len(names)} x i64] zeroinitializer, align 64",
        f"@{name}.entries = internal constant [{len(names)} x ptr] [{entries}]",
        f"@{name}.profile = internal global {{ ptr, ptr, i64, ptr, i64, i64, ptr }} "
        f"{{ {fields}, i64 0, i64 0, ptr null }}",
    ]


def run_text(name: str) -> str:
    """The line that counts a run."""
    return f"  call void @pipec_profile_run(ptr @{name}.profile)"
