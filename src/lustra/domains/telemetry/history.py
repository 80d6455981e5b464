"""The stored way of a robot: points of the last hours as they came, those of before out of their packed chunks."""

from collections.abc import Sequence

from lustra.core.db import Connection
from lustra.core.scope import Scope
from lustra.domains.telemetry import chunk_codec, queries
from lustra.domains.telemetry.chunk_codec import Point


async def load_points(db: Connection, scope: Scope, robot: int, since: int, until: int) -> list[Point]:
    """From `since` to `until` in ms of the robot's clock, each time once, in order; none where it was somebody's out of
    scope then."""
    span = scope.path, robot, since, until
    fresh = await db.fetch(scope.sql(queries.FRESH_POINTS), *span)
    chunks = await db.fetch(scope.sql(queries.CHUNKS), *span)
    points = {point[0]: point for chunk in chunks for point in chunk_codec.decode(chunk["data"])}
    points |= {row["at"]: tuple(row) for row in fresh}
    return [points[at] for at in sorted(points) if since <= at <= until]


async def find_spans(db: Connection, scope: Scope, spans: Sequence[tuple[int, int, int]]) -> list[int]:
    """Which of these (robot, from, until) may have points: their places, in order. One question for a whole fleet."""
    if not spans:
        return []
    columns = [list(column) for column in zip(*spans, strict=True)]
    rows = await db.fetch(scope.sql(queries.SPANS_WITH_POINTS), scope.path, *columns)
    return [row["place"] - 1 for row in rows]
