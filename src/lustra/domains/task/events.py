"""What higher domains are asked about the calendar's runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lustra.core.scope import Scope

Reports = dict[tuple[int, str], tuple[int, float | None, float]]  # report, coverage and s, by robot and run


@dataclass(slots=True)
class RunsReported:
    """The reports of these runs, as far as the scope sees them."""

    scope: Scope
    runs: Sequence[str]
    reports: Reports = field(default_factory=dict[tuple[int, str], tuple[int, float | None, float]])
