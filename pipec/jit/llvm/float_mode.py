"""The floating-point mode of machine code: results too small for a normal number are zero unless it is strict.

Arithmetic with denormal numbers takes many times as long as with normal ones. So the entry of a program and each of its
tasks set the mode in the processor's register, run their bodies in functions of their own, and restore what their
caller had, whether the body ends well or not. While a body calls code of others, that caller's mode is restored, too:

    entry(slots)            outer = mode; mode = flush; status = entry.body(slots, outer); mode = outer
    entry.body(slots, outer)     ...  outside.1(outer, function, operands)  ...
    outside.1(outer, ...)   own = mode; mode = outer; answer = function(operands); mode = own

Both are functions of their own because LLVM, for which arithmetic does not depend on the mode, may move it past any
instruction that sets the mode, but not out of a function. Strict programs keep denormal numbers, also where their
caller does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipec.records import dataclass

if TYPE_CHECKING:
    from pipec.jit.llvm.function import FunctionWriter, ModuleWriter

OUTER = "%outer"


@dataclass(frozen=True)
class ModeRegister:
    """A processor's register with the mode: the type of its value, and the bits that make small numbers zero.

    `read` are lines that give `%NAME`, `write` those that set the register to `VALUE`; `slot` is a line that both need.
    """

    type: str
    flush_bits: int
    slot: str
    read: tuple[str, ...]
    write: tuple[str, ...]
    declarations: tuple[str, ...]


_REGISTERS = {
    # Bit 15: small results are zero; bit 6: small operands are.
    "mxcsr": ModeRegister(
        "i32",
        1 << 15 | 1 << 6,
        "%slot = alloca i32, align 4",
        ("call void @llvm.x86.sse.stmxcsr(ptr %slot)", "NAME = load i32, ptr %slot, align 4"),
        ("store i32 VALUE, ptr %slot, align 4", "call void @llvm.x86.sse.ldmxcsr(ptr %slot)"),
        ("void @llvm.x86.sse.stmxcsr(ptr)", "void @llvm.x86.sse.ldmxcsr(ptr)"),
    ),
    # Bit 24: both.
    "fpcr": ModeRegister(
        "i64",
        1 << 24,
        "",
        ("NAME = call i64 @llvm.aarch64.get.fpcr()",),
        ("call void @llvm.aarch64.set.fpcr(i64 VALUE)",),
        ("i64 @llvm.aarch64.get.fpcr()", "void @llvm.aarch64.set.fpcr(i64)"),
    ),
}


class FloatMode:
    """The functions of a module that set the mode, if its program computes with floats."""

    def __init__(self, module: ModuleWriter) -> None:
        self.module = module
        names = [name for name in _REGISTERS if module.can(name)]
        self.register = _REGISTERS[names[0]] if names else None
        self.outside: dict[str, str] = {}

    def define(self, linkage: str, symbol: str, parameters: str, body: str) -> None:
        """Defines a function that is called from outside of the module, or by the thread pool."""
        register, functions = self.register, self.module.functions
        if register is None:
            functions.append(f"define {linkage}i32 {symbol}({parameters}) #0 {{\n{body}\n}}\n")
            return
        own = f"{symbol}.body({parameters}, {register.type} {OUTER})"
        functions.append(f"define internal i32 {own} #3 {{\n{body}\n}}\n")
        change = self._change(register) if self.module.has_floats else ""
        functions.append(_entry(register, change, linkage, symbol, parameters))

    def call_outside(self, f: FunctionWriter, function: str, operands: Sequence[str]) -> str:
        """Calls code of others that returns an i32. An operand is its type and its value, as in LLVM's text."""
        if self.register is None:
            return f.emit(f"call i32 {function}({', '.join(operands)})")
        types = ", ".join([operand.rpartition(" ")[0] for operand in operands])
        if types not in self.outside:
            symbol = self.outside[types] = f"@pipec.outside.{len(self.outside)}"
            self._declare(self.register)
            self.module.functions.append(_outside(self.register, self.module.has_floats, types, symbol))
        arguments = ", ".join([f"{self.register.type} {OUTER}", f"ptr {function}", *operands])
        return f.emit(f"call i32 {self.outside[types]}({arguments})")

    def _change(self, register: ModeRegister) -> str:
        """The instruction that makes the mode of this module from the caller's."""
        self._declare(register)
        if self.module.has_strict_floats:
            return f"and {register.type} {OUTER}, {~register.flush_bits}"
        return f"or {register.type} {OUTER}, {register.flush_bits}"

    def _declare(self, register: ModeRegister) -> None:
        for signature in register.declarations if self.module.has_floats else ():
            self.module.declare(signature.partition(" ")[2].partition("(")[0], signature)

    @property
    def flushes(self) -> bool:
        """Whether small numbers are 0 where the program computes with floats."""
        return self.register is not None and not self.module.has_strict_floats

    @property
    def attribute(self) -> str:
        """The attribute of functions that tells LLVM what becomes of small numbers."""
        flushes = self.flushes and self.module.has_floats
        return ' "denormal-fp-math"="preserve-sign,preserve-sign"' if flushes else ""


def _entry(register: ModeRegister, change: str, linkage: str, symbol: str, parameters: str) -> str:
    arguments = parameters.replace(" noalias", "")
    if not change:
        lines = [f"%status = call i32 {symbol}.body({arguments}, {register.type} 0)"]
    else:
        lines = [
            *_read(register, OUTER),
            f"%own = {change}",
            *_write(register, "%own"),
            f"%status = call i32 {symbol}.body({arguments}, {register.type} {OUTER})",
            *_write(register, OUTER),
        ]
    return _function(f"{linkage}i32 {symbol}({parameters}) #0", register, [*lines, "ret i32 %status"])


def _outside(register: ModeRegister, sets_mode: bool, types: str, symbol: str) -> str:
    operands = [f"{type_} %a{number}" for number, type_ in enumerate(types.split(", ") if types else ())]
    call = f"%answer = call i32 %function({', '.join(operands)})"
    lines = [call]
    if sets_mode:
        lines = [*_read(register, "%own"), *_write(register, OUTER), call, *_write(register, "%own")]
    parameters = ", ".join([f"{register.type} {OUTER}", "ptr %function", *operands])
    return _function(f"internal i32 {symbol}({parameters}) #3", register, [*lines, "ret i32 %answer"])


def _function(head: str, register: ModeRegister, lines: Sequence[str]) -> str:
    return "\n".join([f"define {head} {{", *[f"  {line}" for line in (register.slot, *lines) if line], "}\n"])


def _read(register: ModeRegister, name: str) -> list[str]:
    return [line.replace("NAME", name) for line in register.read]


def _write(register: ModeRegister, value: str) -> list[str]:
    return [line.replace("VALUE", value) for line in register.write]
