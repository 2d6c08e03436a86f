"""Diagnoses: each kind of finding shows where its defect is, and its mend removes it without changing a pixel."""

import json

import numpy as np
import pytest

import pipec as hl
from bench.diagnoses import CASES
from pipec.inspect.diagnose import diagnose
from pipec.inspect.subject import subject_of
from pipec.ir.program import ProgramArgumentKind
from pipec.pipeline.calls.compiled import CompiledPipeline

MODELLED = sorted(set(CASES) - {"denormals"})


def outputs_of(subject, schedule):
    compiled = CompiledPipeline(subject.definition, schedule, subject.target, is_variant=True)
    inputs, outputs = subject.task.inputs(), subject.task.outputs()
    compiled([outputs[a.name] if a.kind is ProgramArgumentKind.OUTPUT else inputs[a.name] for a in compiled.arguments])
    return [np.asarray(buffer) for buffer in outputs.values()]


@pytest.mark.parametrize("name", MODELLED)
def test_a_defect_is_diagnosed_and_its_mend_removes_it(name):
    case = CASES[name]
    output = case.build(False).function
    findings = diagnose([output], sizes=case.small, measure=False).of_kind(case.kind)
    assert findings and all(finding.numbers and finding.mend for finding in findings)
    finding = findings[0]
    mended = case.build(True).function if case.by_hand else output
    schedule = None if case.by_hand else finding.schedule
    left = diagnose([mended], sizes=case.small, measure=False, schedule=schedule).of_kind(case.kind)
    assert finding.stage.partition("$")[0] not in [other.stage.partition("$")[0] for other in left]


@pytest.mark.parametrize("name", ["recomputed", "inlined", "cache", "tail"])
def test_a_mended_schedule_gives_the_same_pixels(name):
    case = CASES[name]
    output = case.build(False).function
    [finding, *_] = diagnose([output], sizes=case.small, measure=False).of_kind(case.kind)
    subject = subject_of([output], sizes=case.small)
    for before, after in zip(outputs_of(subject, subject.schedule), outputs_of(subject, finding.schedule), strict=True):
        np.testing.assert_allclose(before, after, rtol=1e-5)


def test_denormal_numbers_are_diagnosed_in_the_outputs_of_strict_code():
    case = CASES["denormals"]
    assert hl.Pipeline(case.build(False)).diagnose(sizes=case.small).of_kind("denormals")
    assert not hl.Pipeline(case.build(True)).diagnose(sizes=case.small).of_kind("denormals")
    strict = hl.Target("host-strict_float")
    assert hl.Pipeline(case.build(True)).diagnose(sizes=case.small, target=strict).of_kind("denormals")


def test_a_diagnosis_is_text_json_and_html():
    diagnosis = hl.Pipeline(CASES["serial"].build(False)).diagnose(sizes=[2048, 1024], measure=False)
    data = json.loads(diagnosis.to_json())
    assert data["estimated"] and [f["kind"] for f in data["findings"]] == [f.kind for f in diagnosis]
    first = str(diagnosis).splitlines()[0]
    assert first.startswith("tone_s") and first.endswith("of 2048 x 1024: not run")
    assert "<li>" in diagnosis._repr_html_()


def test_a_good_schedule_has_nothing_to_mend():
    x, y = hl.vars("x y")
    f = hl.Func("fine")
    f[x, y] = hl.f32(x) * 2 + y
    f.vectorize(x, 16).parallel(y)
    diagnosis = hl.Pipeline(f).diagnose(sizes=[4096, 4096], measure=False)
    assert not diagnosis and "Nothing to mend" in str(diagnosis)


def test_updates_that_may_need_their_neighbours_are_not_to_be_vectorized():
    """Paths of least energy from the row above: the checks of schedules do not see that rows are independent."""
    x, y = hl.vars("x y")
    energy, path = hl.funcs("energy path")
    r = hl.RDom([(0, 512), (1, 255)], "r")
    energy[x, y] = (x * 7 + y * 13) % 31
    path[x, y] = energy[x, y]
    path[r.x, r.y] += hl.min(path[r.x, r.y - 1], path[hl.min(r.x + 1, 511), r.y - 1])
    path.vectorize(x, 8)
    findings = diagnose([path.function], sizes=[512, 256], measure=False).of_kind("scalar")
    assert [finding.schedule for finding in findings] == [None]
    assert "write the update with a Var in the place of r$x" in findings[0].mend
