"""The statistics of invocation rates: intervals, spreads, floors, comparisons, and how much to measure."""
