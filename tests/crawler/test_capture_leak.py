"""What one page does never shows in another page's record, in the same browser, at the same time or after it."""

import pytest

from census.vocabulary import BrowserView, Outcome, PageView
from tests.crawler.conftest import QUICK, Cli, controls, final_visits, query, tool_names
from tests.sites.gold import document
from tests.sites.server import Site, SmallWeb

REGISTERS_FOR_EVER = """
<script>
  let number = 0;
  const register = () => document.modelContext.registerTool(
    {name: `NAME_${number++ % 5}`, description: "Hostile", execute: async () => "x"}).catch(() => {});
  register();
  setInterval(register, 50);
</script>"""

# Popups that register and open further ones, a tab without an opener, and a page that reloads itself while it is read.
OPENS_TABS = (
    REGISTERS_FOR_EVER
    + """
<script>
  open("/popup?1");
  open("/popup?1", "_blank", "noopener");
  const link = Object.assign(document.createElement("a"), {href: "/popup?1", target: "_blank", rel: "noopener"});
  document.documentElement.append(link);
  link.click();
</script>"""
)
RELOADS = OPENS_TABS + "<script>setTimeout(() => location.reload(), 700);</script>"
MOVES_ON = OPENS_TABS + "<script>setTimeout(() => { location = '/next' + location.search + 1; }, 700);</script>"
POPUP = (
    REGISTERS_FOR_EVER
    + """
<script>
  if (location.search.length < 4) open("/popup" + location.search + "1");
  onbeforeunload = (event) => { event.preventDefault(); event.returnValue = "stay"; };
</script>"""
)

CLEAN = document("Nothing here", "<p>No tool is registered on this page.</p>")
HOSTILE = {"opens": OPENS_TABS, "reloads": RELOADS, "moves": MOVES_ON}


def hostile_site(kind: str, number: int) -> Site:
    name = f"{kind}-{number}"
    page = document(name, HOSTILE[kind].replace("NAME", f"hostile_{kind}_{number}"))
    popup = document("Popup", POPUP.replace("NAME", f"popup_{kind}_{number}"))
    nexts = {f"/next{'1' * n}": page for n in range(1, 8)}
    return Site(name, {"/": page, "/next": page, "/popup": popup, **nexts})


def assert_no_leak(cli: Cli, rounds: int) -> None:
    hostile = [hostile_site(kind, number) for number in range(rounds) for kind in HOSTILE]
    clean = [Site(f"clean-{number}", {"/": CLEAN}) for number in range(2 * len(hostile))]
    mixed = [site for trio in zip(hostile, clean[::2], clean[1::2], strict=True) for site in trio]
    with SmallWeb(mixed) as web:
        done = cli(
            "crawl", cli.list(web.url(site.name) for site in mixed), "--out", "run", *QUICK, "--settle-cap", "2",
            "--concurrency", "6", "--control-every", "6", "--no-robots", timeout=280,
        )  # fmt: skip
        assert done.code == 0, done.err
        visits = final_visits(cli.folder / "run")
        unread: list[tuple[str, list[str | None]]] = []
        for site in clean:
            visit = visits[web.url(site.name)]
            assert tool_names(visit) == set(), f"{site.name} has a tool that it never registered"
            assert (visit.outcome, visit.browser_view) == (Outcome.CAPTURED, BrowserView.READ)
            if [document.page_view for document in visit.documents] != [PageView.READ]:
                unread.append((site.name, [document.error for document in visit.documents]))
        # On a busy machine a document may not answer in time, which its record says; it is no leak, and it is rare.
        assert len(unread) <= len(clean) // 10, unread
        assert all(errors == ["timeout"] for _, errors in unread), unread
        for site in hostile:
            visit = visits[web.url(site.name)]
            assert visit.outcome is Outcome.CAPTURED, visit.outcome_detail
            own = f"hostile_{site.name.replace('-', '_')}_"
            assert [name for name in tool_names(visit) if not name.startswith(own)] == []
            assert tool_names(visit)
            assert visit.popups >= 3, "it opened its tabs"
        assert any(len(web.requests(site.name)) > 4 for site in hostile), "the popups loaded"
    run = cli.folder / "run"
    made = controls(run)
    assert len(made) >= len(mixed) // 6
    assert {control.detail for control in made} == {"zero tools in both views"}
    captured = query(run, "SELECT count(*) FROM visits WHERE outcome = 'captured'")
    assert captured == [(sum(control.vouches_for for control in made),)], "each visit is vouched for"


@pytest.mark.timeout(290)
def test_nothing_of_pages_that_open_tabs_and_reload_shows_in_the_pages_beside_and_after_them(cli):
    assert_no_leak(cli, rounds=1)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("time", range(3))
def test_nothing_shows_when_there_are_many_again_and_again(cli, time):
    assert_no_leak(cli, rounds=8)
