"""Statements in C99."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from pipec.errors import NotSupportedError
from pipec.ir import stmt as s
from pipec.ir.expr import BufferView, Cast, Const, Expr, Load, Reinterpret, Variable
from pipec.ir.program import Notice, conversion
from pipec.ir.types import INT64, Float, Type
from pipec.ir.walk import instances, postorder
from pipec.jit.c.expr import LANE, SUM, UNARY, Expressions, Frame, is_true
from pipec.jit.c.header import c_type
from pipec.jit.c.helpers import Helpers
from pipec.jit.c.interface import ErrorCode, Message, c_string, type_bits
from pipec.jit.c.intrinsics import INTRINSICS
from pipec.jit.c.types import small_float, storage_type, value_type

# Buffers of constant size up to this many bytes are arrays of a function.
STACK_BYTES = 16 << 10
# Arrays up to this many bytes cost nothing to set to zero.
SMALL_BYTES = 64
# What a variant returns when the next one is to be tried.
RETRY = 1


class CStatements:
    """Writes statements as lines of C.

    `messages`: what each failed check means; `last`: nobody tries again; `used`: the lets that are needed.
    """

    intrinsics = INTRINSICS

    def __init__(
        self,
        helpers: Helpers,
        name_of: Callable[[str], str],
        fresh: Callable[[str], str],
        messages: Sequence[Message],
        notices: Sequence[Notice],
        last: bool,
        used: Collection[str],
    ) -> None:
        self.helpers, self.name_of, self.fresh = helpers, name_of, fresh
        self.messages, self.notices, self.last, self.used = messages, notices, last, used
        self.cleanup: list[str] = []

    def lines(self, node: s.Stmt) -> list[str]:
        """A statement, to stand in braces of its own or at the end of others."""
        out: list[str] = []
        while isinstance(node, s.LetStmt | s.ProducerConsumer):
            if isinstance(node, s.LetStmt):
                out += self._let(node)
            elif node.is_producer:
                out.append(f"/* {_comment(node.name)} */")
            node = node.body
        return out + self._plain(node)

    def _plain(self, node: s.Stmt) -> list[str]:
        writer = _WRITERS.get(type(node))
        if isinstance(node, s.Fork):
            raise NotSupportedError(
                f"Error: compile_to_c cannot write the async_() Func {_comment(node.name).partition('.')[0]}: C99 has"
                " no threads. Leave async_() out, or compile to an object file."
            )
        if writer is None:
            raise NotSupportedError(
                f"Error: compile_to_c cannot write statements of class {type(node).__name__}: {node}"
            )
        return writer(self, node)

    def _block(self, node: s.Block) -> list[str]:
        return [line for part in node.stmts for line in self._enclosed(part)]

    def _enclosed(self, node: s.Stmt) -> list[str]:
        """A statement among others: what it declares is its own."""
        lines = self.lines(node)
        inner: s.Stmt = node
        while isinstance(inner, s.ProducerConsumer):
            inner = inner.body
        return _braces(lines) if isinstance(inner, s.LetStmt | s.Allocate) else lines

    def _expressions(self, *roots: Expr) -> Expressions:
        expressions = Expressions(self.helpers, self.intrinsics, self.name_of, self.fresh)
        expressions.count(roots)
        return expressions

    def _let(self, node: s.LetStmt) -> list[str]:
        if node.name not in self.used:
            return []
        x = self._expressions(node.value)
        kind, name = node.value.type, self.name_of(node.name)
        if kind.nlanes == 1:
            text = x.scalar(node.value, index=True)
            return [*x.frame.lines, f"const {value_type(kind)} {name} = {text};"]
        loop = x.lane_loop(kind.nlanes, lambda frame: [f"{name}[{LANE}] = {x.text(node.value, frame, True)};"])
        return [*x.frame.lines, f"{value_type(kind)} {name}[{kind.nlanes}];", *loop]

    def _store(self, node: s.Store) -> list[str]:
        x = self._expressions(node.index, node.value, node.predicate)
        lanes = node.value.type.nlanes
        if lanes == 1:
            lines = self._assignment(x, node, x.frame, x.scalar(node.value))
        else:
            reads = any(
                isinstance(part, Load) and part.buffer == node.buffer
                for root in (node.value, node.index, node.predicate)
                for part in postorder(root)
            )
            if reads:
                # All lanes are read before the first one is written.
                for part in (node.index, node.value, node.predicate):
                    if any(isinstance(n, Load) for n in postorder(part)):
                        x.array(part, part is node.index)
            lines = x.lane_loop(lanes, lambda frame: self._assignment(x, node, frame, x.text(node.value, frame, False)))
        return after_names(x, lines)

    def _assignment(self, x: Expressions, node: s.Store, frame: Frame, value: str) -> list[str]:
        kind = node.value.type
        if small_float(kind):
            value = f"{self.helpers.convert('store', kind)}({value})"
        line = f"{self.name_of(node.buffer)}[{x.text(node.index, frame, True)}] = {value};"
        if not is_true(node.predicate):
            line = f"if ({x.text(node.predicate, frame, False)}) {line}"
        return [line]

    def _for(self, node: s.For) -> list[str]:
        x = self._expressions(node.minimum, node.extent)
        name = self.name_of(node.name)
        minimum, extent = x.scalar(node.minimum, True), x.scalar(node.extent, True, SUM)
        start, stop = f"int32_t {name} = {minimum}", f"{minimum} + {extent}"
        if isinstance(node.minimum, Const) and isinstance(node.extent, Const):
            stop = str(node.minimum.value + node.extent.value)
        elif isinstance(node.minimum, Const) and node.minimum.value == 0 and isinstance(node.extent, Variable):
            stop = extent
        else:
            end = self.fresh(f"{name}_end")
            start += f", {end} = {name} + {extent}"
            stop = end
        lines = []
        if node.kind is s.LoopKind.PARALLEL:
            lines.append(
                "/* The iterations of this loop do not depend on each other: the schedule runs it in threads. */"
            )
        lines += [f"for ({start}; {name} < {stop}; {name}++) {{", *indented(self.lines(node.body)), "}"]
        return after_names(x, lines)

    def _if(self, node: s.IfThenElse) -> list[str]:
        x = self._expressions(node.condition)
        condition = x.scalar(node.condition)
        lines = [f"if ({condition}) {{", *indented(self.lines(node.then))]
        if node.otherwise is not None:
            lines += ["} else {", *indented(self.lines(node.otherwise))]
        return after_names(x, [*lines, "}"])

    def _assert(self, node: s.Assert) -> list[str]:
        if isinstance(node.condition, Const) and node.condition.value:
            return []
        message = self.messages[node.code]
        if message.retry and not self.last:
            x = self._expressions(node.condition)
            condition = x.scalar(node.condition, True, UNARY)
            return self._leave(x, condition, str(RETRY))
        values = []
        for number, double in message.conversions():
            value = node.values[number]
            if double:
                value = value.value if isinstance(value, Reinterpret) else Reinterpret(Float(64), value)
            values.append(value)
        x = self._expressions(node.condition, *values)
        condition = x.scalar(node.condition, True, UNARY)
        texts = [
            x.scalar(value) if value.type.floating else f"(long long){x.scalar(_unwidened(value), True, UNARY)}"
            for value in values
        ]
        arguments = ", ".join([str(message.code.value), c_string(message.format), *texts])
        return self._leave(x, condition, f"pipec_fail({arguments})")

    def _report(self, node: s.Report) -> list[str]:
        """A line for each active lane."""
        notice = self.notices[node.code]
        if notice.kind != "print":
            raise NotSupportedError(
                "Error: compile_to_c cannot write what a traced Func reports, nor files of debug_to_file. Take these"
                " directives and target features away; an object file prints its trace."
            )
        words = [part.replace("%", "%%") if isinstance(part, str) else conversion(part) for part in notice.parts]
        format_ = c_string(" ".join(words).replace("%B", "%s") + "\n")
        x = self._expressions(node.predicate, *node.values)

        def line(frame: Frame) -> list[str]:
            texts = [_printed(value.type, x.text(value, frame, False, UNARY)) for value in node.values]
            call = f"pipec_print_line({', '.join([format_, *texts])});"
            return [call] if is_true(node.predicate) else [f"if ({x.text(node.predicate, frame, False)}) {call}"]

        lanes = node.predicate.type.nlanes
        lines = line(x.frame) if lanes == 1 else x.lane_loop(lanes, line)
        return after_names(x, lines)

    def _call_extern(self, node: s.CallExtern) -> list[str]:
        message = self.messages[node.code]

        def leave(status: str) -> list[str]:
            print_line = f"return pipec_fail({message.code.value}, {c_string(message.format)}, (long long){status});"
            return [f"if ({status}) {{", *indented([*reversed(self.cleanup), print_line]), "}"]

        return _call_extern(self._expressions(*_operand_roots(node)), node, self.fresh, leave)

    def _leave(self, x: Expressions, condition: str, status: str) -> list[str]:
        return after_names(x, [f"if (!{condition}) {{", *indented(self._returned(status)), "}"])

    def _returned(self, status: str) -> list[str]:
        """Returns a status after the cleanups. Its text may read what these free."""
        if not self.cleanup or status.isdigit():
            return [*reversed(self.cleanup), f"return {status};"]
        name = self.fresh("status")
        return [f"const int {name} = {status};", *reversed(self.cleanup), f"return {name};"]

    def _allocate(self, node: s.Allocate) -> list[str]:
        kind, name = storage_type(node.type), self.name_of(node.name)
        if isinstance(node.size, Const) and node.size.value * node.type.bytes() <= STACK_BYTES:
            accesses = instances((Load, BufferView), node.body)
            names = {access.buffer if isinstance(access, Load) else access.name for access in accesses}
            # Compilers warn of what is stored only.
            unread = [] if node.name in names else [f"(void){name};"]
            value = " = {0}" if _may_seem_unset(node) else ""
            return [f"{kind} {name}[{max(int(node.size.value), 1)}]{value};", *unread, *self.lines(node.body)]
        x = self._expressions(node.size)
        size = x.scalar(node.size, True)
        free = f"free({name});"
        memory = c_string("Error: Out of memory: an intermediate result needs %lld elements of %s")
        print_line = f"{memory}, (long long)({size}), {c_string(str(node.type))}"
        lines = [
            *x.frame.lines,
            f"{kind} *const {name} = pipec_allocate({size}, sizeof *{name});",
            f"if (!{name}) {{",
            *indented([*reversed(self.cleanup), f"return pipec_fail({ErrorCode.OUT_OF_MEMORY.value}, {print_line});"]),
            "}",
        ]
        self.cleanup.append(free)
        lines += self.lines(node.body)
        self.cleanup.pop()
        return [*lines, free]


def _may_seem_unset(node: s.Allocate) -> bool:
    """Whether compilers may warn of a small array that is stored and read under conditions."""
    if not isinstance(node.size, Const) or node.size.value * node.type.bytes() > SMALL_BYTES:
        return False
    branches = instances(s.IfThenElse, node.body)
    return any(store.buffer == node.name for branch in branches for store in instances(s.Store, branch))


def _unwidened(value: Expr) -> Expr:
    """An integer before the cast that error slots need."""
    return value.value if isinstance(value, Cast) and value.type is INT64 and not value.value.type.floating else value


def after_names(x: Expressions, lines: list[str]) -> list[str]:
    """Lines after the declarations that their expressions need, in braces if there are any."""
    return _braces([*x.frame.lines, *lines]) if x.frame.lines else lines


def _braces(lines: list[str]) -> list[str]:
    return ["{", *indented(lines), "}"]


def indented(lines: Sequence[str]) -> list[str]:
    """The lines with one more level of indentation."""
    return [f"    {line}" for line in lines]


def _comment(text: str) -> str:
    """The name of a Func inside a comment: without its ends, and without what joins lines."""
    plain = "".join([c if c.isprintable() and c not in "\\?" else "_" for c in text.partition("$")[0]])
    return plain.replace("/*", "/ *").replace("*/", "* /")


def _printed(kind: Type, text: str) -> str:
    """A value as fprintf takes it."""
    if kind.boolean:
        return f'{text} ? "true" : "false"'
    if kind.floating:
        return f"(double){text}"
    return f"(unsigned long long){text}" if kind.nbits == 64 and not kind.signed else f"(long long){text}"


def _call_extern(
    x: Expressions, node: s.CallExtern, fresh: Callable[[str], str], leave: Callable[[str], Sequence[str]]
) -> list[str]:
    """The lines of a call; `leave(status)`: what to do when the variable `status` is not 0."""
    lines: list[str] = []
    arguments: list[str] = []
    types: list[str] = []
    dims: list[tuple[str, int]] = []
    for operand in node.operands:
        if isinstance(operand, BufferView):
            name = fresh("view")
            lines += _view(x, operand, name)
            arguments.append(f"&{name}")
            types.append("struct halide_buffer_t *")
            dims.append((f"{name}_dim", len(operand.box)))
        else:
            arguments.append(x.scalar(operand))
            types.append(c_type(operand.type))
    status = fresh("status")
    lines.append(f"extern int {node.symbol}({', '.join(types) or 'void'});")
    lines.append(f"const int {status} = {node.symbol}({', '.join(arguments)});")
    lines += leave(status)
    place = 0
    for dim, count in dims if node.results else ():
        for d in range(count):
            for what in ("min", "extent"):
                lines.append(f"{x.name_of(node.results)}[{place}] = {dim}[{d}].{what};")
                place += 1
    return ["{", *[f"    {line}" for line in [*x.frame.lines, *lines]], "}"]


def _view(x: Expressions, view: BufferView, name: str) -> list[str]:
    count = len(view.box)
    rows = []
    for d, (minimum, extent) in enumerate(view.box):
        stride = f"(int32_t){x.scalar(view.strides[d], True, UNARY)}" if view.name else "0"
        rows.append(f"{{{x.scalar(minimum, True)}, {x.scalar(extent, True)}, {stride}, 0}}")
    host = f"(uint8_t *)({x.name_of(view.name)} + {x.scalar(view.offset, True, UNARY)})" if view.name else "NULL"
    bits = type_bits(view.element)
    kind = f"{{{bits & 255}, {bits >> 8 & 255}, {bits >> 16}}}"
    return [
        f"halide_dimension_t {name}_dim[{max(count, 1)}] = {{{', '.join(rows) or '{0, 0, 0, 0}'}}};",
        f"struct halide_buffer_t {name} = {{0, NULL, {host}, 0, {kind}, {count}, {name}_dim, NULL}};",
    ]


def _operand_roots(node: s.CallExtern) -> list[Expr]:
    """The expressions that a call evaluates."""
    roots: list[Expr] = []
    for operand in node.operands:
        parts = operand.children() if isinstance(operand, BufferView) else (operand,)
        roots += [part for part in parts if isinstance(part, Expr)]
    return roots


# Lambdas call methods that OpenCL overrides. All loops are serial in C, and C99 has no prefetch.
_WRITERS: dict[type, Callable[[CStatements, Any], list[str]]] = {
    s.Block: CStatements._block,
    s.AtomicUpdate: lambda statements, node: statements._plain(node.body),
    s.Store: lambda statements, node: statements._store(node),
    s.For: lambda statements, node: statements._for(node),
    s.IfThenElse: CStatements._if,
    s.Assert: CStatements._assert,
    s.Allocate: lambda statements, node: statements._allocate(node),
    s.Report: CStatements._report,
    s.PrefetchLoad: lambda statements, node: [],
    s.Evaluate: lambda statements, node: [],
    s.CallExtern: CStatements._call_extern,
}
