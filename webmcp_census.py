"""The command line: mounts each package's commands, nothing more."""

import sys
import traceback

import click

import census.commands
import crawler.commands
from census.errors import CensusError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="webmcp-census")
@click.option("--debug", is_flag=True, help="Show a traceback when something goes wrong.")
def cli(debug: bool) -> None:
    """A census of the WebMCP web: who registers which tools, and which of them an agent could call.

    Exit codes: 0 answered and good, 1 answered and a gate failed, 2 could not answer.
    """


for _command in (*crawler.commands.COMMANDS, *census.commands.COMMANDS):
    cli.add_command(_command)


def main() -> None:
    """Run the command line and exit with 0, 1 or 2; a crash is 2, never 1."""
    debug = "--debug" in sys.argv[1:]
    try:
        code = cli.main(standalone_mode=False)
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
