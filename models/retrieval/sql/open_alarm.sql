-- Opens an alarm, or counts it once more where it is open. Admins are notified when it opens, but
-- of a language, which is no trouble.
WITH alarm AS (
    INSERT INTO site_alarms AS s (site, kind, subject, message, opened_at, last_at)
    VALUES (@site, @kind, @subject, @message, @now, @now)
    ON CONFLICT (site, kind, subject) WHERE closed_at IS NULL
    DO UPDATE SET times = s.times + 1, last_at = EXCLUDED.last_at, message = EXCLUDED.message
    RETURNING id, xmax = 0 AS new)
INSERT INTO notices (member_id, alarm_id, period, level, kind, created_at, due_at)
SELECT m.id, alarm.id, '', 0, 'site', CAST(@now AS timestamptz), CAST(@due AS timestamptz)
FROM alarm
JOIN members m ON m.role = 'admin' AND NOT m.custom
WHERE alarm.new AND @kind <> 'language'
