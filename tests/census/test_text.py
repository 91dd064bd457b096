import pytest

from census.interval import proportion
from census.text import escape_markdown, inert, markdown_table, rate_text


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("a|b", r"a\|b"),
        ("`code`", r"\`code\`"),
        ("<script>alert(1)</script>", r"&lt;script&gt;alert\(1\)&lt;/script&gt;"),
        ("![x](javascript:1)", r"\!\[x\]\(javascript\:1\)"),
        ("two\nlines", "two lines"),
        ("two\r\nlines", "two⟨U+000D⟩ lines"),
        ("two\u2028lines", "two⟨U+2028⟩lines"),
        ("\u202etxt.exe", "⟨U+202E⟩txt.exe"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("&lt;", "&amp;lt;"),
        (r"back\|slash", r"back\\\|slash"),
        ("https://evil.example", r"https\://evil.example"),
        ("add_to_cart", r"add\_to\_cart"),
        ("Grüße 日本", "Grüße 日本"),
    ],
)
def test_a_hostile_string_is_inert(hostile: str, shown: str) -> None:
    assert escape_markdown(hostile) == shown


def test_a_long_string_is_cut_and_says_so() -> None:
    assert escape_markdown("x" * 200) == "x" * 120 + "…"


def test_a_table_has_a_line_for_each_row() -> None:
    table = markdown_table(("a", "b"), [("1", escape_markdown("x|y\nz"))])
    assert table == "| a | b |\n| --- | --- |\n| 1 | x\\|y z |"


def test_a_rate_is_never_bare() -> None:
    assert rate_text(proportion(1507, 1866)) == "80.8 % (95 % interval 78.9 to 82.5 %; 1,507 of 1,866)"
    assert rate_text(proportion(0, 0)) == "nothing to count (n = 0)"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("plain, 日本語 and\u3000wide space", "plain, 日本語 and\u3000wide space"),
        ("two\nlines\r", "two⟨U+000A⟩lines⟨U+000D⟩"),
        ("\x1b[31mred\x07", "⟨U+001B⟩[31mred⟨U+0007⟩"),
        ("right \u202e to left, zero\u200bwidth", "right ⟨U+202E⟩ to left, zero⟨U+200B⟩width"),
        ("tag \U000e0041", "tag ⟨U+E0041⟩"),
        ("lone \ud800", "lone ⟨U+D800⟩"),
        ("::error::x", ": :error::x"),
        ("  ::error::x", "  : :error::x"),
        ("a::b", "a::b"),
        ("say ##[group]", "say ## [group]"),
    ],
)  # fmt: skip
def test_a_string_is_inert_in_a_terminal_and_in_a_log(said: str, shown: str) -> None:
    assert inert(said) == shown


def test_a_long_string_is_cut_with_a_mark() -> None:
    assert inert("abcdef", 3) == "abc…"
    assert inert("abc", 3) == "abc"
