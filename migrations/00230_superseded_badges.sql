-- +goose Up

-- A badge whose date is another now is superseded by a badge with the right one: an own address and place in the
-- status list, in which the bit of the old one is set. Of each line by which an award was won one badge is current.
ALTER TABLE badges
    ADD COLUMN superseded_by uuid REFERENCES badges CHECK (superseded_by <> id),
    ADD COLUMN superseded_at timestamptz,
    ADD CONSTRAINT badges_superseded CHECK ((superseded_by IS NULL) = (superseded_at IS NULL));
COMMENT ON COLUMN badges.superseded_by IS 'The badge that was made in its place when its date moved; null: it is current.';
CREATE INDEX badges_superseding ON badges (superseded_by) WHERE superseded_by IS NOT NULL;

-- As before, of current badges alone: of a superseded one the log says nothing.
CREATE OR REPLACE VIEW award_grant_lines AS
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
WHERE b.superseded_by IS NULL
    AND NOT EXISTS (SELECT FROM award_grant_log x WHERE x.id = b.log_id)
    AND NOT EXISTS (
        SELECT FROM award_grant_log x
        WHERE x.grant_id = g.id AND x.what IN ('granted', 'granted again')
            AND NOT EXISTS (SELECT FROM badges o WHERE o.log_id = x.id AND o.superseded_by IS NULL)
    );
