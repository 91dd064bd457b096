"""How a question that is asked through the DevTools protocol is declared."""

from collections.abc import Mapping

from measure.compatibility.behaviour import Behaviour, DevTools, Page, Switch
from measure.compatibility.probing import Dialogue


def asked_through(
    name: str,
    question: str,
    section: str,
    ask: Dialogue,
    values: Mapping[str, str] | None = None,
    canonical: str = "",
    pages: Mapping[str, Page] | None = None,
    switch: Switch = Switch.WEBMCP,
) -> Behaviour:
    """A behaviour of the topic `devtools`."""
    return Behaviour(
        f"devtools/{name}", question, section, DevTools(ask), values, canonical, pages or {}, switch=switch
    )
