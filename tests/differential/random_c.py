"""Random pipelines written as C99 or as objects, compiled, run in this process."""

from __future__ import annotations

import ctypes
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from random_case import Arrays, Buffers, Case, Mismatch, compare, execute, legalized, reference

from pipec.errors import CheckError
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.jit.c.emit import c_source
from pipec.jit.c.interface import CFunction, CParameter, ErrorCode, Message, Variant, c_names
from pipec.jit.objects.ahead_of_time import compiled
from pipec.target import get_host_target

CC = ["cc", "-std=c99", "-Wall", "-Werror", "-Wno-unused-function", "-O1", "-fPIC", "-shared"]


def c_function(program: Program) -> CFunction:
    """The program as a C function whose error text is the number and the values of the check that failed."""
    names = c_names([argument.name for argument in program.arguments])
    parameters = [CParameter(name, argument) for name, argument in zip(names, program.arguments, strict=True)]
    messages = []
    for code, check in enumerate(program.checks):
        count = len(check.values)
        messages.append(Message(ErrorCode.GENERIC, f"{code} {'%lld ' * count}", tuple(range(count))))
    return CFunction("f", tuple(parameters), {}, (Variant(program, tuple(messages)),))


def run_c(program: Program, buffers: Buffers, scalars: dict[str, int | float], kind: str) -> Arrays:
    """Run the program as C (`kind` "c") or as an object ("o")."""
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
        library = ctypes.CDLL(str(folder / "f.so"))
    arguments: list[object] = []
    stored: Arrays = {}
    for argument in program.arguments:
        if argument.kind is ProgramArgumentKind.SCALAR:
            value = scalars[argument.name]
            floating = {32: ctypes.c_float, 64: ctypes.c_double}
            arguments.append(floating[argument.type.bits()](value) if argument.type.is_float() else _integer(value))
            continue
        image = buffers[argument.name]
        array = stored[argument.name] = np.asfortranarray(image.array).copy(order="F")
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
    prepared = legalized(case)
    expected = reference(prepared)

    def how(program: Program, buffers: Buffers) -> Arrays:
        return run_c(program, buffers, prepared.scalars, kind)

    compare(f"{kind} output", execute(prepared, how, expected, case.order % 3), expected)
