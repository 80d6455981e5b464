"""What maps take that nobody has counted yet: those of before it was counted, and those that came with a robot to a new
owner.

Rule: it is entered without asking for room, since it is there already; who holds more than they may by it can bring no
more. A picture that is missing takes nothing.
"""

from lustra.core.context import Services
from lustra.core.errors import Refusal

AT_ONCE = 500
# As the mirror and the editor name them. The first drawing of a library's map counts with its picture.
MARKS = """
insert into holding (account_id, place, kind, size)
select m.owner_id, case when d.id is null then format('map_version/%s/%s', m.id, v.revision)
    else format('map_version/%s/%s/%s', d.serial_number, m.name, v.revision) end,
  'maps', octet_length(v.marks::text)
from map_version v join floor_map m on m.id = v.map_id left join device d on d.id = m.device_id
where d.id is not null or v.revision > 1
on conflict do nothing"""
PICTURES = """
select distinct m.owner_id owner, v.grid place from map_version v join floor_map m on m.id = v.map_id
where v.grid <> '' and not exists (select from holding h where h.account_id = m.owner_id and h.place = v.grid)
limit $1"""
ENTER = """
insert into holding (account_id, place, kind, size)
select owner, place, 'maps', size from unnest($1::bigint[], $2::text[], $3::bigint[]) as new (owner, place, size)
on conflict do nothing"""


async def count_uncounted(app: Services) -> None:
    """Each night. Unscoped: of all accounts."""
    await app.pool.execute(MARKS)
    while rows := await app.pool.fetch(PICTURES, AT_ONCE):
        sizes = [await _size(app, row["place"]) for row in rows]
        owners, places = [row["owner"] for row in rows], [row["place"] for row in rows]
        await app.pool.execute(ENTER, owners, places, sizes)


async def _size(app: Services, place: str) -> int:
    try:
        return (await app.objects.about(place)).size
    except Refusal:
        return 0
