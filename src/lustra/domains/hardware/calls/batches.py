"""/deviceProductBatch: production batches."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from lustra.core.query import pages
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Commas, Id, Moment, Page, PageOf, Title
from lustra.domains.account import granting
from lustra.domains.device import types
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
    """`keyword` in the name or the ends of the range. They are the whole installation's: a `userId` narrows nothing."""

    keyword: str = Field("", max_length=100)


class BatchRow(Wire):
    """`robots`: how many that one sees are of the batch."""

    batch_id: int
    batch_name: str
    rack_range: str
    type_ids: list[int]
    type_names: list[str]
    hard_support_ids: list[int]
    robots: int
    update_time: datetime


class BatchWithPartsRow(BatchRow):
    hard_supports: list[PartRow]


class BatchesWithParts(Wire):
    list: list[BatchWithPartsRow]


class BatchRef(Wire):
    batch_id: Id


class BatchFields(Wire):
    """`rackRange` as SC0001-SC0030. Without `hardSupportIds` the parts stay as they are."""

    batch_name: Title
    rack_range: racks.RackRange
    type_ids: TypeIds
    hard_support_ids: PartIds | None = None

    def column_values(self) -> dict[str, Any]:
        ends = racks.parse_range(self.rack_range)
        values = {"name": self.batch_name, "type_ids": self.type_ids}
        values |= {"low": ends.low, "high": ends.high} if ends else {}
        return values | ({} if self.hard_support_ids is None else {"part_ids": self.hard_support_ids})


class BatchChange(BatchFields, BatchRef):
    """With `updateTime` it is refused if somebody has changed the batch since."""

    update_time: Moment | None = None


class BatchPartsChange(BatchRef):
    hard_support_ids: PartIds
    update_time: Moment | None = None


class BatchPartRef(BatchRef):
    hard_support_id: Id


class BatchQuery(Wire):
    batch_id: Id | None = None
    batch_name: str | None = Field(None, max_length=100)


class BatchFitRequest(BatchRef):
    """Without `confirm` nothing is done, and what would be is told."""

    confirm: bool = False


class BatchFitResult(Wire):
    """`robots`: of the batch and within reach; `changed`: those that lack something of it, some by their `names`."""

    robots: int
    changed: int
    names: list[str]


async def _build_rows(ctx: Ctx, rows: Sequence[DeviceBatch]) -> list[BatchRow]:
    names = {kind.id: kind.name for kind in await types.list_types(ctx)}
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
    """The batches, by frame numbers."""
    rows, total = await batches.list_page(ctx, payload.keyword, payload)
    return Page(list=await _build_rows(ctx, rows), page_num=pages(total, payload), total=total)


@call("/deviceProductBatch/listFull", needs=READS)
async def list_full(ctx: Ctx, _: Nothing) -> BatchesWithParts:
    """All batches with their parts."""
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
    """The parts of one batch, told by its id or name."""
    batch = await batches.find_batch(ctx, payload.batch_id, payload.batch_name or None)
    return HardPartList(list=[part_row(part) for part in await catalogue.list_parts(ctx, ids=batch.part_ids)])


@call("/deviceProductBatch/insert", needs=KEY, changes=CHANGES, audit="batch.insert")
async def insert(ctx: Ctx, payload: BatchFields) -> BatchRef:
    """Robots made together, or to be made."""
    return BatchRef(batch_id=(await batches.create(ctx, payload.column_values())).id)


@call("/deviceProductBatch/update", needs=KEY, changes=CHANGES, audit="batch.update")
async def update(ctx: Ctx, payload: BatchChange) -> Nothing:
    """What is fitted in robots stays until `fit`."""
    await batches.change(ctx, payload.batch_id, payload.column_values(), payload.update_time)
    return Nothing()


@call("/deviceProductBatch/updateHardSupport", needs=KEY, changes=CHANGES, audit="batch.parts")
async def update_hard_support(ctx: Ctx, payload: BatchPartsChange) -> Nothing:
    """All parts of the batch."""
    await batches.change_parts(ctx, payload.batch_id, payload.hard_support_ids, payload.update_time)
    return Nothing()


@call("/deviceProductBatch/deleteHardSupport", needs=KEY, changes=CHANGES, audit="batch.part_out")
async def delete_hard_support(ctx: Ctx, payload: BatchPartRef) -> Nothing:
    """One part, from the batch alone."""
    await batches.remove_part(ctx, payload.batch_id, payload.hard_support_id)
    return Nothing()


@call("/deviceProductBatch/delete", needs=KEY, changes=CHANGES, audit="batch.delete")
async def delete(ctx: Ctx, payload: BatchRef) -> Nothing:
    """One that no robot is of."""
    await batches.remove(ctx, payload.batch_id)
    return Nothing()


@call("/deviceProductBatch/fit", needs=KEY, changes=(*CHANGES, "deviceHard"), audit="batch.fit")
async def fit(ctx: Ctx, payload: BatchFitRequest) -> BatchFitResult:
    """Fits the batch's parts in all its robots within reach."""
    granting.demand_key(ctx, EDIT)
    return BatchFitResult.model_validate(await batches.fit_batch(ctx, payload.batch_id, really=payload.confirm))
