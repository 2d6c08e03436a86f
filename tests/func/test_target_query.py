"""Questions about the target keep their names, so that serialized pipelines can ask them again."""

import pytest

import pipec as hl
from pipec.func.math.target_query import fact_named

QUESTIONS = [
    hl.target_bits(),
    hl.target_arch_is(hl.TargetArch.ARM),
    hl.target_os_is(hl.TargetOS.Linux),
    hl.target_has_feature(hl.TargetFeature.AVX2),
    *[hl.target_natural_vector_size(kind) for kind in (hl.UInt(8), hl.Float(32), hl.Bool(), hl.BFloat(16))],
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_question_is_looked_up_by_its_name(question):
    assert fact_named(question.node.name) == question.node.parameter


@pytest.mark.parametrize("name", ["target", "target_bits(3)", "target_arch_is(Z80)", "image.min.0", "target_x()"])
def test_other_names_are_no_questions(name):
    assert fact_named(name) is None


def test_a_pipeline_with_all_of_it_is_serialized():
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = hl.select(x < 3, hl.undef(hl.Int(32)), hl.memoize_tag(x, y)) + hl.target_bits()
    f[hl.scatter([6, 7]), y] = f[hl.gather([7, 6]), y]
    second = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(f)), {})
    out = hl.Buffer(hl.Int(32), [9, 2])
    second.realize(out)
    assert [out[x, 1] for x in range(3, 9)] == [67, 68, 69, 71, 70, 72]
