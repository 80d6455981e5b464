"""Servers that WebRTC needs behind a firewall or NAT: STUN says which address one has, TURN passes packets on.

Rule: a TURN server that shares a secret with us (coturn: `use-auth-secret`) gets a name that is over after an hour and
the secret's signature of it, so no password reaches a browser that opens it for longer.
"""

import base64
import hmac
import time
from dataclasses import dataclass
from string import whitespace

from lustra.core import gateways
from lustra.core.settings import Settings, split_urls

LIFE_S = 3600
SCHEMES = ("stun:", "turn:", "turns:")


@dataclass(frozen=True, slots=True)
class IceServer:
    urls: str
    username: str | None = None
    credential: str | None = None


def demand_settings(settings: Settings) -> None:
    """Raises gateways.Unfit, with a sentence, where the settings of WebRTC are incomplete."""
    media = [settings.video_whip_url, settings.video_whep_url]
    if any(media) and not all(url.startswith(("https://", "http://")) and "{stream}" in url for url in media):
        raise gateways.Unfit("LUSTRA_VIDEO_WHIP_URL and LUSTRA_VIDEO_WHEP_URL are both URLs with {stream} in them")
    urls = split_urls(settings.video_ice)
    if not all(url.startswith(SCHEMES) and not set(url) & set(whitespace) for url in urls):
        raise gateways.Unfit("LUSTRA_VIDEO_ICE lists stun:, turn: and turns: URLs, separated by commas")
    if any(url.startswith("turn") for url in urls) and not settings.video_turn_secret:
        raise gateways.Unfit(
            "LUSTRA_VIDEO_TURN_SECRET is the secret that the TURN server of LUSTRA_VIDEO_ICE shares with us"
        )


def list_servers(settings: Settings, who: str) -> list[IceServer]:
    """`who`: whom the name is made for, for the log of the TURN server."""
    urls = split_urls(settings.video_ice)
    name = f"{int(time.time()) + LIFE_S}:{who}"
    signature = base64.b64encode(hmac.digest(settings.video_turn_secret.encode(), name.encode(), "sha1")).decode()
    return [IceServer(url, name, signature) if url.startswith("turn") else IceServer(url) for url in urls]
