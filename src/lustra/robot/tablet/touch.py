"""What a person does on the robot's tablet."""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from lustra.protocol.answers.tablet import TabletPage
from lustra.protocol.payloads.speech import Language

LANGUAGES: tuple[str, ...] = get_args(Language)


class Touch(BaseModel):
    """Any touch closes what there was to read. `page`: opens it; `language`: of the tablet; `order`: the robot obeys,
    `task` names what is to start."""

    model_config = ConfigDict(extra="forbid")

    page: TabletPage | None = None
    language: Language | None = None
    order: Annotated[Literal["start", "pause", "resume", "end", "charge"] | None, Field()] = None
    task: Annotated[str, StringConstraints(max_length=64)] = ""
