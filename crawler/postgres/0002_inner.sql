-- Inner pages: same-site links of pages with signs of WebMCP, at most so many on each site.
CREATE INDEX targets_inner ON targets (site) WHERE pass = 'inner';

-- The caller holds the site's lease, so nobody else adds inner pages to it meanwhile.
CREATE FUNCTION add_inner(the_site text, digests bytea[], keys text[], records text[], most integer) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO targets (key_digest, key, pass, record, site)
    SELECT one_digest, one_key, 'inner', one_record, the_site
    FROM unnest(digests, keys, records) WITH ORDINALITY AS link (one_digest, one_key, one_record, place)
    WHERE NOT EXISTS (SELECT FROM targets WHERE key_digest = one_digest AND pass IN ('main', 'inner'))
    ORDER BY place
    LIMIT greatest(most - (SELECT count(*) FROM targets WHERE site = the_site AND pass = 'inner'), 0)
    ON CONFLICT DO NOTHING
$$;

-- A site that was not asked for anything need not rest; in the transaction that ends its lease.
CREATE FUNCTION rested(the_site text) RETURNS void LANGUAGE sql AS $$
    UPDATE sites SET rests_until = census_now(), due_at = site_due(site, census_now())
    WHERE site = the_site AND holder IS NULL
$$;
