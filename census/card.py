"""`README.md` of a release: what the dataset is, how it was measured, what it says, what it does not."""

from census.card_texts import ETHICS, INTERVALS, LIMITS, METHOD, OPT_OUT, READING
from census.columns import TABLES
from census.manifest import Manifest
from census.sample import SAMPLE, sample_path
from census.summary import Rate, Summary
from census.table_texts import TABLE_TEXTS
from census.text import escape_markdown, interval_text, markdown_table, percent

CARD = "README.md"
DATASET_NAME = "webmcp-census"
DATA_LICENCE = "CC-BY-4.0"
DATA_LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/"
CODE_LICENCE = "MIT"

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def description(manifest: Manifest) -> str:
    """Say in two sentences what the release is."""
    return (
        f"A census of the WebMCP web: which pages register tools for AI agents, and which of these an agent could call."
        f" Release {manifest.release_version}: {manifest.targets:,} targets, one visit each with a real browser."
    )


def citation(manifest: Manifest) -> str:
    """A BibTeX entry that names the release."""
    year, month, _ = manifest.release_version.split(".")
    return (
        f"@misc{{webmcp_census_{year}_{month},\n"
        "  title = {webmcp-census: a census of the WebMCP web},\n"
        "  author = {{The webmcp-census authors}},\n"
        f"  year = {{{year}}},\n"
        f"  note = {{Release {manifest.release_version}, schema {manifest.schema_version}}}\n"
        "}"
    )


def write_card(manifest: Manifest, summary: Summary) -> str:
    """Write the dataset card, with the header that `datasets` reads."""
    sections = (
        _header(manifest, summary),
        f"# WebMCP census, release {manifest.release_version}",
        description(manifest),
        "## Load it",
        _load(manifest),
        "## What is in it",
        _contents(),
        "## What was measured, and how",
        METHOD,
        "## Headlines",
        _headlines(manifest, summary),
        "## What it does not say",
        LIMITS,
        "## Ethics",
        _ethics(manifest),
        "## Opt out",
        OPT_OUT,
        "## Licence",
        (
            f"Data: [{DATA_LICENCE}]({DATA_LICENCE_URL}). The texts of tools are their pages' own; they are quoted here"
            f" for research. Code that made it: {CODE_LICENCE}."
        ),
        "## Cite",
        f"```bibtex\n{citation(manifest)}\n```",
        (
            f"Schema {manifest.schema_version}, made by webmcp-census {manifest.code_version}. What is new is in"
            " `CHANGES.md`; `manifest.json` has the settings, the browser builds and the digest of every file."
        ),
    )
    return "\n\n".join(sections) + "\n"


def _header(manifest: Manifest, summary: Summary) -> str:
    pages = int(summary.value("targets").value or 0)
    size = next((name for limit, name in _SIZES if pages < limit), "1M<n<10M")
    lines = ["---", "license: cc-by-4.0", "pretty_name: WebMCP census", "tags:", "- webmcp", "- web", "- agents"]
    lines += ["size_categories:", f"- {size}", "configs:"]
    for table in TABLES:
        lines += [f"- config_name: {table}", f"  data_files: data/{table}.parquet"]
        if table == "pages":
            lines.append("  default: true")
    if manifest.sample:
        for table in TABLES:
            lines += [f"- config_name: {SAMPLE}_{table}", f"  data_files: {sample_path(table)}"]
    return "\n".join([*lines, "---"])


def _load(manifest: Manifest) -> str:
    text = (
        "```python\n"
        "from datasets import load_dataset\n\n"
        f'pages = load_dataset("OWNER/{DATASET_NAME}", "pages", revision="{manifest.release_version}", split="train")\n'
        "```\n\n"
        "`OWNER` is the account under which you read this card. Without a hub, read `data/*.parquet` with anything that"
        " reads Parquet. Name the release in `revision`: what you computed can then be computed again."
    )
    if manifest.sample:
        text += (
            f"\n\nTo try things with, `{SAMPLE}_pages` is a simple random sample of {manifest.sample.pages:,} of the"
            f" {manifest.sample.of:,} pages (those with the least SHA-256 of `{manifest.sample.word}`, a line end and"
            f" `target_key`), and `{SAMPLE}_tools` and so on have every row that belongs to them. The headlines are of"
            " all pages."
        )
    return text


def _contents() -> str:
    table = markdown_table(
        ("Table", "A row is", "Columns"),
        ((f"`{name}`", TABLE_TEXTS[name], f"{len(columns)}") for name, columns in TABLES.items()),
    )
    columns = "\n\n".join(
        f"<details><summary>Columns of <code>{name}</code></summary>\n\n"
        + markdown_table(
            ("Column", "Type", "Meaning"),
            ((f"`{column.name}`", str(column.dtype), column.description) for column in columns),
        )
        + "\n\n</details>"
        for name, columns in TABLES.items()
    )
    return f"{table}\n\n{READING}\n\n{columns}"


def _headlines(manifest: Manifest, summary: Summary) -> str:
    rates = [number for number in summary.numbers if isinstance(number, Rate)]
    table = markdown_table(
        ("", "share", "95 % interval", "count", "n", "leaves out"),
        (
            (
                rate.title, percent(rate.rate), interval_text(rate), f"{rate.k:,}", f"{rate.n:,}",
                rate.leaves_out_says if rate.leaves_out else "nothing",
            )
            for rate in rates
        ),
    )  # fmt: skip
    outcomes = ", ".join(f"{k:,} `{name}`" for name, k in sorted(manifest.outcomes.items()))
    about = f"{manifest.targets:,} targets: {outcomes or 'none finished'}"
    if manifest.partial:
        about += (
            f"; **partial: {manifest.unfinished:,} have no final outcome, and no number stands for the whole list**"
        )
    return f"{about}.\n\n{table}\n\n{INTERVALS}"


def _ethics(manifest: Manifest) -> str:
    taken = ", ".join(f"{k:,} {escape_markdown(kind)}" for kind, k in sorted(manifest.redacted.items())) or "nothing"
    return f"{ETHICS}\n\nTaken out of URLs and texts before publication: {taken}."
