-- After rows were deleted for good: each response that saw one gave a fact less, the older
-- sightings of the rows go, and pages based on such a response are compared in full next time.
WITH gone AS MATERIALIZED (
    SELECT _from, _until, _seen, _aside
    FROM jsonb_to_recordset(CAST(@gone AS jsonb)) AS g (
        _from timestamptz, _until timestamptz, _seen bigint[], _aside bigint
    )
),
named AS MATERIALIZED (
    SELECT _from, _until, unnest(_seen) AS response FROM gone
    UNION ALL
    SELECT g._from, g._until, unnest(s.seen) FROM archive_seen s JOIN gone g ON g._aside = s.aside
),
seen AS (
    SELECT r.id, count(*) AS facts
    FROM named n, LATERAL (
        SELECT id, at FROM archive_retrievals WHERE id = n.response
        UNION ALL
        SELECT id, at FROM archive_retrievals WHERE same_as = n.response
    ) r
    WHERE r.at >= n._from AND (n._until IS NULL OR r.at < n._until)
    GROUP BY r.id
),
overflow AS (
    DELETE FROM archive_seen WHERE aside IN (SELECT _aside FROM gone)
),
pages AS (
    UPDATE archive_pages SET base = NULL
    WHERE id IN (
        SELECT id FROM archive_pages WHERE base IN (SELECT response FROM named) ORDER BY id FOR UPDATE
    )
)
UPDATE archive_retrievals r SET facts = r.facts - seen.facts FROM seen WHERE r.id = seen.id
