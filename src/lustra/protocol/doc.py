"""How a field of a model is described: each says what it means, with its unit and range (check descriptions)."""

from typing import Any

from pydantic import Field


def doc(text: str) -> Any:
    """What a field means, with its unit and range: its description in the OpenAPI. For `Annotated`."""
    return Field(description=text)
