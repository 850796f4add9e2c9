-- Writes what is remembered of pages after a response: of the response's own pages what
-- they show now, and of pages that were based on dead responses, or whose scopes have
-- grown, that every row must be compared next time.
WITH own AS MATERIALIZED (
    SELECT page, base, hash, scopes
    FROM unnest(
        CAST(@ids AS bigint[]), CAST(@bases AS bigint[]), CAST(@hashes AS bytea[]), CAST(@scopes AS text[])
    ) AS o(page, base, hash, scopes)
),
pages AS MATERIALIZED (
    SELECT id
    FROM archive_pages
    WHERE id = ANY(CAST(@ids AS bigint[])) OR base = ANY(CAST(@dead AS bigint[])) OR scopes && CAST(@grown AS bigint[])
    ORDER BY id
    FOR UPDATE
)
UPDATE archive_pages p
SET base = own.base, -- Nothing for a page that is not our own.
    hash = coalesce(own.hash, p.hash),
    scopes = coalesce(CAST(own.scopes AS bigint[]), p.scopes)
FROM pages
LEFT JOIN own ON own.page = pages.id
WHERE p.id = pages.id
