"""A text read aloud: by a vendor's voice where the operator has set its gateway, else by espeak-ng on this machine.

Rules: one person has so many texts a minute; without either voice that is said. Nothing of it is stored.
"""

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.http.minute_limit import MinuteLimit
from lustra.domains.speech import espeak, gateway

MOST_A_MINUTE = 20
LIMIT = MinuteLimit(MOST_A_MINUTE)
WAV = "audio/wav"


async def read_aloud(ctx: Ctx, text: str, language: str) -> tuple[bytes, str]:
    """The sound and its media type."""
    LIMIT.count(str(ctx.actor.real_id))
    if ctx.app.settings.speech_gateway:
        return await gateway.read_aloud(ctx.app.settings, text, language)
    if not espeak.installed():
        raise Refusal(Code.SPEECH_OFF)
    espeak.demand_readable(text, language)
    files = {"text": text.encode()}
    return await ctx.app.intake.read(ctx.actor.real_id, espeak.read_aloud, files, language, field="content"), WAV
