"""Why recordings of sensors were made, and two more causes of alarms: a site's network, and an elevator.

`trigger`: by which alarms, or on an order, and where the robot was; its own word on it, as the bus has it. The server
asks for such a recording of itself, at once.
"""

from alembic import op

revision = "0081"
down_revision = "0080"

CHANGES = """
alter table device_log add column trigger jsonb;
create index device_log_trigger on device_log using gin (trigger jsonb_path_ops) where trigger is not null;

create function fetch_recording() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  perform procrastinate_defer_jobs_v1(array[
    row('default', 'deviceLog.fetch', 0, null, null, jsonb_build_object('log_id', new.id), null)
  ]::procrastinate_job_to_defer_v1[]);
  return null;
end $$;
create trigger fetch_recording after insert on device_log for each row
  when (new.trigger is not null) execute function fetch_recording();
revoke execute on function fetch_recording from public;

alter table alarm_group drop constraint if exists alarm_group_cause_check;
alter table alarm_group add constraint alarm_group_cause_check
  check (cause in ('node', 'network', 'elevator', 'building'));
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(CHANGES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
