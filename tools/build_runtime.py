"""Compiles the C of the runtime to the LLVM text that the package carries: `python -m tools.build_runtime`.

The text has no target and no features of a processor: it serves all machines with 64 bits, whose pointers, integers and
structures have the same sizes. What goes into files is compiled once more for those with 32 bits. All is compiled with
one version of clang, so that the same sources give the same text everywhere.
"""

from __future__ import annotations

import enum
import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from pipec.jit.c.interface import NO_QUERY, ErrorCode
from pipec.jit.llvm.c_report import Piece
from pipec.jit.runtime import call_table
from pipec.jit.runtime import device_tables as tables
from pipec.jit.runtime import python_call_layout as layout
from pipec.jit.runtime.units import ERROR_BYTES, FOLDER, FOR_FILES, NO_THREAD, SEMAPHORE_BYTES

CLANG_VERSION = 19
# The C files of each unit; they are compiled as one.
UNITS: Mapping[str, tuple[str, ...]] = {
    "pool": ("pool.c", "memory.c", "tasks.c", "half.c"),
    "profile": ("profile.c",),
    "c_library": ("c_library.c", "queries.c"),
    "report": ("report.c",),
    "object_profile": ("object_profile.c",),
    "python_call": ("python_call.c",),
    "device": ("device.c",),
    "latency": ("latency.c",),
    "interrupt": ("interrupt.c",),
}
# The texts: of all units, and for 32 bits of those that files contain.
TEXTS = (*UNITS, *[f"{unit}.32" for unit in FOR_FILES])
WARNINGS = ("-std=c17", "-Wall", "-Wextra", "-Werror")
# All targets have the types and the calling convention of one of these, as far as the runtime uses them.
TARGETS = {"": "--target=x86_64-unknown-linux-gnu", "32": "--target=armv7-unknown-linux-gnueabihf"}
FLAGS = (
    *("-x", "c", "-", "-S", "-emit-llvm", "-o", "-", "-O2", "-I.", *WARNINGS, "-ffreestanding", "-fPIC"),
    *("-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-fno-ident", "-fno-strict-aliasing"),
    # Nothing here runs long enough to gain from these.
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"),
)
# Structures of C whose fields stand where the members of Python's enumerations say, and constants of both.
TABLES: Mapping[str, type[enum.IntEnum]] = {
    "CallTable": call_table.CallEntry,
    "Profile": call_table.CallTableHead,
    "Counters": call_table.EntryCounter,
    "ThreadState": call_table.ThreadWord,
    "Samples": call_table.SamplesHead,
    "FastCall": layout.LayoutHead,
    "Row": layout.Row,
    "Run": tables.RunWord,
    "Program": tables.ProgramWord,
    "Command": tables.RowWord,
    "KernelArgument": tables.ArgumentWord,
    "Allocation": tables.AllocationWord,
    "RunBuffer": tables.EntryWord,
    "DevicePool": tables.PoolWord,
}
_ERROR_CODES = "BAD_TYPE BUFFER_ARGUMENT_IS_NULL UNALIGNED_HOST EXTENTS_NEGATIVE HOST_IS_NULL BAD_DIMENSIONS".split()
_ARRAY_FIELDS = ("data", "dimensions", "shape", "strides", "dtype", "flags")
CONSTANTS: Mapping[str, int] = {
    "WAITING": call_table.WAITING,
    "MAX_SAMPLED_THREADS": call_table.MAX_SAMPLED_THREADS,
    "sizeof(ThreadState)": 8 * call_table.THREAD_SIZE,
    "sizeof(Counters)": 8 * call_table.ENTRY_SIZE,
    "sizeof(Profile)": 8 * call_table.HEAD,
    "sizeof(Semaphores)": SEMAPHORE_BYTES,
    "NO_THREAD": NO_THREAD,
    "ERROR_BYTES": ERROR_BYTES,
    "NO_QUERY": NO_QUERY,
    "QUERY_FAILED": ErrorCode.GENERIC,
    "ENDED_BY_CALLER": call_table.ENDED_BY_CALLER,
    "CANCELLED": call_table.ENDED_BY_CALLER,
    "sizeof(FastCall)": 8 * len(layout.LayoutHead),
    "sizeof(Row)": 8 * len(layout.Row),
    "sizeof(RunBuffer)": 8 * tables.ENTRY_WORDS,
    "sizeof(KernelArgument)": 8 * len(tables.ArgumentWord),
    "sizeof(Lock)": 8 * tables.LOCK_WORDS,
    "LAUNCH_SIZES": tables.LAUNCH_SIZES,
    "GRAIN": tables.GRAIN,
    **{f"COMMAND_{kind.name}": kind.value for kind in tables.ReportKind},
    **{f"KIND_{kind.name}": kind.value for kind in layout.LayoutKind},
    **{f"offsetof(Array, {field})": getattr(layout, f"ARRAY_{field.upper()}") for field in _ARRAY_FIELDS},
    "offsetof(Object, type)": layout.TYPE_OF_OBJECT,
    "C_CONTIGUOUS": layout.C_CONTIGUOUS,
    **{name: ErrorCode[name].value for name in _ERROR_CODES},
    **{f"PIECE_{piece.name}": piece.value for piece in Piece},
}


