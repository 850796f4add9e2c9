-- Stores evidence, in place of what its source reported before. The moment by which an account should
-- be fetched is the earliest one until it was fetched.
INSERT INTO account_evidence AS e (account_id, source, has_news, complete_until, due_by, again_at, seen_at)
SELECT account_id, source, has_news, complete_until, due_by, again_at, seen_at
FROM jsonb_to_recordset(CAST(@evidence AS jsonb)) AS g(account_id bigint, source text, has_news boolean,
    complete_until timestamptz, due_by timestamptz, again_at timestamptz, seen_at timestamptz)
ON CONFLICT (account_id, source) DO UPDATE SET has_news = EXCLUDED.has_news, complete_until = EXCLUDED.complete_until,
    due_by = least(e.due_by, EXCLUDED.due_by), again_at = EXCLUDED.again_at, seen_at = EXCLUDED.seen_at
