"""The interpreter: what the IR means. Slow, strict, and the oracle of lowering and of every back end.

It runs statements of any stage of lowering. Loads and stores outside of a buffer, and reads of elements never
written, are errors; a false Assert raises CheckError.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipec.errors import CheckError, InternalError, NotSupportedError
from pipec.ir import expr as e
from pipec.ir import numerics
from pipec.ir import stmt as s
from pipec.ir.placeholders import versions
from pipec.ir.program import Check, Program, ProgramArgumentKind
from pipec.ir.storage import Array, Image, RaceCheck, SharedMemory, Storage
from pipec.ir.tape import Tape
from pipec.ir.tensor import expand_tensor_calls
from pipec.ir.types import INT32, type_of_numpy


class Threads:
    """The threads of an interpreted program, of which one runs at a time: each is a position in the list of steps."""

    def __init__(self) -> None:
        # Positions of the threads that do not run, the next one to run first.
        self.others: list[int] = []
        self.counters: dict[str, list[int]] = {}
        self.ended: set[str] = set()
        # Whether the last step must wait, and how many in succession had to.
        self.waits = False
        self.idle = 0

    def start(self, first: int, second: int) -> int:
        """A new thread begins at step `first`; this one goes on at `second`."""
        self.others.append(first)
        return second

    def end(self, fork: str) -> int:
        """The thread that a fork began is done; another one goes on."""
        self.ended.add(fork)
        return self.others.pop(0)

    def join(self, fork: str, at: int) -> int:
        """Go on when the thread that the fork began is done."""
        if fork not in self.ended:
            return self._stay(at)
        self.ended.discard(fork)
        return at + 1

    def take(self, fork: str, index: int, at: int) -> int:
        """Go on when the counter is positive, and take one off it."""
        counters = self.counters[fork]
        if counters[index] <= 0:
            return self._stay(at)
        counters[index] -= 1
        return at + 1

    def give(self, fork: str, index: int, at: int) -> int:
        """Add one to the counter."""
        self.counters[fork][index] += 1
        return at + 1

    def _stay(self, at: int) -> int:
        self.waits = True
        if not self.others:
            raise InternalError("A thread of the program waits, but no other one is left.")
        return at

    def next(self, at: int, order: random.Random | None) -> int:
        """The place of the thread that runs next, which may be the one that runs now."""
        self.idle = self.idle + 1 if self.waits else 0
        if self.idle > len(self.others) + 1:
            raise InternalError("All threads of the program wait for each other.")
        if not self.waits and order is not None and order.random() < 0.7:
            return at
        self.waits = False
        self.others.append(at)
        return self.others.pop(0)


Value = Any
# Executes one step and returns the number of the next one.
Step = Callable[[int], int]
# Receives the code of a Report and the values of each active lane; returns the answer.
ReportHandler = Callable[[int, list[tuple[Value, ...]]], int]


class BudgetExceeded(Exception):
    """The program did not end within its budget of steps."""


def run(
    program: Program | s.Stmt,
    buffers: Mapping[str, Image | Array],
    scalars: Mapping[str, int | float] | None = None,
    *,
    order: random.Random | None = None,
    strict: bool = True,
    budget: int | None = None,
    report: ReportHandler | None = None,
) -> dict[str, Array]:
    """Execute and return the contents of all buffers (outputs included), arrays with dimension 0 first.

    Buffers are arrays with dimension 0 first, or Images where minimum coordinates are not 0; they are not changed.
    `order`: draws the order of the iterations of parallel and vectorized loops, and switches the race check on:
    elements to which iterations of a parallel loop write different values are undefined after it, and an iteration that
    reads what another one writes is an error.
    `strict` False: reads of elements never written return a pattern instead of raising an error. Lowered programs need
    that: the values that a split computes beyond its interval are not used, and may depend on such elements.
    `budget`: raises BudgetExceeded after this many steps.
    `report`: handles Reports.
    """
    machine = StepMachine(order, strict)
    machine.bind(program, buffers, scalars or {})
    machine.report = report
    machine.checks = program.checks if isinstance(program, Program) else ()
    machine.compile(expand_tensor_calls(program.body if isinstance(program, Program) else program))
    with np.errstate(all="ignore"):
        machine.execute(budget)
    if isinstance(program, Program):
        machine.require_outputs(program)
    return {name: machine.storages[name].array() for name in buffers}


class StepMachine:
    """A program as a list of steps with jumps, its registers and its memory. It does not recurse."""

    def __init__(self, order: random.Random | None, strict: bool) -> None:
        self.order = order
        self.strict = strict
        self.race_check = None if order is None else RaceCheck()
        # The parallel loops that enclose the steps being compiled.
        self.around: tuple[SharedMemory, ...] = ()
        self.storages: dict[str, Storage] = {}
        self.checks: tuple[Check, ...] = ()
        self.report: ReportHandler | None = None
        self.steps: list[Step] = []
        self.threads = Threads()
        self.tape = Tape(self._access)

    def bind(
        self, program: Program | s.Stmt, buffers: Mapping[str, Image | Array], scalars: Mapping[str, int | float]
    ) -> None:
        """Sets the variables and storages that a program's arguments define."""
        arguments = {a.name: a for a in program.arguments} if isinstance(program, Program) else {}
        for name, buffer in buffers.items():
            image = buffer if isinstance(buffer, Image) else Image(buffer)
            kind = arguments[name].type if name in arguments else type_of_numpy(image.array.dtype)
            assert kind is not None, image.array.dtype
            output = name in arguments and arguments[name].kind is ProgramArgumentKind.OUTPUT
            storage = Storage.of_image(name, kind, image, written=not output, strict=self.strict)
            self.add_storage(storage)
            for d, extent in enumerate(storage.extents):
                self._set(f"{name}.min.{d}", np.int32(storage.mins[d]))
                self._set(f"{name}.extent.{d}", np.int32(extent))
                self._set(f"{name}.stride.{d}", np.int32(storage.steps[d]))
        for name, value in scalars.items():
            kind = arguments[name].type if name in arguments else INT32
            self._set(name, numerics.constant(e.Const(kind, value)))
        missing = [name for name in arguments if name not in buffers and name not in scalars]
        if missing:
            raise InternalError(f"The program needs values for {', '.join(missing)}.")

    def require_outputs(self, program: Program) -> None:
        """Raises InternalError unless all elements of all outputs have been written."""
        for argument in program.arguments:
            if argument.kind is ProgramArgumentKind.OUTPUT:
                points = self.storages[argument.name].unwritten()
                if points:
                    raise InternalError(f"The program ends without having written {argument.name} at {points}.")

    def execute(self, budget: int | None = None) -> None:
        """Runs all steps."""
        steps, at, end = self.steps, 0, len(self.steps)
        count = 0
        while at < end:
            at = steps[at](at)
            count += 1
            if count == budget:
                raise BudgetExceeded(f"The program is not done after {budget} steps.")
            if self.threads.others:
                at = self.threads.next(at, self.order)

    def compile(self, root: s.Stmt) -> None:
        """Appends the steps of a statement."""
        work: list[s.Stmt | Callable[[], None]] = [root]
        while work:
            item = work.pop()
            if isinstance(item, s.Stmt):
                work.extend(reversed(_COMPILE[type(item)](self, item)))
            else:
                item()

    def storage(self, name: str, value_index: int) -> Storage:
        """The storage of value `value_index` of Func `name`."""
        storage = self.storages.get(name) or self.storages.get(f"{name}.{value_index}")
        if storage is None:
            raise InternalError(f"The program uses {name}, which has no storage at this point.")
        return storage

    def emit(self, step: Step) -> int:
        """Appends one step; returns its number."""
        self.steps.append(step if self.race_check is None else _in_loops(step, self.race_check, self.around))
        return len(self.steps) - 1

    def add_storage(self, storage: Storage) -> None:
        """Adds a storage, which is private to the iterations of the current loops."""
        self.storages[storage.name] = storage
        storage.race_check = self.race_check
        storage.private_to = () if self.race_check is None else self.race_check.loops

    def evaluation(self, *roots: e.Expr) -> Callable[[], list[Value]]:
        """A function that evaluates expressions."""
        code, places = self.tape.compile(roots)
        tape, registers = self.tape, self.tape.registers

        def evaluate() -> list[Value]:
            tape.run(code)
            return [registers[place] for place in places]

        return evaluate

    def _set(self, name: str, value: Value) -> None:
        self.tape.registers[self.tape.name(name)] = value

    def _access(self, node: Any) -> Callable[..., Value]:
        if isinstance(node, e.Load):
            name, kind = node.buffer, node.type
            return lambda index, predicate: _masked_load(self.storage(name, 0), kind, index, predicate)
        name, index = node.name, node.value_index if isinstance(node, e.FuncCall) else 0
        return lambda *args: self.storage(name, index).read(args)


