"""The command line: mounts each package's commands, nothing more."""

import sys
import traceback
from importlib import import_module

import click

from census.errors import CensusError
from crawler.postgres.address import hide_secrets_of_command_line

_COMMANDS = {
    "browsers": "measure.browsers.command:browsers_group",
    "build": "census.build_command:build_command",
    "census": "publish.periodic.command:census_command",
    "check": "measure.check.command:check_command",
    "compat": "measure.compatibility.command:compat_command",
    "crawl": "crawler.crawl_command:crawl_command",
    "diff": "census.diff_command:diff_command",
    "doctor": "crawler.doctor:doctor_command",
    "eval": "measure.evals.command:eval_command",
    "harvest": "crawler.harvest.commands:harvest_command",
    "lint": "measure.lint_command:lint_command",
    "optout": "census.release_commands:optout_group",
    "publish": "publish.command:publish_command",
    "rate": "measure.rates.commands:rate_group",
    "release": "census.release_commands:release_group",
    "trial": "measure.trials.trial_command:trial_command",
    "utterances": "measure.utterances.commands:utterances_group",
}


class _Commands(click.Group):
    """Imports a command when it is asked for: a browser's driver and Scrapy take two seconds to import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="webmcp-census")
@click.option("--debug", is_flag=True, help="Show a traceback when something goes wrong.")
def cli(debug: bool) -> None:
    """A census of the WebMCP web: who registers which tools, and which of them an agent could call.

    Exit codes: 0 answered and good, 1 answered and a gate failed, 2 could not answer.
    """


def main() -> None:
    """Run the command line and exit with 0, 1 or 2; a crash is 2, never 1."""
    hide_secrets_of_command_line()
    debug = "--debug" in sys.argv[1:]
    try:
        code = cli.main(standalone_mode=False)
    except SystemExit as left:
        # Click leaves by itself when the reader of a pipe has gone.
        code = 2 if left.code else 0
    except click.exceptions.Abort:
        click.echo("webmcp-census: interrupted", err=True)
        code = 2
    except click.ClickException as error:
        error.show()
        code = 2
    except CensusError as error:
        if debug:
            traceback.print_exc()
        click.echo(f"webmcp-census: {error}", err=True)
        code = 2
    except Exception as error:  # noqa: BLE001 -- the last line of defence: a crash must exit 2
        if debug:
            traceback.print_exc()
        click.echo(f"webmcp-census: {type(error).__name__}: {error} (--debug shows where)", err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
