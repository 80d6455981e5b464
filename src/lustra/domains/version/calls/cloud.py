"""/wmCloudVersion: versions of this software, and what is new in them."""

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator

from lustra.core.calls.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Change,
    Id,
    Moment,
    Page,
    PageOf,
    SeenUpdateTime,
    UpdateTime,
    doc,
    none_if_blank,
    optional_from,
)
from lustra.domains.version import cloud
from lustra.domains.version.rules import CLOUD, Log, Number
from lustra.domains.version.tables import CloudVersion


class NewCloudVersion(Wire):
    version: Annotated[Number, doc("The version, 1 to 64 characters, as 1.20.0; once in the installation.")]
    log: Annotated[Log, doc("What is new, at most 10,000 characters.")] = ""
    publish_time: Annotated[
        Annotated[Moment | None, BeforeValidator(none_if_blank)],
        doc("From when on people are shown what is new; null: at once, in a change: stays."),
    ] = None


@optional_from(NewCloudVersion)
class CloudVersionChange(NewCloudVersion, Change):
    identity = Change.identity | {"id"}

    id: Annotated[Id, doc("The cloud version.")]
    update_time: SeenUpdateTime = None


class CloudVersionRow(Wire):
    id: Annotated[int, doc("The cloud version.")]
    version: Annotated[str, doc("The version.")]
    log: Annotated[str, doc("What is new.")]
    publish_time: Annotated[datetime, doc("From when on people are shown what is new.")]
    update_time: UpdateTime


class CloudVersionNews(Wire):
    list: Annotated[list[CloudVersionRow], doc("The last versions that are out, the latest first.")]


def _row(version: CloudVersion) -> CloudVersionRow:
    return CloudVersionRow(
        id=version.id,
        version=version.version,
        log=version.log,
        publish_time=version.publish_time,
        update_time=version.updated_at,
    )


@call("/wmCloudVersion/queryByPage", needs=CLOUD)
async def list_cloud_versions(ctx: Ctx, payload: PageOf) -> Page[CloudVersionRow]:
    """List the cloud versions, the latest first."""
    versions, total = await cloud.load_page(ctx, payload)
    return Page(list=[_row(version) for version in versions], page_num=pages(total, payload), total=total)


@call("/wmCloudVersion/queryById", needs=CLOUD)
async def find_cloud_version(ctx: Ctx, payload: ById) -> CloudVersionRow:
    """Show a cloud version."""
    return _row(await cloud.find(ctx, payload.id))


@call("/wmCloudVersion/news", needs=SESSION)
async def list_cloud_news(ctx: Ctx, _: Nothing) -> CloudVersionNews:
    """List what is new in the last versions, for whoever uses the software."""
    return CloudVersionNews(list=[_row(version) for version in await cloud.list_news(ctx)])


@call("/wmCloudVersion/add", needs=CLOUD, changes=("wmCloudVersion",), audit="cloud_version.insert")
async def add_cloud_version(ctx: Ctx, payload: NewCloudVersion) -> ById:
    """Add a cloud version."""
    return ById(id=(await cloud.add(ctx, payload.version, payload.log, payload.publish_time)).id)


@call("/wmCloudVersion/edit", needs=CLOUD, changes=("wmCloudVersion",), audit="cloud_version.update")
async def change_cloud_version(ctx: Ctx, payload: CloudVersionChange) -> Nothing:
    """Change a cloud version."""
    values = {name: value for name, value in payload.sent().items() if value is not None}
    await cloud.change(ctx, payload.id, values, payload.update_time)
    return Nothing()


@call("/wmCloudVersion/deleteById", needs=CLOUD, changes=("wmCloudVersion",), audit="cloud_version.delete")
async def delete_cloud_version(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a cloud version."""
    await cloud.delete(ctx, payload.id)
    return Nothing()
