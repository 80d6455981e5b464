"""`lustra export parquet FOLDER`: what robots recorded and reported, of a customer or of all, in files for analysts."""

import argparse
import asyncio
import sys
from importlib.util import find_spec
from typing import Any

from lustra.core import db
from lustra.core.errors import Refusal
from lustra.core.settings import Settings
from lustra.domains.account.api import seed
from lustra.domains.report.api import AnalystFolder, choose_report_days, load_report_today, write_analyst_files

LIBRARIES = "Files for analysts need the extra: pip install 'lustra[parquet]'"


def main(arguments: argparse.Namespace) -> None:
    if find_spec("duckdb") is None:
        raise SystemExit(LIBRARIES)
    try:
        counts = asyncio.run(export(Settings.read(), arguments))
    except Refusal as refusal:
        raise SystemExit(refusal.text("en")) from None
    files = ", ".join(f"{count} files of {kind}" for kind, count in counts.items())
    sys.stdout.write(f"{files} in {arguments.folder}\n")


async def export(settings: Settings, arguments: Any) -> dict[str, int]:
    engine, pool = db.engine(settings.database_url, size=1), await db.pool(settings.database_url, size=2)
    try:
        async with db.sessions(engine)() as session:
            scope = await seed.load_scope(session, arguments.customer)
        days = choose_report_days(None, arguments.start, arguments.end, await load_report_today(pool, scope))
        folder = AnalystFolder(arguments.folder)
        await write_analyst_files(pool, scope, days, folder)
        return folder.counts
    finally:
        await pool.close()
        await engine.dispose()
