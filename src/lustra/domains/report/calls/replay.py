"""/taskReport/replay, /warn/replay, /deviceLog/replayRecording: a run, the seconds around an alarm, or a recording."""

from datetime import datetime
from typing import Annotated, Literal

from lustra.core.calls.rpc import Ctx, Fast, Raw, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.alarm.api import ALARM_LISTS
from lustra.domains.device_log.api import PAGE as LOGS
from lustra.domains.report import alarm_replay, recording_replay, replay
from lustra.domains.report.calls.runs import FOR_EVER, VIEW, ReportMap, ReportRef


class ReplayMark(Wire):
    """Something that happened meanwhile."""

    kind: Annotated[
        Literal["alarm", "command", "halt"],
        doc("An alarm that was raised, a person's command that was obeyed, or that the robot stood for 15 s or more."),
    ]
    time: Annotated[datetime, doc("When it was, or began.")]
    seconds: Annotated[float, doc("How long the robot stood, in seconds; 0 of others.")]
    text: Annotated[str, doc("What it was, in the reader's language, of a command with the name; empty of a halt.")]


class ReplayMode(Wire):
    """Something that the robot did, until the next of them."""

    time: Annotated[int, doc("Milliseconds since the start.")]
    mode: Annotated[str, doc("A mode of robots' states, as `cleaning`, or a word of the robot's own.")]


class Replay(Wire):
    """The way of a robot; all columns are as long as `time`, at most 7,201."""

    time: Annotated[list[int], doc("Milliseconds since the start, growing.")]
    x: Annotated[list[float], doc("Position at these times in the map's frame, in m.")]
    y: Annotated[list[float], doc("Position at these times in the map's frame, in m.")]
    yaw: Annotated[list[float], doc("Heading at these times, in radians against the clock.")]
    battery: Annotated[list[float], doc("Battery at these times, in %.")]
    liquid: Annotated[list[float], doc("Disinfectant or water at these times, in %.")]
    modes: Annotated[list[ReplayMode], doc("What it did, in order; empty: not known.")]
    marks: Annotated[list[ReplayMark], doc("What happened, in order.")]


class AlarmRef(Wire):
    warn_id: Annotated[Id, doc("Number of the alarm.")]


class AlarmReplay(Replay):
    """What a robot did around an alarm."""

    start_time: Annotated[datetime, doc("When it begins: 30 s before the alarm was raised.")]
    end_time: Annotated[datetime, doc("When it ends: 10 s after.")]
    map: Annotated[ReportMap | None, doc("Map as it was; null: not known, gone, or hidden.")]
    closed: Annotated[bool, doc("Whether the customer's support access hides the way from the asker.")]
    owner_user_id: Annotated[int, doc("Account that owned the robot when the alarm was raised.")]


class AlarmRecording(Wire):
    id: Annotated[int, doc("Number of the log that is the recording.")]
    name: Annotated[str, doc("Name of the file.")]
    time: Annotated[datetime, doc("When its newest message was written.")]
    by: Annotated[
        Literal["", "alarm", "order"],
        doc("`alarm`: the robot's black box, `order`: somebody asked for it, empty: it only covers the time."),
    ]
    upload_state: Annotated[
        Literal["", "uploading", "synchronised", "failed"], doc("How far the upload is; empty: it is on the robot.")
    ]
    ready: Annotated[bool, doc("Whether it can be opened.")]


class AlarmRecordings(Wire):
    list: Annotated[list[AlarmRecording], doc("Recordings of sensors that have the alarm, at most 20, oldest first.")]


class RecordingRef(Wire):
    id: Annotated[Id, doc("Number of the log that is a recording.")]


class RecordingReplay(Replay):
    """What a robot did while a recording of its sensors was made."""

    start_time: Annotated[datetime, doc("When the recording begins.")]
    end_time: Annotated[datetime, doc("When it ends.")]
    map: Annotated[ReportMap | None, doc("Map as it was; null: not known, gone, or hidden.")]
    map_name: Annotated[str, doc("Name of the map; empty: not known, or hidden.")]
    map_known: Annotated[bool, doc("Whether a run or an alarm of that time names it; false: it is loaded now.")]
    closed: Annotated[bool, doc("Whether the customer's support access hides the way from the asker.")]
    owner_user_id: Annotated[int, doc("Account that the recording belongs to.")]


@call("/taskReport/replay", needs=VIEW, reads=("taskReport", "warn", "support"))
async def select_replay(ctx: Ctx, payload: ReportRef) -> Fast[Replay]:
    """Show where the robot was at each time of a run, and what happened on the way."""
    return Fast(await replay.load_replay(ctx, payload.task_report_id))


@call("/warn/replay", needs=ALARM_LISTS, reads=("warn", "support"))
async def select_alarm_replay(ctx: Ctx, payload: AlarmRef) -> Fast[AlarmReplay]:
    """Show where the robot was from 30 s before an alarm to 10 s after, and what happened meanwhile."""
    return Fast(await alarm_replay.load_alarm_replay(ctx, payload.warn_id))


@call("/warn/floor", needs=ALARM_LISTS, raw="image/png")
async def select_alarm_floor(ctx: Ctx, payload: AlarmRef) -> Raw:
    """Show the picture of the floor on which an alarm was raised, as /map/grid: who reads alarms need not read maps."""
    floor = await alarm_replay.load_alarm_floor(ctx, payload.warn_id)
    return Raw(floor, "image/png", headers={"cache-control": FOR_EVER})


@call("/warn/recordings", needs=ALARM_LISTS, reads=("warn", "deviceLog"))
async def list_alarm_recordings(ctx: Ctx, payload: AlarmRef) -> AlarmRecordings:
    """List the recordings of sensors that have an alarm, the robot's own black box among them."""
    rows = await alarm_replay.load_recordings(ctx, payload.warn_id)
    return AlarmRecordings.model_validate({"list": rows})


@call("/deviceLog/replayRecording", needs=LOGS, reads=("deviceLog", "warn", "support"))
async def select_recording_replay(ctx: Ctx, payload: RecordingRef) -> Fast[RecordingReplay]:
    """Show where the robot was while a recording of its sensors was made, and what happened meanwhile."""
    return Fast(await recording_replay.load_recording_replay(ctx, payload.id))


@call("/deviceLog/recordingFloor", needs=LOGS, raw="image/png")
async def select_recording_floor(ctx: Ctx, payload: RecordingRef) -> Raw:
    """Show the picture of the floor on which a recording was made, as /map/grid: who reads logs need not read maps."""
    floor = await recording_replay.load_recording_floor(ctx, payload.id)
    return Raw(floor, "image/png", headers={"cache-control": FOR_EVER})
