"""SQL on changes."""

from lustra.core.scope import Statement

# The order is that of their becoming visible: under the lock, and each once.
GIVE_NUMBERS = Statement("""
with fresh as (
  select entry, row_number() over (order by entry) as place
  from (select entry from change_entry where number is null order by entry limit :most) waiting
)
update change_entry c set number = (select coalesce(max(number), 0) from change_entry) + fresh.place
from fresh where c.entry = fresh.entry returning c.number""")
# The newest stays: it says how far the numbers got.
DROP_OLD = Statement("""
delete from change_entry
where created_at < now() - cast(:age as interval) and number < (select max(number) from change_entry)""")
