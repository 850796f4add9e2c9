-- Releases notices whose time has come: what is still true is shown on the page and made
-- ready for the other ways, by what each member chose; the rest is dropped. What is true need
-- not go out the first time where it is a loss of what they never heard of, or a level that
-- came with a higher one.
WITH due AS MATERIALIZED (
    SELECT id
    FROM notices
    WHERE state = 'waiting' AND due_at <= @now
    ORDER BY due_at, id
    LIMIT @limit
    FOR UPDATE SKIP LOCKED
),
judged AS (
    SELECT
        n.id,
        CASE
            WHEN f.wrong <> '' THEN f.wrong
            WHEN n.kind = 'revoked'
                AND EXISTS (
                    SELECT
                    FROM notices o
                    WHERE o.member_id = n.member_id
                        AND o.award_id = n.award_id
                        AND o.period = n.period
                        AND o.level = n.level
                        AND o.kind IN ('granted', 'older')
                    HAVING count(*) > 0 AND count(*) FILTER (WHERE o.state = 'released') = 0
                )
            THEN 'nobody heard that it was granted'
            WHEN n.kind IN ('granted', 'older')
                AND EXISTS (
                    SELECT
                    FROM notices o
                    JOIN award_grants g
                        ON g.member_id = o.member_id
                        AND g.award_id = o.award_id
                        AND g.period = o.period
                        AND g.level = o.level
                        AND g.revoked_at IS NULL
                    WHERE o.member_id = n.member_id
                        AND o.award_id = n.award_id
                        AND o.period = n.period
                        AND o.level > n.level
                        AND o.kind IN ('granted', 'older')
                        AND o.created_at = n.created_at
                )
            THEN 'a higher level came with it'
            ELSE ''
        END AS reason,
        s.member_id IS NULL OR c.chosen = ANY(s.page_kinds) OR n.kind IN ('site', 'renamed', 'follow') AS shown,
        @mail
            AND s.confirmed_at IS NOT NULL
            AND (
                c.chosen = ANY(s.mail_kinds)
                OR (n.kind IN ('site', 'renamed', 'follow') AND s.mail_kinds <> '{}')
            ) AS mailed
    FROM due
    JOIN notices n ON n.id = due.id
    JOIN notice_facts f ON f.id = n.id
    LEFT JOIN notice_settings s ON s.member_id = n.member_id
    CROSS JOIN LATERAL (SELECT CASE n.kind WHEN 'older' THEN 'granted' ELSE n.kind END AS chosen) c
),
released AS (
    UPDATE notices n
    SET state = CASE j.reason WHEN '' THEN 'released' ELSE 'dropped' END,
        reason = j.reason,
        released_at = CASE j.reason WHEN '' THEN CAST(@now AS timestamptz) END,
        shown = j.reason = '' AND j.shown,
        mail = CASE WHEN j.reason = '' AND j.mailed THEN 'due' ELSE '' END,
        hook = CASE WHEN j.reason = '' AND @hook THEN 'due' ELSE '' END
    FROM judged j
    WHERE n.id = j.id
    RETURNING n.member_id, n.mail
),
planned AS (
    UPDATE notice_settings s
    SET mail_due_at = least(s.mail_due_at, next_mail_at(s, m.time_zone, @now))
    FROM members m
    WHERE m.id = s.member_id AND s.member_id IN (SELECT member_id FROM released WHERE mail = 'due')
)
SELECT count(*)
FROM released
