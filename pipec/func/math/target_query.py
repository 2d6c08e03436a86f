"""Expressions that ask for the target; their values are known when code is made."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pipec.func.functions.definition import PipelineDef
from pipec.func.math.expr import Expr, wrap
from pipec.ir import build
from pipec.ir.expr import Const, Effect, Intrinsic, ParameterRef, Reinterpret
from pipec.ir.types import BOOL, INT32, Handle, Type, TypeCode, UInt
from pipec.ir.walk import rewriter, substitute
from pipec.records import replace
from pipec.target import Target, TargetArch, TargetFeature, TargetOS


class TargetFact(NamedTuple):
    """A question about the target: what a ParameterRef refers to until a target is chosen."""

    question: str
    subject: TargetArch | TargetOS | TargetFeature | Type | None = None

    def name(self) -> str:
        """The spelling in an Expr."""
        return f"{self.question}({'' if self.subject is None else getattr(self.subject, 'name', self.subject)})"

    def type(self) -> Type:
        """The type of the answer: Bool for a question about arch, OS or feature, else Int(32)."""
        return BOOL if isinstance(self.subject, TargetArch | TargetOS | TargetFeature) else INT32

    def value(self, target: Target) -> int:
        """The answer for a target."""
        subject = self.subject
        if isinstance(subject, TargetArch):
            return int(target.arch is subject)
        if isinstance(subject, TargetOS):
            return int(target.os is subject)
        if isinstance(subject, TargetFeature):
            return int(target.has_feature(subject))
        return target.bits if subject is None else target.natural_vector_size(subject)


def target_arch_is(arch: TargetArch) -> Expr:
    """Whether code is made for this architecture."""
    return _query("target_arch_is", arch, TargetArch)


def target_os_is(os: TargetOS) -> Expr:
    """Whether code is made for this operating system."""
    return _query("target_os_is", os, TargetOS)


def target_has_feature(feature: TargetFeature) -> Expr:
    """Whether code is made for machines with this feature."""
    return _query("target_has_feature", feature, TargetFeature)


def target_bits() -> Expr:
    """The size of an address of the target in bits, an int32."""
    return _query("target_bits", None, type(None))


def target_natural_vector_size(type: Type) -> Expr:
    """The number of values of the type that fill one vector register of the target, an int32."""
    return _query("target_natural_vector_size", type, Type)


def user_context_value() -> Expr:
    """The user context of the call, a handle. Pipelines that Python runs have none: it is null there."""
    return wrap(Reinterpret(Handle(), Const(UInt(64), 0)))


def _query(question: str, subject: Any, kind: type[Any]) -> Expr:
    if not isinstance(subject, kind):
        raise TypeError(f"{question}(): incompatible function arguments: a {kind.__name__} is needed, not {subject!r}")
    fact = TargetFact(question, subject)
    return wrap(ParameterRef(fact.type(), fact.name(), fact))


_SUBJECTS: dict[str, type[Any]] = {
    "target_arch_is": TargetArch,
    "target_os_is": TargetOS,
    "target_has_feature": TargetFeature,
}
_FORM = re.compile(r"(target_\w+)\(((bool|int|uint|float|bfloat)?(\w*))\)")


def fact_named(name: str) -> TargetFact | None:
    """The question that an Expr of this name asks; None when it is none."""
    match = _FORM.fullmatch(name)
    if match is None:
        return None
    question, subject, code, bits = match.groups()
    if question in _SUBJECTS:
        members = _SUBJECTS[question].__members__
        return TargetFact(question, members[subject]) if subject in members else None
    if question == "target_natural_vector_size" and code is not None:
        codes = {"bool": TypeCode.UInt, "int": TypeCode.Int, "uint": TypeCode.UInt, "float": TypeCode.Float}
        return TargetFact(question, Type(codes.get(code, TypeCode.BFloat), int(bits or 1)))
    return TargetFact(question) if name == TargetFact("target_bits").name() else None


def for_target(definition: PipelineDef, target: Target) -> PipelineDef:
    """The pipeline with answers in the place of its questions about the target."""
    if target.has_feature(TargetFeature.CheckUnsafePromises):
        definition = _with_checks(definition)
    if not definition.facts:
        return definition
    values = {fact.name(): Const(fact.type(), fact.value(target)) for fact in definition.facts}
    memo: dict[Any, Any] = {}
    funcs = {n: f.mapped(lambda e: substitute(e, values, ParameterRef, memo)) for n, f in definition.funcs.items()}
    return replace(definition, funcs=funcs, facts=())


def _with_checks(definition: PipelineDef) -> PipelineDef:
    """The pipeline with demands in the place of promises."""

    def change(node: Any) -> Any:
        if not (isinstance(node, Intrinsic) and node.name == "unsafe_promise_clamped"):
            return node
        value, low, high = node.args
        holds = build.and_(build.ge(value, low), build.le(value, high))
        return Effect(node, "require", holds, (f"{holds} from unsafe_promise_clamped",))

    return replace(definition, funcs={n: f.mapped(rewriter(change)) for n, f in definition.funcs.items()})
