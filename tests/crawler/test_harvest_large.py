"""Lists of any length: each form as its publisher has it, duplicates, bounds, samples by rank."""

import gzip
import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from census.errors import CensusError
from crawler.harvest.large import harvest_large
from crawler.harvest.large_list import form_of
from crawler.harvest.output import OutputFiles
from crawler.harvest.seen import Seen
from crawler.harvest.strata import Sample, Stratum, shared_out, stratum_of

TRANCO = "1,google.com\r\n2,facebook.com\r\n3,Google.com\r\n"
CRUX = "origin,rank\nhttps://www.example.org,1000\nhttp://shop.example.net:8080,5000\n"
MAJESTIC = "GlobalRank,TldRank,Domain,TLD,RefSubNets\n7,3,example.org,org,123\n"
PAGE = '"mime": "text/html", "status": "200"}'
CDXJ = f"""org,example)/ 20261101000000 {{"url": "https://example.org/", {PAGE}
org,example)/ 20261102000000 {{"url": "https://example.org/", {PAGE}
org,example)/a.pdf 20261101000000 {{"url": "https://example.org/a.pdf", "mime": "application/pdf", "status": "200"}}
org,example)/b 20261101000000 {{"url": "https://example.org/b", "mime": "text/html", "status": "301"}}
{{"url": "https://example.org/c", "mime": "unk", "mime-detected": "text/html", "status": "200"}}
no index line
"""


def harvested(path: Path, form: str | None = None, **options: object) -> tuple[list[dict], dict]:
    """The targets, and the counts of the report."""
    out = path.with_name("out.jsonl")
    done = harvest_large(path, form or form_of(path) or "text", OutputFiles(out), **options)
    return [json.loads(line) for line in out.read_text().splitlines()], done.counts().model_dump()


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("tranco.csv", TRANCO, [("https://google.com/", 1), ("https://facebook.com/", 2)]),
        ("crux.csv", CRUX, [("https://www.example.org", 1000), ("http://shop.example.net:8080", 5000)]),
        ("majestic.csv", MAJESTIC, [("https://example.org/", 7)]),
        ("radar.csv", "domain\nexample.org\n", [("https://example.org/", None)]),
        ("cdx-00000.cdxj", CDXJ, [("https://example.org/", None), ("https://example.org/c", None)]),
    ],
)
def test_each_publishers_form_is_known_by_its_file(tmp_path, name, text, expected):
    targets, _ = harvested(written(tmp_path, name, text))
    assert [(target["url"], target.get("rank")) for target in targets] == expected
    assert {target["source"] for target in targets} == {str(tmp_path / name)}


def test_every_entry_is_counted_once(tmp_path):
    _, counts = harvested(written(tmp_path, "cdx-00000.cdxj", CDXJ))
    assert (counts["entries_seen"], counts["targets"], counts["duplicates"]) == (6, 2, 1)
    assert counts["skipped"] == {"not_a_page": 2, "unreadable": 1}


def test_packed_lists_are_unpacked(tmp_path):
    packed = tmp_path / "top.csv.gz"
    packed.write_bytes(gzip.compress(TRANCO.encode()))
    assert len(harvested(packed)[0]) == 2
    with zipfile.ZipFile(tmp_path / "top.csv.zip", "w") as archive:
        archive.writestr("top-1m.csv", TRANCO)
    assert len(harvested(tmp_path / "top.csv.zip")[0]) == 2


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv.gz", b"\x1f\x8bbroken", "cannot be read"),
        ("a.csv", b"rank;page\n", "neither `RANK,DOMAIN`"),
        ("a.csv", b"1,\xff\xfe\n", "not UTF-8"),
        ("a.csv", b"1,no such host\n", "no target in it"),
    ],
)
def test_what_is_no_list_is_said_and_leaves_an_earlier_harvest(tmp_path, name, content, says):
    (tmp_path / "out.jsonl").write_text("earlier\n")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CensusError, match=says):
        harvested(tmp_path / name, "ranked")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "out.jsonl"])
    assert (tmp_path / "out.jsonl").read_text() == "earlier\n"


def test_a_list_of_targets_keeps_its_ranks_and_nothing_that_the_crawl_finds_out(tmp_path):
    line = '{"url": "https://a.org/", "rank": 5, "project": "A", "screen": "evidence"}\n'
    targets, _ = harvested(written(tmp_path, "list.jsonl", line), "jsonl")
    assert targets == [{"url": "https://a.org/", "rank": 5, "project": "A", "source": str(tmp_path / "list.jsonl")}]


def test_duplicates_are_found_across_batches_and_the_first_stays(monkeypatch):
    monkeypatch.setattr("crawler.harvest.seen.BATCH", 3)
    with Seen() as seen:
        keys = ["a", "b", "a", "c", "b", "d", "a", "e"]
        new = [(item, is_new) for _, item, is_new in seen.first_of_each((key, n) for n, key in enumerate(keys))]
    assert [item for item, is_new in new if is_new] == [0, 1, 3, 5, 7]
    assert [item for item, _ in new] == list(range(8))


def test_strata_are_the_powers_of_ten_from_a_thousand():
    assert stratum_of(1) == stratum_of(1000) == Stratum(0, 1000)
    assert stratum_of(1001) == stratum_of(10_000) == Stratum(1000, 10_000)
    assert stratum_of(10_000_000) == Stratum(1_000_000, 10_000_000)
    assert stratum_of(None) == Stratum(None, None)


def test_each_stratum_gives_as_many_and_what_a_small_one_lacks_the_others_give():
    one, two, three = Stratum(0, 1000), Stratum(1000, 10_000), Stratum(None, None)
    assert shared_out(30, {one: 100, two: 100, three: 100}) == {one: 10, two: 10, three: 10}
    assert shared_out(30, {one: 2, two: 100, three: 100}) == {one: 2, two: 14, three: 14}
    assert shared_out(31, {one: 2, two: 100, three: 100}) == {one: 2, two: 15, three: 14}
    assert shared_out(500, {one: 2, two: 3}) == {one: 2, two: 3}


def test_a_sample_is_the_same_for_its_seed_in_any_order_of_the_list(tmp_path):
    lines = [f"{rank},s{rank}.org" for rank in range(1, 3001)]
    picked = []
    for order in (lines, lines[::-1]):
        targets, counts = harvested(written(tmp_path, "t.csv", "\n".join(order)), "ranked", sample=100, seed="7")
        picked.append({target["url"] for target in targets})
        assert Counter(target["rank"] > 1000 for target in targets) == {False: 50, True: 50}
        assert (counts["targets"], counts["skipped"]["not_drawn"], counts["entries_seen"]) == (100, 2900, 3000)
    assert picked[0] == picked[1]
    targets, _ = harvested(written(tmp_path, "t.csv", "\n".join(lines)), "ranked", sample=100, seed="8")
    assert len({target["url"] for target in targets} & picked[0]) < 30
    assert [target["rank"] for target in targets] == sorted(target["rank"] for target in targets)


def test_every_target_is_drawn_about_as_often():
    """1,000 samples of 10 of 40: each target is drawn 250 times, with a standard deviation of 13.7."""
    drawn: Counter[int] = Counter()
    for seed in range(1000):
        sample: Sample[int] = Sample(10, str(seed))
        for number in range(40):
            sample.offer(f"https://s{number}.org", number + 1, number, number)
        drawn.update(sample.drawn()[0])
    assert all(190 < drawn[number] < 310 for number in range(40))
