"""Single sign-on by OpenID Connect, with the one provider that the settings name: authorization code flow with PKCE.

Its endpoints come from its discovery document and count only on the issuer's own host (or one of `oidc_hosts`), over
TLS unless on loopback; a redirect of theirs is not followed. An id_token proves who somebody is when one of the
provider's present keys signed it, for us, for this very log-in, and now. Who logs out of us may log out there too,
where the provider offers it (RP-initiated log-out), and comes back to our log-in page.
"""

import asyncio
import ssl
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
import structlog
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidClaimError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from pydantic import BaseModel

from lustra.core.errors import Code, Refusal
from lustra.core.settings import Settings

log = structlog.get_logger(__name__)

WELL_KNOWN = "/.well-known/openid-configuration"
CALLBACK = "/api/sso/callback"
LOGGED_OUT = "/login"  # the console's page that a log-out at the provider comes back to
# How we prove who we are.
BASIC = "client_secret_basic"
POST = "client_secret_post"
METADATA_LIFE_S = 3600  # how long a discovery document is believed
STEP_S = 5  # for each step of a request
ALL_S = 12  # for all that one log-in asks
LEEWAY_S = 30  # between the provider's clock and ours
LONGEST_SUBJECT = 255
KEY_TYPES = ("RSA", "EC")  # with the two below: whoever can check a token cannot make one
SIGNED = JWSRegistry(algorithms=[f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512)])
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Unfit(Exception):
    """The settings of the provider cannot be used."""


class Discovered(BaseModel):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    end_session_endpoint: str = ""
    token_endpoint_auth_methods_supported: list[str] = [BASIC]
    authorization_response_iss_parameter_supported: bool = False


class Keys(BaseModel):
    keys: list[dict[str, Any]]


