"""Prose of ours and strings of pages as HTML."""

from publish.site.prose import blocks, shown, spans
from publish.site.rendering import said


def test_code_is_marked_and_all_else_escaped():
    assert spans("Use `<b>` & go") == "Use <code>&lt;b&gt;</code> &amp; go"


def test_paragraphs_and_bullets_are_told_apart():
    text = "One\nline.\n\n- first - with a dash\n  and more\n- second"
    assert blocks(text) == "<p>One line.</p><ul><li>first - with a dash and more</li><li>second</li></ul>"


def test_a_string_of_a_page_is_one_isolated_inert_line():
    assert shown("a\n\tb <i>\u202e") == "<bdi>a b &lt;i&gt;⟨U+202E⟩</bdi>"
    assert shown("x" * 300, 10) == f"<bdi>{'x' * 10}…</bdi>"


def test_a_sentence_of_lint_keeps_a_page_s_words_in_code():
    assert said("`<a>` is thin", 100) == ("<bdi></bdi><code><bdi>&lt;a&gt;</bdi></code><bdi> is thin</bdi>")
