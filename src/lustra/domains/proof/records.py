"""Records of runs: what a report says, chained to the record before of its robot and owner, and signed.

Rules: a report is sealed when somebody first asks for its proof, and again once it was changed or
another key seals; a record never changes.
What support may not see it cannot have sealed. Whoever verifies a record needs the file alone.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import text

from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import Device
from lustra.domains.map.api import load_version
from lustra.domains.proof import envelope, keys
from lustra.domains.proof.tables import ProofKey, ProofRecord
from lustra.domains.report.api import load_not_cleaned, load_report

VIEW = "device/report"  # key of who sees reports
LOCK = 7_104_018  # advisory lock of who seals
UTC = "UTC"  # where the robot is somebody's out of scope by now
FORM = 1  # version of the record
HIDDEN = {"taskReportId", "deviceId", "mapId", "ownerUserId", "closed", "map", "driven", "updateTime", "gid", "editor"}
PATCH = ("kind", "area", "at", "room", "code", "times")
AREAS = ("missedArea", "blockedArea", "unreachableArea")


@dataclass(frozen=True)
class Sealed:
    """A record, the key that sealed it, and the private half of that, which signs its PDF."""

    record: ProofRecord
    key: ProofKey
    private: str = field(repr=False)

    @property
    def file(self) -> bytes:
        return envelope.write(self.record.record, self.record.signature, self.key.certificate)


async def seal(ctx: Ctx, report_id: int) -> Sealed:
    """The record of the report as it is now. Refused while the run goes on, and to support that is kept out."""
    report = await load_report(ctx, report_id)
    if report["end"] == "running":
        raise Refusal(Code.BAD_INPUT, "taskReportId", reason="run_goes_on")
    if report["closed"]:
        await load_version(ctx, report["mapId"], None)  # refuses with whom to ask
    await ctx.db.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    key, private = await keys.signing_key(ctx.db, ctx.app.settings)
    known = ctx.scope.select(ProofRecord).where(
        ProofRecord.report_id == report_id,
        ProofRecord.report_updated == report["updateTime"],
        ProofRecord.key_id == key.id,
    )
    record = await ctx.db.scalar(known.order_by(ProofRecord.id.desc()).limit(1))
    return Sealed(record or await _add(ctx, report, key, private), key, private)


async def _add(ctx: Ctx, report: dict[str, Any], key: ProofKey, private: str) -> ProofRecord:
    of = {"device_id": report["deviceId"], "owner_id": report["ownerUserId"]}
    chain = ctx.scope.select(ProofRecord).where(*(getattr(ProofRecord, name) == value for name, value in of.items()))
    last = await ctx.db.scalar(chain.order_by(ProofRecord.position.desc()).limit(1))
    position, previous = (last.position + 1, last.hash) if last else (1, "")
    site = ctx.scope.select(Device.zone).where(Device.id == report["deviceId"])
    left = await load_not_cleaned(ctx, report["taskReportId"])
    content = envelope.write_canonical(
        {
            "form": FORM,
            "position": position,
            "previous": previous,
            "sealed": now().isoformat(timespec="seconds"),
            "zone": await ctx.db.scalar(site) or UTC,
            "report": {name: _plain(value) for name, value in report.items() if name not in HIDDEN},
            "notCleaned": describe_left(left),
        }
    )
    record = ProofRecord(
        **of,
        report_id=report["taskReportId"],
        report_updated=report["updateTime"],
        position=position,
        record=content,
        hash=envelope.digest(content),
        signature=envelope.sign(content, private),
        key_id=key.id,
    )
    ctx.db.add(record)
    await ctx.db.flush()
    return record


def describe_left(left: dict[str, Any]) -> dict[str, Any] | None:
    """The parts of an area that were left out and why; None where the robot does not say."""
    if not left["known"]:
        return None
    places = [{name: patch[name] for name in PATCH} for patch in left["list"]]
    return {"places": places, **{name: left[name] for name in AREAS}}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return {name: _plain(inner) for name, inner in value.items()} if isinstance(value, dict) else value
