"""`python -m pipec.autoschedule.train collect|export|fit|judge`."""

from __future__ import annotations

import argparse
import itertools
import signal
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FrameType

from pipec.autoschedule.cost.fit import fit, judge, split
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.cost.network import Network, Weights
from pipec.autoschedule.cost.scores import Scores
from pipec.autoschedule.measure.database import Database, machine_id
from pipec.autoschedule.random_pipelines import VERSION
from pipec.autoschedule.train.archive import Machines, Measured, in_database, machines_in, read, write
from pipec.autoschedule.train.samples import samples


def fit_to(
    measured: Iterable[Measured],
    machines: Machines,
    weights: Path,
    epochs: int,
    seed: int,
    threads: int | None = None,
) -> int:
    """Train on the pipelines that are not held out and write the weights; returns how many states were trained on."""
    training, _ = split(samples(measured, machines, threads))

    def report(epoch: int, loss: float) -> None:
        if epoch % 10 == 0 or epoch == epochs - 1:
            print(f"epoch {epoch}: loss {loss:.4f}", file=sys.stderr, flush=True)

    fit(training, epochs, seed, progress=report).save(weights)
    return len(training)


def judged(
    measured: Iterable[Measured], machines: Machines, weights: Path | None, threads: int | None = None
) -> dict[str, Scores]:
    """The mean scores on held-out pipelines, by model."""
    _, held = split(samples(measured, machines, threads))
    models: dict[str, Callable[[MachineModel], CostModel]] = {"roofline": Roofline}
    if weights is not None:
        models["network"] = partial(Network, Weights.load(weights))
    return {name: judge(model, held)[""] for name, model in models.items()}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the status that the process shall end with."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    return {"collect": _collect, "export": _export, "fit": _fit, "judge": _judge}[options.command](options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipec.autoschedule.train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collect = commands.add_parser("collect", help="measure schedules of random pipelines")
    collect.add_argument("--first", type=int, default=0, metavar="SEED", help="the first pipeline")
    collect.add_argument("--pipelines", type=int, metavar="N", help="how many; without it, until it is stopped")
    collect.add_argument("--version", type=int, default=VERSION, help=f"of the random pipelines (default: {VERSION})")
    collect.add_argument("--schedules", type=int, default=16, metavar="N", help="of each pipeline")
    collect.add_argument("--source", default="roofline", help="a tag for this round of data")
    collect.add_argument("--weights", type=Path, help="propose by the network with these weights")
    collect.add_argument("--again", type=Path, nargs="+", metavar="ARCHIVE", help="the states of these, searching none")
    collect.add_argument("--compilers", type=int, help="how many processes compile (default: all CPUs)")
    collect.add_argument("--also", type=int, nargs="*", default=[], metavar="N", help="further numbers of threads")
    collect.add_argument("--compile-seconds", type=float, default=3.0, help="that a schedule may take (default: 3)")
    collect.add_argument("--realtime", action="store_true", help="time before all other processes, where permitted")
    fit = commands.add_parser("fit", help="train the network")
    fit.add_argument("weights", type=Path, help="where to write them")
    fit.add_argument("--epochs", type=int, default=60)
    fit.add_argument("--seed", type=int, default=0)
    judge = commands.add_parser("judge", help="score cost models on pipelines they were not trained on")
    judge.add_argument("weights", type=Path, nargs="?", help="of the network, which is left out without them")
    export = commands.add_parser("export", help="write what was measured as compressed text")
    export.add_argument("archive", type=Path)
    for command in (collect, export):
        command.add_argument("--database", type=Path, required=True, help="the SQLite file of measured schedules")
    for command in (fit, judge):
        command.add_argument("--database", type=Path, help="the SQLite file of measured schedules")
        command.add_argument("--data", type=Path, nargs="*", default=[], metavar="ARCHIVE", help="what `export` wrote")
    for command in (collect, fit, judge):
        command.add_argument("--threads", type=int, help="that pipelines run on (default: all CPUs)")
    return parser


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _collect(options: argparse.Namespace) -> int:
    with Database(options.database) as database:
        return _collected(database, options)


def _collected(database: Database, options: argparse.Namespace) -> int:
    from pipec.autoschedule.cost.network import Network, Weights
    from pipec.autoschedule.measure import Measurer, TrialLimits
    from pipec.autoschedule.train.collect import CollectionProgress, collect
    from pipec.autoschedule.train.proposals import by_record, by_search, recorded

    model = None if options.weights is None else Network(Weights.load(options.weights), host_machine())
    end = None if options.pipelines is None else options.first + options.pipelines
    seeds: Iterable[int] = itertools.count(options.first) if end is None else range(options.first, end)
    proposer = by_search(model, options.threads)
    if options.again:
        states = recorded(options.again, options.version)
        seeds, proposer = states, by_record(states, options.threads)
    limits = TrialLimits(compile_seconds=options.compile_seconds, run_seconds=2.0)
    measurer = Measurer(compilers=options.compilers, threads=options.threads, realtime=options.realtime, limits=limits)
    progress = CollectionProgress()
    with measurer:
        try:
            collect(
                database,
                measurer,
                proposer,
                seeds,
                options.schedules,
                source=options.source,
                threads=options.threads,
                also=options.also,
                version=options.version,
                progress=progress,
            )
        except KeyboardInterrupt:
            print("stopped; the same command continues from here", file=sys.stderr)
    print(
        f"{progress.pipelines} pipelines, {progress.measured} schedules measured, {progress.good} of them good,"
        f" {len(progress.failures)} pipelines failed; {database.count()} in the database"
    )
    return 1 if progress.failures else 0


def _export(options: argparse.Namespace) -> int:
    with Database(options.database) as database:
        count = write(in_database(database), _machines(()), options.archive)
    print(f"{count} schedules in {options.archive}, {options.archive.stat().st_size} bytes")
    return 0


def _measured(options: argparse.Namespace) -> list[Measured]:
    schedules = [one for archive in options.data for one in read(archive)]
    if options.database is not None:
        with Database(options.database) as database:
            schedules += in_database(database)
    if not schedules:
        raise SystemExit("Error: Nothing was measured: give --database, or --data with archives that `export` wrote.")
    return schedules


def _machines(archives: Iterable[Path]) -> Machines:
    """Rates of machines by name: those of archives, and those of this one."""
    machines = {name: machine for archive in archives for name, machine in machines_in(archive).items()}
    return machines | {machine_id(): host_machine()}


def _fit(options: argparse.Namespace) -> int:

    count = fit_to(
        _measured(options), _machines(options.data), options.weights, options.epochs, options.seed, options.threads
    )
    print(f"trained on {count} states; weights in {options.weights}")
    return 0


def _judge(options: argparse.Namespace) -> int:

    for name, scores in judged(_measured(options), _machines(options.data), options.weights, options.threads).items():
        print(f"{name}: {scores}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
