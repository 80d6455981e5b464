"""SQL on targets, and on the days on which robots were there."""

from lustra.core.scope import Statement
from lustra.domains.report.sums.queries import OWNED

# How many robots were there from which day to which, by the clocks of their sites: from when they were registered, or
# from their first run, if reports of before came. A robot that goes to another owner in scope counts once on that day.
ROBOT_DAYS = Statement(
    f"""
select first, last, count(*)::int as robots
from (
  select t.last, greatest(t.first, lag(t.last) over (partition by t.device_id order by t.first, t.last) + 1) as first
  from (
    select d.id as device_id, least((o.since at time zone d.zone)::date, ran.first) as first,
      ((o.until - interval '1 microsecond') at time zone d.zone)::date as last
    from {OWNED} left join lateral (
      select min(s.day) as first from robot_sum s
      where s.device_id = d.id and s.owner_id = o.owner_id and s.grain = 'day' and o.since = d.created_at
    ) ran on true
    where {{where}}
  ) t
) t where first <= last group by 1, 2""",
    where="true",
)
# Each figure of an account, or of who stands next above it and has one.
TARGET = Statement("""
select (array_agg(t.target_area order by nlevel(a.path) desc) filter (where t.target_area is not null))[1]
    as target_area,
  (array_agg(t.manual_rate order by nlevel(a.path) desc) filter (where t.manual_rate is not null))[1] as manual_rate,
  (array_agg(t.manual_water order by nlevel(a.path) desc) filter (where t.manual_water is not null))[1]
    as manual_water,
  (array_agg(t.care_minutes order by nlevel(a.path) desc) filter (where t.care_minutes is not null))[1]
    as care_minutes
from cleaning_target t join account a on a.id = t.account_id, account o
where o.id = :account and a.path @> o.path and a.deleted_at is null""")
