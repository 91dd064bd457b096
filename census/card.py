"""`README.md` of a release: what the dataset is, how it was measured, what it says, and what it must not be taken for."""

from census.columns import TABLES
from census.manifest import Manifest
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
        _header(summary),
        f"# WebMCP census, release {manifest.release_version}",
        description(manifest),
        "## Load it",
        _load(manifest),
        "## What is in it",
        _contents(),
        "## What was measured, and how",
        _METHOD,
        "## Headlines",
        _headlines(manifest, summary),
        "## What it does not say",
        _LIMITS,
        "## Ethics",
        _ethics(manifest),
        "## Opt out",
        _OPT_OUT,
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


def _header(summary: Summary) -> str:
    pages = int(summary.value("targets").value or 0)
    size = next((name for limit, name in _SIZES if pages < limit), "1M<n<10M")
    lines = ["---", "license: cc-by-4.0", "pretty_name: WebMCP census", "tags:", "- webmcp", "- web", "- agents"]
    lines += ["size_categories:", f"- {size}", "configs:"]
    for table in TABLES:
        lines += [f"- config_name: {table}", f"  data_files: data/{table}.parquet"]
        if table == "pages":
            lines.append("  default: true")
    return "\n".join([*lines, "---"])


def _load(manifest: Manifest) -> str:
    return (
        "```python\n"
        "from datasets import load_dataset\n\n"
        f'pages = load_dataset("OWNER/{DATASET_NAME}", "pages", revision="{manifest.release_version}", split="train")\n'
        "```\n\n"
        "`OWNER` is the account under which you read this card. Without a hub, read `data/*.parquet` with anything that"
        " reads Parquet. Name the release in `revision`: what you computed can then be computed again."
    )


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
    return (
        f"{table}\n\n`visit_id` joins the tables. Rows are sorted by `site`, and row groups have statistics, so asking for"
        " one site reads one or two row groups; the first rows are therefore no sample: draw one by `target_key`."
        f" Null means not known or not applicable, never zero.\n\n{columns}"
    )


_METHOD = (
    "Each target was opened once, in a browser context of its own, with WebMCP switched on; without a click, a scroll or"
    " a login. When the page held still, two views were read at one moment: what each document lists (`getTools()`), and"
    " what the browser offers an agent (the DevTools protocol's `WebMCP` domain). No tool was ever run. A page that could"
    " not be read is not counted as a page without tools. Between real pages the crawler opens a page of its own that"
    " registers nothing and must read zero; when it does not, the visits since the last good one are made again."
)


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
    unfinished = (
        f"\n\n**Partial: {manifest.unfinished:,} targets have no final outcome, and no number stands for the whole list.**"
        if manifest.partial
        else ""
    )
    return (
        f"{about}.{unfinished}\n\n{table}\n\nIntervals are Wilson's and treat pages as independent; pages of one project"
        " are alike, so the truth is less certain than they say. `summary.json` has every number with the SQL over the"
        " tables that gives it; `webmcp-census release verify` computes all of them again."
    )


_LIMITS = "\n".join(
    (
        "- It is a census of a list of targets, not a sample of the web: no rate stands for all websites.",
        "- One visit, without a click or a login: tools that are registered later are missing, so counts are floors.",
        "- One build of one engine, with the feature switched on. Whether a stock browser offers the tools is in"
        " `origin_trial`.",
        "- It does not say how good a tool is, or how often a model picks it.",
        "- Texts were cut at stated limits (`cut`), and addresses and tokens in them were replaced by `[e-mail]` and"
        " `[secret]`: a text or a URL with such a mark is not what the page had.",
    )
)


def _ethics(manifest: Manifest) -> str:
    taken = ", ".join(f"{k:,} {escape_markdown(kind)}" for kind, k in sorted(manifest.redacted.items())) or "nothing"
    return (
        "The crawler obeys robots.txt and crawl delays, visits a site one page at a time, and names itself and a contact"
        " in its user agent. Only what a page shows anybody is recorded: no form was filled in and nothing was sent."
        f" Credentials in URLs, e-mail addresses and tokens were taken out before publication: {taken}. Please do not use"
        " the data to contact or to single out persons."
    )


_OPT_OUT = (
    "Whoever runs a site can have it left out, by the contact in the crawler's user agent. It is then not visited again,"
    " and a hotfix release (`YYYY.MM.N+1`) without it takes the place of this one. Targets of such sites have no row in"
    " any table; only their number is published. Please use the newest hotfix of a month, and drop older copies."
)
