"""/clientError: what went wrong in a browser, for the server's log. Nothing of it is stored in the database."""

from typing import Literal

from pydantic import Field

from lustra.core.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.domains.console import service


class ClientError(Wire):
    """`route`: pattern of the page, such as /device/maplist/:mapId. `kind`: a part could not be drawn, or a script or a
    promise failed outside of drawing. `stack`: files, lines and components, as far as they fit."""

    kind: Literal["render", "error", "rejection"]
    route: str = Field(max_length=100)
    version: str = Field(max_length=20)
    message: str = Field(max_length=300)
    stack: str = Field("", max_length=2000)


@call("/clientError", needs=SESSION, person=True)
async def report_client_error(ctx: Ctx, report: ClientError) -> Nothing:
    """Report an error of the console to the server's log."""
    service.log_error(ctx.actor.session_id, **report.model_dump())
    return Nothing()
