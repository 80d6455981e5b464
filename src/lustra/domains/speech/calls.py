"""/tencent: text to speech. Its token is a field of the form, as the specification has it; nothing is stored."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, SecretStr, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core import texts
from lustra.core.calls.rpc import SESSION, Ctx, Raw, Wire, call
from lustra.core.wire import doc
from lustra.domains.speech import service
from lustra.protocol.payloads.speech import LONGEST, demand_letters

SHORT = {"zh": "zh-CN"}


def _full_name(language: object) -> object:
    return SHORT.get(language, language) if isinstance(language, str) else language


def _known(language: str) -> str:
    if language not in texts.LANGUAGES:
        raise PydanticCustomError("choice", "Not one of the languages")
    return language


class SpokenText(Wire):
    token: Annotated[SecretStr, doc("Token of the log-in, where no header carries it.")] = SecretStr("")
    content: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST),
        AfterValidator(demand_letters),
        doc("What is read aloud, 1 to 500 characters, without control characters; markup is read as it stands."),
    ]
    language: Annotated[
        str,
        BeforeValidator(_full_name),
        AfterValidator(_known),
        doc("Language that it is in: ar, de, en, es, fr, ja, ko, nl or zh-CN (also zh)."),
    ]


@call("/tencent/ttsUrl", needs=SESSION, raw="audio/*", audit="speech.listen", form_token=True)
async def read_aloud(ctx: Ctx, payload: SpokenText) -> Raw:
    """Read a text aloud: a sound, to be heard where it was asked for."""
    sound, kind = await service.read_aloud(ctx, payload.content, payload.language)
    return Raw(sound, kind, headers={"cache-control": "no-store"})
