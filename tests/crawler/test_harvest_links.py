import pytest

from crawler.harvest.links import Link, LinkKind, classify_links, link_kind


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://github.com/a/b", LinkKind.REPOSITORY),
        ("https://www.github.com/a/b", LinkKind.REPOSITORY),
        ("https://gist.github.com/a/1", LinkKind.REPOSITORY),
        ("https://gitlab.com/a/b", LinkKind.REPOSITORY),
        ("https://codeberg.org/a/b", LinkKind.REPOSITORY),
        ("https://a.github.io/b/", LinkKind.DEMO),
        ("https://a.gitlab.io/b/", LinkKind.DEMO),
        ("https://notgithub.com/a", LinkKind.DEMO),
        ("https://github.com.evil.example/a", LinkKind.DEMO),
        ("https://youtu.be/x", LinkKind.VIDEO),
        ("https://www.loom.com/share/x", LinkKind.VIDEO),
        ("https://example.com/demo.mp4", LinkKind.VIDEO),
        ("https://chromewebstore.google.com/detail/x/y", LinkKind.STORE),
        ("https://chrome.google.com/webstore/detail/x", LinkKind.STORE),
        ("https://chrome.google.com/webstores", LinkKind.DEMO),
        ("https://play.google.com/store/apps/details?id=x", LinkKind.STORE),
        ("https://example.com/app.apk", LinkKind.STORE),
        ("https://docs.google.com/presentation/d/1", LinkKind.DOCUMENT),
        ("https://sites.google.com/view/x", LinkKind.DEMO),
        ("https://team.notion.site/x", LinkKind.DOCUMENT),
        ("https://www.figma.com/file/x", LinkKind.DOCUMENT),
        ("https://example.com/pitch.PDF", LinkKind.DOCUMENT),
        ("https://x.com/a", LinkKind.SOCIAL),
        ("https://max.com/a", LinkKind.DEMO),
        ("https://www.npmjs.example/package/x", LinkKind.PACKAGE),
        ("https://huggingface.co/spaces/a/b", LinkKind.DEMO),
        ("https://huggingface.co/datasets/a/b", LinkKind.REPOSITORY),
        ("http://127.0.0.1:8000/", LinkKind.DEMO),
        ("mailto:a@example.com", LinkKind.NOT_HTTP),
        ("http://[broken", LinkKind.NOT_HTTP),
        ("https://", LinkKind.NOT_HTTP),
    ],
)
def test_the_place_says_what_a_link_is(url, kind):
    assert link_kind(Link(url)) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Source code", LinkKind.REPOSITORY),
        ("Demo video", LinkKind.VIDEO),
        ("Slides", LinkKind.DOCUMENT),
        ("Live demo", LinkKind.DEMO),
        ("Docs and live demo", LinkKind.DEMO),
        ("videos.example.com", LinkKind.DEMO),
    ],
)
def test_the_text_speaks_where_the_place_is_unknown(text, kind):
    assert link_kind(Link("https://videos.example.com/a", text)) is kind


def decide(*links):
    return classify_links([Link(*link) if isinstance(link, tuple) else Link(link) for link in links])


def test_the_only_candidate_is_the_demo():
    decision = decide("https://youtu.be/x", "https://github.com/a/b", "https://app.example.com/")
    assert (decision.demo, decision.repository) == ("https://app.example.com/", "https://github.com/a/b")
    assert decision.reason == "only_candidate"


def test_one_target_written_twice_is_one_candidate():
    decision = decide("https://app.example.com/", "https://APP.example.com:443", "https://app.example.com/#top")
    assert decision.demo == "https://app.example.com/"


def test_of_several_the_only_one_called_a_demo():
    decision = decide(("https://a.example/x/y", "Live demo"), ("https://b.example/", "Our team"))
    assert (decision.demo, decision.reason) == ("https://a.example/x/y", "named_demo")


def test_a_host_printed_as_text_names_nothing():
    decision = decide(("https://demo.a.example/", "demo.a.example"), ("https://b.example/", "b.example"))
    assert (decision.demo, decision.reason) == (None, "ambiguous")


def test_of_several_on_one_site_the_shallowest():
    decision = decide("https://a.example.com/guide/start", "https://www.example.com/")
    assert (decision.demo, decision.reason) == ("https://www.example.com/", "shallowest")


@pytest.mark.parametrize(
    "links",
    [
        ("https://a.example/", "https://b.example/"),
        (("https://a.example/", "demo"), ("https://b.example/", "demo")),
        ("https://a.example.com/x", "https://a.example.com/y"),
        ("https://a.vercel.app/", "https://b.vercel.app/x"),
    ],
)
def test_several_equals_are_ambiguous(links):
    decision = decide(*links)
    assert (decision.demo, decision.reason, len(decision.candidates)) == (None, "ambiguous", 2)


@pytest.mark.parametrize(
    ("links", "reason"),
    [
        ((), "no_link"),
        (("https://github.com/a/b", "https://gitlab.com/a/b"), "only_repository"),
        (("https://youtu.be/x",), "only_video"),
        (("https://github.com/a/b", "https://youtu.be/x"), "only_repository"),
        (("https://docs.google.com/d/1",), "only_document"),
        (("mailto:a@example.com",), "only_not_http"),
        (("https://github.com/a/b", "https://pypi.example/project/x"), "no_demo"),
    ],
)
def test_without_a_candidate_the_reason_says_what_there_was(links, reason):
    decision = decide(*links)
    assert (decision.demo, decision.candidates, decision.reason) == (None, (), reason)
