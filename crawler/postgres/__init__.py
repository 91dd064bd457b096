"""The frontier that many machines share: one PostgreSQL database for one crawl."""
