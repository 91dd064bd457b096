"""What is said to a judge: versioned, frozen sets of utterances, each with what it should lead to.

May not ask a page, or change a set that is frozen.
"""
