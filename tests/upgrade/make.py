"""Keeps what this version makes, for upgrades of later ones: `python tests/upgrade/make.py FILE`, by `make release`.

A small demo runs until its robots have a packed history; accounts have taken control of them, and stored a file.
"""

import asyncio
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.product.running import Product, product, until

ACCOUNTS = ("user", "dealer", "admin", "sub")
LONGEST_S = 600.0
LUSTRA = Path(sys.executable).with_name("lustra")


async def use(running: Product) -> None:
    for account in ACCOUNTS:
        async with running.console(account) as caller:
            for robot in list((await caller.devices()).values())[:2]:
                await caller("/device/takeControl", deviceId=robot["deviceId"])
                await caller("/device/releaseControl", deviceId=robot["deviceId"])
            await caller.form("/oss/upload", [("file", ("plan.txt", b"floor", "text/plain"))], targetPath="notes")

    async def packed() -> bool:
        return bool(await running.fetch("select 1 from chunk limit 1"))

    await until(packed, "a history that is packed", patience_s=LONGEST_S)


def main(path: Path) -> None:
    with product("--no-history", "--robots", "4") as running:
        running.start()
        running.wait()
        asyncio.run(use(running))
        subprocess.run([LUSTRA, "backup", path, "--data", running.folder], check=True)
    path.chmod(0o644)  # it holds a demo


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
