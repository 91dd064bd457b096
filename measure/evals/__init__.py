"""Evals: what a judge is asked, which calls are expected of it, and whether the calls that it made are those.

May not touch a browser: a page is held by `measure.live`, and the matchers are pure.
"""
