"""Splits a program with loops over GPU blocks into the program of the host and the kernels as OpenCL C.

The host's program has Reports in the places of kernels and where memory of the device comes and goes, each with the
addresses in host memory that identify buffers. The kinds of their Notices, and their values:

launch    the grid's extents and the group's sizes, three each; the kernel's scalars; the addresses of its buffers
allocate  an address and a number of bytes: a buffer that kernels use is there from now on
free      an address: it is there no longer
host      addresses: the host is going to read these buffers, or to write those whose numbers are in the details
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipec.deep_stack import with_deep_stack
from pipec.errors import NotSupportedError
from pipec.ir import build
from pipec.ir.expr import TRUE, Const, Expr, Intrinsic, Load, Variable, const
from pipec.ir.node import Node
from pipec.ir.program import DeviceCode, Kernel, Notice, Program, ProgramArgumentKind
from pipec.ir.stmt import (
    Allocate,
    Block,
    CallExtern,
    Evaluate,
    For,
    LetStmt,
    LoopKind,
    MemoryType,
    ProducerConsumer,
    Report,
    Stmt,
    Store,
    Wait,
)
from pipec.ir.types import INT32, INT64, Type, UInt
from pipec.ir.walk import free_variables, postorder, statements, substitute
from pipec.jit.c.emit import Names, used_names
from pipec.jit.c.interface import C_LIBRARY
from pipec.jit.opencl.emit import BlockWriter as BlockOfThreads
from pipec.jit.opencl.emit import accesses, signature
from pipec.jit.opencl.helpers import KernelHelpers, prelude
from pipec.jit.opencl.indices import short_indices
from pipec.jit.opencl.scratch import Scratch, scratch_of, with_scratch
from pipec.jit.opencl.work_group import AXES, WorkGroup, values_of_lets
from pipec.jit.opencl.work_item import ThreadStatements, added, func_of
from pipec.records import replace

_ADDRESS = UInt(64)
_NOTHING = Evaluate(const(0))
# The suffix that makes names of Funcs unique in a process.
_SERIAL = re.compile(r"\$\d+")
# Names that kernels use themselves, and those of OpenCL C that C99 does not have.
_RESERVED = (
    "code i k"
    " kernel global local constant private half bool2 uchar ushort uint ulong image2d_t image3d_t sampler_t event_t"
    " size_t min max clamp mix step sign dot cross length distance normalize degrees radians select all any shuffle"
    " barrier rotate hadd rhadd abs abs_diff clz popcount mul24 mad24 mad_sat mad_hi mul_hi add_sat sub_sat upsample"
).split()


def has_kernels(program: Program) -> bool:
    """Whether any loop of a program runs over GPU blocks."""
    return any(_is_kernel(node) for node in statements(program.body))


def split(program: Program, has_strict_floats: bool = False) -> Program:
    """The program of the host, with the device code that its Reports launch; `has_strict_floats`: all are strict."""
    result: Program = with_deep_stack(_split, program, has_strict_floats)
    return result


def _split(program: Program, has_strict_floats: bool) -> Program:
    splitter = _Splitter(program)
    splitter.helpers.has_strict_floats = has_strict_floats
    body = splitter.statement(program.body)
    device = DeviceCode(splitter.text(), tuple(splitter.kernels))
    return replace(program, body=body, notices=tuple(splitter.notices), device=device)


def _is_kernel(node: Node) -> bool:
    return isinstance(node, For) and node.kind is LoopKind.GPU_BLOCK


class _KernelNames(Names):
    """Identifiers that do not depend on what else a process has compiled, so that cached binaries can be reused."""

    def plain(self, name: str) -> str:
        return _SERIAL.sub("", name)


class _Splitter:
    def __init__(self, program: Program) -> None:
        self.notices: list[Notice] = list(program.notices)
        self.kernels: list[Kernel] = []
        self.texts: list[str] = []
        self.helpers = KernelHelpers()
        self.function_names = _KernelNames([*_RESERVED, *C_LIBRARY, *KernelHelpers.names()])
        # Which statements hold kernels, or wait for other threads: only then the host may ask for what these computed.
        # And the buffers that kernels use, with the types of their elements.
        self.holding: set[Node] = set()
        self.types = {a.name: a.type for a in program.arguments if a.kind is not ProgramArgumentKind.SCALAR}
        self.shared: set[str] = set()
        self.touched_by_host: set[str] = set()
        self._survey(program.body)

    def _survey(self, body: Stmt) -> None:
        for node in statements(body):
            children = [child for child in node.children() if isinstance(child, Stmt)]
            if isinstance(node, Allocate):
                self.types[node.name] = node.type
            if _is_kernel(node):
                used = accesses(node)
                self.shared |= used.read | used.written
            if _is_kernel(node) or isinstance(node, Wait) or any(child in self.holding for child in children):
                self.holding.add(node)
        work: list[Stmt] = [body]
        while work:
            node = work.pop()
            if _is_kernel(node):
                continue
            for child in node.children():
                if isinstance(child, Stmt):
                    work.append(child)
                elif isinstance(child, Expr):
                    self.touched_by_host |= accesses(child).read
            if isinstance(node, Store):
                self.touched_by_host.add(node.buffer)
            elif isinstance(node, CallExtern):
                self.touched_by_host.update(node.buffers())

    def text(self) -> str:
        """All kernels."""
        parts = [self.helpers.text(), *self.texts]
        text = "\n\n".join(part for part in parts if part)
        head = prelude(text, self.helpers.has_strict_floats)
        return f"{head}\n\n{text}\n" if head else f"{text}\n"

    # The host's program

    def statement(self, node: Stmt) -> Stmt:
        """The host's part of a statement."""
        if _is_kernel(node):
            assert isinstance(node, For)
            return self.launch(node)
        if node not in self.holding:
            return self.with_access([node], node)
        if isinstance(node, Block):
            return build.block(self._sequence(node.stmts))
        if isinstance(node, Allocate) and node.name in self.shared:
            return self.allocation(node)
        new: Stmt = node.rebuild(lambda child: self.statement(child) if isinstance(child, Stmt) else child)
        # The expressions that the statement evaluates before any part of it runs.
        return self.with_access([child for child in node.children() if isinstance(child, Expr)], new)

    def _sequence(self, stmts: Sequence[Stmt]) -> list[Stmt]:
        """The host's parts of a block; neighbours without kernels share one request for buffers."""
        parts: list[Stmt] = []
        plain: list[Stmt] = []
        for stmt in stmts:
            if stmt not in self.holding:
                plain.append(stmt)
                continue
            if plain:
                parts.append(self.with_access(plain, build.block(plain)))
            plain = []
            parts.append(self.statement(stmt))
        return [*parts, self.with_access(plain, build.block(plain))] if plain else parts

    def with_access(self, roots: Sequence[Stmt | Expr], stmt: Stmt) -> Stmt:
        """`stmt`, after the host has asked for the buffers of the device that `roots` touch."""
        touched = accesses(*roots)
        for root in roots:
            for node in postorder(root):
                if isinstance(node, CallExtern):
                    touched.written.update(node.buffers())
                elif isinstance(node, Intrinsic) and node.name == "address_of":
                    # Code that gets the address of a buffer may change it.
                    touched.written.update(accesses(node).read)
        names = sorted((touched.read | touched.written) & self.shared)
        if not names:
            return stmt
        written = " ".join(str(at) for at, name in enumerate(names) if name in touched.written)
        addresses = [self.address(name) for name in names]
        return self.report("host", addresses, (("written", written), ("buffers", " ".join(names))), stmt)

    def allocation(self, node: Allocate) -> Stmt:
        """Storage that kernels use; if the host does not touch it, it gets a single element there, for the address."""
        size = node.size if node.name in self.touched_by_host else Const(INT64, 1)
        return self.storage(node.name, size, node.size, self.statement(node.body))

    def storage(self, name: str, size: Expr, size_there: Expr, body: Stmt) -> Stmt:
        """Storage of so many elements on the host and on the device, around a statement."""
        kind = self.types[name]
        details = (("buffer", name),)
        amount = build.mul(size_there, Const(INT64, kind.bytes()))
        around = [
            self.report("allocate", [self.address(name), amount], details),
            body,
            self.report("free", [self.address(name)], details),
        ]
        return Allocate(name, kind, MemoryType.Heap, size, build.block(around))

    def address(self, buffer: str) -> Expr:
        load = Load(self.types[buffer], buffer, Const(INT64, 0), TRUE)
        return Intrinsic(_ADDRESS, "address_of", (load,))

    def report(
        self, kind: str, values: Sequence[Expr], details: tuple[tuple[str, str], ...], body: Stmt = _NOTHING
    ) -> Stmt:
        self.notices.append(Notice(kind, tuple([value.type for value in values]), details))
        return Report(len(self.notices) - 1, tuple(values), TRUE, "", body)

    # Kernels

    def launch(self, node: For) -> Stmt:
        """The Report that runs a kernel, and the kernel's text."""
        blocks, values, body = _grid(node)
        body = short_indices(with_scratch(body))
        let_values: dict[str, Expr] = {}
        for name, value in values.items():
            let_values[name] = substitute(value, let_values)
        extents = [substitute(block.extent, let_values) for block in blocks]
        _check_uniform(extents, blocks)
        bound = {n.name for n in statements(body) if isinstance(n, LetStmt | For)} | {b.name for b in blocks}
        group = WorkGroup(body, frozenset(bound), let_values)
        used = accesses(body)
        own = {n.name for n in statements(body) if isinstance(n, Allocate)}
        heap = scratch_of(body)
        self.types.update({name: n.type for name, n in heap.items()})
        buffers = sorted({*((used.read | used.written) - own), *heap})
        scalars = _scalars([*[block.minimum for block in blocks], body, *values.values()], bound | set(values))
        (kernel, scratch), number = self.kernel(blocks, values, body, group, scalars, buffers), len(self.kernels)
        self.kernels.append(kernel)
        grid = [*extents, *[const(1)] * (AXES - len(extents))]
        numbers = [*grid, *group.sizes, *[Variable(kind, name) for name, kind in scalars]]
        addresses = [self.address(name) for name in buffers]
        launch: Stmt = self.report("launch", [*numbers, *addresses], (("kernel", str(number)),))
        sizes: dict[str, Expr] = {}
        for part in scratch:
            # Partitioned loops have several copies of it.
            elements = part.elements(extents, group, values_of_lets(body, let_values), bound)
            sizes[part.whole] = build.max_(sizes[part.whole], elements) if part.whole in sizes else elements
        for whole, elements in sizes.items():
            launch = self.storage(whole, Const(INT64, 1), elements, launch)
        return launch

    def kernel(
        self,
        blocks: Sequence[For],
        values: dict[str, Expr],
        body: Stmt,
        group: WorkGroup,
        scalars: Sequence[tuple[str, Type]],
        buffers: Sequence[str],
    ) -> tuple[Kernel, list[Scratch]]:
        """Writes a kernel; returns its description and its storage in the Heap."""
        stem = blocks[0].name.rpartition(".")[0] or blocks[0].name
        is_repeated = stem in self.function_names.identifiers
        name = self.function_names.fresh(f"{self.function_names(stem)}_") if is_repeated else self.function_names(stem)
        names = _KernelNames([*_RESERVED, *self.function_names.reserved])
        spaces = dict.fromkeys(buffers, "__global")
        lets = [LetStmt(let, value, _NOTHING) for let, value in values.items()]
        heads = [For(block.name, block.minimum, block.minimum, block.kind, _NOTHING) for block in blocks]
        used = used_names(build.block([body, *lets, *heads]))
        thread = ThreadStatements(self.helpers, names, names.fresh, used, group, spaces)
        written = accesses(body).written | scratch_of(body).keys()
        kinds = [(kind, False, False) for _, kind in scalars]
        kinds += [(self.types[b], True, b in written) for b in buffers]
        words = [names(scalar) for scalar, _ in scalars] + [names(b) for b in buffers]
        head = signature(name, group, words, kinds)
        lines: list[str] = []
        for axis, block in enumerate(blocks):
            x = thread._expressions(block.minimum)
            value = added(x.scalar(block.minimum, True), f"get_group_id({axis})")
            lines += [*x.frame.lines, f"const int32_t {names(block.name)} = {value};"]
        together = BlockOfThreads(thread, group)
        lines += [line for let in lets for line in thread._let(let)]
        lines += together.lines(body)
        self.texts.append("\n".join([*head, *[f"    {line}" for line in [*thread.arrays, *lines]], "}"]))
        sizes = [group.constant(axis) or 0 for axis in range(AXES)]
        result = Kernel(
            name,
            func_of(blocks[0].name.partition(".s")[0]),
            (*scalars, *[(b, self.types[b]) for b in buffers]),
            len(buffers),
            tuple([at for at, b in enumerate(buffers) if b in written]),
            (sizes[0], sizes[1], sizes[2]),
            thread.local_bytes,
        )
        return result, thread.scratch


