"""The static site of one or more releases: look-up, entry pages, the picture, feed and badges."""
