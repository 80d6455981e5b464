"""Alembic's entry: the link comes from `upgrade`."""

from alembic import context
from sqlalchemy import Connection

link: Connection = context.config.attributes["link"]
context.configure(connection=link, transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
