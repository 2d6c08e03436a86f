"""Random programs and random schedules of them, as text: what fails can be printed, shortened and pasted.

A program reads the arrays `a` (unsigned 8 bits) and `b` (signed 16 bits) and ends in the Func `out`. Values stay far
inside 32 bits, since overflow has no meaning there; each Func is cast to a narrow type, where wrapping has one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

TYPES = ("u8", "u16", "i16", "i32")
SIZES = (1, 2, 3, 5, 8, 13, 16, 17, 31, 32, 33, 47, 64)


@dataclass
class Stage:
    """A Func of the program: which Funcs it reads, and the reduction variables of its updates."""

    name: str
    producers: set[str] = field(default_factory=set)
    updates: list[tuple[str, ...]] = field(default_factory=list)  # pure variables of each update


@dataclass
class Program:
    """Lines of Python that define Funcs, lines that schedule them, and the size of the output."""

    definition: list[str]
    schedule: list[str]
    size: tuple[int, int]

    def text(self) -> str:
        return "\n".join([*self.definition, *self.schedule])


class Definition:
    """Writes random Funcs of (x, y), each reading earlier ones."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines = [
            'x, y = hl.Var("x"), hl.Var("y")',
            "ea, eb = hl.BoundaryConditions.repeat_edge(a), hl.BoundaryConditions.mirror_interior(b)",
        ]
        self.stages: list[Stage] = []

    def index(self, here: str, other: str) -> str:
        """Where a stage reads along one dimension."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.72:
            return f"{here} + {rng.randint(-2, 2)}"
        if kind < 0.8:
            return f"{here} * 2 + {rng.randint(-1, 1)}"
        if kind < 0.9:
            return f"({here} + {rng.randint(-1, 1)}) // 2"
        if kind < 0.95:
            return f"{other} + {rng.randint(-1, 1)}"
        return f"hl.clamp({here} * 3 - {other}, {rng.randint(-2, 3)}, {rng.randint(4, 9)})"

    def read(self, stage: Stage) -> str:
        """A value of an earlier Func or of an input."""
        earlier = [s.name for s in self.stages[-3:]]
        source = self.rng.choice([*earlier, *earlier, "ea", "eb"])
        if source not in ("ea", "eb"):
            stage.producers.add(source)
        return f"hl.i32({source}[{self.index('x', 'y')}, {self.index('y', 'x')}])"

    def expression(self, stage: Stage, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.read(stage) if rng.random() < 0.8 else rng.choice(["x", "y", str(rng.randint(-9, 99))])
        left, right = self.expression(stage, depth - 1), self.expression(stage, depth - 1)
        return rng.choice(
            [
                f"({left} + {right})",
                f"({left} - {right})",
                f"hl.min({left}, {right})",
                f"hl.max({left}, {right})",
                f"({left} * {rng.randint(-3, 5)})",
                f"({left} // {rng.choice([2, 3, 4, 7])})",
                f"({left} % {rng.choice([2, 3, 16])})",
                f"hl.select({left} < {right}, {right}, {self.read(stage)})",
                f"hl.select({rng.choice('xy')} % 2 == 0, {left}, {right})",
                f"(hl.i32(hl.absd({left}, {right})) // 2)",
                f"hl.clamp({left}, -20, {rng.randint(0, 300)})",
            ]
        )

    def add_stage(self, name: str) -> None:
        rng, stage = self.rng, Stage(name)
        cast = f"hl.{rng.choice(TYPES)}" if name != "out" else "hl.i32"
        self.lines.append(f'{name} = hl.Func("{name}")')
        if rng.random() < 0.12:
            box = f"(-1, {rng.randint(1, 3)}), (0, {rng.randint(1, 3)})"
            source = rng.choice([s.name for s in self.stages[-3:]] or ["ea"])
            stage.producers |= {source} - {"ea"}
            self.lines.append(f'{name}_q = hl.RDom([{box}], "{name}_q")')
            reduction = rng.choice(["hl.sum", "hl.maximum"])
            value = f"{reduction}(hl.i32({source}[x + {name}_q.x, y + {name}_q.y]))"
        else:
            value = self.expression(stage, rng.choice([1, 2, 2, 3]))
        self.lines.append(f"{name}[x, y] = {cast}({value})")
        while rng.random() < 0.2:
            self.add_update(stage, cast)
        self.stages.append(stage)

    def add_update(self, stage: Stage, cast: str) -> None:
        rng, name = self.rng, stage.name
        kind = rng.random()
        if kind < 0.4:
            self.lines.append(f"{name}[x, y] = {name}[x, y] + {cast}({self.expression(stage, 1)})")
            stage.updates.append(("x", "y"))
            return
        domain = f"{name}_r{len(stage.updates)}"
        source = rng.choice([s.name for s in self.stages[-3:]] or ["ea"])
        stage.producers |= {source} - {"ea"}
        if kind < 0.7:
            self.lines.append(f'{domain} = hl.RDom([(-1, 3), (0, {rng.randint(1, 3)})], "{domain}")')
            self.lines.append(f"{name}[x, y] += {cast}({source}[x + {domain}.x, y - {domain}.y])")
            stage.updates.append(("x", "y"))
        elif kind < 0.85:
            self.lines.append(f'{domain} = hl.RDom([(1, {rng.randint(1, 12)})], "{domain}")')
            self.lines.append(f"{name}[x, {domain}.x] = {name}[x, {domain}.x - 1] + {cast}({source}[x, {domain}.x])")
            stage.updates.append(("x",))
        else:
            self.lines.append(f'{domain} = hl.RDom([(0, {rng.randint(1, 9)})], "{domain}")')
            self.lines.append(f"{name}[hl.i32({source}[{domain}.x, y]) % 5, y] += {cast}(1)")
            stage.updates.append(("y",))


class Scheduling:
    """Writes a random schedule; it may be illegal, which both compilers then have to say."""

    def __init__(self, rng: random.Random, stages: list[Stage]) -> None:
        self.rng = rng
        self.stages = stages
        self.lines: list[str] = []
        self.loops: dict[str, list[str]] = {}  # loop variables of the Funcs with storage of their own

    def write(self) -> list[str]:
        for stage in reversed(self.stages):
            if stage.name == "out" or self.place(stage):
                self.transform(stage)
                self.transform_updates(stage)
        return self.lines

    def place(self, stage: Stage) -> bool:
        """Where a Func is computed and stored; whether it has loops of its own then."""
        rng, name = self.rng, stage.name
        consumers = sorted(self.users(name))
        kind = rng.random()
        if kind < 0.2:
            return False
        if kind < 0.45 or not consumers or (len(consumers) > 1 and kind < 0.95):
            self.lines.append(f"{name}.compute_root()")
            return True
        consumer = rng.choice(consumers)
        loops = self.loops[consumer]
        level = rng.randrange(len(loops))
        line = f"{name}.compute_at({consumer}, {loops[level]})"
        if rng.random() < 0.45:
            outer = loops[rng.randrange(level, len(loops))]
            line += rng.choice(
                [f".store_at({consumer}, {outer})", f".store_at({consumer}, {loops[-1]})", ".store_root()"]
            )
        self.lines.append(line)
        return True

    def users(self, name: str) -> set[str]:
        """The Funcs with loops of their own that read it, through inlined ones too."""
        readers = [s.name for s in self.stages if name in s.producers]
        return {user for r in readers for user in ({r} if r in self.loops else self.users(r))}

    def variable(self, name: str) -> str:
        self.lines.append(f'{name} = hl.Var("{name}")')
        return name

    def tail(self, output: bool) -> str:
        choices = ["", "", "", "GuardWithIf", "ShiftInwards"] + ([] if output else ["RoundUp"])
        choice = self.rng.choice(choices)
        return choice and f", hl.TailStrategy.{choice}"

    def transform(self, stage: Stage) -> None:
        """Splits, order, kinds of the loops of the pure definition, and its storage."""
        rng, name, loops = self.rng, stage.name, ["x", "y"]
        output = name == "out"
        for count in range(rng.choice([0, 0, 1, 1, 2])):
            old = rng.choice(loops)
            outer, inner = self.variable(f"{name}_o{count}"), self.variable(f"{name}_i{count}")
            self.lines.append(
                f"{name}.split({old}, {outer}, {inner}, {rng.choice([2, 3, 4, 8, 16])}{self.tail(output)})"
            )
            at = loops.index(old)
            loops[at : at + 1] = [inner, outer]
        if rng.random() < 0.1 and len(loops) > 1:
            at = rng.randrange(len(loops) - 1)
            fused = self.variable(f"{name}_f")
            self.lines.append(f"{name}.fuse({loops[at]}, {loops[at + 1]}, {fused})")
            loops[at : at + 2] = [fused]
        if rng.random() < 0.4:
            rng.shuffle(loops)
            self.lines.append(f"{name}.reorder({', '.join(loops)})")
        if rng.random() < 0.5:
            self.lines.append(f"{name}.vectorize({loops[0]}, {rng.choice([2, 4, 8, 16])}{self.tail(output)})")
        if rng.random() < 0.2:
            self.lines.append(f"{name}.unroll({rng.choice(loops)}, {rng.choice([2, 3])}{self.tail(output)})")
        if rng.random() < 0.3:
            self.lines.append(f"{name}.parallel({rng.choice([loops[-1], loops[-1], rng.choice(loops)])})")
        self.loops[name] = loops
        if not output:
            self.store(name)

    def store(self, name: str) -> None:
        rng = self.rng
        if rng.random() < 0.1:
            self.lines.append(f"{name}.reorder_storage(y, x)")
        if rng.random() < 0.1:
            self.lines.append(f"{name}.align_storage({rng.choice('xy')}, {rng.choice([4, 8])})")
        if rng.random() < 0.1:
            self.lines.append(f"{name}.align_bounds({rng.choice('xy')}, {rng.choice([2, 4])})")
        if rng.random() < 0.05:
            self.lines.append(f"{name}.fold_storage(y, {rng.choice([4, 8, 16])})")

    def transform_updates(self, stage: Stage) -> None:
        rng = self.rng
        for number, pure in enumerate(stage.updates):
            update = f"{stage.name}.update({number})"
            if rng.random() < 0.3:
                self.lines.append(f"{update}.vectorize({rng.choice(pure)}, {rng.choice([2, 4, 8])})")
            elif rng.random() < 0.3:
                self.lines.append(f"{update}.unroll({rng.choice(pure)}, 2)")
            if rng.random() < 0.2:
                self.lines.append(f"{update}.parallel({rng.choice(pure)})")


def random_program(seed: int) -> Program:
    rng = random.Random(seed)
    definition = Definition(rng)
    for number in range(rng.randint(1, 5)):
        definition.add_stage(f"f{number}")
    definition.add_stage("out")
    schedule = Scheduling(rng, definition.stages).write()
    return Program(definition.lines, schedule, (rng.choice(SIZES), rng.choice(SIZES)))
