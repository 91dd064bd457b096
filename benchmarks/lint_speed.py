"""How long lint takes over manifests of 500 and of 5,000 tools; single process, imports not counted.

The tools are unlike each other as those of a large site are: names of a verb and two nouns, descriptions of one to
three sentences, one to six parameters with types, descriptions and enums. `--alike` makes them as alike as a page of
generated tools, the worst case for rules on pairs.

Example: python benchmarks/lint_speed.py
"""

import argparse
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from measure.lint.linting import lint
from measure.lint.manifest import Manifest, ManifestTool

SIZES = (500, 5_000)
LIMITS = {500: 0.3, 5_000: 5.0}
VERBS = "find list show add remove update book cancel compare filter sort export share open select count".split()
NOUNS = (
    "flight hotel room guest invoice order parcel product size colour price review rating coupon cart address payment"
    " ticket seat showtime film genre recipe ingredient topping pizza table booking doctor appointment prescription"
    " result insurance loan rate house garden street city region country station train bus timetable platform route"
    " layer filter chart report column row category budget expense salary employee project task comment attachment"
).split()
GLUE = (
    "by the given criteria", "for the selected period", "that the page shows", "with its current state",
    "as the user entered it", "and returns the matching entries", "in the visible list", "from the last session",
)  # fmt: skip


def realistic(number: int, seed: int = 1) -> Manifest:
    """A manifest of tools that differ."""
    chance = random.Random(seed)

    def phrase() -> str:
        return f"{chance.choice(NOUNS)} {chance.choice(NOUNS)} {chance.choice(GLUE)}"

    def parameter() -> dict[str, Any]:
        kind = chance.choice(("string", "string", "integer", "boolean", "enum"))
        text = {"description": f"The {phrase()}, for example '{chance.choice(NOUNS)}'."}
        return (
            {"type": "string", "enum": chance.sample(NOUNS, 5), "description": "Which."}
            if kind == "enum"
            else {"type": kind, **text}
        )

    def tool(index: int) -> ManifestTool:
        verb, one, other = chance.choice(VERBS), chance.choice(NOUNS), chance.choice(NOUNS)
        sentences = [f"{verb.capitalize()}s the {one} of a {other} {chance.choice(GLUE)}."]
        sentences += [f"Use when the user asks for {phrase()}." for _ in range(chance.randint(0, 2))]
        names = chance.sample(NOUNS, chance.randint(1, 6))
        properties = {f"{name}_id": parameter() for name in names}
        schema = {"type": "object", "properties": properties, "required": list(properties)[:1]}
        return ManifestTool(f"{verb}_{one}_{other}_{index}", " ".join(sentences), input_schema=schema)

    return Manifest("benchmark", tuple(tool(index) for index in range(number)))


def alike(number: int) -> Manifest:
    """A manifest of tools that are all nearly the same, with vague descriptions."""
    return Manifest(
        "benchmark",
        tuple(
            ManifestTool(
                f"{verb}_data_{NOUNS[index % len(NOUNS)]}{'_v' + str(index)}",
                f"Works with what is there and gives back a {NOUNS[(index * 7) % len(NOUNS)]} or {index}th thing.",
                input_schema={"type": "object", "properties": {"value": {}}},
            )
            for index, verb in ((each, VERBS[each % len(VERBS)]) for each in range(number))
        ),
    )


def main() -> None:
    """Print the median of three runs for each size, and whether it is within the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alike", action="store_true")
    make = alike if parser.parse_args().alike else realistic
    late = False
    for size in SIZES:
        manifest = make(size)
        taken, worked = [], []
        for _ in range(3):
            began, cpu = time.perf_counter(), time.process_time()
            findings = lint(manifest)
            taken.append(time.perf_counter() - began)
            worked.append(time.process_time() - cpu)
        median = statistics.median(taken)
        late |= median > LIMITS[size]
        print(
            f"{size:5} tools  {median:6.3f} s (first {taken[0]:.3f}, limit {LIMITS[size]};"
            f" CPU {statistics.median(worked):.3f} s)  {len(findings)} findings"
        )
    sys.exit(1 if late else 0)


if __name__ == "__main__":
    main()
