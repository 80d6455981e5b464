"""Answers NATS' question "who is this?" for robots, native or MQTT.

Rules: a robot logs in with its serial number and its password, into the account of robots; it may publish what robots
say and its answers, and subscribe to its own commands only; our own users are static and never asked about; every
question gets an answer, a refusal too, which is noted; the answer is a user token of limited life, signed by our
account key.
"""

import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Any

import nkeys
from nats.aio.client import Client
from nats.aio.msg import Msg

from lustra.gate import jwt
from lustra.gate.floods import Floods
from lustra.gate.refusals import Refusals
from lustra.protocol.subjects import ROBOTS_ACCOUNT, SERIAL, answers, spoken, token

LIFE_S = 24 * 3600  # NATS ends the connection then: the back-stop of revocation
LARGEST = 262_144  # bytes of one message of a robot


def rights(sn: str, *, mqtt: bool) -> dict[str, Any]:
    """What a robot may touch: each subject that it may publish by its name, and none that anybody in its account may
    subscribe to.

    MQTT: "robots/<sn>/cmd/#" also means its parent, so both subjects are needed; QoS 1 is delivered on $MQTT.sub.>. A
    native client must not have that: it would read what is delivered to others. (MQTT clients are refused that topic.)
    Native: `resp` lets it answer each command once. Commands come from another account, so that their reply subject is
    one that the bus has made up for this one answer.
    """
    commands = f"robots.{token(sn)}.cmd"
    if mqtt:
        subscribe = [commands, f"{commands}.>", "$MQTT.sub.>"]
        return {"pub": {"allow": [*spoken(sn), *answers(sn)]}, "sub": {"allow": subscribe}}
    return {
        "pub": {"allow": spoken(sn)},
        "sub": {"allow": [f"{commands}.>"]},
        "resp": {"max": 1, "ttl": 60_000_000_000},
    }


class Callout:
    """`password_of` gives the SHA-256 (hex) of a robot's password: it is random, so no slow hash is needed."""

    def __init__(
        self, issuer: nkeys.KeyPair, password_of: Callable[[str], str | None], refusals: Refusals, floods: Floods
    ) -> None:
        self.issuer, self.password_of, self.refusals, self.floods = issuer, password_of, refusals, floods

    async def open(self, link: Client) -> None:
        await link.subscribe("$SYS.REQ.USER.AUTH", queue="gate", cb=self.answer)
        await link.subscribe("gate.ready", cb=ready)

    async def answer(self, question: Msg) -> None:
        request = jwt.decode(question.data)["nats"]
        reply: dict[str, Any] = {"type": "authorization_response", "version": 2}
        if sn := self.authenticate(request["connect_opts"], request["client_info"]):
            user = {"sub": request["user_nkey"], "aud": ROBOTS_ACCOUNT, "name": sn, "exp": int(time.time()) + LIFE_S}
            mqtt = request["client_info"].get("type") == "mqtt"
            limits = {
                "subs": 20,
                "data": -1,
                "payload": LARGEST,
                "type": "user",
                "version": 2,
                "allowed_connection_types": ["MQTT" if mqtt else "STANDARD"],
            }
            reply["jwt"] = jwt.encode(user | {"nats": rights(sn, mqtt=mqtt) | limits}, self.issuer)
        else:
            self.refusals.note(request["connect_opts"].get("user", ""))
            reply["error"] = "unknown robot or wrong password"
        claims = {"sub": request["user_nkey"], "aud": request["server_id"]["id"], "nats": reply}
        await question.respond(jwt.encode(claims, self.issuer).encode())

    def authenticate(self, options: dict[str, Any], client: dict[str, Any]) -> str:
        """The serial number, or "". An MQTT client id must be it too: another's would end its session."""
        sn, password = options.get("user", ""), options.get("pass", "")
        expected = self.password_of(sn)
        own_session = client.get("type") != "mqtt" or client.get("mqtt_id") == sn
        proof = hashlib.sha256(password.encode()).hexdigest()
        proven = expected is not None and hmac.compare_digest(expected, proof)
        return sn if proven and own_session and SERIAL.fullmatch(sn) and not self.floods.shut_out(sn) else ""


async def ready(question: Msg) -> None:
    await question.respond(b"yes")
