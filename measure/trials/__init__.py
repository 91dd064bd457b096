"""The making of trials: pages are opened, judges asked, calls executed, runs kept. The statistics are in `rates`.

May not decide what a rate is.
"""
