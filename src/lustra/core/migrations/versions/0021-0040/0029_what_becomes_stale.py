"""Says on the channel `stale`, at each commit, which topics became stale and for whom: see core/stale.

A note is a topic and an audience, "map 1.2.7": the place of an owner in the tree of accounts, or "message =42":
one account alone. Equal notes of a transaction go out once. `tell_stale(table, topic, audience)` makes a table say so; `audience`
is a query of what is to be told, on the changed rows, which it knows as `rows` (as they were, and as they are).
"""

from alembic import op

revision = "0029"
down_revision = "0028"

FUNCTIONS = """
create function note_stale() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare audience text; begin
  for audience in execute tg_argv[1] loop
    perform pg_notify('stale', tg_argv[0] || ' ' || audience);
  end loop;
  return null;
end $$;

create function tell_stale(rows_of regclass, topic text, audience text) returns void language plpgsql as $$
declare way text[]; begin
  foreach way slice 1 in array array[
    ['stale_added', 'insert', 'new'], ['stale_before', 'update', 'old'],
    ['stale_after', 'update', 'new'], ['stale_gone', 'delete', 'old']
  ] loop
    execute format(
      'create trigger %I after %s on %s referencing %s table as rows for each statement execute function note_stale(%L, %L)',
      way[1], way[2], rows_of, way[3], topic, audience);
  end loop;
end $$;

-- Of one robot, of which many change one by one: a plan that is made once.
create function note_robot() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare place ltree; begin
  for place in select owner_path from device where id = new.robot
    union select account_path from device_account where device_id = new.robot
  loop
    perform pg_notify('stale', tg_argv[0] || ' ' || place::text);
  end loop;
  return null;
end $$;
create trigger stale_mode after update on robot_state for each row
  when (old.mode <> new.mode or old.help <> new.help) execute function note_robot('state');
create trigger stale_floor after update on robot_state for each row
  when (old.map <> new.map) execute function note_robot('floor');
create trigger stale_presence after update on presence for each row
  when (old.online <> new.online) execute function note_robot('state');

-- What support access guards looks different from above once the customer opens or closes it.
create function note_account() returns trigger language plpgsql as $$ begin
  perform pg_notify('stale', tg_argv[0] || ' ' || new.path::text);
  return null;
end $$;
create trigger stale_support after update of support_default, support_until on account for each row
  when ((old.support_default, old.support_until) is distinct from (new.support_default, new.support_until))
  execute function note_account('support');

-- Who could make a trigger of one of these would run any query as their owner.
revoke execute on function tell_stale, note_stale, note_robot, note_account from public;
"""

# Who is told, as a query of changed rows.
OF_OWNER = "select owner_path::text from rows"
OF_ACCOUNT = "select a.path::text from account a join rows r on a.id = r.account_id"
OF_ROBOT_OF_OWNER = (  # an account that is bound to the robot sees it while the robot still belongs to that owner
    OF_OWNER + " union select b.account_path::text from rows r"
    " join device d on d.id = r.device_id and d.owner_id = r.owner_id join device_account b on b.device_id = d.id"
)
OF_ROBOT = (
    "select d.owner_path::text from rows r join device d on d.id = r.device_id"
    " union select b.account_path::text from rows r join device_account b on b.device_id = r.device_id"
)
TABLES = (
    ("account", "user", "select path::text from rows"),
    ("advert", "advert", OF_ACCOUNT),
    (
        "device",
        "device",
        OF_OWNER + " union select b.account_path::text from rows r join device_account b on b.device_id = r.id",
    ),
    ("device_account", "device", OF_ROBOT + " union select account_path::text from rows"),
    ("device_group", "deviceGroup", OF_ACCOUNT),
    ("elevator", "elevator", OF_ACCOUNT),
    ("floor_map", "map", OF_ROBOT_OF_OWNER),
    (
        "lease",
        "hire",
        OF_OWNER + " union select lessee_path::text from rows where lessee_path is not null",
    ),
    ("history_day", "history", "select d.owner_path::text from rows r join device d on d.id = r.robot"),
    ("lift_ride", "elevator", OF_ACCOUNT),
    ("map_sync_target", "mapSync", OF_ROBOT),
    ("message", "message", "select '=' || account_id from rows"),
    ("repair", "repair", OF_ROBOT_OF_OWNER),
    ("robot_occurrence", "task", OF_ROBOT_OF_OWNER),
    ("robot_plan", "task", OF_ROBOT_OF_OWNER),
    ("robot_task", "task", OF_ROBOT_OF_OWNER),
    ("stored_file", "oss", OF_OWNER),
    ("task_report", "taskReport", OF_ROBOT_OF_OWNER),
)


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(FUNCTIONS)
    for table, topic, audience in TABLES:
        op.get_bind().exec_driver_sql("select tell_stale(%s, %s, %s)", (table, topic, audience))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
