"""How far a robot's history lies in chunks of ten minutes, and how far these are coarse."""

from alembic import op

revision = "0070"
down_revision = "0069"

CHANGES = """
create table compaction (
  robot int primary key references device on delete cascade,
  until int not null default 0, coarse_until int not null default 0
);
insert into compaction (robot) select id from device;
create function compaction_begins() returns trigger language plpgsql as $$ begin
  insert into compaction (robot) values (new.id);
  return null;
end $$;
create trigger compaction_begins after insert on device for each row execute function compaction_begins();
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(CHANGES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
