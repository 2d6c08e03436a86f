"""All passes from definitions to the lowered Program, in order.

The list drives timing (`PIPEC_LOG=time`), printing (`PIPEC_LOG=passes`) and verification (`PIPEC_VERIFY=1`).
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Iterable, Sequence

from pipec import diagnostics
from pipec.deep_stack import end_if_cancelled
from pipec.func.functions.definition import StageDef
from pipec.ir.expr import TRUE, Undef, Variable
from pipec.ir.program import BORDER_CHECKS, Program, ProgramArgumentKind
from pipec.ir.stmt import Allocate, LetStmt, Stmt
from pipec.ir.types import UInt
from pipec.ir.walk import statements
from pipec.lower.context import LoweringContext
from pipec.lower.legality.check_loops import check_extents, check_gpu_loops
from pipec.lower.legality.check_schedule import check_schedule
from pipec.lower.legality.check_target import check_target
from pipec.lower.passes.allocations import hoist_allocations, reuse_storage
from pipec.lower.passes.carry_values import carry_values
from pipec.lower.passes.check_accesses import check_accesses
from pipec.lower.passes.constant_extents import constant_extents, kernel_storage
from pipec.lower.passes.debug_calls import with_debug_calls
from pipec.lower.passes.debug_files import with_debug_files
from pipec.lower.passes.flatten_storage import flatten_storage
from pipec.lower.passes.fork_async import fork_async
from pipec.lower.passes.fuzz_float_stores import fuzz_float_stores
from pipec.lower.passes.nontemporal_stores import nontemporal_stores
from pipec.lower.passes.partition_loops import original_name, partition_loops
from pipec.lower.passes.promote_accumulators import promote_accumulators
from pipec.lower.passes.simplify_statement import simplify_statement
from pipec.lower.passes.tracing import trace
from pipec.lower.passes.trim_loops import trim_loops
from pipec.lower.passes.unroll_loops import unroll_loops
from pipec.lower.passes.unswitch_loops import unswitch_loops
from pipec.lower.passes.unswitch_selects import unswitch_selects
from pipec.lower.passes.unswitch_updates import unswitch_updates
from pipec.lower.planning.arguments import argument_strides, check_constraints, program_arguments
from pipec.lower.planning.bounds_inference import infer_bounds
from pipec.lower.planning.build_statement import build_statement
from pipec.lower.planning.compute_levels import infer_compute_predicates, resolve_levels
from pipec.lower.planning.coordinate_limits import limit_coordinates
from pipec.lower.planning.definitions import (
    build_loop_nests,
    check_at_run_time,
    clone_per_site,
    drop_unused_funcs,
    infer_value_ranges,
    inline_funcs,
    specialize_fused_stages,
    specialize_stages,
)
from pipec.lower.planning.effects import drop_input_checks, drop_requirements
from pipec.lower.planning.fused_loops import fuse_loops
from pipec.lower.planning.names import ambiguous_scalars, output_buffers, scalar_alias
from pipec.lower.planning.plan import LoweringPlan
from pipec.lower.planning.storage_folding import check_storage_bounds, check_storage_extents, fold_storage
from pipec.lower.properties import Property, PropertyVerifier, verifying
from pipec.lower.vectorize.folded_loads import divide_folded_loads
from pipec.lower.vectorize.interior_gathers import split_interior_gathers
from pipec.lower.vectorize.narrow_arithmetic import narrow_arithmetic
from pipec.lower.vectorize.vector_arithmetic import factor_sums, high_products, narrow_masks, unify_squares
from pipec.lower.vectorize.vectorize_loops import vectorize_loops
from pipec.records import dataclass
from pipec.target import TargetFeature

Run = Callable[[LoweringContext], None]


@dataclass(frozen=True)
class Pass:
    """One step of lowering: `run` changes the context.

    `needs`: the properties without which the pass does not work; `ensures`: those that hold after it.
    """

    name: str
    run: Run
    needs: tuple[Property, ...] = ()
    ensures: tuple[Property, ...] = ()


def on_plan(change: Callable[[LoweringPlan], None]) -> Run:
    """Runs a pass that changes the plan."""
    return lambda context: change(context.plan)


def on_statement(change: Callable[[Stmt], Stmt]) -> Run:
    """Runs a pass from statement to statement."""
    return to_statement(lambda context: change(context.stmt))


def to_statement(change: Callable[[LoweringContext], Stmt]) -> Run:
    """Runs a pass whose result is the new statement."""

    def run(context: LoweringContext) -> None:
        context.stmt = change(context)

    return run


def unless_checked(run: Run) -> Run:
    """Leaves the pass out for checked targets: reused memory would hide accesses outside of its lifetime."""

    def run_unless_checked(context: LoweringContext) -> None:
        if not context.target.has_feature(TargetFeature.Checked):
            run(context)

    return run_unless_checked


def _check_accesses(context: LoweringContext) -> None:
    if context.target.has_feature(TargetFeature.Checked):
        outputs = [context.funcs[name] for name in context.definition.outputs]
        partial = [func for func in outputs if _keeps_values(func.stages[0])]
        checks = list(context.checks)
        initialized = frozenset([buffer for func in partial for buffer in output_buffers(func)])
        arguments = program_arguments(context.definition)
        context.stmt = check_accesses(context.stmt, arguments, initialized, checks)
        context.checks = tuple(checks)


def _keeps_values(pure: StageDef) -> bool:
    """Whether the pure definition of an output is undef somewhere: the caller's values stay there."""
    return pure.predicate is not TRUE or any(isinstance(value, Undef) for value in pure.values)


