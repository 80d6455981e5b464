"""/deviceHardSupport: hardware parts and their categories, of the whole installation: a `userId` narrows nothing."""

from datetime import datetime
from itertools import groupby
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Id, Moment, Title
from lustra.domains.hardware import catalogue
from lustra.domains.hardware.catalogue import Part

PAGE = "device/hardSupportIndex"
EDIT = "device/index/edit_hardware"
BATCH = "device/index/product/batch/index"
READS = (PAGE, EDIT, BATCH)
CHANGES = ("deviceHardSupport", "deviceHard", "deviceProductBatch")
Version = Annotated[str, StringConstraints(strip_whitespace=True, max_length=64)]


class PartFilter(Wire):
    """`type`: a category, by its name or id."""

    type: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] | None = None


class PartRow(Wire):
    """`robots`: in how many it is fitted now. `type` is the category's name."""

    id: int
    name: str
    type: str
    cate_id: int = Field(alias="cate_id")
    cate_name: str = Field(alias="cate_name")
    hard_support_text: str = Field(alias="hard_support_text")
    version: str
    robots: int
    update_time: datetime


class CategoryRow(Wire):
    cate_id: int = Field(alias="cate_id")
    cate_name: str = Field(alias="cate_name")
    update_time: datetime


class CategoryParts(CategoryRow):
    children: list[PartRow]


class Parts(Wire):
    list: list[PartRow]


class Categories(Wire):
    list: list[CategoryRow]


class Tree(Wire):
    list: list[CategoryParts]


class NewPart(Wire):
    cate_id: Id = Field(alias="cate_id")
    hard_support_text: Title = Field(alias="hard_support_text")
    version: Version = ""

    def told(self) -> dict[str, Any]:
        return {"category_id": self.cate_id, "name": self.hard_support_text, "version": self.version}


class PartChange(NewPart, ById):
    """With `updateTime` it is refused if somebody has changed the part since."""

    update_time: Moment | None = None


class NewCategory(Wire):
    cate_name: Title


class OfCategory(Wire):
    cate_id: Id


class CategoryChange(NewCategory, OfCategory):
    """With `updateTime` it is refused if somebody has changed the category since."""

    update_time: Moment | None = None


def row(part: Part) -> PartRow:
    return PartRow(
        id=part.row.id, name=part.row.name, type=part.category.name, cate_id=part.category.id,
        cate_name=part.category.name, hard_support_text=part.row.name, version=part.row.version, robots=part.robots,
        update_time=part.row.updated_at,
    )  # fmt: skip


async def category_rows(ctx: Ctx) -> list[CategoryRow]:
    return [
        CategoryRow(cate_id=one.id, cate_name=one.name, update_time=one.updated_at)
        for one in await catalogue.categories(ctx)
    ]


@call("/deviceHardSupport/list", needs=READS)
async def listed(ctx: Ctx, wanted: PartFilter) -> Parts:
    """The parts, by category and name."""
    return Parts(list=[row(part) for part in await catalogue.parts(ctx, wanted.type or "")])


@call("/deviceHardSupport/listCateGroup", needs=READS)
async def list_cate_group(ctx: Ctx, _: Nothing) -> Tree:
    """The categories, each with its parts; those without parts too."""
    of = {key: [*those] for key, those in groupby(await catalogue.parts(ctx), lambda part: part.category.id)}
    return Tree(list=[
        CategoryParts(**one.model_dump(), children=[row(part) for part in of.get(one.cate_id, [])])
        for one in await category_rows(ctx)
    ])  # fmt: skip


@call("/deviceHardSupport/listCate", needs=READS)
async def list_cate(ctx: Ctx, _: Nothing) -> Categories:
    """The categories, by name."""
    return Categories(list=await category_rows(ctx))


@call("/deviceHardSupport/insert", needs=PAGE, changes=CHANGES, audit="hard_part.insert")
async def insert(ctx: Ctx, told: NewPart) -> ById:
    """A part that robots may have."""
    return ById(id=(await catalogue.add_part(ctx, told.told())).id)


@call("/deviceHardSupport/update", needs=PAGE, changes=CHANGES, audit="hard_part.update")
async def update(ctx: Ctx, told: PartChange) -> Nothing:
    """For all robots that have it, but the version that was fitted stays with them."""
    await catalogue.change_part(ctx, told.id, told.told(), told.update_time)
    return Nothing()


@call("/deviceHardSupport/delete", needs=PAGE, changes=CHANGES, audit="hard_part.delete")
async def delete(ctx: Ctx, told: ById) -> Nothing:
    """One that no robot has and no batch."""
    await catalogue.remove_part(ctx, told.id)
    return Nothing()


@call("/deviceHardSupport/insertCate", needs=PAGE, changes=CHANGES, audit="hard_category.insert")
async def insert_cate(ctx: Ctx, told: NewCategory) -> OfCategory:
    """A category without parts."""
    return OfCategory(cate_id=(await catalogue.add_category(ctx, told.cate_name)).id)


@call("/deviceHardSupport/updateCate", needs=PAGE, changes=CHANGES, audit="hard_category.update")
async def update_cate(ctx: Ctx, told: CategoryChange) -> Nothing:
    """Its name."""
    await catalogue.change_category(ctx, told.cate_id, told.cate_name, told.update_time)
    return Nothing()


@call("/deviceHardSupport/deleteCate", needs=PAGE, changes=CHANGES, audit="hard_category.delete")
async def delete_cate(ctx: Ctx, told: OfCategory) -> Nothing:
    """One that has no parts."""
    await catalogue.remove_category(ctx, told.cate_id)
    return Nothing()
