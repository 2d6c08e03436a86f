"""Frozen pipelines: their order, their names, and that nothing live is left in them."""

import pickle
import subprocess
import sys
import time

import pytest

import pipec as hl
from pipec.errors import DefinitionError, ScheduleError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import FuncCall, ImageCall, ParameterRef
from pipec.ir.walk import postorder
from pipec.schedule.placement import ComputeAt

x, y = hl.vars("x y")


def chain(length):
    funcs = [hl.Func("link")]
    funcs[0][x, y] = x + y
    for _ in range(length):
        last = funcs[-1]
        funcs.append(hl.Func("link"))
        funcs[-1][x, y] = last[x - 1, y] + last[x, y] + last[x + 1, y] + funcs[max(0, len(funcs) - 5)][x, y + 1]
    return funcs


def test_producers_come_before_consumers_each_once():
    funcs = chain(20)
    definition, bindings = freeze([funcs[-1].function])
    assert list(definition.funcs) == [func.name() for func in funcs]
    assert definition.outputs == (funcs[-1].name(),) and bindings == {}


def test_long_chains_are_frozen_in_linear_time_and_without_deep_recursion():
    funcs = chain(1500)
    begin = time.perf_counter()
    definition, _ = freeze([funcs[-1].function])
    assert len(definition.funcs) == 1501 and time.perf_counter() - begin < 10


def test_bindings_are_the_live_objects():
    p, image, buffer = hl.Param(hl.Int(32), "p"), hl.ImageParam(hl.UInt(8), 1, "image"), hl.Buffer(hl.UInt(8), [9])
    buffer.set_name("embedded")
    f = hl.Func("f")
    f[x] = image[x] + buffer[x] + p + image.width()
    f.bound(x, 0, hl.Param(hl.Int(32), "size"))
    definition, bindings = freeze([f.function])
    assert set(bindings) == {"p", "image", "embedded", "size"} and bindings["p"] is p.parameter()
    assert set(definition.images) == {"image", "embedded"} and definition.scalars["size"] == hl.Int(32)


def test_a_frozen_pipeline_knows_others_by_name_and_can_be_pickled():
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, 4)], "r")
    f[x] = hl.ImageParam(hl.UInt(8), 1, "image")[x] + hl.Param(hl.UInt(8), "p")
    g[x] = hl.u8(0)
    g[x] += f[x + r.x]
    f.compute_root().split(x, x, hl.Var("xi"), hl.Param(hl.Int(32), "factor"))
    definition, _ = freeze([g.function])
    schedule = schedule_of([g.function])
    second, same = pickle.loads(pickle.dumps((definition, schedule)))
    assert same == schedule and list(second.funcs) == list(definition.funcs)
    for name, func in definition.funcs.items():
        for stage, restored in zip(func.stages, second.funcs[name].stages, strict=True):
            assert all(a is b for a, b in zip(stage.values, restored.values, strict=True))
            for node in (n for value in stage.values for n in postorder(value)):
                if isinstance(node, FuncCall | ImageCall | ParameterRef):
                    assert getattr(node, node.FIELDS[-1]) is None


def test_two_arguments_of_one_name_are_refused():
    f = hl.Func("f")
    f[x] = hl.Param(hl.Int(32), "twice") + hl.ImageParam(hl.Int(32), 1, "twice")[x]
    with pytest.raises(DefinitionError, match="must have unique names, but the name 'twice' was seen multiple times"):
        freeze([f.function])


def test_a_frozen_func_takes_no_more_definitions():
    f = hl.Func("f")
    f[x] = x
    freeze([f.function])
    with pytest.raises(DefinitionError, match="cannot be given a new update definition"):
        f[x] += 1


def test_a_loop_level_may_be_decided_after_it_was_passed():
    f, g, level = hl.Func("f"), hl.Func("g"), hl.LoopLevel()
    f[x, y] = x
    g[x, y] = f[x, y]
    f.compute_at(level)
    with pytest.raises(ScheduleError, match="There should be no undefined LoopLevels"):
        schedule_of([g.function])
    level.set(hl.LoopLevel(g, y))
    (directive,) = schedule_of([g.function]).directives
    assert isinstance(directive, ComputeAt) and (directive.level.func, directive.level.var) == (g.name(), "y")


PROGRAM = """
import pipec as hl
from pipec.func.functions.freeze import freeze
x, y = hl.vars("x y")
a, b, c, d = hl.funcs("a b c d")
a[x] = x
b[x] = a[x] + 1
c[x] = a[x] + 2
r = hl.RDom([(0, 3)])
d[x] = c[x] + b[x] + hl.sum(a[x + r.x]) + hl.Param(hl.Int(32), "p")
definition, _ = freeze([d.function])
print(list(definition.funcs), [f.stages[-1].values[0].digest() for f in definition.funcs.values()])
"""


def test_the_order_is_the_same_in_every_process():
    def run(seed):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("1") == run("2")
