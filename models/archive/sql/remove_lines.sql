-- Removes lines of the log that only say that something was seen again, and takes them out
-- of the sums of their pages.
WITH heads AS MATERIALIZED ( -- In the order in which responses are stored.
    SELECT h.page_id
    FROM archive_heads h
    JOIN archive_pages p ON p.id = h.page_id
    WHERE h.page_id IN (SELECT page_id FROM archive_retrievals WHERE id = ANY(CAST(@ids AS bigint[])))
    ORDER BY p.source COLLATE "C", p.address COLLATE "C", p.viewer COLLATE "C"
    FOR UPDATE OF h
),
gone AS (
    DELETE FROM archive_retrievals
    WHERE id = ANY(CAST(@ids AS bigint[])) AND same_as IS NOT NULL
    RETURNING page_id, archive_sum(archive_line(archive_retrievals)) AS sum
),
kept AS (
    UPDATE archive_heads h
    SET sum = h.sum # g.sum
    FROM (SELECT page_id, bit_xor(sum) AS sum FROM gone GROUP BY page_id) g
    JOIN heads ON heads.page_id = g.page_id
    WHERE h.page_id = g.page_id
)
SELECT count(*) FROM gone
