"""The counter of a loop, and multiples of it that count along, so that addresses need no multiplication.

LLVM would find such counters too, but its search takes more than half of the time of code generation and finds nothing
better; an empty instruction hides from it that they count up.
"""

from __future__ import annotations

import re

from pipec.jit.llvm.function import FunctionWriter
from pipec.records import dataclass, field

# Each multiple takes a register.
MAX_MULTIPLES = 3


@dataclass
class Multiple:
    """`factor` times the counter: its values in this iteration, hidden from LLVM, and in the next one."""

    factor: int
    start: str
    current: str
    hidden: str
    following: str


@dataclass
class Induction:
    """The counter of an open loop from `minimum` to `end`; `before`: lines of the block before the loop.

    `head`, `position`: where in the lines of the loop its first block begins; two lines are reserved there.
    """

    minimum: str
    end: str
    before: list[str]
    head: list[str]
    position: int
    place: int
    counter: Multiple
    multiples: list[Multiple] = field(default_factory=list)

    def multiple(self, f: FunctionWriter, factor: int) -> str | None:
        """The counter times `factor`; None: better multiplied."""
        for multiple in self.multiples:
            if multiple.factor == factor:
                return multiple.hidden
        if factor <= 1 or len(self.multiples) == MAX_MULTIPLES:
            return None
        multiple = Multiple(factor, self._scaled(f, self.minimum, factor), f.name(), f.name(), f.name())
        self.multiples.append(multiple)
        return multiple.hidden

    def _scaled(self, f: FunctionWriter, text: str, factor: int) -> str:
        if text.lstrip("-").isdigit():
            return str(int(text) * factor)
        name = f.name()
        self.before.append(f"  {name} = mul i64 {text}, {factor}")
        return name

    def close(self, f: FunctionWriter, preheader: str, after: str, body: str) -> None:
        """Write the end of the loop, and what its counters need at its head."""
        counters = (
            self.multiples if self.multiples and not self._counter_is_used(f) else [self.counter, *self.multiples]
        )
        for counter in counters:
            f.line(f"{counter.following} = add nsw i64 {counter.hidden}, {counter.factor}")
        last = counters[0]
        end = self._scaled(f, self.end, last.factor) if last.factor != 1 else self.end
        done = f.emit(f"icmp eq i64 {last.following}, {end}")
        f.line(f"br i1 {done}, label %{after}, label %{body}, !llvm.loop {_aligned(f)}")
        self.head[self.position] = "\n".join(
            [f"  {c.current} = phi i64 [ {c.start}, %{preheader} ], [ {c.following}, %{f.label} ]" for c in counters]
        )
        self.head[self.position + 1] = "\n".join([f"  {c.hidden} = {_hidden(f, c.current)}" for c in counters])

    def _counter_is_used(self, f: FunctionWriter) -> bool:
        mentioned = re.compile(rf"{self.counter.hidden}\b")
        first = next(i for i, chunk in enumerate(f.chunks) if chunk is self.head)
        return any(mentioned.search(line) for chunk in f.chunks[first:] for line in chunk)


def begin_induction(f: FunctionWriter, minimum: str, end: str, before: list[str]) -> Induction:
    """The counter of the loop whose first block has just been started."""
    head = f.chunks[-1]
    position = len(head)
    head += ["", ""]
    counter = Multiple(1, minimum, f.name(), f.name(), f.name())
    return Induction(minimum, end, before, head, position, len(f.scopes) - 1, counter)


def _aligned(f: FunctionWriter) -> str:
    """Metadata of a loop that begins where a line of the caches does: machines decode short loops by whole lines."""
    align = f.module.metadata_once('!{!"llvm.loop.align", i32 64}')
    own = f"!{len(f.module.metadata)}"
    return f.module.metadata_node(f"distinct !{{{own}, {align}}}")


def _hidden(f: FunctionWriter, text: str) -> str:
    return f'call i64 asm "", "=r,0"(i64 {text})' if f.module.can("inline assembly") else f"add i64 {text}, 0"