def _drop_checks(context: LoweringContext) -> None:
    if context.target.has_feature(TargetFeature.NoAsserts):
        drop_requirements(context.plan)
        # A program whose strips pass the borders is left for the exact variant by these checks.
        drop_input_checks(context.plan, frozenset() if context.exact_tails else BORDER_CHECKS)


def _fuzz_float_stores(context: LoweringContext) -> None:
    if context.target.has_feature(TargetFeature.FuzzFloatStores):
        context.stmt = fuzz_float_stores(context.stmt)


def _write_statement(context: LoweringContext) -> None:
    context.stmt, context.checks, notices = build_statement(context.plan)
    for name in sorted(ambiguous_scalars(context.definition)):
        kind = context.definition.scalars[name]
        context.stmt = LetStmt(scalar_alias(name), Variable(kind, name), context.stmt)
    context.notices = list(notices)


def _check_extents(context: LoweringContext) -> None:
    # With exact tails, loops that cannot be vectors stay loops.
    if not context.exact_tails:
        check_extents(context.stmt)


def _make_program(context: LoweringContext) -> None:
    definition = context.definition
    streams = nontemporal_stores(definition, context.schedule, context.stmt)
    arguments, notices = program_arguments(definition), tuple(context.notices)
    any_byte = _any_byte(
        context, [argument.name for argument in arguments if argument.kind is ProgramArgumentKind.INPUT]
    )
    is_checked = not context.target.has_feature(TargetFeature.NoAsserts)
    tables = tuple(sorted(context.plan.tables.items())) if is_checked else ()
    context.program = Program(
        definition.name, arguments, context.stmt, context.checks, notices, streams, any_byte, tables
    )


def _any_byte(context: LoweringContext, inputs: Sequence[str]) -> frozenset[str]:
    """The inputs, and the storage of Funcs with one value, a byte, of which nothing else is known."""
    ranges = context.plan.value_ranges
    bytes_of = {name for name, func in context.funcs.items() if func.types == (UInt(8),) and ranges.is_anything(func)}
    copies = [node.name for node in statements(context.stmt) if isinstance(node, Allocate)]
    return frozenset([*inputs, *[name for name in copies if original_name(name) in bytes_of]])


