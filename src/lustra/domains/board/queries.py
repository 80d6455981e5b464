"""SQL of the status page."""

from lustra.core.scope import Statement
from lustra.domains.report.api import DAY, PLANNED, TODAY
from lustra.domains.telemetry.api import MODE, MODE_NAME

DAYS = 7
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
select d.address as site, d.zone, r.building, r.floor, {TODAY} - {DAY} as ago,
  sum(r.cleaned::float8) as cleaned, sum({PLANNED}::float8) as planned
from task_report r join device d on d.id = r.device_id
where {{where}} and r.started > now() - interval '9 days' and {DAY} > {TODAY} - {DAYS}
group by 1, 2, 3, 4, 5""",
    where="true",
)
HISTORY = Statement("select count(*) filter (where made) as made, count(*) as planned from history_day")
# From an alarm until somebody was on it, or it was over.
HELP_TIME = Statement(
    """
select (percentile_cont(0.5) within group (order by extract(epoch from
  least(r.taken_at, r.cleared_at, r.resolved_at) - r.raised_at)))::float8
from alarm r join device d on d.id = r.device_id where {where}""",
    where="true",
)
HELP = 1  # places in the order of need
EMERGENCY = 2
PAUSED = 3
MOST_NEEDS = 12
PLACED_SITES = Statement(
    f"""
select d.address as site, avg(d.latitude)::float8 as latitude, avg(d.longitude)::float8 as longitude,
  count(*)::int as devices, count(*) filter (where n.need <= {EMERGENCY})::int as needy,
  coalesce(sum(c.cleaned), 0)::float8 as cleaned
from device d left join robot_need n on n.robot = d.id left join lateral (
  select sum(r.cleaned::float8) as cleaned from task_report r
  where r.device_id = d.id and r.owner_id = d.owner_id and r.started > now() - interval '2 days'
    and {DAY} = {TODAY}
) c on true
where {{where}} and d.latitude is not null and d.longitude is not null
group by d.address order by devices desc, d.address""",
    where="true",
)
NEEDS = Statement(
    f"""
select d.id as "deviceId", d.name as "deviceCode", d.address as site, {MODE} as mode, {MODE_NAME} as "modeName",
  coalesce(s.help, '') as help, nullif(s.mode_since, 0) as "modeSince"
from robot_need n join device d on d.id = n.robot
  left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id
where {{where}} and n.need <= {PAUSED} order by n.need, s.mode_since, d.name limit {MOST_NEEDS}""",
    where="true",
)
