"""/qiniuQvs: live pictures of robots, recordings of them, and who watched."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import Day, Id, Json, Page, PageOf, SerialNumber, SpanFilter, doc, none_if_blank
from lustra.domains.video import passes, records, service
from lustra.domains.video.passes import LIVE, PAGE
from lustra.domains.video.tables import RecordReason, VideoRecord, ViewKind
from lustra.protocol.video import LONGEST_S

CHANGES = ("qiniuQvs",)
READS = ("qiniuQvs", "device", "support")
MOST_RECORDS = 200

CameraName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")
]


class VideoRobot(Wire):
    device_serial_number: SerialNumber


class CameraOfRobot(VideoRobot):
    camera: Annotated[CameraName, doc("Name of the camera, 1 to 32 letters, digits and - _.")]


class CameraNames(Wire):
    list: Annotated[list[str], doc("Names of the robot's cameras, those for driving first.")]


class IceServer(Wire):
    urls: Annotated[str, doc("URL of a STUN or TURN server.")]
    username: Annotated[str | None, doc("Name that opens a TURN server for an hour; null: it needs none.")]
    credential: Annotated[str | None, doc("What proves that name; null: it needs none.")]


class LiveStream(Wire):
    url: Annotated[str, doc("Fragmented MP4 for as long as the camera sends; it opens within a minute.")]
    whep_url: Annotated[str, doc("The same by WebRTC: takes an offer by WHEP, within a minute.")]
    ice_servers: Annotated[list[IceServer], doc("Servers that WebRTC may need behind NAT, as the browser takes them.")]
    remaining_sec: Annotated[int, doc("Seconds until it stops, unless it is asked for again: 300.")]


class CameraWatcher(Wire):
    name: Annotated[str, doc("Name of the account that watches.")]
    since: Annotated[datetime, doc("Since when.")]


class RunningCamera(Wire):
    camera: Annotated[str, doc("Name of the camera.")]
    remaining_sec: Annotated[int, doc("Seconds until it stops.")]
    recording: Annotated[bool, doc("Whether what it sees is being stored.")]
    reason: Annotated[RecordReason, doc("Why, while it is being stored: a person, the robot's plan, or an alarm.")]
    private: Annotated[
        bool, doc("Whether the robot stands in a room that its map marks: nothing is shown or stored meanwhile.")
    ]
    watchers: Annotated[list[CameraWatcher], doc("Who watches it now.")]


class RunningCameras(Wire):
    list: Annotated[list[RunningCamera], doc("Cameras of the robot that send pictures, by name.")]


class RecordSwitch(CameraOfRobot):
    on: Annotated[bool, doc("True: store what it sees from now on; false: no longer.")]


class RecordFilter(VideoRobot, SpanFilter):
    start_date: Annotated[Day | None, doc("First day at the robot's site, today or one of the last seven.")] = None
    end_date: Annotated[Day | None, doc("Last day at the robot's site, included; null: up to today.")] = None
    reason: Annotated[RecordReason | None, doc("Only those that began for this; null: all.")] = None

    _blank = field_validator("start_date", "end_date", mode="before")(none_if_blank)


class VideoRecordRow(Wire):
    """A recording of one camera."""

    id: Annotated[int, doc("Number of the recording.")]
    name: Annotated[str, doc("Name of the file.")]
    url: Annotated[str, doc("Opens it in a player, within a minute.")]
    download_url: Annotated[str, doc("Saves it, within a minute.")]
    start: Annotated[datetime, doc("When it begins.")]
    end: Annotated[datetime, doc("When it ends.")]
    size: Annotated[int, doc("Bytes of the file.")]
    camera: Annotated[str, doc("Name of the camera.")]
    reason: Annotated[RecordReason, doc("Why it began: a person, the robot's plan, or an alarm.")]


class VideoRecords(Wire):
    list: Annotated[list[VideoRecordRow], doc("The recordings, the newest first.")]


class RecordToDelete(Wire):
    id: Annotated[Id, doc("Number of the recording, as /qiniuQvs/recordList names it.")]


class RecordsToDelete(Wire):
    file_json_arr: Annotated[
        Json[list[RecordToDelete]], doc(f"JSON text of a list of recordings, 1 to {MOST_RECORDS}; their `id` counts.")
    ] = Field(min_length=1, max_length=MOST_RECORDS)


class VideoViewFilter(PageOf, VideoRobot):
    """Who watched a robot's cameras and recordings."""


