"""Where a release can go: a directory, an object store, a hub; each takes a version whole, once, or not at all.

May not change a version that is there, or move `latest` backwards.
"""
