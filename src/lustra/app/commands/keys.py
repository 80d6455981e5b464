"""`lustra keys`: who signs what robots install. The keys of root make and rotate it, and give types of robots to roles
of their makers; what such a role signs is drafted here, signed where its keys lie, and taken (docs/updates.md)."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.app.commands.admin import in_database
from lustra.core.settings import Settings
from lustra.domains.rollout import api


def main(arguments: argparse.Namespace) -> None:
    try:
        text = ALONE[arguments.what](arguments) if arguments.what in ALONE else _run_in_database(arguments)
    except api.KeyFault as why:
        raise SystemExit(str(why)) from None
    sys.stdout.write(text)


def _new(arguments: argparse.Namespace) -> str:
    return f"{api.make_key(arguments.file)} may be given to anybody, {arguments.file} to nobody.\n"


def _sign(arguments: argparse.Namespace) -> str:
    content, lines = api.sign_draft(_read(arguments.file), arguments.by)
    arguments.file.write_bytes(content)
    return "".join(f"{line}\n" for line in [*lines, "Signed. Are these your packages, byte for byte?"])


ALONE = {"new": _new, "sign": _sign}


def _read(file: Path) -> bytes:
    if not file.exists():
        raise api.KeyFault(f"{file} is not there")
    return file.read_bytes()


def _run_in_database(arguments: argparse.Namespace) -> str:
    settings = Settings.read()

    async def act(session: AsyncSession) -> str:
        return await ACTS[arguments.what](session, settings.update_key, arguments)

    return asyncio.run(in_database(settings, act)) or ""


async def _make(db: AsyncSession, secret: str, arguments: argparse.Namespace) -> str:
    await api.make_root(db, secret, arguments.root, arguments.threshold)
    return ""


async def _rotate(db: AsyncSession, secret: str, arguments: argparse.Namespace) -> str:
    version = await api.rotate_root(db, secret, arguments.by, arguments.root, arguments.threshold)
    return f"Root {version} counts from now on. Robots follow it with their next update.\n"


async def _delegate(db: AsyncSession, _: str, arguments: argparse.Namespace) -> str:
    line = api.Line(arguments.name, arguments.key, arguments.threshold, arguments.types, arguments.kinds)
    await api.delegate(db, line, arguments.by)
    return f"Robots of {', '.join(line.types)} take what {line.name} has signed, and nothing else.\n"


async def _revoke(db: AsyncSession, _: str, arguments: argparse.Namespace) -> str:
    await api.revoke(db, arguments.name, arguments.by)
    return f"{arguments.name} signs nothing any more.\n"


async def _draft(db: AsyncSession, _: str, arguments: argparse.Namespace) -> str:
    arguments.file.write_bytes(await api.draft(db, arguments.name))
    return f"To be signed where its keys are: lustra keys sign {arguments.file} --by KEY\n"


async def _take(db: AsyncSession, _: str, arguments: argparse.Namespace) -> str:
    count = await api.take(db, arguments.name, _read(arguments.file))
    return f"{arguments.name} has signed {count} packages.\n"


Act = Callable[[AsyncSession, str, argparse.Namespace], Awaitable[str]]
ACTS: dict[str, Act] = {
    "make": _make,
    "rotate": _rotate,
    "delegate": _delegate,
    "revoke": _revoke,
    "draft": _draft,
    "take": _take,
}
