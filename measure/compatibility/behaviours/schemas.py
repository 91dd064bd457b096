"""Which `inputSchema` a tool may have, and how it comes back from the list."""

from measure.compatibility.answers import REGISTERING, yes_no
from measure.compatibility.behaviour import Behaviour, Script

_SECTION = "#dom-modelcontext-registertool: serializing inputSchema"
_LISTED = "#registered-tool: inputSchema"
_VALIDATION = "#model-context-tool; validation is proposed for it"

_UNLISTED = {
    "listed": "The tool is registered, and the list has it.",
    "not_listed": "The tool is registered, and no list has it.",
    "TypeError": "Refused with TypeError.",
}
_NESTED = """
let deep = {};
for (let level = 0; level < %d; level++) deep = { items: deep };
"""


def _registers(name: str, question: str, schema: str, section: str = _SECTION, before: str = "") -> Behaviour:
    return Behaviour(
        id=f"schemas/{name}",
        question=question,
        section=section,
        asked=Script(f"{before}return await probe.outcome(() => probe.register({{ inputSchema: {schema} }}));"),
        values={**REGISTERING, "RangeError": "Refused: nested too deep to serialize."},
    )


def _lists(name: str, question: str, schema: str) -> Behaviour:
    """A schema that serializes to something else than an object."""
    return Behaviour(
        id=f"schemas/{name}",
        question=question,
        section=_SECTION,
        asked=Script(
            f"""
            const said = await probe.outcome(() => probe.register({{ inputSchema: {schema} }}));
            return said !== 'ok' ? said : (await probe.names()) === 'tool' ? 'listed' : 'not_listed';
            """
        ),
        values=_UNLISTED,
    )


BEHAVIOURS = (
    _registers("text", "May the schema be a text?", """'{"type":"object"}'"""),
    _registers("null", "May the schema be `null`?", "null"),
    _registers("boolean", "May the schema be `true`?", "true"),
    _registers("array", "May the schema be an array?", "[]"),
    _registers(
        "circular", "May the schema hold itself?", "schema", before="const schema = {}; schema.items = schema;\n"
    ),
    _registers("bigint", "May the schema hold a BigInt?", "{ maximum: 5n }"),
    _registers("to-json-undefined", "May the schema serialize to nothing?", "{ toJSON: () => undefined }"),
    _registers(
        "nonsense",
        "May the schema break the rules of JSON Schema?",
        "{ type: 'nonsense', required: 5, pattern: '[' }",
        _VALIDATION,
    ),
    _registers(
        "reference",
        "May the schema hold a `$ref`?",
        "{ type: 'object', properties: { x: { $ref: '#/elsewhere' } } }",
        _VALIDATION,
    ),
    _registers("deep", "May the schema be nested 5,000 levels deep?", "deep", before=_NESTED % 5_000),
    _registers("too-deep", "May the schema be nested 20,000 levels deep?", "deep", before=_NESTED % 20_000),
    _lists("to-json-text", "What becomes of a tool whose schema serializes to a text?", "{ toJSON: () => 'text' }"),
    _lists("to-json-null", "What becomes of a tool whose schema serializes to `null`?", "{ toJSON: () => null }"),
    _lists("date", "What becomes of a tool whose schema is a Date?", "new Date(0)"),
    Behaviour(
        id="schemas/listed-as",
        question="As what does `getTools()` give the schema back?",
        section=_LISTED,
        asked=Script(
            """
            await probe.register({ inputSchema: { type: 'object' } });
            return typeof (await probe.tools())[0].inputSchema;
            """
        ),
        values={"object": "An object.", "string": "Its JSON text.", "undefined": "Not at all."},
    ),
    Behaviour(
        id="schemas/absent",
        question="What does `getTools()` give for a tool without a schema?",
        section=_LISTED,
        asked=Script(
            """
            await probe.register();
            const [tool] = await probe.tools();
            if (!('inputSchema' in tool)) return 'absent';
            if (typeof tool.inputSchema === 'string') return `text ${tool.inputSchema}`;
            return JSON.stringify(tool.inputSchema) ?? 'undefined';
            """
        ),
        canonical="`absent` without the member; `text` and what it holds for a text; or the value as JSON",
    ),
    Behaviour(
        id="schemas/empty",
        question="What does `getTools()` give for the schema `{}`?",
        section=_LISTED,
        asked=Script(
            """
            await probe.register({ inputSchema: {} });
            const { inputSchema } = (await probe.tools())[0];
            return typeof inputSchema === 'string' ? inputSchema : JSON.stringify(inputSchema) ?? 'absent';
            """
        ),
        canonical="the schema as JSON; `absent` without the member",
    ),
    Behaviour(
        id="schemas/changed-later",
        question="Does the list follow when the page changes the schema's object after registering?",
        section=_LISTED,
        asked=Script(
            """
            const schema = { type: 'object' };
            await probe.register({ inputSchema: schema });
            schema.title = 'later';
            return JSON.stringify((await probe.tools())[0].inputSchema).includes('later') ? 'yes' : 'no';
            """
        ),
        values=yes_no("The list shows the change.", "The list has the schema as it was registered."),
    ),
)
