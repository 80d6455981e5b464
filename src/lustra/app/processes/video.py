"""`lustra video`: takes pictures from robots, and passes them on."""

import uvloop

from lustra.app.opening import opened
from lustra.core.http import tls
from lustra.core.process import logs, metrics, watchdog
from lustra.core.settings import Settings
from lustra.video.hall import Hall
from lustra.video.process import server_config, working


async def serve(settings: Settings) -> None:
    metrics.open_page(settings)
    async with watchdog.reported(), opened(settings, "video") as services:
        hall = Hall(services, settings.folder / "video")
        async with working(hall):
            await tls.serve(server_config(services, hall), settings)


def main() -> None:
    logs.set_up("video")
    uvloop.run(serve(Settings.read()))
