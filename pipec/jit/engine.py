"""A lowered Program made into machine code of this process."""

from __future__ import annotations

import time
from typing import Any

from pipec.deep_stack import with_deep_stack
from pipec.diagnostics import write as write_log
from pipec.errors import InternalError
from pipec.ir.extern_functions import pointer_addresses
from pipec.ir.program import Program
from pipec.jit.llvm.engine import TargetMachine, engine, object_code
from pipec.jit.llvm.machine import float_flags, host, llvm_version, machine_of
from pipec.jit.objects import cache
from pipec.jit.objects.elf import link
from pipec.jit.objects.packing import packed
from pipec.jit.objects.source_digest import CODE_GENERATOR, source_digest
from pipec.jit.runtime.call_table import ENDED_BY_CALLER, ENTRY, Profiled
from pipec.jit.runtime.callbacks import watch_callbacks
from pipec.jit.runtime.library import default_threads, runtime
from pipec.target import Target


class CompiledProgram:
    """Machine code of a Program: `call(address of the slots)` gives 0, or 1 or 2 as `pipec.jit.llvm.emit` says.

    It may be called from many threads at once, each with slots of its own; the GIL is released meanwhile.
    """

    def __init__(self, library: Any, slots: int, key: str, size: int) -> None:
        self.library = library
        self.size = size  # bytes of the object code
        self.slots = slots
        self.key = key
        self.address: int = library[ENTRY]

    def call(self, slots: int, threads: int | None = None) -> int:
        """Runs the code on slots at an address; raises what signal handlers and callbacks raise meanwhile.

        `threads`: at most so many run it, the caller among them.
        """
        watch_callbacks()
        if threads is None:
            status = runtime().run(self.address, slots)
        else:
            status = runtime().run_limited(self.address, slots, threads)
        if status == ENDED_BY_CALLER:
            runtime().raise_exception()
        return int(status)


def compile_program(program: Program, target: Target, profiled: Profiled | None = None) -> CompiledProgram:
    """The machine code of `program` for this process, from the disk cache when it is there.

    `profiled`: the Funcs whose time and memory it counts while it runs.
    """
    from pipec.jit.llvm.compilation import Compilation
    from pipec.jit.llvm.emit import Layout, emit_parts

    started = time.perf_counter()
    machine = machine_of(target, host())
    flags = float_flags(target)
    key = program_key(program, machine, flags, llvm_version(), profiled)

    def compiled() -> bytes:
        own = engine()
        with Compilation(lambda text: own.compile([text], machine), default_threads()) as compilation:
            emitting = program, flags, own.abilities(machine), profiled
            symbols, last = with_deep_stack(emit_parts, *emitting, compilation.add)
            objects = compilation.finish(last)
        # The entry is in the last object.
        return packed(sorted(zip(objects, symbols, strict=True), key=lambda part: not part[1]))

    data = object_code(compiled, key)
    library = link(data, (ENTRY,), _imports(profiled is not None))
    write_log("time", f"machine code of {program.name}: {1e3 * (time.perf_counter() - started):.1f} ms")
    return CompiledProgram(library, Layout(program).slots, key, len(data))


def load_program(key: str, slots: int, profiled: bool = False) -> CompiledProgram | None:
    """The program whose object is cached under `key`; None when it is not there.

    `profiled`: it was compiled for profiling.
    """
    data = cache.load(key)
    if data is None:
        return None
    try:
        library = link(data, (ENTRY,), _imports(profiled))
    except InternalError as error:
        write_log("cache", f"object {key} cannot be loaded ({error}): compiling again")
        return None
    return CompiledProgram(library, slots, key, len(data))


def _imports(profiled: bool) -> dict[str, int]:
    """The addresses of what a program may call."""
    own = runtime().addresses_for_profiles() if profiled else runtime().addresses
    return {**own, **pointer_addresses()}


def program_key(
    program: Program, machine: TargetMachine, flags: str, version: str, profiled: Profiled | None = None
) -> str:
    """Returns the cache key of a program's object code, without generating code."""
    arguments = [f"{a.name} {a.kind.value} {a.type} {a.dimensions}" for a in program.arguments]
    body = program.body.digest().to_bytes(16, "little")
    memory = f"{program.streams} {sorted(program.any_byte)} {program.tables}"
    generator = memory, repr(machine), f"{flags} {profiled}", version, source_digest(CODE_GENERATOR)
    return cache.key_of("program", "\n".join(arguments), body, *generator)
