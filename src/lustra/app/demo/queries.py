"""SQL of the demo: its robots' past, and what its accounts see."""

from lustra.core.scope import Statement, system

DEMO_ROWS = system("what the demo's own accounts see, numbers alone")
FIRST_ROBOT = Statement("select min(created_at) from device where serial_number = any($1)")
COUNT_MISSING = Statement("""
select count(*) from unnest($1::text[], $2::int[]) as r(sn, maps) join device d on d.serial_number = r.sn
  where (select count(*) from floor_map m where m.device_id = d.id) < r.maps""")
PLAN_DAYS = Statement("""insert into history_day (robot, day) select d.id, day from device d, unnest($2::date[]) day
  where d.serial_number = $1 and not exists (select from history_day h where h.robot = d.id)""")
OPEN_DAY = Statement("""select true from history_day h join device d on d.id = h.robot
  where d.serial_number = $1 and h.day = $2 and not made""")
CLAIM_DAY = Statement("""update history_day h set made = true from device d
  where d.id = h.robot and d.serial_number = $1 and h.day = $2 and not made returning h.robot""")
STORE_AREA = Statement("""
insert into area_hour (robot, hour, owner_id, owner_path, area)
select d.id, h.hour, d.owner_id, d.owner_path, h.area from unnest($2::timestamptz[], $3::float8[]) as h(hour, area)
join device d on d.serial_number = $1
on conflict (robot, hour, owner_id) do update set area = area_hour.area + excluded.area""")
# Each demo account with the robots in its scope; staff see what their admin sees, a shadow what its account sees.
SEEN = Statement(
    """SELECT a.account, a.roles[1] AS role, (
      SELECT count(*) FROM device d WHERE d.deleted_at IS NULL AND d.owner_path <@
        CASE WHEN acting.roles && CAST(:staff AS bigint[]) THEN subpath(acting.path, 0, -1) ELSE acting.path END
    ) AS robots
    FROM account a JOIN account acting ON acting.id = coalesce(a.shadow_of, a.id)
    WHERE a.account = ANY(:names) AND a.deleted_at IS NULL ORDER BY array_position(:names, a.account)"""
)
