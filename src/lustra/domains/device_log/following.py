"""Who read a robot's log as it was written: in the audit each time that somebody begins, and for the customer once an
hour where it was support (live/push/log_tail)."""

from lustra.core.audit_trail import audit
from lustra.core.context import Actor, Services
from lustra.domains.account.api import FOLLOW, support
from lustra.protocol.files import TextLogKind


async def record_following(
    app: Services, actor: Actor, address: str, look: support.Look, *, kind: TextLogKind, customer: int | None
) -> None:
    """`customer`: whose support access let the actor in; None: the actor is no support."""
    detail = {"deviceId": look.device_id, "name": look.name, "kind": kind}
    async with app.sessions.begin() as db:
        audit.write(db, actor, FOLLOW, address=address, detail=detail, device_id=look.device_id)
    if customer is not None:
        await support.record_looks(app.pool, actor, address, [(customer, look)])
