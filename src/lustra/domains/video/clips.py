"""Clips: a part of a recording that whoever has the link may see.

Rules: a clip lies within its recording and lasts ten minutes at most; its link opens it until it expires or is revoked,
while the recording is there and whoever made the clip still may see it. A clip is its recording's, whoever owns that.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.settings import Settings
from lustra.domains.account.api import Account, find_actor, support
from lustra.domains.device_log.api import EVERY
from lustra.domains.video import passes, service, space
from lustra.domains.video.tables import VideoClip, VideoRecord

LONGEST_S = 600
MOST_HOURS = 30 * 24
SLACK_S = 1.0  # a player's place may lie so far beyond the last picture


@dataclass(frozen=True, slots=True)
class NamedClip:
    clip: VideoClip
    name: str  # of who made it


async def add(ctx: Ctx, record_id: int, from_s: float, length_s: float, hours: int) -> NamedClip:
    """`from_s` counts from the beginning of the recording."""
    rows = ctx.scope.changeable.select(VideoRecord).where(
        VideoRecord.id == record_id,
        VideoRecord.deleted_at.is_(None),
        VideoRecord.place != "",
        support.condition(ctx.actor, VideoRecord.owner_path),
    )
    record = await ctx.db.scalar(rows)
    if record is None or record.ended_at is None:
        raise Refusal(Code.NOT_FOUND, "id", reason="file_unknown")
    length = (record.ended_at - record.began_at).total_seconds()
    if not 0 < length_s <= LONGEST_S or from_s + length_s > length + SLACK_S:
        raise Refusal(Code.BAD_INPUT, "lengthS", reason="clip_range")
    await space.demand_space(ctx, record.owner_id, "id")
    began = record.began_at + timedelta(seconds=from_s)
    clip = VideoClip(
        record_id=record.id,
        name=f"{record.camera}-{began:%Y%m%d-%H%M%S}-clip.mp4",
        began_at=began,
        ended_at=record.began_at + timedelta(seconds=min(from_s + length_s, length)),
        by_id=ctx.actor.real_id,
        expires_at=now() + timedelta(hours=hours),
    )
    ctx.db.add(clip)
    await ctx.db.flush()
    ctx.note(name=clip.name, hours=hours, deviceId=record.device_id)
    return (await _with_names(ctx, [clip]))[0]


async def _with_names(ctx: Ctx, clips: Sequence[VideoClip]) -> list[NamedClip]:
    accounts = await ctx.db.scalars(rows_of(*clips, through="by_id").select(Account))
    names = {account.id: account.name for account in accounts}
    return [NamedClip(clip, names[clip.by_id]) for clip in clips]


async def list_clips(ctx: Ctx, serial_number: str) -> list[NamedClip]:
    """Of a robot, those whose links open them; the newest first."""
    robot = await service.load_robot(ctx, serial_number)
    records = ctx.scope.select(VideoRecord.id).where(
        VideoRecord.device_id == robot.id,
        VideoRecord.deleted_at.is_(None),
        support.condition(ctx.actor, VideoRecord.owner_path),
    )
    rows = ctx.scope.select(VideoClip).where(
        VideoClip.record_id.in_(records), VideoClip.revoked_at.is_(None), VideoClip.expires_at > now()
    )
    return await _with_names(ctx, (await ctx.db.scalars(rows.order_by(VideoClip.id.desc()))).all())


async def revoke(ctx: Ctx, clip_id: int) -> None:
    rows = ctx.scope.changeable.select(VideoClip).where(VideoClip.id == clip_id, VideoClip.revoked_at.is_(None))
    clip = await ctx.db.scalar(rows.with_for_update())
    if clip is None:
        raise Refusal(Code.NOT_FOUND, "id", reason="file_unknown")
    clip.revoked_at = now()
    ctx.note(name=clip.name)


def sign(settings: Settings, clip: VideoClip) -> str:
    """Its link."""
    life_s = (clip.expires_at - now()).total_seconds()
    return passes.sign_url(settings, "clip", asdict(passes.ClipPass(clip.id)), life_s)


async def load_open(app: Services, clip_id: int) -> tuple[VideoClip, VideoRecord] | None:
    """The clip that a link opens, and its recording; None: not any more."""
    async with app.sessions() as db:
        rows = EVERY.select(VideoClip).where(
            VideoClip.id == clip_id, VideoClip.revoked_at.is_(None), VideoClip.expires_at > now()
        )
        clip = await db.scalar(rows)
        actor = await find_actor(db, clip.by_id) if clip else None
        if clip is None or actor is None or passes.PAGE not in actor.keys:
            return None
        records = actor.scope.select(VideoRecord).where(
            VideoRecord.id == clip.record_id,
            VideoRecord.deleted_at.is_(None),
            VideoRecord.place != "",
            support.condition(actor, VideoRecord.owner_path),
        )
        record = await db.scalar(records)
        return (clip, record) if record else None
