-- Stores what was assigned, requested or refused of a name and address. What was assigned
-- stays, and a request does not undo a no.
INSERT INTO message_authors AS a (
    member_id, forum_id, name, address, state, added_by, added_at, decided_by, decided_at
)
VALUES (
    nullif(@member, 0), @forum, @name, @address, @state, @by, @now,
    CASE WHEN @state = 'asked' THEN '' ELSE @by END,
    CASE WHEN @state <> 'asked' THEN CAST(@now AS timestamptz) END
)
ON CONFLICT (coalesce(member_id, 0), coalesce(forum_id, 0), lower(name), address) DO UPDATE
SET state = EXCLUDED.state, decided_by = EXCLUDED.decided_by, decided_at = EXCLUDED.decided_at
WHERE a.state = 'asked' OR (a.state = 'dismissed' AND EXCLUDED.state = 'said')
