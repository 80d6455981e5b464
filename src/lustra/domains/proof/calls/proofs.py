"""/taskReport: proof of a run, as a signed PDF or record; and whether such a file is as it was sealed."""

from datetime import datetime
from typing import Annotated, Literal

from cryptography import x509
from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Raw, Wire, call
from lustra.core.scope import shared
from lustra.core.wire import Id, doc
from lustra.domains.proof import document, envelope, mails, records, verify
from lustra.domains.proof.records import VIEW
from lustra.domains.proof.tables import ProofKey

MEDIA = {"pdf": "application/pdf", "json": "application/json"}
LONGEST = 1_000_000


ProofForm = Annotated[
    Literal["pdf", "json"], doc("A PDF with the record attached, in the reader's language; or the record alone.")
]


class ProofRef(Wire):
    task_report_id: Annotated[Id, doc("Number of the report.")]
    form: ProofForm = "pdf"


class FileToVerify(Wire):
    content: Annotated[str, doc("The file in base64, at most 1,000,000 characters.")] = Field(
        min_length=1, max_length=LONGEST
    )


class VerifiedFile(Wire):
    intact: Annotated[bool, doc("Whether every byte is as it was sealed.")]
    known: Annotated[bool, doc("Whether a key of this installation sealed it.")]
    part: Annotated[
        Literal["", "form", "content", "signature", "certificate"], doc("What is not as it was; empty: all is.")
    ]
    fingerprint: Annotated[str, doc("SHA-256 of the certificate that sealed it; empty: altered.")]
    position: Annotated[int, doc("Place in the chain of its robot and owner, from 1; 0: altered.")]
    sealed_time: Annotated[datetime | None, doc("When it was sealed; null: altered.")]
    task_name: Annotated[str, doc("Name of the task; empty: altered, or it has none.")]
    device_serial_number: Annotated[str, doc("Serial number of the robot; empty: altered.")]
    start_time: Annotated[datetime | None, doc("When the run began; null: altered.")]
    cleaned_area: Annotated[float, doc("What it cleaned, in m²; 0: altered.")]
    month: Annotated[str, doc("Of a document of a month, which, as 2026-10; empty: it is of a run, or altered.")]
    customer_name: Annotated[str, doc("Of a document of a month, whose; empty: it is of a run, or altered.")]


class PublishedKey(Wire):
    fingerprint: Annotated[str, doc("SHA-256 of the certificate.")]
    certificate: Annotated[str, doc("The certificate as a PEM.")]
    retired_time: Annotated[datetime | None, doc("Since when it seals no more; null: it does.")]


class PublishedKeys(Wire):
    list: Annotated[list[PublishedKey], doc("The keys of this installation, the newest first.")]


def _fingerprint(key: ProofKey) -> str:
    return envelope.fingerprint(x509.load_pem_x509_certificate(key.certificate.encode()))


@call("/taskReport/proof", needs=VIEW, raw="application/pdf,application/json", audit="report.proof")
async def prove_report(ctx: Ctx, payload: ProofRef) -> Raw:
    """Download the proof of a run; the first time, and after each change of the report, it is sealed."""
    sealed = await records.seal(ctx, payload.task_report_id)
    content = await document.write(ctx, sealed) if payload.form == "pdf" else sealed.file
    return Raw(content, MEDIA[payload.form], f"report-{payload.task_report_id}.{payload.form}")


@call("/taskReport/verifyProof", needs=VIEW)
async def verify_proof(ctx: Ctx, payload: FileToVerify) -> VerifiedFile:
    """Check whether a PDF or record is as it was sealed, and by whose key."""
    files = {"file": payload.content.encode()}
    result = await ctx.app.intake.read(ctx.actor.real_id, verify.check, files, field="content")
    keys = await ctx.db.scalars(shared.select(ProofKey))
    record = result["record"]
    report = record.get("report", record.get("sums", {}))
    return VerifiedFile(
        month=record.get("month", ""),
        customer_name=record.get("customer", ""),
        intact=result["intact"],
        known=result["fingerprint"] in {_fingerprint(key) for key in keys},
        part=result["part"],
        fingerprint=result["fingerprint"],
        position=record.get("position", 0),
        sealed_time=record.get("sealed"),
        task_name=report.get("taskName", ""),
        device_serial_number=report.get("deviceSerialNumber", ""),
        start_time=report.get("startTime"),
        cleaned_area=report.get("cleanedArea", 0.0),
    )


@call("/taskReport/proofKeys", needs=VIEW)
async def list_proof_keys(ctx: Ctx, _: Nothing) -> PublishedKeys:
    """List the keys that seal or have sealed proofs: their public halves stay for good."""
    keys = await ctx.db.scalars(shared.select(ProofKey).order_by(ProofKey.id.desc()))
    return PublishedKeys(
        list=[
            PublishedKey(fingerprint=_fingerprint(key), certificate=key.certificate, retired_time=key.retired_at)
            for key in keys
        ]
    )


jobs.job(mails.MAIL)(mails.enter_mails)
jobs.job(mails.SEND)(mails.send_report)
