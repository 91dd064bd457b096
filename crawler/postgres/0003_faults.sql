-- Attempts are counted by whose fault it was that they were not the last: the site's own take nothing of ours, and the
-- other way round. And what is due first comes before other sites, not only within its own.

ALTER TABLE targets ADD COLUMN failed integer NOT NULL DEFAULT 0, ADD COLUMN ours integer NOT NULL DEFAULT 0;
ALTER TYPE lease ADD ATTRIBUTE failed integer, ADD ATTRIBUTE ours integer;

-- A site that nobody tried has rested for ever: it is due as soon as its first target is, which may be before all others.
ALTER TABLE sites ALTER COLUMN rests_until SET DEFAULT '-infinity';
UPDATE sites SET rests_until = '-infinity' WHERE rests_until = 0;

CREATE OR REPLACE FUNCTION lease_target(the_site text, the_target bigint, tries integer, the_worker text,
                                        the_claim text, ttl double precision) RETURNS lease LANGUAGE plpgsql AS $$
DECLARE
    leased lease;
BEGIN
    UPDATE sites SET due_at = NULL, fence = sites.fence + 1, holder = the_worker, claim_id = the_claim,
        leased_target = the_target, leased_at = census_now(), lease_until = census_now() + ttl
    WHERE site = the_site RETURNING fence INTO leased.fence;
    UPDATE targets SET state = 'leased', attempts = attempts + tries WHERE id = the_target
    RETURNING id, record, pass, attempts, lost, failed, ours
    INTO leased.target_id, leased.record, leased.pass, leased.attempt, leased.lost, leased.failed, leased.ours;
    RETURN leased;
END
$$;

CREATE OR REPLACE FUNCTION claim(the_worker text, the_claim text, again boolean, ttl double precision) RETURNS lease
LANGUAGE plpgsql AS $$
DECLARE
    held sites;
    free sites;
    moment double precision := census_now();
    the_target bigint;
    leased lease;
BEGIN
    IF again THEN
        SELECT * INTO held FROM sites WHERE holder = the_worker AND claim_id = the_claim FOR UPDATE;
        IF FOUND THEN
            SELECT id, record, pass, attempts, held.fence, lost, failed, ours INTO leased
            FROM targets WHERE id = held.leased_target;
            RETURN leased;
        END IF;
    END IF;
    IF (SELECT draining FROM crawl) THEN
        RETURN NULL;
    END IF;
    SELECT * INTO free FROM sites WHERE due_at <= moment ORDER BY due_at, targets DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT id INTO STRICT the_target FROM targets WHERE site = free.site AND state = 'waiting'
    ORDER BY due_at, id LIMIT 1;
    RETURN lease_target(free.site, the_target, 1, the_worker, the_claim, ttl);
END
$$;

DROP FUNCTION acknowledge(text, text, bigint, integer, bigint, text, text, text, double precision, text[],
                          double precision);
-- `fault`: whose it is that there is another attempt, 'site' or 'ours'; null for a final visit. False when the lease is
-- somebody else's by now. True also when this very report is recorded already.
CREATE FUNCTION acknowledge(
    the_worker text, the_site text, the_target bigint, the_attempt integer, the_fence bigint,
    the_visit text, the_outcome text, the_evidence text, retry_after double precision, then_passes text[],
    rest double precision, fault text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    held sites;
BEGIN
    SELECT * INTO held FROM sites WHERE site = the_site FOR UPDATE;
    IF held.holder IS DISTINCT FROM the_worker OR held.fence <> the_fence OR held.leased_target <> the_target THEN
        RETURN EXISTS (SELECT FROM visits WHERE visit_id = the_visit AND target_id = the_target
                       AND fence = the_fence AND worker = the_worker);
    END IF;
    UPDATE targets SET state = CASE WHEN retry_after IS NULL THEN 'finished' ELSE 'waiting' END,
        final_visit = CASE WHEN retry_after IS NULL THEN the_visit END,
        due_at = census_now() + coalesce(retry_after, 0),
        failed = failed + CASE WHEN fault = 'site' THEN 1 ELSE 0 END,
        ours = ours + CASE WHEN fault = 'ours' THEN 1 ELSE 0 END
    WHERE id = the_target AND state = 'leased' AND attempts = the_attempt;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO visits (visit_id, target_id, attempt, outcome, evidence, worker, fence, recorded_at)
    VALUES (the_visit, the_target, the_attempt, the_outcome, the_evidence, the_worker, the_fence, census_now());
    IF retry_after IS NULL AND cardinality(then_passes) > 0 THEN
        INSERT INTO targets (key_digest, key, pass, record, site)
        SELECT key_digest, key, wanted, record, site FROM targets, unnest(then_passes) AS wanted WHERE id = the_target
        ON CONFLICT DO NOTHING;
    END IF;
    PERFORM free_site(the_site, census_now() + greatest(rest, held.delay));
    RETURN true;
END
$$;

-- `anew`: whatever was counted of the targets is forgotten; otherwise it is our fault that they are visited again.
DROP FUNCTION reopen(text[], boolean);
CREATE FUNCTION reopen(visit_ids text[], anew boolean) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    the_sites text[];
    reopened integer;
BEGIN
    SELECT array_agg(DISTINCT site) INTO the_sites FROM targets
    WHERE id IN (SELECT target_id FROM visits WHERE visit_id = ANY (visit_ids));
    PERFORM 1 FROM sites WHERE site = ANY (the_sites) ORDER BY site FOR UPDATE;
    UPDATE targets SET state = 'waiting', final_visit = NULL, due_at = census_now(),
        lost = CASE WHEN anew THEN 0 ELSE lost END, failed = CASE WHEN anew THEN 0 ELSE failed END,
        ours = CASE WHEN anew THEN 0 ELSE ours + 1 END
    WHERE id IN (SELECT target_id FROM visits WHERE visit_id = ANY (visit_ids)) AND final_visit = ANY (visit_ids);
    GET DIAGNOSTICS reopened = ROW_COUNT;
    UPDATE sites SET due_at = site_due(site, rests_until) WHERE site = ANY (the_sites) AND holder IS NULL;
    RETURN reopened;
END
$$;

-- Adds what the temporary table `incoming` (n, first, key_digest, key, record, site) holds and the crawl does not.
CREATE OR REPLACE FUNCTION add_incoming() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    new_targets bigint;
BEGIN
    -- One list at a time: two of them would wait for each other's sites.
    PERFORM pg_advisory_xact_lock(hashtext('webmcp_census.add'));
    DELETE FROM incoming USING targets
    WHERE targets.key_digest = incoming.key_digest AND targets.pass = 'main';
    DELETE FROM incoming AS later USING incoming AS earlier
    WHERE later.key_digest = earlier.key_digest AND later.n > earlier.n;
    INSERT INTO sites (site, targets) SELECT site, count(*) FROM incoming GROUP BY site ORDER BY site
    ON CONFLICT (site) DO UPDATE SET targets = sites.targets + excluded.targets;
    INSERT INTO targets (key_digest, key, record, site, due_at)
    SELECT key_digest, key, record, site, CASE WHEN first THEN -1 ELSE 0 END FROM incoming ORDER BY n;
    GET DIAGNOSTICS new_targets = ROW_COUNT;
    UPDATE sites SET due_at = site_due(sites.site, rests_until)
    FROM (SELECT DISTINCT site FROM incoming) AS touched WHERE sites.site = touched.site AND holder IS NULL;
    RETURN new_targets;
END
$$;
