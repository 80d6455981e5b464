"""/deviceLog: recordings of sensors, searched over all robots, and opened."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, field_validator

from lustra.core import jobs
from lustra.core.calls.rpc import PUBLIC, Ctx, Raw, Wire, call
from lustra.core.http import ranges
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Commas,
    Day,
    DeviceId,
    DeviceName,
    Id,
    Moment,
    Page,
    PageOf,
    ScopeAccountId,
    SerialNumber,
    SpanFilter,
    doc,
    none_if_blank,
    to_moment,
)
from lustra.domains.device_log import addresses, fetching, recordings
from lustra.domains.device_log.calls.logs import LOGS, READS, DeviceLogRow, render_log
from lustra.domains.device_log.search import RecordingQuery, load_recordings

FARTHEST_M = 1e6


class RecordingFilter(PageOf, SpanFilter):
    """What is left out narrows nothing."""

    user_id: ScopeAccountId = None
    device_id: Annotated[Id | None, doc("Only of this robot; null: of all in scope.")] = None
    code: Annotated[str, doc("Only with an alarm of this code, at most 64 characters; empty: all.")] = Field(
        "", max_length=64
    )
    building: Annotated[str, doc("Only of robots of this building, at most 256 characters; empty: all.")] = Field(
        "", max_length=256
    )
    map_name: Annotated[str, doc("Only from this map, at most 256 characters; empty: all.")] = Field("", max_length=256)
    x: Annotated[float | None, doc("Only from near this place of the map, with `y`, m; null: from all of it.")] = Field(
        None, ge=-FARTHEST_M, le=FARTHEST_M
    )
    y: Annotated[float | None, doc("Only from near this place of the map, with `x`, m; null: from all of it.")] = Field(
        None, ge=-FARTHEST_M, le=FARTHEST_M
    )
    within: Annotated[float, doc("How far from there at most, m, 0.1 to 1,000.")] = Field(5.0, ge=0.1, le=1000)
    triggered: Annotated[bool, doc("Only those that an alarm or an order made.")] = False
    start_date: Annotated[Day | None, doc("First day at the robot's site, included; null: from the first.")] = None
    end_date: Annotated[Day | None, doc("Last day at the robot's site, included; null: up to today.")] = None

    _blank = field_validator("device_id", "x", "y", "start_date", "end_date", mode="before")(none_if_blank)


class RecordingTopic(Wire):
    name: Annotated[str, doc("Name of the topic.")]
    type: Annotated[str, doc("Type of its messages.")]
    encoding: Annotated[str, doc("How a message is written: ros1, cdr, json …")]
    schema_encoding: Annotated[str, doc("How the type is described: ros1msg, ros2msg …")]
    readable: Annotated[bool, doc("Whether the recording says what is in its messages.")]
    count: Annotated[int, doc("Number of its messages.")]
    outside: Annotated[int, doc("How many of them bear a time outside the recording's.")]


class RecordingView(Wire):
    """What is in a recording of sensors."""

    id: Annotated[int, doc("Number of the log.")]
    name: Annotated[str, doc("Name of the file.")]
    device_id: DeviceId
    device_code: DeviceName
    device_serial_number: SerialNumber
    start: Annotated[datetime, doc("Time of its first message.")]
    end: Annotated[datetime, doc("Time of its last message.")]
    count: Annotated[int, doc("Number of messages.")]
    outside: Annotated[int, doc("Messages that are more than an hour away from all others: by a clock that was wrong.")]
    topics: Annotated[list[RecordingTopic], doc("Its topics, by name.")]
    url: Annotated[str, doc("Where ranges of it are read, as indexed MCAP, for ten minutes.")]
    viewer: Annotated[bool, doc("Whether it can be opened in the Lichtblick of this installation.")]


class RecordingCut(SpanFilter, ById):
    start_time: Annotated[Moment, doc("Time of the first message to be recorded.")]
    end_time: Annotated[Moment, doc("Time of the last message to be recorded, included; not before `startTime`.")]
    topics: Annotated[Commas[str], doc("Only messages of these topics, at most 1,000; empty: of all.")] = Field(
        default_factory=list[str], max_length=1000
    )


class RecordingLink(Wire):
    link: Annotated[str, doc("From an address that was answered, at most 65,536 characters.")] = Field(
        max_length=1 << 16
    )


@call("/deviceLog/searchRecordings", needs=LOGS, reads=READS)
async def search_recordings(ctx: Ctx, payload: RecordingFilter) -> Page[DeviceLogRow]:
    """List recordings of sensors of all robots, the newest first."""
    filters = RecordingQuery(
        payload.user_id,
        payload.device_id,
        payload.code,
        payload.building,
        payload.map_name,
        payload.x,
        payload.y,
        payload.within,
        payload.triggered,
        payload.start_date,
        payload.end_date,
    )
    views, total = await load_recordings(ctx, filters, payload)
    rows = [render_log(view, ctx.language) for view in views]
    return Page(list=rows, page_num=pages(total, payload), total=total)


@call("/deviceLog/openRecording", needs=LOGS, reads=("support",), audit="device_log.play")
async def open_recording(ctx: Ctx, payload: ById) -> RecordingView:
    """Answer what is in a recording of sensors, and where it is read."""
    opened = await recordings.open_recording(ctx, payload.id)
    log, robot, contents = opened.log, opened.robot, opened.contents
    return RecordingView(
        id=log.id,
        name=log.name,
        device_id=log.device_id,
        device_code=robot.name,
        device_serial_number=robot.serial_number,
        start=to_moment(contents.start),
        end=to_moment(contents.end),
        count=contents.count,
        outside=contents.outside,
        topics=[
            RecordingTopic.model_validate(topic, from_attributes=True)
            for topic in sorted(contents.topics, key=lambda each: each.name)
        ],
        url=opened.url,
        viewer=bool(ctx.app.settings.lichtblick_url),
    )


@call("/deviceLog/cutUrl", needs=LOGS, reads=("support",), audit="device_log.download")
async def sign_part_url(ctx: Ctx, payload: RecordingCut) -> str:
    """Answer a URL that downloads a part of a recording as MCAP, for a minute."""
    return await addresses.sign_part(ctx, payload.id, payload.start_time, payload.end_time, payload.topics)


@call("/deviceLog/viewerUrl", needs=LOGS, reads=("support",), audit="device_log.view")
async def sign_viewer_url(ctx: Ctx, payload: ById) -> str:
    """Answer a URL that opens a recording in the Lichtblick of this installation, for an hour."""
    return await addresses.sign_for_viewer(ctx, payload.id)


@call(addresses.PATH, method="GET", needs=PUBLIC, raw="application/octet-stream")
async def get_recording(ctx: Ctx, payload: RecordingLink) -> Raw:
    """Send a recording, or a part of one, by its address; of a whole one the part that a Range header names."""
    opening = addresses.read_link(ctx.app.settings, payload.link)
    return await _send(ctx, opening)


@call(addresses.PATH, method="OPTIONS", needs=PUBLIC, raw="text/plain")
async def allow_viewer(ctx: Ctx) -> Raw:
    """Answer a browser whether a page of another origin may ask for ranges of recordings."""
    headers = addresses.preflight_headers(ctx.app.settings, ctx.headers.get("origin", ""))
    return Raw(b"", "text/plain", headers=headers, status=204)


async def _send(ctx: Ctx, opening: addresses.Opening) -> Raw:
    about = await ctx.app.objects.about(opening.place)
    headers = addresses.share_headers(ctx.app.settings, ctx.headers.get("origin", "")) | {"cache-control": "private"}
    if opening.cut:
        body = addresses.stream_part(ctx.app, opening, opening.cut)
        return Raw(body, about.kind, name=opening.name, headers=headers)
    part = ranges.parse_range(ctx.headers, about.size, about.etag)
    body = ctx.app.objects.parts(opening.place, part.start, part.end) if part.end else b""
    return Raw(body, about.kind, name=opening.name, headers=part.headers | headers, status=part.status)


jobs.job(recordings.CONVERT, queue=recordings.QUEUE)(recordings.convert)
jobs.job(fetching.FETCH)(fetching.fetch)
jobs.job("deviceLog.fetchAll", cron="* * * * *")(fetching.fetch_all)
