"""Of all robots of a roll-out that end at about the same time, one has it looked through.

The waiting look is held until the robot's end is committed, so that none begins that would not see it.
"""

from alembic import op

revision = "0087"
down_revision = "0086"

ADVANCE = """
create or replace function advance_rollout() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  perform from procrastinate_jobs where status = 'todo' and task_name = 'rollout.advance'
    and args ->> 'rollout' = new.rollout_id::text for share;
  if not found then
    perform procrastinate_defer_jobs_v1(array[row('default', 'rollout.advance', 0, null, null,
      jsonb_build_object('rollout', new.rollout_id), null)::procrastinate_job_to_defer_v1]);
  end if;
  return null;
end $$;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(ADVANCE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
