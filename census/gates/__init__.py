"""What must hold before a release leaves the house: pure functions from tables and manifest to violations.

May not read or write a file: a gate is given what it judges.
"""
