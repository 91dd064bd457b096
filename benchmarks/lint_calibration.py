"""What lint says of manifests whose invocation rates are known: its thresholds come from them.

Example: python benchmarks/lint_calibration.py arms.json
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from census.finding import Severity
from measure.lint.linting import lint
from measure.lint.manifest_file import read_manifests


def lowest_rates(text: str) -> dict[str, float]:
    """The lowest published rate of each arm that has one, in percent."""
    ablations = json.loads(text).get("ablations", {})
    return {
        name: min(float(re.match(r"[\d.]+", rate)[0]) for rate in arm["measured"].values())  # type: ignore[index]
        for name, arm in ablations.items()
        if arm.get("measured")
    }


def main() -> None:
    """Print a line for each arm: what was measured, its errors and warnings, how many notes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arms", type=Path)
    text = parser.parse_args().arms.read_text()
    rates = lowest_rates(text)
    manifests = read_manifests(text, "arms")
    for manifest in sorted(manifests, key=lambda each: rates.get(each.source.partition("#")[2], 101.0)):
        arm = manifest.source.partition("#")[2]
        measured = f"{rates[arm]:5.1f} %" if arm in rates else "    -  "
        findings = lint(manifest)
        print(f"{measured}  {arm}")
        for finding in findings:
            if finding.severity is not Severity.NOTE:
                print(f"         {finding.severity:7} {finding.rule:36} {finding.tool or 'page'}")
        notes = Counter(finding.rule for finding in findings if finding.severity is Severity.NOTE)
        if notes:
            print(f"         notes   {', '.join(f'{rule} {count}' for rule, count in sorted(notes.items()))}")


if __name__ == "__main__":
    main()
