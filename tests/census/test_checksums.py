"""The list of digests as it comes from a place that others write to."""

import pytest

from census.checksums import parse_checksums

DIGEST = "ab" * 32


def test_a_list_is_read_as_sha256sum_writes_it():
    assert parse_checksums(f"{DIGEST}  data/pages.parquet\n{DIGEST}  a name.md\n".encode()) == {
        "data/pages.parquet": DIGEST,
        "a name.md": DIGEST,
    }


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", "data/../../up", "a\\b", ""])
def test_a_path_out_of_the_folder_is_refused(path):
    with pytest.raises(ValueError, match="is no path below the folder"):
        parse_checksums(f"{DIGEST}  {path}\n".encode())


@pytest.mark.parametrize("content", [b"nonsense\n", b"\xff\xfe"])
def test_what_is_no_list_is_refused(content):
    with pytest.raises(ValueError):  # noqa: PT011 -- of several kinds
        parse_checksums(content)
