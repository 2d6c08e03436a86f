"""Properties of a pipeline that passes need and ensure, and how the verifier checks them."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Iterable, Iterator

from pipec.bounds.conditions import is_likely
from pipec.errors import InternalError
from pipec.ir.expr import Const, Expr, FuncCall, Intrinsic, ParameterRef, ReductionVariable, Variable
from pipec.ir.stmt import For, LetStmt, LoopKind, Partition, Provide, Realize, Stmt
from pipec.ir.verify import LoweringStage, VerifiedNodes, verify
from pipec.ir.walk import instances, statements
from pipec.lower.context import LoweringContext
from pipec.lower.planning.versions import SpecializedStage, versions_of
from pipec.schedule.fields import StageRef
from pipec.schedule.specialize import is_specialized


class Property(enum.Enum):
    """A property that a pipeline has after some pass."""

    PLAIN_VARIABLES = "Params and reduction variables are plain variables"
    INLINED = "no stage calls an inlined Func"
    VERSIONS = "each specialized stage has its versions"
    LOOP_NESTS = "each stage has a loop nest"
    LEVELS = "the compute and store level of each Func enclose its uses"
    BOUNDS = "the region that each Func computes and the region that it stores are bounded"
    FOLDS = "each dimension of storage is folded or not"
    STATEMENT = "the plan is one statement, with names that are bound once and expressions that are well typed"
    SHORT_LETS = "no let names a constant or a variable"
    NO_MARKS = "no likely mark and no partition policy is left"
    FLAT_STORAGE = "stores and loads have one index"
    NO_VECTOR_LOOPS = "no loop is vectorized: vectors are explicit"
    NO_UNROLLED_LOOPS = "no loop is unrolled: copies are explicit"
    PROGRAM = "every name of the program is bound"


def verifying() -> bool:
    """Whether PIPEC_VERIFY asks for the verifier between passes."""
    return os.environ.get("PIPEC_VERIFY", "") not in ("", "0")


class PropertyVerifier:
    """Checks the properties of one pipeline while it is lowered."""

    def __init__(self) -> None:
        self.ensured: set[Property] = set()
        # Shared by all verifications: nodes that a pass did not change are not verified again.
        self.verified = VerifiedNodes()
        # What is known of the statement, until a pass changes it.
        self.stmt: Stmt | None = None
        self.facts: set[Property | LoweringStage] = set()

    def before(self, context: LoweringContext, name: str, needs: Iterable[Property]) -> None:
        """Raises InternalError when a property that the pass `name` needs does not hold."""
        self._require(context, needs, f"before {name}")

    def after(self, context: LoweringContext, name: str, ensures: Iterable[Property]) -> None:
        """Raises InternalError when a property that the pass `name` ensures does not hold, or IR is malformed."""
        self.ensured.update(ensures)
        self._require(context, ensures, f"after {name}")
        if Property.STATEMENT in self.ensured and (stage := self._stage()) not in self._verified_facts(context):
            verify(context.stmt, stage, name, self.verified)
            self.facts.add(stage)
        if Property.PROGRAM in ensures:
            verify(context.program, LoweringStage.LOWERED, name, self.verified)

    def _require(self, context: LoweringContext, properties: Iterable[Property], when: str) -> None:
        for required in properties:
            if required in self._verified_facts(context):
                continue
            violation = next(_VIOLATIONS[required](context), None)
            if violation is not None:
                raise InternalError(f'The property "{required.value}" does not hold {when}: {violation}')
            if required in _OF_STATEMENTS:
                self.facts.add(required)

    def _verified_facts(self, context: LoweringContext) -> set[Property | LoweringStage]:
        """The properties that the statement as it is was found to have, and the stages at which it is well formed."""
        stmt = getattr(context, "stmt", None)
        if stmt is not self.stmt:
            self.stmt, self.facts = stmt, set()
        return self.facts

    def _stage(self) -> LoweringStage:
        if Property.FLAT_STORAGE not in self.ensured:
            return LoweringStage.SCHEDULED
        lowered = {Property.NO_VECTOR_LOOPS, Property.NO_UNROLLED_LOOPS} <= self.ensured
        return LoweringStage.LOWERED if lowered else LoweringStage.FLAT


def _definitions(context: LoweringContext) -> list[Expr]:
    stages = [stage for func in context.funcs.values() for stage in func.stages]
    versions = [version.stage for stage in stages for version in versions_of(stage)]
    return [root for version in versions for root in version.roots]


def _parameters(context: LoweringContext) -> Iterator[str]:
    for node in instances((ParameterRef, ReductionVariable), *_definitions(context)):
        yield f"{node.name} is a {type(node).__name__}"


def _inlined_calls(context: LoweringContext) -> Iterator[str]:
    for node in instances(FuncCall, *_definitions(context)):
        if node.name not in context.funcs:
            yield f"{node.name} is called"


def _missing_versions(context: LoweringContext) -> Iterator[str]:
    for name, func in context.funcs.items():
        for number, stage in enumerate(func.stages):
            ref = StageRef(name, number)
            if is_specialized(context.schedule, ref) and not isinstance(stage, SpecializedStage):
                yield f"{ref} has one version"


def _missing_nests(context: LoweringContext) -> Iterator[str]:
    for name, func in context.plan.funcs.items():
        stages = {nest.stage for nest in func.nests}
        if stages != set(range(len(func.definition.stages))):
            yield f"{name} has nests for the stages {sorted(stages)}"


def _wrong_levels(context: LoweringContext) -> Iterator[str]:
    plan = context.plan
    consumers = plan.consumers()
    for name, func in plan.funcs.items():
        if not plan.encloses(func.store_level, func.compute_level):
            yield f"{name} is computed outside of the loop where it is stored"
        for nest in consumers.get(name, []):
            if not plan.encloses(func.compute_level, nest.innermost()):
                yield f"{name} is computed where {nest.func} does not see it"


def _unbounded(context: LoweringContext) -> Iterator[str]:
    for name, func in context.plan.funcs.items():
        for what, box in (("computed", func.required), ("stored", func.storage)):
            if len(box) != len(func.definition.args) or not all(interval.bounded for interval in box):
                yield f"the {what} region of {name} is {box}"


def _missing_folds(context: LoweringContext) -> Iterator[str]:
    for name, func in context.plan.funcs.items():
        if not func.is_output and len(func.folds) != len(func.definition.args):
            yield f"{name} has {len(func.folds)} fold factors"


def _no_statement(context: LoweringContext) -> Iterator[str]:
    if not hasattr(context, "stmt"):
        yield "there is no statement"


def _needless_lets(context: LoweringContext) -> Iterator[str]:
    for node in statements(context.stmt):
        if isinstance(node, LetStmt) and isinstance(node.value, (Const, Variable)):
            yield f"{node.name} = {node.value}"


def _marks(context: LoweringContext) -> Iterator[str]:
    for node in instances((Intrinsic, For), context.stmt):
        if is_likely(node, innermost=True):
            yield str(node)
        elif isinstance(node, For) and node.partition is not Partition.Auto:
            yield f"{node.name} has policy {node.partition.name}"


def _coordinates(context: LoweringContext) -> Iterator[str]:
    for node in statements(context.stmt):
        if isinstance(node, (Provide, Realize)):
            yield f"{type(node).__name__} of {node.name}"


def _loops_of(kind: LoopKind) -> Callable[[LoweringContext], Iterator[str]]:
    def violations(context: LoweringContext) -> Iterator[str]:
        for node in statements(context.stmt):
            if isinstance(node, For) and node.kind is kind:
                yield f"the loop over {node.name}"

    return violations


def _no_program(context: LoweringContext) -> Iterator[str]:
    if not hasattr(context, "program"):
        yield "there is no program"


# These depend on the statement only.
_OF_STATEMENTS = frozenset(
    {
        Property.SHORT_LETS,
        Property.NO_MARKS,
        Property.FLAT_STORAGE,
        Property.NO_VECTOR_LOOPS,
        Property.NO_UNROLLED_LOOPS,
    }
)

_VIOLATIONS: dict[Property, Callable[[LoweringContext], Iterator[str]]] = {
    Property.PLAIN_VARIABLES: _parameters,
    Property.INLINED: _inlined_calls,
    Property.VERSIONS: _missing_versions,
    Property.LOOP_NESTS: _missing_nests,
    Property.LEVELS: _wrong_levels,
    Property.BOUNDS: _unbounded,
    Property.FOLDS: _missing_folds,
    Property.STATEMENT: _no_statement,
    Property.SHORT_LETS: _needless_lets,
    Property.NO_MARKS: _marks,
    Property.FLAT_STORAGE: _coordinates,
    Property.NO_VECTOR_LOOPS: _loops_of(LoopKind.VECTORIZED),
    Property.NO_UNROLLED_LOOPS: _loops_of(LoopKind.UNROLLED),
    Property.PROGRAM: _no_program,
}
