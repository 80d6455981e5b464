"""/world: the borders that the operator lays over the land of the map of the world, which comes without any.

`map/countries.geojson` and `map/provinces.geojson` in the data folder. Borders are a matter of law in some countries,
and no set of China's provinces comes under a licence that lets us ship it: so both are the operator's to choose.
"""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import structlog

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import doc
from lustra.domains.account.api import keys

log = structlog.get_logger(__name__)

LARGEST = 20 << 20  # bytes


class Layers(Wire):
    """GeoJSON FeatureCollections in WGS 84. A feature's `properties.name` is its label."""

    countries: Annotated[dict[str, object] | None, doc("Borders of countries; null: the installation has none.")]
    provinces: Annotated[dict[str, object] | None, doc("Borders of provinces; null: the installation has none.")]


class _Collection(msgspec.Struct):
    type: Literal["FeatureCollection"]
    features: list[msgspec.Raw]


def _read(path: Path) -> msgspec.Raw | None:
    """A file that is no FeatureCollection is as good as none, and said in the log."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST)  # the rest of a larger one is missing, so it cannot be read
        msgspec.json.decode(content, type=_Collection)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as why:
        log.warning("world.layer", file=str(path), why=str(why))
        return None
    return msgspec.Raw(content)


@call("/world/layers", needs=("device/deviceAmap", keys.BIG_SCREEN))
async def layers(ctx: Ctx) -> Fast[Layers]:
    """Show the borders that the operator put into the installation."""
    folder = ctx.app.settings.folder / "map"
    names = ("countries", "provinces")
    collections = await asyncio.gather(*(asyncio.to_thread(_read, folder / f"{name}.geojson") for name in names))
    return Fast(dict(zip(names, collections, strict=True)))
