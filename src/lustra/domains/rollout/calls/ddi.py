"""/ddi: hawkBit's device API, by which stock updaters ask for what their robot shall install. Its names, paths and
statuses are those of that API."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from pydantic import Field

from lustra.core.calls.rpc import PUBLIC, Ctx, Raw, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.rollout import ddi, orders
from lustra.domains.version.api import VersionFile
from lustra.protocol.updates import Part

JSON = "application/json"
POLL = "00:05:00"
UNKNOWN = 401
BAD = 400
NOT_FOUND = 404
OVER = 410
LONGEST_WORD = 32


class DdiTarget(Wire):
    tenant: Annotated[str, doc("Any word: the token says whose robot it is.")] = Field(max_length=64)
    controller: Annotated[str, doc("Serial number of the robot.")] = Field(max_length=64)


class DdiAction(DdiTarget):
    action: Annotated[Id, doc("What the robot was given to do.")]


class DdiAttributes(DdiTarget):
    data: Annotated[dict[str, str], doc("What the robot says of itself; the first 64 are stored.")] = Field(
        default_factory=dict[str, str]
    )


class DdiResult(Wire):
    finished: Annotated[str, doc("success, failure or none.")] = Field("none", max_length=LONGEST_WORD)


def _no_result() -> DdiResult:
    return DdiResult.model_validate({})


class DdiStatus(Wire):
    execution: Annotated[
        str, doc("download, downloaded, proceeding, scheduled, resumed, closed, rejected or canceled.")
    ] = Field("", max_length=LONGEST_WORD)
    result: Annotated[DdiResult, doc("How it ended, once it is closed.")] = Field(default_factory=_no_result)
    details: Annotated[list[str], doc("What the updater says of it, in its own words.")] = Field(
        default_factory=list[str]
    )


def _no_status() -> DdiStatus:
    return DdiStatus.model_validate({})


class DdiFeedback(DdiAction):
    status: Annotated[DdiStatus, doc("How far the robot is.")] = Field(default_factory=_no_status)


CHUNKS: Mapping[Part, str] = {"software": "os", "firmware": "firmware", "app": "bApp"}  # as hawkBit calls them


def _json(content: dict[str, Any], status: int = 200) -> Raw:
    headers = {"cache-control": "no-store"} | ({"www-authenticate": ddi.SCHEME.strip()} if status == UNKNOWN else {})
    return Raw(msgspec.json.encode(content), JSON, headers=headers, status=status)


def _own_url(ctx: Ctx, target: DdiTarget) -> str:
    return f"{ctx.app.settings.public_url.rstrip('/')}/api/ddi/{target.tenant}/controller/v1/{target.controller}"


async def _chunk(
    ctx: Ctx, deployment: ddi.Deployment, part: Part, version: str, package: VersionFile
) -> dict[str, Any]:
    package = await ddi.complete_digests(ctx.app, ctx.db, package)
    link = {"href": orders.package_url(ctx.app, package.place)}
    artifact = {
        "filename": package.path.rsplit("/", 1)[-1],
        "hashes": {"sha1": package.sha1, "md5": package.md5, "sha256": package.sha256},
        "size": package.size,
        "_links": {"download": link, "download-http": link},
    }
    return {"part": CHUNKS[part], "version": version, "name": deployment.rollout.name, "artifacts": [artifact]}


@call("/ddi/{tenant}/controller/v1/{controller}", method="GET", needs=PUBLIC, raw=JSON)
async def get_ddi_target(ctx: Ctx, payload: DdiTarget) -> Raw:
    """Answer how often a robot shall ask, and whether there is something to install or to say of itself."""
    token = await ddi.identify(ctx.db, ctx.headers, payload.controller)
    if token is None:
        return _json({}, UNKNOWN)
    ddi.touch(token)
    links: dict[str, Any] = {}
    if not token.attributes:
        links["configData"] = {"href": f"{_own_url(ctx, payload)}/configData"}
    if deployment := await ddi.find_due(ctx.db, token.device_id):
        links["deploymentBase"] = {"href": f"{_own_url(ctx, payload)}/deploymentBase/{deployment.row.id}"}
    return _json({"config": {"polling": {"sleep": POLL}}, "_links": links})


@call("/ddi/{tenant}/controller/v1/{controller}/configData", method="PUT", needs=PUBLIC, raw=JSON)
async def put_ddi_attributes(ctx: Ctx, payload: DdiAttributes) -> Raw:
    """Store what a robot says of itself."""
    token = await ddi.identify(ctx.db, ctx.headers, payload.controller)
    if token is None:
        return _json({}, UNKNOWN)
    ddi.store_attributes(token, payload.data)
    return _json({})


@call("/ddi/{tenant}/controller/v1/{controller}/deploymentBase/{action}", method="GET", needs=PUBLIC, raw=JSON)
async def get_ddi_deployment(ctx: Ctx, payload: DdiAction) -> Raw:
    """Answer which package a robot shall install, with its digests and a link that opens it for a day."""
    token = await ddi.identify(ctx.db, ctx.headers, payload.controller)
    if token is None:
        return _json({}, UNKNOWN)
    deployment = await ddi.find_due(ctx.db, token.device_id, payload.action)
    if deployment is None:
        return _json({}, NOT_FOUND)
    ddi.begin(deployment)
    chunks = [await _chunk(ctx, deployment, part, version, package) for part, version, package in deployment.packages]
    # A robot that shall install on its charger alone knows best when it is there.
    way = "attempt" if deployment.rollout.charging else "forced"
    action = {"download": "forced", "update": way, "chunks": chunks}
    return _json({"id": str(deployment.row.id), "deployment": action})


@call(
    "/ddi/{tenant}/controller/v1/{controller}/deploymentBase/{action}/feedback",
    needs=PUBLIC,
    raw=JSON,
)
async def send_ddi_feedback(ctx: Ctx, payload: DdiFeedback) -> Raw:
    """Store how far a robot is; 410 once nobody waits for it any more."""
    token = await ddi.identify(ctx.db, ctx.headers, payload.controller)
    if token is None:
        return _json({}, UNKNOWN)
    row = await ddi.find_action(ctx.db, token.device_id, payload.action)
    if row is None:
        return _json({}, NOT_FOUND)
    status = payload.status
    feedback = ddi.Feedback(status.execution, status.result.finished, status.details)
    stored = await ddi.store_feedback(ctx.db, token, row, feedback)
    return _json({}, BAD if stored is None else 200 if stored else OVER)
