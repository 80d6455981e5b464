"""Recordings: listed, deleted, and what becomes of them when a robot changes hands.

Rules: dates are whole days at the robot's site, the first within the last seven and not in the future; what was deleted
is gone for everybody and its bytes go after 30 days; a recording stays with the owner of its time.
"""

from collections.abc import Sequence
from datetime import date, timedelta

from sqlalchemy import Date, cast, func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import OldData, support
from lustra.domains.device.api import OwnerChanged
from lustra.domains.device_log.api import EVERY, OF_EVENT, find_robot, load_todays, refuse_start
from lustra.domains.video import queries
from lustra.domains.video.tables import LiveVideo, RecordReason, VideoRecord, VideoRule, VideoView

FOLDER = "video/"
STAY_DELETED = timedelta(days=30)
UNUSED = timedelta(days=1)  # far longer than entering a recording takes


async def list_records(
    ctx: Ctx, serial_number: str, days: tuple[date | None, date | None], reason: RecordReason | None
) -> Sequence[VideoRecord]:
    """Those of a robot that are whole, the newest first. `days`: the first and the last, which are included."""
    since, until = days
    robot = await find_robot(ctx, serial_number)
    refuse_start(since, await load_todays(ctx, robot.id))
    await support.demand_access(ctx, support.Look("video", robot.id, robot.name, robot.id), robot.owner_path)
    day = cast(func.timezone(robot.zone, VideoRecord.began_at), Date)
    rows = ctx.scope.select(VideoRecord).where(
        VideoRecord.device_id == robot.id,
        VideoRecord.deleted_at.is_(None),
        VideoRecord.ended_at.is_not(None),
        support.condition(ctx.actor, VideoRecord.owner_path),
    )
    rows = rows.where(day >= since) if since else rows
    rows = rows.where(day <= until) if until else rows
    rows = rows.where(VideoRecord.reason == reason) if reason else rows
    return (await ctx.db.scalars(rows.order_by(VideoRecord.began_at.desc(), VideoRecord.id.desc()))).all()


async def delete_records(ctx: Ctx, ids: Sequence[int]) -> None:
    """All of them, or none."""
    rows = ctx.scope.changeable.select(VideoRecord).where(
        VideoRecord.id.in_(ids),
        VideoRecord.deleted_at.is_(None),
        VideoRecord.ended_at.is_not(None),
        support.condition(ctx.actor, VideoRecord.owner_path),
    )
    records = (await ctx.db.scalars(rows.with_for_update())).all()
    if len(records) < len(set(ids)):
        raise Refusal(Code.NOT_FOUND, "fileJsonArr", reason="file_unknown")
    for record in records:
        record.deleted_at = now()
    ctx.note(names=[record.name for record in records], deviceId=records[0].device_id)


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """Handed over, recordings go along; kept, they stay with the former owner; erased, they are gone."""
    values = {"robot": event.device_id, "old": event.before}
    await db.execute(OF_EVENT.delete(LiveVideo).where(LiveVideo.device_id == event.device_id))
    await db.execute(OF_EVENT.delete(VideoRule).where(VideoRule.device_id == event.device_id))
    if event.things == "hand_over":
        await db.execute(OF_EVENT.text(queries.MOVE), values | {"new": event.to})
    elif event.things == "erase":
        await db.execute(OF_EVENT.text(queries.FORGET), values)


async def clear_old(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, recordings and views from before then."""
    if (before := request.before.get("video")) is None:
        return
    conditions = (request.within(VideoRecord.owner_path), VideoRecord.began_at < before)
    request.counts["video"] = await db.scalar(OF_EVENT.select(func.count(VideoRecord.id)).where(*conditions)) or 0
    if request.remove:
        await db.execute(OF_EVENT.delete(VideoRecord).where(*conditions))
        views = (request.within(VideoView.owner_path), VideoView.created_at < before)
        await db.execute(OF_EVENT.delete(VideoView).where(*views))


async def purge(app: Services) -> None:
    """Recordings that were deleted long ago, and bytes that none names any more. A nightly job."""
    await app.pool.execute(EVERY.sql(queries.FORGET_DELETED), STAY_DELETED)
    await app.pool.execute(EVERY.sql(queries.FORGET_CLIPS), STAY_DELETED)
    await app.pool.execute(EVERY.sql(queries.RELEASE_UNUSED), None)
    async for places in app.objects.older(FOLDER, now() - UNUSED):
        used = await app.pool.fetch(EVERY.sql(queries.PLACES_IN_USE), places)
        for place in set(places) - {row["place"] for row in used}:
            await app.objects.delete(place)
