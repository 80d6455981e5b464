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

KINDS = ("soft", "firmware", "app")


def add_arguments(keys: argparse.ArgumentParser, data: argparse.ArgumentParser) -> None:
    commands = keys.add_subparsers(dest="what", required=True)
    make = commands.add_parser("make", parents=[data], help="the first root; key files that are not there are made")
    rotate = commands.add_parser("rotate", parents=[data], help="the next root, for these keys and today's secret")
    for command in (make, rotate):
        command.add_argument("--root", type=Path, nargs="+", required=True, metavar="FILE", help="keys of the root")
        _add_threshold(command)
    new = commands.add_parser("new", help="a key pair of a maker: FILE stays with it, FILE.pub goes to the operator")
    new.add_argument("file", type=Path, metavar="FILE")
    delegate = commands.add_parser("delegate", parents=[data], help="give types of robots to the keys of their maker")
    delegate.add_argument("--key", type=Path, nargs="+", required=True, metavar="FILE", help="public keys of the role")
    delegate.add_argument("--types", nargs="+", required=True, metavar="TYPE", help="types of robots, by their names")
    delegate.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="kinds of packages (default: all)")
    _add_threshold(delegate)
    revoke = commands.add_parser("revoke", parents=[data], help="take a role's types of robots back")
    for command in (rotate, delegate, revoke):
        command.add_argument("--by", type=Path, nargs="+", required=True, metavar="FILE", help="keys of the root")
    draft = commands.add_parser("draft", parents=[data], help="write what a role is to sign")
    take = commands.add_parser("take", parents=[data], help="read what a role has signed, for robots from then on")
    for command in (delegate, revoke, draft, take):
        command.add_argument("name", metavar="NAME", help="name of the role")
    sign = commands.add_parser("sign", help="sign a draft, on whatever machine the keys are; needs no database")
    sign.add_argument("--by", type=Path, nargs="+", required=True, metavar="FILE", help="private keys of the role")
    for command in (draft, take, sign):
        command.add_argument("file", type=Path, metavar="FILE")


def _add_threshold(command: argparse.ArgumentParser) -> None:
    command.add_argument("--threshold", type=int, default=1, metavar="N", help="keys that must sign (default: 1)")


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
