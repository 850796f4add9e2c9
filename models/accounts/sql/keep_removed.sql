-- Keeps accounts that are about to be removed, with all their rows.
INSERT INTO removed_accounts (member_id, site, handle, submissions, removed_at, kept)
SELECT a.member_id, a.site, a.handle, t.submissions, @now, jsonb_build_object(
    'account', to_jsonb(a), 'schedule', to_jsonb(s), 'coverage', to_jsonb(c),
    'submissions', coalesce((
        SELECT jsonb_agg(to_jsonb(r) ORDER BY r.id) FROM submissions r WHERE r.account_id = a.id), '[]'),
    'ratings', coalesce((SELECT jsonb_agg(to_jsonb(r)) FROM ratings r WHERE r.account_id = a.id), '[]'),
    'days', coalesce((SELECT jsonb_agg(to_jsonb(r)) FROM reported_days r WHERE r.account_id = a.id), '[]'),
    'unread', coalesce((SELECT jsonb_agg(to_jsonb(r)) FROM unread_rows r WHERE r.account_id = a.id), '[]'))
FROM accounts a
JOIN account_schedule s ON s.account_id = a.id
JOIN account_coverage c ON c.account_id = a.id
JOIN account_stats t ON t.account_id = a.id
WHERE a.id = ANY(CAST(@ids AS bigint[])) AND (t.submissions > 0 OR a.pushed_at IS NOT NULL)
