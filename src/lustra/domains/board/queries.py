"""SQL of the status page."""

from lustra.core.scope import Statement

DAYS = 7
TODAY = "(now() at time zone d.zone)::date"
DEVICES = Statement(
    """
select d.id, d.name, d.address as site, d.zone, d.area, m.id as map_id, m.building, m.floor
from device d left join robot_state s on s.robot = d.id
  left join floor_map m on m.device_id = d.id and m.owner_id = d.owner_id and m.name = s.map and m.deleted_at is null
where {where} order by d.address, d.id""",
    where="true",
)
SWEPT = Statement(
    f"""
select d.address as site, d.zone, extract(hour from h.hour at time zone d.zone)::int as hour, sum(h.area) as area
from (select *, robot as device_id from area_hour) h join device d on d.id = h.device_id
where {{where}} and h.hour > now() - interval '2 days' and (h.hour at time zone d.zone)::date = {TODAY}
group by 1, 2, 3""",
    where="true",
)
RUNS = Statement(
    f"""
select d.address as site, d.zone, r.building, r.floor, {TODAY} - (r.started at time zone d.zone)::date as ago,
  sum(r.cleaned::float8) as cleaned, sum(coalesce(r.reachable, r.planned)::float8) as planned
from task_report r join device d on d.id = r.device_id
where {{where}} and r.started > now() - interval '9 days' and (r.started at time zone d.zone)::date > {TODAY} - {DAYS}
group by 1, 2, 3, 4, 5""",
    where="true",
)
HISTORY = Statement("select count(*) filter (where made) as made, count(*) as planned from history_day")
