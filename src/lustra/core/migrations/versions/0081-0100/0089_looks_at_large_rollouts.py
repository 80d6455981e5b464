"""A roll-out is looked through for all robots that end by one statement, and a large one at most each two seconds.

A look reads all robots of it: with thousands it costs more than the ends themselves. What failed is looked at at once.
"""

from alembic import op

revision = "0089"
down_revision = "0088"

ADVANCE = """
drop trigger advance_rollout on rollout_robot;
create or replace function advance_rollout() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare ended record; begin
  for ended in
    select n.rollout_id, bool_or(n.state <> 'confirmed') as badly from after_rows n join before_rows o on o.id = n.id
    where n.state <> o.state and n.state in ('confirmed', 'fell_back', 'failed') group by n.rollout_id
  loop
    perform from procrastinate_jobs where status = 'todo' and task_name = 'rollout.advance'
      and args ->> 'rollout' = ended.rollout_id::text and (scheduled_at is null or not ended.badly) for share;
    if not found then
      perform procrastinate_defer_jobs_v1(array[row('default', 'rollout.advance', 0, null, null,
        jsonb_build_object('rollout', ended.rollout_id), case when not ended.badly and (
          select count(*) from (select from rollout_robot where rollout_id = ended.rollout_id limit 501) few
        ) > 500 then now() + interval '2 seconds' end)::procrastinate_job_to_defer_v1]);
    end if;
  end loop;
  return null;
end $$;
create trigger advance_rollout after update on rollout_robot referencing old table as before_rows new table as after_rows
  for each statement execute function advance_rollout();
create index rollout_robot_sent on rollout_robot (rollout_id, sent_at);
drop index rollout_robot_rollout;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(ADVANCE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
