-- Inner pages: same-site links of pages with signs of WebMCP, at most so many on each site.
CREATE INDEX targets_inner ON targets (site) WHERE pass = 'inner';

CREATE FUNCTION add_inner(the_digest bytea, the_key text, the_record text, the_site text, most integer) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO targets (key_digest, key, pass, record, site)
    SELECT the_digest, the_key, 'inner', the_record, the_site
    WHERE (SELECT count(*) FROM targets WHERE site = the_site AND pass = 'inner') < most
        AND NOT EXISTS (SELECT FROM targets WHERE key_digest = the_digest AND pass = 'main')
    ON CONFLICT DO NOTHING
$$;
