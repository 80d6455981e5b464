"""`lustra keys make`: the first root of trust for updates. `lustra keys rotate`: the next one, for other keys."""

import argparse
import asyncio
import sys
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.app.commands.admin import in_database
from lustra.core.settings import Settings
from lustra.domains.rollout.api import KeyFault, make_root, rotate_root


def add_arguments(keys: argparse.ArgumentParser, data: argparse.ArgumentParser) -> None:
    commands = keys.add_subparsers(dest="what", required=True)
    make = commands.add_parser("make", parents=[data], help="the first root; key files that are not there are made")
    rotate = commands.add_parser("rotate", parents=[data], help="the next root, for these keys and today's secret")
    rotate.add_argument("--by", type=Path, nargs="+", required=True, metavar="FILE", help="keys of the present root")
    for command in (make, rotate):
        command.add_argument("--root", type=Path, nargs="+", required=True, metavar="FILE", help="keys of the root")
        command.add_argument("--threshold", type=int, default=1, metavar="N", help="keys that must sign (default: 1)")


def main(arguments: argparse.Namespace) -> None:
    settings = Settings.read()

    async def act(session: AsyncSession) -> str | None:
        if arguments.what == "make":
            await make_root(session, settings.update_key, arguments.root, arguments.threshold)
            return None
        version = await rotate_root(session, settings.update_key, arguments.by, arguments.root, arguments.threshold)
        return f"Root {version} counts from now on. Robots follow it with their next update.\n"

    try:
        text = asyncio.run(in_database(settings, act))
    except KeyFault as why:
        raise SystemExit(str(why)) from None
    sys.stdout.write(text or "")
