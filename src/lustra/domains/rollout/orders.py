"""Orders of updates on their way to robots.

Rules: the database says what is due, so that nothing is lost where a worker dies: each roll-out that runs is looked
through when a robot of it has ended, and each minute. A robot that says nothing for SILENT_AFTER while it is at it has
failed. An order that was taken back is dropped by the robot unless it installs already.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import TextClause, func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.files.addresses import fetch_url
from lustra.core.scope import Statement, rows_of, shared
from lustra.domains.backup.api import begin_backups
from lustra.domains.device.api import Device
from lustra.domains.rollout import queries, rules, trust, watch
from lustra.domains.rollout.queries import EVERY
from lustra.domains.rollout.tables import Rollout, RolloutRobot, UpdateToken
from lustra.domains.version.api import PARTS, VersionFile, VersionKind
from lustra.protocol.updates import Part, Update, UpdatePackage, target_path

ADVANCE = "rollout.advance"
DROP = "rollout.drop"
ANSWERS_IN_S = 10.0
LINK_S = 24 * 3600.0  # that links open a package and what is signed: a robot may come to it late
PURPOSE = "trust"  # of links that open signed metadata
SILENT_AFTER = timedelta(minutes=30)
SILENT = "robot_silent"
AT_ONCE = 100  # robots that are asked side by side


@dataclass(frozen=True, slots=True)
class Due:
    """A robot that may begin, until then."""

    row: RolloutRobot
    serial_number: str
    type_id: int
    type_name: str
    until: datetime


def metadata_url(app: Services, device_id: int) -> str:
    """Where a robot finds what is signed."""
    link = app.objects.links.sign({PURPOSE: device_id}, LINK_S)
    return f"{app.settings.public_url.rstrip('/')}/api/version/metadata/{link}/"


def package_url(app: Services, place: str) -> str:
    return fetch_url(app.settings, app.objects, place, LINK_S)


async def advance_all(app: Services) -> None:
    """Each minute."""
    await app.pool.execute(EVERY.sql(queries.END_SILENT), list(rules.BUSY), SILENT_AFTER)
    for row in await app.pool.fetch(EVERY.sql(queries.RUNNING)):
        await advance(app, row["id"])


async def advance(app: Services, rollout: int) -> None:
    """Looks what has become of it, and orders what is due."""
    async with app.sessions.begin() as db:
        row = await db.scalar(EVERY.select(Rollout).where(Rollout.id == rollout).with_for_update())
        if row is None or row.state != "running":
            return
        tallies = [rules.Tally(**each) for each in (await db.execute(*_of(row, queries.TALLY))).mappings()]
        awaits = rules.awaits_health(row, tallies)
        worse = await watch.judge(db, row, await load_robots(db, row)) if awaits else False
        state = rules.advance(row, tallies, now(), worse=worse)
        if state == "paused":
            await take_back(db, await load_robots(db, row), "waiting")
        due, more = await list_due(db, row) if state == "running" else ([], False)
        files = await load_files(db, row)
    if not due:
        return
    await trust.renew(app)
    moment = now()  # of the minute whose room they take
    reasons = await asyncio.gather(*(send_order(app, row, each, files) for each in due))
    async with app.sessions.begin() as db:
        for each, reason in zip(due, reasons, strict=True):
            await record_answer(db, each.row, reason, moment)
        if more:
            await jobs.later(db, ADVANCE, rollout=rollout)


def _of(row: Rollout, statement: Statement, **values: Any) -> tuple[TextClause, dict[str, Any]]:
    return EVERY.text(statement), {"rollout": row.id, **values}


async def load_robots(db: AsyncSession, row: Rollout) -> list[RolloutRobot]:
    return list(await db.scalars(rows_of(row).select(RolloutRobot).order_by(RolloutRobot.id)))


async def take_back(db: AsyncSession, robots: Sequence[RolloutRobot], state: rules.RobotState) -> None:
    """What no robot has begun to install."""
    for robot in robots:
        if robot.state not in rules.HELD_BACK:
            continue
        if robot.sent_at is not None:
            await jobs.later(db, DROP, robot=robot.id, attempt=robot.attempt)
        robot.state, robot.reason, robot.sent_at, robot.updated_at = state, "", None, now()
        robot.attempt += 1


async def count_room(db: AsyncSession, row: Rollout) -> int | None:
    """How many robots more may be asked in this minute; None: as many as there are."""
    if not row.per_minute:
        return None
    begun = now().replace(second=0, microsecond=0)
    sent = rows_of(row).select(func.count(RolloutRobot.id)).where(RolloutRobot.sent_at >= begun)
    return max(0, row.per_minute - (await db.scalar(sent) or 0))


async def list_due(db: AsyncSession, row: Rollout) -> tuple[list[Due], bool]:
    """Whom to ask now, and whether others that may answer wait still. Those that did not answer before come last, so
    that they hold nobody else up; those whose plan says so are backed up before."""
    room = await count_room(db, row)
    most = AT_ONCE if room is None else min(room, AT_ONCE)
    ends: dict[str, datetime] = {}
    closed: list[str] = []
    for zone in await db.scalars(*_of(row, queries.WAITING_ZONES, step=row.step)):
        if until := rules.window_end(row.from_minute, row.to_minute, zone, now()):
            ends[zone] = until
        else:
            closed.append(zone)
    if closed:
        await db.execute(*_of(row, queries.WAIT_FOR_HOURS, step=row.step, zones=closed))
    here = {"step": row.step, "zones": list(ends)}
    unsaved = (await db.execute(*_of(row, queries.UNSAVED_ROBOTS, **here))).all()
    if unsaved:
        await db.execute(*_of(row, queries.WAIT_FOR_BACKUP, **here))
        await begin_backups(db, {each.id: each.created_at for each in unsaved})
    values = {**here, "most": most + 1}
    waiting = (await db.execute(*_of(row, queries.WAITING, **values))).mappings().all()
    rows = rows_of(row).select(RolloutRobot).where(RolloutRobot.id.in_([each["id"] for each in waiting]))
    robots = {robot.id: robot for robot in await db.scalars(rows)}
    due = [
        Due(robots[each["id"]], each["serial_number"], each["type_id"], each["type_name"], ends[each["zone"]])
        for each in waiting[:most]
    ]
    more = most == AT_ONCE and any(robots[each["id"]].reason != SILENT for each in waiting[most:])
    return due, more


async def load_files(db: AsyncSession, row: Rollout) -> dict[int, VersionFile]:
    """Of its packages, by number."""
    ids = [each["fileId"] for packages in row.packages.values() for each in packages]
    return {file.id: file for file in await db.scalars(shared.select(VersionFile).where(VersionFile.id.in_(ids)))}


async def send_order(app: Services, rollout: Rollout, due: Due, files: Mapping[int, VersionFile]) -> str:
    """One try; why the robot did not take it, or nothing."""
    robot = due.row
    order = Update(
        number=robot.id,
        attempt=robot.attempt,
        action="back" if rollout.kind == "back" else "install",
        version=robot.target,
        until=round(due.until.timestamp() * 1000),
        charging=rollout.charging,
    )
    if rollout.kind == "update":
        order.metadata = metadata_url(app, robot.device_id)
    packages = list_packages(app, rollout, due, files)
    if rollout.version_kind != "soft":
        order.packages = packages
    elif rollout.kind == "update" and packages:
        order.name, order.url = packages[0].name, packages[0].url
    try:
        answer = await app.bus.ask(due.serial_number, "update", order, ANSWERS_IN_S)
    except Silent:
        return SILENT
    return str(answer.get("reason") or "robot_failed")[:64] if answer.get("code") else ""


def list_packages(app: Services, rollout: Rollout, due: Due, files: Mapping[int, VersionFile]) -> list[UpdatePackage]:
    """What this robot shall fetch, or go back to."""
    if rollout.kind == "back":
        versions = read_versions(rollout.version_kind, due.row.versions)
        return [UpdatePackage(part=part, version=version) for part, version in versions.items()]
    return [
        UpdatePackage(
            part=each["part"],
            version=each["version"],
            name=signed_path(each["name"], due.type_name),
            url=package_url(app, files[each["fileId"]].place),
        )
        for each in rollout.packages.get(str(due.type_id), [])
        if each["fileId"] in files
    ]


def signed_path(name: str, type_name: str) -> str:
    """Of a package (`soft/7`), for robots of a type."""
    kind, number = name.split("/")
    return target_path(kind, type_name, number)


def read_versions(version_kind: str, versions: Mapping[str, Any]) -> dict[Part, str]:
    """What a robot goes back to, as far as it is known."""
    return {part: str(versions[part]) for part in PARTS[read_kind(version_kind)] if part in versions}


def read_kind(version_kind: str) -> VersionKind:
    return next(kind for kind in PARTS if kind == version_kind)


async def record_answer(db: AsyncSession, robot: RolloutRobot, reason: str, moment: datetime) -> None:
    """A robot that was silent is asked again in a minute."""
    same = EVERY.update(RolloutRobot).where(RolloutRobot.id == robot.id, RolloutRobot.attempt == robot.attempt)
    if not reason:
        await db.execute(same.values(sent_at=moment))
    elif reason == SILENT:
        await db.execute(same.where(RolloutRobot.state == "waiting").values(reason=reason))
    else:
        await db.execute(same.values(state="failed", reason=reason, updated_at=now()))


async def drop_order(app: Services, robot: int, attempt: int) -> None:
    """Taken back. A robot that is away gets it when the job is done again, some times in an hour."""
    async with app.sessions() as db:
        row = await db.scalar(EVERY.select(RolloutRobot).where(RolloutRobot.id == robot))
        if row is None:
            return
        device = (await db.scalars(rows_of(row).select(Device))).one()
        if await db.scalar(rows_of(device).select(UpdateToken)):
            return  # it asks, and is answered that there is nothing any more
    order = Update(number=robot, attempt=attempt, action="drop")
    await app.bus.ask(device.serial_number, "update", order, ANSWERS_IN_S)
