-- +goose Up

-- The log of grants, with the lines that it lost as far as badges still tell of them: a badge names the line
-- by which it was won. Where a line of its grant has no badge, the badge only names the wrong one.
CREATE VIEW award_grant_lines AS
SELECT id, grant_id, at, what, reason, author, false AS lost
FROM award_grant_log
UNION ALL
SELECT
    b.log_id, g.id,
    CASE WHEN l.later THEN b.granted_at ELSE g.found_at END,
    CASE WHEN l.later THEN 'granted again' ELSE 'granted' END,
    'check: the line was lost', g.given_by, true
FROM badges b
JOIN award_grants g ON g.id = b.grant_id
CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT FROM award_grant_log e WHERE e.grant_id = g.id AND e.id < b.log_id)
        OR EXISTS (SELECT FROM badges e WHERE e.grant_id = g.id AND e.log_id < b.log_id) AS later
) l
WHERE NOT EXISTS (SELECT FROM award_grant_log x WHERE x.id = b.log_id)
    AND NOT EXISTS (
        SELECT FROM award_grant_log x
        WHERE x.grant_id = g.id AND x.what IN ('granted', 'granted again')
            AND NOT EXISTS (SELECT FROM badges o WHERE o.log_id = x.id)
    );
COMMENT ON VIEW award_grant_lines IS 'award_grant_log with the lines that only a badge still knows (lost).';

-- Badges are looked up by the line by which they were won.
CREATE INDEX badges_log ON badges (log_id);

ALTER TABLE badges ADD COLUMN made_at timestamptz;
COMMENT ON COLUMN badges.made_at IS 'When it was made; null: before that was kept.';
