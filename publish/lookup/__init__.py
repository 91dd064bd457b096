"""What a release says of one page: where its entry is, how it is read, how it is written for people.

May not compute a number that the tables do not give.
"""