class VideoViewRow(Wire):
    id: Annotated[int, doc("Number of the view.")]
    name: Annotated[str, doc("Name of the account that watched; empty: whoever had the link of a clip.")]
    kind: Annotated[
        ViewKind, doc("A camera watched live, a recording played, one downloaded, or a clip opened by its link.")
    ]
    subject: Annotated[str, doc("Name of the camera, of the recording or of the clip.")]
    time: Annotated[datetime, doc("When it began.")]
    end_time: Annotated[datetime | None, doc("When it ended; null: it goes on, or of a recording or clip.")]


def _row(ctx: Ctx, record: VideoRecord) -> VideoRecordRow:
    return VideoRecordRow.model_validate(
        {
            "id": record.id,
            "name": record.name,
            "url": passes.sign_view(ctx, "recording", "recording", record.id),
            "download_url": passes.sign_view(ctx, "recording", "download", record.id),
            "start": record.began_at,
            "end": record.ended_at,
            "size": record.size,
            "camera": record.camera,
            "reason": record.reason,
        }
    )


@call("/qiniuQvs/cameraList", needs=LIVE)
async def list_cameras(ctx: Ctx, payload: VideoRobot) -> CameraNames:
    """List the cameras of a robot that is online."""
    return CameraNames(list=await service.list_cameras(ctx, payload.device_serial_number))


@call("/qiniuQvs/startStream", needs=LIVE, changes=CHANGES, audit="video.start")
async def start_stream(ctx: Ctx, payload: CameraOfRobot) -> LiveStream:
    """Begin the pictures of a camera, or prolong them, for 300 s from now."""
    opening = await service.start(ctx, payload.device_serial_number, payload.camera)
    servers = [
        IceServer(urls=each.urls, username=each.username, credential=each.credential) for each in opening.servers
    ]
    return LiveStream(url=opening.url, whep_url=opening.whep_url, ice_servers=servers, remaining_sec=int(LONGEST_S))


@call("/qiniuQvs/stopStream", needs=LIVE, changes=CHANGES, audit="video.stop")
async def stop_stream(ctx: Ctx, payload: VideoRobot) -> Nothing:
    """End the pictures of all cameras of a robot, for everybody who watches."""
    await service.stop(ctx, payload.device_serial_number)
    return Nothing()


@call("/qiniuQvs/liveList", needs=LIVE, reads=READS)
async def list_live(ctx: Ctx, payload: VideoRobot) -> RunningCameras:
    """List the cameras of a robot that send pictures, and who watches them."""
    cameras, views = await service.list_live(ctx, payload.device_serial_number)
    rows = [
        RunningCamera(
            camera=row.camera,
            remaining_sec=service.remaining_s(row.until_at),
            recording=row.recording,
            reason=row.reason,
            private=row.private,
            watchers=[
                CameraWatcher(name=each.name, since=each.view.created_at)
                for each in views
                if each.view.subject == row.camera
            ],
        )
        for row in cameras
    ]
    return RunningCameras(list=rows)


@call("/qiniuQvs/record", needs=LIVE, changes=CHANGES, audit="video.record")
async def record(ctx: Ctx, payload: RecordSwitch) -> Nothing:
    """Record what a running camera sees, or end the recording."""
    await service.record(ctx, payload.device_serial_number, payload.camera, on=payload.on)
    return Nothing()


@call("/qiniuQvs/recordList", needs=PAGE, reads=READS)
async def list_records(ctx: Ctx, payload: RecordFilter) -> VideoRecords:
    """List the recordings of a robot, the newest first."""
    days = (payload.start_date, payload.end_date)
    rows = await records.list_records(ctx, payload.device_serial_number, days, payload.reason)
    return VideoRecords(list=[_row(ctx, row) for row in rows])


@call("/qiniuQvs/recordDel", needs=PAGE, changes=CHANGES, audit="video.delete")
async def delete_records(ctx: Ctx, payload: RecordsToDelete) -> Nothing:
    """Delete recordings: all that are named, or none."""
    await records.delete_records(ctx, [row.id for row in payload.file_json_arr])
    return Nothing()


@call("/qiniuQvs/viewList", needs=PAGE, reads=READS)
async def list_views(ctx: Ctx, payload: VideoViewFilter) -> Page[VideoViewRow]:
    """List who watched a robot's cameras and recordings, the newest first."""
    views, total = await service.list_views(ctx, payload.device_serial_number, payload)
    rows = [
        VideoViewRow(
            id=each.view.id,
            name=each.name,
            kind=each.view.kind,
            subject=each.view.subject,
            time=each.view.created_at,
            end_time=each.view.ended_at,
        )
        for each in views
    ]
    return Page(list=rows, page_num=pages(total, payload), total=total)


jobs.job("video.purge", cron="41 3 * * *")(records.purge)
