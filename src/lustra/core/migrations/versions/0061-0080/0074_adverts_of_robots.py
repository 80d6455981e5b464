"""Which adverts each robot shall show, how far it is with them, and how often it showed each."""

from alembic import op

revision = "0074"
down_revision = "0073"

TABLES = """
alter table advert add column sha256 text not null default '';

create table advert_delivery (
  device_id bigint primary key references device on delete cascade,
  revision bigint not null, adverts bigint[] not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'shown', 'failed')),
  reason text not null default '', tried_at timestamptz, shown_at timestamptz,
  updated_at timestamptz not null default now()
);
create index advert_delivery_open on advert_delivery (tried_at) where state in ('waiting', 'sent');

create table advert_showing (
  advert_id bigint not null references advert on delete cascade,
  device_id bigint not null references device on delete cascade,
  account_id bigint not null references account,
  day date not null, times int not null check (times >= 0),
  updated_at timestamptz not null default now(),
  primary key (advert_id, device_id, day)
);
create index advert_showing_of_robot on advert_showing (device_id);
create index advert_showing_of_account on advert_showing (account_id);
"""
OF_ROBOT = "select d.owner_path::text from rows r join device d on d.id = r.device_id"
OF_ACCOUNT = "select a.path::text from rows r join account a on a.id = r.account_id"


def upgrade() -> None:
    link = op.get_bind()
    link.connection.cursor().execute(TABLES)
    link.exec_driver_sql("select tell_stale(%s, %s, %s)", ("advert_delivery", "advertDelivery", OF_ROBOT))
    link.exec_driver_sql("select tell_stale(%s, %s, %s)", ("advert_showing", "advertShowing", OF_ACCOUNT))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
