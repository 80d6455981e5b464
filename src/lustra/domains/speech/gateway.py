"""Another vendor's voice: the operator's own gateway to it (LUSTRA_SPEECH_GATEWAY) is posted a text and answers its
sound.

Rules: what is posted is signed as a webhook is; an answer is 2xx with a media type `audio/…`, at most LARGEST; all else
has failed, and says how.
"""

import json
from uuid import uuid4

from lustra.core import gateways
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.http import outbound_http, outbound_post
from lustra.core.security import webhook_signature
from lustra.core.settings import Settings

LARGEST = 16 << 20  # bytes of sound
SOUND = "audio/"


def demand_settings(settings: Settings) -> None:
    """Raises gateways.Unfit, with a sentence, where the settings of speech are incomplete."""
    if not settings.speech_gateway:
        return
    if not settings.speech_gateway.startswith(("https://", "http://")):
        raise gateways.Unfit("LUSTRA_SPEECH_GATEWAY is the URL of the gateway to a vendor's voice")
    if not webhook_signature.fits(settings.speech_gateway_secret):
        raise gateways.Unfit("LUSTRA_SPEECH_GATEWAY_SECRET: whsec_ and at least 24 bytes in base64, which sign texts")


async def read_aloud(settings: Settings, text: str, language: str) -> tuple[bytes, str]:
    """The sound and its media type."""
    key = str(uuid4())
    body = json.dumps({"id": key, "language": language, "text": text}).encode()
    signed = webhook_signature.headers([settings.speech_gateway_secret], key, round(now().timestamp()), body)
    networks = outbound_http.networks(settings.webhook_networks)
    answer = await outbound_post.send(settings.speech_gateway, signed, body, networks, longest=LARGEST + 1)
    if not answer.delivered:
        raise Refusal(Code.SPEECH_FAILED, reason=gateways.REASONS[answer.reason])
    if not answer.kind.startswith(SOUND) or not 0 < len(answer.body) <= LARGEST:
        raise Refusal(Code.SPEECH_FAILED, reason="speech_no_sound")
    return answer.body, answer.kind
