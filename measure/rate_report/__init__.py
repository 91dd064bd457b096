"""What a run of rates says: the report, its forms for people and machines, the gate, and comparisons.

May not make a trial, or print a rate of an incomplete run.
"""
