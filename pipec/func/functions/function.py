"""`Function`: the definitions and the schedule behind a Func, and a count of the changes to them."""

from __future__ import annotations

from typing import Any, NoReturn

from pipec.errors import DefinitionError, NotSupportedError
from pipec.func.functions.definition import FuncDef, ReductionLoop, SourceLocation, StageDef
from pipec.func.functions.handlers import Handlers
from pipec.func.functions.names import numbered_name, require_plain_name, unique_name
from pipec.ir.expr import Expr, FuncCall, ImageCall, ParameterRef
from pipec.ir.node import kinds_of
from pipec.ir.types import Type
from pipec.ir.walk import postorder, rewrite
from pipec.records import dataclass
from pipec.schedule.directive import Concern
from pipec.schedule.schedule import Schedule


@dataclass(frozen=True, eq=False)
class FunctionState:
    """The parts of a Function that rfactor, other directives and searches change."""

    schedule: Schedule
    types: tuple[Type, ...]
    stages: tuple[StageDef, ...]
    callees: tuple[Function, ...]
    parameters: tuple[Any, ...]
    deferred: tuple[tuple[str, Any], ...]
    stored_by_default: tuple[Function, ...]


class Function:
    """A Func's definitions and schedule. FuncCall.function refers to it; it is frozen once others depend on it."""

    __slots__ = (
        "name",
        "args",
        "types",
        "stages",
        "frozen",
        "_schedule",
        "location",
        "required_types",
        "required_dimensions",
        "callees",
        "parameters",
        "outputs",
        "deferred",
        "substitutes",
        "wrapper",
        "wraps",
        "consumers",
        "compiled",
        "realize_call",
        "handlers",
        "searched",
        "stored_by_default",
        "_definition",
        "__weakref__",
    )

    def __init__(self, name: str | None, location: SourceLocation, prefix: str = "f") -> None:
        require_plain_name(name or "")
        self.name = numbered_name(prefix) if not name else unique_name(name)
        self.location = location
        self.args: tuple[str, ...] = ()
        self.types: tuple[Type, ...] = ()
        self.stages: list[StageDef] = []
        self.frozen = False
        self._schedule = Schedule()
        self.required_types: tuple[Type, ...] = ()
        self.required_dimensions: int | None = None
        # In order of first mention; dictionaries serve as ordered sets.
        self.callees: dict[Function, None] = {}
        self.parameters: dict[Any, None] = {}
        self.outputs: list[Any] = []  # the Parameters of its output buffers, made when first asked for
        # "compute" or "store" -> the user's LoopLevel, which may still be decided.
        self.deferred: dict[str, Any] = {}
        # What stands in the place of a callee in the definitions of this Function; what stands in its own place
        # everywhere; what it is the wrapper of; where it stands for another.
        self.substitutes: dict[Any, Function] = {}
        self.wrapper: Function | None = None
        self.wraps: Any = None
        self.consumers: list[Function] = []
        # The machine code of pipelines whose first output this is; cached here so that it is freed with the Func.
        self.compiled: dict[Any, Any] = {}
        # The prebuilt call of the pipeline with this output alone (pipeline.calls.realize_call).
        self.realize_call: Any = None
        # The handlers of what pipelines with this first output print, trace and fail with.
        self.handlers = Handlers()
        # The states before and after a search for schedules; None when there was none.
        self.searched: tuple[FunctionState, FunctionState] | None = None
        # Functions of users that pipelines of this one compute at root, unless they have a schedule of their own.
        self.stored_by_default: tuple[Function, ...] = ()
        self._definition: FuncDef | None = None

    @property
    def schedule(self) -> Schedule:
        """The directives that were applied so far."""
        return self._schedule

    @schedule.setter
    def schedule(self, schedule: Schedule) -> None:
        self._schedule = schedule
        revision.advance()

    @property
    def is_placed(self) -> bool:
        """Whether a directive says where or how it is computed."""
        return bool(self.deferred) or any(d.CONCERN is Concern.COMPUTATION for d in self.schedule.directives)

    @property
    def defined(self) -> bool:
        """Whether there is a pure definition or a C function."""
        return bool(self.stages)

    @property
    def dimensions(self) -> int:
        """The number of arguments."""
        return len(self.args)

    def add_stage(self, stage: StageDef) -> None:
        """Append a checked definition; the Funcs that it calls can no longer change."""
        self._note_uses(stage.expressions)
        self.stages.append(stage)
        self._definition = None

    def replace_stage(self, number: int, stage: StageDef) -> None:
        """Another definition with the same meaning in the place of stage `number`."""
        self.add_stage(stage)
        self.stages[number] = self.stages.pop()

    def _note_uses(self, expressions: tuple[Expr, ...]) -> None:
        for node in postorder(*expressions):
            if isinstance(node, FuncCall) and node.function is not None:
                self.callees[node.function] = None
                node.function.freeze()
            elif isinstance(node, ImageCall) and node.image is not None:
                self.parameters[node.image] = None
            elif isinstance(node, ParameterRef) and node.parameter is not None:
                self.parameters[node.parameter] = None

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"Func {self.name} cannot be pickled or copied by itself, since other Funcs may use it too: pickle or copy"
            " hl.Pipeline(func), whose get_func() and outputs() are Funcs, or pass the bytes of hl.serialize_pipeline."
        )

    def state(self) -> FunctionState:
        """The schedule and the definitions as they are now."""
        deferred = tuple(self.deferred.items())
        callees, parameters = tuple(self.callees), tuple(self.parameters)
        stored = self.stored_by_default
        return FunctionState(self.schedule, self.types, tuple(self.stages), callees, parameters, deferred, stored)

    def return_to(self, state: FunctionState) -> None:
        """Restores the schedule and the definitions of `state`."""
        self.schedule, self.deferred = state.schedule, dict(state.deferred)
        self.stored_by_default = state.stored_by_default
        if list(state.stages) != self.stages:
            self.types, self.stages = state.types, list(state.stages)
            self.callees, self.parameters = dict.fromkeys(state.callees), dict.fromkeys(state.parameters)
            self._definition = None

    def forget_search(self) -> None:
        """Restores the state before the last search for schedules, unless the user has changed the schedule since.

        Bounds, estimates and reports that the user has added since remain. What is stored by default is no decision of
        the user's.
        """
        if self.stored_by_default:
            self.stored_by_default = ()
            revision.advance()
        if self.searched is None:
            return
        before, after = self.searched
        added = tuple([d for d in self.schedule.directives if d not in after.schedule.directives])
        unchanged = tuple([d for d in self.schedule.directives if d not in added]) == after.schedule.directives
        decides = any(directive.CONCERN is Concern.COMPUTATION for directive in added)
        if unchanged and not decides and self.state().deferred == after.deferred and tuple(self.stages) == after.stages:
            self.return_to(before)
            if added:
                self.schedule += Schedule(added)

    def freeze(self) -> None:
        """Ends the definition: later updates raise DefinitionError."""
        self.frozen = True

    def definition(self) -> FuncDef:
        """The frozen definition as it is now; it knows other Funcs, images and Params by name only."""
        if not self.stages:
            raise DefinitionError(f'Error: Func "{self.name}" (made at {self.location}) has no definition.')
        if self._definition is None:
            for kind in self.types:
                if kind.bits() not in (1, 8, 16, 32, 64):
                    raise NotSupportedError(
                        f'Error: Func "{self.name}" has values of type {kind}, which can\'t be stored. Use a type of'
                        f" 8, 16, 32 or 64 bits. ({self.location})"
                    )
            memo: dict[Any, Any] = {}
            stages = tuple([_stage_by_name(stage, memo) for stage in self.stages])
            self._definition = FuncDef(self.name, self.args, self.types, stages, self.location)
        return self._definition

    def __repr__(self) -> str:
        return f"<Function {self.name}>"


