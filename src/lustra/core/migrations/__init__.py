"""One line of migrations.

`upgrade(dsn)` brings a database to this shape, as the owner of its tables, and gives the roles of the processes their
rights; safe to run from several servers at once.
"""

from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from lustra.core.database.database_rights import give_rights

FOLDER = Path(__file__).parent
LOCK = 7_104_000  # advisory lock: one migrates, the others wait


class Unfit(Exception):
    """The database cannot carry the product."""


def upgrade(dsn: str, to: str = "head") -> None:
    # SQLAlchemy reads no URL of several hosts; libpq does.
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn))
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.set_main_option("recursive_version_locations", "true")  # twenty revisions a folder
    try:
        with engine.connect() as link:
            link.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": LOCK})
            link.commit()
            config.attributes["link"] = link
            command.upgrade(config, to)
            give_rights(link)
            link.commit()
            _fit(link.scalar(text("SELECT show_trgm('机器')")))
    finally:
        engine.dispose()


def _fit(grams: object) -> None:
    """With locale C, or the builtin provider, pg_trgm finds nothing in Chinese or Arabic."""
    if not grams:
        raise Unfit(
            "this database cannot search Chinese or Arabic: make it with --locale=C.UTF-8 (libc), encoding UTF8"
        )
