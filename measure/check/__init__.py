"""`check URL`: what an agent would see of one page, what is wrong with it, and how to put it right.

May not call a page's tool.
"""