P = Property
# From definitions to the plan: which loops compute what, where it is stored, which regions are needed.
PLANNING: tuple[Pass, ...] = (
    Pass("check target", lambda c: check_target(c.target)),
    Pass("check schedule", lambda c: check_schedule(c.definition, c.schedule)),
    # Definitions
    Pass("specialize fused stages", specialize_fused_stages),
    Pass("inline Funcs", inline_funcs, ensures=(P.PLAIN_VARIABLES, P.INLINED)),
    Pass("specialize stages", specialize_stages, needs=(P.PLAIN_VARIABLES,), ensures=(P.VERSIONS,)),
    Pass("clone per site", clone_per_site, needs=(P.INLINED, P.VERSIONS), ensures=(P.INLINED, P.VERSIONS)),
    Pass("limit coordinates", limit_coordinates, needs=(P.INLINED,)),
    # Loops
    Pass("build loop nests", build_loop_nests, needs=(P.PLAIN_VARIABLES, P.VERSIONS), ensures=(P.LOOP_NESTS,)),
    Pass("check at run time", on_plan(check_at_run_time)),
    Pass("drop unused Funcs", on_plan(drop_unused_funcs), needs=(P.LOOP_NESTS,)),
    Pass("fuse loops", on_plan(fuse_loops), needs=(P.LOOP_NESTS,)),
    Pass("resolve levels", lambda c: resolve_levels(c.plan, c.owners), needs=(P.LOOP_NESTS,), ensures=(P.LEVELS,)),
    # Regions
    Pass("infer compute predicates", on_plan(infer_compute_predicates), needs=(P.LEVELS,)),
    Pass("infer value ranges", infer_value_ranges, needs=(P.INLINED,)),
    Pass("infer bounds, slide windows", on_plan(infer_bounds), needs=(P.LEVELS,), ensures=(P.BOUNDS,)),
    Pass("fold storage", on_plan(fold_storage), needs=(P.LEVELS, P.BOUNDS), ensures=(P.FOLDS,)),
    Pass("check storage bounds", on_plan(check_storage_bounds), needs=(P.BOUNDS, P.FOLDS)),
    Pass("check storage extents", on_plan(check_storage_extents), needs=(P.BOUNDS, P.FOLDS)),
)
PASSES: tuple[Pass, ...] = (
    *PLANNING,
    # One statement: loops, lets and Provides at coordinates.
    Pass("check constraints", on_plan(check_constraints)),
    Pass("drop checks", _drop_checks),
    Pass("write statement", _write_statement, needs=(P.LEVELS, P.BOUNDS, P.FOLDS), ensures=(P.STATEMENT,)),
    Pass("check GPU loops", lambda c: check_gpu_loops(c.stmt, c.target), needs=(P.STATEMENT,)),
    Pass("report to files", to_statement(lambda c: with_debug_files(c.stmt, c.plan, c.notices))),
    Pass("trace", to_statement(lambda c: trace(c.stmt, c.plan, c.target, c.notices))),
    Pass("report calls", to_statement(with_debug_calls)),
    Pass("fork async Funcs", to_statement(lambda c: fork_async(c.stmt, c.plan)), needs=(P.STATEMENT,)),
    # Loops without boundary tests. Simplification makes extents constant, which partitioning, unrolling and vectorizing
    # need; after partitioning it removes the conditions that the steady state decides.
    Pass("simplify", on_statement(simplify_statement), needs=(P.STATEMENT,), ensures=(P.SHORT_LETS,)),
    Pass("partition loops", on_statement(partition_loops), needs=(P.SHORT_LETS,), ensures=(P.NO_MARKS,)),
    Pass("trim loops", on_statement(trim_loops), needs=(P.NO_MARKS,)),
    Pass("simplify", on_statement(simplify_statement), ensures=(P.SHORT_LETS,)),
    Pass("make extents constant", on_statement(constant_extents), needs=(P.SHORT_LETS,)),
    Pass("make storage in kernels constant", on_statement(kernel_storage), needs=(P.SHORT_LETS,)),
    Pass("check extents", _check_extents, needs=(P.SHORT_LETS,)),
    # Storage
    Pass(
        "flatten storage",
        to_statement(lambda c: flatten_storage(c.stmt, argument_strides(c.definition))),
        needs=(P.NO_MARKS,),
        ensures=(P.FLAT_STORAGE,),
    ),
    Pass("fuzz float stores", _fuzz_float_stores, needs=(P.FLAT_STORAGE,)),
    # Vectors: these widen loads and stores, which have predicates.
    Pass("divide folded loads", on_statement(divide_folded_loads), needs=(P.FLAT_STORAGE, P.NO_MARKS)),
    Pass(
        "vectorize loops",
        on_statement(vectorize_loops),
        needs=(P.FLAT_STORAGE, P.NO_MARKS),
        ensures=(P.NO_VECTOR_LOOPS,),
    ),
    Pass("unroll loops", on_statement(unroll_loops), needs=(P.NO_VECTOR_LOOPS,), ensures=(P.NO_UNROLLED_LOOPS,)),
    Pass("simplify", on_statement(simplify_statement), ensures=(P.SHORT_LETS,)),
    Pass("split interior gathers", on_statement(split_interior_gathers), needs=(P.NO_UNROLLED_LOOPS,)),
    # Registers
    Pass("unswitch loops", on_statement(unswitch_loops), needs=(P.NO_UNROLLED_LOOPS,)),
    Pass("unswitch updates", on_statement(unswitch_updates), needs=(P.NO_UNROLLED_LOOPS,)),
    Pass("unswitch selects", on_statement(unswitch_selects), needs=(P.NO_UNROLLED_LOOPS,)),
    Pass("carry values", on_statement(carry_values), needs=(P.FLAT_STORAGE, P.NO_UNROLLED_LOOPS)),
    Pass("promote accumulators", on_statement(promote_accumulators), needs=(P.FLAT_STORAGE, P.NO_UNROLLED_LOOPS)),
    # The passes above tell elements of a buffer apart by its own strides.
    Pass("reuse storage", unless_checked(on_statement(reuse_storage)), needs=(P.FLAT_STORAGE,)),
    Pass("hoist allocations", unless_checked(on_statement(hoist_allocations)), needs=(P.FLAT_STORAGE,)),
    # Arithmetic of vectors
    Pass("narrow arithmetic", on_statement(narrow_arithmetic), needs=(P.NO_VECTOR_LOOPS,)),
    Pass("factor sums", on_statement(factor_sums), needs=(P.NO_VECTOR_LOOPS,)),
    Pass("multiply high halves", on_statement(high_products), needs=(P.NO_VECTOR_LOOPS,)),
    Pass("unify squares", on_statement(unify_squares)),
    Pass("narrow masks", on_statement(narrow_masks), needs=(P.NO_VECTOR_LOOPS,)),
    Pass("check accesses", _check_accesses, needs=(P.FLAT_STORAGE, P.NO_VECTOR_LOOPS)),
    Pass(
        "make program",
        _make_program,
        needs=(P.FLAT_STORAGE, P.NO_MARKS, P.NO_VECTOR_LOOPS, P.NO_UNROLLED_LOOPS),
        ensures=(P.PROGRAM,),
    ),
)


