"""/configure: configuration parameters."""

from typing import Annotated

from pydantic import Field, StringConstraints

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Change, Id, SeenUpdateTime, UpdateTime, doc, optional_from
from lustra.domains.version import parameters
from lustra.domains.version.rules import PARAMETERS

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


@call("/configure/findAll", needs=PARAMETERS)
async def list_parameters(ctx: Ctx, _: Nothing) -> Parameters:
    """List the configuration parameters."""
    rows = await parameters.list_all(ctx)
    return Parameters(
        list=[ParameterRow(id=row.id, key=row.key, value=row.value, update_time=row.updated_at) for row in rows]
    )


@call("/configure/add", needs=PARAMETERS, changes=("configure",), audit="parameter.insert")
async def add_parameter(ctx: Ctx, payload: NewParameter) -> ById:
    """Add a configuration parameter."""
    return ById(id=(await parameters.add(ctx, payload.key, payload.value)).id)


@call("/configure/edit", needs=PARAMETERS, changes=("configure",), audit="parameter.update")
async def change_parameter(ctx: Ctx, payload: ParameterChange) -> Nothing:
    """Change a configuration parameter."""
    await parameters.change(ctx, payload.id, payload.sent(), payload.update_time)
    return Nothing()


@call("/configure/del", needs=PARAMETERS, changes=("configure",), audit="parameter.delete")
async def delete_parameter(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a configuration parameter."""
    await parameters.delete(ctx, payload.id)
    return Nothing()
