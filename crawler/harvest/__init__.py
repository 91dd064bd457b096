"""Harvest: from a gallery, a sitemap or a list to a target list, with what was skipped and why."""
