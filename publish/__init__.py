"""A release and where it goes."""
