"""What each build of a browser does with WebMCP: declared behaviours, a runner that asks them, and the matrix.

May not ask a page of the web: its pages are its own, on loopback.
"""
