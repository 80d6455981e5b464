"""Says that who stopped a robot became stale, when a command that stops it or lets it go on was recorded (see 0029)."""

from alembic import op

revision = "0045"
down_revision = "0044"

NOTE = """
create function note_stop() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare place ltree; begin
  for place in select owner_path from device where id = new.device_id
    union select account_path from device_account where device_id = new.device_id
  loop
    perform pg_notify('stale', tg_argv[0] || ' ' || place::text);
  end loop;
  return null;
end $$;
create trigger stale_stop after insert on audit for each row
  when (new.code = 0 and new.device_id is not null and new.action in ('relay.task_pause', 'relay.task_resume',
    'relay.task_start', 'relay.robot_safe', 'relay.emergency_off', 'device.pause'))
  execute function note_stop('stop');
revoke execute on function note_stop from public;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(NOTE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
