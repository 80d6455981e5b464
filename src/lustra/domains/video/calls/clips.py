"""/qiniuQvs: clips of recordings, which whoever has the link may see."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.video import clips
from lustra.domains.video.calls.streams import CHANGES, READS, VideoRobot
from lustra.domains.video.passes import PAGE


class NewClip(Wire):
    id: Annotated[Id, doc("Number of the recording that it is cut from.")]
    from_s: Annotated[float, doc("Where it begins, s from the beginning of the recording.")] = Field(ge=0)
    length_s: Annotated[float, doc(f"How long it is, s; at most {clips.LONGEST_S}.")] = Field(
        json_schema_extra={"exclusiveMinimum": 0, "maximum": clips.LONGEST_S}  # the rule refuses it, in its own words
    )
    hours: Annotated[int, doc(f"Hours for which the link opens it, 1 to {clips.MOST_HOURS}.")] = Field(
        default=24, ge=1, le=clips.MOST_HOURS
    )


class VideoClipRow(Wire):
    """A clip whose link opens it."""

    id: Annotated[int, doc("Number of the clip.")]
    name: Annotated[str, doc("Name of its file.")]
    url: Annotated[str, doc("Opens it for whoever has it, without an account.")]
    start: Annotated[datetime, doc("When it begins.")]
    end: Annotated[datetime, doc("When it ends.")]
    expires: Annotated[datetime, doc("Until when the link opens it.")]
    user_name: Annotated[str, doc("Name of the account that made it.")]


class VideoClips(Wire):
    list: Annotated[list[VideoClipRow], doc("The clips, the newest first.")]


class ClipRef(Wire):
    id: Annotated[Id, doc("Number of the clip.")]


def _row(ctx: Ctx, each: clips.NamedClip) -> VideoClipRow:
    return VideoClipRow(
        id=each.clip.id,
        name=each.clip.name,
        url=clips.sign(ctx.app.settings, each.clip),
        start=each.clip.began_at,
        end=each.clip.ended_at,
        expires=each.clip.expires_at,
        user_name=each.name,
    )


@call("/qiniuQvs/clipAdd", needs=PAGE, changes=CHANGES, audit="video.share")
async def add_clip(ctx: Ctx, payload: NewClip) -> VideoClipRow:
    """Cut a clip from a recording, and make a link that opens it for anybody until it expires."""
    return _row(ctx, await clips.add(ctx, payload.id, payload.from_s, payload.length_s, payload.hours))


@call("/qiniuQvs/clipList", needs=PAGE, reads=READS)
async def list_clips(ctx: Ctx, payload: VideoRobot) -> VideoClips:
    """List the clips of a robot's recordings whose links still open them, the newest first."""
    rows = await clips.list_clips(ctx, payload.device_serial_number)
    return VideoClips(list=[_row(ctx, each) for each in rows])


@call("/qiniuQvs/clipDel", needs=PAGE, changes=CHANGES, audit="video.unshare")
async def revoke_clip(ctx: Ctx, payload: ClipRef) -> Nothing:
    """Revoke the link of a clip: it opens for nobody any more."""
    await clips.revoke(ctx, payload.id)
    return Nothing()
