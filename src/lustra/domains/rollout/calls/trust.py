"""/version: the signed metadata by which robots trust software."""

from typing import Annotated

from lustra.core.calls.rpc import PUBLIC, Ctx, Raw, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.wire import doc
from lustra.domains.rollout import orders, trust

NOT_FOUND = 404


class MetadataFile(Wire):
    link: Annotated[str, doc("What a robot was given with its order; good for a day.")]
    file: Annotated[str, doc("Name of the file, as clients of TUF ask for it.")]


@call("/version/metadata/{link}/{file}", method="GET", needs=PUBLIC, raw="application/json")
async def get_metadata(ctx: Ctx, payload: MetadataFile) -> Raw:
    """Send a file of the signed metadata; one that is not there is a 404, by which clients know the newest root."""
    claims = ctx.app.objects.links.read(payload.link)
    if claims is None or orders.PURPOSE not in claims:
        raise Refusal(Code.LINK_EXPIRED)
    content = await trust.load_file(ctx.db, payload.file)
    return Raw((content or "").encode(), "application/json", status=200 if content else NOT_FOUND)


@call("/version/root", method="GET", needs=PUBLIC, raw="application/json")
async def get_root(ctx: Ctx) -> Raw:
    """Send the newest root of trust, which robots are given when they are set up. It holds public keys alone."""
    content = await trust.load_root(ctx.db)
    if content is None:
        raise Refusal(Code.NOT_FOUND)
    return Raw(content.encode(), "application/json")
