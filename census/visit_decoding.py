"""Visit records read back in a seventh of the time that their models need: `build` reads millions.

A record in the evidence store was written from a valid model and is named by its digest, so it needs no second
validation. The classes here are made from the models, field by field, so that there is one description of a visit.
"""

import types
import typing
from datetime import datetime
from functools import cache
from typing import Any, cast

import msgspec
from pydantic import AwareDatetime, BaseModel, JsonValue

from census.visit import Visit


def decode_visit(text: bytes) -> Visit:
    """Read a visit's JSON text. It has the attributes of a `Visit`, not its methods of a pydantic model.

    Raises ValueError when the text is no record of a visit.
    """
    try:
        return cast(Visit, _decoder().decode(text))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        # JSON that the fast reader is stricter about; the model has the last word.
        return Visit.model_validate_json(text)


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(_struct(Visit))


@cache
def _struct(model: type[BaseModel]) -> type[msgspec.Struct]:
    """The model's fields and properties as a frozen struct."""
    required, optional = [], []
    for name, field in model.model_fields.items():
        kind = _type(field.annotation)
        if field.is_required():
            required.append((name, kind))
        else:
            optional.append((name, kind, field.default))
    properties = {name: value for name, value in vars(model).items() if isinstance(value, property)}
    return msgspec.defstruct(
        model.__name__,
        [*required, *optional],
        frozen=True,
        forbid_unknown_fields=model.model_config.get("extra") == "forbid",
        namespace=properties,
    )


def _type(annotation: Any) -> Any:
    if annotation is AwareDatetime:
        return datetime
    if annotation is JsonValue:
        return Any
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _struct(annotation)
    arguments = tuple(map(_type, typing.get_args(annotation)))
    if not arguments:
        return annotation
    origin = typing.get_origin(annotation)
    if origin in (types.UnionType, typing.Union):
        return typing.Union[arguments]  # noqa: UP007 -- made at run time
    return origin[arguments]
