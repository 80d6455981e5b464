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
from lustra.domains.hardware.calls.catalogue import EDIT, PartRow, Parts, row
from lustra.domains.hardware.tables import DeviceBatch

KEY = "device/index/product/batch/index"
READS = (KEY, EDIT)
CHANGES = ("deviceProductBatch", "deviceHardSupport")
ALL = PageOf(current_page=1, page_size=1_000_000)


def _some(told: list[int]) -> list[int]:
    if not told:
        raise PydanticCustomError("types_required", "Choose a device type")
    return sorted(set(told))


def _once(told: list[int]) -> list[int]:
    return sorted(set(told))


TypeIds = Annotated[Commas[Id], Field(max_length=200), AfterValidator(_some)]
PartIds = Annotated[Commas[Id], Field(max_length=200), AfterValidator(_once)]


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


class FullRow(BatchRow):
    hard_supports: list[PartRow]


class Full(Wire):
    list: list[FullRow]


class OneBatch(Wire):
    batch_id: Id


class BatchFields(Wire):
    """`rackRange` as SC0001-SC0030. Without `hardSupportIds` the parts stay as they are."""

    batch_name: Title
    rack_range: racks.RackRange
    type_ids: TypeIds
    hard_support_ids: PartIds | None = None

    def told(self) -> dict[str, Any]:
        ends = racks.parse(self.rack_range)
        told = {"name": self.batch_name, "type_ids": self.type_ids}
        told |= {"low": ends.low, "high": ends.high} if ends else {}
        return told | ({} if self.hard_support_ids is None else {"part_ids": self.hard_support_ids})


class BatchChange(BatchFields, OneBatch):
    """With `updateTime` it is refused if somebody has changed the batch since."""

    update_time: Moment | None = None


class PartsOf(OneBatch):
    hard_support_ids: PartIds
    update_time: Moment | None = None


class PartOf(OneBatch):
    hard_support_id: Id


class Named(Wire):
    batch_id: Id | None = None
    batch_name: str | None = Field(None, max_length=100)


class Fitting(OneBatch):
    """Without `confirm` nothing is done, and what would be is told."""

    confirm: bool = False


class Fit(Wire):
    """`robots`: of the batch and within reach; `changed`: those that lack something of it, some by their `names`."""

    robots: int
    changed: int
    names: list[str]


async def _rows(ctx: Ctx, found: Sequence[DeviceBatch]) -> list[BatchRow]:
    names = {one.id: one.name for one in await types.list_types(ctx)}
    sizes = await batches.sizes(ctx, [one.id for one in found])
    return [
        BatchRow(
            batch_id=one.id, batch_name=one.name, rack_range=str(racks.of(one)), type_ids=one.type_ids,
            type_names=[names[kind] for kind in one.type_ids if kind in names], hard_support_ids=one.part_ids,
            robots=sizes.get(one.id, 0), update_time=one.updated_at,
        )
        for one in found
    ]  # fmt: skip


@call("/deviceProductBatch/list", needs=READS)
async def listed(ctx: Ctx, wanted: BatchFilter) -> Page[BatchRow]:
    """The batches, by frame numbers."""
    found, total = await batches.page(ctx, wanted.keyword, wanted)
    return Page(list=await _rows(ctx, found), page_num=pages(total, wanted), total=total)


@call("/deviceProductBatch/listFull", needs=READS)
async def list_full(ctx: Ctx, _: Nothing) -> Full:
    """All batches with their parts."""
    found, _total = await batches.page(ctx, "", ALL)
    parts = {part.row.id: row(part) for part in await catalogue.parts(ctx)}
    return Full(list=[
        FullRow(**one.model_dump(), hard_supports=[parts[part] for part in one.hard_support_ids if part in parts])
        for one in await _rows(ctx, found)
    ])  # fmt: skip


@call("/deviceProductBatch/hardSupportInfo", needs=READS)
async def hard_support_info(ctx: Ctx, wanted: Named) -> Parts:
    """The parts of one batch, told by its id or name."""
    batch = await batches.find(ctx, wanted.batch_id, wanted.batch_name or None)
    return Parts(list=[row(part) for part in await catalogue.parts(ctx, ids=batch.part_ids)])


@call("/deviceProductBatch/insert", needs=KEY, changes=CHANGES, audit="batch.insert")
async def insert(ctx: Ctx, told: BatchFields) -> OneBatch:
    """Robots made together, or to be made."""
    return OneBatch(batch_id=(await batches.make(ctx, told.told())).id)


@call("/deviceProductBatch/update", needs=KEY, changes=CHANGES, audit="batch.update")
async def update(ctx: Ctx, told: BatchChange) -> Nothing:
    """What is fitted in robots stays until `fit`."""
    await batches.change(ctx, told.batch_id, told.told(), told.update_time)
    return Nothing()


@call("/deviceProductBatch/updateHardSupport", needs=KEY, changes=CHANGES, audit="batch.parts")
async def update_hard_support(ctx: Ctx, told: PartsOf) -> Nothing:
    """All parts of the batch."""
    await batches.change_parts(ctx, told.batch_id, told.hard_support_ids, told.update_time)
    return Nothing()


@call("/deviceProductBatch/deleteHardSupport", needs=KEY, changes=CHANGES, audit="batch.part_out")
async def delete_hard_support(ctx: Ctx, told: PartOf) -> Nothing:
    """One part, from the batch alone."""
    await batches.drop_part(ctx, told.batch_id, told.hard_support_id)
    return Nothing()


@call("/deviceProductBatch/delete", needs=KEY, changes=CHANGES, audit="batch.delete")
async def delete(ctx: Ctx, told: OneBatch) -> Nothing:
    """One that no robot is of."""
    await batches.remove(ctx, told.batch_id)
    return Nothing()


@call("/deviceProductBatch/fit", needs=KEY, changes=(*CHANGES, "deviceHard"), audit="batch.fit")
async def fit(ctx: Ctx, told: Fitting) -> Fit:
    """Fits the batch's parts in all its robots within reach."""
    granting.demand(ctx, EDIT)
    return Fit.model_validate(await batches.fit_all(ctx, told.batch_id, really=told.confirm))
