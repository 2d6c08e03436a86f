"""The methods that Funcs and Pipelines share: compiling, schedule search, files, torch."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable as Function
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from pipec.errors import MissingPackageError, require_instance
from pipec.func.functions.compilable import Compilable
from pipec.func.functions.definition import with_short_tracebacks
from pipec.func.functions.handlers import HandlerMethods, Handlers
from pipec.schedule.schedule import Schedule
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.autodiff.torch_layer import TorchLayer
    from pipec.autoschedule.result import Result
    from pipec.autoschedule.strategies.search_state import Options
    from pipec.inspect.explorer import Exploration
    from pipec.inspect.finding import Diagnosis
    from pipec.inspect.report import ProfileReport
    from pipec.inspect.visualiser import Animation
    from pipec.scale.tiled import TiledRun


class Realizable(Compilable, HandlerMethods):
    """A Pipeline, or a Func as the pipeline of which it is the only output."""

    __slots__ = ()

    def _handlers(self) -> Handlers:
        return self._pipeline()._checked()[0].handlers

    def _repr_html_(self) -> str:
        from pipec.pipeline.observation.notebook import page_of

        return page_of(self._pipeline()._functions, repr(self))

    def _repr_latex_(self) -> str | None:
        from pipec.pipeline.observation.notebook import formula_of

        return formula_of(self._pipeline()._functions)

    @with_short_tracebacks
    def infer_input_bounds(self, dst: Any = (), target: Target | None = None, *, sizes: Any = None) -> None:
        """Give each ImageParam without a Buffer a new one, large enough for outputs of these sizes or Buffers.

        What is demanded of output_buffer() counts instead; bounds queries among the Buffers get the shape that the
        output must have.
        """
        self._pipeline()._infer_input_bounds(dst if sizes is None else sizes, target)

    @with_short_tracebacks
    def as_torch(
        self,
        inputs: Sequence[Any] | None = None,
        sizes: Sequence[Any] | None = None,
        *,
        parameters: Sequence[Any] = (),
        autoschedule: bool = False,
    ) -> TorchLayer:
        """The pipeline as a `torch.nn.Module` that takes CPU tensors and gives new ones, with gradients.

        * `inputs`: the ImageParams, Params and Buffers that the module is called with, in order; by default all
          ImageParams, then Params, each by name. Tensors are read in place. The last dimension of a tensor is dimension
          0 (x), as in `hl.Buffer(array)`: [y, x], [c, y, x]. Params take numbers or tensors of shape [].
        * `sizes`: the extents of the output, dimension 0 first; numbers or Exprs of extents of inputs, such as
          `image.width() - 4`, or (min, extent) pairs; a list of such lists for several outputs. By default those of the
          first image that has as many dimensions as the output.
        * `parameters`: what is learned: ImageParams that are set, Buffers and Params with values. They become
          parameters of the module (`module.parameters()`); those of images share their memory, so that the pipeline
          itself sees what was learned.
        * `autoschedule`: search for schedules of forward and backward at their first calls (some seconds); otherwise
          a default one for gradients. Funcs that you have scheduled run so forward.

        Any tensor may have one dimension more in front, for a batch: a loop computes one element after another, each by
        all threads, and the gradients of what has no such dimension are summed. Derivatives of any order are pipelines;
        what can't be differentiated raises NotSupportedError at backward(). Works under torch.compile.

        >>> import torch
        >>> image, gain, x = hl.ImageParam(hl.Float(32), 1, "image"), hl.Param(hl.Float(32), "gain", 2.0), hl.Var("x")
        >>> f = hl.Func("f")
        >>> f[x] = image[x] * image[x] * gain
        >>> layer = f.as_torch([image], parameters=[gain])
        >>> row = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
        >>> layer(row).sum().backward()
        >>> row.grad.tolist(), layer.gain.grad.item()
        ([4.0, 8.0, 16.0], 21.0)
        """
        try:
            from pipec.pipeline.differentiating import torch_layer
        except ModuleNotFoundError as error:
            raise MissingPackageError("as_torch()", "PyTorch", "torch", error) from error
        return torch_layer(self._pipeline()._checked(), inputs, sizes, parameters, autoschedule)

    # Beyond memory

    @with_short_tracebacks
    def realize_tiled(
        self,
        inputs: Mapping[str, Any],
        destination: Any,
        *,
        sizes: Sequence[int] | None = None,
        memory: str | int = "1 GB",
        tile: Sequence[int] | None = None,
        resume: str | os.PathLike[str] | None = None,
        verbose: bool | None = None,
        threads: int | None = None,
        target: Target | None = None,
    ) -> TiledRun:
        """Compute arrays larger than memory, tile by tile, with the result of `realize` on the whole.

        * `inputs`: by the names of ImageParams: a path to a .npy, .zarr or .tif file, or a numpy array, memmap, zarr or
          other array with shape, dtype and slices; by those of Params: numbers. Axes are rows first, as in
          `hl.Buffer(array)`.
        * `destination`: as an input; a file that does not exist is created. A list, or a dictionary by name, for
          several outputs.
        * `sizes`: the extents of the outputs, dimension 0 first; by default those of the first input with as many
          dimensions.
        * `memory`: bytes, or a text such as "1 GB", that the parts of inputs, outputs and intermediate results in use
          may take at once.
        * `tile`: the size of a tile, rows first; by default the one with the least work that `memory` allows.
        * `resume`: a file that records finished tiles. A run that was ended goes on there, with the same arguments;
          tiles whose elements are no longer those that were written are computed again.
        * `verbose`: the progress line on stderr; None where that is a terminal.
        * `threads`: the most threads that compute, beside one that reads and one that writes.

        Regions come from bounds inference. Tiles are read, computed and written at the same time. Reductions over a
        whole image are computed first, in strips, where their values are few (a histogram, a mean). Returns a TiledRun
        with times. Raises NotSupportedError, with the Func and the access, where no tile fits into `memory`; TileError,
        with the tile, where reading, computing or writing fails.

        >>> image, x = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Var("x")
        >>> f = hl.Func("f")
        >>> f[x] = hl.BoundaryConditions.repeat_edge(image)[x + 1]
        >>> row = np.zeros(5, np.uint8)
        >>> f.realize_tiled({"image": np.arange(5, dtype=np.uint8)}, row, tile=[2]).tiles
        3
        >>> row.tolist()
        [1, 2, 3, 4, 4]
        """
        from pipec.scale.tiled import realize_tiled

        return realize_tiled(
            self._pipeline(),
            inputs,
            destination,
            sizes=sizes,
            memory=memory,
            tile=tile,
            resume=resume,
            verbose=verbose,
            threads=threads,
            target=target,
        )

    def map(
        self,
        items: Iterable[Any],
        *,
        sizes: Sequence[int] | None = None,
        errors: Literal["raise", "skip"] | Function[[int, Exception], Any] = "raise",
        ahead: int = 2,
        threads: int | None = None,
        target: Target | None = None,
    ) -> Iterator[Any]:
        """Yield the output for each item of a batch, in order; the next items are read and computed meanwhile.

        * `items`: an array, rows first, for the ImageParam that has none, or {name: array or number}. Sizes may differ.
          The iterable runs in a thread of its own, so what decodes files belongs into it.
        * `sizes`: as for realize_tiled. `ahead`: how many items may be read, and computed, before they are taken.
        * `errors`: "raise" a StreamError that names the item; "skip" it; or call this function with its number and the
          error, and go on. `threads`: the most threads that compute an item.

        Outputs are numpy arrays, a tuple for several outputs. The memory of an array is used again once nothing refers
        to it.

        >>> image, x = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Var("x")
        >>> f = hl.Func("f")
        >>> f[x] = image[x] * 2
        >>> [array.tolist() for array in f.map(np.full(2, n, np.uint8) for n in range(3))]
        [[0, 0], [2, 2], [4, 4]]
        """
        from pipec.scale.stream import mapped

        return mapped(self._pipeline(), items, sizes=sizes, errors=errors, ahead=ahead, threads=threads, target=target)

    def stream(
        self,
        frames: Iterable[Any],
        *,
        sizes: Sequence[int] | None = None,
        state: Mapping[str, Any] | None = None,
        errors: Literal["raise", "skip"] | Function[[int, Exception], Any] = "raise",
        ahead: int = 2,
        threads: int | None = None,
        target: Target | None = None,
    ) -> Iterator[Any]:
        """Yield the output for each frame of a stream, in order; the next frames are read and computed meanwhile.

        The ImageParam that has no array is fed. Where it has one dimension more than a frame, that is time: an output
        `f[x, y, t]` may read `image[x, y, t - 2]` to `image[x, y, t + 1]`, and the frames that it needs are kept. Where
        the stream begins and ends, boundary conditions see its first and its last frame.

        * `frames`: arrays of one shape, rows first: `hl.read_video(path)`, `imageio.imiter`, a camera.
        * `sizes`: the extents of the output for one frame, dimension 0 first; by default those of a frame.
        * `state`: {name: array} for ImageParams that hold the output for the frame before (the first output for the
          first name, and so on), and the arrays for the first frame.
        * `errors`, `ahead`, `threads`: as for `map`. A frame that is skipped counts as if it were not there.

        >>> image, x, t = hl.ImageParam(hl.UInt(8), 2, "image"), *hl.vars("x t")
        >>> f = hl.Func("f")
        >>> f[x, t] = hl.BoundaryConditions.repeat_edge(image)[x, t + 1]
        >>> [array.tolist() for array in f.stream(np.full(2, n, np.uint8) for n in range(3))]
        [[1, 1], [2, 2], [2, 2]]
        """
        from pipec.scale.stream import streamed

        return streamed(
            self._pipeline(),
            frames,
            sizes=sizes,
            state=state,
            errors=errors,
            ahead=ahead,
            threads=threads,
            target=target,
        )

    @with_short_tracebacks
    def print_loop_nest(self) -> None:
        """Print on stderr the loops that the schedule gives."""
        sys.stderr.write(self._pipeline()._loop_nest())

    # Scheduling

    @with_short_tracebacks
    def autoschedule(
        self,
        like: Any = None,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
        *,
        model: Any = None,
        strategy: str = "mixed",
        verify: bool | None = None,
        budget: str | float | timedelta | None = None,
        trials: int | None = None,
        search_seconds: float | None = None,
        threads: int | None = None,
        seed: int = 0,
        memory_limit: int | None = None,
        patience: str | float | timedelta | None = None,
        database: Any = None,
        measurer: Any = None,
        target: Target | None = None,
        options: Options | None = None,
        verbose: bool | None = None,
        apply: bool = True,
    ) -> Result:
        """Find a schedule and give it to the Funcs; the next run uses it. Returns a Result that tells about it.

        A search takes seconds. Its finalists, which differ in structure, are compiled and timed in child processes, and
        the fastest is returned: it is not slower than the schedule that computes everything at root.

        What sizes to expect: `like`, an array or Buffer like the input, or a dictionary of arrays, sizes and numbers by
        the names of images, outputs and Params; `sizes`, the extents of the output, dimension 0 first (by name when
        there are several). Without them Buffers that are bound, `set_estimates` and explicit bounds are used, then what
        is usual. Sizes decide what is fast, never what is right: any size may be run.

        Options:

        * `verify`: False to return the best schedule by the cost model, which depends on `seed` only. None times the
          finalists of "beam" and "random", unless the schedule can't run here; the Result says so in `note`.
        * `budget`: time to measure candidates on this machine, seconds or "5 min"; `trials`: how many to measure.
        * `model`: "blend" (what there is for it), "roofline" or "network"; `strategy`: a way to search; see
          `hl.autoschedule_strategies()`.
        * `target`: one with a GPU feature for kernels; `model` is then the description of a device: "generic",
          "laptop", "server", a GpuDevice, or None for the one at hand.
        * `search_seconds`: at most so much of searching by the model, by default 8, for many Funcs up to 13.
        * `measurer`: an `hl.MeasurerPool`, which measures in several processes or on other machines.
        * `seed`: of what is random.
        * `options`: how hard to look (`pipec.autoschedule.strategies.search_state.Options`). With a limit of states,
          not of time, the same schedule is found on slow machines as on fast ones.
        * `threads`: how many the schedule is for, by default those that run pipelines here.
        * `memory_limit`: bytes that intermediate results may take.
        * `patience`: how long timing waits in all for other work on the machine to end, by default 3 s or a tenth of
          the budget. Then it goes on beside the other work, and the `note` of the Result says so.
        * `database`: the file that remembers what was measured, so that a second call goes on where the first ended; by
          default one in the user's data folder.
        * `apply`: False to look only. `verbose`: the progress line on stderr; None where that is a terminal.

        Funcs that have a schedule keep it. Calling it again starts anew: what a search gave is taken back first. Ctrl-C
        ends the search and gives the best schedule so far. ArgumentError for sizes that don't fit the pipeline.

        >>> x, y = hl.vars("x y")
        >>> f, g = hl.funcs("f g")
        >>> f[x, y] = x * y
        >>> g[x, y] = f[x, y] + f[x + 1, y]
        >>> result = hl.Pipeline(g).autoschedule(sizes=[640, 480])
        >>> g.realize([3, 1]).numpy().tolist()
        [[0, 0, 0]]
        """
        from pipec.autoschedule.api import autoschedule

        return autoschedule(
            self._pipeline()._checked(),
            like,
            sizes,
            model=model,
            strategy=strategy,
            verify=verify,
            budget=budget,
            trials=trials,
            search_seconds=search_seconds,
            threads=threads,
            seed=seed,
            memory_limit=memory_limit,
            patience=patience,
            database=database,
            measurer=measurer,
            target=target,
            options=options,
            verbose=verbose,
            apply=apply,
        )

    @with_short_tracebacks
    def current_schedule(self) -> Schedule:
        """The directives of all Funcs of the pipeline as a value: it prints as Python and as JSON, and can be compared.

        >>> x, y = hl.vars("x y")
        >>> blur = hl.Func("blur")
        >>> blur[x, y] = x + y
        >>> rows = blur.parallel(y).current_schedule()
        >>> print(rows.to_python())
        y = hl.Var('y')
        blur.parallel(y)
        <BLANKLINE>
        >>> blur.vectorize(x, 8).apply_schedule(rows)
        >>> blur.current_schedule() == rows
        True
        """
        from pipec.func.functions.freeze import schedule_of

        return schedule_of(self._pipeline()._checked())

    @with_short_tracebacks
    def apply_schedule(self, schedule: Schedule) -> None:
        """Give the Funcs of the pipeline a schedule in the place of the one that they have.

        It is one that `current_schedule`, a search, a finding of `diagnose` or `hl.Schedule.from_json` returned, for
        Funcs and loops of these names; a number, as in `f$1`, does not matter where it is clear which Func is meant.
        `hl.Schedule()` takes all decisions away. Bounds, estimates, traces and what rfactor() has changed remain.
        ScheduleError for Funcs and loops that are not there, such as those that in_(), clone_in() and searches which
        merge updates have made, and for what is illegal: then nothing has changed.
        """
        from pipec.autoschedule.emit.replacement import replace_schedule

        require_instance("apply_schedule", Schedule, schedule)
        replace_schedule(schedule, self._pipeline()._checked())

    # Inspection

    @with_short_tracebacks
    def diagnose(
        self,
        like: Any = None,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
        *,
        measure: bool = True,
        target: Target | None = None,
    ) -> Diagnosis:
        """Why the pipeline is slower than it could be: findings in words, with numbers and a mend each.

        `like`, `sizes`: as in `autoschedule`. The pipeline runs for a third of a second to learn which Funcs take its
        time, on inputs that are bound, given by `like`, or random; with `measure=False` that is estimated. A mend that
        changes the schedule has been tried on the loops, and `finding.schedule` is the schedule with it.
        NotSupportedError where the extents of loops depend on values that a run computes.

        >>> x, y = hl.vars("x y")
        >>> f = hl.Func("f")
        >>> f[x, y] = hl.sqrt(hl.f32(x * y))
        >>> [finding.mend for finding in hl.Pipeline(f).diagnose(sizes=[1920, 1080], measure=False)][:1]
        ['f.vectorize(x, ...)']
        """
        from pipec.inspect.diagnose import diagnose

        return diagnose(self._pipeline()._checked(), like, sizes, measure=measure, target=target)

    @with_short_tracebacks
    def profile(
        self,
        like: Any = None,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
        *,
        seconds: float = 1.0,
        target: Target | None = None,
    ) -> ProfileReport:
        """Runs the pipeline for about `seconds` and reports where its time goes, Func by Func, nested as its loops are.

        Threads are sampled, so that runs take hardly longer than without a profile. `like`, `sizes` and inputs: as in
        `diagnose`. The report has `str`, `to_json()`, `to_html()`, `to_chrome_trace()`, `to_speedscope()` and `save`.

        >>> x, y = hl.vars("x y")
        >>> f = hl.Func("f")
        >>> f[x, y] = hl.sqrt(hl.f32(x * y))
        >>> hl.Pipeline(f).profile(sizes=[640, 480], seconds=0.01).by_name["f"].written
        1228800.0
        """
        from pipec.inspect.report import profile

        return profile(self._pipeline()._checked(), like, sizes, seconds=seconds, target=target)

    @with_short_tracebacks
    def explore(
        self,
        path: Any = None,
        like: Any = None,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
        *,
        compare: Mapping[str, Any] | None = None,
        result: Result | None = None,
        measure: bool = True,
        target: Target | None = None,
    ) -> Exploration:
        """A page of HTML about the pipeline and its schedule, which needs no other file; written to `path` if given.

        It shows the Funcs with the regions that are needed of them, the loop nest with measured and predicted times,
        storage and working sets against caches, recomputation, lowered code and assembly, and what `diagnose` finds.
        A Func that is selected is marked everywhere. `compare`: other schedules by title (Schedules, or candidates of a
        search), shown side by side; `result`: that of `autoschedule`, for the history of the search and the candidates
        that it rejected. `like`, `sizes`, `measure`: as in `diagnose`. In a notebook the result shows the page.

        >>> x, y = hl.vars("x y")
        >>> f = hl.Func("f")
        >>> f[x, y] = x * y
        >>> page = hl.Pipeline(f).explore(sizes=[640, 480], measure=False)
        >>> page.html.startswith("<!DOCTYPE html>")
        True
        """
        from pipec.inspect.explorer import explore

        outputs = self._pipeline()._checked()
        options = {"compare": compare, "result": result, "measure": measure, "target": target}
        return explore(outputs, path, like, sizes, **options)  # type: ignore[arg-type]

    @with_short_tracebacks
    def visualize(
        self,
        path: Any = None,
        like: Any = None,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
        *,
        target: Target | None = None,
    ) -> Animation:
        """An animation of how the schedule walks its images: which point is read, computed, computed again, or freed.

        The pipeline runs once, traced, on one thread; `sizes` should be small, and are [32, 24] by default. Written to
        `path` if given: `.html` (a canvas with a slider and keys), `.gif`, `.png` or `.apng` (animated PNG), `.mp4`.
        ArgumentError for runs of too many loads and stores.

        >>> x, y = hl.vars("x y")
        >>> f = hl.Func("f")
        >>> f[x, y] = x * y
        >>> len(hl.Pipeline(f).visualize(sizes=[4, 3]).steps)
        13
        """
        from pipec.inspect.visualiser import visualize

        animation = visualize(self._pipeline()._checked(), like, sizes, target=target)
        if path is not None:
            animation.save(path)
        return animation
