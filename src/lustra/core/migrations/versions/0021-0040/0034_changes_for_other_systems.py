"""What changed, for programs of others: written by triggers, in the transaction of the change.

`record_change` writes one, so a new kind is a trigger that calls it, beside a line in domains/change/kinds. `number` is
given once the change is committed, one after the other (domains/change/service): an order in which nothing can appear
behind what was read already. Only edges are written: of what robots say by the second, nothing.
"""

from alembic import op

revision = "0034"
down_revision = "0032"

TABLES = """
create table change_entry (
  entry bigint generated always as identity primary key, id uuid not null unique default gen_random_uuid(),
  number bigint unique, created_at timestamptz not null default now(), kind text not null,
  owner_id bigint not null, account_id bigint, device_id bigint, serial text not null default '', data jsonb not null
);
create index change_entry_waiting on change_entry (entry) where number is null;
create index change_entry_owner on change_entry (owner_id, number);
create index change_entry_device on change_entry (device_id, number) where device_id is not null;
create index change_entry_created on change_entry (created_at);
"""

FUNCTIONS = """
-- `account`: of what is one account's alone; else null.
create function record_change(kind text, owner bigint, account bigint, robot bigint, data jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into change_entry (kind, owner_id, account_id, device_id, serial, data)
  values (kind, owner, account, robot,
    coalesce((select d.serial_number from device d where d.id = robot), ''), data)
$$;

create function epoch_ms(at timestamptz) returns bigint language sql immutable as $$
  select round(extract(epoch from at) * 1000)::bigint
$$;

create function change_of_presence() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare owner bigint := (select o.owner_id from owner_at(new.robot, epoch_ms(new.since)) o); begin
  if new.online then
    perform record_change('device.online', owner, null, new.robot, jsonb_build_object('since', new.since));
  else
    perform record_change('device.offline', owner, null, new.robot,
      jsonb_build_object('since', new.since, 'reason', new.reason));
  end if;
  return null;
end $$;
create trigger change_presence after update on presence for each row
  when (old.online <> new.online) execute function change_of_presence();

create function change_of_state() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare owner bigint := (select o.owner_id from owner_at(new.robot, new.at) o); begin
  if old.mode <> new.mode then
    perform record_change('device.mode', owner, null, new.robot,
      jsonb_build_object('mode', new.mode, 'before', old.mode));
  end if;
  if old.help <> new.help and old.help <> '' then
    perform record_change('fault.ended', owner, null, new.robot, jsonb_build_object('fault', old.help));
  end if;
  if old.help <> new.help and new.help <> '' then
    perform record_change('fault.began', owner, null, new.robot, jsonb_build_object('fault', new.help));
  end if;
  return null;
end $$;
create trigger change_state after update on robot_state for each row
  when (old.mode <> new.mode or old.help <> new.help) execute function change_of_state();

create function change_of_report() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  run jsonb := jsonb_build_object('taskReportId', new.id, 'run', new.run, 'taskName', new.task_name,
    'mapName', new.map_name, 'startTime', new.started);
  was_running boolean := tg_op = 'INSERT' or old."end" = 'running';
begin
  if new.provisional and new."end" = 'running' then
    perform record_change('run.began', new.owner_id, null, new.device_id, run);
  elsif was_running then
    perform record_change('run.ended', new.owner_id, null, new.device_id,
      run || jsonb_build_object('end', new."end", 'endTime', new.ended));
  end if;
  if not new.provisional then
    perform record_change('report.created', new.owner_id, null, new.device_id,
      run || jsonb_build_object('end', new."end", 'endTime', new.ended, 'cleanedArea', new.cleaned::text::float8));
  end if;
  return null;
end $$;
create trigger change_report after insert on task_report for each row execute function change_of_report();
create trigger change_report_again after update on task_report for each row
  when (old.provisional <> new.provisional or old."end" <> new."end") execute function change_of_report();

create function change_of_map() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  perform record_change(case when new.deleted_at is null then 'map.changed' else 'map.deleted' end,
    new.owner_id, null, new.device_id,
    jsonb_build_object('mapId', new.id, 'mapName', new.name, 'mapRevision', new.revision));
  return null;
end $$;
create trigger change_map after insert on floor_map for each row execute function change_of_map();
create trigger change_map_again after update on floor_map for each row
  when ((old.revision, old.name, old.deleted_at is null) is distinct from (new.revision, new.name, new.deleted_at is null))
  execute function change_of_map();

create function change_of_message() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  perform record_change('message.created', new.account_id, new.account_id, null,
    jsonb_build_object('messageId', new.id, 'messageKind', new.kind));
  return null;
end $$;
create trigger change_message after insert on message for each row execute function change_of_message();

create function change_of_device() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  had boolean := tg_op = 'UPDATE' and old.deleted_at is null;
  has boolean := new.deleted_at is null;
begin
  if had and (not has or old.owner_id <> new.owner_id) then
    perform record_change('device.removed', old.owner_id, null, new.id, '{}');
  end if;
  if has and (not had or old.owner_id <> new.owner_id) then
    perform record_change('device.added', new.owner_id, null, new.id, '{}');
  end if;
  return null;
end $$;
create trigger change_device after insert on device for each row execute function change_of_device();
create trigger change_device_again after update on device for each row
  when (old.owner_id <> new.owner_id or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function change_of_device();

revoke execute on function record_change, change_of_presence, change_of_state, change_of_report, change_of_map,
  change_of_message, change_of_device from public;
"""

# Roles that stand already: new installations have it from keys.json.
KEY = """
update role set keys = keys || '{index/changes}'
where id = any(array[10, 11, 16, 18]) and account_id is null and not 'index/changes' = any(keys)"""


def upgrade() -> None:
    for statements in (TABLES, FUNCTIONS):
        op.get_bind().connection.cursor().execute(statements)
    op.execute(KEY)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
