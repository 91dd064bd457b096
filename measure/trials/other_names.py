"""A variant that calls its tools otherwise: `names.json` in its folder says how, tool by tool."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from census.errors import CensusError
from measure.utterances.utterance_set import Control, ToolName, Utterance

NAMES = "names.json"
_NAMES: TypeAdapter[dict[ToolName, ToolName]] = TypeAdapter(dict[ToolName, ToolName])


def other_names(folder: Path) -> dict[str, str]:
    """The names of a variant, by the set's; none without the file. Raises CensusError for a file that is none."""
    path = folder / NAMES
    try:
        names = _NAMES.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        raise CensusError(
            f'{path} cannot be read as names ({type(error).__name__}); write {{"the set\'s name": "the page\'s name"}}'
        ) from error
    if len(set(names.values())) < len(names):
        raise CensusError(f"{path} gives two tools one name: give each its own")
    return names


def by_other_names(said: Utterance | Control, names: Mapping[str, str]) -> Utterance | Control:
    """What is said, with the tools that it expects and needs before it by the names of a variant."""
    if not names:
        return said
    setup = tuple(call.model_copy(update={"tool": names.get(call.tool, call.tool)}) for call in said.setup)
    if isinstance(said, Control):
        return said.model_copy(update={"setup": setup})
    acceptable = tuple(names.get(each, each) for each in said.acceptable)
    return said.model_copy(update={"tool": names.get(said.tool, said.tool), "acceptable": acceptable, "setup": setup})