def run_passes(context: LoweringContext, passes: Iterable[Pass]) -> None:
    """Runs passes over the context; each is timed, printed and verified as PIPEC_LOG and PIPEC_VERIFY say."""
    verifier = PropertyVerifier() if verifying() else None
    printer = _Printer(context) if diagnostics.enabled("passes") else None
    for step in passes:
        end_if_cancelled()
        if verifier is not None:
            verifier.before(context, step.name, step.needs)
        started = time.perf_counter()
        step.run(context)
        diagnostics.write("time", f"{step.name}: {1000 * (time.perf_counter() - started):.1f} ms")
        if printer is not None:
            printer.after(context, step.name)
        if verifier is not None:
            verifier.after(context, step.name, step.ensures)


class _Printer:
    """Prints the changes of each pass: a unified diff, or all of a new form (definitions, plan, statement)."""

    def __init__(self, context: LoweringContext) -> None:
        self.form, self.text = context.text()
        diagnostics.write("passes", f"{self.form}\n{self.text}")

    def after(self, context: LoweringContext, name: str) -> None:
        form, text = context.text()
        if text == self.text:
            change = " (unchanged)"
        elif form != self.form:
            change = f": {form}\n{text}"
        else:
            lines = difflib.unified_diff(self.text.splitlines(), text.splitlines(), n=2, lineterm="")
            change = "".join(f"\n{line}" for line in list(lines)[2:])
        diagnostics.write("passes", f"{name}{change}")
        self.form, self.text = form, text
