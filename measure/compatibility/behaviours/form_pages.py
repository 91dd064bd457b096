"""Pages with forms, and how a script finds the tool of one."""

from collections.abc import Mapping

from measure.compatibility.behaviour import Behaviour, Page, Script, Switch

SECTION = "#declarative-api; the declarative explainer"
NAMED = 'toolname="search" tooldescription="Searches."'

# The last form of the page: when it is listed, those before it have been looked at.
_FENCE = '<form toolname="fence" tooldescription="The last form."><input name="q"></form>'

FIND = """
const find = async (name) => Array.from(await probe.tools()).find((tool) => tool.name === name);
if (!(await probe.until(() => find('fence'), 2000))) probe.notApplicable('no form becomes a tool');
const tool = await find('search');
"""
"""`tool` becomes the item of the form `search`, or undefined; `find(name)` looks again."""

FOUND = FIND + "if (!tool) probe.notApplicable('this form becomes no tool');\n"
"""As `FIND`, for a question about a form that is a tool."""


def form(fields: str = '<input name="q">', attributes: str = NAMED) -> str:
    """A form."""
    return f"<form {attributes}>{fields}</form>"


def asked_of(
    name: str,
    question: str,
    body: str,
    script: str,
    values: Mapping[str, str] | None = None,
    canonical: str = "",
) -> Behaviour:
    """A question about a page that has this body and, after it, one more form that is a tool.

    With the testing switch: builds before `modelContext.executeTool()` let a page list and call with that alone.
    """
    page = Page(f"<!doctype html><title>A page</title>{body}{_FENCE}")
    return Behaviour(
        f"forms/{name}", question, SECTION, Script(script), values, canonical, {"": page}, switch=Switch.TESTING
    )
