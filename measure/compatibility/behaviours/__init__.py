"""The behaviours, one module a topic, each with its `BEHAVIOURS`."""