def _in_loops(step: Step, check: RaceCheck, around: tuple[SharedMemory, ...]) -> Step:
    """The step, which first sets the enclosing loops of the race check: another thread may have run before it."""

    def step_in_loops(at: int) -> int:
        check.loops = around
        return step(at)

    return step_in_loops


def _masked_load(storage: Storage, kind: Any, index: Value, predicate: Value) -> Value:
    if np.all(predicate):
        return storage.load(index)
    if kind.nlanes == 1:
        return numerics.undefined(kind)
    value = np.full(kind.nlanes, numerics.undefined(kind))
    value[predicate] = storage.load(index[predicate])
    return value


# One function for each statement: it emits steps and returns the statements and actions to process next.
_Work = list[s.Stmt | Callable[[], None]]


def _let(m: StepMachine, node: s.LetStmt) -> _Work:
    evaluate, register, registers = m.evaluation(node.value), m.tape.name(node.name), m.tape.registers

    def step(at: int) -> int:
        (registers[register],) = evaluate()
        return at + 1

    m.emit(step)
    return [node.body]


def _for(m: StepMachine, node: s.For) -> _Work:
    evaluate, register, registers = m.evaluation(node.minimum, node.extent), m.tape.name(node.name), m.tape.registers
    # The remaining iterations; set each time that the loop begins.
    pending: list[Any] = [None]
    shuffled = m.order if node.kind in s.CONCURRENT else None
    end = [0]
    shared = SharedMemory(node.name) if m.race_check is not None and node.kind in s.THREADED else None

    def begin(at: int) -> int:
        minimum, extent = map(int, evaluate())
        if shared is not None:
            shared.begin()
        iterations = list(range(minimum, minimum + extent)) if shuffled else range(minimum, minimum + extent)
        if shuffled is not None:
            assert isinstance(iterations, list)
            shuffled.shuffle(iterations)
        pending[0] = iter(iterations)
        return at + 1

    def advance(at: int) -> int:
        iteration = next(pending[0], None)
        if iteration is None:
            if shared is not None:
                shared.end()
            return end[0]
        registers[register] = np.int32(iteration)
        if shared is not None:
            shared.iteration = iteration
        return at + 1

    m.emit(begin)
    head = m.emit(advance)
    outside = m.around
    if shared is not None:
        m.around = (*outside, shared)

    def close() -> None:
        m.emit(lambda at: head)
        end[0] = len(m.steps)
        m.around = outside

    return [node.body, close]


