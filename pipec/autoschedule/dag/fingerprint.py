"""Fingerprints of algorithms: equal for pipelines that compute the same in the same way, whatever their names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipec.bounds.linear import canonical
from pipec.errors import ArgumentError
from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef, StageDef
from pipec.ir.expr import Add, Expr, FuncCall, ImageCall, Max, Min, Mul, ParameterRef, ReductionVariable, Sub, Variable
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import rewrite
from pipec.records import dataclass

_NUMBER = re.compile(r"\$\d+$")
MAX_DIFFERENCES = 4
"""Differences that a message lists."""


@dataclass(frozen=True)
class Fingerprint:
    """`digest`: of the whole algorithm, without any names. `stages`: a digest of each stage, by Func, to compare."""

    digest: str
    stages: Mapping[str, tuple[str, ...]]

    def data(self) -> dict[str, Any]:
        """As numbers and texts that JSON can hold."""
        return {"digest": self.digest, "stages": {name: list(digests) for name, digests in self.stages.items()}}

    @staticmethod
    def of_data(data: Any) -> Fingerprint:
        """The fingerprint that `data()` gave."""
        match data:
            case {"digest": str(digest), "stages": dict(stages)}:
                if all(
                    isinstance(digests, list) and all(type(d) is str for d in digests) for digests in stages.values()
                ):
                    return Fingerprint(digest, {str(name): tuple(digests) for name, digests in stages.items()})
        raise ArgumentError(f"Error: This is no fingerprint of an algorithm: {data!r:.200}.")


def fingerprint(definition: PipelineDef) -> Fingerprint:
    """The fingerprint of a frozen pipeline; schedules and sizes do not count."""
    order = _Names({name: f"f{k}" for k, name in enumerate(definition.funcs)}, _arguments(definition))
    parts = [order.of_func(func) for func in definition.funcs.values()]
    parts += [order.funcs[name] for name in definition.outputs]
    for group in (definition.images, definition.output_constraints):
        parts += [order.of_image(image) for image in group.values()]
    parts += [f"{order.arguments[name]} {kind}" for name, kind in definition.scalars.items()]
    parts += [_digest([order.changed(condition, {})]) for condition, _ in definition.requirements]
    readable = _Names({name: _NUMBER.sub("", name) for name in definition.funcs}, _arguments(definition))
    stages: dict[str, tuple[str, ...]] = {}
    for name, func in definition.funcs.items():
        key = readable.funcs[name]
        stages[key if key not in stages else name] = tuple(readable.of_stage(func, stage) for stage in func.stages)
    return Fingerprint(_digest(parts), stages)


def difference(old: Fingerprint, new: Fingerprint) -> str:
    """Returns a text about what changed from one algorithm to the other, empty when they are the same."""
    if old.digest == new.digest:
        return ""
    texts = [f"Func {name} no longer exists" for name in old.stages if name not in new.stages]
    texts += [f"Func {name} is new" for name in new.stages if name not in old.stages]
    for name in new.stages:
        if name in old.stages and old.stages[name] != new.stages[name]:
            texts.append(_changed_func(name, old.stages[name], new.stages[name]))
    if not texts:
        texts = ["the outputs, the images or what is demanded of them differ"]
    rest = len(texts) - MAX_DIFFERENCES
    return "; ".join(texts[:MAX_DIFFERENCES]) + (f"; and {rest} more differences" if rest > 0 else "")


def _changed_func(name: str, old: Sequence[str], new: Sequence[str]) -> str:
    if len(old) != len(new):
        return f"Func {name} has {len(new) - 1} update definitions instead of {len(old) - 1}"
    changed = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    words = ["the pure definition" if k == 0 else f"update({k - 1})" for k in changed]
    return f"{' and '.join(words)} of Func {name} changed"


def _arguments(definition: PipelineDef) -> dict[str, str]:
    return {name: f"i{k}" for k, name in enumerate([*definition.images, *definition.scalars])}


class _Names:
    """The names of Funcs and arguments in a fingerprint."""

    def __init__(self, funcs: Mapping[str, str], arguments: Mapping[str, str]) -> None:
        self.funcs, self.arguments = funcs, arguments

    def of_func(self, func: FuncDef) -> str:
        return _digest([self.funcs[func.name], *map(str, func.types), *[self.of_stage(func, s) for s in func.stages]])

    def of_stage(self, func: FuncDef, stage: StageDef) -> str:
        loops = {name: f"x{k}" for k, name in enumerate(func.args)}
        loops |= {loop.name: f"r{k}" for k, loop in enumerate(stage.rvars)}
        bounds = [part for loop in stage.rvars for part in (loop.minimum, loop.extent)]
        roots = [*stage.args, *stage.values, *bounds, stage.predicate]
        shape = f"{len(stage.args)} {len(stage.values)} {len(stage.rvars)}"
        return _digest([shape, *[self.changed(root, loops) for root in roots]])

    def of_image(self, image: ImageDef) -> str:
        bounds = [part for triple in image.constraints for part in triple]
        texts = ["" if part is None else self.changed(part, {}) for part in bounds]
        return _digest([self._owner(image.name), str(image.type), str(image.dimensions), *texts])

    def changed(self, root: Expr, loops: Mapping[str, str]) -> str:
        """The digest of an expression in which all has the names of the fingerprint."""

        def change(node: Any) -> Any:
            match node:
                case FuncCall():
                    return FuncCall(node.type, self._func(node.name), node.args, node.value_index, None)
                case ImageCall():
                    return ImageCall(node.type, self._owner(node.name), node.args, None)
                case ParameterRef():
                    return ParameterRef(node.type, self._owner(node.name), None)
                case Variable():
                    return Variable(node.type, loops.get(node.name, node.name))
                case ReductionVariable():
                    return ReductionVariable(node.type, loops.get(node.name, node.name), None)
                case Add() | Sub() | Mul() | Min() | Max() if node.type in (INT32, INT64):
                    # What was simplified, as gradients are, has its operands in an order that depends on names.
                    return canonical(node)
            return node

        return f"{rewrite(root, change).digest():x}"

    def _func(self, name: str) -> str:
        return self.funcs.get(name, name)

    def _owner(self, name: str) -> str:
        """An argument, or a property of one such as `image.extent.0`."""
        own = self.arguments.get(name) or self.funcs.get(name)
        if own is not None:
            return own
        owner, dot, rest = name.partition(".")
        return f"{self.arguments.get(owner, self.funcs.get(owner, owner))}{dot}{rest}"


def _digest(parts: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(f"{len(part)} {part}".encode())
    return digest.hexdigest()
