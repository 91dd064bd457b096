"""What an utterance expects of arguments: whether it is well written, and whether the tool could ever get it.

Expected arguments are those of the evals (`measure.evals.expected`): objects hold of more than they say, arrays of
equals, and an operator (`{"$contains": …}`) may stand in the place of any value. `$from` and `$ref` have no place here:
an utterance has no earlier results and no definitions.
"""

from collections.abc import Iterator

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.expected import FROM, REF, faults
from measure.evals.json_values import escaped
from measure.evals.lint_arguments import argument_findings
from measure.lint.manifest import ManifestTool


def misfits(arguments: dict[str, JsonValue], tool: ManifestTool | None) -> list[str]:
    """Say what is wrong with expected arguments as they are written; if nothing, what the tool's schema rules out.

    Members that the schema requires may be missing from an expectation. A schema that is none rules nothing out.
    """
    written = [*_written(arguments)]
    if written or tool is None:
        return written
    case = Case(name="", place="", messages=(), plan=None)
    return [finding.message for finding in argument_findings(case, "arguments", arguments, tool)]


def _written(arguments: dict[str, JsonValue]) -> Iterator[str]:
    for fault in faults(arguments):
        yield f"{''.join('/' + escaped(step) for step in fault.path)}: {fault.message}"
    for name in sorted(_keys(arguments) & {FROM, REF}):
        yield f"{name} has no place in an utterance: there is nothing that it could name"


def _keys(value: JsonValue) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, list) else set()
