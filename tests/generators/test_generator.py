"""Generators: params, inputs, outputs, calls and callables, beside the wheel's where it has them."""

import enum

import halide
import numpy as np
import pytest

import pipec

A = np.arange(12, dtype=np.uint8).reshape(3, 4)


class Mode(enum.Enum):
    Plus = 1
    Times = 2


def scaled(hl):
    """The same generator written with either module."""

    @hl.alias(scaled_by_five={"factor": "5"})
    @hl.generator("scaled")
    class Scaled:
        factor = hl.GeneratorParam(2)
        kind = hl.GeneratorParam("plain")
        input = hl.InputBuffer(hl.UInt(8), 2)
        offset = hl.InputScalar(hl.Int(32))
        output = hl.OutputBuffer(None, 2)

        def generate(self):
            x, y = hl.vars("x y")
            assert not self.using_autoscheduler() and self.natural_vector_size(hl.UInt(8)) >= 16
            value = hl.i32(self.input[x, y]) * self.factor + self.offset
            self.add_requirement(self.offset >= 0, "negative values are bad", self.offset)
            self.output[x, y] = hl.cast(self.output.type(), value)

    return Scaled


SCALED = {hl: scaled(hl) for hl in (halide, pipec)}
PARAMS = {"output.type": "int32"}


@pytest.fixture(params=[halide, pipec], ids=["wheel", "pipec"])
def hl(request):
    with request.param.GeneratorContext(request.param.get_host_target()):
        yield request.param


@pytest.mark.parametrize("params", [{}, {"factor": "3"}, {"factor": 4, "kind": "other"}])
def test_call_gives_a_func(hl, params):
    result = SCALED[hl].call(hl.Buffer(A), offset=7, generator_params=params | PARAMS).realize([4, 3])
    np.testing.assert_array_equal(result, A.astype(np.int32) * int(params.get("factor", 2)) + 7)


def test_image_params_are_inputs(hl):
    image = hl.ImageParam(hl.UInt(8), 2)
    f = SCALED[hl].call(image, 5, generator_params=PARAMS)
    image.set(hl.Buffer(A))
    np.testing.assert_array_equal(f.realize([4, 3]), A.astype(np.int32) * 2 + 5)


def test_params_are_inputs():
    # The wheel asks a Param whether it is defined, which its Params cannot tell.
    hl = pipec
    image, offset = hl.ImageParam(hl.UInt(8), 2), hl.Param(hl.Int(32))
    with hl.GeneratorContext(hl.get_host_target()):
        f = SCALED[hl].call(image, offset, generator_params=PARAMS)
    image.set(hl.Buffer(A))
    offset.set(5)
    np.testing.assert_array_equal(f.realize([4, 3]), A.astype(np.int32) * 2 + 5)


def test_compile_to_callable_takes_inputs_then_outputs(hl):
    run, out = SCALED[hl](PARAMS).compile_to_callable(), np.zeros((3, 4), np.int32)
    run(A, 1, out)
    np.testing.assert_array_equal(out, A.astype(np.int32) * 2 + 1)
    with pytest.raises(hl.HalideError, match=r"Requirement Failed: \(false\) negative values are bad -1"):
        run(A, -1, out)


