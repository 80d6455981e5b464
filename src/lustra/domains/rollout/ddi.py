"""Updates of robots that ask for them by hawkBit's device API (DDI), as SWUpdate and RAUC's updater do.

Rules: a robot that was given a token asks, and is sent no orders over the bus. The token opens what is that robot's
alone; it is known once, kept as a digest, and gone with a change of hands. What is due is what roll-outs say: the
robot's open row of one that runs, once its step has come, within the hours of its site.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hmac import compare_digest

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.scope import rows_of, shared
from lustra.domains.device.api import Device
from lustra.domains.rollout import rules
from lustra.domains.rollout.orders import count_room, load_files, read_versions
from lustra.domains.rollout.queries import EVERY
from lustra.domains.rollout.tables import Rollout, RolloutRobot, UpdateToken
from lustra.domains.version.api import VersionFile, find_packages
from lustra.protocol.updates import Part

SCHEME = "TargetToken "
SEEN_EVERY = timedelta(minutes=1)  # that its last question is written down
MOST_ATTRIBUTES = 64
LONGEST_ATTRIBUTE = 128
LONGEST_MESSAGE = 512
STATES: Mapping[str, rules.RobotState] = {
    "download": "downloading",
    "downloaded": "verifying",
    "proceeding": "installing",
}
COLUMNS: Mapping[Part, str] = {
    "software": "soft_version",
    "firmware": "firmware_version",
    "app": "pad_version",
}  # of a device
NEUTRAL = frozenset({"scheduled", "resumed"})
ENDS: Mapping[tuple[str, str], tuple[rules.RobotState, str]] = {
    ("closed", "success"): ("confirmed", ""),
    ("closed", "failure"): ("failed", "ddi_failed"),
    ("closed", "none"): ("failed", "ddi_failed"),
    ("rejected", ""): ("failed", "ddi_rejected"),
    ("canceled", ""): ("failed", "ddi_canceled"),
}


@dataclass(frozen=True, slots=True)
class Deployment:
    """A robot's part of a roll-out, and the packages that it shall fetch."""

    row: RolloutRobot
    rollout: Rollout
    packages: Sequence[tuple[Part, str, VersionFile]]  # with the version of each


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


async def identify(db: AsyncSession, headers: Mapping[str, str], serial_number: str) -> UpdateToken | None:
    """Whose token the request bears, if it is that robot's."""
    scheme, secret = headers.get("authorization", "")[: len(SCHEME)], headers.get("authorization", "")[len(SCHEME) :]
    if scheme.lower() != SCHEME.lower():
        return None
    rows = EVERY.select(UpdateToken).join(Device, Device.id == UpdateToken.device_id)
    token = await db.scalar(rows.where(Device.serial_number == serial_number, Device.deleted_at.is_(None)))
    return token if token and compare_digest(token.digest, _digest(secret.strip())) else None


def touch(token: UpdateToken) -> None:
    if token.seen_at is None or token.seen_at < now() - SEEN_EVERY:
        token.seen_at = now()


async def find_due(db: AsyncSession, device_id: int, action: int | None = None) -> Deployment | None:
    """What it shall install now; with `action` only that, also outside of the hours, for it has begun."""
    rows = EVERY.select(RolloutRobot, Rollout).add_columns(Device.type_id, Device.zone)
    rows = rows.join(Rollout, Rollout.id == RolloutRobot.rollout_id).join(Device, Device.id == RolloutRobot.device_id)
    rows = rows.where(
        RolloutRobot.device_id == device_id,
        RolloutRobot.state.in_(rules.OPEN),
        RolloutRobot.step <= Rollout.step,
        Rollout.state == "running",
    )
    known = (await db.execute(rows if action is None else rows.where(RolloutRobot.id == action))).first()
    if known is None:
        return None
    row, rollout, type_id, zone = known
    if row.state == "waiting" and rules.window_end(rollout, zone, now()) is None:
        row.reason = "outside_hours"
        return None
    if row.state == "waiting" and row.sent_at is None and await count_room(db, rollout) == 0:
        return None
    packages = await load_packages(db, row, rollout, type_id)
    if not packages:
        row.state, row.reason, row.updated_at = "failed", "update_no_former", now()
        return None
    return Deployment(row, rollout, packages)


async def load_packages(
    db: AsyncSession, row: RolloutRobot, rollout: Rollout, type_id: int
) -> Sequence[tuple[Part, str, VersionFile]]:
    """Of a roll-back those of the former versions: such a robot has no other slot that we know of."""
    if rollout.kind == "back":
        versions = read_versions(rollout, row)
        packages = await find_packages(db, type_id, versions, rollout.build_id)
        return [(package.part, package.version, package.file) for package in packages]
    files = await load_files(db, rollout)
    of_type = rollout.packages.get(str(type_id), [])
    return [(each["part"], each["version"], files[each["fileId"]]) for each in of_type if each["fileId"] in files]


async def complete_digests(app: Services, db: AsyncSession, package: VersionFile) -> VersionFile:
    """SHA-1 and MD5, which clients compare beside SHA-256: read from the file once, when it is first asked for."""
    if package.sha1:
        return package
    row = shared.select(VersionFile).where(VersionFile.id == package.id).with_for_update()
    package = (await db.scalars(row.execution_options(populate_existing=True))).one()
    if not package.sha1:
        sha1, md5 = hashlib.sha1(usedforsecurity=False), hashlib.md5(usedforsecurity=False)
        async for part in app.objects.parts(package.place, 0, package.size):
            sha1.update(part)
            md5.update(part)
        package.sha1, package.md5 = sha1.hexdigest(), md5.hexdigest()
    return package


def begin(deployment: Deployment) -> None:
    """The robot knows of it."""
    if deployment.row.sent_at is None:
        deployment.row.sent_at = deployment.row.updated_at = now()
        deployment.row.reason = ""


async def find_action(db: AsyncSession, device_id: int, action: int) -> RolloutRobot | None:
    rows = EVERY.select(RolloutRobot).where(RolloutRobot.device_id == device_id, RolloutRobot.id == action)
    return await db.scalar(rows.with_for_update())


async def store_feedback(db: AsyncSession, token: UpdateToken, row: RolloutRobot, feedback: Feedback) -> bool | None:
    """False: nobody waits for it any more, though that it runs the version counts even then. None: it says nothing."""
    if feedback.execution in NEUTRAL:
        return True
    state, reason = STATES.get(feedback.execution), ""
    if state is None:
        end = ENDS.get((feedback.execution, feedback.finished if feedback.execution == "closed" else ""))
        if end is None:
            return None
        state, reason = end
    if row.state not in rules.OPEN and (state != "confirmed" or row.state == "confirmed"):
        return False
    if state not in rules.OPEN:
        token.message = " · ".join(feedback.details)[:LONGEST_MESSAGE]
    row.state, row.reason, row.updated_at = state, reason, now()
    if state == "confirmed":
        device = (await db.scalars(rows_of(row).select(Device))).one()
        rollout = (await db.scalars(rows_of(row).select(Rollout).where(Rollout.id == row.rollout_id))).one()
        for part, version, _ in await load_packages(db, row, rollout, device.type_id):
            setattr(device, COLUMNS[part], version)
    return True


def store_attributes(token: UpdateToken, attributes: Mapping[str, str]) -> None:
    few = list(attributes.items())[:MOST_ATTRIBUTES]
    token.attributes = {name[:LONGEST_ATTRIBUTE]: value[:LONGEST_ATTRIBUTE] for name, value in few}
