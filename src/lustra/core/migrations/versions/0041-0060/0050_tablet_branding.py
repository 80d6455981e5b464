"""What tablets of a dealer's robots look like."""

from alembic import op

revision = "0050"
down_revision = "0049"

BRANDING = """
create table tablet_branding (
  account_id bigint primary key references account on delete cascade,
  login_background text not null, boot_animation text not null, idle_animation text not null,
  login_logo text not null, main_logo text not null, home_tiles text[] not null,
  about_us text not null check (char_length(about_us) >= 2), theme_color text not null,
  updated_at timestamptz not null default now(), changes jsonb not null default '{}'
);
"""
OF_ACCOUNT = "select a.path::text from account a join rows r on a.id = r.account_id"


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(BRANDING)
    op.get_bind().exec_driver_sql("select tell_stale(%s, %s, %s)", ("tablet_branding", "tablet", OF_ACCOUNT))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
