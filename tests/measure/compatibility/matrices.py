"""Small matrices, for the tests: values in, a matrix out."""

from collections.abc import Mapping
from datetime import UTC, datetime

from measure.browsers.build import Build
from measure.compatibility.behaviour import Behaviour, Script, Switch
from measure.compatibility.cell import Cell, question_digest, question_text
from measure.compatibility.matrix import Matrix, newest_first
from measure.compatibility.probing import Origin

WHEN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def build(label: str, version: str = "") -> Build:
    """`cr156`, `hs156`, `sp143`, `ff153`: the kind and the version are in the label."""
    major = "".join(filter(str.isdigit, label))
    firefox = label.startswith("ff")
    return Build(
        label=label,
        name="Mozilla Firefox" if firefox else "Chromium",
        version=version or f"{major}.0.1.2",
        engine="firefox" if firefox else "chromium",
        shell=label[:2] in ("hs", "sp"),
    )


def behaviour(
    identifier: str = "exposure/where",
    values: Mapping[str, str] | None = None,
    *,
    timing: bool = False,
    text: str = "return 'x';",
) -> Behaviour:
    return Behaviour(
        id=identifier,
        question=f"What of {identifier}?",
        section="#section",
        asked=Script(text),
        values=values,
        canonical="" if values else "one word",
        timing=timing,
    )


def cell(of: Behaviour, on: Build, value: str, detail: str = "") -> Cell:
    return Cell(
        behaviour=of.id,
        build=on.label,
        version=on.version,
        value=value,
        detail=detail,
        run=question_text(of),
        asked=question_digest(of),
        switch=Switch.WEBMCP,
        entry=Origin.HTTPS,
        measured_at=WHEN,
        took_ms=12,
    )


def matrix(
    rows: Mapping[str, Mapping[str, str]],
    behaviours: tuple[Behaviour, ...] = (),
    details: Mapping[tuple[str, str], str] | None = None,
) -> Matrix:
    """By behaviour, then by build's label."""
    known = {each.id: each for each in behaviours}
    asked = [known.get(name) or behaviour(name) for name in rows]
    builds = newest_first([build(label) for label in dict.fromkeys(label for row in rows.values() for label in row)])
    cells = {
        (of.id, on.label): cell(of, on, rows[of.id][on.label], (details or {}).get((of.id, on.label), ""))
        for of in asked
        for on in builds
        if on.label in rows[of.id]
    }
    return Matrix(builds, asked, cells)
