-- Makes an e-mail for each of @members of what is ready and still true, and drops the rest.
-- A day's e-mails are counted from the first one.
WITH judged AS MATERIALIZED (
    SELECT n.id, n.member_id, f.wrong
    FROM notices n
    JOIN notice_facts f ON f.id = n.id
    WHERE n.mail = 'due' AND n.member_id = ANY(CAST(@members AS bigint[]))
),
made AS (
    INSERT INTO notice_deliveries (key, channel, member_id, address, created_at, due_at)
    SELECT
        CAST(gen_random_uuid() AS text), 'mail', member_id, address, CAST(@now AS timestamptz),
        CAST(@now AS timestamptz)
    FROM notice_settings s
    WHERE member_id = ANY(CAST(@members AS bigint[]))
        AND confirmed_at IS NOT NULL
        AND EXISTS (SELECT FROM judged j WHERE j.member_id = s.member_id AND j.wrong = '')
    RETURNING id, member_id
),
packed AS (
    UPDATE notices n
    SET mail = CASE WHEN made.id IS NULL THEN 'dropped' ELSE 'packed' END, mail_id = made.id
    FROM judged j
    LEFT JOIN made ON made.member_id = j.member_id AND j.wrong = ''
    WHERE n.id = j.id
)
UPDATE notice_settings s
SET mail_due_at = NULL,
    mailed_at = CASE WHEN made.id IS NULL THEN mailed_at ELSE CAST(@now AS timestamptz) END,
    day_began_at = CASE
        WHEN made.id IS NULL OR day_began_at > @dayago THEN day_began_at
        ELSE CAST(@now AS timestamptz)
    END,
    day_mails = CASE
        WHEN made.id IS NULL THEN day_mails
        WHEN day_began_at > @dayago THEN day_mails + 1
        ELSE 1
    END
FROM unnest(CAST(@members AS bigint[])) AS g(member_id)
LEFT JOIN made ON made.member_id = g.member_id
WHERE s.member_id = g.member_id
