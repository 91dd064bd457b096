"""Ground floor: the vocabulary, the record store, the tables, the summary and its intervals."""
