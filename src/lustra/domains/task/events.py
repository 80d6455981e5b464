"""What higher domains are asked about the calendar's runs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from lustra.core.scope import Scope

Reports = dict[tuple[int, str], tuple[int, float | None, float]]  # report, coverage and s, by robot and run


@dataclass(slots=True)
class RunsReported:
    """The reports of these runs, as far as the scope sees them."""

    scope: Scope
    runs: Sequence[str]
    reports: Reports = field(default_factory=dict[tuple[int, str], tuple[int, float | None, float]])


@dataclass(slots=True)
class OtherRuns:
    """Runs of robots in a time, the newest first, that no schedule of theirs began: `known` are those of schedules."""

    scope: Scope
    robots: Collection[int]
    since: datetime
    until: datetime
    known: Collection[str]
    runs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
