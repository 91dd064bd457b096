"""The statistics of invocation rates: intervals, spreads, floors, comparisons, and how much to measure.

May not read or write a file but a run of rates, or ask a judge.
"""
