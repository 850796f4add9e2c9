-- Marks the rows of an account that a whole reading did not show, and takes the mark from those
-- that it did. What members brought was never listed; what came since it began may not have been.
-- Rows up to @since are too old for the list. What it showed and could not read is listed: where the
-- number of such a row is not known, nothing is marked.
UPDATE submissions s
SET unlisted_at = CASE WHEN r.site_id IS NULL THEN CAST(@began AS timestamptz) END
FROM submissions o
LEFT JOIN audit_rows r ON r.account_id = o.account_id AND r.site_id = o.site_id
WHERE o.account_id = @id AND s.id = o.id AND s.source = 'site' AND s.first_seen_at < @began
    AND (s.unlisted_at IS NULL) = (r.site_id IS NULL)
    AND (r.site_id IS NOT NULL OR CAST(@since AS timestamptz) IS NULL OR o.submitted_at > @since)
    AND (r.site_id IS NOT NULL OR NOT EXISTS (
        SELECT FROM unread_rows u
        WHERE u.account_id = @id AND (u.key = o.site_id OR u.key LIKE '#%') AND u.last_seen_at >= @began))
