from pathlib import Path

import pytest

from census.errors import CensusError
from census.optout import OptOut


@pytest.fixture
def optout(tmp_path: Path) -> OptOut:
    path = tmp_path / "optout.txt"
    path.write_text("# a comment\n\nshop.org 2026-11-30 owner\nwww.Bücher.de, 2026-11-30\nlocalhost:8080\n")
    return OptOut.read(path)


@pytest.mark.parametrize(
    ("url", "covered"),
    [
        ("https://shop.org/", True),
        ("https://www.shop.org/x", True),
        ("https://othershop.org/", False),
        ("https://xn--bcher-kva.de/", True),
        ("https://bücher.de/", True),
        ("http://localhost:8080/", True),
        ("http://localhost:8081/", False),
        ("about:blank", False),
    ],
)
def test_a_site_is_covered_with_all_its_hosts_however_it_is_spelled(optout: OptOut, url: str, covered: bool) -> None:
    assert optout.covers(url) is covered


@pytest.mark.parametrize("line", ["https://shop.org/", "."])
def test_a_line_that_is_no_site_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "optout.txt"
    path.write_text(f"good.example\n{line}\n")
    with pytest.raises(CensusError, match=r"optout.txt, line 2: .* is no site"):
        OptOut.read(path)