def _atomic(m: StepMachine, node: s.AtomicUpdate) -> _Work:
    # Iterations may update one element together.
    outside = m.around
    m.around = ()

    def close() -> None:
        m.around = outside

    return [node.body, close]


def _provide(m: StepMachine, node: s.Provide) -> _Work:
    stores = versions((*node.args, *node.values))
    evaluate, count = m.evaluation(*[e for store in stores for e in store]), len(node.args)
    width = count + len(node.values)
    stored = [index for index, value in enumerate(node.values) if not isinstance(value, e.Undef)]

    def step(at: int) -> int:
        results = evaluate()
        for first in range(0, len(results), width):
            coordinates = tuple(results[first : first + count])
            for index in stored:
                m.storage(node.name, index).write(coordinates, results[first + count + index])
        return at + 1

    m.emit(step)
    return []


def _store(m: StepMachine, node: s.Store) -> _Work:
    evaluate, name = m.evaluation(node.index, node.value, node.predicate), node.buffer
    vector = node.value.type.nlanes > 1

    def step(at: int) -> int:
        index, value, predicate = evaluate()
        if np.all(predicate):
            m.storage(name, 0).store(index, value)
        elif vector and np.any(predicate):
            m.storage(name, 0).store(index[predicate], value[predicate])
        return at + 1

    m.emit(step)
    return []


def _realize(m: StepMachine, node: s.Realize) -> _Work:
    flat = [part for bound in node.bounds for part in bound]
    evaluate = m.evaluation(*flat, *[fold for fold in node.folds if fold is not None])

    def step(at: int) -> int:
        numbers = [int(value) for value in evaluate()]
        mins, extents = tuple(numbers[0 : len(flat) : 2]), tuple([max(n, 0) for n in numbers[1 : len(flat) : 2]])
        factors = iter(numbers[len(flat) :])
        folds = tuple([None if fold is None else next(factors) for fold in node.folds])
        for index, kind in enumerate(node.types):
            name = node.name if len(node.types) == 1 else f"{node.name}.{index}"
            m.add_storage(Storage(name, kind, mins, extents, folds, m.strict))
        return at + 1

    def leave(at: int) -> int:
        for index in range(len(node.types)):
            del m.storages[node.name if len(node.types) == 1 else f"{node.name}.{index}"]
        return at + 1

    m.emit(step)
    return [node.body, lambda: _emit(m, leave)]


