"""/wmWarnSet: what is done with each code, and a test of each channel."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.alias_generators import to_snake

from lustra.core.calls.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import Change, Id, Page, PageOf, doc
from lustra.domains.alarm import channel_test, settings
from lustra.domains.alarm.calls.alarms import AlarmCode, AlarmLevel, AlarmText, AlarmType, AlarmTypeField

SETTINGS = "warn/index/warn_set"
Flag = Literal[0, 1]


class SettingFilter(PageOf):
    keyword: Annotated[str, doc("Part of a code or its text, at most 100 characters; empty: all.")] = Field(
        "", max_length=100
    )


class ChannelFlags(Wire):
    """The channels that notify of an alarm."""

    app: Annotated[Flag, doc("1: notified in the app, 0: not.")]
    cloud: Annotated[Flag, doc("1: notified on the cloud platform, 0: not.")]
    email: Annotated[Flag, doc("1: notified by e-mail, 0: not.")]
    official_account: Annotated[Flag, doc("1: notified by the official account, 0: not.")]
    sms: Annotated[Flag, doc("1: notified by SMS, 0: not.")]
    terminal: Annotated[Flag, doc("1: notified by the robot's own screen and speaker, 0: not.")]
    off_site_push: Annotated[Flag, doc("1: notified by push off the site, 0: not.")]


class AlarmSettingRow(ChannelFlags):
    id: Annotated[int, doc("Number of the setting.")]
    code: AlarmCode
    content: AlarmText
    type: AlarmTypeField
    level: AlarmLevel
    notify_after_s: Annotated[
        int,
        doc("How long it must stand before anybody is notified, s, 0: at once. Gone by then: nobody is."),
    ]
    off_delay_s: Annotated[
        int,
        doc("How long its cause must be gone before it is resolved, s, 0: at once. Back by then: it never ended."),
    ]
    known: Annotated[bool, doc("Whether somebody has decided on it; until then its alarms are of state 0.")]


class AlarmSettingChange(Change):
    identity = Change.identity | {"id"}
    id: Annotated[Id, doc("Number of the setting.")]
    app: Annotated[Flag | None, doc("1: notified in the app, 0: not. Left out: it stays.")] = None
    cloud: Annotated[Flag | None, doc("1: notified on the cloud platform, 0: not. Left out: it stays.")] = None
    email: Annotated[Flag | None, doc("1: notified by e-mail, 0: not. Left out: it stays.")] = None
    official_account: Annotated[
        Flag | None, doc("1: notified by the official account, 0: not. Left out: it stays.")
    ] = None
    sms: Annotated[Flag | None, doc("1: notified by SMS, 0: not. Left out: it stays.")] = None
    terminal: Annotated[
        Flag | None, doc("1: notified by the robot's own screen and speaker, 0: not. Left out: it stays.")
    ] = None
    off_site_push: Annotated[Flag | None, doc("1: notified by push off the site, 0: not. Left out: it stays.")] = None
    type: Annotated[AlarmType | None, doc("1 reminder, 2 alarm. Left out: it stays.")] = None
    level: Annotated[
        Literal[1, 2, 3, 4] | None, doc("1 information, 2 minor, 3 major, 4 critical. Left out: it stays.")
    ] = None
    notify_after_s: Annotated[
        int | None, doc("How long it must stand before anybody is notified, 0 to 86400 s. Left out: it stays.")
    ] = Field(None, ge=0, le=86_400)
    off_delay_s: Annotated[
        int | None, doc("How long its cause must be gone before it is resolved, 0 to 86400 s. Left out: it stays.")
    ] = Field(None, ge=0, le=86_400)


class DryRunFilter(Wire):
    waits: Annotated[
        list[Annotated[int, Field(ge=0, le=86_400)]],
        doc("How long an alarm must stand before anybody is notified, s, 1 to 20 of them."),
    ] = Field(min_length=1, max_length=20)


class DryRunRow(Wire):
    code: AlarmCode
    notify_after_s: Annotated[int, doc("The wait that was tried, s.")]
    count: Annotated[int, doc("How often it would have notified, an alarm or a group of one cause once.")]


class DryRun(Wire):
    list: Annotated[list[DryRunRow], doc("By code and wait; a pair that would not have notified is left out.")]


class ChannelTest(Wire):
    channel: Annotated[
        Literal["app", "cloud", "email", "officialAccount", "sms", "terminal", "offSitePush"],
        doc("Channel that is tried."),
    ]
    device_id: Annotated[Id | None, doc("Robot on whose screen it is shown; for `terminal` alone.")] = None


@call("/wmWarnSet/queryByPage", needs=SETTINGS, reads=("wmWarnSet",))
async def list_alarm_settings(ctx: Ctx, payload: SettingFilter) -> Page[AlarmSettingRow]:
    """List what is done with each code, those without a decision first."""
    rows, total = await settings.load_page(ctx, payload, payload.keyword)
    named = [AlarmSettingRow.model_validate(settings.render(row, ctx.language)) for row in rows]
    return Page(list=named, page_num=pages(total, payload), total=total)


@call("/wmWarnSet/edit", needs=SETTINGS, changes=("wmWarnSet", "warn"), audit="warn.set")
async def edit_alarm_setting(ctx: Ctx, payload: AlarmSettingChange) -> Nothing:
    """Change what is done with a code."""
    await settings.edit(ctx, payload.id, payload.sent())
    return Nothing()


@call("/wmWarnSet/dryRun", needs=SETTINGS, reads=("warn",))
async def try_alarm_waits(ctx: Ctx, payload: DryRunFilter) -> Fast[DryRun]:
    """Count by code how often each wait would have notified in the last 30 days."""
    return Fast({"list": await settings.run_dry(ctx, payload.waits)})


@call("/wmWarnSet/test", needs=SETTINGS, audit="warn.test")
async def test_channel(ctx: Ctx, payload: ChannelTest) -> Nothing:
    """Send oneself a notification by a channel, or show it on a robot, at once."""
    await channel_test.send(ctx, to_snake(payload.channel), payload.device_id)
    return Nothing()
