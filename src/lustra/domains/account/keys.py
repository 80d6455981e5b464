"""The permission keys and the preset roles: keys.json beside this file says which role holds which key."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ADMIN = 10
ORDINARY = 11
SOFTWARE = 13
HARDWARE = 14
MAKING = 15
DEALER = 16
AFTER_SALES = 17
OPERATIONS = 18
PRESETS = (ADMIN, ORDINARY, SOFTWARE, HARDWARE, MAKING, DEALER, AFTER_SALES, OPERATIONS)
STAFF = (SOFTWARE, HARDWARE, MAKING, AFTER_SALES, OPERATIONS)  # made by an admin only, with that admin's scope
ALWAYS = frozenset({"index"})  # the status page is always shown

# Pages that show what several calls tell: any of their keys opens these calls.
ONE_ROBOT = (
    "device/index",
    "device/info",
    "device/taskList",
    "device_control/index",
    "device/report",
    "device/repair",
    "device/hire",
    "device/ad",
    "log",
)
OWNERS = ("device/index", "device/deviceAmap", "device/report", "device/hire", "device/ad", "log", "user/index")
TYPES = (
    "device/index",
    "device/index/type_admin",
    "device/index/product/batch/index",
    "device/ad",
    "version/soft",
    "version/fireware",
)
BIG_SCREEN = "bigScreen"
MAPS = (
    "device/index",
    "device/maplist",
    "device/taskList",
    "device_control/index",
    "device/spotCheck",
    BIG_SCREEN,
)


@dataclass(frozen=True, slots=True)
class Key:
    """`kind`: page (the key is the path of a route) or button."""

    key: str
    kind: str
    roles: tuple[int, ...]
    sort: int


@cache
def catalogue() -> dict[str, Key]:
    entries = json.loads(Path(__file__).with_name("keys.json").read_text(encoding="utf-8"))
    return {
        entry["key"]: Key(entry["key"], entry["kind"], tuple(entry["roles"]), n) for n, entry in enumerate(entries, 1)
    }


def preset_keys(role: int) -> list[str]:
    return [key.key for key in catalogue().values() if role in key.roles]
