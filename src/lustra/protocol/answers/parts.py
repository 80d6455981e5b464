"""Answers about the robot's parts and settings: utilities, disinfection, parameters, recordings."""

from typing import Annotated

from pydantic import Field

from lustra.protocol.answers.base import Done, Row
from lustra.protocol.doc import doc

UtilityId = Annotated[str, doc("Name of the utility.")]
Level = Annotated[float, doc("Level; 0: off.")]


class UtilityLevel(Row):
    """The level in the spelling of either protocol."""

    id: UtilityId
    val: Annotated[float, doc("Level, as robots below protocol 3 spell it.")]
    value: Level


class UtilityLevels(Done):
    list: Annotated[list[UtilityLevel], doc("What works now.")]


class UtilityRow(Row):
    id: UtilityId
    name: Annotated[str, doc("What it is called, in English.")]
    value: Level
    min: Annotated[float, doc("Lowest level.")]
    max: Annotated[float, doc("Highest level.")]
    tool: Annotated[bool, doc("It is a tool of cleaning: its run sets its level.")]


class Utilities(Done):
    list: Annotated[list[UtilityRow], doc("All that are fitted, each as it works now.")]


class UsualLevel(Row):
    id: UtilityId
    value: Level


class UsualLevels(Done):
    modes: Annotated[dict[str, list[UsualLevel]], doc("What a run begins with, by clean mode.")]
    list: Annotated[list[UsualLevel], doc("What a run in mode clean begins with.")]


class Disinfection(Done):
    running: Annotated[bool, doc("It sprays now.")]
    speed_Value: Annotated[float, doc("Disinfectant, ml/m².")]  # noqa: N815 - the robot's spelling
    liquid: Annotated[float, doc("Filling of the tank, %.")]
    liquid_ml: Annotated[int, doc("What is left in the tank, ml.")]
    area: Annotated[float, doc("What that will do for, m²; 0: nothing is sprayed.")]


class ParameterRange(Row):
    min: Annotated[float, doc("Least value.")]
    max: Annotated[float, doc("Greatest value.")]
    default: Annotated[float, doc("Value of a new robot.")]
    unit: Annotated[str, doc("Unit of the three.")]


class ChangedParameters(Done):
    params: Annotated[dict[str, float], doc("Values by name, in the units of `ranges`.")]


class Parameters(ChangedParameters):
    ranges: Annotated[dict[str, ParameterRange], doc("Those that may be set; the others show how the robot is built.")]
    configured: Annotated[list[str], doc("Names of those that the installation's configuration parameters set.")] = (
        Field(default_factory=list[str])
    )


class Recording(Done):
    name: Annotated[str, doc("Name of the file on the robot's disk.")]
    seconds: Annotated[int, doc("For so long, s.")]
