"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.task.day_plan import PlannedTask, load_day_plan
from lustra.domains.task.events import OtherRuns, RunsReported
from lustra.domains.task.mirror import keep as keep_task
from lustra.domains.task.plans import keep as keep_plan
from lustra.domains.task.plans import keep_occurrence

__all__ = [
    "OtherRuns",
    "PlannedTask",
    "RunsReported",
    "keep_occurrence",
    "keep_plan",
    "keep_task",
    "load_day_plan",
]
