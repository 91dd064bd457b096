"""The one library that is shipped with the site is what its authors published, and says under which licence."""

import hashlib
import json
from pathlib import Path

import pytest

import publish.site
from tests.sites.libraries import LIBRARIES, source_of, why_unavailable

VENDOR = Path(publish.site.__file__).parent / "vendor"
PINNED = json.loads((VENDOR / "minisearch.json").read_text())


def test_the_library_is_the_pinned_one_and_has_its_licence():
    assert hashlib.sha256((VENDOR / "minisearch.js").read_bytes()).hexdigest() == PINNED["sha256"]
    assert "MIT" in PINNED["licence"]
    assert "Permission is hereby granted, free of charge" in (VENDOR / "minisearch.LICENSE.txt").read_text()


@pytest.mark.skipif(why_unavailable() is not None, reason=str(why_unavailable()))
def test_it_is_the_same_as_its_package_has():
    name = f"{PINNED['package']}@{PINNED['version']}"
    assert LIBRARIES[name].integrity == PINNED["integrity"]
    assert source_of(name) == (VENDOR / "minisearch.js").read_text()
