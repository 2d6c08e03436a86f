"""What compute_with refuses, in which words."""

import pytest

import pipec as hl

x, y, z, xo, xi = hl.vars("x y z xo xi")


def two():
    f, g, h = hl.funcs("f g h")
    f[x, y] = x + y
    g[x, y] = x - y
    h[x, y] = f[x - 1, y + 1] + g[x + 2, y - 2]
    f.compute_root()
    g.compute_root()
    return f, g, h


def refused(h, *words):
    with pytest.raises(hl.HalideError) as caught:
        h.print_loop_nest()
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_two_stages_of_a_func():
    f, h = hl.funcs("f h")
    f[x, y] = x
    f[x, y] += 1
    with pytest.raises(hl.HalideError, match=r"Cannot schedule f\S*.update\(0\) to be computed with f\S*.s0.x"):
        f.update(0).compute_with(f, x)


@pytest.mark.parametrize("level", [hl.LoopLevel.root(), hl.LoopLevel.inlined()])
def test_no_loop(level):
    with pytest.raises(hl.HalideError, match="Undefined loop level to compute with"):
        two()[1].compute_with(level)


def test_a_level_that_is_not_decided_yet():
    with pytest.raises(hl.HalideError, match="There should be no undefined LoopLevels"):
        two()[1].compute_with(hl.LoopLevel())


def test_dependency():
    for first in (0, 1):
        f, m, g = hl.funcs("f m g")
        f[x, y] = x
        m[x, y] = f[x, y]
        g[x, y] = m[x, y] + 1
        f.compute_root()
        pair = (f, g) if first else (g, f)
        pair[0].compute_with(pair[1], y)
        refused(g, "Invalid compute_with: there is dependency between", "compute_at", f"{g.name()} needs values of")


def test_pairs_that_cross():
    f, g = hl.funcs("f g")
    f[x, y] = x + y
    f[x, y] += 1
    g[x, y] = x - y
    g[x, y] += 1
    f.compute_with(g.update(0), y)
    f.update(0).compute_with(g, y)
    with pytest.raises(hl.HalideError, match="impossible to establish correct stage order between"):
        hl.Pipeline([f, g]).compile_jit()


def test_two_stages_with_one():
    f, g = hl.funcs("f g")
    f[x, y] = x + y
    f[x, y] += 1
    f[x, y] += 1
    g[x, y] = x - y
    f.compute_with(g, y)
    f.update(0).unscheduled()
    f.update(1).compute_with(g, y)
    with pytest.raises(hl.HalideError, match=r"stage order between f\S*.s0 with g\S*.s0 and f\S*.s2 with g\S*.s0"):
        hl.Pipeline([f, g]).compile_jit()


def test_groups_that_wait_for_one_another():
    a, b, c, d, h = hl.funcs("a b c d h")
    a[x, y], d[x, y] = x, y
    c[x, y] = a[x, y] + 1
    b[x, y] = d[x, y] + 1
    h[x, y] = a[x, y] + b[x, y] + c[x, y] + d[x, y]
    for func in (a, b, c, d):
        func.compute_root()
    a.compute_with(b, y)
    c.compute_with(d, y)
    refused(h, "Stuck in a loop computing a realization order")


def test_circles():
    f, g, h = two()
    g.compute_with(f, x)
    f.compute_with(g, x)
    refused(h, "Found cyclic dependencies between compute_with")


def test_loops_that_differ():
    f, g, h = two()
    g.compute_with(f, z)
    refused(h, f"cannot find z in {f.name()}.s0", "innermost first, are: x y")
    f, g, h = two()
    f.split(x, xo, xi, 4)
    g.compute_with(f, xo)
    refused(h, f"cannot find xo in {g.name()}.s0")
    f, g, h = two()
    f.rename(y, z)
    g.compute_with(f, x)
    refused(h, f"names of dim 1 of {f.name()}.s0(y.z) and {g.name()}.s0(y) do not match")
    f, g, h = two()
    f.reorder(y, x)
    g.compute_with(f, x)
    refused(h, f"# of fused dims of {f.name()}.s0 and {g.name()}.s0 do not match")
    f, g, h = two()
    f.parallel(y)
    g.compute_with(f, y)
    refused(h, f"for types of dim 0 of {f.name()}.s0(y is parallel) and {g.name()}.s0(y is for) do not match")


def test_places_that_differ():
    f, g, h = two()
    g.compute_at(h, y).compute_with(f, x)
    refused(h, "the compute levels of", "(computed at .__root)", "do not match")
    f, g, h = two()
    f.compute_inline()
    g.compute_with(f, x)
    refused(h, f"Invalid compute_with: {f.name()}.s0 is scheduled inline")


def test_a_func_that_nothing_uses():
    f, g, h = hl.funcs("f g h")
    f[x, y], g[x, y] = x, y
    h[x, y] = g[x, y]
    f.compute_root()
    g.compute_root().compute_with(f, y)
    refused(h, "Illegal compute_with", f'computed with "{f.name()}" which is not used anywhere')


def test_funcs_that_are_used_in_different_places():
    f, g, p, h = hl.funcs("f g p h")
    f[x, y], g[x, y] = x, y
    p[x, y] = x * y
    h[x, y] = g[x + 2, y - 2] + p[x, y]
    h[x, y] += f[x - 1, y + 1]
    for func in (f, g, p):
        func.compute_at(h, y)
    p.compute_with(f, x)
    g.compute_with(f, x)
    refused(h, "Fused groups must either be entirely used or unused")


def test_what_is_no_loop_or_alignment():
    f, g, _ = two()
    with pytest.raises(TypeError, match="incompatible function arguments"):
        g.compute_with(f)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        g.compute_with(f, y, "start")


def test_a_second_request_replaces_the_first(capsys):
    f, g, h = two()
    g.compute_with(f, x).compute_with(f, y)
    assert f"already has a compute_with at {f.name()}.s0.x. Replacing it" in capsys.readouterr().out


def test_specializations():
    number = hl.Param(hl.Int(32), "number", 1)
    words = "computed with .*, so it must not have any specializations"
    f, g, h = two()
    g.specialize(number > 0)
    with pytest.raises(hl.HalideError, match=words):
        g.compute_with(f, x)
    f, g, h = two()
    with pytest.raises(hl.HalideError, match=words):
        g.specialize(number > 0).compute_with(f, x)
    f, g, h = two()
    g.compute_with(f, x).specialize(number > 0)
    refused(h, "so it must not have any specializations")
    f, g, h = two()
    g.compute_with(f, x)
    f.specialize(number > 0).fuse(x, y, z)
    refused(h, f"cannot find x in {f.name()}.s0")


def test_alignment_of_a_loop_that_is_not_shared(capsys):
    f, g, h = two()
    g.compute_with(f, y, [(x, hl.LoopAlignStrategy.AlignStart)])
    h.compile_jit()
    assert "aligns x, which the two do not share: that has no effect" in capsys.readouterr().out
