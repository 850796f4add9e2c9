-- Reads how a page stands before a response is stored, and adds the response to the log
-- where nothing newer is stored and this is the first response of its transaction.
WITH page AS MATERIALIZED (
    SELECT
        p.id,
        p.base,
        p.hash = @hash IS TRUE AS same,
        p.scopes,
        (
            SELECT id
            FROM archive_retrievals
            WHERE page_id = p.id AND at = @at AND hash = @hash AND outcome = @outcome
            ORDER BY withdrawn_at NULLS FIRST, id
            LIMIT 1
        ) AS known,
        (SELECT max(at) FROM archive_retrievals WHERE page_id = p.id) AS newest,
        coalesce((SELECT max(at) FROM archive_retrievals) >= @at, false) AS late
    FROM archive_pages p
    WHERE p.source = @source AND p.address = @address AND p.viewer = @viewer
),
logged AS (
    INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, hash, same_as, facts, locks)
    SELECT
        id, @at, @now, @outcome, @hash,
        CASE WHEN same THEN base END,
        @facts,
        CASE WHEN NOT same OR base IS NULL THEN CAST(@locks AS bigint[]) END
    FROM page
    WHERE @first AND NOT late
    RETURNING id, page_id, archive_line(archive_retrievals) AS line
),
head AS (
    INSERT INTO archive_heads AS h (page_id, sum)
    SELECT page_id, archive_sum(line) FROM logged
    ON CONFLICT (page_id) DO UPDATE SET sum = h.sum # EXCLUDED.sum
)
SELECT
    id, coalesce(base, 0), same, array_to_json(scopes), known IS NOT NULL, coalesce(known, 0), newest, late,
    coalesce((SELECT id FROM logged), 0)
FROM page
