"""Ground floor: the vocabulary, the record store, the tables, the summary and its intervals.

May not import another room, ask a page or a browser anything, or know a lint rule.
"""
