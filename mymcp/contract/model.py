"""Base of every generated model."""

from pydantic import BaseModel, ConfigDict


class ContractModel(BaseModel):
    """A value that a contract describes: closed and frozen.

    Cross-field rules do not live here. They run beside the model (`reader.Reader`), so that one
    broken rule never hides the other faults of a value.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
