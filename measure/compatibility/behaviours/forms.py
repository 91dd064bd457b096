"""Which forms become tools, what their schemas say, and what calling one does."""

from collections.abc import Mapping

from measure.compatibility.answers import LISTED, yes_no
from measure.compatibility.behaviour import Behaviour
from measure.compatibility.behaviours import form_calls
from measure.compatibility.behaviours.form_pages import FIND, FOUND, NAMED, asked_of, form

# A form's schema follows its fields a little later: one that has a field added now has all that were there before.
_SCHEMA = (
    FOUND
    + """
document.forms[0].insertAdjacentHTML('beforeend', '<input name="added">');
const read = async () => {
  const { inputSchema } = await find('search');
  return typeof inputSchema === 'string' ? JSON.parse(inputSchema) : inputSchema;
};
if (!(await probe.until(async () => (await read())?.properties, 1000))) {
  probe.notApplicable('the list says nothing of the fields of a form');
}
const complete = await probe.until(async () => {
  const found = await read();
  return found?.properties?.added && found;
}, 3000);
const schema = complete ?? await read();
const { properties } = schema;
delete properties.added;
"""
)
_SORTED = """
const sorted = (value) => Array.isArray(value) ? value.map(sorted)
  : value && typeof value === 'object'
    ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
    : value;
"""


def _lists(name: str, question: str, body: str) -> Behaviour:
    return asked_of(name, question, body, FIND + "return tool ? 'listed' : 'not_listed';", LISTED)


def _schema(
    name: str, question: str, fields: str, script: str, values: Mapping[str, str] | None = None, canonical: str = ""
) -> Behaviour:
    return asked_of(name, question, form(fields), _SCHEMA + script, values, canonical)


_TYPES = "text email url tel password search number range checkbox date".split()
_TYPED_FIELDS = (
    "".join(f'<input type="{kind}" name="{kind}">' for kind in _TYPES) + '<textarea name="textarea"></textarea>'
)
_CHOICE = '<select name="size"><option value="s">Small</option><option value="l">Large</option></select>'

