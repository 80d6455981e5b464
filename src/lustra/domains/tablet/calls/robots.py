"""/user/…Pad…: how far each robot is with what its dealer's tablets look like."""

from datetime import datetime
from typing import Annotated

from lustra.core import jobs
from lustra.core.calls.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import DeviceId, DeviceName, Id, Page, PageOf, SerialNumber, UpdateTime, doc
from lustra.domains.delivery.api import State, count_by_state, load_page
from lustra.domains.tablet import delivery, robots, service
from lustra.domains.tablet.tables import TabletDelivery

TOPIC = "tabletDelivery"


class PadDeliveryFilter(PageOf):
    state: Annotated[State | None, doc("Only robots that are so far; null: all.")] = None


class PadDeliveryRow(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    state: Annotated[State, doc("`waiting`: it gets it once it is online; `sent`: it fetches the pictures.")]
    reason: Annotated[str, doc("Why it is so, a key of the catalogue of reasons; empty: there is nothing to say.")]
    shown_time: Annotated[datetime | None, doc("When it began to show what it shows; null: it shows none yet.")]
    update_time: UpdateTime


class PadDeliveryCounts(Wire):
    waiting: Annotated[int, doc("Robots that it has not come to yet.")]
    sent: Annotated[int, doc("Robots that fetch its pictures.")]
    shown: Annotated[int, doc("Robots that show it.")]
    failed: Annotated[int, doc("Robots that cannot show it.")]


class PadDeliveryPage(Page[PadDeliveryRow]):
    counts: Annotated[PadDeliveryCounts, doc("Robots by state, also of those on other pages.")]


class PadRobot(Wire):
    device_id: Annotated[Id | None, doc("The robot; null: all on which it failed.")] = None


@call("/user/selectPadDeliveryPageList", needs=SESSION, reads=(TOPIC, "device"))
async def select_pad_delivery_page_list(ctx: Ctx, payload: PadDeliveryFilter) -> PadDeliveryPage:
    """List the robots of the acting dealer, and how far each is with what its tablet shall look like."""
    await service.demand_dealer(ctx)
    rows, total = await load_page(ctx, TabletDelivery, payload, payload.state)
    return PadDeliveryPage(
        list=[PadDeliveryRow.model_validate(row) for row in rows],
        page_num=pages(total, payload),
        total=total,
        counts=PadDeliveryCounts.model_validate(await count_by_state(ctx, TabletDelivery)),
    )


@call("/user/sendPadConfig", needs=SESSION, changes=(TOPIC,), audit="user.pad_send")
async def send_pad_config(ctx: Ctx, payload: PadRobot) -> Nothing:
    """Send one robot of the acting dealer, or all that failed, once more what its tablet shall look like."""
    await service.demand_dealer(ctx)
    await robots.send_again(ctx, payload.device_id)
    return Nothing()


jobs.job(delivery.DELIVER)(delivery.deliver)
jobs.job("tablet.deliver_all", cron="* * * * *")(delivery.deliver_all)