def _allocate(m: StepMachine, node: s.Allocate) -> _Work:
    evaluate = m.evaluation(node.size)

    def step(at: int) -> int:
        size = int(evaluate()[0])
        m.add_storage(Storage(node.name, node.type, (0,), (max(size, 0),), strict=m.strict))
        return at + 1

    def leave(at: int) -> int:
        del m.storages[node.name]
        return at + 1

    m.emit(step)
    return [node.body, lambda: _emit(m, leave)]


def _emit(m: StepMachine, step: Step) -> None:
    m.emit(step)


def _if(m: StepMachine, node: s.IfThenElse) -> _Work:
    evaluate = m.evaluation(node.condition)
    otherwise, end = [0], [0]
    m.emit(lambda at: at + 1 if evaluate()[0] else otherwise[0])

    def between() -> None:
        m.emit(lambda at: end[0])
        otherwise[0] = len(m.steps)

    def close() -> None:
        end[0] = len(m.steps)

    if node.otherwise is None:
        return [node.then, between, close]
    return [node.then, between, node.otherwise, close]


def _assert(m: StepMachine, node: s.Assert) -> _Work:
    condition, values = m.evaluation(node.condition), m.evaluation(*node.values)

    def step(at: int) -> int:
        if condition()[0]:
            return at + 1
        numbers = tuple([int(value) for value in values()])
        check = m.checks[node.code] if node.code < len(m.checks) else Check("unknown")
        facts = [*check.details, *zip(check.values, map(str, numbers), strict=False)]
        text = ", ".join([f"{name} = {value}" for name, value in facts])
        raise CheckError(f"Check {node.code} ({check.kind}) is false: {text or numbers}", node.code, numbers)

    m.emit(step)
    return []


def _report(m: StepMachine, node: s.Report) -> _Work:
    evaluate = m.evaluation(node.predicate, *node.values)
    registers, name = m.tape.registers, m.tape.name(node.name) if node.name else -1
    lanes = node.predicate.type.nlanes

    def step(at: int) -> int:
        predicate, *values = evaluate()
        answer = 0
        if m.report is not None:
            active = [lane for lane in range(lanes) if np.atleast_1d(predicate)[lane]]
            reported = [tuple([np.atleast_1d(value)[lane] for value in values]) for lane in active]
            answer = m.report(node.code, reported) if reported else 0
        if name >= 0:
            registers[name] = np.int32(answer)
        return at + 1

    m.emit(step)
    return [node.body]


def _call_extern(m: StepMachine, node: s.CallExtern) -> _Work:
    raise NotSupportedError(f"Error: The interpreter cannot call the C function {node.symbol}.")


def _evaluate(m: StepMachine, node: s.Evaluate) -> _Work:
    evaluate = m.evaluation(node.value)

    def step(at: int) -> int:
        evaluate()
        return at + 1

    m.emit(step)
    return []


def _fork(m: StepMachine, node: s.Fork) -> _Work:
    counts = m.evaluation(*node.counts)
    second = [0]

    def begin(at: int) -> int:
        m.threads.counters[node.name] = [int(count) for count in counts()]
        return m.threads.start(at + 1, second[0])

    def between() -> None:
        m.emit(lambda at: m.threads.end(node.name))
        second[0] = len(m.steps)

    m.emit(begin)
    return [node.first, between, node.second, lambda: _emit(m, lambda at: m.threads.join(node.name, at))]


def _wait(m: StepMachine, node: s.Wait) -> _Work:
    m.emit(lambda at: m.threads.take(node.name, node.index, at))
    return []


def _post(m: StepMachine, node: s.Post) -> _Work:
    m.emit(lambda at: m.threads.give(node.name, node.index, at))
    return []


_COMPILE: dict[type, Callable[[StepMachine, Any], _Work]] = {
    s.LetStmt: _let,
    s.For: _for,
    s.Provide: _provide,
    s.Store: _store,
    s.AtomicUpdate: _atomic,
    s.Realize: _realize,
    s.Allocate: _allocate,
    s.ProducerConsumer: lambda m, node: [node.body],
    s.Block: lambda m, node: list(node.stmts),
    s.IfThenElse: _if,
    s.Assert: _assert,
    s.CallExtern: _call_extern,
    s.Report: _report,
    s.PrefetchLoad: lambda m, node: [],
    s.Fork: _fork,
    s.Wait: _wait,
    s.Post: _post,
    s.Evaluate: _evaluate,
}
