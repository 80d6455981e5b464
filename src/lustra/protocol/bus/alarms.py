"""What is wrong with a robot: what it raises, and what it is asked to show of that."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from lustra.protocol.telemetry import Payload, Word

AlarmKind = Literal["raised", "cleared", "snapshot"]


class OpenAlarm(msgspec.Struct, kw_only=True):
    """Something that is wrong with the robot."""

    id: Annotated[Word, Meta(description="The robot's own id for it, a new one each time it begins.")]
    code: Annotated[Word, Meta(description="Fault code or message key of the catalogue, or the robot's own word.")]
    since: Annotated[int, Meta(gt=0, description="Since when, ms of the robot's clock.")]
    level: Annotated[
        int,
        Meta(ge=0, le=4, description="1 information, 2 minor, 3 major, 4 critical; 0: that of the code's setting."),
    ] = 0
    detail: Annotated[str, Meta(max_length=1000, description="A text for people, shown as it is.")] = ""


class Alarm(Payload):
    """Alarms of the robot. `raised`: these began. `cleared`: the causes of these were gone at `at`. `snapshot`: these
    are open and no others; sent after each log-in."""

    id: Annotated[Word, Meta(description="Id of the message; a receipt names it.")]
    kind: Annotated[AlarmKind, Meta(description="What happened to these alarms.")]
    alarms: Annotated[list[OpenAlarm], Meta(max_length=100, description="The alarms.")]


class Notification(msgspec.Struct, kw_only=True):
    """Show an alarm of your own on your screen, and say it if your voice is on. The same `id` again is the same
    notification. The answer has `spoken`."""

    id: Annotated[str, Meta(description="Id of the notification.")]
    code: Annotated[str, Meta(description="Code of the alarm.")]
    level: Annotated[int, Meta(description="Level of the alarm, 1 to 4.")]
    title: Annotated[str, Meta(description="Title to show.")]
    text: Annotated[str, Meta(description="Text to show and say.")]
    language: Annotated[str, Meta(description="Language of both, that of the robot's owner: zh, en …")]
