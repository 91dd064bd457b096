"""A release and where it goes.

May not import `crawler` or `measure`, or ask a page anything.
"""
