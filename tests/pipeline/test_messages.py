"""print, print_when and require: what running pipelines tell, and when."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import DefinitionError, RequirementError

x, y = hl.vars("x y")


def printed(capsys: pytest.CaptureFixture[str], value: hl.Expr, size: int, *directives: str) -> list[str]:
    """The lines that a Func of `value` prints over [0, size) under directives such as `vectorize(x, 4)`."""
    f = hl.Func("f")
    f[x] = value
    for directive in directives:
        eval(f"f.{directive}", {"f": f, "x": x, "hl": hl})
    f.realize([size])
    return capsys.readouterr().out.splitlines()


def test_values_and_texts_stand_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, hl.print(x * 2, "at", x, "100% of %d"), 2) == ["0 at 0 100% of %d", "2 at 1 100% of %d"]


def test_each_type_has_its_form(capsys: pytest.CaptureFixture[str]) -> None:
    types = [hl.i8(-x), hl.u8(x + 254), hl.i64(x) << 40, hl.cast(hl.UInt(64), -x), x > 0]
    floats = [hl.f32(x) / 3, hl.f64(x) / 3, hl.cast(hl.Float(16), x) / 2, hl.sqrt(hl.f32(x) - 2)]
    assert printed(capsys, hl.print(*types, *floats), 2)[1] == (
        "-1 255 1099511627776 18446744073709551615 true 0.333333 3.333333e-01 0.500000 -nan"
    )


@pytest.mark.parametrize("directive", ["vectorize(x, 4)", "unroll(x, 4)", "compute_root()"])
def test_lanes_print_one_after_the_other(capsys: pytest.CaptureFixture[str], directive: str) -> None:
    assert printed(capsys, hl.print(x * 2, "at", x), 8, directive) == [f"{2 * i} at {i}" for i in range(8)]


def test_parallel_loops_print_whole_lines(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, hl.print(x, "of", x + 1), 100, "parallel(x)")
    assert sorted(lines, key=lambda line: int(line.split()[0])) == [f"{i} of {i + 1}" for i in range(100)]


@pytest.mark.parametrize("directive", ["vectorize(x, 4)", "compute_root()"])
def test_print_when_tells_only_where_the_condition_holds(capsys: pytest.CaptureFixture[str], directive: str) -> None:
    assert printed(capsys, hl.print_when(x % 3 == 0, x, "here"), 8, directive) == ["0 here", "3 here", "6 here"]


def test_guarded_lanes_print_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, hl.print(x), 6, "vectorize(x, 4, hl.TailStrategy.GuardWithIf)")
    assert lines == [str(i) for i in range(6)]


def test_one_expression_used_twice_prints_once(capsys: pytest.CaptureFixture[str]) -> None:
    value = hl.print(x)
    assert printed(capsys, value + value, 2) == ["0", "1"]


def test_what_is_inside_prints_first_and_both_sides_of_a_select_print(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, hl.print(hl.print(x, "inner") + 1, "outer"), 1) == ["0 inner", "1 outer"]
    both = hl.select(x > 0, hl.print(x, "big"), hl.print(-x, "small"))
    assert printed(capsys, both, 1) == ["0 big", "0 small"]


def test_an_inlined_func_prints_at_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    g = hl.Func("g")
    g[x] = hl.print(x, "g")
    assert printed(capsys, g[x] + g[x + 1], 2) == ["0 g", "1 g", "1 g", "2 g"]


def test_what_is_only_printed_is_computed(capsys: pytest.CaptureFixture[str]) -> None:
    g = hl.Func("g")
    g[x] = x * 10
    g.compute_root()
    assert printed(capsys, hl.print(x, g[x + 5]), 2) == ["0 50", "1 60"]


def test_indices_print(capsys: pytest.CaptureFixture[str]) -> None:
    source = hl.Buffer(np.arange(4, dtype=np.int32))
    assert printed(capsys, source[hl.print(hl.clamp(x, 0, 3), "index")], 2) == ["0 index", "1 index"]


def test_updates_print_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 2)])
    f[x] = 0
    f[x] += hl.print(r.x, x)
    f.realize([2])
    assert capsys.readouterr().out.splitlines() == ["0 0", "1 0", "0 1", "1 1"]


@pytest.mark.parametrize("directive", ["compute_root()", "vectorize(x, 4)", "parallel(x)"])
def test_require_ends_the_pipeline_with_its_words(directive: str) -> None:
    f, p = hl.Func("f"), hl.Param(hl.Int(32), "p", 5)
    f[x] = hl.require(x < p, x * 10, "too far:", x, hl.f32(x) / 2, p > 2)
    eval(f"f.{directive}", {"f": f, "x": x})
    p.set(8)
    assert list(np.asarray(f.realize([8]))) == [10 * i for i in range(8)]
    p.set(5)
    with pytest.raises(RequirementError, match=r"Requirement Failed: \(false\) \d+0 too far: \d \d\.\d00000 true"):
        f.realize([8])


def test_more_values_than_checks_have_are_reported() -> None:
    f = hl.Func("f")
    f[x] = hl.require(x < 1, x, *[x + i for i in range(20)])
    with pytest.raises(RequirementError, match=" ".join(map(str, range(1, 21)))):
        f.realize([2])


def test_require_goes_with_no_asserts() -> None:
    f = hl.Func("f")
    f[x] = hl.require(x < 1, x, "never")
    target = hl.get_host_target().with_feature(hl.TargetFeature.NoAsserts)
    assert list(np.asarray(f.realize([3], target))) == [0, 1, 2]


def test_a_requirement_that_is_always_false_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    hl.require(hl.Expr(1) > 2, x)
    assert capsys.readouterr().out.startswith("Warning: This pipeline is guaranteed to fail a require() expression")


@pytest.mark.parametrize("call", [lambda: hl.print(), lambda: hl.print("text"), lambda: hl.print(x, None)])
def test_nothing_to_print_is_refused(call: object) -> None:
    with pytest.raises(TypeError, match="incompatible function arguments"):
        call()  # type: ignore[operator]


def test_conditions_must_be_bool() -> None:
    with pytest.raises(DefinitionError, match="Require condition must be a boolean type"):
        hl.require(x, x)
    with pytest.raises(DefinitionError, match="must be a boolean type"):
        hl.print_when(x, x)


def test_bounds_of_reductions_print_where_their_loops_begin(capsys: pytest.CaptureFixture[str]) -> None:
    count = hl.Param(hl.Int(32), "count", 3)
    f, r = hl.Func("f"), hl.RDom([(0, hl.print(count + 0, "times"))])
    f[x] = 0
    f[x] += r.x
    outer, inner = hl.RVar("outer"), hl.RVar("inner")
    f.update().split(r.x, outer, inner, 2)
    assert list(np.asarray(f.realize([2]))) == [3, 3]
    assert capsys.readouterr().out.splitlines() == ["3 times", "3 times"]
