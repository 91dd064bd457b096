"""Where the data of the compatibility matrix is: `datasets/compatibility/`, here or beside the code."""

from pathlib import Path

from census.errors import CensusError

FOLDER = Path("datasets/compatibility")
BUILDS, EXPECTED, CORRECTIONS, MATRIX = "builds.json", "expected.json", "corrections.json", "matrix.json"


def compatibility_data(name: str) -> Path:
    """The path of a data file: the working directory's, else that of the checkout that this code is in.

    Raises CensusError when neither is there.
    """
    for folder in (Path(), Path(__file__).parents[1]):
        path = folder / FOLDER / name
        if path.is_file():
            return path
    raise CensusError(f"there is no {FOLDER / name} here; run this in a checkout of webmcp-census, or name the file")
