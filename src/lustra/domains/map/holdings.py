"""What maps take that nobody has counted yet: those of before it was counted, and those that came with a robot to a new
owner.

Rule: it is entered without asking for room, since it is there already; who holds more than they may by it can bring no
more. A picture that is missing takes nothing.
"""

from lustra.core.context import Services
from lustra.core.errors import Refusal
from lustra.core.scope import system
from lustra.domains.map import queries

AT_ONCE = 500
EVERY = system("of all accounts")


async def count_uncounted(app: Services) -> None:
    """The nightly job that counts maps towards their owner's quota which are not yet."""
    await app.pool.execute(EVERY.sql(queries.HOLD_MARKS))
    while rows := await app.pool.fetch(EVERY.sql(queries.UNHELD_PICTURES), AT_ONCE):
        sizes = [await _size(app, row["place"]) for row in rows]
        owners, places = [row["owner"] for row in rows], [row["place"] for row in rows]
        await app.pool.execute(EVERY.sql(queries.HOLD_PICTURES), owners, places, sizes)


async def _size(app: Services, place: str) -> int:
    try:
        return (await app.objects.about(place)).size
    except Refusal:
        return 0
