"""What robots are to clean a day, and what cleaning by hand takes: an account's own figures."""

from alembic import op

revision = "0090"
down_revision = "0089"

TARGET = """
create table cleaning_target (
  account_id bigint primary key references account on delete cascade,
  target_area double precision check (target_area > 0), manual_rate double precision check (manual_rate > 0),
  manual_water double precision check (manual_water > 0), care_minutes double precision check (care_minutes > 0),
  updated_at timestamptz not null default now(), changes jsonb not null default '{}'
);
"""
# Those below read it, too, where they have none of their own.
OF_ACCOUNT_AND_BELOW = """
select b.path::text from account a join rows r on a.id = r.account_id join account b on b.path <@ a.path"""
# Roles that stand already: new installations have it from keys.json.
KEY = """
update role set keys = keys || 'reportChart/target'::text
where id in (10, 11, 16, 18) and account_id is null and not 'reportChart/target' = any(keys)"""


def upgrade() -> None:
    link = op.get_bind()
    link.connection.cursor().execute(TARGET)
    link.exec_driver_sql(
        "select tell_stale(%s, %s, %s)", ("cleaning_target", "cleaningTarget", OF_ACCOUNT_AND_BELOW)
    )
    link.exec_driver_sql(KEY)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
