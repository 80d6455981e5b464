"""What robots said that was not stored; the stream of a state, words of a robot's own, and what was not in rows yet."""

from alembic import op

revision = "0031"
down_revision = "0030"

STATE = """
alter table robot_state
  add column stream text not null default '', add column seq bigint not null default 0,
  add column paused_by text not null default '', add column mapping text not null default '',
  add column mapped real not null default 0,
  add column utilities jsonb not null default '{}', add column tanks jsonb not null default '{}',
  alter column liquid drop not null, alter column run_liquid drop not null;
"""
# One row a robot: the newest.
REFUSAL = """
create table robot_refusal (
  robot int primary key references device on delete cascade, at timestamptz not null,
  kind text not null, reference text not null, field text not null, reason text not null
);
"""
AUDIENCE = (
    "select d.owner_path::text from rows r join device d on d.id = r.robot"
    " union select b.account_path::text from rows r join device_account b on b.device_id = r.robot"
)


def upgrade() -> None:
    op.execute(STATE)
    op.execute(REFUSAL)
    op.get_bind().exec_driver_sql("select tell_stale(%s, %s, %s)", ("robot_refusal", "refusal", AUDIENCE))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
