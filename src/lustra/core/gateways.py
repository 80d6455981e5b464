"""Gateways of vendors' channels: what goes out by SMS, by an official account or by push off the site is posted to the
operator's own gateway for it, which hands it to the vendor.

Rules: a channel without a gateway is refused, never dropped. What is posted is signed as a webhook is, and bears the
same id at each attempt, so that a gateway hands nothing over twice.
"""

from collections.abc import Mapping

from lustra.core.db import now
from lustra.core.http import outbound_http, outbound_post
from lustra.core.http.outbound_post import Outcome
from lustra.core.security import webhook_signature
from lustra.core.settings import Settings

REASONS = {  # by that of the attempt; without one there was an answer, and it was not the one that is hoped for
    "": "gateway_status",
    "certificate": "gateway_certificate",
    "inside": "gateway_inside",
    "redirected": "gateway_redirected",
    "timeout": "gateway_timeout",
    "unknown_host": "gateway_unknown_host",
    "unreachable": "gateway_unreachable",
}
CHANNELS = ("official_account", "sms", "off_site_push")


class Unfit(Exception):
    """The settings of the gateways cannot be used."""


def read_urls(settings: Settings) -> Mapping[str, str]:
    """By channel. Raises Unfit with a sentence."""
    urls: dict[str, str] = {}
    for part in filter(None, settings.alarm_gateways.split(",")):
        channel, _, url = part.strip().partition("=")
        if channel not in CHANNELS or not url.startswith(("https://", "http://")):
            raise Unfit(f"LUSTRA_ALARM_GATEWAYS: {part}: a channel ({', '.join(CHANNELS)}), = and its gateway's URL")
        urls[channel] = url
    if urls:
        _demand_secret(settings)
    return urls


def check_heartbeat(settings: Settings) -> None:
    """Raises Unfit with a sentence."""
    if not settings.heartbeat_url:
        return
    if not settings.heartbeat_url.startswith(("https://", "http://")):
        raise Unfit("LUSTRA_HEARTBEAT_URL is the URL that hears each minute that alarms would arrive")
    _demand_secret(settings)


def _demand_secret(settings: Settings) -> None:
    if not webhook_signature.fits(settings.alarm_gateway_secret):
        raise Unfit("LUSTRA_ALARM_GATEWAY_SECRET: whsec_ and at least 24 bytes in base64, which sign what is posted")


async def post(settings: Settings, url: str, key: str, body: bytes) -> Outcome:
    headers = webhook_signature.headers([settings.alarm_gateway_secret], key, round(now().timestamp()), body)
    return await outbound_post.send(url, headers, body, outbound_http.networks(settings.webhook_networks))
