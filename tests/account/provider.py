"""An OpenID provider of the tests' own, on a real socket: keeps the protocol strictly, and can be told to break it.

It hands out codes for one use, checks redirect URI, client secret and PKCE, and signs what the test says.
"""

import asyncio
import base64
import hmac
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import uvicorn
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

# known to this provider alone
CLIENT = "lustra-test"
SECRET = "client-secret"


def part(values: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).rstrip(b"=").decode()


def unsigned(claims: dict[str, Any]) -> str:
    return f"{part({'alg': 'none'})}.{part(claims)}."


class Provider:
    """`claims` and `sign` change what an id_token says and how; `metadata` what is discovered."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.keys: list[RSAKey] = []
        self.rotate()
        self.codes: dict[str, dict[str, str]] = {}
        self.claims: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        self.requests: list[str] = []
        self.logged_out: list[str] = []

    def rotate(self) -> None:
        """A new key in the place of the old ones."""
        self.keys = [RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig"})]

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "RS256", "kid": self.keys[0].kid}, claims, self.keys[0])

    def by_public_key(self, claims: dict[str, Any]) -> str:
        """HS256 with the public key as the shared secret, as if it were one."""
        signed = f"{part({'alg': 'HS256', 'kid': self.keys[0].kid})}.{part(claims)}"
        seal = hmac.new(self.keys[0].as_pem(private=False), signed.encode(), "sha256").digest()
        return f"{signed}.{base64.urlsafe_b64encode(seal).rstrip(b'=').decode()}"

    def log_in(self, url: str, subject: str) -> str:
        """What the browser does there: the URL that it is sent back to."""
        parameters = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert (parameters["response_type"], parameters["client_id"], parameters["scope"]) == ("code", CLIENT, "openid")
        assert parameters["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = parameters | {"sub": subject}
        return (
            parameters["redirect_uri"]
            + "?"
            + urlencode({"code": code, "state": parameters["state"], "iss": self.issuer})
        )

    def log_out(self, url: str) -> str:
        """What the browser does there: the URL that it is sent back to. Only who proves whom it means is logged out."""
        assert url.startswith(f"{self.issuer}/leave?")
        parameters = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        claims = jwt.decode(parameters["id_token_hint"], KeySet(self.keys)).claims
        assert (claims["iss"], claims["aud"], parameters["client_id"]) == (self.issuer, CLIENT, CLIENT)
        self.logged_out.append(claims["sub"])
        return parameters["post_logout_redirect_uri"]

    async def discovery(self, _: Request) -> Response:
        self.requests.append("discovery")
        return JSONResponse(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/jwks",
                "end_session_endpoint": f"{self.issuer}/leave",
            }
            | self.metadata
        )

    async def jwks(self, _: Request) -> Response:
        self.requests.append("jwks")
        return JSONResponse(KeySet(self.keys).as_dict(private=False))

    async def token(self, request: Request) -> Response:
        self.requests.append("token")
        form = await request.form()
        grant = self.codes.pop(str(form["code"]), None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if self.metadata.get("token_endpoint_auth_methods_supported") == ["client_secret_post"]:
            proven = (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)
        else:
            proven = request.headers.get("authorization") == f"Basic {basic}"
        if (
            grant is None
            or not proven
            or form["redirect_uri"] != grant["redirect_uri"]
            or create_s256_code_challenge(str(form["code_verifier"])) != grant["code_challenge"]
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        at = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": grant["sub"],
            "nonce": grant["nonce"],
            "iat": at,
            "exp": at + 60,
        } | self.claims
        return JSONResponse({"access_token": "unused", "token_type": "Bearer", "id_token": self.sign(claims)})


@asynccontextmanager
async def running(port: int) -> AsyncIterator[Provider]:
    provider = Provider(f"http://127.0.0.1:{port}")
    app = Starlette(
        routes=[
            Route("/.well-known/openid-configuration", provider.discovery),
            Route("/jwks", provider.jwks),
            Route("/token", provider.token, methods=["POST"]),
        ]
    )
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, lifespan="off"))
    served = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield provider
    server.should_exit = True
    await served
