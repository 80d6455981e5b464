"""SQL on how useful alarms are."""

from lustra.core.scope import Statement

STANDING = Statement(
    """
select count(*) from alarm r where {where} and r.state < 2 and r.raised_at < now() - make_interval(hours => {hours})""",
    where="true",
    hours="24",
)
# Seconds until somebody took an alarm, and until it was over, are means of those for which they are known.
MEASURES = Statement(
    """
with span as (select r.* from alarm r where {where}),
windows as (select count(*) as alarms from span group by floor(extract(epoch from raised_at) / {window}))
select count(*) as alarms, count(*) filter (where count >= {chatters}) as chattering,
  (select coalesce(max(alarms), 0) from windows) as peak,
  (select count(*) from windows where alarms > {flood}) as floods,
  avg(extract(epoch from taken_at - raised_at))::float8 as take,
  avg(extract(epoch from resolved_at - raised_at))::float8 as resolve
from span""",
    where="true",
    window="600",
    chatters="5",
    flood="10",
)
