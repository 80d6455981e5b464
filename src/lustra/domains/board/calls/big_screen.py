"""/board: the big screen on a wall, which shows itself and asks nobody.

Who may see it opens it after a log-in, or makes an API key that has this right alone and puts it into the address of
a wall.
"""

from datetime import date, datetime
from typing import Annotated, Literal

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import DeviceId, DeviceName, doc
from lustra.domains.account.api import keys
from lustra.domains.board import big_screen

AlarmType = Annotated[Literal[1, 2], doc("1: notice, 2: alarm.")]


class ScreenDay(Wire):
    date: Annotated[date, doc("Day at the robots' sites.")]
    cleaned: Annotated[float, doc("Area cleaned by the runs that began then, in m².")]


class ScreenAlarms(Wire):
    date: Annotated[date, doc("Day at the robots' sites.")]
    alarms: Annotated[int, doc("Number of alarms that were raised then.")]
    notices: Annotated[int, doc("Number of notices that were raised then.")]


class ScreenSite(Wire):
    site: Annotated[str, doc("Building of the robots; empty: not known.")]
    latitude: Annotated[float, doc("Latitude in degrees, WGS 84: the middle of its robots' places.")]
    longitude: Annotated[float, doc("Longitude in degrees, WGS 84.")]
    devices: Annotated[int, doc("Number of robots that have a place there.")]
    needy: Annotated[int, doc("Number of those that call for help or stand by an emergency stop.")]
    cleaned: Annotated[float, doc("Area cleaned there by the runs that began today, in m².")]


class ScreenNeed(Wire):
    device_id: DeviceId
    device_code: DeviceName
    site: Annotated[str, doc("Building of the robot; empty: not known.")]
    mode: Annotated[Literal["help", "emergency", "paused"], doc("What it does.")]
    mode_name: Annotated[str, doc("The robot's own word for that, where it is none of the modes; else empty.")]
    help: Annotated[str, doc("Code or key of what it calls for help for; else empty.")]
    mode_since: Annotated[int | None, doc("Since when, in ms since 1970; null: not known.")]


class ScreenEvent(Wire):
    warn_id: Annotated[int, doc("Number of the alarm.")]
    time: Annotated[datetime, doc("When it was raised.")]
    type: AlarmType
    content: Annotated[str, doc("What it says, in the reader's language.")]
    device_code: DeviceName
    zone: Annotated[str, doc("IANA time zone of the robot's site.")]


class BigScreen(Wire):
    name: Annotated[str, doc("Name of the account whose robots are shown.")]
    month: Annotated[list[ScreenDay], doc("The days of the present month, up to today at the latest of the sites.")]
    alarms: Annotated[list[ScreenAlarms], doc("The last seven days, today last.")]
    help_s: Annotated[
        float | None,
        doc("Median time from an alarm of these days until somebody was on it or it was over, in s; null: none was."),
    ]
    sites: Annotated[list[ScreenSite], doc("Sites whose robots have a place.")]
    needs: Annotated[list[ScreenNeed], doc("Robots that wait for somebody, the gravest state first, at most 12.")]
    events: Annotated[list[ScreenEvent], doc("The newest alarms and notices, at most 6.")]


@call("/board/bigScreen", needs=keys.BIG_SCREEN, reads=("device", "state", "taskReport", "warn"))
async def select_big_screen(ctx: Ctx) -> Fast[BigScreen]:
    """Show what a screen on a wall has beside the overview: month, alarms, sites, and who waits."""
    name = await big_screen.load_name(ctx)
    return Fast({"name": name} | await big_screen.load(ctx.app.pool, ctx.scope, ctx.language))
