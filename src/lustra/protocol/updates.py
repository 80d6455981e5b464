"""Updates of a robot's software and its configuration parameters: what the server orders, and what the robot says of
them. What a robot trusts, and what it does with a package, is described in docs/updates.md."""

from typing import Annotated, Literal
from urllib.parse import quote, unquote

import msgspec
from msgspec import Meta

UpdateState = Literal[
    "downloading",
    "verifying",
    "waiting",
    "installing",
    "restarting",
    "confirmed",
    "fell_back",
    "failed",
    "dropped",
]
Part = Literal["software", "firmware", "app"]
PARTS: tuple[Part, ...] = ("software", "firmware", "app")
PACKAGE_KINDS = ("soft", "firmware", "app")  # with which the path of a package begins
Version = Annotated[str, Meta(max_length=100)]
LARGEST_CONFIGURATION = 32 << 10  # bytes of all keys and values together
Key = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,100}$")]


def target_path(kind: str, type_name: str, number: int | str) -> str:
    """Under which signed metadata lists a package for robots of a type: its path says who may sign it."""
    return f"{kind}/{quote(type_name, safe='')}/{number}"


def type_of_path(path: str) -> str:
    """The type of robots that a package is for by its path; empty: a name of before, which says none."""
    parts = path.split("/")
    return unquote(parts[1]) if len(parts) == 3 else ""  # noqa: PLR2004  kind, type, number


class UpdatePackage(msgspec.Struct, kw_only=True):
    """Of one part of the robot: target `name` of the signed metadata, at the signed URL. `app`: that of its tablet."""

    part: Part
    version: Version
    name: Annotated[str, Meta(max_length=256)] = ""
    url: str = ""


class Update(msgspec.Struct, kw_only=True):
    """`install`: fetch the package at the signed URL, check it as target `name` of the signed metadata below the URL
    `metadata`, and install it into the slot that is not running. `back`: start the other slot, which holds `version`.
    Either way not while a task runs, with `charging` only on the charger, and not after `until` (ms). `drop`: do not,
    if nothing of it is installed yet. With `packages` it is about these in place of `version`, `name` and `url`: all of
    them are installed together or none, and `back` starts the slot that holds these versions. A part that runs its
    version already need not be fetched. An order has a `number`, which a later `attempt` at it keeps; what is said of
    it carries both."""

    number: int
    attempt: int
    action: Literal["install", "back", "drop"]
    version: Version = ""
    name: Annotated[str, Meta(max_length=256)] = ""
    metadata: str = ""
    url: str = ""
    until: int = 0
    charging: bool = False
    packages: Annotated[list[UpdatePackage], Meta(max_length=3)] = []


class UpdateProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with it: `waiting` with a package that it has checked for what `reason` says, `restarting`
    into the other slot, `confirmed` once it runs there and has reached the server, `fell_back` to the slot that ran
    before, `failed` before it restarted. `have` of `size` bytes are on its disk. `version`: the software
    that it runs now; `versions`: all that runs, by part."""

    number: int
    attempt: int
    state: UpdateState
    version: Version
    have: Annotated[int, Meta(ge=0)] = 0
    size: Annotated[int, Meta(ge=0)] = 0
    reason: Annotated[str, Meta(max_length=64)] = ""
    versions: dict[Part, Version] = {}


class Configuration(msgspec.Struct, kw_only=True):
    """All configuration parameters of the installation, by their keys. Take those that you know, all or none: refuse
    with `field` "values.<key>" where the value of one is bad, and keep what you had. One that you took before and that
    is no longer among them has your own default again. The same `revision` again changes nothing; another one takes its
    place, whichever number is higher. Revision 0: there are none."""

    revision: Annotated[int, Meta(ge=0)]
    values: dict[Key, str] = {}


class ConfigurationProgress(msgspec.Struct, kw_only=True):
    """A robot's receipt: the parameters of that revision are in force. `unknown`: keys that it does not know, and
    passed over."""

    revision: Annotated[int, Meta(ge=0)]
    state: Literal["shown"] = "shown"
    reason: Literal[""] = ""
    unknown: list[Key] = []
