"""SQL of the configuration parameters that robots shall have."""

from lustra.core.scope import Statement

# Worked out of all that stands in them: the same parameters are the same revision; none: 0.
REVISION = "coalesce(('x' || left(md5(jsonb_object_agg(key, value)::text), 13))::bit(52)::bigint, 0)"
CURRENT = Statement(f"""
select {REVISION} as revision, coalesce(jsonb_object_agg(key, value), '{{}}')::text as values
from configuration_parameter""")
PLAN = Statement(f"""
with current as (select {REVISION} as revision from configuration_parameter)
insert into parameter_delivery (device_id, revision)
select d.id, current.revision from device d cross join current
where d.deleted_at is null
  and (current.revision > 0 or exists (select from parameter_delivery t where t.device_id = d.id))
on conflict (device_id) do update
  set revision = excluded.revision, state = 'waiting', reason = '', refused_key = '', unknown_keys = '{{}}',
    tried_at = null, updated_at = now()
  where parameter_delivery.revision <> excluded.revision""")
STORE_KEYS = Statement("""
update parameter_delivery set refused_key = $3, unknown_keys = $4
where device_id = $1 and revision = $2 and (refused_key, unknown_keys) <> ($3, $4)""")
