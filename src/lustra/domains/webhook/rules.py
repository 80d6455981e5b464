"""What may be entered of a webhook. The same rules hold in the console."""

from typing import Annotated

from pydantic import StringConstraints

from lustra.core.http.addresses import POSTED

Address = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), POSTED]
Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
