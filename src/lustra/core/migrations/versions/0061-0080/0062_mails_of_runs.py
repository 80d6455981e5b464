"""Runs that have ended are mailed.

Reports that a person enters, and those that come a day late, are not. Where no account wants such mails no job is
entered.
"""

from alembic import op

revision = "0062"
down_revision = "0061"

STATEMENTS = """
create function mail_report() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  if exists (select from account where email <> '' and (email_to_task_report or email_to_task)) then
    perform procrastinate_defer_jobs_v1(array[
      row('default', 'report.mail', 0, null, null, jsonb_build_object('report', new.id), null)
    ]::procrastinate_job_to_defer_v1[]);
  end if;
  return null;
end $$;
revoke execute on function mail_report from public;
create trigger mail_report_added after insert on task_report for each row
  when (not new.provisional and new.by_hand = '' and new.ended > now() - interval '1 day')
  execute function mail_report();
create trigger mail_report_finished after update of provisional on task_report for each row
  when (old.provisional and not new.provisional and new.by_hand = '' and new.ended > now() - interval '1 day')
  execute function mail_report();
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
