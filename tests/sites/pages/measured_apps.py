"""Apps whose invocation rates are measured: files in `tests/sites/apps`, so that `rate --serve` can serve them too."""

from collections.abc import Mapping
from pathlib import Path

from tests.sites.gold import GoldPage, Tool, captured, scripts
from tests.sites.server import Reply, Route

APPS = Path(__file__).parent.parent / "apps"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
}


def _routes(app: str) -> Mapping[str, Route]:
    folder = APPS / app
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        f"/{path.relative_to(folder).as_posix()}": Reply(path.read_text("utf-8"), content_type=_TYPES[path.suffix])
        for path in files
    }


_PRODUCTS = [
    "apples", "bananas", "tomatoes", "potatoes", "milk", "oat drink", "eggs", "butter", "cheddar", "sourdough bread",
    "spaghetti", "coffee",
]  # fmt: skip
_SHOP_ONLY = ("search_products", "add_to_cart", "set_quantity", "view_cart", "choose_delivery")

PAGES = (
    GoldPage(
        "grocer",
        "A grocer's cart whose tools are read from a file beside the page, then registered one after the other",
        captured(
            *scripts(*_SHOP_ONLY),
            Tool(
                "remove_from_cart",
                input_schema={
                    "type": "object",
                    "properties": {
                        "product": {
                            "type": "string",
                            "enum": _PRODUCTS,
                            "description": "The product that is no longer wanted",
                        }
                    },
                    "required": ["product"],
                    "additionalProperties": False,
                },
            ),
        ),
        "measured: tools that wait for a fetch",
        _routes("grocer"),
        path="/clean/index.html",
    ),
    GoldPage(
        "grocer-opaque",
        "The same shop under names that say nothing",
        captured(*scripts(*(f"action_{number}" for number in range(1, 7)))),
        "measured: tools that wait for a fetch",
        url="{{grocer}}/opaque/index.html",
    ),
    GoldPage(
        "osteria",
        "Tables of a restaurant: find, book, move, cancel",
        captured(*scripts("find_free_tables", "book_table", "move_booking", "cancel_booking")),
        "measured: tools that wait for a fetch",
        _routes("osteria"),
        path="/index.html",
    ),
    GoldPage(
        "slips",
        "Notes in the browser's storage: search, write, pin, delete",
        captured(*scripts("search_notes", "write_note", "pin_note", "delete_note")),
        "measured: tools that wait for a fetch",
        _routes("notes"),
        path="/index.html",
    ),
)
