"""Updates of robots that ask for them by hawkBit's device API (DDI), as SWUpdate and RAUC's updater do.

Rules: a robot that was given a token asks, and is sent no orders over the bus. The token opens what is that robot's
alone; it is known once, kept as a digest, and gone with a change of hands. What is due is what roll-outs say: the
robot's open row of one that runs, once its step has come, within the hours of its site.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from sqlalchemy import Update

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.scope import rows_of, shared
from lustra.domains.backup.api import begin_backups
from lustra.domains.device.api import Device
from lustra.domains.rollout import orders, queries, rules
from lustra.domains.rollout.queries import EVERY
from lustra.domains.rollout.tables import RolloutRobot, UpdateToken
from lustra.domains.version.api import VersionFile, find_packages
from lustra.protocol.updates import Part

SCHEME = "TargetToken "
MOST_ATTRIBUTES = 64
LONGEST_ATTRIBUTE = 128
LONGEST_MESSAGE = 512
STATES: Mapping[str, rules.RobotState] = {
    "download": "downloading",
    "downloaded": "verifying",
    "proceeding": "installing",
}
NEUTRAL = frozenset({"scheduled", "resumed"})
ENDS: Mapping[tuple[str, str], tuple[rules.RobotState, str]] = {
    ("closed", "success"): ("confirmed", ""),
    ("closed", "failure"): ("failed", "ddi_failed"),
    ("closed", "none"): ("failed", "ddi_failed"),
    ("rejected", ""): ("failed", "ddi_rejected"),
    ("canceled", ""): ("failed", "ddi_canceled"),
}

# `foreign`: not the robot's token; `unknown`: none of its actions; `over`: nobody waits for it any more, though that it
# runs the version counts even then.
Outcome = Literal["foreign", "unknown", "unreadable", "stored", "over"]
FILE = ("id", "path", "place", "size", "sha256", "sha1", "md5")  # of an artifact that its file says


class Artifact(msgspec.Struct, frozen=True):
    """A package that a robot fetches; `sha1` and `md5` may be empty still."""

    part: Part
    version: str
    id: int
    path: str
    place: str
    size: int
    sha256: str
    sha1: str
    md5: str


@dataclass(frozen=True, slots=True)
class Target:
    """A robot that asks by its own token. `is_new`: it has not said what it is. `due`: what it shall do."""

    is_new: bool
    due: "Deployment | None"


@dataclass(frozen=True, slots=True)
class Deployment:
    """A robot's part of a roll-out, and the packages that it shall fetch. `begun`: it knows of it."""

    action: int
    name: str
    charging: bool
    begun: bool
    artifacts: Sequence[Artifact]


@dataclass(frozen=True, slots=True)
class Feedback:
    """In the API's words."""

    execution: str
    finished: str
    details: Sequence[str]


async def load_token(ctx: Ctx, device_id: int) -> tuple[Device, UpdateToken | None]:
    device = await query.fetch_one(ctx.db, ctx.scope.select(Device).where(Device.id == device_id))
    return device, await ctx.db.scalar(rows_of(device).select(UpdateToken))


async def create_token(ctx: Ctx, device_id: int) -> tuple[Device, str]:
    """In place of a former one, which opens nothing from then on."""
    device = await query.fetch_one(
        ctx.db, ctx.scope.changeable.select(Device).where(Device.id == device_id).with_for_update()
    )
    secret = secrets.token_urlsafe(32)
    row = await ctx.db.scalar(rows_of(device).select(UpdateToken))
    if row is None:
        ctx.db.add(UpdateToken(device_id=device.id, digest=_digest(secret)))
    else:
        row.digest, row.created_at = _digest(secret), now()
    ctx.note(deviceSerialNumber=device.serial_number)
    return device, secret


async def delete_token(ctx: Ctx, device_id: int) -> None:
    """It takes orders over the bus again."""
    device = await query.fetch_one(ctx.db, ctx.scope.changeable.select(Device).where(Device.id == device_id))
    await ctx.db.execute(rows_of(device).delete(UpdateToken))
    ctx.note(deviceSerialNumber=device.serial_number)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def read_digest(headers: Mapping[str, str]) -> str:
    """Of the token that the request bears; empty: none."""
    scheme, secret = headers.get("authorization", "")[: len(SCHEME)], headers.get("authorization", "")[len(SCHEME) :]
    return _digest(secret.strip()) if scheme.lower() == SCHEME.lower() else ""


