"""Declarative tools: forms with `toolname` and `tooldescription`."""

from tests.sites.gold import GoldPage, Tool, captured, document, forms, scripts

CONTACT = """
<h1>Contact</h1>
<form toolname="send_message" tooltitle="Write to us" tooldescription="Sends a message to the office."
  method="post">
  <label for="name">Your name</label> <input id="name" name="name" required>
  <label for="mail">Your address</label> <input id="mail" name="mail" type="email" required
    toolparamdescription="E-mail address for the answer">
  <label for="text">Message</label> <textarea id="text" name="text"></textarea>
  <input type="hidden" name="token" value="x1"><input name="trap" disabled><button>Send</button>
</form>
"""

SURVEY = """
<h1>Two minutes for the swimming pool</h1>
<form toolname="answer_survey" tooldescription="Answers the survey.">
  <fieldset><legend>Do you swim?</legend>
    <label><input type="radio" name="swims" value="yes"> Yes</label>
    <label><input type="radio" name="swims" value="no"> No</label></fieldset>
  <label>Visits in a month <input type="range" name="visits" min="0" max="30" step="1"></label>
  <label>Which lane? <select name="lane">
    <option value="slow">Slow</option><option value="fast">Fast</option></select></label>
  <label><input type="checkbox" name="news" value="1"> Send me the newsletter</label>
</form>
"""

NEWSLETTER = """
<h1>Newsletter</h1><div id="card"></div>
<script>
  const form = document.createElement("form");
  form.setAttribute("toolname", "subscribe");
  form.setAttribute("tooldescription", "Subscribes an address.");
  form.innerHTML = '<label>Address <input type="email" name="address" required></label><button>Go</button>';
  setTimeout(() => document.querySelector("#card").append(form), 500);
</script>
"""

NO_DESCRIPTION = """
<h1>Three forms</h1>
<form toolname="complete" tooldescription=""><input name="a"></form>
<form toolname="without_description"><input name="a"></form>
<form toolname="bad name" tooldescription="A space is not allowed."><input name="a"></form>
<form toolname="" tooldescription="Nor is an empty name."><input name="a"></form>
<form action="/plain"><input name="a"></form>
"""

DUPLICATES = """
<h1>Two forms, one name</h1>
<form toolname="search" tooldescription="The first one."><input name="first"></form>
<form toolname="search" tooldescription="The second one."><input name="second"></form>
"""

RENAMED = """
<h1>Step by step</h1>
<form toolname="start_claim" tooldescription="Starts a claim."><input name="number"></form>
<form toolname="go_away" tooldescription="Is removed again."><input name="x"></form>
<script>
  setTimeout(() => {
    document.querySelector("form").setAttribute("toolname", "finish_claim");
    document.querySelectorAll("form")[1].remove();
  }, 600);
</script>
"""

SHADOW = """
<h1>Newsletter in a component</h1><sign-up></sign-up><dialog>
<form toolname="in_dialog" tooldescription="In a dialog that is closed."><input name="x"></form></dialog>
<form toolname="not_shown" tooldescription="Not displayed." style="display: none"><input name="x"></form>
<template>
  <form toolname="in_template" tooldescription="Not a form of the page."><input name="x"></form>
</template>
<script>
  customElements.define("sign-up", class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: "closed" }).innerHTML =
        '<form toolname="in_shadow" tooldescription="In a closed shadow tree."><input name="address"></form>';
    }
  });
</script>
"""

GROWING = """
<h1>Address</h1>
<form id="f" toolname="save_address" tooldescription="Saves an address."><input name="street" required></form>
<input name="city" form="f" required>
<script>
  setTimeout(() => {
    const zip = Object.assign(document.createElement("input"), { name: "zip" });
    document.querySelector("form").append(zip);
  }, 700);
</script>
"""

CLASH = """
<h1>Form first, script second</h1>
<form toolname="search" tooldescription="The form has the name."><input name="q"></form>
<script>
  // A form becomes a tool in a task of its own, so a script right behind it would still be in time.
  addEventListener("load", () => setTimeout(() => {
    const tool = (name) => ({ name, description: `Script: ${name}.`, execute: () => "" });
    document.modelContext.registerTool(tool("search")).catch(() => {});
    document.modelContext.registerTool(tool("clear"));
  }, 300));
</script>
"""


def _text(description: str | None = None) -> dict[str, object]:
    return {"type": "string"} if description is None else {"type": "string", "description": description}


PAGES = (
    GoldPage(
        "contact",
        "Contact form with labels, a described field, and fields that are none of a tool's business",
        captured(
            Tool(
                "send_message",
                kind="form",
                title="Write to us",
                description="Sends a message to the office.",
                input_schema={
                    "type": "object",
                    "properties": {
                        "name": _text("Your name"),
                        "mail": _text("E-mail address for the answer"),
                        "text": _text("Message"),
                    },
                    "required": ["name", "mail"],
                },
            )
        ),
        "measured: hidden, disabled and button are left out; toolparamdescription wins over the label",
        {"/": document("Contact", CONTACT)},
        in_demo=True,
    ),
    GoldPage(
        "survey",
        "Survey with radio buttons, a range, a selection and a check box",
        captured(*forms("answer_survey")),
        "measured: every kind of field is a property, or none of it",
        {"/": document("Survey", SURVEY)},
        in_demo=True,
    ),
    GoldPage(
        "newsletter",
        "A form that a script puts into the page after 0.5 s",
        captured(*forms("subscribe")),
        "measured: a form is a tool from when it is connected",
        {"/": document("Newsletter", NEWSLETTER)},
    ),
    GoldPage(
        "incomplete-forms",
        "Forms without a description, with a bad name, with none: one of five is a tool",
        captured(*forms("complete")),
        "measured: an empty tooldescription is accepted, a missing one and a bad name are not",
        {"/": document("Three forms", NO_DESCRIPTION)},
    ),
    GoldPage(
        "duplicate-forms",
        "Two forms with one toolname: the first wins",
        captured(
            Tool(
                "search",
                kind="form",
                description="The first one.",
                input_schema={"type": "object", "properties": {"first": _text()}, "required": []},
            )
        ),
        "measured: duplicate toolname, the first wins (up to build 150 the renderer crashes)",
        {"/": document("Two forms", DUPLICATES)},
    ),
    GoldPage(
        "renamed-form",
        "A form that changes its name after 0.6 s, and one that goes away",
        captured(*forms("finish_claim")),
        "measured: a rename is toolsRemoved and toolsAdded; removal is toolsRemoved",
        {"/": document("Step by step", RENAMED)},
    ),
    GoldPage(
        "shadow-form",
        "Forms in a closed shadow tree, a closed dialog, not displayed, and in a template",
        captured(*forms("in_shadow", "in_dialog", "not_shown")),
        "measured: works in shadow trees, closed dialogs and display:none, not in a template",
        {"/": document("Component", SHADOW)},
        in_demo=True,
    ),
    GoldPage(
        "growing-form",
        "A form that gets a field more after 0.7 s: the last schema counts",
        captured(
            Tool(
                "save_address",
                kind="form",
                input_schema={
                    "type": "object",
                    "properties": {"street": _text(), "city": _text(), "zip": _text()},
                    "required": ["street", "city"],
                },
            )
        ),
        "measured: early events carry partial schemas; fields with form= are included",
        {"/": document("Address", GROWING)},
    ),
    GoldPage(
        "form-and-script-clash",
        "A script that wants a form's name: the call rejects",
        captured(*forms("search"), *scripts("clear")),
        "measured: duplicate name, also against a form's tool",
        {"/": document("Clash", CLASH)},
    ),
)
