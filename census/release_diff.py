"""What is different between two releases: pages and tools, and adoption over the pages that both measured.

A page is the same when its target key is. A tool is one that an agent could call, and the same when page, frame and
name are. Tools are compared only on pages that both releases measured: a page that could not be read has lost nothing.
"""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from census.manifest import Manifest
from census.paired import PairedChange, paired_change

Tables = Mapping[str, pl.DataFrame]

PAGE_COLUMNS = ("outcome", "unmeasured", "final_url", "api", "old_api", "polyfill", "origin_trial", "tools_callable")
TOOL_COLUMNS = ("title", "description", "input_schema", "annotations", "kind", "listing")

_TOOL = ["target_key", "frame", "name"]
_CONTENT = ["target_key", "description", "input_schema"]


class ReleaseDiff(NamedTuple):
    """Each frame has a row for a page (`target_key`) or a tool (`target_key`, `frame`, `name`), sorted by these."""

    made_differently: tuple[str, ...]
    """What else differs and could be the reason: schema, code, settings, browser. One sentence each."""
    pages_added: pl.DataFrame
    pages_removed: pl.DataFrame
    pages_changed: pl.DataFrame
    """With `changed`, the columns that differ."""
    tools_added: pl.DataFrame
    tools_removed: pl.DataFrame
    tools_renamed: pl.DataFrame
    """With `new_frame` and `new_name`: one tool of a page went and one came with the same description and schema."""
    tools_changed: pl.DataFrame
    """With `changed`, the columns that differ."""
    measured_before: int
    measured_after: int
    adoption: PairedChange
    """Pages with a callable tool, among those measured in both releases."""

    def tables(self) -> dict[str, pl.DataFrame]:
        """The lists of pages and tools, by name."""
        return {name: value for name, value in self._asdict().items() if isinstance(value, pl.DataFrame)}


def diff_releases(old: tuple[Manifest, Tables], new: tuple[Manifest, Tables]) -> ReleaseDiff:
    """Compare two releases; `new` is the later one."""
    (old_manifest, old_tables), (new_manifest, new_tables) = old, new
    before, after = (_unambiguous(tables["pages"]) for tables in (old_tables, new_tables))
    paired = before.join(after, on="target_key", suffix="_after")
    measured = paired.filter(pl.col("unmeasured").is_null(), pl.col("unmeasured_after").is_null())
    old_tools, new_tools = (_tools(tables, measured) for tables in (old_tables, new_tables))
    gone = old_tools.join(new_tools, on=_TOOL, how="anti")
    come = new_tools.join(old_tools, on=_TOOL, how="anti")
    renamed = _renamed(gone, come)
    return ReleaseDiff(
        made_differently=made_differently(old_manifest, new_manifest),
        pages_added=_sorted(after.join(before, on="target_key", how="anti").select("target_key"), ["target_key"]),
        pages_removed=_sorted(before.join(after, on="target_key", how="anti").select("target_key"), ["target_key"]),
        pages_changed=_changed(paired, ["target_key"], PAGE_COLUMNS),
        tools_added=_sorted(
            come.join(renamed, left_on=_TOOL, right_on=["target_key", "new_frame", "new_name"], how="anti"), _TOOL
        ).select(_TOOL),
        tools_removed=_sorted(gone.join(renamed, on=_TOOL, how="anti"), _TOOL).select(_TOOL),
        tools_renamed=renamed,
        tools_changed=_changed(old_tools.join(new_tools, on=_TOOL, suffix="_after"), _TOOL, TOOL_COLUMNS),
        measured_before=before["unmeasured"].null_count(),
        measured_after=after["unmeasured"].null_count(),
        adoption=_adoption(measured),
    )


def made_differently(old: Manifest, new: Manifest) -> tuple[str, ...]:
    """Say what differs in how two releases were made: any of it can move a number without a page having changed."""
    said = []
    if old.schema_version != new.schema_version:
        said.append(f"Schema {old.schema_version} before, {new.schema_version} after.")
    for what, before, after in (
        ("Crawler", _crawlers(old), _crawlers(new)),
        ("Table builder", [old.code_version], [new.code_version]),
        ("Browser", _browsers(old), _browsers(new)),
        ("Lint rules", _rules(old), _rules(new)),
    ):
        if before != after:
            said.append(f"{what}: {', '.join(before) or 'none'} before, {', '.join(after) or 'none'} after.")
    said += [
        f"Setting {name}: {old.settings.get(name)!r} before, {new.settings.get(name)!r} after."
        for name in sorted(old.settings.keys() | new.settings.keys())
        if old.settings.get(name) != new.settings.get(name)
    ]
    for when, release in (("before", old), ("after", new)):
        if release.partial:
            said.append(f"The release {when} is partial: {release.unfinished:,} targets have no final outcome.")
    return tuple(said)


def _crawlers(manifest: Manifest) -> list[str]:
    return sorted({run.code_version for run in manifest.runs})


def _browsers(manifest: Manifest) -> list[str]:
    return [f"{each.browser} {each.build}{' (shell)' if each.shell else ''}" for each in manifest.builds]


def _rules(manifest: Manifest) -> list[str]:
    return [manifest.lint.rules_sha256[:12]] if manifest.lint else []


def _unambiguous(pages: pl.DataFrame) -> pl.DataFrame:
    """The pages whose key is theirs alone: redaction can make two keys one."""
    columns = [name for name in ("target_key", *PAGE_COLUMNS) if name in pages.columns]
    return pages.filter(pl.col("target_key").is_unique()).select(columns)


def _tools(tables: Tables, measured: pl.DataFrame) -> pl.DataFrame:
    keys = tables["pages"].select("visit_id", "target_key").join(measured, on="target_key", how="semi")
    return tables["tools"].filter(pl.col("callable")).join(keys, on="visit_id").select(*_TOOL, *TOOL_COLUMNS)


def _renamed(gone: pl.DataFrame, come: pl.DataFrame) -> pl.DataFrame:
    """Pairs of a gone and a come tool with the same content, where each is the only one of its page."""
    alone = pl.struct(_CONTENT).is_unique()
    pairs = gone.filter(alone).join(
        come.filter(alone).select(*_CONTENT, new_frame="frame", new_name="name"), on=_CONTENT, nulls_equal=True
    )
    return _sorted(pairs.select(*_TOOL, "new_frame", "new_name"), _TOOL)


def _changed(paired: pl.DataFrame, key: list[str], columns: tuple[str, ...]) -> pl.DataFrame:
    """The rows of a joined frame in which one of the columns differs, with the names of those that do."""
    both = [name for name in columns if name in paired.columns and f"{name}_after" in paired.columns]
    differs = [pl.when(pl.col(name).ne_missing(pl.col(f"{name}_after"))).then(pl.lit(name)) for name in both]
    changed = pl.concat_list(differs).list.drop_nulls() if differs else pl.lit([], dtype=pl.List(pl.String))
    return _sorted(paired.select(*key, changed=changed).filter(pl.col("changed").list.len() > 0), key)


def _adoption(measured: pl.DataFrame) -> PairedChange:
    before, after = measured["tools_callable"] > 0, measured["tools_callable_after"] > 0
    return paired_change(
        both=int((before & after).sum()),
        lost=int((before & ~after).sum()),
        gained=int((~before & after).sum()),
        neither=int((~before & ~after).sum()),
    )


def _sorted(frame: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    return frame.sort(key)
