"""What must hold before a release leaves the house: pure functions from tables and manifest to violations."""
