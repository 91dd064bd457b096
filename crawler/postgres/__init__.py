"""The frontier that many machines share: one PostgreSQL database for one crawl.

May not decide anything of a page: it keeps the contract of `crawler.frontier`, as SQLite does.
"""
