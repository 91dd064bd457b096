"""The JSON Schema of `report.json`, made from the models that write it."""

import json

from measure.rate_report.report import RateReport


def schema_text() -> str:
    """`docs/rate-report.schema.json`, with the meaning of every field."""
    schema = RateReport.model_json_schema(mode="serialization")
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 -- `make docs` redirects it
