"""Minutes to which points came after they were packed: these alone are packed again, not the whole hour. The m² of an
hour grow in their place: without room beside it each would be written elsewhere, and into both indexes."""

from alembic import op

revision = "0096"
down_revision = "0095"

LATE = """
alter table area_hour set (fillfactor = 50);
alter table packed_until add column late_until bigint not null default 0,
  add column claimed_until timestamptz not null default now();
update packed_until set late_until = slot;
create table late_minute (
  robot int not null references device on delete cascade, minute int not null, primary key (robot, minute)
);
insert into late_minute select distinct p.robot, (p.slot / 60)::int
  from point p join device d on d.id = p.robot, packed_until u where p.slot < u.slot;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(LATE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
