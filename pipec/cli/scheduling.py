"""Commands that look for a schedule or explain one: schedule, tune, profile, diagnose, explore."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipec.cli.console import report
from pipec.cli.program import CommandProgram


def schedule(options: Any) -> int:
    """Searches as `Pipeline.autoschedule` does by default, and prints the schedule."""
    return _search(options)


def tune(options: Any) -> int:
    """Searches by measuring for the given time."""
    return _search(options, budget=options.budget)


def _search(options: Any, **how: Any) -> int:
    program = CommandProgram(options, hand_schedule=False)
    sizes = {output.name(): program.sizes for output in program.pipeline.outputs()}
    result = program.pipeline.autoschedule(sizes=sizes, **how)
    if options.output:
        result.save(options.output)
    if options.json:
        facts = {
            "schedule": json.loads(result.schedule.to_json()),
            "predicted_ms": result.predicted_ms,
            "measured_ms": result.measured_ms,
            "seconds": result.search_seconds,
        }
        print(json.dumps(facts, indent=2))
    else:
        print(f"# {result!r}\n{result.schedule.to_python()}", end="")
    return 0


def profile(options: Any) -> int:
    """Prints where the time goes; --output writes it in the format of the file's ending."""
    program = CommandProgram(options)
    answer = program.pipeline.profile(sizes=program.sizes, seconds=options.seconds)
    if options.output:
        answer.save(options.output)
    print(answer.to_json() if options.json else str(answer))
    return 0


def diagnose(options: Any) -> int:
    """Prints the findings."""
    program = CommandProgram(options)
    answer = program.pipeline.diagnose(sizes=program.sizes)
    print(answer.to_json() if options.json else str(answer))
    return 0


def explore(options: Any) -> int:
    """Writes the explorer's page."""
    program = CommandProgram(options)
    page = Path(options.output or f"{program.title}.html")
    program.pipeline.explore(page, sizes=program.sizes)
    report({"written": str(page), "bytes": page.stat().st_size}, options.json)
    return 0
