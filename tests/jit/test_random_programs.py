"""Random statements in machine code against the interpreter: values are kept and moved only where they stay true."""

import random

import numpy as np
import pytest
from programs import const, load, loop, program, ramp, slots_of, store, variable

from pipec.errors import CheckError
from pipec.ir.expr import GE, LT, NE, Add, Broadcast, Div, Max, Min, Mod, Mul, Select, Sub
from pipec.ir.interp import run
from pipec.ir.program import ProgramArgument, ProgramArgumentKind
from pipec.ir.stmt import Allocate, Assert, Block, IfThenElse, LetStmt, LoopKind, MemoryType
from pipec.ir.types import INT32, INT64
from pipec.jit.engine import compile_program
from pipec.target import get_host_target

SIZE, LANES = 64, 4


class Generator:
    """Statements over the buffers a (input), out and t; in a parallel loop each iteration has 8 elements of out."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.scope = [variable("n"), variable("m")]
        self.base = None  # the first element of out that may be touched, and how many

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def expression(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.15:
            return r.choice([const(r.randint(-9, 9)), r.choice(self.scope), r.choice(self.scope)])
        kind = r.choice("add sub mul div mod min max select load load".split())
        if kind == "load":
            return load(INT32, *self.place(depth - 1, 1, loads=True))
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        if kind == "select":
            return Select(r.choice([LT, GE, NE])(a, b), self.expression(depth - 1), b)
        return {"add": Add, "sub": Sub, "mul": Mul, "div": Div, "mod": Mod, "min": Min, "max": Max}[kind](a, b)

    def vector(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.2:
            return Broadcast(self.expression(1), LANES)
        if r.random() < 0.5:
            return load(INT32, *self.place(depth - 1, LANES, loads=True))
        return r.choice([Add, Sub, Mul, Min, Max])(self.vector(depth - 1), self.vector(depth - 1))

    def place(self, depth, lanes, loads=False):
        """A buffer, and an index of one of its elements (or of the first of several)."""
        r = self.random
        buffer = r.choice(["a", "out", "out", "t"] if loads else ["out", "out", "t"])
        if self.base is not None and buffer == "t":
            buffer = "a" if loads else "out"
        size = {"a": SIZE, "out": SIZE if self.base is None else 8, "t": 16}[buffer]
        step = r.choice([1, 1, 2]) if lanes > 1 else 1
        index = Mod(self.expression(depth), const(size - step * (lanes - 1)))
        if buffer == "out" and self.base is not None:
            index = Add(self.base, index)
        if lanes > 1 and r.random() < 0.3:
            index = Add(index, const(0))
        return buffer, index if lanes == 1 else ramp(index, lanes, step)

    def statement(self, depth):
        r = self.random
        choice = r.random()
        if depth <= 0 or choice < 0.3:
            if r.random() < 0.4:
                buffer, index = self.place(1, LANES)
                return store(buffer, self.vector(2), index)
            buffer, index = self.place(1, 1)
            return store(buffer, self.expression(3), index)
        if choice < 0.5:
            return Block(tuple(self.flat(depth - 1) for _ in range(r.randint(2, 4))))
        if choice < 0.65:
            condition = r.choice([LT, GE, NE])(self.expression(2), self.expression(1))
            return IfThenElse(
                condition, self.statement(depth - 1), self.statement(depth - 1) if r.random() < 0.5 else None
            )
        if choice < 0.7 and self.base is None:
            return Assert(NE(self.expression(2), const(r.randint(-5, 5))), 0, (self.expression(1),))
        name = self.name()
        if choice < 0.8:
            value = self.expression(3)
            return LetStmt(name, value, self.inside(name, depth))
        if choice < 0.85 and self.base is None:
            self.base = Mul(variable(name), const(8))
            body = self.inside(name, depth)
            self.base = None
            return loop(name, r.choice([variable("n"), 8]), body, LoopKind.PARALLEL)
        extent = r.choice([variable("n"), variable("m"), const(3), const(40), Min(variable("n"), const(2))])
        return loop(name, extent, self.inside(name, depth), minimum=r.choice([0, 0, 1, variable("m")]))

    def flat(self, depth):
        result = self.statement(depth)
        return result if not isinstance(result, Block) else result.stmts[0]

    def inside(self, name, depth):
        self.scope.append(variable(name))
        body = self.statement(depth - 1)
        self.scope.pop()
        return body

    def program(self):
        i, j = variable("i"), variable("j")
        body = Block((loop("i", SIZE, store("out", i, i)), loop("j", 16, store("t", Mul(j, j), j)), self.statement(6)))
        memory = self.random.choice([MemoryType.Heap, MemoryType.Auto])
        return Allocate("t", INT32, memory, const(16, INT64), body)


def check(seed):
    generator = Generator(seed)
    body = generator.program()
    scalars = {"n": generator.random.randint(0, 8), "m": generator.random.randint(-2, 5)}
    a = np.random.default_rng(seed).integers(-100, 100, SIZE).astype(np.int32)
    arguments = [ProgramArgument(name, ProgramArgumentKind.SCALAR, INT32) for name in scalars]
    arguments += [
        ProgramArgument("a", ProgramArgumentKind.INPUT, INT32, 1),
        ProgramArgument("out", ProgramArgumentKind.OUTPUT, INT32, 1),
    ]
    whole = program(body, arguments, 1)
    out = np.zeros(SIZE, np.int32)
    compiled = compile_program(whole, get_host_target())
    slots = slots_of(compiled, {name: np.int32(value) for name, value in scalars.items()} | {"a": a}, {"out": out})
    status = compiled.call(slots.ctypes.data)
    try:
        expected = run(whole, {"a": a, "out": np.zeros(SIZE, np.int32)}, scalars)["out"]
    except CheckError:
        assert status == 1, seed
        return
    assert status == 0, seed
    np.testing.assert_array_equal(out, expected, f"seed {seed}")


@pytest.mark.parametrize("first", range(0, 60, 15))
@pytest.mark.part(2)
def test_machine_code_agrees_with_the_interpreter(first):
    for seed in range(first, first + 15):
        check(seed)
