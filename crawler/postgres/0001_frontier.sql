-- A crawl that many workers share. Every function locks the row of a site before it looks at the site's targets, and each of
-- its statements sees what was committed before it, so a site's `due_at` is right whenever nobody holds the row.
-- All times are seconds since the epoch by this server's clock: no worker's clock decides anything.

CREATE TABLE crawl (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    run_settings text NOT NULL,
    optout text NOT NULL,
    evidence text NOT NULL,
    draining boolean NOT NULL DEFAULT false
);

CREATE TABLE workers (
    worker text COLLATE "C" PRIMARY KEY,
    concurrency integer NOT NULL,
    started_at double precision NOT NULL,
    seen_at double precision NOT NULL,
    ended_at double precision
);

CREATE TABLE sites (
    site text COLLATE "C" PRIMARY KEY,
    targets integer NOT NULL,
    -- When the site can be claimed; null while it is leased and when none of its targets waits.
    due_at double precision,
    rests_until double precision NOT NULL DEFAULT 0,
    delay double precision NOT NULL DEFAULT 0,
    fence bigint NOT NULL DEFAULT 0,
    holder text COLLATE "C",
    claim_id text COLLATE "C",
    leased_target bigint,
    leased_at double precision,
    lease_until double precision
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX sites_due ON sites (due_at, targets DESC) WHERE due_at IS NOT NULL;
CREATE INDEX sites_leased ON sites (lease_until) WHERE holder IS NOT NULL;

CREATE TABLE targets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- A URL can be longer than what an index takes.
    key_digest bytea NOT NULL,
    key text NOT NULL,
    pass text NOT NULL DEFAULT 'main',
    record text NOT NULL,
    site text COLLATE "C" NOT NULL REFERENCES sites (site),
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'finished')),
    due_at double precision NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    lost integer NOT NULL DEFAULT 0,
    final_visit text,
    UNIQUE (key_digest, pass)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX targets_waiting ON targets (site, due_at, id) WHERE state = 'waiting';
CREATE INDEX targets_lost ON targets (lost) WHERE lost > 0 AND state = 'waiting';

CREATE TABLE visits (
    visit_id text COLLATE "C" PRIMARY KEY,
    target_id bigint NOT NULL REFERENCES targets (id),
    attempt integer NOT NULL,
    outcome text NOT NULL,
    evidence text NOT NULL,
    worker text NOT NULL,
    fence bigint NOT NULL,
    recorded_at double precision NOT NULL
);
CREATE INDEX visits_recorded ON visits USING brin (recorded_at);

CREATE TABLE controls (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    control_id text UNIQUE NOT NULL,
    record text NOT NULL
);
CREATE TABLE vouched (visit_id text COLLATE "C" PRIMARY KEY);

CREATE FUNCTION census_now() RETURNS double precision LANGUAGE sql AS
    'SELECT extract(epoch FROM clock_timestamp())::double precision';

-- When a free site can be claimed: it has rested, and one of its waiting targets is due.
CREATE FUNCTION site_due(the_site text, rests_until double precision) RETURNS double precision LANGUAGE sql AS $$
    SELECT CASE WHEN min(due_at) IS NOT NULL THEN greatest(rests_until, min(due_at)) END
    FROM targets WHERE site = the_site AND state = 'waiting'
$$;

CREATE FUNCTION free_site(the_site text, until double precision) RETURNS void LANGUAGE sql AS $$
    UPDATE sites SET holder = NULL, claim_id = NULL, leased_target = NULL, leased_at = NULL, lease_until = NULL,
        rests_until = greatest(rests_until, until), due_at = site_due(site, greatest(rests_until, until))
    WHERE site = the_site
$$;

CREATE TYPE lease AS (
    target_id bigint, record text, pass text, attempt integer, fence bigint, lost integer
);

CREATE FUNCTION lease_target(the_site text, the_target bigint, tries integer, the_worker text, the_claim text,
                             ttl double precision) RETURNS lease LANGUAGE plpgsql AS $$
DECLARE
    leased lease;
BEGIN
    UPDATE sites SET due_at = NULL, fence = sites.fence + 1, holder = the_worker, claim_id = the_claim,
        leased_target = the_target, leased_at = census_now(), lease_until = census_now() + ttl
    WHERE site = the_site RETURNING fence INTO leased.fence;
    UPDATE targets SET state = 'leased', attempts = attempts + tries WHERE id = the_target
    RETURNING id, record, pass, attempts, lost
    INTO leased.target_id, leased.record, leased.pass, leased.attempt, leased.lost;
    RETURN leased;
END
$$;

-- Null when no site is free and due. `again`: the answer to the same claim may have been lost.
CREATE FUNCTION claim(the_worker text, the_claim text, again boolean, ttl double precision) RETURNS lease
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
            SELECT id, record, pass, attempts, held.fence, lost INTO leased FROM targets WHERE id = held.leased_target;
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

CREATE FUNCTION next_lost(the_worker text, the_claim text, at_least integer, ttl double precision) RETURNS lease
LANGUAGE plpgsql AS $$
DECLARE
    candidate record;
