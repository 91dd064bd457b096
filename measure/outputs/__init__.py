"""How the results of every command are written: for people, for programs, for build services."""
