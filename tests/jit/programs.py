"""Programs made by hand, run on numpy arrays: what the tests of machine code are written with."""

import ctypes
import mmap

import numpy as np

from pipec.ir.expr import TRUE, Const, Load, Ramp, Variable
from pipec.ir.program import Check, Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.stmt import For, LoopKind, Store
from pipec.ir.types import INT32, type_of_numpy
from pipec.jit.engine import compile_program
from pipec.target import get_host_target


def variable(name, kind=INT32):
    return Variable(kind, name)


def const(value, kind=INT32):
    return Const(kind, value)


def ramp(base, lanes, stride=1):
    return Ramp(base, Const(base.type, stride), lanes)


def load(kind, buffer, index, predicate=None):
    return Load(kind.with_lanes(index.type.nlanes), buffer, index, _true(index) if predicate is None else predicate)


def store(buffer, value, index, predicate=None):
    return Store(buffer, value, index, _true(index) if predicate is None else predicate)


def _true(index):
    from pipec.ir.expr import Broadcast

    return TRUE if index.type.nlanes == 1 else Broadcast(TRUE, index.type.nlanes)


def loop(name, extent, body, kind=LoopKind.SERIAL, minimum=0):
    as_node = lambda value: const(value) if isinstance(value, int) else value  # noqa: E731
    return For(name, as_node(minimum), as_node(extent), kind, body)


def program(body, arguments, checks=0):
    return Program("test", tuple(arguments), body, tuple(Check("test") for _ in range(checks)))


def arguments_of(inputs, outputs):
    """Arguments for {name: array or scalar} and {name: array}; a numpy scalar becomes a scalar argument."""
    result = []
    for name, value in inputs.items():
        if isinstance(value, np.ndarray):
            result.append(ProgramArgument(name, ProgramArgumentKind.INPUT, type_of_numpy(value.dtype), value.ndim))
        else:
            result.append(ProgramArgument(name, ProgramArgumentKind.SCALAR, type_of_numpy(np.asarray(value).dtype)))
    for name, value in outputs.items():
        result.append(ProgramArgument(name, ProgramArgumentKind.OUTPUT, type_of_numpy(value.dtype), value.ndim))
    return result


def slots_of(compiled, inputs, outputs):
    slots = np.zeros(compiled.slots, np.int64)
    at = 0
    for value in [*inputs.values(), *outputs.values()]:
        if not isinstance(value, np.ndarray):
            slots[at] = -1  # only the scalar's own bytes count
            slots[at : at + 1].view(np.uint8)[: np.asarray(value).nbytes] = np.atleast_1d(value).view(np.uint8)
            at += 1
            continue
        slots[at] = value.ctypes.data
        at += 1
        for extent, stride in zip(value.shape[::-1], value.strides[::-1], strict=True):
            slots[at : at + 3] = 0, extent, stride // value.itemsize
            at += 3
    return slots


def run(body, inputs, outputs, checks=0, target=None):
    """Compile and run once; the status, and the error slots."""
    compiled = compile_program(program(body, arguments_of(inputs, outputs), checks), target or get_host_target())
    slots = slots_of(compiled, inputs, outputs)
    status = compiled.call(slots.ctypes.data)
    return status, slots[-9:]


def call(compiled, slots):
    return compiled.call(ctypes.c_size_t(slots.ctypes.data).value)


def between_protected_pages(values, last):
    """The values at the beginning or the end of a page of memory whose neighbours can't be read."""
    memory = mmap.mmap(-1, 3 * mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for page in (0, 2):
        ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + page * mmap.PAGESIZE), mmap.PAGESIZE, 0)
    offset = 2 * mmap.PAGESIZE - values.nbytes if last else mmap.PAGESIZE
    source = np.frombuffer(memory, values.dtype, values.size, offset)
    source[:] = values
    return source
