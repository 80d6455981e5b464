"""SQL on what files for analysts hold."""

from lustra.core.scope import Statement
from lustra.domains.report.queries import FROM, ROW
from lustra.domains.report.sums.figures import DAY

# Of which robots from when until when (ms; none: from the start, until now) owners in scope had them.
OWNED_SPANS = Statement("""
select d.id as device_id, d.serial_number, d.zone, o.since, o.until
from (
  select f.device_id, f.owner_id, lag(f.until) over (partition by f.device_id order by f.id) as since, f.until
  from former_owner f
  union all
  select d.id, d.owner_id, (select max(f.until) from former_owner f where f.device_id = d.id), null
  from device d where not exists (select from former_owner f where f.device_id = d.id and f.until is null)
) o join device d on d.id = o.device_id join account a on a.id = o.owner_id
where a.path <@ $1::text::ltree order by d.serial_number, d.id, o.since nulls first""")
REPORTS = Statement(
    f"""
select {DAY} as day, {ROW} from {FROM}
where {{where}} and not r.provisional and {DAY} between {{start}} and {{end}}
order by d.serial_number, d.id, {DAY}, r.started, r.id""",
    where="true",
    start="'2026-01-01'::date",
    end="'2026-01-01'::date",
)
