"""Looks every few minutes how much room the disk has on which files lie."""

from lustra.core import events
from lustra.core.context import Services
from lustra.core.files import disk
from lustra.domains.storage.events import DiskMeasured


async def measure_disk(app: Services) -> None:
    folder, reserve_mb = app.objects.folder, app.objects.reserve_mb
    if folder is None or not reserve_mb:
        return
    space = disk.measure_space(folder, reserve_mb)
    async with app.sessions.begin() as db:
        await events.emit(db, DiskMeasured(space.free, space.reserve))
