"""Expressions: every distinct node becomes one value, after its operands, without recursion."""

from __future__ import annotations

from typing import Any

from pipec.bounds.conditions import is_likely
from pipec.errors import InternalError
from pipec.ir.expr import Add, Cast, Const, Expr, Load, Max, Min, Mul, Select, Sub, Variable
from pipec.ir.node import Node, kinds_of
from pipec.ir.types import INT32, INT64, Type
from pipec.ir.walk import instances, postorder
from pipec.jit.llvm.function import NO_BUFFERS, FunctionWriter, LlvmValue, ModuleWriter
from pipec.jit.llvm.induction import Induction
from pipec.jit.llvm.memory.nontemporal_loop import StreamingLoop
from pipec.jit.llvm.types import constant_text, value_type


class Outside:
    """The variables and buffers that a function gets from its caller, by name."""

    def variable(self, f: ExprFunction, node: Variable) -> str | None:
        """Emits the variable in the entry block; returns the text of its value, or None if there is none."""
        raise NotImplementedError

    def has_wide(self, name: str) -> bool:
        """Whether int32 variable `name` is also available in 64 bits."""
        raise NotImplementedError

    def is_argument(self, name: str) -> bool:
        """Whether the name is an argument of the program or a property of one."""
        raise NotImplementedError

    def buffer(self, f: ExprFunction, name: str) -> str | None:
        """As `variable`, for the address of a buffer's element 0."""
        raise NotImplementedError


