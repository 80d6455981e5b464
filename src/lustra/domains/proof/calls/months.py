"""/taskReport/month: all runs of a customer's month in one sealed document."""

from typing import Annotated

from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Raw, Wire, call
from lustra.core.wire import ScopeAccountId, doc
from lustra.domains.proof import month_document, month_mails, months
from lustra.domains.proof.calls.proofs import MEDIA, ProofForm
from lustra.domains.proof.records import VIEW


class MonthOfReports(Wire):
    month: Annotated[str, doc("The month, as 2026-10: runs count by the day of their robot's site.")] = Field(
        pattern="^(20|21)[0-9]{2}-(0[1-9]|1[0-2])$"
    )
    user_id: ScopeAccountId = None
    form: ProofForm = "pdf"


@call("/taskReport/month", needs=VIEW, raw="application/pdf,application/json", audit="report.month")
async def write_month(ctx: Ctx, payload: MonthOfReports) -> Raw:
    """Download all runs of a month, their sums and their sealed record."""
    sealed = await months.seal_month(ctx, payload.month, payload.user_id)
    content = await month_document.write(ctx, sealed) if payload.form == "pdf" else sealed.file
    return Raw(content, MEDIA[payload.form], f"report-{payload.month}.{payload.form}")


jobs.job("report.months", cron="5 12 * * *")(month_mails.enter_mails)
jobs.job(month_mails.SEND)(month_mails.send_month)
