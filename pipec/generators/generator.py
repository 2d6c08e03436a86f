"""Generator: the base class of generators, from its declarations to a pipeline."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pipec.autoschedule.params import AutoschedulerParams
from pipec.errors import ArgumentError
from pipec.func.functions.definition import frames_to_user
from pipec.func.functions.func import Func
from pipec.func.functions.parameter import Parameter
from pipec.generators.context import GeneratorContext, active_generator_context
from pipec.generators.declarations import ArgInfo, ArgInfoDirection, InputBuffer, InputScalar, OutputBuffer, check_match
from pipec.generators.param import GeneratorParam, check_name, parsed, type_list
from pipec.ir.types import Type
from pipec.pipeline.calls.callable import Callable
from pipec.pipeline.pipeline import Pipeline
from pipec.target import Target

_MIXED_ORDER = (
    "Generators will always produce code that orders all Inputs before all Outputs; this Generator declares the Inputs"
    " and Outputs in a different order, so the calling convention may not be as expected. (Override"
    " allow_out_of_order_inputs_and_outputs() to say that this is meant.)"
)


class Generator(ABC):
    """Base of classes under `@generator`: declare params, inputs and outputs, define the outputs in generate().

    >>> @hl.generator(name="example_double")
    ... class Double(hl.Generator):
    ...     image = hl.InputBuffer(hl.Int(32), 1)
    ...     output = hl.OutputBuffer(hl.Int(32), 1)
    ...     def generate(self):
    ...         x = hl.Var("x")
    ...         self.output[x] = self.image[x] * 2
    >>> with hl.GeneratorContext(hl.get_host_target()):
    ...     run = Double().compile_to_callable()
    >>> out = np.empty(2, np.int32)
    >>> run(np.array([3, 4], np.int32), out)
    >>> out.tolist()
    [6, 8]
    """

    registered_name: ClassVar[str] = ""
    alias_params: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, generator_params: Mapping[str, Any] | None = None) -> None:
        self._locked: frozenset[str] = frozenset()
        context = active_generator_context()
        params = {} if generator_params is None else generator_params
        if not isinstance(params, Mapping):
            raise ArgumentError("generator_params must be a dict")
        scheduler = context.autoscheduler_params()
        self._target = context.target()
        self._autoscheduler = AutoschedulerParams(scheduler.name, scheduler.extra)
        self._requirements: list[tuple[Any, tuple[Any, ...]]] = []
        self._infos: dict[str, ArgInfo] = {}
        self._io: dict[str, Any] = {}
        self._pipeline: Pipeline | None = None
        unused = self._set_params({**self.alias_params, **params})
        self._declare_all(unused)
        self._configuring = True
        self.configure()
        self._configuring = False
        if not self._outputs():
            raise ArgumentError(f"Generator '{self._name()}' must declare at least one output.")

    # What generators ask and override

    def context(self) -> GeneratorContext:
        """Returns the target and the autoscheduler of this generator."""
        return GeneratorContext(self._target, self._autoscheduler)

    def target(self) -> Target:
        """Returns the Target that the generator builds for."""
        return self._target

    def autoscheduler(self) -> AutoschedulerParams:
        """Returns the autoscheduler and its parameters."""
        return self._autoscheduler

    def using_autoscheduler(self) -> bool:
        """Whether the schedule will be found automatically, so that generate() should give none."""
        return bool(self._autoscheduler.name)

    def natural_vector_size(self, type: Type) -> int:
        """Returns the number of values of this type that a vector register holds."""
        return self._target.natural_vector_size(type)

    def add_requirement(self, condition: Any, *error_args: Any) -> None:
        """Demand at each run that `condition`, over inputs only, holds; else an error with these words and values."""
        self._requirements.append((condition, error_args))

    def allow_out_of_order_inputs_and_outputs(self) -> bool:
        """Whether outputs may be declared between inputs without a warning."""
        return False

    def configure(self) -> None:
        """Called after the params are set and before generate(); may add inputs and outputs."""
        return

    @abstractmethod
    def generate(self) -> None:
        """Define the outputs, and their schedule."""

    def add_input(self, name: str, io: Any) -> None:
        """Declare one more input, from configure()."""
        self._add("add_input", name, io, InputBuffer | InputScalar)

    def add_output(self, name: str, io: Any) -> None:
        """Declare one more output, from configure()."""
        self._add("add_output", name, io, OutputBuffer)

    # What users of generators call

    @classmethod
    def call(cls, *args: Any, **kwargs: Any) -> Any:
        """The output Func, or a tuple of them, for these inputs: Buffers, ImageParams, Params, numbers.

        `generator_params=`: a dict of values for GeneratorParams.
        """
        instance = cls(kwargs.pop("generator_params", None))
        names = [info.name for info in instance._inputs()]
        if len(args) > len(names):
            raise ArgumentError(
                f"Generator '{instance._name()}' allows at most {len(names)} positional args, but {len(args)} were"
                " specified."
            )
        inputs = dict(zip(names, args, strict=False))
        for name, value in kwargs.items():
            if name not in names:
                raise ArgumentError(f"Unknown input '{name}' specified via keyword argument.")
            if name in inputs:
                raise ArgumentError(f"Input {name} specified multiple times.")
            inputs[name] = value
        if len(inputs) != len(names):
            raise ArgumentError(
                f"Generator '{instance._name()}' requires {len(names)} args, but {len(inputs)} were specified."
            )
        instance.build_pipeline(inputs)
        outputs = instance.output_funcs()
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def compile_to_callable(self) -> Callable:
        """A function of the inputs and output buffers, in the order of declaration."""
        return self.scheduled_pipeline().compile_to_callable(self.input_parameters(), self._target)

    def scheduled_pipeline(self) -> Pipeline:
        """The pipeline, with a schedule by the autoscheduler if there is one."""
        pipeline = self.build_pipeline()
        if self.using_autoscheduler():
            pipeline.apply_autoscheduler(self._target, self._autoscheduler)
        return pipeline

    def build_pipeline(self, inputs: Mapping[str, Any] | None = None) -> Pipeline:
        """The pipeline that generate() makes; `inputs` are bound to these values, others get Params of their own."""
        if self._pipeline is not None:
            return self._pipeline
        values = {} if inputs is None else inputs
        for info in (*self._inputs(), *self._outputs()):
            declaration = self._io[info.name]
            bound = info.name in values
            setattr(self, info.name, declaration.bind(info, values[info.name]) if bound else declaration.make(info))
        self._locked = frozenset(self._io)
        with self.context():
            self.generate()
        for info in self._outputs():
            func = getattr(self, info.name)
            if not func.defined():
                raise ArgumentError(f"Output '{info.name}' was not defined.")
            check_match(info, func.types(), func.dimensions())
        pipeline = Pipeline(self.output_funcs())
        for condition, error_args in self._requirements:
            pipeline.add_requirement(condition, *error_args)
        self._pipeline = pipeline
        return pipeline

    def arg_infos(self) -> list[ArgInfo]:
        """The inputs, then the outputs."""
        return [*self._inputs(), *self._outputs()]

    def input_parameters(self) -> list[Parameter]:
        """Returns the parameters of the built pipeline's inputs, in order."""
        return [getattr(self, info.name).parameter() for info in self._inputs()]

    def output_funcs(self) -> list[Func]:
        """Returns the Funcs of the outputs, in the order of their declaration."""
        return [getattr(self, info.name) for info in self._outputs()]

    # From declarations to values

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_locked" and name in self._locked and value is not self.__dict__.get(name):
            raise AttributeError(
                f"Invalid write to field '{name}': define it by self.{name}[...] = ... instead of replacing it"
            )
        super().__setattr__(name, value)

    def _name(self) -> str:
        return self.registered_name or type(self).__name__

    def _inputs(self) -> list[ArgInfo]:
        return [info for info in self._infos.values() if info.dir is ArgInfoDirection.Input]

    def _outputs(self) -> list[ArgInfo]:
        return [info for info in self._infos.values() if info.dir is ArgInfoDirection.Output]

    def _declared(self, kind: Any) -> list[tuple[str, Any]]:
        """The class attributes of a kind in the order of their declaration, base classes first."""
        attributes: dict[str, Any] = {}
        for owner in reversed(type(self).__mro__):
            attributes.update(vars(owner))
        return [(name, value) for name, value in attributes.items() if isinstance(value, kind)]

    def _set_params(self, params: dict[str, Any]) -> dict[str, Any]:
        """Replace the params by their values; returns what was given for others."""
        if "target" in params:
            raise ArgumentError("The GeneratorParam named target cannot be set; it is that of the GeneratorContext.")
        rest = dict(params)
        for name, param in self._declared(GeneratorParam):
            check_name(name)
            value = param.value_of(name, param.default)
            setattr(self, name, param.value_of(name, rest.pop(name)) if name in rest else value)
        for name in list(rest):
            word, _, option = name.partition(".")
            if word != "autoscheduler":
                continue
            if option:
                self._autoscheduler.extra[option] = rest.pop(name)
            elif self._autoscheduler.name:
                raise ArgumentError(f"The GeneratorParam {name} cannot be set more than once")
            else:
                self._autoscheduler.name = rest.pop(name)
        return rest

    def _declare_all(self, unused: dict[str, Any]) -> None:
        has_output = False
        for name, io in self._declared(InputBuffer | InputScalar | OutputBuffer):
            is_output = isinstance(io, OutputBuffer)
            if has_output and not is_output and not self.allow_out_of_order_inputs_and_outputs():
                warnings.warn(_MIXED_ORDER, stacklevel=frames_to_user())
            has_output = has_output or is_output
            self._declare(name, io, unused)
        if unused:
            raise ArgumentError(f"Generator {self._name()} has no GeneratorParam(s) named: {list(unused)}")

    def _declare(self, name: str, io: Any, params: dict[str, Any]) -> None:
        check_name(name)
        if name in self._infos:
            raise ArgumentError(f"The name '{name}' is used more than once in Generator {self._name()}.")
        types, dimensions = io.declared_types, io.declared_dimensions
        if f"{name}.type" in params:
            types = self._open(f"{name}.type", not types, type_list(params.pop(f"{name}.type")))
        if f"{name}.dim" in params:
            dimensions = self._open(f"{name}.dim", dimensions is None, params.pop(f"{name}.dim"))
            dimensions = parsed(f"{name}.dim", int, dimensions)
        self._check_complete(name, types, dimensions)
        self._infos[name] = ArgInfo(name, io.direction, io.kind, types, dimensions)
        self._io[name] = io

    def _open(self, param: str, is_open: bool, value: Any) -> Any:
        if not is_open:
            raise ArgumentError(
                f"Cannot set the GeneratorParam {param} for {self._name()} because the value is explicitly specified"
                " in the Python source."
            )
        return value

    @staticmethod
    def _check_complete(name: str, types: Sequence[Type], dimensions: int | None) -> None:
        for missing, what, word in ((not types, "type", "type"), (dimensions is None, "dimensionality", "dim")):
            if missing:
                raise ArgumentError(
                    f"No {what} has been specified for {name}. Try specifying one in code, or by setting"
                    f" '{name}.{word}' as a GeneratorParam."
                )

    def _add(self, method: str, name: str, io: Any, kind: Any) -> None:
        if not getattr(self, "_configuring", False):
            raise ArgumentError(f"Can only call {method}() from the configure() method.")
        if hasattr(self, name):
            raise ArgumentError(f"Cannot call {method}('{name}') because the class already has a member of that name.")
        if not isinstance(io, kind):
            raise ArgumentError(f"Cannot call {method}() with an object of type '{type(io)}'.")
        self._declare(name, io, {})
