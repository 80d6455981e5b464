"""/deviceProductBatch: production batches."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    Change,
    Commas,
    Id,
    Page,
    PageOf,
    SeenUpdateTime,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.account.api import demand_key
from lustra.domains.device.api import list_types
from lustra.domains.hardware import batches, catalogue, racks
from lustra.domains.hardware.calls.catalogue import EDIT, HardPartList, PartRow, part_row
from lustra.domains.hardware.tables import DeviceBatch

KEY = "device/index/product/batch/index"
READS = (KEY, EDIT)
CHANGES = ("deviceProductBatch", "deviceHardSupport")
ALL = PageOf(current_page=1, page_size=1_000_000)


def _require_types(ids: list[int]) -> list[int]:
    if not ids:
        raise PydanticCustomError("types_required", "Choose a device type")
    return sorted(set(ids))


def _deduplicate(ids: list[int]) -> list[int]:
    return sorted(set(ids))


TypeIds = Annotated[Commas[Id], Field(max_length=200), AfterValidator(_require_types)]
PartIds = Annotated[Commas[Id], Field(max_length=200), AfterValidator(_deduplicate)]


class BatchFilter(PageOf):
    """Batches belong to the whole installation."""

    keyword: Annotated[str, doc("Part of the name, or of an end of the range, at most 100 characters; empty: all.")] = (
        Field("", max_length=100)
    )


class BatchRow(Wire):
    batch_id: Annotated[int, doc("Number of the batch.")]
    batch_name: Annotated[str, doc("Name of the batch.")]
    rack_range: Annotated[str, doc("Frame numbers of its robots, as SC0001-SC0030, both ends included.")]
    type_ids: Annotated[list[int], doc("Device types of its robots.")]
    type_names: Annotated[list[str], doc("Names of these device types.")]
    hard_support_ids: Annotated[list[int], doc("Parts of the catalogue that its robots have.")]
    robots: Annotated[int, doc("Number of its robots that the asker sees.")]
    update_time: UpdateTime


class BatchWithPartsRow(BatchRow):
    hard_supports: Annotated[list[PartRow], doc("Parts of the catalogue that its robots have.")]


class BatchesWithParts(Wire):
    list: Annotated[list[BatchWithPartsRow], doc("All batches, by frame numbers.")]


class BatchRef(Wire):
    batch_id: Annotated[Id, doc("Number of the batch.")]


class BatchFields(Wire):
    batch_name: Annotated[Title, doc("Name of the batch, 1 to 100 characters.")]
    rack_range: Annotated[
        racks.RackRange, doc("Frame numbers as SC0001-SC0030: same prefix and width, the second end greater.")
    ]
    type_ids: Annotated[TypeIds, doc("Device types of its robots, 1 to 200, separated by commas or as a list.")]
    hard_support_ids: Annotated[PartIds | None, doc("Parts of the catalogue, at most 200; null: they stay.")] = None

    def column_values(self) -> dict[str, Any]:
        ends = racks.parse_range(self.rack_range or "")
        values = {"name": self.batch_name, "type_ids": self.type_ids, "part_ids": self.hard_support_ids}
        values |= {"low": ends.low, "high": ends.high} if ends else {}
        return {name: value for name, value in values.items() if value is not None}


@optional_from(BatchFields)
class BatchChange(BatchFields, BatchRef, Change):
    update_time: SeenUpdateTime = None


class BatchPartsChange(BatchRef):
    hard_support_ids: Annotated[PartIds, doc("All parts of the batch, at most 200.")]
    update_time: SeenUpdateTime = None


class BatchPartRef(BatchRef):
    hard_support_id: Annotated[Id, doc("Part that the batch loses.")]


class BatchQuery(Wire):
    batch_id: Annotated[Id | None, doc("Number of the batch; null: `batchName` names it.")] = None
    batch_name: Annotated[str | None, doc("Name of the batch, at most 100 characters; null: `batchId` names it.")] = (
        Field(None, max_length=100)
    )


class BatchFitRequest(BatchRef):
    confirm: Annotated[bool, doc("False: only count; true: fit the parts.")] = False


class BatchFitResult(Wire):
    robots: Annotated[int, doc("Number of robots of the batch that one may change.")]
    changed: Annotated[int, doc("Number of these that lack a part of the batch.")]
    names: Annotated[list[str], doc("Names of some of those that lack one.")]


async def _build_rows(ctx: Ctx, rows: Sequence[DeviceBatch]) -> list[BatchRow]:
    names = {kind.id: kind.name for kind in await list_types(ctx)}
    sizes = await batches.count_devices(ctx, [batch.id for batch in rows])
    return [
        BatchRow(
            batch_id=batch.id,
            batch_name=batch.name,
            rack_range=str(racks.range_of(batch)),
            type_ids=batch.type_ids,
            type_names=[names[type_id] for type_id in batch.type_ids if type_id in names],
            hard_support_ids=batch.part_ids,
            robots=sizes.get(batch.id, 0),
            update_time=batch.updated_at,
        )
        for batch in rows
    ]


@call("/deviceProductBatch/list", needs=READS)
async def list_batches(ctx: Ctx, payload: BatchFilter) -> Page[BatchRow]:
    """List the batches, by frame numbers."""
    rows, total = await batches.list_page(ctx, payload.keyword, payload)
    return Page(list=await _build_rows(ctx, rows), page_num=pages(total, payload), total=total)


@call("/deviceProductBatch/listFull", needs=READS)
async def list_full(ctx: Ctx, _: Nothing) -> BatchesWithParts:
    """List all batches with their parts."""
    rows, _total = await batches.list_page(ctx, "", ALL)
    parts = {part.row.id: part_row(part) for part in await catalogue.list_parts(ctx)}
    return BatchesWithParts(
        list=[
            BatchWithPartsRow(
                **batch.model_dump(), hard_supports=[parts[part] for part in batch.hard_support_ids if part in parts]
            )
            for batch in await _build_rows(ctx, rows)
        ]
    )


@call("/deviceProductBatch/hardSupportInfo", needs=READS)
async def hard_support_info(ctx: Ctx, payload: BatchQuery) -> HardPartList:
    """List the parts of one batch, named by its number or name."""
    batch = await batches.find_batch(ctx, payload.batch_id, payload.batch_name or None)
    return HardPartList(list=[part_row(part) for part in await catalogue.list_parts(ctx, ids=batch.part_ids)])


@call("/deviceProductBatch/insert", needs=KEY, changes=CHANGES, audit="batch.insert")
async def insert(ctx: Ctx, payload: BatchFields) -> BatchRef:
    """Create a batch: robots that are made together."""
    return BatchRef(batch_id=(await batches.create(ctx, payload.column_values())).id)


@call("/deviceProductBatch/update", needs=KEY, changes=CHANGES, audit="batch.update")
async def update(ctx: Ctx, payload: BatchChange) -> Nothing:
    """Change a batch; parts in robots stay until /deviceProductBatch/fit."""
    await batches.change(ctx, payload.batch_id, payload.column_values(), payload.update_time)
    return Nothing()


@call("/deviceProductBatch/updateHardSupport", needs=KEY, changes=CHANGES, audit="batch.parts")
async def update_hard_support(ctx: Ctx, payload: BatchPartsChange) -> Nothing:
    """Set all parts of a batch."""
    await batches.change_parts(ctx, payload.batch_id, payload.hard_support_ids, payload.update_time)
    return Nothing()


@call("/deviceProductBatch/deleteHardSupport", needs=KEY, changes=CHANGES, audit="batch.part_out")
async def delete_hard_support(ctx: Ctx, payload: BatchPartRef) -> Nothing:
    """Delete one part from a batch; robots keep it."""
    await batches.remove_part(ctx, payload.batch_id, payload.hard_support_id)
    return Nothing()


@call("/deviceProductBatch/delete", needs=KEY, changes=CHANGES, audit="batch.delete")
async def delete(ctx: Ctx, payload: BatchRef) -> Nothing:
    """Delete a batch. Refused while a robot is of it."""
    await batches.remove(ctx, payload.batch_id)
    return Nothing()


@call("/deviceProductBatch/fit", needs=KEY, changes=(*CHANGES, "deviceHard"), audit="batch.fit")
async def fit(ctx: Ctx, payload: BatchFitRequest) -> BatchFitResult:
    """Fit the batch's parts in all its robots that one may change."""
    demand_key(ctx, EDIT)
    return BatchFitResult.model_validate(await batches.fit_batch(ctx, payload.batch_id, really=payload.confirm))
