"""/device/…Advert…: how far each robot is with the adverts that it shall show, and how often it showed each."""

from datetime import date, datetime
from typing import Annotated

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import DeviceId, DeviceName, Id, Page, PageOf, SerialNumber, UpdateTime, doc
from lustra.domains.advert import delivery, robots
from lustra.domains.advert.calls.adverts import KEY
from lustra.domains.advert.tables import AdvertDelivery
from lustra.domains.delivery.api import State, count_by_state, load_page

DELIVERIES = "advertDelivery"


class AdvertDeliveryFilter(PageOf):
    state: Annotated[State | None, doc("Only robots that are so far; null: all.")] = None


class AdvertDeliveryRow(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    state: Annotated[State, doc("`waiting`: it gets them once it is online; `sent`: it fetches the files.")]
    reason: Annotated[str, doc("Why it is so, a key of the catalogue of reasons; empty: there is nothing to say.")]
    shown_time: Annotated[datetime | None, doc("When it began to show what it shows; null: it shows none yet.")]
    update_time: UpdateTime


class AdvertDeliveryCounts(Wire):
    waiting: Annotated[int, doc("Robots that the newest adverts have not come to yet.")]
    sent: Annotated[int, doc("Robots that fetch their files.")]
    shown: Annotated[int, doc("Robots that show the newest.")]
    failed: Annotated[int, doc("Robots that cannot show them.")]


class AdvertDeliveryPage(Page[AdvertDeliveryRow]):
    counts: Annotated[AdvertDeliveryCounts, doc("Robots by state, also of those on other pages.")]


class AdvertRobot(Wire):
    device_id: Annotated[Id | None, doc("The robot; null: all on which it failed.")] = None


class AdvertOfShowings(Wire):
    advert_id: Annotated[Id, doc("Number of the advert.")]


class AdvertDay(Wire):
    day: Annotated[date, doc("Day at the robots' places.")]
    times: Annotated[int, doc("How often it was shown to its end.")]


class AdvertRobotShowings(Wire):
    device_id: Annotated[int, doc("Number of the robot.")]
    device_serial_number: Annotated[str, doc("Serial number; empty: the robot is somebody else's by now.")]
    device_code: Annotated[str, doc("Name of the robot; empty: the robot is somebody else's by now.")]
    times: Annotated[int, doc("How often it was shown to its end in the last 30 days.")]
    last_time: Annotated[datetime, doc("When the robot said so last.")]


class AdvertShowings(Wire):
    days: Annotated[list[AdvertDay], doc("Of the last 30 days those on which it was shown.")]
    list: Annotated[list[AdvertRobotShowings], doc("Robots that showed it, those that did most often first.")]


@call("/device/selectAdvertDeliveryPageList", needs=KEY, reads=(DELIVERIES, "device"))
async def select_advert_delivery_page_list(ctx: Ctx, payload: AdvertDeliveryFilter) -> AdvertDeliveryPage:
    """List robots, and how far each is with the adverts that it shall show."""
    rows, total = await load_page(ctx, AdvertDelivery, payload, payload.state)
    return AdvertDeliveryPage(
        list=[AdvertDeliveryRow.model_validate(row) for row in rows],
        page_num=pages(total, payload),
        total=total,
        counts=AdvertDeliveryCounts.model_validate(await count_by_state(ctx, AdvertDelivery)),
    )


@call("/device/sendAdverts", needs=KEY, changes=(DELIVERIES,), audit="advert.send")
async def send_adverts(ctx: Ctx, payload: AdvertRobot) -> Nothing:
    """Send one robot, or all that failed, once more the adverts that it shall show."""
    await robots.send_again(ctx, payload.device_id)
    return Nothing()


@call("/device/selectAdvertShowings", needs=KEY, reads=("advertShowing", "device"))
async def select_advert_showings(ctx: Ctx, payload: AdvertOfShowings) -> AdvertShowings:
    """Read how often an advert was shown in the last 30 days, by day and by robot."""
    days, rows = await robots.showings_of(ctx, payload.advert_id)
    return AdvertShowings(
        days=[AdvertDay(day=day, times=times) for day, times in days],
        list=[
            AdvertRobotShowings(
                device_id=row.device_id,
                device_serial_number=row.device_serial_number or "",
                device_code=row.device_code or "",
                times=row.times,
                last_time=row.last_time,
            )
            for row in rows
        ],
    )


jobs.job(delivery.DELIVER)(delivery.deliver)
jobs.job("advert.deliver_all", cron="*/5 * * * *")(delivery.deliver_all)
jobs.job("advert.deliver_due", cron="* * * * *")(delivery.deliver)
