"""How robots of a roll-out do on its version, as far as their reports and alarms say it.

Rules: a step is judged once each of its robots has run as often as the roll-out says; a robot without runs in the time
before is not waited for, there is nothing to compare it with.
"""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.rollout import health, queries
from lustra.domains.rollout.queries import EVERY
from lustra.domains.rollout.tables import Rollout, RolloutRobot

BEFORE_DAYS = 90
MOST_RUNS = 50  # of a robot, before and since: the nearest


async def judge(db: AsyncSession, rollout: Rollout, robots: Sequence[RolloutRobot]) -> bool | None:
    """Whether they do worse; None: too few of their runs are known. Kept with the roll-out, for who looks at it."""
    values = {"rollout": rollout.id, "days": BEFORE_DAYS, "most": MOST_RUNS}
    rows = (await db.execute(EVERY.text(queries.RUNS), values)).mappings()
    pairs = health.pair_up(
        [
            (
                row["device_id"],
                row["newer"],
                (row["map_name"], row["task_name"]),
                health.Runs(
                    runs=row["runs"],
                    seconds=row["seconds"],
                    alarms=row["alarms"],
                    assists=row["assists"],
                    cleaned=row["cleaned"],
                    covered=row["covered"],
                    measured=row["measured"],
                    used=row["used"],
                    powered=row["powered"],
                ),
            )
            for row in rows
        ]
    )
    known = health.count_runs(pairs)
    for robot in robots:
        if robot.runs != (runs := known.get(robot.device_id)):
            robot.runs = runs
    measures = health.compare(pairs, {name: rollout.health_limits[name] for name in health.NAMES})
    if (figures := [asdict(measure) for measure in measures]) != rollout.health:
        rollout.health = figures
    if any(runs < rollout.health_runs for runs in known.values()):
        return None
    return any(measure.worse for measure in measures)
