"""A change as it is on the wire: the same in the feed and in what a webhook is sent."""

from datetime import datetime
from typing import Annotated, Any

from lustra.core.wire import Wire, doc
from lustra.domains.change.tables import ChangeEntry


class ChangeRow(Wire):
    """One change. It may come twice: `id` stays the same."""

    id: Annotated[str, doc("Names the change; a webhook sends it as `webhook-id`.")]
    kind: Annotated[str, doc("What happened, as `device.offline`; programs pass over kinds that they do not know.")]
    time: Annotated[datetime, doc("When the server wrote it.")]
    device_id: Annotated[int | None, doc("Number of the robot; null: it is about none.")]
    device_serial_number: Annotated[str, doc("Its serial number; empty: it is about none.")]
    data: Annotated[dict[str, Any], doc("What happened, by its kind: see `webhooks` in the OpenAPI.")]


def build_row(entry: ChangeEntry) -> ChangeRow:
    return ChangeRow(
        id=str(entry.id),
        kind=entry.kind,
        time=entry.created_at,
        device_id=entry.device_id,
        device_serial_number=entry.serial,
        data=entry.data,
    )
