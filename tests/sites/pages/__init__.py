"""The gold pages by topic; `tests.sites.registry` puts them together."""
