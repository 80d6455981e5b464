"""Payloads of the robot's parts and settings: utilities, disinfection, parameters, serial line, recordings."""

from typing import Annotated, Any

from pydantic import AliasChoices, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import Payload

HIGHEST_DOSE = 20  # ml/m²
LONGEST_RECORD = 300  # s


def spell_either(schema: dict[str, Any]) -> None:
    """The description has both spellings of the level, of which one is sent."""
    schema["properties"]["val"] = schema["properties"]["value"]
    schema["required"] = ["id"]


class Utility(Payload):
    """utils_ctrl {id, val} below protocol 3, {id, value} from it on: a utility's level. Either is understood."""

    model_config = ConfigDict(json_schema_extra=spell_either)

    id: Annotated[str, doc("Name of the utility, of utils_list.")]
    value: Annotated[
        float,
        Field(validation_alias=AliasChoices("value", "val")),
        doc("Level, from 0 (off) to its `max` of utils_list."),
    ]


class Dose(Payload):
    """disinfect_ctrl {speed_Value}: whole ml of disinfectant on each m² from now on; 0 sprays nothing."""

    speed_Value: Annotated[  # noqa: N815 - the robot's spelling
        int, Field(ge=0, le=HIGHEST_DOSE), doc("Disinfectant, ml/m², 0 to 20; 0: none.")
    ]


class Params(Payload):
    """robot_params_set {params}: some of those that robot_params_get tells. All are taken or none."""

    params: Annotated[dict[str, float], doc("New values by name, in the units and ranges of robot_params_get.")]

    @field_validator("params", mode="before")
    @classmethod
    def numbers(cls, params: Any) -> Any:
        if isinstance(params, dict) and any(isinstance(value, bool) for value in params.values()):
            raise PydanticCustomError("param_no_number", "A parameter is a number")
        return params


class Serial(Payload):
    """serial_control {isStart}: opens or closes the line to the wheels' controller; closed, the robot stands."""

    isStart: Annotated[bool, doc("True opens the line, false closes it.")]  # noqa: N815 - the robot's spelling

    @property
    def releases(self) -> bool:
        return self.isStart


class Record(Payload):
    """bag_record_trigger {seconds}: what the robot's sensors say from now on, as a ROS bag on its disk."""

    seconds: Annotated[int, Field(ge=1, le=LONGEST_RECORD), doc("For so long, s, 1 to 300.")] = 30
