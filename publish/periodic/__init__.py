"""The periodic census: every step from the target list to the published release, in one command that can be stopped.

May not do a step itself: each is a command of its own process.
"""
