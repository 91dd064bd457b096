"""Evals: what a judge is asked, which calls are expected of it, and whether the calls that it made are those."""
