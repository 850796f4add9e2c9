-- Takes the oldest rows out of the queue: each pair with how often it was in it, and whether
-- its member is here and banned, and when the oldest item happened that changed (null: any may have).
WITH taken AS (
    DELETE FROM award_pending
    WHERE id IN (SELECT id FROM award_pending ORDER BY id LIMIT @limit FOR UPDATE SKIP LOCKED)
    RETURNING award_id, member_id, period, changed_at
)
SELECT
    t.award_id, t.member_id, t.period, count(t.period) AS n, m.id IS NOT NULL AS here,
    m.banned_at IS NOT NULL AS banned,
    CASE WHEN count(t.changed_at) = count(t.period) THEN min(t.changed_at) END AS changed_at
FROM taken t
LEFT JOIN members m ON m.id = t.member_id AND NOT m.custom
GROUP BY t.award_id, t.member_id, t.period, m.id
ORDER BY t.member_id, t.award_id, t.period
