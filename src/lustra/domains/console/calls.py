"""/clientError: what went wrong in a browser, for the server's log. Nothing of it is stored in the database."""

from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import doc
from lustra.domains.console import service


class ClientError(Wire):
    """`route`: pattern of the page, such as /device/maplist/:mapId. `kind`: a part could not be drawn, or a script or a
    promise failed outside of drawing. `stack`: files, lines and components, as far as they fit."""

    kind: Annotated[
        Literal["render", "error", "rejection"],
        doc("A part could not be drawn (render), or a script or promise failed (error, rejection)."),
    ]
    route: Annotated[str, doc("Pattern of the page, as /device/maplist/:mapId.")] = Field(max_length=100)
    version: Annotated[str, doc("Version of the console.")] = Field(max_length=20)
    message: Annotated[str, doc("What the browser says of the error.")] = Field(max_length=300)
    stack: Annotated[str, doc("Files, lines and components.")] = Field("", max_length=2000)


@call("/clientError", needs=SESSION, person=True)
async def report_client_error(ctx: Ctx, report: ClientError) -> Nothing:
    """Report an error of the console to the server's log."""
    service.log_error(ctx.actor.session_id, **report.model_dump())
    return Nothing()
