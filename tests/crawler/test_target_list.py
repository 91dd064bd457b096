import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from census.errors import CensusError
from crawler.target_list import Counts, ListFormat, Problem, parse_target_list, read_target_list

A, B = "https://a.example/", "https://b.example/#/route"


def urls(data: str | bytes, name: str = "list", **options: bool) -> list[str]:
    body = data.encode() if isinstance(data, str) else data
    return [target.url for target in parse_target_list(body, name, **options).targets]


@pytest.mark.parametrize("name", ["list", "list.known"])
@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".jsonl", f'{{"url": "{A}"}}\n\n{{"url": "{B}"}}\n'),
        (".json", f'["{A}", {{"url": "{B}"}}]'),
        (".json", f'{{"version": 1, "targets": [{{"url": "{A}"}}, "{B}"]}}'),
        (".json", f'{{\n"targets": [\n"{A}",\n"{B}"\n]\n}}'),
        (".csv", f"url,project\n{A},One\n{B},\n"),
        (".csv", f"Project;URL\nOne;{A}\n;{B}\n"),
        (".tsv", f"project\turl\nOne\t{A}\nTwo\t{B}\n"),
        (".txt", f"# a comment\n{A}\n\n  {B}  \n"),
    ],
)
def test_every_form_is_read_by_suffix_and_by_look(name, suffix, text):
    given_name = name.replace(".known", suffix)
    assert urls(text, given_name) == [A, B]
    assert urls(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), given_name) == [A, B]


def test_a_line_of_jsonl_may_be_a_string():
    assert urls(f'"{A}"\n"{B}"\n', "x.jsonl") == [A, B]


def test_what_a_target_knows_is_kept_and_empty_cells_are_nothing():
    (target,) = parse_target_list(
        b"url,project,repository,source,stars\nhttps://a.example/,One,,gallery,5\n", "x.csv"
    ).targets
    assert target.model_dump(exclude_defaults=True) == {
        "url": A,
        "project": "One",
        "source": "gallery",
    }


def test_the_first_of_two_with_one_key_wins():
    listed = parse_target_list(
        b'{"url": "https://a.example/x", "project": "first"}\n'
        b'{"url": "HTTPS://A.example:443/x/#top", "project": "second"}\n'
        b'{"url": "https://a.example/x#/route"}\n',
        "x.jsonl",
    )
    assert [(one.url, one.project) for one in listed.targets] == [
        ("https://a.example/x", "first"),
        ("https://a.example/x#/route", None),
    ]
    assert listed.counts == Counts(targets=2, duplicates=1, not_http=0, unreadable=0)


def test_bad_lines_are_counted_and_named_and_do_not_stop_the_rest():
    listed = parse_target_list(
        b'{"url": "ftp://a.example/"}\n{"url": \n[1]\n7\n{"name": "x"}\n{"url": "https://a b/"}\n'
        b'{"url": "http://[::1"}\n{"url": "https://a.example/", "project": 5}\n{"url": "https://a.example/"}\n',
        "x.jsonl",
    )
    assert [one.url for one in listed.targets] == [A]
    assert listed.counts == Counts(targets=1, duplicates=0, not_http=1, unreadable=7)
    assert listed.problems[0] == Problem("x.jsonl", 1, "not an http(s) URL: 'ftp://a.example/'", not_http=True)
    assert [problem.line for problem in listed.problems] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "not JSON" in listed.problems[1].reason
    assert "project: " in listed.problems[7].reason


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("x.txt", f"{A}\n\nno-scheme.example\n", 3),
        ("x.csv", f'url,project\n{A},"two\nlines"\nno-scheme.example,\n', 4),
        ("x.json", f'[\n  "{A}",\n  {{\n    "url": "no-scheme.example"\n  }}\n]', 3),
        ("x.json", f'{{"a": "targets [",\n"targets": [\n"{A}",\n"no-scheme.example"]}}', 4),
    ],
)
def test_problems_name_the_line_in_every_form(name, text, line):
    (problem,) = parse_target_list(text.encode(), name).problems
    assert (problem.file, problem.line) == (name, line)


def test_strict_raises_at_the_first_problem():
    with pytest.raises(CensusError, match=r"x\.txt, line 2: not an http\(s\) URL: 'nothing'"):
        parse_target_list(f"{A}\nnothing\n".encode(), "x.txt", strict=True)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.jsonl", b"\x00\x01\x02", "binary"),
        ("x.txt", f"{A}\n".encode("utf-16"), "UTF-16"),
        ("x.txt", b"https://a.example/\n\xff\xfe\n", "x.txt, line 2: not UTF-8"),
        ("x.csv", b"link\nhttps://a.example/\n", "no `url` column"),
        ("x.csv", b"", "no `url` column"),
        ("x.json", b"[1,", "not JSON"),
        ("x.json", b'{"pages": []}', "neither a JSON array"),
        ("x.json", b"5", "neither a JSON array"),
        ("x.json", b"[" * 100_000, "not JSON"),
        ("x.json", b"[]", "no target in it"),
        ("x", b"", "no target in it"),
        ("x.txt", b"# only\n# comments\n", "no target in it"),
        ("x.txt", b"example.com\n", r"no target in it \(line 1: not an http"),
    ],
)
def test_what_is_no_target_list_says_so_and_names_the_file(name, data, message):
    with pytest.raises(CensusError, match=message) as caught:
        parse_target_list(data, name)
    assert name in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(CensusError, match="missing"):
        read_target_list(tmp_path / "missing.txt")
    with pytest.raises(CensusError, match="directory"):
        read_target_list(tmp_path)


def test_a_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{A}\n".encode())))
    assert [target.url for target in read_target_list("-").targets] == [A]


def test_a_given_format_overrules_the_name():
    assert parse_target_list(f"{A}\n".encode(), "x.json", list_format=ListFormat.TEXT).counts.targets == 1


def test_very_long_lines_are_read():
    long = f"https://a.example/?q={'x' * 1_000_000}"
    assert urls(f"url,project\n{long},{'y' * 500_000}\n", "x.csv") == [long]
    assert urls(json.dumps({"url": long}), "x.jsonl") == [long]
    assert urls(long, "x.txt") == [long]


def test_line_separators_inside_a_value_do_not_end_a_line():
    listed = parse_target_list('{"url": "https://a.example/", "project": "a\u2028b\u0085c"}\n'.encode(), "x.jsonl")
    assert listed.targets[0].project == "a\u2028b\u0085c"


@given(st.binary(max_size=300), st.sampled_from(["x", "x.json", "x.jsonl", "x.csv", "x.txt"]))
def test_any_bytes_give_a_list_or_an_error_that_names_the_file(data, name):
    try:
        listed = parse_target_list(data, name)
    except CensusError as error:
        said = str(error)
        assert name in said
    else:
        assert listed.counts.not_http + listed.counts.unreadable == len(listed.problems)
        assert len({target.key for target in listed.targets}) == listed.counts.targets
