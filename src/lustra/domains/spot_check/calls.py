"""/spotCheck: zones of floors that a person graded, beside what the machine cleaned of them."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError
from starlette.datastructures import UploadFile

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.files.pictures import LARGEST
from lustra.core.query import pages
from lustra.core.wire import BuildingName, ById, Day, FloorName, Id, Page, PageOf, ScopeAccountId, SpanFilter, doc
from lustra.domains.report.api import ZoneRun
from lustra.domains.spot_check import photos, service, zones
from lustra.domains.spot_check.service import ITEMS, CheckQuery, NewCheck
from lustra.domains.spot_check.tables import SpotCheck

VIEW = "device/spotCheck"
GRADE = "device/spotCheck/grade"
DELETE = "device/spotCheck/delete"
LARGEST_FORM = 16 << 20  # so that a picture that is too large is refused with words
PRIVATE = "private, max-age=86400"
HUNDREDTHS = 100

Item = Literal["floor", "edges", "dust", "litter"]
Grade = Annotated[int, Field(ge=1, le=5)]
Room = Annotated[str, StringConstraints(max_length=100)]


def _check_items(items: dict[Item, int]) -> dict[Item, int]:
    if not items:
        raise PydanticCustomError("required", "Required")
    return items


Items = Annotated[
    Annotated[dict[Item, Grade], AfterValidator(_check_items)],
    doc("Grade of each item that was looked at, 1 (unacceptable) to 5 (excellent): floor, edges, dust, litter."),
]


class ZonesOf(Wire):
    map_id: Annotated[Id, doc("Number of the map.")]


class ZoneRef(ZonesOf):
    room: Annotated[Room, doc("The room on the map, as /spotCheck/zones names it; empty: the whole floor.")] = ""


class SpotZone(Wire):
    room: Annotated[str, doc("What names the room: its id, else its name; empty: the whole floor.")]
    name: Annotated[str, doc("Name of the room; empty: the whole floor, or a room without one.")]


class SpotZones(Wire):
    building: BuildingName
    floor: FloorName
    map_name: Annotated[str, doc("Name of the map.")]
    list: Annotated[list[SpotZone], doc("The whole floor, then the rooms that are drawn on the map.")]


class MachineRun(Wire):
    task_report_id: Annotated[int | None, doc("Number of the report; null: it is gone.")]
    end_time: Annotated[datetime, doc("When the run ended.")]
    coverage: Annotated[int, doc("How much of the zone it swept, in thousandths.")]


class SpotZoneView(SpotZone):
    building: BuildingName
    floor: FloorName
    map_name: Annotated[str, doc("Name of the map.")]
    run: Annotated[
        MachineRun | None, doc("The last run that swept a tenth of the zone or more; null: none in 90 days.")
    ]


class NewSpotCheck(ZoneRef):
    items: Items
    note: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)],
        doc("What was seen, at most 1000 characters."),
    ] = ""
    photo: Annotated[
        Annotated[str, StringConstraints(max_length=32)],
        doc("Name of a photo, as /spotCheck/uploadPhoto answered it; empty: none."),
    ] = ""
    ref: Annotated[
        Annotated[str, StringConstraints(pattern="^[0-9A-Za-z-]{8,64}$")],
        doc("Chosen by who sends: a form that is sent again under the same ref counts once."),
    ]


class SpotCheckFilter(SpanFilter, PageOf):
    user_id: ScopeAccountId = None
    map_id: Annotated[Id | None, doc("Only checks of this map; null: all.")] = None
    room: Annotated[Room | None, doc("Only checks of this room; empty: of whole floors; null: all.")] = None
    task_report_id: Annotated[Id | None, doc("Only checks after this run; null: all.")] = None
    start_date: Annotated[Day | None, doc("First day at the site, included.")] = None
    end_date: Annotated[Day | None, doc("Last day at the site, included.")] = None
    most: Annotated[float | None, Field(ge=1, le=5), doc("Only checks with at most this score, 1 to 5; null: all.")] = (
        None
    )
    text: Annotated[str, doc("Part of building, floor, map, room or note; empty: all.")] = Field("", max_length=100)


class SpotCheckRow(SpotZone):
    id: Annotated[int, doc("The check.")]
    map_id: Annotated[int | None, doc("Number of the map; null: it is gone.")]
    building: BuildingName
    floor: FloorName
    map_name: Annotated[str, doc("Name of the map then.")]
    items: Annotated[dict[Item, int], doc("Grade by item, 1 to 5; what was not looked at is missing.")]
    score: Annotated[float, doc("Mean of the grades, 1 to 5, in hundredths.")]
    note: Annotated[str, doc("What was seen.")]
    has_photo: Annotated[bool, doc("Whether /spotCheck/photo has a picture of it.")]
    inspector: Annotated[str, doc("Who graded; empty: the account is gone.")]
    time: Annotated[datetime, doc("When it was graded.")]
    day: Annotated[date, doc("That day at the site.")]
    run: Annotated[MachineRun | None, doc("What the last run before it swept of the zone; null: none did.")]
    ours: Annotated[bool, doc("Whether the asker may delete it.")]


class PhotoName(Wire):
    photo: Annotated[str, doc("Name of the photo, for /spotCheck/insertSpotCheck.")]


def _run(report_id: int | None, run: ZoneRun | SpotCheck) -> MachineRun | None:
    ended = run.ended if isinstance(run, ZoneRun) else run.ran_at
    if ended is None or run.coverage is None:
        return None
    return MachineRun(task_report_id=report_id, end_time=ended, coverage=run.coverage)


async def _rows(ctx: Ctx, checks: Sequence[SpotCheck]) -> list[SpotCheckRow]:
    people = await service.name_people(ctx, checks)
    return [
        SpotCheckRow.model_construct(
            id=check.id,
            map_id=check.map_id,
            building=check.building,
            floor=check.floor,
            map_name=check.map_name,
            room=check.room,
            name=check.room_name,
            items={item: check.items[item] for item in ITEMS if item in check.items},
            score=check.score / HUNDREDTHS,
            note=check.note,
            has_photo=bool(check.photo),
            inspector=people.get(check.inspector_id or 0, ""),
            time=check.checked_at,
            day=check.day,
            run=_run(check.report_id, check),
            ours=f"{check.owner_path}.".startswith(f"{ctx.actor.path}."),
        )
        for check in checks
    ]


@call("/spotCheck/list", needs=VIEW)
async def list_spot_checks(ctx: Ctx, payload: SpotCheckFilter) -> Page[SpotCheckRow]:
    """List the spot checks in scope, the newest first."""
    filters = CheckQuery(
        user_id=payload.user_id,
        map_id=payload.map_id,
        room=payload.room,
        report_id=payload.task_report_id,
        since=payload.start_date,
        until=payload.end_date,
        most=None if payload.most is None else round(payload.most * HUNDREDTHS),
        text=payload.text,
    )
    checks, total = await service.load_page(ctx, filters, payload)
    return Page(list=await _rows(ctx, checks), page_num=pages(total, payload), total=total)


@call("/spotCheck/zones", needs=VIEW, reads=("map", "support"))
async def list_zones(ctx: Ctx, payload: ZonesOf) -> SpotZones:
    """List the zones of a map that can be checked."""
    listed = await zones.list_zones(ctx, payload.map_id)
    version, site = listed[0].version, listed[0].site
    return SpotZones(
        building=site.building,
        floor=site.floor,
        map_name=version["name"],
        list=[SpotZone(room=zone.room.id, name=zone.room.name) for zone in listed],
    )


@call("/spotCheck/zone", needs=GRADE, reads=("map", "taskReport", "support"))
async def select_zone(ctx: Ctx, payload: ZoneRef) -> SpotZoneView:
    """Show a zone, and what a machine last swept of it."""
    zone = await zones.load_zone(ctx, payload.map_id, payload.room)
    run = await zone.find_run(ctx)
    return SpotZoneView(
        room=zone.room.id,
        name=zone.room.name,
        building=zone.site.building,
        floor=zone.site.floor,
        map_name=zone.version["name"],
        run=run and _run(run.report_id, run),
    )


@call("/spotCheck/uploadPhoto", needs=GRADE, upload=Upload(LARGEST_FORM))
async def upload_photo(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> PhotoName:
    """Upload a photo (PNG, JPEG, GIF, WebP, at most 2 MB); it is drawn anew, without what the camera wrote into it."""
    if not files or not (data := await files[0].read(LARGEST + 1)):
        raise Refusal(Code.BAD_INPUT, "file", reason="picture_chosen")
    return PhotoName(photo=await photos.store(ctx, data))


@call("/spotCheck/insertSpotCheck", needs=GRADE, changes=("spotCheck",), audit="spot_check.insert")
async def add_spot_check(ctx: Ctx, payload: NewSpotCheck) -> ById:
    """Add what a person saw in a zone: a grade for each item, with a note and a photo."""
    check = await service.add_check(ctx, NewCheck(**payload.model_dump()))
    ctx.note(id=check)
    return ById(id=check)


@call("/spotCheck/photo", needs=VIEW, raw="image/jpeg")
async def select_photo(ctx: Ctx, payload: ById) -> Raw:
    """Show the photo of a check."""
    check = await service.load_check(ctx, payload.id)
    return Raw(await photos.read(ctx, check), "image/jpeg", headers={"cache-control": PRIVATE})


@call("/spotCheck/deleteSpotCheck", needs=DELETE, changes=("spotCheck",), audit="spot_check.delete")
async def delete_spot_check(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a check, and its photo."""
    await service.delete_check(ctx, payload.id)
    return Nothing()


jobs.job("spot_check.purge", cron="47 3 * * *")(photos.purge)
