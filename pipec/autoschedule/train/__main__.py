"""`python -m pipec.autoschedule.train collect|fit|judge --database FILE`."""

from __future__ import annotations

import argparse
import itertools
import signal
import sys
from pathlib import Path
from types import FrameType

from pipec.autoschedule.database import Database


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the status that the process shall end with."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    with Database(options.database) as database:
        command = {"collect": _collect, "fit": _fit, "judge": _judge}[options.command]
        return command(database, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipec.autoschedule.train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collect = commands.add_parser("collect", help="measure schedules of random pipelines")
    collect.add_argument("--first", type=int, default=0, metavar="SEED", help="the first pipeline")
    collect.add_argument("--pipelines", type=int, metavar="N", help="how many; without it, until it is stopped")
    collect.add_argument("--schedules", type=int, default=16, metavar="N", help="of each pipeline")
    collect.add_argument("--source", default="roofline", help="a tag for this round of data")
    collect.add_argument("--weights", type=Path, help="propose by the network with these weights")
    collect.add_argument("--compilers", type=int, help="how many processes compile (default: all CPUs)")
    collect.add_argument("--also", type=int, nargs="*", default=[], metavar="N", help="further numbers of threads")
    collect.add_argument("--compile-seconds", type=float, default=3.0, help="that a schedule may take (default: 3)")
    collect.add_argument("--realtime", action="store_true", help="time before all other processes, where permitted")
    fit = commands.add_parser("fit", help="train the network")
    fit.add_argument("weights", type=Path, help="where to write them")
    fit.add_argument("--epochs", type=int, default=200)
    fit.add_argument("--seed", type=int, default=0)
    judge = commands.add_parser("judge", help="score cost models on pipelines they were not trained on")
    judge.add_argument("weights", type=Path, nargs="?", help="of the network, which is left out without them")
    for command in (collect, fit, judge):
        command.add_argument("--database", type=Path, required=True, help="the SQLite file of measured schedules")
        command.add_argument("--threads", type=int, help="that pipelines run on (default: all CPUs)")
    return parser


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _collect(database: Database, options: argparse.Namespace) -> int:
    from pipec.autoschedule.cost.network import Network, Weights
    from pipec.autoschedule.measure import Limits, Measurer
    from pipec.autoschedule.train.collect import Progress, collect
    from pipec.autoschedule.train.proposals import by_search

    model = None if options.weights is None else Network(Weights.load(options.weights))
    end = None if options.pipelines is None else options.first + options.pipelines
    seeds = itertools.count(options.first) if end is None else range(options.first, end)
    limits = Limits(compile_seconds=options.compile_seconds, run_seconds=2.0)
    measurer = Measurer(compilers=options.compilers, threads=options.threads, realtime=options.realtime, limits=limits)
    progress = Progress()
    with measurer:
        try:
            proposer = by_search(model, options.threads)
            collect(
                database,
                measurer,
                proposer,
                seeds,
                options.schedules,
                source=options.source,
                threads=options.threads,
                also=options.also,
                progress=progress,
            )
        except KeyboardInterrupt:
            print("stopped; the same command goes on from here", file=sys.stderr)
    print(
        f"{progress.pipelines} pipelines, {progress.measured} schedules measured, {progress.good} of them good,"
        f" {len(progress.failures)} pipelines failed; {database.count()} in the database"
    )
    return 1 if progress.failures else 0


def _fit(database: Database, options: argparse.Namespace) -> int:
    from pipec.autoschedule.train.fit import fit_to

    count = fit_to(database, options.weights, options.epochs, options.seed, options.threads)
    print(f"trained on {count} plans; weights in {options.weights}")
    return 0


def _judge(database: Database, options: argparse.Namespace) -> int:
    from pipec.autoschedule.train.judge import judged

    for name, scores in judged(database, options.weights, options.threads).items():
        print(f"{name}: {scores}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
