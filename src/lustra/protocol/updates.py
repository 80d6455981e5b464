"""Updates of a robot's software, and its configuration parameters: the server's orders, and the robot's progress. What
a robot trusts, and what it does with a package, is described in docs/updates.md."""

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
    """The package of one part of the robot."""

    part: Annotated[Part, Meta(description="Which part; `app`: that of its tablet.")]
    version: Annotated[Version, Meta(description="Version of the package.")]
    name: Annotated[str, Meta(max_length=256, description="Its target in the signed metadata.")] = ""
    url: Annotated[str, Meta(description="Signed URL of the package.")] = ""


class Update(msgspec.Struct, kw_only=True):
    """`install`: fetch the package, verify it by the signed metadata, and install it into the slot that is not
    running. `back`: start the other slot, which contains `version`. Neither while a task is running. `drop`: the order
    ends here, unless something of it is installed. `packages` replace `version`, `name` and `url`: all of them are
    installed together or none, and `back` starts the slot that contains these versions. A part that already runs its
    version need not be fetched."""

    number: Annotated[int, Meta(description="Number of the order.")]
    attempt: Annotated[int, Meta(description="Which attempt at this order it is.")]
    action: Annotated[Literal["install", "back", "drop"], Meta(description="What to do.")]
    version: Annotated[Version, Meta(description="Version to run afterwards.")] = ""
    name: Annotated[str, Meta(max_length=256, description="The package's target in the signed metadata.")] = ""
    metadata: Annotated[str, Meta(description="Signed URL below which the metadata is.")] = ""
    url: Annotated[str, Meta(description="Signed URL of the package.")] = ""
    until: Annotated[int, Meta(description="Start nothing after this, ms since 1970; 0: no end.")] = 0
    charging: Annotated[bool, Meta(description="Install only on the charger.")] = False
    packages: Annotated[list[UpdatePackage], Meta(max_length=3, description="Packages of several parts.")] = []


class UpdateProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with an update: `waiting` with a verified package for what `reason` says, `restarting` into
    the other slot, `confirmed` once it runs there and has reached the server, `fell_back` to the former slot, `failed`
    before it restarted."""

    number: Annotated[int, Meta(description="Number of the order.")]
    attempt: Annotated[int, Meta(description="Which attempt at this order it is.")]
    state: Annotated[UpdateState, Meta(description="How far it is.")]
    version: Annotated[Version, Meta(description="Version of the software that is running now.")]
    have: Annotated[int, Meta(ge=0, description="Bytes on its disk.")] = 0
    size: Annotated[int, Meta(ge=0, description="Bytes of all packages.")] = 0
    reason: Annotated[str, Meta(max_length=64, description="What it waits for, or why it failed.")] = ""
    versions: Annotated[dict[Part, Version], Meta(description="All versions that are running, by part.")] = {}


class Configuration(msgspec.Struct, kw_only=True):
    """All configuration parameters of the installation. Apply those that you know, all or none: if a value is invalid,
    refuse with `field` "values.<key>" and change nothing. A parameter that is no longer listed returns to your default.
    The same `revision` again changes nothing; another one replaces it, whichever number is higher."""

    revision: Annotated[int, Meta(ge=0, description="Number of this set; 0: there are no parameters.")]
    values: Annotated[dict[Key, str], Meta(description="The parameters, by their keys.")] = {}


class ConfigurationProgress(msgspec.Struct, kw_only=True):
    """A robot's receipt: the parameters of that revision are in force."""

    revision: Annotated[int, Meta(ge=0, description="Revision that is in force.")]
    state: Annotated[Literal["shown"], Meta(description="Always `shown`.")] = "shown"
    reason: Annotated[Literal[""], Meta(description="Always empty.")] = ""
    unknown: Annotated[list[Key], Meta(description="Keys that it does not know and ignored.")] = []
