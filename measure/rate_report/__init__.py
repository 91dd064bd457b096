"""What a run of rates says: the report, its forms for people and machines, the gate, and comparisons."""
