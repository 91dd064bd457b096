"""Where a document and a script lead, by the HTML standard and by what bundlers write."""

from crawler.screen.signs import Sign
from crawler.screen.source import read_markup, scripts_named_in

PAGE = "https://shop.example.org/en/"
SITE = "example.org"


def test_scripts_are_those_of_the_pages_own_site_in_order():
    source = read_markup(
        """<base href="/app/"><script src="a.js"></script><script src=//cdn.example.org/b.js></script>
        <script src="https://other.net/c.js"></script><link rel="modulepreload" href="d.js">
        <link rel=preload as=script href=e.js><link rel=preload as=style href=f.css><script src="data:,x"></script>""",
        PAGE,
        SITE,
    )
    assert source.scripts == (
        "https://shop.example.org/app/a.js", "https://cdn.example.org/b.js", "https://shop.example.org/app/d.js",
        "https://shop.example.org/app/e.js",
    )  # fmt: skip


def test_frames_and_where_the_page_goes_on_are_documents():
    source = read_markup(
        """<iframe src="tools.html"></iframe><iframe src="https://other.net/x"></iframe><iframe></iframe>
        <meta http-equiv="Refresh" content="0; URL='/de/'">
        <script>if (x) location.href = "/fr/"; else location.replace('/it/#top')</script>""",
        PAGE,
        SITE,
    )
    assert source.documents == (
        "https://shop.example.org/en/tools.html", "https://shop.example.org/de/", "https://shop.example.org/fr/",
        "https://shop.example.org/it/",
    )  # fmt: skip


def test_a_frame_that_may_have_tools_is_a_sign_wherever_it_is_from():
    def signs(allow: str) -> frozenset[Sign]:
        return read_markup(f'<iframe src="https://other.net/" allow="{allow}">', PAGE, SITE).signs

    assert signs("camera; tools 'self' https://other.net") == {Sign.FRAME}
    assert signs("tools") == {Sign.FRAME}
    assert signs("camera; my-tools-x") == frozenset()


def test_inline_scripts_name_what_they_import():
    source = read_markup("""<script type=module>import "./boot.mjs"; import('/lazy.js?v=1')</script>""", PAGE, SITE)
    assert source.mentioned == ("https://shop.example.org/en/boot.mjs", "https://shop.example.org/lazy.js?v=1")


def test_a_scripts_lazy_parts_are_found_from_the_script_and_from_the_page():
    named = scripts_named_in(
        'import("./Cart-1a.js");m.f||(m.f=["assets/Cart-1a.js"])',
        "https://shop.example.org/assets/index.js",
        PAGE,
        SITE,
    )
    assert named == (
        "https://shop.example.org/assets/Cart-1a.js",
        "https://shop.example.org/en/assets/Cart-1a.js",
        "https://shop.example.org/assets/assets/Cart-1a.js",
    )


def test_a_frameworks_manifest_names_paths_from_the_folder_of_the_build():
    named = scripts_named_in(
        'self.__BUILD_MANIFEST={"/":["static/chunks/index-9.js"]}',
        "https://shop.example.org/_next/static/7/_buildManifest.js",
        PAGE,
        SITE,
    )
    assert named == ("https://shop.example.org/_next/static/chunks/index-9.js",)


def test_markup_that_is_none_has_nothing_and_breaks_nothing():
    for text in ("", "\0\0", "<", "<script src=http://[></script>", "<iframe src='http://a:b:c/'>", "plain"):
        assert read_markup(text, PAGE, SITE).scripts == ()
