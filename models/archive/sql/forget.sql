-- After rows were erased (@erased) or changed on purpose: of each response that saw one it is noted
-- that its hash does not say what the rows say, and how many facts are left; the sums of the
-- log are kept in step, the older sightings of erased rows go, and pages based on such a
-- response are compared in full next time.
WITH gone AS MATERIALIZED (
    SELECT _from, _until, _seen, _aside, coalesce(_withdrawn, false) AS _withdrawn
    FROM jsonb_to_recordset(CAST(@gone AS jsonb)) AS g (
        _from timestamptz, _until timestamptz, _seen bigint[], _aside bigint, _withdrawn boolean
    )
),
named AS MATERIALIZED (
    SELECT _from, _until, _withdrawn, unnest(_seen) AS response FROM gone
    UNION ALL
    SELECT g._from, g._until, false, unnest(s.seen) FROM archive_seen s JOIN gone g ON g._aside = s.aside
),
seen AS MATERIALIZED (
    SELECT r.id, count(*) AS facts
    FROM named n, LATERAL (
        SELECT id, at, withdrawn_at FROM archive_retrievals WHERE id = n.response
        UNION ALL
        SELECT id, at, withdrawn_at FROM archive_retrievals WHERE same_as = n.response AND NOT n._withdrawn
    ) r
    WHERE r.at >= n._from AND (n._until IS NULL OR r.at < n._until) AND (r.withdrawn_at IS NOT NULL) = n._withdrawn
    GROUP BY r.id
),
overflow AS (
    DELETE FROM archive_seen WHERE @erased AND aside IN (SELECT _aside FROM gone)
),
pages AS (
    UPDATE archive_pages SET base = NULL
    WHERE id IN (
        SELECT id FROM archive_pages WHERE base IN (SELECT response FROM named) ORDER BY id FOR UPDATE
    )
),
changed AS (
    UPDATE archive_retrievals r
    SET facts = CASE WHEN @erased THEN r.facts - seen.facts ELSE r.facts END, altered = true
    FROM seen
    JOIN archive_retrievals o ON o.id = seen.id
    WHERE r.id = seen.id
    RETURNING r.page_id, archive_sum(archive_line(o)) # archive_sum(archive_line(r)) AS sum
),
heads AS MATERIALIZED ( -- In the order in which responses are stored.
    SELECT h.page_id
    FROM archive_heads h
    JOIN archive_pages p ON p.id = h.page_id
    WHERE h.page_id IN (SELECT r.page_id FROM archive_retrievals r JOIN seen ON seen.id = r.id)
    ORDER BY p.source COLLATE "C", p.address COLLATE "C", p.viewer COLLATE "C"
    FOR UPDATE OF h
)
UPDATE archive_heads h
SET sum = h.sum # c.sum
FROM (SELECT page_id, bit_xor(sum) AS sum FROM changed GROUP BY page_id) c
JOIN heads ON heads.page_id = c.page_id
WHERE h.page_id = c.page_id
