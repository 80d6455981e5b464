"""Payloads of the robot's voice: what it shall say."""

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import Payload

LONGEST = 500  # characters
LOUDEST = 10
Language = Literal["ar", "de", "en", "es", "fr", "ja", "ko", "nl", "zh-CN"]


def demand_letters(text: str) -> str:
    """Lines may end; other control characters are commands to some voices."""
    if any(unicodedata.category(letter) == "Cc" and letter not in "\n\r\t" for letter in text):
        raise PydanticCustomError("control_characters", "Text without control characters")
    return text


class Speech(Payload):
    """robot_speak {text, language, volume}: say this by your own voice, and show it on your tablet. Markup is no
    command to the voice. Refused in the quiet hours of the loaded map."""

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST),
        AfterValidator(demand_letters),
        doc("What it says, 1 to 500 characters, without control characters."),
    ]
    language: Annotated[Language, doc("Language that the text is in.")]
    volume: Annotated[
        Annotated[int, Field(ge=1, le=LOUDEST)] | None,
        doc("How loud, 1 to 10, this time alone; null: as loud as `volume` of its utilities, 0 shows it only."),
    ] = None
