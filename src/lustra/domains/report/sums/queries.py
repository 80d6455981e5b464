"""SQL on the sums of reports, and on the time that robots were connected."""

from lustra.core.scope import Statement
from lustra.domains.report.sums.figures import DAY, PLANNED

SAMPLE_DAY = "'2026-01-01'::date"
FIGURES = ("runs", "cleared", "seconds", "work_area", "planned", "cleaned", "liquid_ml", "distance", "faults")
SUMMED = ", ".join(f"coalesce(sum(s.{name}), 0) as {name}" for name in FIGURES)
# Whole months from the sums by month, what is beside them from those by day; runs whose report has not come as they
# are. A customer is named as in the list of runs.
NAMES = """s.owner_id, s.owner_path, s.day, s.runs, s.cleared, s.seconds, s.work_area, s.planned, s.cleaned,
    s.liquid_ml, s.distance, s.faults"""
WITHIN = """(s.grain = 'month' and s.day >= {month} and s.day < {after_month}
    or s.grain = 'day' and s.day between {start} and {end} and not (s.day >= {month} and s.day < {after_month}))"""
PROVISIONAL = f"""
  select r.device_id, r.owner_id, r.owner_path, {DAY}, 1, 0,
    extract(epoch from r.ended - r.started), r.planned::text::numeric,
    {PLANNED}::text::numeric, r.cleaned::text::numeric, coalesce(r.liquid_ml, 0)::text::numeric,
    coalesce(r.distance, 0)::text::numeric, cardinality(r.faults)
  from task_report r join device d on d.id = r.device_id
  where r.provisional and {DAY} between {{start}} and {{end}}"""
ROWS = f"""(
  select s.device_id, {NAMES} from report_sum s where {WITHIN}
  union all {PROVISIONAL}
) s join device d on d.id = s.device_id join account a on a.id = s.owner_id"""
# By robot and owner of then, from the blocks that make up the days (see ranges.cover): `n` of a block is 1, or -1 where
# it is taken away. Robots that are bound to an account and are another's come beside those of owners in scope.
BLOCKS = "unnest({grains}::text[], {days}::date[], {signs}::int[]) c(grain, day, n)"
ROBOT_SUMS = f"""(
  select t.device_id, t.owner_id, {", ".join(f"sum(t.n * t.{name}) as {name}" for name in FIGURES)} from (
    select s.device_id, s.owner_id, c.n, {SUMMED}
    from account o cross join {BLOCKS}
      join robot_sum s on s.owner_id = o.id and s.grain = c.grain and s.day = c.day
    where o.path <@ {{path}}::text::ltree group by 1, 2, 3
    union all
    select s.device_id, s.owner_id, c.n, {SUMMED}
    from device bd cross join {BLOCKS}
      join robot_sum s on s.device_id = bd.id and s.owner_id = bd.owner_id and s.grain = c.grain and s.day = c.day
    where not bd.owner_path <@ {{path}}::text::ltree
      and bd.id in (select b.device_id from device_account b where b.account_path <@ {{path}}::text::ltree)
    group by 1, 2, 3
    union all
    select p.device_id, p.owner_id, 1, {", ".join(f"p.{name}" for name in FIGURES)}
    from ({PROVISIONAL}) p(device_id, owner_id, owner_path, day, {", ".join(FIGURES)})
  ) t group by 1, 2
) k join account a on a.id = k.owner_id join device d on d.id = k.device_id
  cross join lateral (select k.*, a.path as owner_path) s"""
# Of all robots of owners: a row an owner, beside those of robots that are bound to an account and are another's.
ROWS_OF_OWNERS = f"""(
  select null::bigint as device_id, {NAMES} from owner_sum s where {WITHIN}
  union all
  select s.device_id, {NAMES} from report_sum s
  where {WITHIN} and not s.owner_path <@ {{path}}::text::ltree
    and s.device_id in (select b.device_id from device_account b where b.account_path <@ {{path}}::text::ltree)
  union all {PROVISIONAL}
) s"""
HOLES = {"month": SAMPLE_DAY, "after_month": SAMPLE_DAY, "start": SAMPLE_DAY, "end": SAMPLE_DAY}
_SERIES = f"select greatest(date_trunc({{unit}}, s.day)::date, {{start}}) as day, {SUMMED}"
SERIES = Statement(f"{_SERIES} from {ROWS} where {{where}} group by 1", where="true", unit="'day'", **HOLES)
SERIES_OF_OWNERS = Statement(
    f"{_SERIES} from {ROWS_OF_OWNERS} where {{where}} group by 1", where="true", unit="'day'", path="''", **HOLES
)
CUSTOMER = "coalesce(nullif(d.customer_name, ''), a.name)"
# By what sums are taken apart: what tells two apart, its name, and the tables that know it.
PARTS = {
    "robot": ("d.id::text", "d.name", ""),
    "type": ("d.type_id::text", "t.name", "join device_type t on t.id = d.type_id"),
    "group": (
        "g.id::text",
        "g.name",
        """join device_group_member m on m.device_id = d.id join device_group g on g.id = m.group_id
        join account ga on ga.id = g.account_id and ga.path <@ {scope}::text::ltree""",
    ),
    "customer": (CUSTOMER, CUSTOMER, ""),
    "country": ("d.area", "d.area", ""),
}
# A dozen rows of each of ten thousand robots: PostgreSQL's usual 4 MB would have them sorted on disk.
SORT_IN_MEMORY = "set local work_mem = '32MB'"
APART = Statement(
    f"""
select {{key}} as key, {{name}} as name, {SUMMED}
from {ROBOT_SUMS} {{joined}} where {{where}} group by 1, 2
having sum(s.runs) > 0 order by sum(s.cleaned) desc, 2, 1 limit {{most}}""",
    where="true",
    key="d.id::text",
    name="d.name",
    joined="",
    most="1",
    path="''",
    grains="'{}'",
    days="'{}'",
    signs="'{}'",
    start=SAMPLE_DAY,
    end=SAMPLE_DAY,
)
TODAY = Statement(
    "select max((now() at time zone zone)::date) from (select distinct d.zone from device d where {where}) z",
    where="true",
)
# Who owned a robot from when until when.
OWNED = """(
  select f.device_id, f.owner_id, a.path as owner_path,
    greatest(d.created_at, to_timestamp(lag(f.until) over (partition by f.device_id order by f.id) / 1000.0)) as since,
    least(to_timestamp(f.until / 1000.0), d.deleted_at, now()) as until
  from former_owner f join account a on a.id = f.owner_id join device d on d.id = f.device_id
  union all
  select d.id, d.owner_id, d.owner_path, greatest(d.created_at, to_timestamp(f.until / 1000.0)),
    least(d.deleted_at, now())
  from device d
    left join lateral (select max(until) as until from former_owner where device_id = d.id) f on true
  where not exists (select from former_owner where device_id = d.id and until is null)
) o join device d on d.id = o.device_id"""
# The same, and since when it is connected.
OWNED_TIME = Statement(
    f"""
select d.zone, extract(epoch from o.since)::float8 as since, extract(epoch from o.until)::float8 as until,
  extract(epoch from s.began)::float8 as began
from {OWNED} left join online_span s on s.robot = d.id and s.ended is null
where {{where}}""",
    where="true",
)
ONLINE = Statement(
    """
select o.day, d.zone, sum(o.seconds)::float8 as seconds
from online_day o join device d on d.id = o.device_id where {where} group by 1, 2""",
    where="true",
)
