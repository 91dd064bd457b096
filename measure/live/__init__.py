"""A page held open for measuring: its tools are read again and again, and called. Nothing else here calls any."""