def _grid(node: For) -> tuple[list[For], dict[str, Expr], Stmt]:
    """The loops over blocks, innermost first; the lets between them; what a block does."""
    blocks: list[For] = []
    values: dict[str, Expr] = {}
    body: Stmt = node
    lets: dict[str, Expr] = {}
    while True:
        if isinstance(body, For) and body.kind is LoopKind.GPU_BLOCK:
            blocks.insert(0, body)
            values.update(lets)
            lets, body = {}, body.body
        elif isinstance(body, LetStmt) and _reaches_block(body.body):
            lets[body.name] = body.value
            body = body.body
        elif isinstance(body, ProducerConsumer) and _reaches_block(body.body):
            body = body.body
        else:
            return blocks, values, body


def _reaches_block(stmt: Stmt) -> bool:
    while isinstance(stmt, LetStmt | ProducerConsumer):
        stmt = stmt.body
    return _is_kernel(stmt)


def _check_uniform(extents: Sequence[Expr], blocks: Sequence[For]) -> None:
    names = {block.name for block in blocks}
    for block, extent in zip(blocks, extents, strict=True):
        if free_variables(extent) & names or accesses(extent).read:
            raise NotSupportedError(
                f"Error: The number of GPU blocks of the loop {block.name} is {extent}: it depends on another loop over"
                " blocks, or on memory, but it must be known before the kernel is launched. Make that loop serial, or"
                " fuse() the loops into one."
            )


def _scalars(roots: Sequence[Stmt | Expr], bound: set[str]) -> list[tuple[str, Type]]:
    """The scalars that a kernel reads from outside, by name."""
    scalars: dict[str, Type] = {}
    for node in postorder(*roots):
        if isinstance(node, Variable) and node.name not in bound:
            scalars[node.name] = INT32 if node.type is INT64 and node.name in scalars else node.type
    return sorted(scalars.items())
