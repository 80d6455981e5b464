"""/deviceHardSupport: hardware parts and their categories, of the whole installation: a `userId` narrows nothing."""

from itertools import groupby
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import (
    ById,
    Change,
    Id,
    SeenUpdateTime,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.hardware import catalogue
from lustra.domains.hardware.catalogue import Part

PAGE = "device/hardSupportIndex"
EDIT = "device/index/edit_hardware"
BATCH = "device/index/product/batch/index"
READS = (PAGE, EDIT, BATCH)
CHANGES = ("deviceHardSupport", "deviceHard", "deviceProductBatch")
COLUMNS = {"cate_id": "category_id", "hard_support_text": "name", "version": "version"}
Version = Annotated[str, StringConstraints(strip_whitespace=True, max_length=64)]


class PartFilter(Wire):
    type: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] | None,
        doc("Only parts of this category, by its name or number; null: all."),
    ] = None


class PartRow(Wire):
    """A part of the catalogue."""

    id: Annotated[int, doc("Number of the part.")]
    name: Annotated[str, doc("Name of the part.")]
    type: Annotated[str, doc("Name of its category; the same as `cate_name`.")]
    cate_id: Annotated[int, doc("Number of its category. Spelt as in the specification.")] = Field(alias="cate_id")
    cate_name: Annotated[str, doc("Name of its category. Spelt as in the specification.")] = Field(alias="cate_name")
    hard_support_text: Annotated[str, doc("Name of the part; the same as `name`. Spelt as in the specification.")] = (
        Field(alias="hard_support_text")
    )
    version: Annotated[str, doc("Version of the part; empty: none.")]
    robots: Annotated[int, doc("Number of robots in which it is fitted now.")]
    update_time: UpdateTime


class CategoryRow(Wire):
    cate_id: Annotated[int, doc("Number of the category. Spelt as in the specification.")] = Field(alias="cate_id")
    cate_name: Annotated[str, doc("Name of the category. Spelt as in the specification.")] = Field(alias="cate_name")
    update_time: UpdateTime


class CategoryParts(CategoryRow):
    children: Annotated[list[PartRow], doc("Its parts, by name.")]


class HardPartList(Wire):
    list: Annotated[list[PartRow], doc("The parts.")]


class CategoryList(Wire):
    list: Annotated[list[CategoryRow], doc("The categories, by name.")]


class CategoryTree(Wire):
    list: Annotated[list[CategoryParts], doc("The categories, by name, each with its parts.")]


class NewPart(Wire):
    cate_id: Annotated[Id, doc("Number of its category. Spelt as in the specification.")] = Field(alias="cate_id")
    hard_support_text: Annotated[
        Title, doc("Name of the part, 1 to 100 characters. Spelt as in the specification.")
    ] = Field(alias="hard_support_text")
    version: Annotated[Version, doc("Version, at most 64 characters; empty: none.")] = ""


@optional_from(NewPart)
class PartChange(NewPart, ById, Change):
    update_time: SeenUpdateTime = None


class NewCategory(Wire):
    cate_name: Annotated[Title, doc("Name of the category, 1 to 100 characters.")]


class CategoryRef(Wire):
    cate_id: Annotated[Id, doc("Number of the category.")]


class CategoryChange(NewCategory, CategoryRef):
    update_time: SeenUpdateTime = None


def to_columns(fields: dict[str, Any]) -> dict[str, Any]:
    return {COLUMNS[name]: value for name, value in fields.items()}


def part_row(part: Part) -> PartRow:
    return PartRow(
        id=part.row.id,
        name=part.row.name,
        type=part.category.name,
        cate_id=part.category.id,
        cate_name=part.category.name,
        hard_support_text=part.row.name,
        version=part.row.version,
        robots=part.robots,
        update_time=part.row.updated_at,
    )


async def list_category_rows(ctx: Ctx) -> list[CategoryRow]:
    return [
        CategoryRow(cate_id=category.id, cate_name=category.name, update_time=category.updated_at)
        for category in await catalogue.list_categories(ctx)
    ]


@call("/deviceHardSupport/list", needs=READS)
async def list_parts(ctx: Ctx, payload: PartFilter) -> HardPartList:
    """List the parts, by category and name."""
    return HardPartList(list=[part_row(part) for part in await catalogue.list_parts(ctx, payload.type or "")])


@call("/deviceHardSupport/listCateGroup", needs=READS)
async def list_cate_group(ctx: Ctx, _: Nothing) -> CategoryTree:
    """List the categories, each with its parts."""
    parts_by_category = {
        key: [*parts] for key, parts in groupby(await catalogue.list_parts(ctx), lambda part: part.category.id)
    }
    return CategoryTree(
        list=[
            CategoryParts(
                **category.model_dump(),
                children=[part_row(part) for part in parts_by_category.get(category.cate_id, [])],
            )
            for category in await list_category_rows(ctx)
        ]
    )


@call("/deviceHardSupport/listCate", needs=READS)
async def list_cate(ctx: Ctx, _: Nothing) -> CategoryList:
    """List the categories, by name."""
    return CategoryList(list=await list_category_rows(ctx))


@call("/deviceHardSupport/insert", needs=PAGE, changes=CHANGES, audit="hard_part.insert")
async def insert(ctx: Ctx, payload: NewPart) -> ById:
    """Create a part that robots may have."""
    return ById(id=(await catalogue.add_part(ctx, to_columns(payload.model_dump()))).id)


@call("/deviceHardSupport/update", needs=PAGE, changes=CHANGES, audit="hard_part.update")
async def update(ctx: Ctx, payload: PartChange) -> Nothing:
    """Change a part for all robots that have it; the version that was fitted stays with them."""
    await catalogue.change_part(ctx, payload.id, to_columns(payload.sent()), payload.update_time)
    return Nothing()


@call("/deviceHardSupport/delete", needs=PAGE, changes=CHANGES, audit="hard_part.delete")
async def delete(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a part. Refused while a robot or a batch has it."""
    await catalogue.remove_part(ctx, payload.id)
    return Nothing()


@call("/deviceHardSupport/insertCate", needs=PAGE, changes=CHANGES, audit="hard_category.insert")
async def insert_cate(ctx: Ctx, payload: NewCategory) -> CategoryRef:
    """Create a category without parts."""
    return CategoryRef(cate_id=(await catalogue.add_category(ctx, payload.cate_name)).id)


@call("/deviceHardSupport/updateCate", needs=PAGE, changes=CHANGES, audit="hard_category.update")
async def update_cate(ctx: Ctx, payload: CategoryChange) -> Nothing:
    """Change a category's name."""
    await catalogue.change_category(ctx, payload.cate_id, payload.cate_name, payload.update_time)
    return Nothing()


@call("/deviceHardSupport/deleteCate", needs=PAGE, changes=CHANGES, audit="hard_category.delete")
async def delete_cate(ctx: Ctx, payload: CategoryRef) -> Nothing:
    """Delete a category. Refused while it has parts."""
    await catalogue.remove_category(ctx, payload.cate_id)
    return Nothing()
