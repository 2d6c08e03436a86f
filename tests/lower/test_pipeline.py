"""The list of passes: what each needs is ensured before it, and the verifier finds what does not hold."""

import pytest
from hand_written import *

import pipec as hl
from pipec import diagnostics
from pipec.errors import InternalError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.func.functions.names import local_names
from pipec.ir.expr import TRUE, ParameterRef, const
from pipec.ir.stmt import For, LetStmt, Partition, Stmt
from pipec.lower.context import LoweringContext
from pipec.lower.pipeline import PASSES, PLANNING, Pass, run_passes
from pipec.lower.properties import Property, PropertyVerifier
from pipec.records import replace
from pipec.schedule.fields import StageRef
from pipec.schedule.specialize import Specialize


def lowered(until: str = "") -> LoweringContext:
    """A pipeline of two Funcs after the pass of that name, or after all."""
    with local_names():
        a, f, g = hl.ImageParam(hl.UInt(16), 1, "a"), hl.Func("f"), hl.Func("g")
        v, p = hl.Var("v"), hl.Param(hl.UInt(16), "p")
        f[v] = a[v] + p
        g[v] = f[v] + f[v + 1]
        g.vectorize(v, 4)
        f.compute_root()
        definition, _ = freeze([g.function], "two")
    context = LoweringContext(definition, schedule_of([g.function]), hl.Target("host"))
    names = [step.name for step in PASSES]
    run_passes(context, PASSES[: names.index(until) + 1 if until else None])
    return context


def test_what_a_pass_needs_is_ensured_before_it():
    ensured: set[Property] = set()
    for step in PASSES:
        missing = set(step.needs) - ensured
        assert not missing, f"{step.name} needs {missing}"
        ensured.update(step.ensures)
    assert ensured == set(Property), "some pass ensures each property"


def test_planning_is_the_beginning_of_the_list():
    assert PASSES[: len(PLANNING)] == PLANNING


def violated(context: LoweringContext, which: Property) -> str:
    with pytest.raises(InternalError) as error:
        PropertyVerifier().before(context, "a pass", [which])
    return str(error.value)


def with_statement(stmt: Stmt) -> LoweringContext:
    context = lowered("write statement")
    context.stmt = stmt
    return context


COPY = provide("g", call("f", x), x)
STATEMENTS = {
    Property.SHORT_LETS: LetStmt("t", x, COPY),
    Property.NO_MARKS: when(likely(TRUE), COPY),
    Property.FLAT_STORAGE: COPY,
    Property.NO_VECTOR_LOOPS: loop("x", 0, 8, COPY, VECTORIZED),
    Property.NO_UNROLLED_LOOPS: loop("x", 0, 8, COPY, UNROLLED),
}


@pytest.mark.parametrize("which", STATEMENTS)
def test_a_statement_that_lacks_a_property_is_detected(which):
    assert f'The property "{which.value}" does not hold before a pass: ' in violated(
        with_statement(STATEMENTS[which]), which
    )


def test_a_partition_policy_that_is_left_is_detected():
    left = For("x", const(0), const(8), SERIAL, COPY, Partition.Never)
    assert "x has policy Never" in violated(with_statement(left), Property.NO_MARKS)


def test_definitions_that_lack_a_property_are_detected():
    context = lowered("check schedule")
    assert "p is a ParameterRef" in violated(context, Property.PLAIN_VARIABLES)
    del context.funcs["f"]
    assert "f is called" in violated(context, Property.INLINED)
    context.schedule = context.schedule.add(Specialize(StageRef("g"), TRUE))
    assert "g has one version" in violated(context, Property.VERSIONS)


def test_plans_that_lack_a_property_are_detected():
    context = lowered("fold storage")
    f, g = context.plan.funcs["f"], context.plan.funcs["g"]
    f.folds = []
    assert "f has 0 fold factors" in violated(context, Property.FOLDS)
    f.storage = ()
    assert "the stored region of f" in violated(context, Property.BOUNDS)
    f.store_level = g.nests[0].innermost()
    assert "f is computed outside of the loop where it is stored" in violated(context, Property.LEVELS)
    f.compute_level = f.nests[0].innermost()
    f.store_level = f.compute_level
    assert "f is computed where g does not see it" in violated(context, Property.LEVELS)
    f.nests = []
    assert "f has nests for the stages []" in violated(context, Property.LOOP_NESTS)


def test_the_verifier_looks_at_what_a_pass_ensures():
    wrong = replace(PASSES[0], name="wrong", run=lambda context: None, ensures=(Property.FLAT_STORAGE,))
    with pytest.raises(InternalError, match='"stores and loads have one index" does not hold after wrong'):
        run_passes(lowered("write statement"), [wrong])


def test_a_pass_that_writes_malformed_ir_is_detected():
    def run(context):
        context.stmt = COPY.rebuild(lambda child: ParameterRef(U16, "p", None) if child is COPY.values[0] else child)

    wrong = Pass("wrong", run, ensures=(Property.STATEMENT,))
    with pytest.raises(InternalError, match="Malformed IR after wrong"):
        run_passes(lowered("write statement"), [wrong])


def test_the_log_shows_what_each_pass_changed(capsys):
    diagnostics.enable("passes")
    try:
        lowered()
    finally:
        diagnostics.enable("")
    log = capsys.readouterr().err
    for step in PASSES:
        assert f"[passes] {step.name}" in log, f"{step.name} is not in the log"
    assert "[passes] trace (unchanged)" in log
    assert "[passes] write statement: statement\nlet g.s0.v.min" in log
    changed = log.split("[passes] vectorize loops\n")[1].split("[passes]")[0]
    assert changed.startswith("@@") and "\n-" in changed and "\n+" in changed
