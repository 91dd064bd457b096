"""Builds of browsers to measure: which there are, where they come from, and where they lie.

May not start a build: it fetches, verifies and names them.
"""
