"""A year of a fleet as rows: its customers, robots, sums by day and month, and reports that stand whole.

The sums are written as a year of reports would have left them, three runs a robot and day.
"""

from datetime import date, timedelta
from typing import Any

PEOPLE = """
insert into account (account, name, level, roles, password, parent_id, path)
select 'year' || n, 'Customer ' || n, 3, '{11}', '', a.id, a.path || (1000000 + n)::text
from account a, generate_series(1, $1::int) n where a.account = 'dealer'"""
FLEET = """
with owners as (select id, path, row_number() over (order by id) - 1 as place, count(*) over () as many
    from account where account like 'year%')
insert into device (serial_number, name, type_id, owner_id, owner_path, area, customer_name)
select 'Y' || lpad(n::text, 6, '0'), 'Year ' || n, (select min(id) from device_type), o.id, o.path,
  (array['NL', 'DE', 'FR', 'GB'])[n % 4 + 1], 'Site ' || n % 500
from generate_series(1, $1::int) n join owners o on o.place = n % o.many"""
# As the triggers would have summed them.
SUMS = """
insert into report_sum (device_id, grain, day, owner_id, owner_path, building, floor, map_name, runs, cleared, seconds,
  work_area, planned, cleaned, liquid_ml, distance, faults)
select d.id, 'day', day::date, d.owner_id, d.owner_path, '', '', 'Ground', 3, 0, 5400 + d.id % 7, 330.5, 300.25,
  290.125 + d.id % 10, 2700, 600.5, d.id % 3
from device d, generate_series($1::date, $2::date, interval '1 day') day where d.serial_number like 'Y______'"""
MONTHS = """
insert into report_sum (device_id, grain, day, owner_id, owner_path, building, floor, map_name, runs, cleared, seconds,
  work_area, planned, cleaned, liquid_ml, distance, faults)
select s.device_id, 'month', date_trunc('month', s.day)::date, s.owner_id, s.owner_path, '', '', 'Ground', sum(s.runs),
  sum(s.cleared), sum(s.seconds), sum(s.work_area), sum(s.planned), sum(s.cleaned), sum(s.liquid_ml), sum(s.distance),
  sum(s.faults)
from report_sum s join device d on d.id = s.device_id
where d.serial_number like 'Y______' and s.grain = 'day' group by 1, 3, 4, 5"""
WHOLE = """
insert into task_report (device_id, owner_id, owner_path, run, gid, provisional, map_revision, building, floor,
  map_name, task_name, started, ended, "end", planned, cleaned, clean_mode, route, speed, faults, factor, driven)
select d.id, d.owner_id, d.owner_path, 'year' || n, '', false, 0, 'Hall', '1', 'Ground', 'Task ' || n % 50,
  $3::timestamptz - n * $4::interval, $3::timestamptz - n * $4::interval + interval '30 minutes', 'finished', 100, 97,
  'clean', 'bow', 'middle', '{}', 0, '{}'
from generate_series(1, $1::int) n
  join (select *, row_number() over (order by id) - 1 as place from device where serial_number like 'Y______') d
    on d.place = n % $2::int"""


async def make_year(db: Any, end: date, *, customers: int, robots: int, days: int) -> None:
    """`days` before `end` of so many robots, which are the customers' in turn; what stands already is left alone."""
    if await db.fetchval("select exists (select from account where account = 'year1')"):
        return
    await db.execute(PEOPLE, customers)
    await db.execute("update account set path = subpath(path, 0, -1) || id::text where account like 'year%'")
    await db.execute(FLEET, robots)
    begin = end - timedelta(days=days)
    while begin <= end:  # a month at a time: so much is held at once
        last = min(end, begin + timedelta(days=29))
        await db.execute(SUMS, begin, last)
        begin = last + timedelta(days=1)
    await db.execute(MONTHS)
    for table in ("report_sum", "owner_sum", "robot_sum", "device", "account", "task_report"):
        await db.execute(f"vacuum analyze {table}")