BEHAVIOURS = (
    asked_of(
        "listed",
        "Does a form with `toolname` and `tooldescription` become a tool?",
        "",
        """
        const listed = await probe.until(async () => (await probe.names()).includes('fence'), 3000);
        return listed ? 'listed' : 'not_listed';
        """,
        LISTED,
    ),
    _lists(
        "without-description",
        "Does a form without `tooldescription` become a tool?",
        form(attributes="toolname=search"),
    ),
    _lists(
        "empty-description",
        "Does a form with an empty `tooldescription` become a tool?",
        form(attributes='toolname="search" tooldescription=""'),
    ),
    asked_of(
        "bad-name",
        "Does a form whose `toolname` has a space become a tool?",
        form(attributes='toolname="a b" tooldescription="Searches."'),
        FIND + "return (await find('a b')) ? 'listed' : 'not_listed';",
        LISTED,
    ),
    asked_of(
        "empty-name",
        "Does a form with an empty `toolname` become a tool?",
        form(attributes='toolname="" tooldescription="Searches."'),
        FIND + "return (await find('')) ? 'listed' : 'not_listed';",
        LISTED,
    ),
    _lists("hidden", "Does a form that is not displayed become a tool?", f'<div style="display:none">{form()}</div>'),
    _lists("in-template", "Does a form in a `template` become a tool?", f"<template>{form()}</template>"),
    _lists(
        "in-closed-shadow-tree",
        "Does a form in a closed shadow tree become a tool?",
        f'<div><template shadowrootmode="closed">{form()}</template></div>',
    ),
    asked_of(
        "name-of-script-tool",
        "What comes of registering by script the name of a form's tool?",
        form(),
        FOUND + "return await probe.outcome(() => probe.register({ name: 'search' }));",
        {"ok": "It is registered.", "InvalidStateError": "Refused with InvalidStateError, as any duplicate."},
    ),
    asked_of(
        "title",
        "What is the title of a form with `tooltitle`?",
        form(attributes=f'{NAMED} tooltitle="Search"'),
        FIND + "return tool?.title === undefined ? 'absent' : tool.title || 'empty';",
        {"Search": "What `tooltitle` says.", "empty": "An empty text.", "absent": "There is none."},
    ),
    asked_of(
        "properties-of-element",
        "Which properties does a form element have for its tool?",
        form(),
        """
        const names = ['toolName', 'toolDescription', 'toolTitle', 'toolAutoSubmit'];
        return names.filter((name) => name in HTMLFormElement.prototype).join(',') || 'none';
        """,
        canonical="those of toolName, toolDescription, toolTitle, toolAutoSubmit that are there; `none`",
    ),
    _schema(
        "schema-of-required-text",
        "What is the schema of a form with one required text field?",
        '<input name="q" required>',
        f"{_SORTED}return JSON.stringify(sorted(schema));",
        canonical="the schema as JSON, keys sorted",
    ),
    _schema(
        "types",
        "Which type does each kind of field get?",
        _TYPED_FIELDS,
        """
        const word = ({ type, format }) => format ? `${type}/${format}` : type;
        return Object.keys(properties).sort().map((name) => `${name}:${word(properties[name])}`).join(',');
        """,
        canonical="`field:type` or `field:type/format`, sorted",
    ),
    _schema(
        "format-of-time",
        "What is the `format` of a time field?",
        '<input type="time" name="at">',
        """
        const { format } = properties.at;
        return format === undefined ? 'none' : /[\\\\[^]/.test(format) ? 'expression' : format;
        """,
        {
            "expression": "A regular expression, which no format is.",
            "time": "`time`, as JSON Schema has it.",
            "none": "There is none.",
        },
    ),
    _schema(
        "range",
        "What does the schema of a range field from 0 to 10 by 2 say?",
        '<input type="range" name="size" min="0" max="10" step="2">',
        f"{_SORTED}return JSON.stringify(sorted(properties.size));",
        canonical="the property as JSON, keys sorted",
    ),
    _schema(
        "select",
        "How does the schema name the options of a select?",
        _CHOICE,
        """
        const { enum: values, anyOf } = properties.size;
        const choices = anyOf?.map((choice) => `${choice.const}=${choice.title}`);
        return `enum ${values?.join(',') ?? 'absent'}; anyOf ${choices?.join(',') ?? 'absent'}`;
        """,
        canonical="values of `enum`, then `const=title` of each in `anyOf`; `absent`",
    ),
    _schema(
        "select-multiple",
        "What is the type of a select that takes several options?",
        _CHOICE.replace("<select", "<select multiple"),
        "const { type, uniqueItems } = properties.size;\nreturn `${type},${uniqueItems ? 'unique' : 'any'}`;",
        {"array,unique": "An array of unique items.", "array,any": "An array.", "string,any": "A string."},
    ),
    _schema(
        "fields-left-out",
        "Which of these fields does the schema have: text, hidden, file, submit, disabled, readonly?",
        """<input name="text"><input type="hidden" name="hidden"><input type="file" name="file">
        <input type="submit" name="submit"><input name="disabled" disabled><input name="readonly" readonly>""",
        "return Object.keys(properties).sort().join(',') || 'none';",
        canonical="names of the fields, sorted",
    ),
    asked_of(
        "field-outside",
        "Does the schema have a field outside the form that names it with `form=`?",
        form(attributes=f'id="searching" {NAMED}') + '<input name="outside" form="searching">',
        _SCHEMA + "return 'outside' in properties ? 'yes' : 'no';",
        yes_no("It has.", "It has not."),
    ),
    _schema(
        "field-without-name",
        "What is the property of a field without a name?",
        "<input>",
        "return JSON.stringify(Object.keys(properties));",
        canonical="the properties' names as a JSON list",
    ),
    _schema(
        "pattern-and-length",
        "Which of `pattern`, `minlength` and `maxlength` does the schema keep?",
        '<input name="q" pattern="[a-z]+" minlength="2" maxlength="5">',
        "return ['pattern', 'minLength', 'maxLength'].filter((key) => key in properties.q).join(',') || 'none';",
        canonical="those of pattern, minLength, maxLength that are there; `none`",
    ),
    _schema(
        "description-of-field",
        "Where does a property's description come from?",
        """<label>By label <input name="a"></label>
        <label>Unused <input name="b" toolparamdescription="By attribute"></label>
        <input name="c" aria-label="By ARIA">""",
        "return ['a', 'b', 'c'].map((name) => `${name}=${properties[name].description?.trim() ?? 'none'}`).join(',');",
        canonical="of a labelled field, of one with `toolparamdescription` too, of one with `aria-label` alone",
    ),
    asked_of(
        "renamed",
        "What is listed after a script changes `toolname`?",
        form(),
        FIND
        + """
        document.forms[0].setAttribute('toolname', 'renamed');
        await probe.until(() => find('renamed'), 2000);
        return await probe.names();
        """,
        {
            "fence,renamed": "The tool under its new name.",
            "fence,search": "The tool under its old name.",
            "fence": "No tool.",
        },
    ),
    asked_of(
        "removed",
        "Is the tool gone when its form is removed?",
        form(),
        FIND
        + """
        document.forms[0].remove();
        return (await probe.until(async () => !(await find('search')), 2000)) ? 'yes' : 'no';
        """,
        yes_no("It is gone.", "It stays listed."),
    ),
    asked_of(
        "field-added",
        "Does the schema follow when a script adds a field?",
        form(),
        FIND
        + """
        document.forms[0].insertAdjacentHTML('beforeend', '<input name="later">');
        const added = async () => JSON.stringify((await find('search')).inputSchema).includes('later');
        return (await probe.until(added, 2000)) ? 'yes' : 'no';
        """,
        yes_no("The schema has the new field.", "The schema is as it was."),
    ),
    *form_calls.BEHAVIOURS,
)