async def find_target(ctx: Ctx, serial_number: str, action: int | None = None) -> Target | None:
    """What it shall install now; with `action` only that, also outside of the hours, for it has begun. None: the
    request does not bear the robot's token."""
    values = serial_number, read_digest(ctx.headers), action
    row = await ctx.app.batches.fetch_row(EVERY.sql(queries.FIND_DUE), *values)
    if row is None:
        return None
    return Target(row["is_new"], await _find_due(ctx, row) if row["action"] else None)


async def _find_due(ctx: Ctx, row: Mapping[str, Any]) -> Deployment | None:
    if row["state"] == "waiting" and rules.window_end(row["from_minute"], row["to_minute"], row["zone"], now()) is None:
        if row["reason"] != "outside_hours":
            await ctx.db.execute(_same(row).values(reason="outside_hours"))
        return None
    if row["state"] == "waiting" and row["unsaved"]:
        await ctx.db.execute(_same(row).values(reason="backup_first"))
        await begin_backups(ctx.db, {row["device_id"]: row["planned_at"]})
        return None
    if row["sent"] is not None and row["sent"] >= row["per_minute"]:
        return None
    artifacts = await _load_former(ctx, row) if row["kind"] == "back" else row["packages"]
    if not artifacts:
        await ctx.db.execute(_same(row).values(state="failed", reason="update_no_former", updated_at=now()))
        return None
    return Deployment(
        row["action"],
        row["name"],
        row["charging"],
        row["sent_at"] is not None,
        msgspec.convert(artifacts, list[Artifact]),
    )


def _same(row: Mapping[str, Any]) -> Update:
    """The robot's row of the roll-out, as long as it is as it was."""
    rows = EVERY.update(RolloutRobot).where(RolloutRobot.id == row["action"])
    return rows.where(RolloutRobot.state == row["state"])


async def _load_former(ctx: Ctx, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Packages of the former versions: such a robot has no other slot that we know of."""
    versions = orders.read_versions(row["version_kind"], row["versions"])
    packages = await find_packages(ctx.db, row["type_id"], versions, row["build_id"])
    return [
        {name: getattr(package.file, name) for name in FILE} | {"part": package.part, "version": package.version}
        for package in packages
    ]


async def complete_digests(ctx: Ctx, artifact: Artifact) -> Artifact:
    """SHA-1 and MD5, which clients compare beside SHA-256: read from the file once, when it is first asked for."""
    if artifact.sha1:
        return artifact
    file = (
        await ctx.db.scalars(shared.select(VersionFile).where(VersionFile.id == artifact.id).with_for_update())
    ).one()
    if not file.sha1:
        sha1, md5 = hashlib.sha1(usedforsecurity=False), hashlib.md5(usedforsecurity=False)
        async for part in ctx.app.objects.parts(file.place, 0, file.size):
            sha1.update(part)
            md5.update(part)
        file.sha1, file.md5 = sha1.hexdigest(), md5.hexdigest()
    return msgspec.structs.replace(artifact, sha1=file.sha1, md5=file.md5)


async def begin(ctx: Ctx, deployment: Deployment) -> bool:
    """The robot knows of it; False: so many have begun in this minute that it is not its turn."""
    if deployment.begun:
        return True
    return await ctx.app.batches.fetch_row(EVERY.sql(queries.BEGIN), deployment.action) is not None


async def store_attributes(ctx: Ctx, serial_number: str, attributes: Mapping[str, str]) -> bool:
    """False: the request does not bear the robot's token."""
    few = list(attributes.items())[:MOST_ATTRIBUTES]
    short = msgspec.json.encode({name[:LONGEST_ATTRIBUTE]: value[:LONGEST_ATTRIBUTE] for name, value in few}).decode()
    values = serial_number, read_digest(ctx.headers), short
    return await ctx.app.batches.fetch_row(EVERY.sql(queries.STORE_ATTRIBUTES), *values) is not None


async def store_feedback(ctx: Ctx, serial_number: str, action: int, feedback: Feedback) -> Outcome:
    state, reason = STATES.get(feedback.execution), ""
    if state is None:
        finished = feedback.finished if feedback.execution == "closed" else ""
        state, reason = ENDS.get((feedback.execution, finished), (None, ""))
    message = " · ".join(feedback.details)[:LONGEST_MESSAGE] if state and state not in rules.OPEN else None
    values = serial_number, read_digest(ctx.headers), action, state, reason, message
    row = await ctx.app.batches.fetch_row(EVERY.sql(queries.STORE_FEEDBACK), *values)
    if row is None:
        return "foreign"
    if not row["known"]:
        return "unknown"
    if state is None:
        return "stored" if feedback.execution in NEUTRAL else "unreadable"
    return "stored" if row["stored"] else "over"
