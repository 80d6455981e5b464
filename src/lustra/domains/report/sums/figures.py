"""What the figures of runs mean, once: for tiles, sites, lists, charts, exports, e-mails and documents.

A run counts whole on the day on which it began at its robot's site. Its plan is what the robot can reach of what was to
be cleaned; until that is known, what was to be cleaned. Coverage is never above 1: a tool sweeps a little beyond the
edge of a plan. SQL is of `task_report r` and its `device d`.
"""

DAY = "(r.started at time zone d.zone)::date"
TODAY = "(now() at time zone d.zone)::date"
PLANNED = "coalesce(r.reachable, r.planned)"
COVERAGE = "coalesce(r.coverage, r.cleaned / nullif(r.planned, 0))"
WHOLE = 1000  # coverage in thousandths, as on the wire


def coverage_of(cleaned: float, planned: float) -> float | None:
    """Of runs together, 0 to 1; None: nothing was planned."""
    return min(1.0, cleaned / planned) if planned > 0 else None


def thousandths_of(cleaned: float, planned: float) -> int | None:
    coverage = coverage_of(cleaned, planned)
    return None if coverage is None else round(WHOLE * coverage)
