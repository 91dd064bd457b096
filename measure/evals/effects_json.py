"""What a call did to its page, as the value that a suite's `effects` is held against, and that is written."""

from pydantic import JsonValue

from measure.live.effects import Effects


def effects_json(effects: Effects) -> dict[str, JsonValue]:
    """The effects as JSON; `changed` is whether anything at all is known to have changed."""
    return {
        "changed": effects.any_change,
        "dom_changed": effects.dom_changed,
        "navigated_to": effects.navigated_to,
        "writes": [{"method": each.method, "url": each.url} for each in effects.writes],
        "storage": [
            {"area": each.area.value, "origin": each.origin, "key": each.key, "change": each.change.value}
            for each in effects.storage
        ],
        "dialogs": [{"kind": each.kind, "message": each.message} for each in effects.dialogs],
        "popups": effects.popups,
        "downloads": effects.downloads,
        "uncaught": list(effects.uncaught),
        "tools_changed": effects.tools_changed,
    }