BEGIN
    FOR candidate IN SELECT id, targets.site FROM targets JOIN sites USING (site)
        WHERE state = 'waiting' AND lost >= greatest(at_least, 1) AND holder IS NULL ORDER BY id
    LOOP
        PERFORM 1 FROM sites WHERE site = candidate.site AND holder IS NULL FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        -- Somebody may have visited it before the site was locked.
        PERFORM 1 FROM targets WHERE id = candidate.id AND state = 'waiting' AND lost >= at_least;
        CONTINUE WHEN NOT FOUND;
        RETURN lease_target(candidate.site, candidate.id, 0, the_worker, the_claim, ttl);
    END LOOP;
    RETURN NULL;
END
$$;

-- False when the lease is somebody else's by now. True also when this very report is recorded already.
CREATE FUNCTION acknowledge(
    the_worker text, the_site text, the_target bigint, the_attempt integer, the_fence bigint,
    the_visit text, the_outcome text, the_evidence text, retry_after double precision, then_passes text[],
    rest double precision
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
        due_at = census_now() + coalesce(retry_after, 0)
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

CREATE FUNCTION give_back(the_worker text, the_site text, the_target bigint, the_fence bigint, rest double precision)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    held sites;
BEGIN
    SELECT * INTO held FROM sites WHERE site = the_site FOR UPDATE;
    IF held.holder IS DISTINCT FROM the_worker OR held.fence <> the_fence OR held.leased_target <> the_target THEN
        RETURN false;
    END IF;
    UPDATE targets SET state = 'waiting', attempts = attempts - 1 WHERE id = the_target AND state = 'leased';
    PERFORM free_site(the_site, census_now() + greatest(rest, held.delay));
    RETURN true;
END
$$;

-- Takes back the leases that have run out. Their targets come after those that nobody has tried.
CREATE FUNCTION expire(rest double precision) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    dead sites;
    expired integer := 0;
BEGIN
    FOR dead IN SELECT * FROM sites WHERE holder IS NOT NULL AND lease_until < census_now() FOR UPDATE SKIP LOCKED LOOP
        UPDATE targets SET state = 'waiting', lost = lost + 1, due_at = greatest(due_at, census_now())
        WHERE id = dead.leased_target AND state = 'leased';
        PERFORM free_site(dead.site, census_now() + greatest(rest, dead.delay));
        expired := expired + 1;
    END LOOP;
    RETURN expired;
END
$$;

-- Prolongs what a worker still holds, never beyond `cap` after the claim; returns the seconds that each lease has left.
CREATE FUNCTION prolong(the_worker text, the_sites text[], the_fences bigint[], ttl double precision,
                        cap double precision)
RETURNS TABLE (held_site text, held_fence bigint, seconds_left double precision) LANGUAGE plpgsql AS $$
DECLARE
    moment double precision := census_now();
BEGIN
    UPDATE workers SET seen_at = moment WHERE worker = the_worker;
    PERFORM 1 FROM sites WHERE site = ANY (the_sites) ORDER BY site FOR UPDATE;
    RETURN QUERY
        UPDATE sites SET lease_until = least(moment + ttl, leased_at + cap)
        FROM unnest(the_sites, the_fences) AS mine (mine_site, mine_fence)
        WHERE site = mine_site AND fence = mine_fence AND holder = the_worker AND leased_at + cap > moment
        RETURNING site, fence, lease_until - moment;
END
$$;

-- Makes targets wait again: all of them are final by one of these visits.
CREATE FUNCTION reopen(visit_ids text[], forget_lost boolean) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    the_sites text[];
    reopened integer;
BEGIN
    SELECT array_agg(DISTINCT site) INTO the_sites FROM targets
    WHERE id IN (SELECT target_id FROM visits WHERE visit_id = ANY (visit_ids));
    PERFORM 1 FROM sites WHERE site = ANY (the_sites) ORDER BY site FOR UPDATE;
    UPDATE targets SET state = 'waiting', final_visit = NULL, due_at = census_now(),
        lost = CASE WHEN forget_lost THEN 0 ELSE lost END
    WHERE id IN (SELECT target_id FROM visits WHERE visit_id = ANY (visit_ids)) AND final_visit = ANY (visit_ids);
    GET DIAGNOSTICS reopened = ROW_COUNT;
    UPDATE sites SET due_at = site_due(site, rests_until) WHERE site = ANY (the_sites) AND holder IS NULL;
    RETURN reopened;
END
$$;

-- Adds what the temporary table `incoming` (n, key_digest, key, record, site) holds and the crawl does not.
CREATE FUNCTION add_incoming() RETURNS bigint LANGUAGE plpgsql AS $$
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
    INSERT INTO targets (key_digest, key, record, site) SELECT key_digest, key, record, site FROM incoming ORDER BY n;
    GET DIAGNOSTICS new_targets = ROW_COUNT;
    UPDATE sites SET due_at = site_due(sites.site, rests_until)
    FROM (SELECT DISTINCT site FROM incoming) AS touched WHERE sites.site = touched.site AND holder IS NULL;
    RETURN new_targets;
END
$$;
