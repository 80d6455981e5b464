"""Roll-outs of firmware, apps and whole machines beside those of software."""

from alembic import op

revision = "0085"
down_revision = "0084"

TABLES = """
alter table rollout
  add column version_kind text not null default 'soft' check (version_kind in ('soft', 'firmware', 'app', 'whole')),
  add column targets text[] not null default '{}', add column packages jsonb not null default '{}';
create index rollout_targets on rollout using gin (targets);
update rollout r set targets = array['soft/' || b.id], packages = jsonb_build_object(l.type_id::text, jsonb_build_array(
  jsonb_build_object('part', 'software', 'name', 'soft/' || b.id, 'version', b.version, 'fileId', b.file_id)))
from soft_build b join soft_version l on l.id = b.version_id where b.id = r.build_id;
alter table rollout_robot add column versions jsonb not null default '{}';
update rollout_robot b set versions = jsonb_build_object('software',
  case when r.kind = 'back' then b.target else b.former end)
from rollout r where r.id = b.rollout_id;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(TABLES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
