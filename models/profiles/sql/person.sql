-- A member whom the viewer may see, with their sums, the days since a day (four numbers each: how far behind it,
-- submissions, accepted, without details), the newest discussions, and what their sites say of them now: a JSON list.
-- Visitors do not learn who follows somebody without an account.
SELECT
    m.id,
    m.name,
    m.display_name,
    m.time_zone,
    m.custom,
    m.role,
    m.owner_id,
    m.requested_at,
    m.created_at,
    m.seen_by,
    m.audience,
    coalesce(o.name, '') AS owner,
    s.submissions,
    s.accepted,
    s.solved,
    s.day_streak,
    s.best_day_streak,
    s.ac_streak,
    s.best_ac_streak,
    s.last_day,
    s.newest_at,
    s.undetailed_submissions,
    s.undetailed_solved,
    (
        SELECT
            string_agg(
                concat_ws(' ', day - CAST(@since AS date), submissions, accepted, undetailed), ' ' ORDER BY day
            )
        FROM days
        WHERE member_id = m.id AND day >= @since
    ) AS days,
    message_track('member', m.name, @most, @asking) AS track,
    (
        SELECT
            CAST(json_agg(json_build_object(
                'site', a.site, 'title', t.title, 'country', p.country, 'organisation', p.organisation
            ) ORDER BY a.site) AS text)
        FROM accounts a
        LEFT JOIN shard_account_title t ON t.site = a.site AND t.handle = a.handle
        LEFT JOIN shard_account_place p ON p.site = a.site AND p.handle = a.handle
        WHERE a.member_id = m.id AND (t.title <> '' OR p.country <> '' OR p.organisation <> '')
    ) AS said
FROM members m
LEFT JOIN member_stats s ON s.member_id = m.id
LEFT JOIN members o ON o.id = m.owner_id AND @asking <> 0 AND visible_to(@asking, o.id, o.audience)
WHERE lower(m.name) = lower(@name) AND visible_to(@asking, m.id, m.audience)