class ExprFunction(FunctionWriter):
    """A function with the means to evaluate expressions."""

    def __init__(self, module: ModuleWriter, outside: Outside) -> None:
        super().__init__(module)
        self.outside = outside
        self.lets: dict[str, Expr] = {}
        self.loops: set[str] = set()
        # The counters of the enclosing loops.
        self.inductions: dict[str, Induction] = {}
        self.innermost = ""
        self.streams = False
        # The version of a loop that is being emitted.
        self.copy: StreamingLoop | None = None
        self.pointers: dict[str, LlvmValue] = {}
        self.pure: dict[Node, bool] = {}
        self.counters = ""
        self.profiled = 0
        # Of code that is sampled: where its thread notes what it computes, and what stood there before.
        self.thread_state = self.entry_before = ""
        self.report_slots = self.report_alloca = 0
        self.windows: dict[Any, list[tuple[int, int]]] = {}
        self.squares: dict[Any, list[int]] = {}
        self.wide_loads: dict[Any, list[Any]] = {}
        self.wide: dict[str, bool] = {}

    def entry(self, text: str) -> str:
        """Adds an instruction at the head of the function; returns the name of its result."""
        name = self.name()
        self.allocas.append(f"  {name} = {text}")
        return name

    def text(self, node: Expr) -> str:
        """Returns the text of an expression's value."""
        return self.value(node).text

    def value(self, root: Expr) -> LlvmValue:
        """The value of an expression at the current point."""
        value = self.values.get(root)
        if value is not None:
            return value
        stack: list[Expr] = [root]
        while stack:
            node = stack[-1]
            if node in self.values:
                stack.pop()
                continue
            operands = self._operands(node)
            pending = [operand for operand in operands if operand not in self.values]
            if pending:
                stack.extend(reversed(pending))
                continue
            self._make(node, operands)
            stack.pop()
        return self.values[root]

    def _operands(self, node: Expr) -> tuple[Expr, ...]:
        """The operands to evaluate before the node; addresses of loads are evaluated with the load."""
        if isinstance(node, Variable):
            value = self._let_value(node)
            return () if value is None else (value,)
        if isinstance(node, Load):
            return ()
        return node.children()  # type: ignore[return-value]

    def _let_value(self, node: Variable) -> Expr | None:
        value = self.lets.get(node.name)
        if value is None:
            return None
        if node.type is value.type:
            return value
        return self.widen(value)

    def widen(self, node: Expr) -> Expr:
        """A scalar integer expression computed in 64 bits: int32 sums do not overflow by definition."""
        return self._widened(node, {})

    def _widened(self, node: Expr, memo: dict[Expr, Expr]) -> Expr:
        """As `widen`; `memo`: results so far, since nodes have parts in common."""
        wide = memo.get(node)
        if wide is None:
            wide = memo[node] = self._widen(node, memo)
        return wide

    def _widen(self, node: Expr, memo: dict[Expr, Expr]) -> Expr:
        if node.type is INT64:
            if isinstance(node, Cast) and node.value.type is INT32:
                return self._widened(node.value, memo)
            if isinstance(node, (Add, Sub, Mul, Min, Max)):
                return type(node)(self._widened(node.a, memo), self._widened(node.b, memo))
            return node
        if isinstance(node, Const) and node.type is INT32:
            return Const(INT64, node.value)
        if isinstance(node, Variable) and node.type is INT32 and self.has_wide(node.name):
            return Variable(INT64, node.name)
        if node.type is INT32 and isinstance(node, (Add, Sub, Mul, Min, Max)) and not _may_be_anything(node):
            return type(node)(self._widened(node.a, memo), self._widened(node.b, memo))
        if node.type is INT32 and isinstance(node, Select):
            yes, no = self._widened(node.true_value, memo), self._widened(node.false_value, memo)
            return Select(node.condition, yes, no)
        return Cast(INT64, node)

    def _make(self, node: Expr, operands: tuple[Expr, ...]) -> None:
        if isinstance(node, Const):
            self.values[node] = LlvmValue(constant_text(node.type, node.value), 0, NO_BUFFERS)
        elif isinstance(node, Variable):
            if operands:
                operand = self.values[operands[0]]
                self.record(node, operand.text, operand.place, operand.buffers)
            else:
                self._find_variable(node)
        elif isinstance(node, Load):
            self.module.load_rule(self, node)
        elif is_likely(node, innermost=True):
            operand = self.values[operands[0]]
            self.record(node, operand.text, operand.place, operand.buffers)
        else:
            rule = self.module.rules.get(type(node))
            if rule is None:
                raise InternalError(
                    f"Nodes of class {type(node).__name__} must be lowered before code is made: {node}."
                )
            values = [self.values[operand] for operand in operands]
            if isinstance(node, Mul) and isinstance(node.a, Variable) and self._count_along(node.a.name, node):
                return
            self.shared(node, values, lambda: rule(self, node, *[value.text for value in values]))

    def _count_along(self, loop: str, node: Mul) -> bool:
        """Whether a multiple of the innermost loop's counter became an induction variable."""
        induction = self.inductions.get(loop) if loop == self.innermost and node.type is INT64 else None
        if induction is None or not isinstance(node.b, Const):
            return False
        text = induction.multiple(self, int(node.b.value))
        if text is not None:
            self.record(node, text, induction.place)
        return text is not None

    def _find_variable(self, node: Variable) -> None:
        if node.type is INT32 and node.name in self.loops:
            wide = self.value(Variable(INT64, node.name))
            self.shared(node, (wide,), lambda: self.op(f"trunc i64 {wide.text} to i32"))
            return
        text = self.outside.variable(self, node)
        if text is None:
            raise InternalError(f"Variable {node.name} ({node.type}) is used where it is not defined.")
        self.values[node] = LlvmValue(text, 0, NO_BUFFERS)

    def bind(self, name: str, value: Expr) -> None:
        """Binds variable `name` to `value`, which is evaluated at its first use, or now if it reads memory."""
        if self.reads_memory(value):
            current = self.value(value)
            # The variable keeps the value even when the memory that it came from changes.
            self.record(Variable(value.type, name), current.text, current.place)
        else:
            self.lets[name] = value

    def reads_memory(self, value: Expr) -> bool:
        """Whether evaluating an expression, or a variable in it, reads memory."""
        if value not in self.pure:
            for node in postorder(value):
                if node not in self.pure:
                    own = isinstance(node, Load)
                    self.pure[node] = own or any(self.pure[child] for child in node.children())
        return self.pure[value]

    def has_wide(self, name: str) -> bool:
        """Whether int32 variable `name` is available in 64 bits without an extension."""
        if name in self.lets or name in self.loops:
            return True
        # Decided once, so that equal addresses have equal terms wherever they are computed.
        return self.wide.setdefault(name, Variable(INT32, name) not in self.values and self.outside.has_wide(name))

    def let_index(self, name: str) -> Expr | None:
        """The value of a let that index arithmetic looks through."""
        value = self.lets.get(name)
        return value if value is not None and value.type in (INT32, INT64) else None

    def buffer(self, name: str) -> LlvmValue:
        """The address of element 0."""
        pointer = self.pointers.get(name)
        if pointer is None:
            text = self.outside.buffer(self, name)
            if text is None:
                raise InternalError(f"Buffer {name} is used where it is not allocated.")
            pointer = self.pointers[name] = LlvmValue(text, 0, NO_BUFFERS)
        return pointer

    def call(self, kind: Type, name: str, *operands: tuple[Type, str]) -> str:
        """Emits a call of a pure function and declares it."""
        signature = f"{value_type(kind)} {name}({', '.join([value_type(type_) for type_, _ in operands])})"
        self.module.declare(name, signature)
        arguments = ", ".join([f"{value_type(type_)} {text}" for type_, text in operands])
        return self.op(f"call {value_type(kind)} {name}({arguments})")


def _may_be_anything(node: Expr) -> bool:
    """Whether a sum has loaded or converted operands: it may overflow, in 32 bits as in the lanes of a vector."""
    if not node.kinds & kinds_of(Load, Cast):
        return False
    return any(isinstance(part, Load) or part.type.floating for part in instances(Expr, node))
