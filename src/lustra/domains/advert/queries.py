"""SQL of what robots shall show and have shown, by jobs and by ingest's plain links."""

from lustra.core.scope import Statement
from lustra.protocol.tablet import MOST_ADVERTS

OF_A_ROBOT = "d.id = :id"
BELOW = "d.owner_path <@ array(select path from account where id = any(:ids))"
OF_ALL = "true"
# What a robot shows is made by its owner or somebody above; what was over two days ago is over everywhere.
SHOWS = """o.path @> d.owner_path and (a.end_date is null or a.end_date > current_date - 2)
  and (d.id = any(a.device_ids) or d.type_id = any(a.type_ids)
    or cardinality(a.device_ids) = 0 and cardinality(a.type_ids) = 0)"""
# A plan's revision is worked out of all that stands in it, so the same plan is the same revision; none: 0.
PLAN = Statement(
    f"""
insert into advert_delivery (device_id, revision, adverts)
select d.id, planned.revision, planned.adverts from device d
cross join lateral (
  select coalesce(('x' || left(md5(string_agg(said, ';' order by rank, id)), 13))::bit(52)::bigint, 0) as revision,
    coalesce(array_agg(id order by id), '{{{{}}}}') as adverts
  from (
    select a.rank, a.id, concat_ws('|', a.id, a.name, a.place, a.seconds, coalesce(a.start_date::text, '-'),
      coalesce(a.end_date::text, '-'), a.start_time, a.end_time) as said
    from advert a join account o on o.id = a.account_id where {SHOWS}
    order by a.rank, a.id limit {MOST_ADVERTS}) of_robot
) planned
where d.deleted_at is null and {{of}}
  and (planned.revision > 0 or exists (select from advert_delivery t where t.device_id = d.id))
on conflict (device_id) do update
  set revision = excluded.revision, state = 'waiting', reason = '', tried_at = null, updated_at = now(),
    adverts = array(select distinct unnest(advert_delivery.adverts || excluded.adverts))
  where advert_delivery.revision <> excluded.revision""",
    of=OF_ALL,
)
PLANNED = Statement(f"""
select planned.* from unnest($1::bigint[]) robot join device d on d.id = robot
cross join lateral (
  select d.id as device_id, a.id, a.name, a.place, a.kind, a.size, a.sha256, a.seconds, a.start_date, a.end_date,
    a.start_time, a.end_time
  from advert a join account o on o.id = a.account_id where {SHOWS}
  order by a.rank, a.id limit {MOST_ADVERTS}) planned""")
STORE_SHA256 = Statement("update advert set sha256 = $2 where id = $1 and place = $3")
# A robot says all of a day again and again, so what comes twice or late counts once; of adverts that it was given.
STORE_SHOWINGS = Statement("""
insert into advert_showing (advert_id, device_id, account_id, day, times)
select a.id, d.id, a.account_id, $2::date, told.times
from unnest($3::bigint[], $4::int[]) as told (id, times)
join device d on d.serial_number = $1 and d.deleted_at is null
join advert_delivery t on t.device_id = d.id and told.id = any(t.adverts)
join advert a on a.id = told.id
on conflict (advert_id, device_id, day) do update set times = excluded.times, updated_at = now()
  where advert_showing.times < excluded.times""")
