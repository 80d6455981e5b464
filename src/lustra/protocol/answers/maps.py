"""Answers about maps, what is drawn on them, and their way to other robots."""

from typing import Annotated, Literal

from pydantic import Field

from lustra.protocol.answers.base import Changed, Done, MapTitle, Origin, Picture, Placed, Polyline, RevisionOf, Row
from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import X, Y
from lustra.protocol.payloads.maps import FlagType

Width = Annotated[int, doc("Width of the picture, pixels.")]
Height = Annotated[int, doc("Height of the picture, pixels.")]
Resolution = Annotated[float, doc("Side of a pixel, m.")]


class MapRow(Row):
    name: MapTitle
    building: Annotated[str, doc("Building; empty: not known.")]
    floor: Annotated[str, doc("Floor; empty: not known.")]
    revision: RevisionOf
    width: Width
    height: Height
    resolution: Resolution


class Maps(Done):
    list: Annotated[list[MapRow], doc("All maps of the robot.")]


class MapInfo(Done, MapRow):
    origin: Origin


class LoadedMap(Done):
    map_name: Annotated[str, doc("Name of the map that is loaded now; empty: none.")]


class DrawnMap(Done):
    map_name: Annotated[str, doc("Name of the map that is being drawn.")]


class FlagRow(Placed):
    name: Annotated[str, doc("Name of the point.")]
    type: FlagType


class Flags(Done):
    list: Annotated[list[FlagRow], doc("All points of the map.")]


class MapHours(Row):
    start: Annotated[str, doc("From then on, HH:MM of the robot's wall clock.")]
    end: Annotated[str, doc("Until then, HH:MM; one before the start is the next day's.")]


class ShapeRow(Row):
    name: Annotated[str, doc("What people call it; empty: nothing.")]
    points: Polyline


class ZoneRow(ShapeRow):
    hours: Annotated[
        MapHours | None,
        doc("When a forbidden zone is forbidden, or a free area is closed; left out: always, or never."),
    ] = None
    private: Annotated[bool, doc("No camera sends pictures in it; left out: they do.")] = False


class Shapes(Done):
    virlines_wall: Annotated[list[ShapeRow], doc("Virtual walls.")]
    free_area: Annotated[list[ZoneRow], doc("Where the robot may drive.")]
    forbidden_zone: Annotated[list[ZoneRow], doc("Where the robot may not drive.")]
    revision: RevisionOf
    hours: Annotated[MapHours | None, doc("When no task runs on the map; left out: never.")] = None


class UploadedMap(Changed):
    name: MapTitle


class LostMark(Row):
    kind: Annotated[str, doc("What it was: flags, virtual_walls, forbidden_zones, free_areas or erasers.")]
    name: Annotated[str, doc("What people call it; empty: nothing.")]
    reason: Annotated[str, doc("Key of the catalogue: why it cannot stay.")]


class SavedDrawing(Changed):
    map_name: MapTitle
    area: Annotated[float, doc("What the robot saw of the floor, m².")]
    carried: Annotated[int, doc("How many marks of the old map stay; left out: it was not built anew.")] = 0
    left: Annotated[list[LostMark], doc("Marks of the old map that cannot stay; left out: it was not built anew.")] = (
        Field(default=[])
    )


class Cleared(Done):
    cleared: Annotated[int, doc("Specks that were taken away.")]
    revision: Annotated[int, doc("Revision of the map now; left out: it is being drawn.")] = 0


class MapImage(Done):
    map_name: MapTitle
    building: Annotated[bool, doc("It is being drawn now.")]
    seq: Annotated[int, doc("Which picture it is.")]
    width: Width
    height: Height
    resolution: Resolution
    origin: Origin
    area: Annotated[float, doc("Drawn so far, m²; 0: it is not being drawn.")]
    url: Annotated[Picture, doc("Data URL of the picture, a grey PNG; left out: `seq` is the caller's.")] = ""


class TrackImage(Done):
    taskReportId: Annotated[str, doc("Id of the run.")]  # noqa: N815 - the robot's spelling
    map_name: MapTitle
    points: Annotated[Polyline, doc("What was driven: x and y of each point, m.")]
    url: Annotated[Picture, doc("Data URL of the map with the track, a grey PNG; left out: the map is gone.")] = ""


class Door(Row):
    name: Annotated[str, doc("Name of the door.")]
    x: X
    y: Y
    state: Annotated[Literal["open", "closed"], doc("How it stands now.")]


class Doors(Done):
    list: Annotated[list[Door], doc("Doors of the floor that open by a card.")]


class MapNaming(Changed):
    fields: Annotated[list[str], Field(alias="kept"), doc("Fields of `data` that the robot keeps.")]


class MapSending(Done):
    state: Annotated[
        Literal["told", "not_ordered", "loading", "whole", "received", "failed", "dropped"],
        doc("The source: told. A target: how far its download of the map is; not_ordered: there is none."),
    ]
    revision: Annotated[int, doc("Revision of the map that this robot has; 0: none.")]
    reason: Annotated[str, doc("Key of the catalogue: why the download waits or failed; left out by the source.")] = ""
    have: Annotated[int, doc("Bytes that have come; left out by the source.")] = 0