def by_name(expression: Expr, memo: dict[Any, Any] | None = None) -> Expr:
    """The expression without the live objects behind its names, so that it can be pickled and compared."""
    return rewrite(expression, _without_object, memo, kinds_of(FuncCall, ImageCall, ParameterRef))


def _without_object(node: Any) -> Any:
    if isinstance(node, FuncCall) and node.function is not None:
        return FuncCall(node.type, node.name, node.args, node.value_index, None)
    if isinstance(node, ImageCall) and node.image is not None:
        return ImageCall(node.type, node.name, node.args, None)
    if isinstance(node, ParameterRef) and node.parameter is not None:
        return ParameterRef(node.type, node.name, None)
    return node


def _stage_by_name(stage: StageDef, memo: dict[Any, Any]) -> StageDef:
    def change(expression: Expr) -> Expr:
        return by_name(expression, memo)

    loops = tuple([ReductionLoop(loop.name, change(loop.minimum), change(loop.extent)) for loop in stage.rvars])
    args, values = tuple(map(change, stage.args)), tuple(map(change, stage.values))
    return StageDef(args, values, loops, change(stage.predicate), stage.location)


class Revision:
    """The count, which goes up with every change."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def advance(self) -> None:
        """Notes a change."""
        self.count += 1


revision = Revision()