def sources(text: str) -> tuple[str, ...]:
    """The C files that a text is compiled from."""
    return UNITS[text.partition(".")[0]]


def flags(text: str) -> tuple[str, ...]:
    """What clang is told for a text."""
    return (*FLAGS, TARGETS[text.partition(".")[2]])


def source(text: str) -> str:
    """The C of a text."""
    return "".join([f'#include "{name}"\n' for name in sources(text)])


def assertions() -> str:
    """C that compiles only if tables and constants are the same in C and in Python."""
    checks = [
        f"offsetof({struct}, {member.name.lower()}) == {8 * member.value}"
        for struct, members in TABLES.items()
        for member in members
    ]
    checks += [f"{name} == {value}" for name, value in CONSTANTS.items()]
    files = "".join([f'#include "{name}"\n' for name in ("runtime.h", "python.h", "device.h", "queries.h")])
    return files + "".join([f'_Static_assert({check}, "{check}");\n' for check in checks])


def digest(text: str) -> str:
    """A digest of all that a text is compiled from."""
    headers = sorted(path.name for path in Path(FOLDER).glob("*.h"))
    data = b"\0".join([Path(FOLDER, name).read_bytes() for name in (*sources(text), *headers)])
    return hashlib.blake2b(data + repr((CLANG_VERSION, flags(text))).encode(), digest_size=16).hexdigest()


def clang() -> str | None:
    """The command of the clang that compiles the runtime; None where it is not installed."""
    for command in (f"clang-{CLANG_VERSION}", "clang"):
        if shutil.which(command):
            version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
            if f"version {CLANG_VERSION}." in version:
                return command
    return None


def compiled(text: str, command: str) -> str:
    """The LLVM text. Raises CalledProcessError where clang refuses the C, with its messages on stderr."""
    done = subprocess.run(
        [command, *flags(text)], input=source(text), cwd=FOLDER, stdout=subprocess.PIPE, text=True, check=True
    )
    files = ", ".join(sources(text))
    head = [f"; Compiled from {files} by tools/build_runtime.py with clang {CLANG_VERSION}.", f"; {digest(text)}"]
    return "\n".join([*head, *_without_target(done.stdout), ""])


def _without_target(text: str) -> list[str]:
    """The lines of a module that hold for every target."""
    lines = []
    for line in text.splitlines():
        if line.startswith(("; ", "source_filename", "target ", "!")):
            continue
        line = re.sub(r", ![\w.]+ !\d+| +; preds = .*", "", line)
        if line.startswith("attributes"):
            # The attributes in quotes name a processor or ask for what only clang's own passes do.
            line = re.sub(r' "[^"]+"(="[^"]*")?', "", line)
            line = line.replace("{ }", "{ nounwind }")
        lines.append(line)
    return lines


def main() -> int:
    """Compiles all units; 1 where there is no clang of the right version."""
    command = clang()
    if command is None:
        print(f"clang {CLANG_VERSION} is not installed", file=sys.stderr)
        return 1
    for text in TEXTS:
        Path(FOLDER, f"{text}.ll").write_text(compiled(text, command), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
