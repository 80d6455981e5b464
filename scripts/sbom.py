"""What a bundle holds, for whoever must know: a CycloneDX 1.6 list of all packages with versions, licences and hashes.

https://cyclonedx.org/docs/1.6/json/. The same files make the same list: it bears no time and no random number.
"""

import base64
import hashlib
import json
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from house import ROOT
from make_licences import LICENCE_FILES, in_words
from packaging.utils import parse_wheel_filename

Component = dict[str, Any]


def describe_wheel(path: Path) -> Component:
    name, version, *_ = parse_wheel_filename(path.name)
    row = in_words(name, str(version))
    digest = {"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}
    return describe(f"pypi/{name}", str(version), row[2] if row else "", digest)


def describe_console(root: Path) -> Iterable[Component]:
    """The packages that the built console carries, by its lock file."""
    lock = json.loads((root / "console" / "package-lock.json").read_text("utf-8"))
    for path, package in lock["packages"].items():
        if path and not package.get("dev") and not package.get("optional"):
            name = path.rsplit("node_modules/", 1)[-1]
            licence = LICENCE_FILES.get(name, str(package.get("license", "")))
            kind, _, value = package["integrity"].partition("-")
            digest = {"alg": kind.upper().replace("SHA", "SHA-"), "content": base64.b64decode(value).hex()}
            yield describe(f"npm/{name}", package["version"], licence, digest)


def describe(place: str, version: str, licence: str, digest: dict[str, str]) -> Component:
    """`place`: registry and name, as `npm/react`."""
    purl = f"pkg:{place.replace('@', '%40')}@{version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": place.partition("/")[2],
        "version": version,
        "purl": purl,
        "hashes": [digest],
        "licenses": [{"license": {"name": licence or "not told"}}],
    }


def list_components(wheels: Iterable[Path], version: str, root: Path = ROOT) -> str:
    """The list as JSON. `wheels`: those of the bundle, Lustra's own among them."""
    described = [describe_wheel(path) for path in wheels if not path.name.startswith("lustra-")]
    components = {part["bom-ref"]: part for part in [*described, *describe_console(root)]}
    parts = [components[ref] for ref in sorted(components)]
    itself = {"type": "application", "bom-ref": "lustra", "name": "lustra", "version": version}
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(parts))}",
        "version": 1,
        "metadata": {"component": {**itself, "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": parts,
    }
    return json.dumps(bom, indent=1) + "\n"