@pytest.mark.parametrize(
    ("args", "kwargs", "text"),
    [
        ((A, 1, 2), {}, "allows at most 2 positional args, but 3 were specified."),
        ((A,), {}, "requires 2 args, but 1 were specified."),
        ((1, 1), {}, r"Input input requires an ImageParam or Buffer argument when using call\(\)"),
        ((A, A), {}, r"Input offset requires a Param \(or scalar literal\) argument when using call\(\)"),
        ((A, 1), {"offset": 1}, "Input offset specified multiple times."),
        ((A, 1), {"buzzer_input": 1}, "Unknown input 'buzzer_input' specified via keyword argument"),
        ((A, 1), {"generator_params": [1]}, "generator_params must be a dict"),
        ((A, 1), {"generator_params": PARAMS | {"zork": 1}}, "has no GeneratorParam"),
        ((A, 1), {"generator_params": {"output.type": "int9"}}, "The value int9 cannot be parsed as a Type"),
        ((A, 1), {"generator_params": PARAMS | {"input.dim": 1}}, "Cannot set the GeneratorParam input.dim for"),
        ((A, 1), {"generator_params": {}}, "No type has been specified for output"),
        ((A.astype(np.uint16), 1), {}, "Type mismatch for input:0: expected uint8 saw uint16"),
        ((A[0], 1), {}, "Dimensions mismatch for input: expected 2 saw 1"),
    ],
)
def test_mistakes_in_calls_are_reported(hl, args, kwargs, text):
    kwargs.setdefault("generator_params", PARAMS)
    args = [hl.Buffer(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    with pytest.raises(hl.HalideError, match=text):
        SCALED[hl].call(*args, **kwargs)


def test_generators_need_a_context():
    with pytest.raises(pipec.HalideError, match="There is no active GeneratorContext"):
        SCALED[pipec].call(1, 2)


def test_an_inner_generator_works_in_the_context_of_the_outer(hl):
    @hl.generator("outer")
    class Outer:
        input = hl.InputBuffer(hl.UInt(8), 2)
        output = hl.OutputBuffer(hl.Int(32), 2)

        def generate(self):
            x, y = hl.vars("x y")
            context = hl.active_generator_context()
            assert str(context.target()) == str(self.target())
            inner = SCALED[hl].call(self.input, 3, generator_params=PARAMS)
            self.output[x, y] = inner[x, y] + 1

    out = Outer.call(hl.Buffer(A)).realize([4, 3])
    np.testing.assert_array_equal(out, A.astype(np.int32) * 2 + 4)


def test_configure_adds_inputs_and_outputs(hl):
    @hl.generator("configured")
    class Configured:
        many = hl.GeneratorParam(2)
        output = hl.OutputBuffer([hl.Int(32), hl.UInt(8)], 1)

        def configure(self):
            for number in range(self.many):
                self.add_input(f"extra_{number}", hl.InputScalar(int))
            self.add_output("total", hl.OutputScalar(int))

        def generate(self):
            x = hl.Var("x")
            extras = [getattr(self, f"extra_{number}") for number in range(self.many)]
            self.output[x] = (x + extras[-1], hl.u8(x))
            self.total[()] = extras[0] + extras[-1]
            with pytest.raises(AttributeError, match="Invalid write to field 'total'"):
                self.total = self.output

    output, total = Configured.call(10, 20, 30, generator_params={"many": "3"})
    assert np.asarray(output.realize([3])[0]).tolist() == [30, 31, 32]
    assert total.realize([])[()] == 40


def test_text_is_read_as_the_type_of_the_default():
    hl = pipec

    @hl.generator("texts")
    class Texts:
        flag = hl.GeneratorParam(True)
        number = hl.GeneratorParam(1.5)
        type = hl.GeneratorParam(hl.UInt(8))
        mode = hl.GeneratorParam(Mode.Plus)
        level = hl.GeneratorParam(hl.LoopLevel.inlined())
        output = hl.OutputScalar(hl.Int(32))

        def generate(self):
            self.output[()] = 0

    with hl.GeneratorContext(hl.get_host_target()):
        inputs = {"flag": "false", "number": "2.5", "type": "float32", "mode": "Times", "level": "root"}
        built = Texts(inputs)
        with pytest.raises(hl.HalideError, match="cannot be parsed as a Mode .* one of: Plus, Times"):
            Texts({"mode": "Minus"})
    assert (built.flag, built.number, built.type, built.mode) == (False, 2.5, hl.Float(32), Mode.Times)
    assert built.level.level().is_root


def test_generators_are_looked_up_by_name():
    hl, out = pipec, np.zeros((3, 4), np.int32)
    for name, factor in (("scaled", 2), ("scaled_by_five", 5)):
        hl.create_callable_from_generator(hl.get_host_target(), name, PARAMS)(A, 0, out)
        np.testing.assert_array_equal(out, A.astype(np.int32) * factor)
    with pytest.raises(hl.HalideError, match="no Generator with the name 'nope'.*scaled_by_five"):
        hl.create_callable_from_generator(hl.get_host_target(), "nope")
    with pytest.raises(hl.HalideError, match="The Generator name scaled is already in use"):
        scaled(hl)


def test_the_autoscheduler_param_is_passed_to_the_generator(hl):
    @hl.generator("asks")
    class Asks:
        output = hl.OutputScalar(hl.Int(32))

        def generate(self):
            assert self.using_autoscheduler()
            # The wheel forgets the options.
            assert self.autoscheduler().extra == ({"parallelism": "4"} if hl is pipec else {})
            self.output[()] = 1

    params = {"autoscheduler": "Mullapudi2016", "autoscheduler.parallelism": "4"}
    assert Asks.call(generator_params=params).realize([])[()] == 1


def test_declarations_are_checked(hl):
    @hl.generator("undefined")
    class Undefined:
        output = hl.OutputBuffer(hl.Int(32), 1)

        def generate(self):
            return

    @hl.generator("empty")
    class Empty:
        def generate(self):
            return

    @hl.generator("misnamed")
    class Misnamed:
        two__bars = hl.InputScalar(int)
        output = hl.OutputBuffer(hl.Int(32), 1)

        def generate(self):
            return

    for cls, text in (
        (Undefined, "Output 'output' was not defined."),
        (Empty, "must declare at least one output."),
        (Misnamed, "The name 'two__bars' is not valid"),
    ):
        with pytest.raises(hl.HalideError, match=text):
            cls.call()
