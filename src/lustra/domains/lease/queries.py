"""SQL on leases."""

from lustra.core.scope import Statement

NOTIFY_OVERDUE = Statement("""
update lease l set told = true from device d
where d.id = l.device_id and l.stopped_at is null and not l.told and l.end_date < (now() at time zone d.zone)::date
returning l.owner_id, l.lessee_id, l.customer_name, l.end_date, d.name""")
ERASE_NAMES = Statement("""
update lease set customer_name = case when customer_name = any(:names) then :label else customer_name end,
  stopped_by = case when stopped_by = any(:names) then :label else stopped_by end
where customer_name = any(:names) or stopped_by = any(:names)""")
