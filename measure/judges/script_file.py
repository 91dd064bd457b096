"""The file of a scripted judge: for each user text what is said to it, answer by answer."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, RootModel, ValidationError

from census.errors import CensusError
from measure.judges.judge import Answer, Call, Judge
from measure.judges.scripted import Scripted


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class _Call(_Part):
    name: str
    arguments: JsonValue = {}


class _Said(_Part):
    calls: tuple[_Call, ...] = ()
    text: str = ""


class _Script(RootModel[dict[str, tuple[_Said, ...]]]):
    """`{"user text": [{"calls": [{"name": …, "arguments": …}], "text": …}, …]}`."""


def scripted_by(path: Path) -> Judge:
    """Make the judge of a script. Raises CensusError when the file cannot be read, or is no script."""
    try:
        script = _Script.model_validate_json(path.read_bytes()).root
    except OSError as error:
        raise CensusError(f"--judge scripted:{path}: {error.strerror}; name a file that is there") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise CensusError(
            f'{path}: {place}: {first["msg"]}; write {{"user text": [{{"calls": [{{"name": …, "arguments": …}}]}}]}}'
        ) from None
    answers = {
        text: [Answer(tuple(Call(call.name, call.arguments) for call in said.calls), said.text, None) for said in turns]
        for text, turns in script.items()
    }
    return Scripted(answers, f"scripted:{path.name}")
