"""Which names a tool may have."""

from measure.compatibility.answers import REGISTERING
from measure.compatibility.behaviour import Behaviour, Script

_SECTION = "#tool-definition-name"


def _name(name: str, question: str, text: str) -> Behaviour:
    return Behaviour(
        id=f"names/{name}",
        question=question,
        section=_SECTION,
        asked=Script(f"return await probe.outcome(() => probe.register({{ name: {text} }}));"),
        values=REGISTERING,
    )


def _listed(name: str, question: str, text: str) -> Behaviour:
    return Behaviour(
        id=f"names/{name}",
        question=question,
        section="Web IDL: DOMString",
        asked=Script(f"await probe.register({{ name: {text} }});\nreturn await probe.names();"),
        canonical="the name on the list",
    )


BEHAVIOURS = (
    _name("empty", "May a name be empty?", "''"),
    _name("longest", "May a name have 128 characters?", "'x'.repeat(128)"),
    _name("too-long", "May a name have 129 characters?", "'x'.repeat(129)"),
    _name("dot-dash-underscore", "May a name have dots, hyphens and underscores?", "'A.b-c_9'"),
    _name("space", "May a name have a space?", "'a b'"),
    _name("slash", "May a name have a slash?", "'a/b'"),
    _name("colon", "May a name have a colon?", "'a:b'"),
    _name("letter-beyond-ascii", "May a name have a letter beyond ASCII?", "'caf\\u00e9'"),
    _name("emoji", "May a name have an emoji?", "'\\u{1F355}'"),
    _listed("number", "What name does a tool get that is named by the number 5?", "5"),
    _listed("null", "What name does a tool get that is named by `null`?", "null"),
    Behaviour(
        id="names/letter-case",
        question="Are two names that differ in the case of a letter two tools?",
        section=_SECTION,
        asked=Script(
            """
            await probe.register({ name: 'search' });
            return await probe.outcome(() => probe.register({ name: 'Search' }));
            """
        ),
        values=REGISTERING,
    ),
)
