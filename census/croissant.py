"""`croissant.json`: the release for dataset search engines and loaders, in the Croissant 1.0 format.

The format is JSON-LD with a fixed context (http://mlcommons.org/croissant/1.0); tests hold the file against the
reference reader.
"""

import json
from typing import Any

import polars as pl

from census.card import DATA_LICENCE_URL, DATASET_NAME, citation, description
from census.columns import TABLES, Column
from census.manifest import Manifest
from census.parquet import table_path
from census.table_texts import TABLE_TEXTS

CROISSANT = "croissant.json"

_TERMS = (
    "citeAs column extract field fileProperty fileObject fileSet format includes isLiveDataset jsonPath key md5"
    " parentField path recordSet references regex repeated replace samplingRate separator source subField transform"
    " equivalentProperty"
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in sorted(_TERMS.split())},
}


def croissant(manifest: Manifest, sha256: dict[str, str]) -> str:
    """Write `croissant.json`; `sha256` has the digest of each table's file, by its path."""
    made = manifest.visited_to or max(run.created_at for run in manifest.runs)
    return _text(
        {
            "@context": _CONTEXT,
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.0",
            "name": DATASET_NAME,
            "description": description(manifest),
            "version": manifest.release_version,
            "dateCreated": f"{made:%Y-%m-%d}",
            "license": DATA_LICENCE_URL,
            "creator": {"@type": "sc:Organization", "name": "The webmcp-census authors"},
            "citeAs": citation(manifest),
            "distribution": [_file(table, sha256[table_path(table)]) for table in TABLES],
            "recordSet": [_records(table) for table in TABLES],
        }
    )


def _file(table: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{table}.parquet",
        "name": f"{table}.parquet",
        "description": TABLE_TEXTS[table],
        "contentUrl": table_path(table),
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _records(table: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": TABLE_TEXTS[table],
        "field": [_field(table, column) for column in TABLES[table]],
    }


def _field(table: str, column: Column) -> dict[str, Any]:
    several = {"repeated": True} if isinstance(column.dtype, pl.List) else {}
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": _data_type(column.dtype),
        **several,
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column.name}},
    }


def _data_type(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.List):
        inner = dtype.inner
        return _data_type(inner if isinstance(inner, pl.DataType) else inner())
    if isinstance(dtype, pl.Datetime):
        return "sc:DateTime"
    if isinstance(dtype, pl.Boolean):
        return "sc:Boolean"
    if dtype.is_integer():
        return "sc:Integer"
    if dtype.is_float():
        return "sc:Float"
    return "sc:Text"


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
