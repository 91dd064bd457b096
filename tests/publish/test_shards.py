"""Shards: one small file answers, whatever the hosts are like."""

import json
import random

import pytest

from publish.lookup.question import address_of
from publish.lookup.shard_layout import LIMIT, Layout, digest, fnv1a, host_digest, layout_of, shard_names
from publish.lookup.shards import CrowdedHost, Shard, Shards, as_script


def page(url: str, **more: object) -> dict[str, object]:
    return {"url": url, "visited": "2026-11-03", "tools": 0, **more}


def files_of(pages: list[dict[str, object]]) -> tuple[Layout, dict[str, dict[str, object]]]:
    shards = Shards("2026.11.0", pages)
    files = dict(shards.files())
    for name, data in files.items():
        assert len(data) <= LIMIT, name
        assert len(as_script(f"{name}", data)) <= LIMIT, name
    return shards.layout, {name: json.loads(data) for name, data in files.items()}


def looked_up(url: str, layout: Layout, files: dict[str, dict[str, object]]) -> list[str]:
    address = address_of(url)
    assert address is not None
    name = layout.shard_of(digest(address))
    return [each["url"] for each in files[f"pages/{name}"]["pages"]]  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "hash_"), [("", "811c9dc5"), ("a", "e40c292c"), ("foobar", "bf9cf968")]
)  # the FNV authors' own test vectors
def test_the_hash_is_fnv_1a(text, hash_):
    assert fnv1a(text) == hash_


def test_every_page_is_in_the_one_shard_that_its_address_names():
    rng = random.Random(1)
    urls = [f"https://host-{rng.randrange(10**9)}.example/{number}" for number in range(5_000)]
    layout, files = files_of([page(url) for url in urls])
    assert all(url in looked_up(url, layout, files) for url in urls)
    # 5,000 pages of about 75 bytes are some 375 kB: 16 shards would be over the limit, 256 are not.
    assert layout.prefix_length == 2
    assert {f"pages/{name}" for name in shard_names(layout)} == {name for name in files if name.startswith("pages/")}


def test_a_small_census_has_sixteen_shards_and_those_without_a_page_are_there_too():
    layout, files = files_of([page("https://a.example/")])
    assert layout == Layout(1, frozenset())
    assert len(files) == 16
    assert sum(len(file["pages"]) for file in files.values()) == 1


def test_a_host_with_more_pages_than_a_shard_is_spread_by_its_addresses_and_has_a_file_of_its_own():
    crowd = [page(f"https://crowd.example/{number}") for number in range(1_000)]
    crowd += [page("https://crowd.example/"), page("https://crowd.example/with-tools", tools=2, entry="ab" * 8)]
    layout, files = files_of([*crowd, page("https://other.example/")])
    assert all(each["url"] in looked_up(str(each["url"]), layout, files) for each in crowd)
    assert "https://other.example/" in looked_up("https://other.example/", layout, files)
    host = host_digest(address_of("https://crowd.example/"))
    assert layout.shard_of(host) is None
    of_host = CrowdedHost.model_validate(files[f"hosts/{host}"])
    assert of_host.hosts == {"crowd.example": 1_002}
    assert [each.url for each in of_host.pages][:2] == ["https://crowd.example/", "https://crowd.example/with-tools"]


def test_addresses_that_no_digest_tells_apart_are_counted_and_not_shown():
    # Only signs differ, which the digest leaves out: it is the worst that a target list can do.
    twins = [page(f"https://twin.example/{'-' * number}") for number in range(1, 400)]
    layout, files = files_of(twins)
    shard = Shard.model_validate(files[f"pages/{layout.shard_of(digest(address_of('https://twin.example/-')))}"])
    assert shard.left_out == 399 - len(shard.pages) > 0


def test_a_page_is_found_under_the_host_that_it_led_to():
    _, files = files_of([page("https://old.example/", final_url="https://new.example/")])
    found = [name for name, file in files.items() if file["pages"]]
    assert len(found) == len({fnv1a("old.example")[0], fnv1a("new.example")[0]})


def test_an_entry_that_is_too_long_loses_its_texts_and_not_its_place():
    finding = {"severity": "note", "rule": "a/b", "message": "m" * 5_000, "remedy": ""}
    layout, files = files_of([page("https://a.example/", findings=[finding])])
    assert looked_up("https://a.example/", layout, files) == ["https://a.example/"]


def test_a_shard_as_a_script_cannot_end_its_element():
    data = dict(Shards("2026.11.0", [page("https://a.example/</script><script>alert(1)//\u2028")]).files())
    script = b"".join(as_script(name, each) for name, each in data.items())
    assert b"<" not in script
    assert script.isascii()


def test_the_layout_does_not_depend_on_the_order_of_the_pages():
    sizes = [(f"{fnv1a(str(number))}{'0' * 8}", 100) for number in range(3_000)]
    assert layout_of(sizes) == layout_of(reversed(sizes))
