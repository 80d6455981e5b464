"""/configure: configuration parameters, and how far robots are with them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Change,
    DeviceId,
    DeviceName,
    Id,
    Page,
    PageOf,
    SeenUpdateTime,
    SerialNumber,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.delivery.api import State, count_by_state, load_page
from lustra.domains.version import parameter_delivery, parameters
from lustra.domains.version.rules import PARAMETERS
from lustra.domains.version.tables import ParameterDelivery

TOPIC = "parameterDelivery"
KEY = r"^[A-Za-z0-9_.:-]{1,100}$"


class NewParameter(Wire):
    key: Annotated[  # the record has it as `parameter`: what stands there as `key` is recorded once
        Annotated[str, StringConstraints(strip_whitespace=True, pattern=KEY)],
        doc("Key: 1 to 100 letters A to Z, digits and . _ : -; once in the installation."),
    ] = Field(exclude=True)
    value: Annotated[str, doc("Value, at most 4000 characters.")] = Field(max_length=4000)


@optional_from(NewParameter)
class ParameterChange(NewParameter, Change):
    identity = Change.identity | {"id"}

    id: Annotated[Id, doc("The parameter.")]
    update_time: SeenUpdateTime = None


class ParameterRow(Wire):
    id: Annotated[int, doc("The parameter.")]
    key: Annotated[str, doc("Key.")]
    value: Annotated[str, doc("Value.")]
    update_time: UpdateTime


class Parameters(Wire):
    list: Annotated[list[ParameterRow], doc("The parameters, by key.")]


class ParameterDeliveryFilter(PageOf):
    state: Annotated[State | None, doc("Only robots that are so far; null: all.")] = None


class ParameterDeliveryRow(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    state: Annotated[State, doc("`waiting`: it gets them once it is online; `shown`: they are in force.")]
    reason: Annotated[str, doc("Why it is so, a key of the catalogue of reasons; empty: there is nothing to say.")]
    refused_key: Annotated[str, doc("The parameter whose value the robot refuses them all for; empty: none.")]
    unknown_keys: Annotated[list[str], doc("Parameters that the robot does not know, and passed over.")]
    shown_time: Annotated[datetime | None, doc("Since when those that it has are in force; null: it has none yet.")]
    update_time: UpdateTime


class ParameterDeliveryCounts(Wire):
    waiting: Annotated[int, doc("Robots that the newest parameters have not come to yet.")]
    sent: Annotated[int, doc("Robots that work on them.")]
    shown: Annotated[int, doc("Robots on which the newest are in force.")]
    failed: Annotated[int, doc("Robots that refuse them.")]


class ParameterDeliveryPage(Page[ParameterDeliveryRow]):
    counts: Annotated[ParameterDeliveryCounts, doc("Robots by state, also of those on other pages.")]


class ParameterRobot(Wire):
    device_id: Annotated[Id | None, doc("The robot; null: all on which it failed.")] = None


@call("/configure/findAll", needs=PARAMETERS)
async def list_parameters(ctx: Ctx, _: Nothing) -> Parameters:
    """List the configuration parameters."""
    rows = await parameters.list_all(ctx)
    return Parameters(
        list=[ParameterRow(id=row.id, key=row.key, value=row.value, update_time=row.updated_at) for row in rows]
    )


@call("/configure/add", needs=PARAMETERS, changes=("configure", TOPIC), audit="parameter.insert")
async def add_parameter(ctx: Ctx, payload: NewParameter) -> ById:
    """Add a configuration parameter."""
    return ById(id=(await parameters.add(ctx, payload.key, payload.value)).id)


@call("/configure/edit", needs=PARAMETERS, changes=("configure", TOPIC), audit="parameter.update")
async def change_parameter(ctx: Ctx, payload: ParameterChange) -> Nothing:
    """Change a configuration parameter."""
    await parameters.change(ctx, payload.id, payload.sent(), payload.update_time)
    return Nothing()


@call("/configure/del", needs=PARAMETERS, changes=("configure", TOPIC), audit="parameter.delete")
async def delete_parameter(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a configuration parameter."""
    await parameters.delete(ctx, payload.id)
    return Nothing()


@call("/configure/selectDeliveryPageList", needs=PARAMETERS, reads=(TOPIC, "device"))
async def select_parameter_delivery_page_list(ctx: Ctx, payload: ParameterDeliveryFilter) -> ParameterDeliveryPage:
    """List robots, and how far each is with the configuration parameters."""
    columns = (ParameterDelivery.refused_key, ParameterDelivery.unknown_keys)
    rows, total = await load_page(ctx, ParameterDelivery, payload, payload.state, *columns)
    return ParameterDeliveryPage(
        list=[ParameterDeliveryRow.model_validate(row) for row in rows],
        page_num=pages(total, payload),
        total=total,
        counts=ParameterDeliveryCounts.model_validate(await count_by_state(ctx, ParameterDelivery)),
    )


@call("/configure/send", needs=PARAMETERS, changes=(TOPIC,), audit="parameter.send")
async def send_parameters(ctx: Ctx, payload: ParameterRobot) -> Nothing:
    """Send one robot, or all that refused them, the configuration parameters once more."""
    await parameter_delivery.send_again(ctx, payload.device_id)
    return Nothing()


jobs.job(parameter_delivery.DELIVER)(parameter_delivery.deliver)
jobs.job("parameter.deliver_all", cron="* * * * *")(parameter_delivery.deliver_all)
