"""/ddi: hawkBit's device API, by which stock updaters ask for what their robot shall install. Its names, paths and
statuses are those of that API."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from pydantic import Field

from lustra.core.calls.rpc import PUBLIC, Ctx, Raw, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.rollout import ddi, orders
from lustra.protocol.updates import Part

JSON = "application/json"
POLL = "00:05:00"
OK = 200
UNKNOWN = 401
NOT_FOUND = 404
STATUSES: Mapping[ddi.Outcome, int] = {
    "foreign": UNKNOWN,
    "unknown": NOT_FOUND,
    "unreadable": 400,
    "stored": OK,
    "over": 410,
}
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


async def _chunk(ctx: Ctx, name: str, artifact: ddi.Artifact) -> dict[str, Any]:
    artifact = await ddi.complete_digests(ctx, artifact)
    link = {"href": orders.package_url(ctx.app, artifact.place)}
    file = {
        "filename": artifact.path.rsplit("/", 1)[-1],
        "hashes": {"sha1": artifact.sha1, "md5": artifact.md5, "sha256": artifact.sha256},
        "size": artifact.size,
        "_links": {"download": link, "download-http": link},
    }
    return {"part": CHUNKS[artifact.part], "version": artifact.version, "name": name, "artifacts": [file]}


@call("/ddi/{tenant}/controller/v1/{controller}", method="GET", needs=PUBLIC, raw=JSON)
async def get_ddi_target(ctx: Ctx, payload: DdiTarget) -> Raw:
    """Answer how often a robot shall ask, and whether there is something to install or to say of itself."""
    target = await ddi.find_target(ctx, payload.controller)
    if target is None:
        return _json({}, UNKNOWN)
    links: dict[str, Any] = {}
    if target.is_new:
        links["configData"] = {"href": f"{_own_url(ctx, payload)}/configData"}
    if target.due:
        links["deploymentBase"] = {"href": f"{_own_url(ctx, payload)}/deploymentBase/{target.due.action}"}
    return _json({"config": {"polling": {"sleep": POLL}}, "_links": links})


@call("/ddi/{tenant}/controller/v1/{controller}/configData", method="PUT", needs=PUBLIC, raw=JSON)
async def put_ddi_attributes(ctx: Ctx, payload: DdiAttributes) -> Raw:
    """Store what a robot says of itself."""
    return _json({}, OK if await ddi.store_attributes(ctx, payload.controller, payload.data) else UNKNOWN)


@call("/ddi/{tenant}/controller/v1/{controller}/deploymentBase/{action}", method="GET", needs=PUBLIC, raw=JSON)
async def get_ddi_deployment(ctx: Ctx, payload: DdiAction) -> Raw:
    """Answer which package a robot shall install, with its digests and a link that opens it for a day."""
    target = await ddi.find_target(ctx, payload.controller, payload.action)
    if target is None:
        return _json({}, UNKNOWN)
    due = target.due
    if due is None or not await ddi.begin(ctx, due):
        return _json({}, NOT_FOUND)
    chunks = [await _chunk(ctx, due.name, artifact) for artifact in due.artifacts]
    # A robot that shall install on its charger alone knows best when it is there.
    way = "attempt" if due.charging else "forced"
    return _json({"id": str(due.action), "deployment": {"download": "forced", "update": way, "chunks": chunks}})


@call(
    "/ddi/{tenant}/controller/v1/{controller}/deploymentBase/{action}/feedback",
    needs=PUBLIC,
    raw=JSON,
)
async def send_ddi_feedback(ctx: Ctx, payload: DdiFeedback) -> Raw:
    """Store how far a robot is; 410 once nobody waits for it any more."""
    status = payload.status
    feedback = ddi.Feedback(status.execution, status.result.finished, status.details)
    return _json({}, STATUSES[await ddi.store_feedback(ctx, payload.controller, payload.action, feedback)])
