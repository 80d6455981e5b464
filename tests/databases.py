"""Databases for tests: copies of a template, made and dropped by statements to the database "postgres"; and the roles
as which processes of ours log in there.
"""

from urllib.parse import urlsplit, urlunsplit

import asyncpg

from lustra.core.database.database_rights import ROLES
from lustra.stack.roles import OWNER

PASSWORDS = {role: f"secret-of-{role}" for role in (OWNER, *ROLES)}


def as_role(dsn: str, role: str) -> str:
    parts = urlsplit(dsn)
    return urlunsplit(parts._replace(netloc=f"{role}:{PASSWORDS[role]}@{parts.netloc.split('@')[1]}"))


def copy(name: str, template: str) -> str:
    """By the kernel, file by file: the usual way, through the write-ahead log, takes more than twice the CPU."""
    return f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy"


async def statement(dsn: str, sql: str) -> None:
    link = await asyncpg.connect(dsn)
    await link.execute(sql)
    await link.close()
