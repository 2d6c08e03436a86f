"""What a diagnosis consists of: findings in words, with numbers and a mend each."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule


@dataclass(frozen=True, eq=False)
class Finding:
    """One reason why a pipeline is slower than it could be.

    kind: "recomputed", "inlined", "scalar", "serial", "few tasks", "small tasks", "cache", "memory", "false sharing",
    "gather", "tail" or "denormals". func: the Func that it is about; stage: its stage as users write it. text: what
    happens, in words and numbers. mend: what to do: lines of Python, or words. numbers: the numbers by name. share: the
    part of the time of a run that the stage takes, 0 to 1. schedule: that of the whole pipeline with the mend; None
    where the mend is not a change of the schedule.
    """

    kind: str
    func: str
    stage: str
    text: str
    mend: str
    share: float
    numbers: Mapping[str, float] = field(default_factory=dict)
    schedule: Schedule | None = None

    def __str__(self) -> str:
        return f"{self.text}\n    {self.mend}"

    def to_data(self) -> dict[str, Any]:
        """The finding as values of JSON."""
        names = ("kind", "func", "stage", "text", "mend", "share")
        numbers = {name: round(value, 6) for name, value in self.numbers.items()}
        return {**{name: getattr(self, name) for name in names}, "numbers": numbers}


@dataclass(frozen=True, eq=False)
class Diagnosis(Sequence[Finding]):
    """Findings about a pipeline, those of the most expensive Funcs first; a sequence.

    pipeline: its name. sizes: of the outputs, by Func. seconds: of a run; None where nothing was run. estimated:
    whether the shares come from a model and not from a profile.
    """

    pipeline: str
    sizes: Mapping[str, tuple[int, ...]]
    findings: tuple[Finding, ...]
    seconds: float | None
    estimated: bool

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, index: Any) -> Any:
        return self.findings[index]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def of_kind(self, kind: str) -> list[Finding]:
        """Returns the findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def __str__(self) -> str:
        sizes = ", ".join([f"{name} of {' x '.join(map(str, extents))}" for name, extents in self.sizes.items()])
        time = "not run" if self.seconds is None else f"{1e3 * self.seconds:.3f} ms a run"
        lines = [f"{sizes}: {time}"]
        if not self.findings:
            lines.append("Nothing to mend was found.")
        for number, finding in enumerate(self.findings, 1):
            lines.append(f"{number}. [{finding.share:4.0%}] {finding}")
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """The diagnosis as JSON text."""
        data = {
            "pipeline": self.pipeline,
            "sizes": {name: list(extents) for name, extents in self.sizes.items()},
            "seconds": self.seconds,
            "estimated": self.estimated,
            "findings": [finding.to_data() for finding in self.findings],
        }
        return json.dumps(data, indent=2)

    def _repr_html_(self) -> str:
        rows = "".join(
            [
                f"<li><b>{html.escape(f.kind)}</b> ({f.share:.0%}): {html.escape(f.text)}"
                f"<pre>{html.escape(f.mend)}</pre></li>"
                for f in self.findings
            ]
        )
        return f"<div><b>{html.escape(str(self).splitlines()[0])}</b><ol>{rows}</ol></div>"
