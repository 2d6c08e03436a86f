"""Pipelines written as C99 or as objects, compiled once, run in this process for all variants of a case."""

from __future__ import annotations

import contextlib
import ctypes
import struct
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipec.errors import CheckError
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.jit.c.emit import c_source
from pipec.jit.c.interface import CFunction, CParameter, ErrorCode, Message, Variant, c_names
from pipec.jit.objects.ahead_of_time import compiled
from pipec.target import get_host_target
from tests.fuzz.case import Case
from tests.fuzz.programs.images import laid_out
from tests.fuzz.runs import (
    Arrays,
    Buffers,
    Mismatch,
    Prepared,
    RefusedAtRunTime,
    compare,
    execute,
    legalized,
    reference,
)

# Whether storage is filled may follow from conditions that the compiler does not see through: it warns of a "may be".
WARNINGS = ["-Wall", "-Werror", "-Wno-unused-function", "-Wno-maybe-uninitialized"]
CC = ["cc", "-std=c99", *WARNINGS, "-O1", "-fPIC", "-shared"]


# What memoized Funcs and traces use is in the process that compiles; C99 has no threads.
_IN_PROCESS = ("memoize", "trace_loads", "trace_stores", "trace_realizations")
LEFT_OUT = {"c": (*_IN_PROCESS, "async_"), "o": _IN_PROCESS}


def c_function(program: Program) -> CFunction:
    """The program as a C function whose error text is the number and the values of the check that failed."""
    names = c_names([argument.name for argument in program.arguments])
    parameters = [CParameter(name, argument) for name, argument in zip(names, program.arguments, strict=True)]
    messages = []
    for code, check in enumerate(program.checks):
        count = len(check.values)
        messages.append(Message(ErrorCode.GENERIC, f"{code} {'%lld ' * count}", tuple(range(count))))
    return CFunction("f", tuple(parameters), {}, (Variant(program, tuple(messages)),))


def library_of(program: Program, kind: str) -> ctypes.CDLL:
    """The program as C (`kind` "c") or as an object ("o"), in a shared library with the function f."""
    function = c_function(program)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if kind == "c":
            (folder / "f.c").write_text(c_source(function))
        else:
            (folder / "f.o").write_bytes(compiled(function, get_host_target()).object())
        done = subprocess.run(
            [*CC, f"f.{kind}", "-o", "f.so", "-lm", "-lpthread"], cwd=folder, capture_output=True, text=True
        )
        if done.returncode:
            raise Mismatch(f"cc refuses the C of the program: {done.stderr[:2000]}")
        return ctypes.CDLL(str(folder / "f.so"))


def run_library(library: ctypes.CDLL, prepared: Prepared, case: Case, program: Program, buffers: Buffers) -> Arrays:
    """Call the function f with a variant's inputs; outputs are in the layout of the recipe."""
    arguments: list[object] = []
    stored: Arrays = {}
    scalars = prepared.scalars(case)
    for argument in program.arguments:
        if argument.kind is ProgramArgumentKind.SCALAR:
            value = scalars[argument.name]
            floating = {32: ctypes.c_float, 64: ctypes.c_double}
            arguments.append(floating[argument.type.bits()](value) if argument.type.is_float() else _integer(value))
            continue
        image = buffers[argument.name]
        array = stored[argument.name] = image.array
        if argument.kind is ProgramArgumentKind.OUTPUT:
            array = stored[argument.name] = laid_out(array, case.recipe["output_layout"])
        numbers = [(image.minimum(d), array.shape[d], array.strides[d] // array.itemsize, 0) for d in range(array.ndim)]
        dims = np.array(numbers or [(0, 0, 0, 0)], np.int32)
        code, bits = int(argument.type.code().value), argument.type.bits()
        fields = (0, 0, array.ctypes.data, 0, code, bits, 1, array.ndim, dims.ctypes.data, 0)
        arguments.append(ctypes.create_string_buffer(struct.pack("=QQQQBBHiQQ", *fields)))
        stored[f"dims of {argument.name}"] = dims
    status = library.f(*arguments)
    if status:
        library.pipec_last_error.restype = ctypes.c_char_p
        code_and_values = [int(word) for word in library.pipec_last_error().split()]
        raise CheckError("", code_and_values[0], tuple(code_and_values[1:]))
    return stored


def _integer(value: int | float) -> ctypes.c_int64:
    return ctypes.c_int64(int(value))


def check_c(case: Case, kind: str) -> None:
    """What is written to a file computes what the definitions say."""
    prepared = legalized(replace(case, directives=[d for d in case.directives if d[1] not in LEFT_OUT[kind]]))
    libraries: dict[int, ctypes.CDLL] = {}

    def how(program: Program, buffers: Buffers) -> Arrays:
        if id(program) not in libraries:
            libraries[id(program)] = library_of(program, kind)
        return run_library(libraries[id(program)], prepared, variant, program, buffers)

    for variant in prepared.case.variants():
        expected = reference(prepared, variant)
        with contextlib.suppress(RefusedAtRunTime):
            compare(f"{kind} output for {variant.box}", execute(prepared, variant, how, expected), expected)
