"""A page held open for measuring: its tools are read again and again, and called. Nothing else here calls any.

May not be imported by anything that only looks at a page: here tools are run.
"""