class TokenResponse(BaseModel):
    id_token: str
    access_token: str | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Who logged in: the provider, its name for the person, and the token that said so."""

    issuer: str
    subject: str
    id_token: str = field(repr=False)


@contextmanager
def _refuse_faults() -> Generator[None]:
    """What goes wrong with the provider, as a refusal; the log says what it was."""
    try:
        yield
    except (AuthlibBaseError, JoseError) as why:
        log.warning("oidc.refused", why=repr(why))
        raise Refusal(Code.SSO_REFUSED) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError) as why:
        log.warning("oidc.provider", why=repr(why))
        raise Refusal(Code.SSO_PROVIDER) from None


class Provider:
    def __init__(self, settings: Settings) -> None:
        self.issuer = settings.oidc_issuer
        self.client_id, self.secret = settings.oidc_client_id, settings.oidc_client_secret
        self.back = settings.public_url.rstrip("/") + CALLBACK
        self.logged_out = settings.public_url.rstrip("/") + LOGGED_OUT
        self.origins = [_origin(self.issuer), *(f"https://{host.strip()}" for host in settings.oidc_hosts.split(","))]
        self.metadata: Discovered | None = None
        self.until = 0.0
        self.keys: KeySet | None = None

    async def leave(self, state: str, nonce: str, verifier: str) -> str:
        """The provider's URL to which the browser goes to log in."""
        with _refuse_faults():
            async with asyncio.timeout(ALL_S), self._client() as http:
                metadata = await self._discovered(http)
                url, _ = http.create_authorization_url(
                    metadata.authorization_endpoint, state=state, nonce=nonce, code_verifier=verifier
                )
                return str(url)

    async def person(self, code: str, issuer: str, nonce: str, verifier: str) -> Person:
        """Who logged in. `issuer`: who the answer says that it is from."""
        with _refuse_faults():
            async with asyncio.timeout(ALL_S), self._client() as http:
                metadata = await self._discovered(http)
                if issuer != metadata.issuer and (issuer or metadata.authorization_response_iss_parameter_supported):
                    raise Refusal(Code.SSO_REFUSED)
                if self.secret and BASIC not in metadata.token_endpoint_auth_methods_supported:
                    http.token_endpoint_auth_method = POST
                answer = await http.fetch_token(
                    metadata.token_endpoint, grant_type="authorization_code", code=code, code_verifier=verifier
                )
                tokens = TokenResponse.model_validate(answer)
                subject = await self._subject(http, metadata, tokens, nonce)
                return Person(metadata.issuer, subject, tokens.id_token)

    async def log_out(self, id_token: str) -> str | None:
        """Where the browser logs out at the provider; None: it offers nothing of the kind on a host that counts."""
        with _refuse_faults():
            async with asyncio.timeout(ALL_S), self._client() as http:
                endpoint = (await self._discovered(http)).end_session_endpoint
        if _origin(endpoint) not in self.origins:
            return None
        values = {
            "id_token_hint": id_token,
            "client_id": self.client_id,
            "post_logout_redirect_uri": self.logged_out,
        }
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(values)}"

    def _client(self) -> Any:
        """Any, because the library's class has no types."""
        return AsyncOAuth2Client(
            self.client_id,
            self.secret,
            scope="openid",
            redirect_uri=self.back,
            code_challenge_method="S256",
            timeout=STEP_S,
            verify=_authorities(),
        )

    async def _discovered(self, http: Any) -> Discovered:
        if self.metadata is None or time.monotonic() > self.until:
            metadata = Discovered.model_validate(await _json(http, self.issuer.rstrip("/") + WELL_KNOWN))
            if metadata.issuer.rstrip("/") != self.issuer.rstrip("/"):
                raise ValueError(f"the document is {metadata.issuer}'s")
            for url in (metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri):
                if _origin(url) not in self.origins:
                    raise ValueError(f"{url} is on another host than the issuer, and not in LUSTRA_OIDC_HOSTS")
            self.metadata, self.keys, self.until = metadata, None, time.monotonic() + METADATA_LIFE_S
        return self.metadata

    async def _subject(self, http: Any, metadata: Discovered, tokens: TokenResponse, nonce: str) -> str:
        token = await self._checked(http, metadata, tokens.id_token)
        claims = CodeIDToken(
            token.claims,
            token.header,
            {"iss": {"essential": True, "value": metadata.issuer}, "aud": {"essential": True, "value": self.client_id}},
            {"nonce": nonce, "client_id": self.client_id, "access_token": tokens.access_token},
        )
        claims.validate(leeway=LEEWAY_S)
        subject: str = claims["sub"]
        if not 0 < len(subject) <= LONGEST_SUBJECT:
            raise InvalidClaimError("sub")
        return subject

    async def _checked(self, http: Any, metadata: Discovered, token: str) -> jwt.Token:
        """A key that is not known yet, or no longer fits, may be a new one: keys are asked for once more."""
        try:
            return jwt.decode(token, self.keys or await self._keys(http, metadata), registry=SIGNED)
        except (InvalidKeyIdError, BadSignatureError):
            return jwt.decode(token, await self._keys(http, metadata), registry=SIGNED)

    async def _keys(self, http: Any, metadata: Discovered) -> KeySet:
        answer = Keys.model_validate(await _json(http, metadata.jwks_uri))
        usable = [key for key in answer.keys if key.get("kty") in KEY_TYPES and key.get("use", "sig") == "sig"]
        self.keys = KeySet.import_key_set({"keys": usable})
        return self.keys


@cache
def _authorities() -> ssl.SSLContext:
    """Those that this machine trusts; reading them costs more than a log-in."""
    return httpx2.create_ssl_context()


async def _json(http: Any, url: str) -> Any:
    answer = await http.request("GET", url, withhold_token=True)
    answer.raise_for_status()
    return answer.json()


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


@lru_cache(maxsize=4)
def _provider(settings: Settings) -> Provider:
    return Provider(settings)


def name(settings: Settings) -> str | None:
    """What the log-in page calls the provider, maybe nothing; None: there is none."""
    return settings.oidc_name if settings.oidc_issuer else None


def provider(settings: Settings) -> Provider:
    """The provider of the settings, with the configuration that was read from it before."""
    if not settings.oidc_issuer:
        raise Refusal(Code.SSO_OFF)
    return _provider(settings)


def check(settings: Settings) -> None:
    """What cannot work is refused at the start, not at the first log-in."""
    if not settings.oidc_issuer:
        return
    issuer = urlsplit(settings.oidc_issuer)
    if not issuer.hostname or not (
        issuer.scheme == "https" or (issuer.scheme == "http" and issuer.hostname in LOOPBACK)
    ):
        raise Unfit("LUSTRA_OIDC_ISSUER begins with https://")
    if issuer.query or issuer.fragment or issuer.username:
        raise Unfit("LUSTRA_OIDC_ISSUER is the issuer's plain URL")
    if not settings.oidc_client_id:
        raise Unfit("LUSTRA_OIDC_CLIENT_ID is the name under which the provider knows Lustra")
