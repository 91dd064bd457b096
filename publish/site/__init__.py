"""The static site of one or more releases: look-up, entry pages, the picture, feed and badges.

May not render what a page says unescaped, or need a server.
"""
