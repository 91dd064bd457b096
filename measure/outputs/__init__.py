"""How the results of every command are written: for people, for programs, for build services.

May not measure anything: an output is written from a report and from nothing else.
"""
