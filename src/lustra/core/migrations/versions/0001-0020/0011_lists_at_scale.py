"""Long lists at once: robots in the order of who needs somebody, their number by mode, and accounts by words."""

from alembic import op

revision = "0011"
down_revision = "0010"

NEED = """
-- Every robot that is not deleted, in the order of the list: who needs somebody first. Kept by triggers, from what
-- ingest stores and people edit; nobody else writes it. The parts stand apart, so that two writers never mix them up.
create table robot_need (
  robot int primary key references device on delete cascade,
  owner_path ltree not null, name text not null,
  online bool not null, mode text not null, help bool not null,
  need smallint not null generated always as (case
    when not online then 9 when help then 0
    else coalesce(array_position('{help,emergency,paused,manual,cleaning,moving,riding,charging,idle}'::text[], mode) - 1, 8)
  end) stored
) with (fillfactor = 70);
create index robot_need_order on robot_need (need, name, robot);

-- How many robots each owner has in each mode, as a sum of what came and went: writers never wait for each other.
create table need_count (owner_path ltree not null, need smallint not null, n int not null);
create index need_count_owner on need_count using gist (owner_path);
create function need_summed() returns void language sql as $$
  with gone as (
    delete from need_count c using (select owner_path, need from need_count group by 1, 2 having count(*) > 1) many
    where (c.owner_path, c.need) = (many.owner_path, many.need) returning c.*
  ) insert into need_count select owner_path, need, sum(n) from gone group by 1, 2 having sum(n) <> 0
$$;
"""

TRIGGERS = """
create function need_listed() returns trigger language plpgsql as $$ begin
  if new.deleted_at is not null then
    delete from robot_need where robot = new.id;
  else
    insert into robot_need (robot, owner_path, name, online, mode, help)
      select new.id, new.owner_path, new.name, coalesce(p.online, false), coalesce(s.mode, 'idle'), coalesce(s.help, '') <> ''
      from (select 1) one left join presence p on p.robot = new.id left join robot_state s on s.robot = new.id
    on conflict (robot) do update set owner_path = new.owner_path, name = new.name;
  end if;
  return null;
end $$;
create trigger need_begins after insert on device for each row execute function need_listed();
create trigger need_listed after update on device for each row
  when ((old.name, old.owner_path::text, old.deleted_at) is distinct from (new.name, new.owner_path::text, new.deleted_at))
  execute function need_listed();

create function need_of_state() returns trigger language plpgsql as $$ begin
  update robot_need set mode = new.mode, help = new.help <> '' where robot = new.robot;
  return null;
end $$;
create trigger need_of_first_state after insert on robot_state for each row execute function need_of_state();
create trigger need_of_state after update on robot_state for each row
  when (old.mode <> new.mode or (old.help = '') <> (new.help = '')) execute function need_of_state();

create function need_of_presence() returns trigger language plpgsql as $$ begin
  update robot_need set online = new.online where robot = new.robot;
  return null;
end $$;
create trigger need_of_presence after update on presence for each row
  when (old.online <> new.online) execute function need_of_presence();

create function need_counted() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' then insert into need_count values (old.owner_path, old.need, -1); end if;
  if tg_op <> 'DELETE' then insert into need_count values (new.owner_path, new.need, 1); end if;
  return null;
end $$;
create trigger need_came after insert or delete on robot_need for each row execute function need_counted();
create trigger need_counted after update on robot_need for each row
  when (old.need <> new.need or old.owner_path::text <> new.owner_path::text) execute function need_counted();

insert into robot_need (robot, owner_path, name, online, mode, help)
  select d.id, d.owner_path, d.name, coalesce(p.online, false), coalesce(s.mode, 'idle'), coalesce(s.help, '') <> ''
  from device d left join presence p on p.robot = d.id left join robot_state s on s.robot = d.id
  where d.deleted_at is null;
select need_summed();
"""

ACCOUNT = """
alter table account add column search text[] not null
  generated always as (grams(name || ' ' || account || ' ' || phone || ' ' || email)) stored;
create index account_search on account using gin (search);
"""


def upgrade() -> None:
    for part in (NEED, TRIGGERS, ACCOUNT):
        op.get_bind().connection.cursor().execute(part)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
